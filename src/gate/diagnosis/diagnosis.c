#include "diagnosis.h"

#include "suspect.h"

/* What the baseline has and the run lacks has no cause, nor has what fails for the study; what fails across an axis
 * says by itself which. */
static bool is_diagnosed(const struct finding *finding)
{
    return finding->verdict == VERDICT_FAILED && finding->series && !finding->varied && !finding_is_of_study(finding);
}

static void tell_cause(void *context, const struct suspect *suspect)
{
    const struct check *check = context;
    for (size_t i = 0; i < check->count; i++) {
        struct finding *finding = &check->findings[i];
        if (is_diagnosed(finding) && !finding->cause && finding->series == &check->results->series[suspect->series])
            finding->cause = memory_copy(suspect->cause);
    }
}

static bool is_held_to_baseline(const struct finding *finding)
{
    return finding->rule->limit.kind == LIMIT_BASELINE || finding->rule->limit.kind == LIMIT_SAME_BASELINE;
}

static void note_failures(const struct check *check, bool *failing, bool *has_changed)
{
    for (size_t i = 0; i < check->count; i++) {
        const struct finding *finding = &check->findings[i];
        if (!is_diagnosed(finding))
            continue;
        const size_t series = (size_t)(finding->series - check->results->series);
        failing[series] = true;
        has_changed[series] |= is_held_to_baseline(finding);
    }
}

enum status diagnose(struct check *check, unsigned workers)
{
    return diagnose_within(check, DIAGNOSIS_ADDITIONS, workers);
}

enum status diagnose_within(struct check *check, uint64_t additions, unsigned workers)
{
    const size_t series = check->results->series_count;
    OWNED bool *failing = memory_cleared(series + 1, sizeof *failing);
    OWNED bool *has_changed = memory_cleared(series + 1, sizeof *has_changed);
    note_failures(check, failing, has_changed);
    return diagnose_series(&(struct wanted_series){failing, has_changed}, check->results, additions, workers,
                           tell_cause, check);
}
