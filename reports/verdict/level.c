#include "level.h"

#include <stdio.h>
#include <string.h>

bool level_is_within(const struct outcome *outcome, enum metric metric, double limit)
{
    return !!(outcome_error(outcome, metric) <= limit);
}

/* As the user wrote it, "1e-6" and "2ulp". */
void limit_text(const struct target *limit, char text[LIMIT_TEXT])
{
    if (limit->metric == METRIC_ulp_error)
        snprintf(text, LIMIT_TEXT, "within %.*s ulp", (int)strcspn(limit->text, " u"), limit->text);
    else
        snprintf(text, LIMIT_TEXT, "within a relative error of %s", limit->text);
}

/* In ulps; the target has its place among them, or stands after all when it is a relative error. */
static const struct {
    double limit;
    enum tone tone;
    const char *word;
} in_ulps[] = {
    {0.5, TONE_ROUNDED, "correctly rounded"},
    {1, TONE_ONE_ULP, "within 1 ulp"},
    {4, TONE_FOUR_ULP, "within 4 ulp"},
};

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
    for (size_t i = 0; i < sizeof in_ulps / sizeof *in_ulps; i++) {
        if (within_target && target->metric == METRIC_ulp_error && target->limit < in_ulps[i].limit)
            return level(TONE_TARGET, "within target", word);
        if (level_is_within(outcome, METRIC_ulp_error, in_ulps[i].limit))
            return level(in_ulps[i].tone, in_ulps[i].word, word);
    }
    if (within_target)
        return level(TONE_TARGET, "within target", word);
    const int digits = outcome_digits(outcome);
    snprintf(word, OUTCOME_TEXT, digits == 0 ? "under 1 digit" : digits == 1 ? "1 digit" : "%d digits", digits);
    return TONE_DIGITS;
}
