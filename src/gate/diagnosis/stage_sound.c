/* What the method itself gives, on all data sets that its budget has room for. */
#include "stages.h"
#include "suspect.h"

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
