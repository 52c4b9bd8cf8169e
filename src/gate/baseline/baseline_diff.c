#include "baseline.h"

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

/* What has no line may have another one's; else it is new. */
static void judge_new(const struct baseline *baseline, const struct results *results, struct baseline_change *change)
{
    char why[REASON_SIZE];
    change->before = baseline_counterpart(baseline, results, change->series, why);
    if (!change->before)
        return;
    change->became = BECAME_NOT_COMPARABLE;
    change->unlike = true;
    change->judged.then = change->before->values[METRIC_ulp_error][GATE_MAX];
    memcpy(change->judged.why, why, sizeof why);
}

/* Of a series that one of them lacks. */
static struct judgement lone(double then, double now)
{
    return (struct judgement){.then = then, .now = now, .factor = NAN};
}

/* The line of a name; NULL: none. */
static const struct baseline_series *line_of(const struct baseline *baseline, const struct baseline_series *name)
{
    return bsearch(name, baseline->series, baseline->count, sizeof *baseline->series, baseline_name_order);
}

static void compare_series(const struct baseline *baseline, const struct results *results, const struct names *names,
                           bool *found, struct baseline_diff *diff)
{
    for (size_t i = 0; i < names->count; i++) {
        struct baseline_change *change = &diff->changes[diff->count++];
        const struct series *series = names->list[i].series;
        *change = (struct baseline_change){
            .became = BECAME_NEW,
            .series = series,
            .before = line_of(baseline, &names->list[i].name),
            .judged = lone(NAN, series->statistics[METRIC_ulp_error].max),
        };
        if (change->before)
            judge(baseline, results, change);
        else
            judge_new(baseline, results, change);
        if (change->before)
            found[change->before - baseline->series] = true;
    }
}

static void add_missing(const struct baseline *baseline, const bool *found, struct baseline_diff *diff)
{
    for (size_t i = 0; i < baseline->count; i++) {
        const struct baseline_series *before = &baseline->series[i];
        if (!found[i])
            diff->changes[diff->count++] =
                (struct baseline_change){.became = BECAME_MISSING,
                                         .before = before,
                                         .judged = lone(before->values[METRIC_ulp_error][GATE_MAX], NAN)};
    }
}

/* Of two that are worse, the one by more; of two that are better, the one by less. */
static double harm_of(const struct baseline_change *change)
{
    if (change->became != BECAME_WORSE && change->became != BECAME_BETTER)
        return change->other_bits;
    if (isnan(change->judged.factor))
        return change->became == BECAME_WORSE ? INFINITY : 0;
    return change->judged.factor;
}

/* Then as they were made: by name. */
struct ranked {
    struct baseline_change change;
    size_t place;
};

static int by_harm(const void *left, const void *right)
{
    static const int ranks[BECAMES] = {[BECAME_WORSE] = 0, [BECAME_MISSING] = 1, [BECAME_NOT_COMPARABLE] = 2,
                                       [BECAME_NEW] = 3,   [BECAME_BETTER] = 4,  [BECAME_SAME] = 5};
    const struct ranked *a = left, *b = right;
    const double harm = harm_of(&b->change) - harm_of(&a->change);
    if (a->change.became != b->change.became)
        return ranks[a->change.became] - ranks[b->change.became];
    if (harm != 0 && !isnan(harm))
        return harm > 0 ? 1 : -1;
    return (a->place > b->place) - (a->place < b->place);
}

static void sort_by_harm(struct baseline_diff *diff)
{
    OWNED struct ranked *ranked = memory_cleared(diff->count + 1, sizeof *ranked);
    for (size_t i = 0; i < diff->count; i++)
        ranked[i] = (struct ranked){diff->changes[i], i};
    qsort(ranked, diff->count, sizeof *ranked, by_harm);
    for (size_t i = 0; i < diff->count; i++)
        diff->changes[i] = ranked[i].change;
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

void baseline_compare(const struct baseline *baseline, const struct results *results, struct baseline_diff *diff)
{
    FREED_BY(baseline_names_free) struct names names = baseline_names_of(results);
    OWNED bool *found = memory_cleared(baseline->count + 1, sizeof *found);
    *diff = (struct baseline_diff){
        .changes = memory_cleared(baseline->count + results->series_count + 1, sizeof *diff->changes),
    };
    compare_series(baseline, results, &names, found, diff);
    add_missing(baseline, found, diff);
    count(diff);
    sort_by_harm(diff);
}

void baseline_diff_free(struct baseline_diff *diff)
{
    free(diff->changes);
    *diff = (struct baseline_diff){0};
}
