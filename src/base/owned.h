/* What a block owns is freed where the block ends, on every way out: by free(), or by a function that takes its address
 * and knows a cleared one.
 *
 *   OWNED char *text = memory_copy(name);
 *   FREED_BY(exact_free) struct exact_sum exact = {0};
 */
#pragma once

#include <stdlib.h>

#define OWNED FREED_BY(owned_free)
#define FREED_BY(function) __attribute__((cleanup(function)))

static inline void owned_free(void *owner)
{
    free(*(void *__attribute__((may_alias)) *)owner);
}

/* What a struct owns: free_all(of->names, of->rows). */
#define free_all(...) free_each((void *const[]){__VA_ARGS__}, sizeof(void *const[]){__VA_ARGS__} / sizeof(void *))

static inline void free_each(void *const *owned, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(owned[i]);
}
