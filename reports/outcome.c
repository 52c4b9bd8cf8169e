#include "outcome.h"

struct outcome outcome_of_nothing(void)
{
    return (struct outcome){
        .ulp_error = NAN, .relative_error = NAN, .bound_ratio = NAN, .backward_error = NAN, .in_u = NAN};
}

/* A series counts its right sums of both classes in one: where it has both, its wrong ones are called NaN first. */
static void set_nonfinite(struct outcome *outcome, const struct series *series)
{
    const uint64_t nans = series->classes[CLASS_NAN];
    const uint64_t wrong = nans + series->classes[CLASS_INF] - series->right_nonfinite;
    outcome->right_nonfinite = series->right_nonfinite;
    outcome->wrong_nan = wrong < nans ? wrong : nans;
    outcome->wrong_infinite = wrong - outcome->wrong_nan;
}

/* Statistics are NaN where a metric is defined in no row.  Rows that are no numbers are not lost by that: their class
 * counts them. */
void outcome_add(struct outcome *outcome, const struct series *series)
{
    struct outcome other = {
        .count = series->count,
        .no_digit = series->histogram.no_digit,
        .distinct_bits = series->distinct_bits,
        .ulp_error = series->statistics[METRIC_ulp_error].max,
        .relative_error = series->statistics[METRIC_relative_error].max,
        .bound_ratio = series->statistics[METRIC_bound_ratio].max,
        .elements = series_unit(series),
        .backward_error = series->statistics[METRIC_backward_error].max,
        .in_u = ldexp(series->statistics[METRIC_backward_error].max, series->format->precision),
    };
    memcpy(other.classes, series->classes, sizeof other.classes);
    set_nonfinite(&other, series);
    outcome_join(outcome, &other);
}

/* fmax passes over NaN. */
void outcome_join(struct outcome *outcome, const struct outcome *other)
{
    outcome->count += other->count;
    for (int c = 0; c < CLASSES; c++)
        outcome->classes[c] += other->classes[c];
    outcome->right_nonfinite += other->right_nonfinite;
    outcome->wrong_nan += other->wrong_nan;
    outcome->wrong_infinite += other->wrong_infinite;
    outcome->no_digit += other->no_digit;
    if (outcome->distinct_bits < other->distinct_bits)
        outcome->distinct_bits = other->distinct_bits;
    outcome->ulp_error = fmax(outcome->ulp_error, other->ulp_error);
    outcome->relative_error = fmax(outcome->relative_error, other->relative_error);
    outcome->bound_ratio = fmax(outcome->bound_ratio, other->bound_ratio);
    outcome->elements = outcome->elements ? outcome->elements : other->elements;
    outcome->backward_error = fmax(outcome->backward_error, other->backward_error);
    outcome->in_u = fmax(outcome->in_u, other->in_u);
}

/* Worst first.  No correct digit: no class of its own. */
enum trouble { NOT_A_NUMBER, OVERFLOW, OUT_OF_RANGE, NOT_INFINITE, NEGATIVE, NO_DIGIT, NOT_ZERO, TROUBLES };

static const struct {
    const char *cell, *verdict;
} words[TROUBLES] = {
    [NOT_A_NUMBER] = {"nan", "not a number"},
    [OVERFLOW] = {"overflow", "overflow"},
    [OUT_OF_RANGE] = {"s too big", "s beyond the format"},
    [NOT_INFINITE] = {"not inf", "not infinite"},
    [NEGATIVE] = {"negative", "negative"},
    [NO_DIGIT] = {"no digit", "no digit"},
    [NOT_ZERO] = {"s is 0", "not 0, s is 0"},
};

static uint64_t count_of(const struct outcome *outcome, enum trouble trouble)
{
    const uint64_t counts[TROUBLES] = {
        [NOT_A_NUMBER] = outcome->wrong_nan,
        [OVERFLOW] = outcome->classes[CLASS_OVERFLOW],
        [OUT_OF_RANGE] = outcome->classes[CLASS_OUT_OF_RANGE],
        [NOT_INFINITE] = outcome->wrong_infinite,
        [NEGATIVE] = outcome->classes[CLASS_NEGATIVE],
        [NO_DIGIT] = outcome->elements ? 0 : outcome->no_digit,
        [NOT_ZERO] = outcome->elements ? 0 : outcome->classes[CLASS_ZERO_SUM],
    };
    return counts[trouble];
}

const char *outcome_trouble(const struct outcome *outcome, size_t kind, uint64_t *count)
{
    if (kind >= TROUBLES)
        return NULL;
    *count = count_of(outcome, (enum trouble)kind);
    return words[kind].verdict;
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

const char *outcome_trouble_word(const struct outcome *outcome)
{
    const size_t trouble = worst_trouble(outcome);
    return trouble < TROUBLES ? words[trouble].cell : NULL;
}

bool outcome_is_exact(const struct outcome *outcome)
{
    return outcome->count > 0 && outcome->classes[CLASS_EXACT] + outcome->right_nonfinite == outcome->count;
}

bool outcome_is_as_ieee(const struct outcome *outcome)
{
    return outcome->count > 0 && outcome->right_nonfinite == outcome->count;
}

double outcome_error(const struct outcome *outcome, enum metric metric)
{
    const uint64_t overflows = outcome->classes[CLASS_OVERFLOW] + outcome->classes[CLASS_OUT_OF_RANGE];
    if (outcome->count == 0 || outcome->wrong_nan + outcome->wrong_infinite + overflows > 0)
        return NAN;
    if (outcome_is_exact(outcome))
        return 0;
    if (metric == METRIC_relative_error)
        return outcome->classes[CLASS_ZERO_SUM] > 0 ? NAN : outcome->relative_error;
    return metric == METRIC_backward_error ? outcome->in_u : outcome->ulp_error;
}

/* The word for sums that are right, or NULL. */
static const char *word_of_right(const struct outcome *outcome)
{
    return outcome_is_as_ieee(outcome) ? "as IEEE" : outcome_is_exact(outcome) ? "exact" : NULL;
}

enum tone outcome_cell(const struct outcome *outcome, char text[OUTCOME_TEXT])
{
    const char *trouble = outcome_trouble_word(outcome), *right = word_of_right(outcome);
    if (outcome->count == 0) {
        strcpy(text, "-");
        return TONE_PLAIN;
    }
    if (trouble || right) {
        strcpy(text, trouble ? trouble : right);
        return trouble ? TONE_BAD : TONE_GOOD;
    }
    write_error(outcome->ulp_error, text);
    return outcome->ulp_error <= 0.5 ? TONE_GOOD : TONE_PLAIN;
}

/* The largest d with relative_error <= 10^-d.  Literals, because a logarithm may round to the wrong side. */
int outcome_digits(const struct outcome *outcome)
{
    static const double limits[] = {1e-1, 1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8,
                                    1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16};
    const double error = outcome->elements ? outcome->backward_error : outcome->relative_error;
    int digits = 0;
    while (digits < (int)(sizeof limits / sizeof *limits) && error <= limits[digits])
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
        strcpy(text, words[trouble].verdict);
        return TONE_BAD;
    }
    if (word_of_right(outcome)) {
        strcpy(text, word_of_right(outcome));
        return TONE_GOOD;
    }
    if (outcome->ulp_error <= 0.5) {
        strcpy(text, "correctly rounded");
        return TONE_GOOD;
    }
    const int digits = outcome_digits(outcome);
    if (outcome->elements)
        snprintf(text, OUTCOME_TEXT, "%d digit%s of %s", digits, digits == 1 ? "" : "s",
                 outcome->elements + strlen("u "));
    else if (digits == 0)
        strcpy(text, "under 1 correct digit");
    else
        snprintf(text, OUTCOME_TEXT, "%d correct digit%s", digits, digits == 1 ? "" : "s");
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
        write_error(percent, text);
        strcat(text, " %");
    }
    return outcome->bound_ratio > 1 ? TONE_BAD : TONE_PLAIN;
}
