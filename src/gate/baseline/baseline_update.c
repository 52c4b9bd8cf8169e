/* A baseline is replaced by a person who has looked, and not by the machine that it is to hold. */
#include "baseline.h"

#include "src/files/claim.h"

enum { TOLD_MOST = 5 };

/* ---- what became of it ---- */

static void judge(const struct baseline *baseline, const struct results *results, struct baseline_change *change)
{
    const struct held then = baseline_held(baseline, change->before), now = held_of(results, change->series);
    char why[REASON_SIZE];
    change->judged = became_judge(&then, &now);
    change->became = change->judged.became;
    change->other_bits = strcmp(then.bits, now.bits) != 0;
    change->unlike = baseline_likeness(baseline, change->before, results, change->series, why) != LIKE;
    if (change->unlike)
        memcpy(change->judged.why, why, sizeof why);
}

/* The line of a name; NULL: none. */
static const struct baseline_series *line_of(const struct baseline *baseline, const struct baseline_series *name)
{
    return bsearch(name, baseline->series, baseline->count, sizeof *baseline->series, baseline_name_order);
}

static void add(struct baseline_diff *diff, struct baseline_change change)
{
    diff->changes[diff->count++] = change;
    diff->by[change.became]++;
    diff->other_bits += change.became == BECAME_SAME && change.other_bits;
    diff->unlike += change.unlike;
}

void baseline_compare(const struct baseline *baseline, const struct results *results, struct baseline_diff *diff)
{
    FREED_BY(baseline_names_free) struct names names = baseline_names_of(results);
    OWNED bool *found = memory_cleared(baseline->count + 1, sizeof *found);
    *diff = (struct baseline_diff){
        .changes = memory_cleared(baseline->count + results->series_count + 1, sizeof *diff->changes),
    };
    for (size_t i = 0; i < names.count; i++) {
        struct baseline_change change = {
            .became = BECAME_NEW, .series = names.list[i].series, .before = line_of(baseline, &names.list[i].name)};
        if (change.before) {
            judge(baseline, results, &change);
            found[change.before - baseline->series] = true;
        }
        add(diff, change);
    }
    for (size_t i = 0; i < baseline->count; i++)
        if (!found[i])
            add(diff, (struct baseline_change){.became = BECAME_MISSING, .before = &baseline->series[i]});
}

void baseline_diff_free(struct baseline_diff *diff)
{
    free(diff->changes);
    *diff = (struct baseline_diff){0};
}

char *baseline_diff_sentence(const struct baseline_diff *diff)
{
    static const enum became order[BECAMES] = {BECAME_WORSE, BECAME_MISSING, BECAME_NOT_COMPARABLE,
                                               BECAME_NEW,   BECAME_BETTER,  BECAME_SAME};
    struct text text = {0};
    const char *separator = ": ";
    text_append(&text, "%zu series", diff->count);
    for (size_t i = 0; i < BECAMES; i++)
        if (diff->by[order[i]] > 0) {
            text_append(&text, "%s%zu %s", separator, diff->by[order[i]], became_words[order[i]]);
            separator = ", ";
        }
    if (diff->other_bits > 0)
        text_append(&text, " (%zu of them with other bits)", diff->other_bits);
    return text_take(&text);
}

/* ---- replacing it ---- */

static enum status refuse_in_ci(const char *path)
{
    const char *ci = getenv("CI");
    if (!ci || (strcasecmp(ci, "true") != 0 && strcmp(ci, "1") != 0))
        return OK;
    return bad_input("%s: CI=%s is set; expected a person who looks at what changed, since a gate that moves its own "
                     "limits holds nothing; update it on your own machine and commit the file",
                     path, ci);
}

/* "main.json: worse: kahan/serial uniform:n=1024 120x256 replay: ulp_error max 0.50 then, 12.3 now" */
static void tell(const struct baseline *baseline, const struct baseline_change *change)
{
    const struct judgement *judged = &change->judged;
    OWNED char *name = baseline_name(change->before);
    struct text text = {0};
    if (*judged->why)
        text_append(&text, ": %s", judged->why);
    if (judged->decided)
        text_append(&text, ": %s%s %s then, %s now", judged->decided >= BY_MAX ? "ulp_error " : "",
                    decider_words[judged->decided], error_text(judged->then), error_text(judged->now));
    OWNED char *said = text_take(&text);
    complain("%s: %s: %s%s", baseline->path, became_words[change->became], name, said);
}

/* What is of another study may be worse: another seed must not be a way around. */
static enum status refuse_harm(const struct baseline *baseline, const struct baseline_diff *diff)
{
    const size_t worse = diff->by[BECAME_WORSE], missing = diff->by[BECAME_MISSING];
    size_t told = 0;
    if (worse + missing + diff->unlike == 0)
        return OK;
    for (size_t i = 0; i < diff->count && told < TOLD_MOST; i++) {
        const struct baseline_change *change = &diff->changes[i];
        if (change->became != BECAME_WORSE && change->became != BECAME_MISSING && !change->unlike)
            continue;
        tell(baseline, change);
        told++;
    }
    return bad_input("%s: %zu series worse, %zu missing, %zu of another study or device; expected none; the file is as "
                     "it was; mend what got worse, or give --accept-worse if it is meant, and say why in the commit",
                     baseline->path, worse, missing, diff->unlike);
}

enum status baseline_update(const struct baseline *baseline, const struct results *results, bool accept_worse,
                            struct baseline_diff *diff)
{
    FREED_BY(baseline_free) struct baseline now = {0};
    TRY(refuse_in_ci(baseline->path));
    baseline_compare(baseline, results, diff);
    if (!accept_worse)
        TRY(refuse_harm(baseline, diff));
    TRY(baseline_of(results, &now));
    claim_end_reading("baseline", baseline->path);
    return baseline_write(&now, baseline->path);
}
