/* What becomes of sums: every operation is rounded to one format.  The same C on host and GPU. */
#pragma once

#include "src/base/fp.h"
#include "statistic.h"

#include <math.h>

struct formula {
    struct statistic of;
    struct format
        in; /* that each operation rounds to, by way of binary64, which rounds as once (kernels/formats/half.h) */
    struct format added;
    uint64_t n;
};

/* Of a method of kernels/statistic.c, of n numbers. */
struct formula statistic_formula(const struct method *self, uint64_t n);

/* As rounded_to(), and on a GPU, which has no other rounding mode and whose rows wait for it, by a conversion. */
PORTABLE double formula_rounded_to(double value, const struct format *format)
{
#ifdef __CUDA_ARCH__
    if (format->precision == FORMAT_BINARY32.precision)
        return (double)(float)value;
    if (format->precision == FORMAT_BINARY64.precision)
        return value;
#endif
    return rounded_to(value, format);
}

PORTABLE double formula_rounded(const struct formula *formula, double value)
{
    return formula_rounded_to(value, &formula->in);
}

/* What made terms take off, or divide by, in the format that is added; `first` is x_0. */
PORTABLE double formula_parameter(const struct formula *formula, double sum, double first)
{
    const double n = formula_rounded(formula, (double)formula->n);
    return formula->of.algorithm == BY_SHIFTED ? first
           : formula->of.algorithm == BY_SCALED_FIRST
               ? formula_rounded_to((double)formula->n, &formula->added)
               : formula_rounded_to(formula_rounded(formula, sum / n), &formula->added);
}

/* (c - r r / n) / N */
PORTABLE double formula_less_mean(const struct formula *formula, double c, double r, double n, double left)
{
    const double square = formula_rounded(formula, r * r), of_mean = formula_rounded(formula, square / n);
    return formula_rounded(formula, formula_rounded(formula, c - of_mean) / left);
}

PORTABLE double formula_unrooted(const struct formula *formula, const double sums[PASSES_MOST])
{
    const double n = formula_rounded(formula, (double)formula->n);
    const double left = formula->of.of_sample ? formula_rounded(formula, (double)(formula->n - 1)) : n;
    const double a = sums[0], b = sums[1], c = sums[2];
    switch (formula->of.algorithm) {
    case BY_TIMES_RECIPROCAL:
        return formula_rounded(formula, a * formula_rounded(formula, 1 / n));
    case BY_SCALED_FIRST:
    case BY_RUNNING:
        return a;
    case BY_TEXTBOOK: {
        const double mean = formula_rounded(formula, a / n), square = formula_rounded(formula, mean * mean);
        const double v = formula_rounded(formula, formula_rounded(formula, b / n) - square);
        return formula->of.of_sample ? formula_rounded(formula, formula_rounded(formula, v * n) / left) : v;
    }
    case BY_TEXTBOOK_SUMS:
        return formula_less_mean(formula, b, a, n, left);
    case BY_TWO_PASS:
        return formula_rounded(formula, b / left);
    case BY_TWO_PASS_CORRECTED:
        return formula_less_mean(formula, b, c, n, left);
    case BY_SHIFTED:
        return formula_less_mean(formula, a, b, n, left);
    case BY_WEIGHTS:
        return formula_rounded(formula, b / a);
    case BY_COSINE: {
        const double of_x = formula_rounded(formula, sqrt(b)), of_y = formula_rounded(formula, sqrt(c));
        return formula_rounded(formula, a / formula_rounded(formula, of_x * of_y));
    }
    default:
        return formula_rounded(formula, a / left);
    }
}

/* Of no numbers nothing is defined. */
PORTABLE double formula_value(const struct formula *formula, const double sums[PASSES_MOST])
{
    const double value = formula_unrooted(formula, sums);
    return formula->n == 0       ? double_from_bits(UINT64_C(0x7ff8) << 48)
           : formula->of.is_root ? formula_rounded(formula, sqrt(value))
                                 : value;
}

/* What becomes of each number of a row: less the mean, times the factor. */
struct normalizer {
    double mean, factor;
};

PORTABLE struct normalizer formula_normalizer(const struct formula *formula, const double sums[PASSES_MOST])
{
    const double variance = formula_unrooted(formula, sums), eps = formula_rounded(formula, NORMALIZATION_EPS);
    const double root = formula_rounded(formula, sqrt(formula_rounded(formula, variance + eps)));
    struct normalizer by;
    by.mean = formula->of.algorithm == BY_SQUARES ? 0
              : formula->of.algorithm == BY_WELFORD || formula->of.algorithm == BY_CHAN
                  ? sums[1]
                  : formula_rounded(formula, sums[0] / formula_rounded(formula, (double)formula->n));
    by.factor = formula_rounded(formula, 1 / root);
    return by;
}

PORTABLE double formula_normalized(const struct formula *formula, double x, struct normalizer by)
{
    return formula_rounded(formula, formula_rounded(formula, x - by.mean) * by.factor);
}
