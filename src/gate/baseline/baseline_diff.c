#include "baseline.h"

#include "baseline_name.h"
#include "src/gate/limits/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const became_words[BECAMES] = {
    [BECAME_SAME] = "same", [BECAME_BETTER] = "better",   [BECAME_WORSE] = "worse",
    [BECAME_NEW] = "new",   [BECAME_MISSING] = "missing", [BECAME_UNSTABLE] = "unstable",
};

/* ---- one series ---- */

static double factor_of(double then, double now)
{
    return then == now || (isnan(then) && isnan(now)) ? 1 : now / then;
}

static void set_values(struct baseline_change *change, const char *decided, double then, double now)
{
    change->decided = decided;
    change->then = then;
    change->now = now;
    change->factor = factor_of(then, now);
}

/* The first of these that differs decides: sums that are no number at all come before errors, and the largest error
 * before those that more of the sums have. */
static void judge_errors(struct baseline_change *change)
{
    const double *then = change->before->values[METRIC_ulp_error];
    const struct statistics *now = &change->series->statistics[METRIC_ulp_error];
    const struct {
        const char *name;
        double then, now;
    } values[] = {
        {"nonfinite", (double)change->before->nonfinite, (double)wrong_nonfinite(change->series)},
        {"ulp_error max", then[GATE_MAX], now->max},
        {"ulp_error p99", then[GATE_P99], now->p99},
        {"ulp_error p50", then[GATE_P50], now->p50},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const int order = error_order(values[i].now, values[i].then);
        if (order == 0)
            continue;
        set_values(change, values[i].name, values[i].then, values[i].now);
        change->became = order > 0 ? BECAME_WORSE : BECAME_BETTER;
        return;
    }
}

/* A kernel whose order is fixed, and which gives several results for one data set, has a fault. */
static bool has_lost_its_bits(const struct results *results, const struct baseline_change *change)
{
    return !change->before->unstable && !baseline_is_unstable(results, change->series) &&
           change->series->distinct_bits > 1;
}

static enum status judge(const struct baseline *baseline, const struct results *results, struct baseline_change *change)
{
    const struct series *series = change->series;
    const struct baseline_series *before = change->before;
    char why[REASON_SIZE];
    change->other_bits = strcmp(series->bits_hash, before->bits) != 0;
    set_values(change, NULL, before->values[METRIC_ulp_error][GATE_MAX], series->statistics[METRIC_ulp_error].max);
    change->unlike = baseline_likeness(baseline, before, results, series, why) != LIKE;
    if (!change->unlike && has_lost_its_bits(results, change)) {
        set_values(change, "results", 1, (double)series->distinct_bits);
        change->became = BECAME_WORSE;
        return OK;
    }
    if (change->unlike || before->unstable || baseline_is_unstable(results, series)) {
        change->became = BECAME_UNSTABLE;
        change->why = strdup(change->unlike ? why : "its bits change from run to run");
        return change->why ? OK : out_of_memory("the comparison");
    }
    if (change->other_bits)
        judge_errors(change);
    return OK;
}

/* ---- all series ---- */

/* The line of a name; NULL: none. */
static const struct baseline_series *line_of(const struct baseline *baseline, const struct baseline_series *name)
{
    return bsearch(name, baseline->series, baseline->count, sizeof *baseline->series, baseline_name_order);
}

static enum status compare_series(const struct baseline *baseline, const struct results *results,
                                  const struct names *names, bool *found, struct baseline_diff *diff)
{
    for (size_t i = 0; i < names->count; i++) {
        struct baseline_change *change = &diff->changes[diff->count++];
        *change = (struct baseline_change){.series = names->list[i].series,
                                           .before = line_of(baseline, &names->list[i].name)};
        set_values(change, NULL, NAN, change->series->statistics[METRIC_ulp_error].max);
        change->became = change->before ? BECAME_SAME : BECAME_NEW;
        if (!change->before)
            continue;
        found[change->before - baseline->series] = true;
        TRY(judge(baseline, results, change));
    }
    return OK;
}

static void add_missing(const struct baseline *baseline, const bool *found, struct baseline_diff *diff)
{
    for (size_t i = 0; i < baseline->count; i++) {
        const struct baseline_series *before = &baseline->series[i];
        if (found[i])
            continue;
        struct baseline_change *change = &diff->changes[diff->count++];
        *change = (struct baseline_change){.became = BECAME_MISSING, .before = before};
        set_values(change, NULL, before->values[METRIC_ulp_error][GATE_MAX], NAN);
    }
}

/* ---- the worst first ---- */

/* Of two that are worse, the one by more; of two that are better, the one by less. */
static double harm_of(const struct baseline_change *change)
{
    if (change->became != BECAME_WORSE && change->became != BECAME_BETTER)
        return change->other_bits;
    if (isnan(change->factor))
        return change->became == BECAME_WORSE ? INFINITY : 0;
    return change->factor;
}

/* Then as they were made: by name. */
struct ranked {
    struct baseline_change change;
    size_t place;
};

static int by_harm(const void *left, const void *right)
{
    static const int ranks[BECAMES] = {[BECAME_WORSE] = 0, [BECAME_MISSING] = 1, [BECAME_UNSTABLE] = 2,
                                       [BECAME_NEW] = 3,   [BECAME_BETTER] = 4,  [BECAME_SAME] = 5};
    const struct ranked *a = left, *b = right;
    const double harm = harm_of(&b->change) - harm_of(&a->change);
    if (a->change.became != b->change.became)
        return ranks[a->change.became] - ranks[b->change.became];
    if (harm != 0 && !isnan(harm))
        return harm > 0 ? 1 : -1;
    return (a->place > b->place) - (a->place < b->place);
}

static enum status sort_by_harm(struct baseline_diff *diff)
{
    struct ranked *ranked = calloc(diff->count + 1, sizeof *ranked);
    if (!ranked)
        return out_of_memory("the comparison");
    for (size_t i = 0; i < diff->count; i++)
        ranked[i] = (struct ranked){diff->changes[i], i};
    qsort(ranked, diff->count, sizeof *ranked, by_harm);
    for (size_t i = 0; i < diff->count; i++)
        diff->changes[i] = ranked[i].change;
    free(ranked);
    return OK;
}

static void count(struct baseline_diff *diff)
{
    for (size_t i = 0; i < diff->count; i++) {
        const struct baseline_change *change = &diff->changes[i];
        diff->by[change->became]++;
        diff->other_bits += change->became == BECAME_SAME && change->other_bits;
        diff->unlike += change->unlike;
    }
}

/* ---- the whole ---- */

enum status baseline_compare(const struct baseline *baseline, const struct results *results, struct baseline_diff *diff)
{
    enum status status;
    struct names names = {0};
    bool *found = calloc(baseline->count + 1, sizeof *found);
    *diff = (struct baseline_diff){
        .changes = calloc(baseline->count + results->series_count + 1, sizeof *diff->changes),
    };
    if (!found || !diff->changes)
        TRY_DONE(out_of_memory("the comparison"));
    TRY_DONE(baseline_names_of(results, &names));
    TRY_DONE(compare_series(baseline, results, &names, found, diff));
    add_missing(baseline, found, diff);
    count(diff);
    TRY_DONE(sort_by_harm(diff));
done:
    baseline_names_free(&names);
    free(found);
    return status;
}

void baseline_diff_free(struct baseline_diff *diff)
{
    for (size_t i = 0; i < diff->count; i++)
        free(diff->changes[i].why);
    free(diff->changes);
    *diff = (struct baseline_diff){0};
}
