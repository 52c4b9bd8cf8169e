/* Lists that grow.
 *
 *   struct job *jobs = list_with_room(round->jobs, round->count, &round->capacity, sizeof *jobs);
 *   if (!jobs)
 *       return out_of_memory("a diagnosis");
 *   round->jobs = jobs;
 *   jobs[round->count++] = job;
 */
#pragma once

#include "memory.h"

#include <stddef.h>
#include <stdlib.h>

/* The list, moved or not, with room for more than `count` elements of `size` bytes; `list` is NULL and `capacity` 0 at
 * first.  NULL, and the list is as it was, when memory is short. */
static inline void *list_with_room(void *list, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return list;
    const size_t larger = *capacity ? 2 * *capacity : 16;
    void *grown = reallocarray(list, larger, size);
    if (grown)
        *capacity = larger;
    return grown;
}

/* The same of a list that is short, as memory for text is: never NULL. */
static inline void *list_short(void *list, size_t count, size_t *capacity, size_t size)
{
    void *grown = list_with_room(list, count, capacity, size);
    if (!grown)
        memory_ran_out();
    return grown;
}
