/* One element of a matrix product, exactly, as a thread of a GPU computes it: of matrix_kernel.cu, and of the test
 * that runs it on the host.  It shares nothing with matrix.c: not how products are added, and not how sums are rounded.
 */
#pragma once

#include "digits_sum.h"
#include "matrix_kernel.h"

/* ---- products ---- */

/* The next numbers of a row and a column, loaded before the ones before them are multiplied; 0 beyond their ends. */
enum { GROUP = 4 };
struct group {
    uint64_t x[GROUP], y[GROUP];
};

PORTABLE struct group load_group(const struct matrix_part *part, bool is_binary64, uint64_t i, uint64_t j, uint64_t k)
{
    struct group group;
    UNROLLED(GROUP)
    for (unsigned g = 0; g < GROUP; g++) {
        const bool is_there = k + g < part->inner;
        group.x[g] = is_there ? bits_at(is_binary64, part->a, i * part->inner + k + g) : 0;
        group.y[g] = is_there ? bits_at(is_binary64, part->b, (k + g) * part->columns + j) : 0;
    }
    return group;
}

/* Adds all products of an element to digits that are 0.  Whether there were infinities and NaNs: then the digits mean
 * nothing. */
PORTABLE bool add_products(const struct matrix_part *part, bool is_binary64, uint64_t i, uint64_t j, struct digits to)
{
    const struct digits_grid grid = digits_grid_of(is_binary64);
    struct group next = load_group(part, is_binary64, i, j, 0);
    bool any_special = false;
    for (uint64_t k = 0; k < part->inner; k += GROUP) {
        const struct group group = next;
        next = load_group(part, is_binary64, i, j, k + GROUP);
        UNROLLED(GROUP)
        for (unsigned g = 0; g < GROUP; g++) {
            const struct factor x = factor_of(grid, group.x[g], part->window.first_a),
                                y = factor_of(grid, group.y[g], part->window.first_b);
            add_product(grid, to, x, y);
            any_special |= x.special | y.special;
        }
    }
    return any_special;
}

/* ---- the element ---- */

PORTABLE bool is_finite_number(double x)
{
    return x - x == 0;
}

/* By IEEE 754, of the products that an infinity or a NaN is a factor of; there is one. */
PORTABLE struct exact_element special_element(const struct matrix_part *part, bool is_binary64, uint64_t i, uint64_t j)
{
    double sum = 0;
    for (uint64_t k = 0; k < part->inner; k++) {
        const double x = number_at(is_binary64, part->a, i * part->inner + k),
                     y = number_at(is_binary64, part->b, k * part->columns + j);
        sum += is_finite_number(x) && is_finite_number(y) ? 0 : x * y;
    }
    const double magnitude = sum < 0 ? -sum : sum, none = (double)NAN;
    const struct exact_element element = {sum == sum ? EXACT_INF : EXACT_NAN, sum, none, magnitude, none, 0};
    return element;
}

/* computed - s, rounded away from 0 */
PORTABLE double error_of_computed(const struct sums *of, double computed)
{
    const struct format binary64 = {"binary64", 8, DBL_MANT_DIG, -1074, DBL_MAX_EXP, false};
    const struct factor number = factor_of(digits_grid_of(true), double_bits(computed), 0);
    const struct combination error = {-1, 1, number.negative ? -1 : 1, number.significand,
                                      (int)number.place + digits_grid_of(true).least - of->unit};
    const struct leading leading = leading_of(of, error);
    const double magnitude = rounded_leading(leading, &binary64, DIGITS_UP);
    return leading.negative ? -magnitude : magnitude;
}

/* Whether products that are all zeros sum to -0: each of them is one, and there is one. */
PORTABLE bool is_negative_zero(const struct matrix_part *part, bool is_binary64, uint64_t i, uint64_t j)
{
    const struct digits_grid grid = digits_grid_of(is_binary64);
    bool all_negative = part->inner > 0;
    for (uint64_t k = 0; k < part->inner && all_negative; k++)
        all_negative = factor_of(grid, bits_at(is_binary64, part->a, i * part->inner + k), 0).negative !=
                       factor_of(grid, bits_at(is_binary64, part->b, k * part->columns + j), 0).negative;
    return all_negative;
}

/* Element (i, j) of a part, by digits that may hold anything. */
PORTABLE struct exact_element digits_element(const struct matrix_part *part, bool is_binary64, uint64_t i, uint64_t j,
                                             struct digits digits)
{
    const struct format binary64 = {"binary64", 8, DBL_MANT_DIG, -1074, DBL_MAX_EXP, false};
    const struct digits_window window = part->window;
    const struct sums sums = {digits, window.digits,
                              2 * digits_grid_of(is_binary64).least + (int)(window.first_a + window.first_b)};
    const struct combination sum = {1, -1, 0, 0, 0}, sum_abs = {1, 1, 0, 0, 0};
    const bool is_judged = part->computed != NULL, is_wide = part->result.precision > FLT_MANT_DIG;
    const double computed = is_judged ? number_at(is_wide, part->computed, i * part->columns + j) : 0;
    struct exact_element element;
    for (unsigned d = 0; d < window.digits; d++)
        *digit_of(digits, d, false) = *digit_of(digits, d, true) = 0;
    if (add_products(part, is_binary64, i, j, digits)) {
        element = special_element(part, is_binary64, i, j);
        element.error = is_judged ? computed - element.nearest : 0;
        return element;
    }
    const struct leading s = leading_of(&sums, sum), s_abs = leading_of(&sums, sum_abs);
    const bool negative = s_abs.bits > 0 ? s.negative : is_negative_zero(part, is_binary64, i, j);
    element.kind = EXACT_FINITE;
    element.nearest = rounded_leading(s, &part->result, DIGITS_NEAREST);
    element.nearest = negative ? -element.nearest : element.nearest;
    element.ulp = ulp_of_leading(s, &part->result);
    element.abs_above = rounded_leading(s, &binary64, DIGITS_UP);
    element.sum_abs_above = rounded_leading(s_abs, &binary64, DIGITS_UP);
    element.error = computed;
    if (is_judged && is_finite_number(computed))
        element.error = error_of_computed(&sums, computed);
    return element;
}
