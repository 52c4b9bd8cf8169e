/* Models that are left after some answers. */
#pragma once

#include "inquiry.h"

struct models {
    struct arithmetic *left;
    size_t count;
};

/* The exponents of floors that are asked for, and so on; FLOOR_LEAST is none. */
enum { FLOOR_LEAST = -200, FLOOR_MOST = 0, FRACTION_LEAST = 7, FRACTION_MOST = 40, OUTPUT_LEAST = 7 };

/* The least that is asked for in these formats: products are no smaller. */
int models_least_floor(const struct sum_format *formats);

/* All of a grouping that take factors as they are stored, with no floor and no -0. */
enum status models_all(const struct sum_format *formats, const struct grouping *grouping, struct models *models);

/* Each with every input; with every floor and treatment of subnormals; with either zero. */
enum status models_with_inputs(const struct sum_format *formats, struct models *models);
enum status models_with_floors(const struct sum_format *formats, struct models *models);
enum status models_with_zeros(struct models *models);

/* Keeps those that have the answers of some rows, with the sign of zeros or without; returns the row after which none
 * was left, or held.end. */
struct held {
    uint64_t first, end;
    bool signs;
};
uint64_t models_hold(struct models *models, const struct sum_format *formats, const struct grouping *grouping,
                     const struct questions *questions, struct held held);

/* Whether an element has the bits of an answer; puts those models first that have them, and returns how many do. */
bool models_has_bits(const struct arithmetic *of, const struct grouping *grouping, const struct element *element,
                     double answer, bool signs);
size_t models_keep(struct models *models, const struct grouping *grouping, const struct element *element, double answer,
                   bool signs);
