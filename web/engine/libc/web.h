/* What glibc has and emscripten's musl lacks; each file of the preset web includes this first.
 *
 * Sizes are 64 bits wide there too, as in all of the program: an allocation of more than a 32-bit machine can name fails
 * like one of more than it has, instead of being cut to what is left of the number. */
#pragma once

#include <dirent.h>
#include <sched.h> /* which declares calloc, too */
#include <stdint.h>
#include <stdlib.h>

int scandirat(int folder, const char *path, struct dirent ***entries, int (*has)(const struct dirent *),
              int (*compare)(const struct dirent **, const struct dirent **));
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context);
int on_exit(void (*function)(int status, void *context), void *context);

static inline void *web_malloc(uint64_t size)
{
    return size > SIZE_MAX / 2 ? NULL : malloc((size_t)size);
}
static inline void *web_calloc(uint64_t count, uint64_t size)
{
    return size && count > SIZE_MAX / 2 / size ? NULL : calloc((size_t)count, (size_t)size);
}
static inline void *web_realloc(void *old, uint64_t size)
{
    return size > SIZE_MAX / 2 ? NULL : realloc(old, (size_t)size);
}
static inline void *web_reallocarray(void *old, uint64_t count, uint64_t size)
{
    return size && count > SIZE_MAX / 2 / size ? NULL : web_realloc(old, count * size);
}
#define malloc(size) web_malloc(size)
#define calloc(count, size) web_calloc(count, size)
#define realloc(old, size) web_realloc(old, size)
#define reallocarray(old, count, size) web_reallocarray(old, count, size)
