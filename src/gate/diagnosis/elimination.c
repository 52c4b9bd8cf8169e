/* Hypotheses of suspects are compared with the rows of a run, round by round, until one is left: see diagnosis.c. */
#include "suspect.h"

enum { SURE_AFTER = 8 }; /* rows after which what fits all ends what fits most */

static size_t count_alive(const struct hypotheses *hypotheses)
{
    size_t alive = 0;
    for (size_t i = 0; i < hypotheses->count; i++)
        alive += !hypotheses->list[i].dropped;
    return alive;
}

/* Of nothing yet compared, the first that half of the budget is good for, on one data set; the other half is for those
 * that are left then. */
static size_t drop_unaffordable(struct suspect *suspect, struct hypotheses *hypotheses)
{
    const uint64_t affordable = suspect->budget / 2 / suspect->n;
    for (size_t i = 0; i < hypotheses->count; i++)
        if (i >= affordable) {
            hypotheses->list[i].dropped = true;
            suspect->untried++;
        }
    return hypotheses->count < affordable ? hypotheses->count : (size_t)affordable;
}

/* How many of the next data sets the living hypotheses are compared on; it is paid for. */
static size_t pay_for(struct suspect *suspect, struct hypotheses *hypotheses, size_t next, size_t wanted)
{
    size_t alive = count_alive(hypotheses);
    size_t sets = suspect->reach - next < wanted ? suspect->reach - next : wanted;
    if (alive == 0 || sets == 0)
        return 0;
    if (next == 0 && suspect->budget / 2 / suspect->n < alive)
        alive = drop_unaffordable(suspect, hypotheses);
    if (alive == 0)
        return 0; /* not even one */
    const uint64_t affordable = suspect->budget / suspect->n / alive;
    if (sets > affordable) {
        sets = (size_t)affordable;
        suspect->reach = next + sets;
    }
    suspect->budget -= sets * alive * suspect->n;
    return sets;
}

/* A hypothesis lives as long as it fits most rows, and as long as no other one is sure to fit all; of many results of a
 * data set all.  */
static void drop_misfits(const struct suspect *suspect, struct hypotheses *hypotheses)
{
    bool sure = operation_is_per_number(suspect->claimed.method->operation);
    for (size_t i = 0; i < hypotheses->count; i++)
        sure |= hypothesis_fits(&hypotheses->list[i]) && hypotheses->list[i].compared >= SURE_AFTER;
    for (size_t i = 0; i < hypotheses->count; i++) {
        struct hypothesis *hypothesis = &hypotheses->list[i];
        const uint64_t misses = hypothesis->compared - hypothesis->fitting;
        const bool is_misfit = 2 * hypothesis->fitting < hypothesis->compared || (sure && misses > 0);
        hypothesis->dropped |= misses * LIKE_ONE_IN > suspect->rows->count || is_misfit;
    }
}

/* The jobs of one round; how many of the next data sets are done. */
static enum status plan_round(struct group *group, list_of_suspect *list_of, size_t next, size_t wanted,
                              struct round *round)
{
    for (size_t s = 0; s < group->suspect_count; s++) {
        struct suspect *suspect = &group->suspects[s];
        struct hypotheses *hypotheses = list_of(suspect);
        if (suspect->cause || next >= suspect->reach)
            continue;
        const size_t sets = pay_for(suspect, hypotheses, next, wanted);
        for (size_t d = 0; d < sets; d++)
            for (size_t h = 0; h < hypotheses->count; h++)
                if (!hypotheses->list[h].dropped)
                    TRY(round_add(round, suspect, &hypotheses->list[h], suspect->order[next + d]));
    }
    return OK;
}

enum status eliminate(struct group *group, list_of_suspect *list_of, unsigned workers)
{
    char why[WHY_SIZE];
    enum status status = OK;
    size_t next = 0, wanted = 1;
    for (size_t s = 0; s < group->suspect_count; s++)
        group->suspects[s].reach = group->suspects[s].taken;
    while (status == OK) {
        struct round round = {.group = group, .workers = workers};
        status = plan_round(group, list_of, next, wanted, &round);
        if (status == OK)
            status = round_run(&round, why);
        if (status == OK)
            round_note(&round);
        const bool over = round.count == 0 && next >= AROUND; /* on fewer some have no sum */
        round_free(&round);
        if (over)
            break;
        for (size_t s = 0; s < group->suspect_count; s++)
            drop_misfits(&group->suspects[s], list_of(&group->suspects[s]));
        next += wanted;
        wanted = next;
    }
    return status;
}
