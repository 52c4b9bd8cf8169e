/* A value that is a quotient of large integers, or the root of one: its correct rounding, and how far a computed number
 * is from it. */
#pragma once

#include "problem.h"
#include "ratio.h"

/* Times 2^unit; limbs from `count` on are anything, and the one before it is not 0.  The largest here: the square of a
 * product sum of binary64 (134 limbs, unit -4296) beside one of that times the square of a number. */
enum { BIG_LIMBS = RATIO_LIMBS_MOST };
struct big {
    uint64_t limbs[BIG_LIMBS];
    unsigned count;
    int unit;
};

struct big big_of(uint64_t integer, int unit);
bool big_is_zero(const struct big *a);
void big_set_count(struct big *a, unsigned count); /* of so many limbs at most */
struct big big_product(const struct big *a, const struct big *b);

/* |a - b|, or a + b; *is_below: a < b. */
struct big big_combined(const struct big *a, const struct big *b, bool subtract, bool *is_below);

/* a / b 2^exponent, rounded up; of 0 / 0 `of_zeros`. */
double big_ratio(const struct big *a, const struct big *b, int exponent, double of_zeros);

/* The value is numerator / denominator, or the root of that; its scale, what errors are relative to beside it, has
 * another numerator. */
struct value {
    struct big numerator, scale, denominator;
    bool is_root, is_negative, is_defined;
};

/* In a format. */
double value_nearest(const struct value *value, const struct format *format);

/* All of *error but its size and bound, of a value that is defined; computed: NULL where nothing was. */
void value_conclude(const struct value *value, const struct format *format, const double *computed,
                    struct ulpscope_error *error);
