/* Series by series, those of one data spec together, because they share the data:
 *
 *   1. the method itself, on all data sets.  Where it gives all bits, it may have a fault itself (elements.h, probe.h),
 * since who made the run often checks it; else the limit is too tight, or the method is no longer that of the baseline
 *   2. what is near it (hypothesis.h), on one data set, one more, two, four ...: first on those on which the method
 *      itself differs, so that what is wrong goes at once and 60 hypotheses cost hardly more than 60 sums
 *   3. where none is left: elements that are searched for (search.h), and all other methods
 *
 * A series has a share of a fixed number of additions, by the numbers that it adds.  What goes beyond it is left out
 * and said, so that the answer depends neither on the machine's speed nor on its threads.
 */
#include "series_diagnosis.h"

#include "elements.h"
#include "elimination.h"
#include "probe.h"
#include "round.h"
#include "search.h"
#include "src/base/format.h"
#include "src/base/memory.h"
#include "src/base/number.h"
#include "src/gate/fault_tools.h"
#include "src/gate/parallel.h"
#include "suspect.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t NUMBERS_TO_SEARCH = UINT64_C(1) << 24; /* in all samples of a series */

enum { SAMPLES = 16 }; /* data sets to search for elements in */

struct diagnosis {
    const struct results *results;
    uint64_t additions;
    unsigned workers;
    struct run_rows rows;
    struct suspect *suspects; /* in the order of the series */
    size_t count;
    const bool *has_changed; /* each series; it fails for what the baseline has */
    struct probes probes;
    uint64_t *trees_left; /* so many more plug-ins may be asked for their tree */
};

/* ---- 1. the method itself ---- */

/* Half of the budget is for what follows. */
static enum status plan_sound(struct group *group, struct round *round)
{
    for (size_t s = 0; s < group->suspect_count; s++) {
        struct suspect *suspect = &group->suspects[s];
        if (suspect->cause)
            continue;
        const uint64_t affordable = suspect->budget / 2 / suspect->n;
        suspect->taken = group->data_count < affordable ? group->data_count : (size_t)affordable;
        suspect->budget -= suspect->taken * suspect->n;
        if (suspect->taken == 0)
            settle_undiagnosed(suspect, "its sums are too long to be made again");
        for (size_t d = 0; d < suspect->taken; d++)
            TRY(round_add(round, suspect, &suspect->sound, d));
    }
    return OK;
}

static bool differs_on(const struct suspect *suspect, size_t data)
{
    for (size_t r = suspect->first_row[data]; r < suspect->first_row[data + 1]; r++)
        if (!format_same(suspect->claimed.method->format, suspect->rows->rows[r].bits, suspect->sound_sums[data]))
            return true;
    return false;
}

static void order_data(struct suspect *suspect)
{
    size_t next = 0;
    for (size_t d = 0; d < suspect->taken; d++)
        if (differs_on(suspect, d))
            suspect->order[next++] = d;
    suspect->differing = next;
    for (size_t d = 0; d < suspect->taken; d++)
        if (!differs_on(suspect, d))
            suspect->order[next++] = d;
}

static enum status compare_sound(const struct diagnosis *diagnosis, struct group *group, char why[WHY_SIZE])
{
    struct round round = {.group = group, .workers = diagnosis->workers, .verifies = true};
    enum status status = plan_sound(group, &round);
    if (status == OK)
        status = round_run(&round, why);
    for (size_t j = 0; j < round.count && status == OK; j++) {
        struct suspect *suspect = round.jobs[j].suspect;
        suspect->sound_sums[round.jobs[j].data] = round.jobs[j].bits;
        suspect_compare(suspect, &suspect->sound, round.jobs[j].data, round.jobs[j].bits);
    }
    for (size_t s = 0; s < group->suspect_count && status == OK; s++)
        order_data(&group->suspects[s]);
    round_free(&round);
    return status;
}

/* ---- 2. what is near it ---- */

static struct hypotheses *nearby_of(struct suspect *suspect)
{
    return &suspect->nearby;
}

/* Faults that this program's own method has.  A theorem is broken by a fault alone: then others are compared with it,
 * which do not share its code. */
static enum status name_own(const struct diagnosis *diagnosis, struct suspect *suspect)
{
    enum status status;
    struct elements elements;
    TRY_DONE(elements_ask(suspect->claimed, suspect->n, &elements));
    const struct hypothesis *first = elements.explaining.list;
    const bool is_of_table = first && first->kind == FAULT_OF_TABLE;
    if (!elements.are_right && is_of_table)
        settle_as_own(suspect, first, elements.explaining.count - 1);
    else
        TRY_DONE(probes_accuse(&diagnosis->probes, suspect->claimed, &elements, &suspect->nearby));
    if (!suspect->cause && !elements.are_right && first && suspect->nearby.count == 0)
        settle_as_own(suspect, first, 0);
    if (!suspect->cause && suspect->breaks_theorem && suspect->nearby.count == 0)
        TRY_DONE(hypotheses_in_order(suspect->claimed, &suspect->nearby));
done:
    elements_free(&elements);
    return status;
}

static enum status name_nearby(const struct diagnosis *diagnosis, struct suspect *suspect)
{
    if (suspect->cause)
        return OK;
    if (suspect->claimed.black_box)
        return hypotheses_of_black_box(suspect->claimed, suspect->n, &suspect->nearby);
    return hypothesis_fits(&suspect->sound) ? name_own(diagnosis, suspect)
                                            : hypotheses_near(suspect->claimed, &suspect->nearby);
}

/* Where another method fits, a fault that only some accumulators can have is another word for it: the compensation that
 * is skipped.  A fault that everyone can have, an element that is lost, is something else. */
static bool is_another_word(const struct hypothesis *method, const struct hypothesis *fault)
{
    return method->kind == OTHER_METHOD && fault->kind == FAULT_OF_TABLE && !fault_is_from_outside(fault->fault);
}

/* Of a black box what fits beside it is another name where it is of the same kind: every fault that changes nothing
 * fits where a method does. */
static bool is_another_name(const struct suspect *suspect, const struct hypothesis *simplest,
                            const struct hypothesis *other)
{
    if (!suspect->claimed.black_box)
        return !is_another_word(simplest, other);
    return other->kind == simplest->kind && (other->method != simplest->method || other->fault != simplest->fault);
}

/* The simplest of those that fit all. */
static void settle_if_found(struct suspect *suspect, const struct hypotheses *hypotheses)
{
    const struct hypothesis *simplest = NULL;
    size_t others = 0;
    for (size_t i = 0; i < hypotheses->count; i++) {
        const struct hypothesis *hypothesis = &hypotheses->list[i];
        if (!hypothesis_fits(hypothesis))
            continue;
        if (!simplest)
            simplest = hypothesis;
        else
            others += is_another_name(suspect, simplest, hypothesis);
    }
    if (simplest)
        settle_as(suspect, simplest, others);
}

/* Of few data a fault from outside may leave nothing, which is the same of any: that is said in other words.  A sum
 * that is kept in few bits may stand still. */
static bool is_computed(const struct hypothesis *hypothesis)
{
    return hypothesis->kind != FAULT_OF_TABLE || !fault_is_from_outside(hypothesis->fault);
}

static bool fits_a_sum(const struct suspect *suspect)
{
    for (size_t i = 0; i < suspect->nearby.count; i++)
        if (is_computed(&suspect->nearby.list[i]) && hypothesis_fits(&suspect->nearby.list[i]))
            return true;
    return false;
}

/* One number for all data, though their sums differ. */
static bool is_constant(const struct group *group, const struct suspect *suspect)
{
    bool differ = false;
    for (size_t d = 1; d < group->data_count; d++)
        differ |= strcmp(group->data[d].exact, group->data[0].exact) != 0;
    for (size_t r = 1; r < suspect->rows->count; r++)
        if (suspect->rows->rows[r].bits != suspect->rows->rows[0].bits)
            return false;
    return differ;
}

static enum status compare_nearby(const struct diagnosis *diagnosis, struct group *group)
{
    for (size_t s = 0; s < group->suspect_count; s++)
        TRY(name_nearby(diagnosis, &group->suspects[s]));
    TRY(eliminate(group, nearby_of, diagnosis->workers));
    for (size_t s = 0; s < group->suspect_count; s++) {
        struct suspect *suspect = &group->suspects[s];
        const bool is_black_box = suspect->claimed.black_box != NULL;
        if (!suspect->cause && is_black_box && !fits_a_sum(suspect) && is_constant(group, suspect))
            settle_as_constant(suspect);
        if (!suspect->cause)
            settle_if_found(suspect, &suspect->nearby);
        if (!suspect->cause && !is_black_box && hypothesis_fits(&suspect->sound))
            settle_as_sound(suspect);
    }
    return OK;
}

/* ---- 3. what is far from it ---- */

static enum status search_samples(const struct group *group, struct suspect *suspect, struct sample *samples,
                                  struct dataset *data, size_t count)
{
    char why[WHY_SIZE];
    const struct format *format = suspect->claimed.method->format;
    for (size_t i = 0; i < count; i++) {
        const size_t d = suspect->order[i];
        const size_t row = suspect->first_row[d];
        TRY(again_make(&group->again, group->data[d].trial, &data[i], why));
        samples[i] = (struct sample){.data = &data[i],
                                     .computed = format_value(format, suspect->rows->rows[row].bits),
                                     .sound = format_value(format, suspect->sound_sums[d])};
        if (read_real(group->data[d].exact, &samples[i].s))
            return OK; /* no number */
    }
    suspect->searched = true;
    return search_changes(suspect->claimed, samples, count, suspect->n, &suspect->distant);
}

/* In one data set alone many elements are as large as any difference. */
static enum status search(void *context, size_t s)
{
    const struct group *group = context;
    struct suspect *suspect = &group->suspects[s];
    struct sample samples[SAMPLES] = {0};
    struct dataset data[SAMPLES] = {0};
    const uint64_t room = NUMBERS_TO_SEARCH / suspect->n;
    size_t count = suspect->differing < SAMPLES ? suspect->differing : SAMPLES;
    count = count < room ? count : (size_t)room;
    if (suspect->cause || count < 2)
        return OK;
    const enum status status = search_samples(group, suspect, samples, data, count);
    for (size_t i = 0; i < count; i++)
        dataset_free(&data[i]);
    return status;
}

/* What fits nearly all: the method itself, of equals; of a black box it is among the others. */
static const struct hypothesis *nearly_fitting(const struct suspect *suspect)
{
    const struct hypotheses one = {.list = (struct hypothesis *)&suspect->sound, .count = !suspect->claimed.black_box};
    const struct hypotheses *const lists[] = {&one, &suspect->nearby, &suspect->distant};
    const struct hypothesis *best = NULL;
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            const struct hypothesis *hypothesis = &lists[l]->list[i];
            const uint64_t misses = hypothesis->compared - hypothesis->fitting;
            if (hypothesis->compared >= LIKE_ONE_IN && misses * LIKE_ONE_IN <= hypothesis->compared &&
                (!best || hypothesis->fitting > best->fitting))
                best = hypothesis;
        }
    return best;
}

static void settle_at_last(struct suspect *suspect)
{
    settle_if_found(suspect, &suspect->distant);
    if (suspect->cause)
        return;
    const struct hypothesis *nearly = nearly_fitting(suspect);
    if (!nearly)
        settle_as_none(suspect);
    else if (nearly == &suspect->sound)
        settle_as_sound(suspect);
    else
        settle_as(suspect, nearly, 0);
}

/* A probe takes a plug-in's time, some thousand sums. */
enum { TREES_MOST = 3, TREE_MOST_N = 512 };

static enum status name_distant(const struct diagnosis *diagnosis, struct suspect *suspect)
{
    if (suspect->cause)
        return OK;
    if (!suspect->claimed.black_box)
        return hypotheses_far(suspect->claimed, &suspect->distant);
    TRY(hypotheses_far_from_black_box(suspect->claimed, &suspect->distant));
    if (suspect->n > TREE_MOST_N || *diagnosis->trees_left == 0)
        return OK;
    --*diagnosis->trees_left;
    return hypotheses_of_its_tree(suspect->claimed, suspect->n, &suspect->distant);
}

static struct hypotheses *distant_of(struct suspect *suspect)
{
    return &suspect->distant;
}

static enum status compare_distant(const struct diagnosis *diagnosis, struct group *group)
{
    TRY(parallel_each(diagnosis->workers, group->suspect_count, search, group));
    for (size_t s = 0; s < group->suspect_count; s++)
        TRY(name_distant(diagnosis, &group->suspects[s]));
    TRY(eliminate(group, distant_of, diagnosis->workers));
    for (size_t s = 0; s < group->suspect_count; s++)
        if (!group->suspects[s].cause)
            settle_at_last(&group->suspects[s]);
    return OK;
}

/* ---- a group ---- */

/* Rows are in the order of the data sets. */
static enum status lay_out(const struct diagnosis *diagnosis, const struct group *group, struct suspect *suspect)
{
    const size_t first = (size_t)(group->data - diagnosis->rows.data);
    suspect->first_row = calloc(group->data_count + 1, sizeof *suspect->first_row);
    suspect->sound_sums = calloc(group->data_count + 1, sizeof *suspect->sound_sums);
    suspect->order = calloc(group->data_count + 1, sizeof *suspect->order);
    if (!suspect->first_row || !suspect->sound_sums || !suspect->order)
        return out_of_memory("a diagnosis");
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
static enum status diagnose_group(const struct diagnosis *diagnosis, struct group *group)
{
    char why[WHY_SIZE] = "";
    const struct series_rows *rows = group->suspects->rows;
    const struct study_record *study = &diagnosis->results->study;
    for (size_t s = 0; s < group->suspect_count; s++)
        TRY(lay_out(diagnosis, group, &group->suspects[s]));
    enum status status = again_open(study, rows->entry, rows->spec, &group->again, why);
    if (status == OK)
        status = compare_sound(diagnosis, group, why);
    if (status == BAD_INPUT) {
        settle_all(group, why);
        status = OK;
    }
    if (status == OK)
        status = compare_nearby(diagnosis, group);
    if (status == OK)
        status = compare_distant(diagnosis, group);
    again_free(&group->again);
    return status;
}

/* ---- all series ---- */

/* Why a series cannot be diagnosed at all; NULL: it can. */
static const char *obstacle_of(const struct suspect *suspect)
{
    char why[REASON_SIZE];
    const struct method *method = suspect->claimed.method;
    if (suspect->rows->count == 0)
        return "the run has kept no sums";
    if (!method || !method_can_do(method, suspect->claimed.launch, why))
        return suspect->claimed.black_box ? "a black box, whose format this program does not have"
                                          : "this program does not have the method";
    if (!suspect->claimed.black_box && backend_table[suspect->rows->backend].runs_kernels &&
        method->determinism != DETERMINISTIC)
        return "its order is that of arrival, and its bits may be other ones each time";
    return NULL;
}

/* Not results that were computed elsewhere, nor a process for each sum. */
static bool is_quick(const char *plugin_flag)
{
    return strcmp(plugin_flag, "results") != 0 && strcmp(plugin_flag, "pipe") != 0;
}

/* A black box, which need not be there, may be anything; plain additions stand in for it. */
static struct claimed_method claimed_by(const struct study_record *study, const struct series *series, size_t method)
{
    const struct sum_format *in = sum_format_of_method(series->method);
    const struct method_record *record = &study->methods[method];
    const struct method *found = method_find(series->method);
    if (!record->is_black_box)
        return (struct claimed_method){.method = found, .launch = series->launch};
    return (struct claimed_method){.method = in ? method_in(method_find("plain/serial"), in) : NULL,
                                   .launch = series->launch,
                                   .black_box = series->method,
                                   .is_there = found && found->ask && is_quick(record->plugin_flag)};
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
        .breaks_theorem = series->statistics[METRIC_bound_ratio].max > 1 ||
                          (wrong_nonfinite(series) > 0 && !all_out_of_range(series)),
        .is_out_of_range = all_out_of_range(series),
        .has_changed = diagnosis->has_changed && diagnosis->has_changed[index],
        .rows = rows,
        .sound = {.kind = THE_METHOD, .method = claimed.method, .launch = claimed.launch},
    };
    const char *obstacle = obstacle_of(suspect);
    if (obstacle)
        settle_undiagnosed(suspect, obstacle);
}

/* A quarter in equal shares, so that short sums are compared with everything; the rest by the numbers of each. */
static void share_budget(struct diagnosis *diagnosis)
{
    const double all = (double)diagnosis->additions;
    double numbers = 0;
    for (size_t i = 0; i < diagnosis->count; i++)
        numbers += (double)diagnosis->suspects[i].n * (double)diagnosis->suspects[i].rows->count;
    for (size_t i = 0; i < diagnosis->count; i++) {
        struct suspect *suspect = &diagnosis->suspects[i];
        const double own = (double)suspect->n * (double)suspect->rows->count;
        suspect->budget = (uint64_t)(all / 4 / (double)diagnosis->count + all * 3 / 4 * (own / numbers));
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
        TRY(probes_make(&diagnosis->probes));
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
    uint64_t trees_left = TREES_MOST;
    struct diagnosis diagnosis = {.results = results,
                                  .additions = additions,
                                  .workers = workers,
                                  .has_changed = wanted->has_changed,
                                  .trees_left = &trees_left};
    diagnosis.suspects = memory_cleared(results->series_count + 1, sizeof *diagnosis.suspects);
    enum status status = run_rows_read(results, wanted->list, &diagnosis.rows);
    if (status == OK)
        status = diagnose_all(&diagnosis, wanted->list);
    for (size_t i = 0; i < diagnosis.count; i++) {
        if (status == OK)
            tell(context, &diagnosis.suspects[i]);
        suspect_free(&diagnosis.suspects[i]);
    }
    probes_free(&diagnosis.probes);
    run_rows_free(&diagnosis.rows);
    free(diagnosis.suspects);
    return status;
}
