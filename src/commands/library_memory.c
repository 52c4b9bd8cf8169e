#include "library_memory.h"
#include "src/base/base.h"

#include <gmp.h>
#include <jansson.h>
#include <libxml/xmlmemory.h>

static void *take(size_t size)
{
    return memory_resized(NULL, size);
}

static void *resize(void *old, size_t old_size, size_t size)
{
    (void)old_size;
    return memory_resized(old, size);
}

static void give_back(void *taken, size_t size)
{
    (void)size;
    free(taken);
}

void library_memory_guard(void)
{
    mp_set_memory_functions(take, resize, give_back);
    json_set_alloc_funcs(take, free);
    xmlMemSetup(free, take, memory_resized, memory_copy);
}
