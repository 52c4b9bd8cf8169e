#include "outcome.h"

#include "../src/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct outcome outcome_of_nothing(void)
{
    return (struct outcome){.ulp_error = NAN, .relative_error = NAN, .bound_ratio = NAN};
}

/* Statistics are NaN where a metric is defined in no row; fmax passes over them.  Rows that are no numbers are not
 * lost by that: their class counts them. */
void outcome_add(struct outcome *outcome, const struct series *series)
{
    outcome->count += series->count;
    for (int c = 0; c < CLASSES; c++)
        outcome->classes[c] += series->classes[c];
    outcome->no_digit += series->histogram.no_digit;
    if (outcome->distinct_bits < series->distinct_bits)
        outcome->distinct_bits = series->distinct_bits;
    outcome->ulp_error = fmax(outcome->ulp_error, series->statistics[METRIC_ulp_error].max);
    outcome->relative_error = fmax(outcome->relative_error, series->statistics[METRIC_relative_error].max);
    outcome->bound_ratio = fmax(outcome->bound_ratio, series->statistics[METRIC_bound_ratio].max);
}

/* Worst first. */
static const struct {
    int class; /* CLASSES: no digit is right, which is no class of its own */
    const char *cell, *verdict;
} troubles[] = {
    {CLASS_NAN, "nan", "not a number"},          {CLASS_OVERFLOW, "overflow", "overflow"},
    {CLASS_INF, "inf", "infinite data"},         {CLASSES, "no digit", "no digit right"},
    {CLASS_ZERO_SUM, "s is 0", "not 0, s is 0"},
};
enum { TROUBLES = sizeof troubles / sizeof *troubles };

const char *outcome_trouble(const struct outcome *outcome, size_t kind, uint64_t *count)
{
    if (kind >= TROUBLES)
        return NULL;
    *count = troubles[kind].class == CLASSES ? outcome->no_digit : outcome->classes[troubles[kind].class];
    return troubles[kind].verdict;
}

/* The worst trouble, or TROUBLES. */
static size_t worst_trouble(const struct outcome *outcome)
{
    uint64_t count;
    size_t kind = 0;
    while (outcome_trouble(outcome, kind, &count) && count == 0)
        kind++;
    return kind;
}

static bool all_exact(const struct outcome *outcome)
{
    return outcome->classes[CLASS_EXACT] == outcome->count;
}

enum tone outcome_cell(const struct outcome *outcome, char text[OUTCOME_TEXT])
{
    const size_t trouble = worst_trouble(outcome);
    if (outcome->count == 0) {
        strcpy(text, "-");
        return TONE_PLAIN;
    }
    if (trouble < TROUBLES) {
        strcpy(text, troubles[trouble].cell);
        return TONE_BAD;
    }
    if (all_exact(outcome)) {
        strcpy(text, "exact");
        return TONE_GOOD;
    }
    write_rounded(outcome->ulp_error, text);
    return outcome->ulp_error <= 0.5 ? TONE_GOOD : TONE_PLAIN;
}

/* The largest d with relative_error <= 10^-d.  Literals, because a logarithm may round to the wrong side. */
static int digits_right(double relative_error)
{
    static const double limits[] = {1e-1, 1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8,
                                    1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16};
    int digits = 0;
    while (digits < (int)(sizeof limits / sizeof *limits) && relative_error <= limits[digits])
        digits++;
    return digits;
}

enum tone outcome_verdict(const struct outcome *outcome, char text[OUTCOME_TEXT])
{
    const size_t trouble = worst_trouble(outcome);
    if (outcome->count == 0) {
        strcpy(text, "not run");
        return TONE_PLAIN;
    }
    if (outcome->bound_ratio > 1) {
        strcpy(text, "ABOVE ITS BOUND");
        return TONE_BAD;
    }
    if (trouble < TROUBLES) {
        strcpy(text, troubles[trouble].verdict);
        return TONE_BAD;
    }
    if (all_exact(outcome)) {
        strcpy(text, "exact");
        return TONE_GOOD;
    }
    if (outcome->ulp_error <= 0.5) {
        strcpy(text, "within half an ulp");
        return TONE_GOOD;
    }
    const int digits = digits_right(outcome->relative_error);
    if (digits == 0)
        strcpy(text, "under 1 digit right");
    else
        snprintf(text, OUTCOME_TEXT, "%d digit%s right", digits, digits == 1 ? "" : "s");
    return TONE_PLAIN;
}

enum tone outcome_share(const struct outcome *outcome, char text[OUTCOME_TEXT])
{
    const double percent = 100 * outcome->bound_ratio;
    if (isnan(percent)) {
        strcpy(text, outcome->count ? "no claim" : "-");
    } else if (percent > 0 && percent < 0.001) {
        strcpy(text, "< 0.001 %");
    } else {
        write_rounded(percent, text);
        strcat(text, " %");
    }
    return outcome->bound_ratio > 1 ? TONE_BAD : TONE_PLAIN;
}
