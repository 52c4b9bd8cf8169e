/* Models that are left after some answers. */
#pragma once

#include "asker.h"

struct models {
    struct arithmetic *left;
    size_t count;
};

/* All that are asked for, with no floor and no -0; BLOCKS_OF_ONE: their alignment loses nothing. */
enum status models_all(const struct sum_format *formats, const struct grouping *grouping, struct models *models);

/* Each with every floor, treatment of subnormals, and of zeros. */
enum status models_with_floors(struct models *models);
enum status models_with_zeros(struct models *models);

/* Keeps those that have the answers, with the sign of zeros or without.  *row: the one after which none was left. */
void models_hold(struct models *models, const struct sum_format *formats, const struct grouping *grouping,
                 const struct questions *questions, bool signs, uint64_t *row);

/* The least floor is none. */
enum { FLOOR_LEAST = -300, FLOOR_MOST = 0, FRACTION_LEAST = 7, FRACTION_MOST = 40, OUTPUT_LEAST = 7, OUTPUT_MOST = 23 };
