/* The largest of many, without sorting all: of 2^24 additions the ten that lost most.
 *
 * Sizes that are 0 or NaN are not taken; of equal ones those with the smaller index come first and stay.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct top_entry {
    double size;
    uint64_t index;
};

struct top_list {
    struct top_entry *entries; /* the largest first, once top_list_end was called */
    size_t count, most;
};

void top_list_start(size_t most, struct top_list *list);
void top_list_offer(struct top_list *list, double size, uint64_t index);
void top_list_end(struct top_list *list);
void top_list_free(struct top_list *list);
