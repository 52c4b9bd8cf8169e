/* Series by series, those of one data spec together, because they share the data:
 *
 *   1. the method itself (stages.c), on all data sets.  Where it gives all bits, it may have a fault itself
 *      (elements.h), since who made the run often checks it; else the limit is too tight, or the method is
 *      no longer that of the baseline
 *   2. what is near it (stages.c, hypothesis.h), on one data set, one more, two, four ...: first on those on
 *      which the method itself differs, so that what is wrong goes at once and 60 hypotheses cost hardly more than
 *      60 sums
 *   3. where none is left (stages.c): elements that are searched for (search.c), and all other methods
 *
 * A series has a share of a fixed number of additions, by the numbers that it adds.  What goes beyond it is left out
 * and said, so that the answer depends neither on the machine's speed nor on its threads.
 */
#include "suspect.h"

#include "stages.h"

/* A probe takes a plug-in's time, some thousand sums. */
enum { TREES_MOST = 3 };

struct diagnosis {
    const struct results *results;
    uint64_t additions;
    struct run_rows rows;
    struct suspect *suspects; /* in the order of the series */
    size_t count;
    const bool *has_changed; /* each series; it fails for what the baseline has */
    struct means means;
};

/* Rows are in the order of the data sets. */
static enum status lay_out(const struct diagnosis *diagnosis, const struct group *group, struct suspect *suspect)
{
    const size_t first = (size_t)(group->data - diagnosis->rows.data);
    suspect->first_row = calloc(group->data_count + 1, sizeof *suspect->first_row);
    suspect->sound_sums = calloc(group->data_count + 1, sizeof *suspect->sound_sums);
    suspect->differs = calloc(group->data_count + 1, sizeof *suspect->differs);
    suspect->order = calloc(group->data_count + 1, sizeof *suspect->order);
    TRY(suspect->first_row && suspect->sound_sums && suspect->differs && suspect->order ? OK
                                                                                        : out_of_memory("a diagnosis"));
    for (size_t d = 0; d <= group->data_count; d++)
        suspect->first_row[d] = run_rows_first(suspect->rows, first + d);
    return OK;
}

static void settle_all(struct group *group, const char *why)
{
    for (size_t s = 0; s < group->suspect_count; s++)
        if (!group->suspects[s].cause)
            settle_undiagnosed(&group->suspects[s], why);
}

/* Some of it may be settled already. */
static enum status diagnose_group(struct diagnosis *diagnosis, struct group *group)
{
    char why[WHY_SIZE] = "";
    const struct series_rows *rows = group->suspects->rows;
    const struct study_record *study = &diagnosis->results->study;
    for (size_t s = 0; s < group->suspect_count; s++)
        TRY(lay_out(diagnosis, group, &group->suspects[s]));
    enum status status = again_open(study, rows->entry, rows->spec, &group->again, why);
    if (status == OK)
        status = stage_sound(&diagnosis->means, group, why);
    if (status == BAD_INPUT) {
        settle_all(group, why);
        status = OK;
    }
    if (status == OK)
        status = stage_nearby(&diagnosis->means, group);
    if (status == OK)
        status = stage_distant(&diagnosis->means, group);
    again_free(&group->again);
    return status;
}

/* Why a series cannot be diagnosed at all; NULL: it can. */
static const char *obstacle_of(const struct suspect *suspect, enum operation operation)
{
    char why[REASON_SIZE];
    const struct method *method = suspect->claimed.method;
    if (suspect->rows->count == 0)
        return "the run has kept no sums";
    if (method && !is_statistic(method->operation) && !is_scan(method->operation) &&
        method->operation != (suspect->claimed.black_box ? operation : OPERATION_sum))
        return "faults are known of sums, and of the dot products of black boxes; "
               "`ulpscope grade --arithmetic` finds what a matrix product was computed in";
    if (!method || !method_can_do(method, suspect->claimed.launch, why))
        return suspect->claimed.black_box ? "a black box, whose format this program does not have"
                                          : "this program does not have the method";
    if (!suspect->claimed.black_box && backend_table[suspect->rows->backend].runs_kernels &&
        method->determinism != DETERMINISTIC)
        return "its order is that of arrival, and its bits may be other ones each time";
    return NULL;
}

/* No process for each sum. */
static bool is_quick(const char *plugin_flag)
{
    return strcmp(plugin_flag, "pipe") != 0;
}

/* A black box, which need not be there, may be anything; plain additions stand in for it. */
static struct claimed_method claimed_by(const struct study_record *study, const struct series *series, size_t method)
{
    const struct sum_format *in = sum_format_of_method(series->method);
    const struct method_record *record = &study->methods[method];
    const struct method *found = method_find(series->method);
    const char *const plain = series->operation == OPERATION_dot       ? "dot:plain/serial"
                              : series->operation == OPERATION_scan    ? "scan:plain/serial"
                              : series->operation == OPERATION_rolling ? "rolling:plain/add_subtract"
                                                                       : "plain/serial";
    const struct method *stand_in = method_find(plain);
    for (int o = VECTOR_OPERATIONS - 1; is_statistic(series->operation) && o >= FIRST_STATISTIC; o--)
        if (operation_table[o].of == operation_table[series->operation].of) /* the first of its algorithms */
            stand_in = method_of_operation(method_find("plain/serial"), (enum operation)o);
    if (!record->is_black_box)
        return (struct claimed_method){.method = found, .launch = series->launch};
    return (struct claimed_method){.method = in && stand_in ? method_in(stand_in, in) : NULL,
                                   .launch = series->launch,
                                   .black_box = series->method,
                                   .is_there = found && found->ask && found->operation <= OPERATION_dot &&
                                               is_quick(record->plugin_flag)};
}

static void name_suspect(struct diagnosis *diagnosis, size_t index)
{
    const struct results *results = diagnosis->results;
    const struct series *series = &results->series[index];
    const struct series_rows *rows = &diagnosis->rows.series[index];
    const struct claimed_method claimed = claimed_by(&results->study, series, rows->method);
    struct suspect *suspect = &diagnosis->suspects[diagnosis->count++];
    *suspect = (struct suspect){
        .series = index,
        .n = series->n > 0 ? series->n : 1,
        .claimed = claimed,
        .breaks_theorem = series->statistics[METRIC_bound_ratio].max > 1 || wrong_nonfinite(series) > 0,
        .has_changed = diagnosis->has_changed && diagnosis->has_changed[index],
        .rows = rows,
        .sound = {.kind = THE_METHOD, .method = claimed.method, .launch = claimed.launch},
    };
    const char *obstacle = obstacle_of(suspect, series->operation);
    if (obstacle)
        settle_undiagnosed(suspect, obstacle);
}

/* What a series needs to be compared with everything: each hypothesis once, and the few that are left on all data. */
static uint64_t additions_needed(const struct suspect *suspect)
{
    enum { HYPOTHESES_MOST = 1 << 14, LEFT_MOST = 16 };
    return suspect->n * (HYPOTHESES_MOST + LEFT_MOST * suspect->rows->count);
}

static int by_need(const void *left, const void *right)
{
    const struct suspect *const *a = left, *const *b = right;
    const uint64_t of_a = additions_needed(*a), of_b = additions_needed(*b);
    return of_a != of_b ? (of_a > of_b) - (of_a < of_b) : (*a > *b) - (*a < *b);
}

/* Those of the fewest numbers first have what they need, or an equal share of what is left: however long another series
 * is, it takes nothing away from them. */
static void share_budget(struct diagnosis *diagnosis)
{
    OWNED struct suspect **list = memory_cleared(diagnosis->count + 1, sizeof *list);
    uint64_t left = diagnosis->additions;
    for (size_t i = 0; i < diagnosis->count; i++)
        list[i] = &diagnosis->suspects[i];
    qsort(list, diagnosis->count, sizeof(struct suspect *), by_need);
    for (size_t i = 0; i < diagnosis->count; i++) {
        const uint64_t share = left / (diagnosis->count - i), needed = additions_needed(list[i]);
        list[i]->budget = i + 1 < diagnosis->count && needed < share ? needed : share;
        left -= list[i]->budget;
    }
}

static bool same_spec(const struct suspect *a, const struct suspect *b)
{
    return a->rows->entry == b->rows->entry && a->rows->spec == b->rows->spec;
}

/* The suspects of one spec, from the first of them on. */
static struct group group_at(const struct diagnosis *diagnosis, size_t first)
{
    const struct suspect *suspect = &diagnosis->suspects[first];
    struct group group = {.suspects = diagnosis->suspects + first};
    while (first + group.suspect_count < diagnosis->count &&
           same_spec(suspect, &diagnosis->suspects[first + group.suspect_count]))
        group.suspect_count++;
    group.data = run_rows_data(&diagnosis->rows, suspect->rows, &group.data_count);
    return group;
}

static enum status diagnose_all(struct diagnosis *diagnosis, const bool *wanted)
{
    for (size_t i = 0; i < diagnosis->rows.series_count; i++)
        if (wanted[i])
            name_suspect(diagnosis, i);
    share_budget(diagnosis);
    if (diagnosis->count > 0)
        TRY(probes_make(&diagnosis->means.probes));
    for (size_t first = 0; first < diagnosis->count;) {
        struct group group = group_at(diagnosis, first);
        if (group.data_count > 0)
            TRY(diagnose_group(diagnosis, &group));
        first += group.suspect_count;
    }
    return OK;
}

enum status diagnose_series(const struct wanted_series *wanted, const struct results *results, uint64_t additions,
                            unsigned workers, suspect_visitor *tell, void *context)
{
    struct diagnosis diagnosis = {.results = results,
                                  .additions = additions,
                                  .has_changed = wanted->has_changed,
                                  .means = {.workers = workers, .trees_left = TREES_MOST}};
    diagnosis.suspects = memory_cleared(results->series_count + 1, sizeof *diagnosis.suspects);
    enum status status = run_rows_read(results, wanted->list, &diagnosis.rows);
    if (status == OK)
        status = diagnose_all(&diagnosis, wanted->list);
    for (size_t i = 0; i < diagnosis.count; i++) {
        if (status == OK)
            tell(context, &diagnosis.suspects[i]);
        suspect_free(&diagnosis.suspects[i]);
    }
    probes_free(&diagnosis.means.probes);
    run_rows_free(&diagnosis.rows);
    free(diagnosis.suspects);
    return status;
}
