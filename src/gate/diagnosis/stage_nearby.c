/* What is near the method; where the method itself gives all bits, its own faults. */
#include "stages.h"
#include "suspect.h"

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
