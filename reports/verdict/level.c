#include "verdict.h"

bool level_is_within(const struct outcome *outcome, enum metric metric, double limit)
{
    return !!(outcome_error(outcome, metric) <= limit);
}

const char *limit_unit(const struct target *limit)
{
    return limit->of_elements ? limit->of_elements : "ulp";
}

/* As the user wrote it, "1e-6" and "2ulp". */
void limit_text(const struct target *limit, char text[LIMIT_TEXT])
{
    if (limit->metric == METRIC_relative_error)
        snprintf(text, LIMIT_TEXT, "within a relative error of %s", limit->text);
    else
        snprintf(text, LIMIT_TEXT, "within %.*s %s", (int)strcspn(limit->text, " u"), limit->text,
                 limit_unit(limit));
}

/* In ulps or, but for the first, in the unit of elements; the target has its place among them, or stands after all when it is a
 * relative error. */
static const struct {
    double limit;
    enum tone tone;
} levels[] = {{0.5, TONE_ROUNDED}, {1, TONE_ONE_ULP}, {4, TONE_FOUR_ULP}};

static enum tone level(enum tone tone, const char *name, char word[OUTCOME_TEXT])
{
    strcpy(word, name);
    return tone;
}

enum tone level_of(const struct outcome *outcome, const struct target *target, char word[OUTCOME_TEXT])
{
    const char *trouble = outcome_trouble_word(outcome);
    const bool within_target = target->text && level_is_within(outcome, target->metric, target->limit);
    if (outcome->count == 0)
        return level(TONE_PLAIN, "-", word);
    if (outcome_is_exact(outcome))
        return level(TONE_EXACT, outcome_is_as_ieee(outcome) ? "as IEEE" : "exact", word);
    if (trouble && !within_target)
        return level(TONE_NO_DIGIT, trouble, word);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        const bool in_u = outcome->elements && levels[i].tone != TONE_ROUNDED;
        if (within_target && target->metric == METRIC_ulp_error && target->limit < levels[i].limit)
            return level(TONE_TARGET, "within target", word);
        if (!level_is_within(outcome, in_u ? METRIC_backward_error : METRIC_ulp_error, levels[i].limit))
            continue;
        snprintf(word, OUTCOME_TEXT, i > 0 ? "within %g %s" : "correctly rounded", levels[i].limit, in_u ? outcome->elements : "ulp");
        return levels[i].tone;
    }
    if (within_target)
        return level(TONE_TARGET, "within target", word);
    const int digits = outcome_digits(outcome);
    snprintf(word, OUTCOME_TEXT, digits == 0 ? "under 1 digit" : digits == 1 ? "1 digit" : "%d digits", digits);
    return TONE_DIGITS;
}
