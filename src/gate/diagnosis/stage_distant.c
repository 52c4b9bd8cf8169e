/* What is far from the method: elements that are searched for, and all other methods. */
#include "elements.h"
#include "src/gate/parallel.h"
#include "stages.h"
#include "suspect.h"

#include "kernels/statistic.h"

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
