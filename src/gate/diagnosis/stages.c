/* The stages of a diagnosis: what the method itself gives; what is near it; what is far from it. */
#include "stages.h"

#include "kernels/statistic.h"
#include "src/gate/parallel.h"

/* ---- the method itself, on all data sets that its budget has room for ---- */

/* Elements of a matrix product are data sets of their own, which others of its methods have not. */
static bool has_rows(const struct suspect *suspect, size_t data)
{
    return suspect->first_row[data] < suspect->first_row[data + 1];
}

/* Half of the budget is for what follows. */
static enum status plan_sound(struct group *group, struct round *round)
{
    for (size_t s = 0; s < group->suspect_count; s++) {
        struct suspect *suspect = &group->suspects[s];
        if (suspect->cause)
            continue;
        const uint64_t affordable = suspect->budget / 2 / suspect->n;
        for (size_t d = 0; d < group->data_count && suspect->taken < affordable; d++)
            if (has_rows(suspect, d)) {
                suspect->order[suspect->taken++] = d;
                TRY(round_add(round, suspect, &suspect->sound, d));
            }
        suspect->budget -= suspect->taken * suspect->n;
        if (suspect->taken == 0)
            settle_undiagnosed(suspect, "its sums are too long to be made again");
    }
    return OK;
}

/* Moves those on which it differs to the front; both keep their order. */
static enum status order_data(struct suspect *suspect)
{
    OWNED size_t *sound = malloc((suspect->taken + 1) * sizeof *sound);
    size_t next = 0, others = 0;
    TRY(sound ? OK : out_of_memory("a diagnosis"));
    for (size_t i = 0; i < suspect->taken; i++)
        if (suspect->differs[suspect->order[i]])
            suspect->order[next++] = suspect->order[i];
        else
            sound[others++] = suspect->order[i];
    suspect->differing = next;
    for (size_t i = 0; i < others; i++)
        suspect->order[next++] = sound[i];
    return OK;
}

enum status stage_sound(const struct means *means, struct group *group, char why[WHY_SIZE])
{
    FREED_BY(round_free) struct round round = {.group = group, .workers = means->workers, .verifies = true};
    TRY(plan_sound(group, &round));
    TRY(round_run(&round, why));
    for (size_t j = 0; j < round.count; j++) {
        struct suspect *suspect = round.jobs[j].suspect;
        suspect->sound_sums[round.jobs[j].data] = round.jobs[j].bits;
        suspect->differs[round.jobs[j].data] = round.jobs[j].fitting < round.jobs[j].compared;
    }
    round_note(&round);
    for (size_t s = 0; s < group->suspect_count; s++)
        TRY(order_data(&group->suspects[s]));
    return OK;
}

/* ---- what is near the method; where it gives all bits itself, its own faults ---- */

static struct hypotheses *nearby_of(struct suspect *suspect)
{
    return &suspect->nearby;
}

/* Faults that this program's own method has.  A theorem is broken by a fault alone: then others are compared with it,
 * which do not share its code. */
static enum status name_own(const struct means *means, struct suspect *suspect)
{
    FREED_BY(elements_free) struct elements elements = {0};
    TRY(elements_ask(suspect->claimed, suspect->n, &elements));
    const struct hypothesis *first = elements.explaining.list;
    const bool is_of_table = first && first->kind == FAULT_OF_TABLE;
    if (!elements.are_right && is_of_table)
        settle_as_own(suspect, first, elements.explaining.count - 1);
    else
        TRY(probes_accuse(&means->probes, suspect->claimed, &elements, &suspect->nearby));
    if (!suspect->cause && !elements.are_right && first && suspect->nearby.count == 0)
        settle_as_own(suspect, first, 0);
    if (!suspect->cause && suspect->breaks_theorem && suspect->nearby.count == 0)
        TRY(hypotheses_in_order(suspect->claimed, &suspect->nearby));
    return OK;
}

static enum status name_nearby(const struct means *means, struct suspect *suspect)
{
    if (suspect->cause)
        return OK;
    if (suspect->claimed.black_box)
        return hypotheses_of_black_box(suspect->claimed, suspect->n, &suspect->nearby);
    if (!hypothesis_fits(&suspect->sound))
        return hypotheses_near(suspect->claimed, &suspect->nearby);
    return is_statistic(suspect->claimed.method->operation) || is_scan(suspect->claimed.method->operation)
               ? OK
               : name_own(means, suspect); /* which asks sums */
}

/* A fault with one number for all data.  Of few data others may leave nothing, which is the same; nothing shows in a
 * sum that starts from a large number. */
static bool is_number(const struct hypothesis *hypothesis)
{
    return hypothesis->change.kind == FROM_ANOTHER ||
           (hypothesis->fault && (hypothesis->fault == fault_find("zero") || hypothesis->fault == fault_find("nan")));
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

enum status stage_nearby(const struct means *means, struct group *group)
{
    for (size_t s = 0; s < group->suspect_count; s++)
        TRY(name_nearby(means, &group->suspects[s]));
    TRY(eliminate(group, nearby_of, means->workers));
    for (size_t s = 0; s < group->suspect_count; s++) {
        struct suspect *suspect = &group->suspects[s];
        const bool is_black_box = suspect->claimed.black_box != NULL;
        const struct hypothesis *simplest = simplest_of(&suspect->nearby);
        if (!suspect->cause && is_black_box && (!simplest || is_number(simplest)) && is_constant(group, suspect))
            settle_as_constant(suspect, simplest);
        if (!suspect->cause)
            settle_if_found(suspect, &suspect->nearby);
        if (!suspect->cause && !is_black_box && hypothesis_fits(&suspect->sound))
            settle_as_sound(suspect);
    }
    return OK;
}

/* ---- what is far from it: elements that are searched for, and all other methods ---- */

static const uint64_t NUMBERS_TO_SEARCH = UINT64_C(1) << 24; /* in all samples of a series */

enum { SAMPLES_LEAST = 4, SAMPLES = 16 }; /* data sets to search for elements in */

static enum status search_samples(struct group *group, struct suspect *suspect, struct sample *samples,
                                  struct dataset *data, size_t count)
{
    char why[WHY_SIZE];
    const struct format *format = suspect->claimed.method->format;
    for (size_t i = 0; i < count; i++) {
        const size_t d = suspect->order[i], row = suspect->first_row[d];
        TRY(again_make(&group->again, &group->data[d], &data[i], why));
        if (data[i].y) {
            struct dataset products;
            TRY(products_make(&data[i], suspect->claimed.method->sum_format->added, NULL, &products));
            dataset_free(&data[i]);
            data[i] = products;
        }
        samples[i] = (struct sample){.data = &data[i],
                                     .computed = format_value(format, suspect->rows->rows[row].bits),
                                     .sound = format_value(format, suspect->sound_sums[d])};
        if (read_real(group->data[d].exact, &samples[i].s))
            return OK; /* no number */
    }
    return search_changes(suspect->claimed, samples, count, suspect->n, &suspect->distant, &suspect->searched);
}

/* In few data sets many elements are as large as any difference: of 200,000 numbers some ten give the bits of two sums.
 */
static enum status search(void *context, size_t s)
{
    struct group *group = context;
    struct suspect *suspect = &group->suspects[s];
    struct sample samples[SAMPLES] = {0};
    struct dataset data[SAMPLES] = {0};
    const uint64_t room = NUMBERS_TO_SEARCH / suspect->n;
    size_t count = suspect->differing < SAMPLES ? suspect->differing : SAMPLES;
    count = count < room ? count : (size_t)room;
    if (suspect->cause || count < SAMPLES_LEAST || is_statistic(suspect->claimed.method->operation) ||
        is_scan(suspect->claimed.method->operation))
        return OK;
    const enum status status = search_samples(group, suspect, samples, data, count);
    for (size_t i = 0; i < count; i++)
        dataset_free(&data[i]);
    return status;
}

/* What fits nearly all: the method itself, of equals; of a black box it is among the others, and sums that plain
 * additions have as well say nothing.*/
static const struct hypothesis *nearly_fitting(const struct suspect *suspect)
{
    if (operation_is_per_number(suspect->claimed.method->operation)) /* most bits of a norm are anybody's */
        return NULL;
    const struct hypotheses one = {.list = (struct hypothesis *)&suspect->sound, .count = !suspect->claimed.black_box};
    const struct hypotheses *const lists[] = {&one, &suspect->nearby, &suspect->distant};
    const struct hypothesis *best = NULL;
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            const struct hypothesis *hypothesis = &lists[l]->list[i];
            const uint64_t misses = hypothesis->compared - hypothesis->fitting;
            const uint64_t told = suspect->claimed.black_box ? suspect->differing : hypothesis->compared;
            if (hypothesis->compared >= LIKE_ONE_IN && misses * LIKE_ONE_IN <= told &&
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
        settle_as(suspect, nearly, NULL, 0);
}

enum { TREE_MOST_N = 512 }; /* numbers of it */

static enum status name_distant(struct means *means, struct suspect *suspect)
{
    if (suspect->cause || suspect->untried > 0)
        return OK;
    if (!suspect->claimed.black_box)
        return hypotheses_far(suspect->claimed, &suspect->distant);
    TRY(hypotheses_far_from_black_box(suspect->claimed, &suspect->distant));
    if (suspect->n > TREE_MOST_N || means->trees_left == 0)
        return OK;
    means->trees_left--;
    return hypotheses_of_its_tree(suspect->claimed, suspect->n, &suspect->distant);
}

static struct hypotheses *distant_of(struct suspect *suspect)
{
    return &suspect->distant;
}

enum status stage_distant(struct means *means, struct group *group)
{
    TRY(parallel_each(means->workers, group->suspect_count, search, group));
    for (size_t s = 0; s < group->suspect_count; s++)
        TRY(name_distant(means, &group->suspects[s]));
    TRY(eliminate(group, distant_of, means->workers));
    for (size_t s = 0; s < group->suspect_count; s++)
        if (!group->suspects[s].cause)
            settle_at_last(&group->suspects[s]);
    return OK;
}
