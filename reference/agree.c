#include "agree.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What a difference is reported of. */
struct comparison {
    struct opinion first, second;
    const char *what_to_do;
};

static enum status differ(const struct comparison *of, const char *field, const char *first, const char *second)
{
    complain("the exact reference: %s is %s %s and %s %s; expected the same; %s", field, first, of->first.by, second,
             of->second.by, of->what_to_do);
    return NOT_MEASURED;
}

static enum status same_counts(const struct comparison *of, const char *field, uint64_t first, uint64_t second)
{
    char texts[2][32];
    if (first == second)
        return OK;
    snprintf(texts[0], sizeof texts[0], "%" PRIu64, first);
    snprintf(texts[1], sizeof texts[1], "%" PRIu64, second);
    return differ(of, field, texts[0], texts[1]);
}

static enum status same_exponents(const struct comparison *of, const char *field, int first, int second)
{
    char texts[2][32];
    if (first == second)
        return OK;
    snprintf(texts[0], sizeof texts[0], "%d", first);
    snprintf(texts[1], sizeof texts[1], "%d", second);
    return differ(of, field, texts[0], texts[1]);
}

static enum status same_doubles(const struct comparison *of, const char *field, double first, double second)
{
    char texts[2][32];
    if ((first == second && signbit(first) == signbit(second)) || (isnan(first) && isnan(second)))
        return OK;
    snprintf(texts[0], sizeof texts[0], "%a", first);
    snprintf(texts[1], sizeof texts[1], "%a", second);
    return differ(of, field, texts[0], texts[1]);
}

static enum status same_numbers(const struct comparison *of, const char *field, const mpfr_t first, const mpfr_t second)
{
    const bool same = mpfr_nan_p(first) ? mpfr_nan_p(second) != 0
                                        : mpfr_equal_p(first, second) && mpfr_signbit(first) == mpfr_signbit(second);
    if (same)
        return OK;
    char *const texts[] = {exact_hex(first), exact_hex(second)};
    const enum status status = differ(of, field, texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
    return status;
}

enum status exact_agree(struct opinion first, struct opinion second, const char *what_to_do)
{
    const struct comparison of = {first, second, what_to_do};
    const struct exact_sum *const a = first.sum, *const b = second.sum;
    TRY(same_counts(&of, "n", a->n, b->n));
    TRY(same_counts(&of, "the count of NaNs", a->nans, b->nans));
    TRY(same_counts(&of, "the count of +Inf", a->positive_infinities, b->positive_infinities));
    TRY(same_counts(&of, "the count of -Inf", a->negative_infinities, b->negative_infinities));
    TRY(same_counts(&of, "the count of -0", a->negative_zeros, b->negative_zeros));
    TRY(same_counts(&of, "the count of subnormals", a->subnormals, b->subnormals));
    TRY(same_exponents(&of, "the least exponent", a->least_exponent, b->least_exponent));
    TRY(same_exponents(&of, "the largest exponent", a->largest_exponent, b->largest_exponent));
    TRY(same_doubles(&of, "max |x_i|", a->max_abs, b->max_abs));
    TRY(same_numbers(&of, "the sum", a->sum, b->sum));
    TRY(same_numbers(&of, "the sum of absolute values", a->sum_abs, b->sum_abs));
    TRY(same_counts(&of, "the kind", a->kind, b->kind));
    TRY(same_doubles(&of, "the condition", a->condition, b->condition));
    TRY(same_doubles(&of, "the nearest number", a->nearest, b->nearest));
    TRY(same_doubles(&of, "ulp(s)", a->ulp, b->ulp));
    TRY(same_doubles(&of, "|s| rounded up", a->abs_above, b->abs_above));
    return same_doubles(&of, "sum |x_i| rounded up", a->sum_abs_above, b->sum_abs_above);
}
