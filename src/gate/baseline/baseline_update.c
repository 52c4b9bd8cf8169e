/* A baseline is replaced by a person who has looked, and not by the machine that it is to hold. */
#include "baseline.h"

#include "src/files/claim.h"

enum { TOLD_MOST = 5 };

static enum status refuse_in_ci(const char *path)
{
    const char *ci = getenv("CI");
    if (!ci || (strcasecmp(ci, "true") != 0 && strcmp(ci, "1") != 0))
        return OK;
    return bad_input("%s: CI=%s is set; expected a person who looks at what changed, since a gate that moves its own "
                     "limits holds nothing; update it on your own machine and commit the file",
                     path, ci);
}

static bool is_harm(const struct baseline_change *change)
{
    return change->became == BECAME_WORSE || change->became == BECAME_MISSING || change->unlike;
}

static void tell_the_worst(const struct baseline *baseline, const struct baseline_diff *diff)
{
    size_t told = 0;
    for (size_t i = 0; i < diff->count && told < TOLD_MOST; i++) {
        if (!is_harm(&diff->changes[i]))
            continue;
        OWNED char *text = baseline_change_text(&diff->changes[i]);
        complain("%s: %s", baseline->path, text);
        told++;
    }
}

/* What is of another study may be worse: another seed must not be a way around. */
static enum status refuse_harm(const struct baseline *baseline, const struct baseline_diff *diff)
{
    const size_t worse = diff->by[BECAME_WORSE], missing = diff->by[BECAME_MISSING];
    if (worse + missing + diff->unlike == 0)
        return OK;
    tell_the_worst(baseline, diff);
    return bad_input("%s: %zu series worse, %zu missing, %zu of another study or device; expected none; the file is as "
                     "it was; mend what got worse, or give --accept-worse if it is meant, and say why in the commit",
                     baseline->path, worse, missing, diff->unlike);
}

enum status baseline_update(const struct baseline *baseline, const struct results *results, bool accept_worse)
{
    FREED_BY(baseline_diff_free) struct baseline_diff diff = {0};
    FREED_BY(baseline_free) struct baseline now = {0};
    TRY(refuse_in_ci(baseline->path));
    baseline_compare(baseline, results, &diff);
    if (!accept_worse)
        TRY(refuse_harm(baseline, &diff));
    TRY(baseline_of(results, &now));
    claim_end_reading("baseline", baseline->path);
    return baseline_write(&now, baseline->path);
}
