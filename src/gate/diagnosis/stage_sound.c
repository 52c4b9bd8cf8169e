/* What the method itself gives, on all data sets that its budget has room for. */
#include "round.h"
#include "src/base/format.h"
#include "stages.h"

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

enum status stage_sound(const struct means *means, struct group *group, char why[WHY_SIZE])
{
    FREED_BY(round_free) struct round round = {.group = group, .workers = means->workers, .verifies = true};
    TRY(plan_sound(group, &round));
    TRY(round_run(&round, why));
    for (size_t j = 0; j < round.count; j++) {
        struct suspect *suspect = round.jobs[j].suspect;
        suspect->sound_sums[round.jobs[j].data] = round.jobs[j].bits;
        suspect_compare(suspect, &suspect->sound, round.jobs[j].data, round.jobs[j].bits);
    }
    for (size_t s = 0; s < group->suspect_count; s++)
        order_data(&group->suspects[s]);
    return OK;
}
