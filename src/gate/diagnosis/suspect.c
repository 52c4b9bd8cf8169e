#include "suspect.h"

#include "src/gate/fault_tools.h"

void suspect_free(struct suspect *suspect)
{
    free_all(suspect->first_row, suspect->sound_sums, suspect->differs, suspect->order);
    hypotheses_free(&suspect->nearby);
    hypotheses_free(&suspect->distant);
    free(suspect->cause);
    *suspect = (struct suspect){0};
}

void settle_undiagnosed(struct suspect *suspect, const char *why)
{
    suspect->cause = text_made("not diagnosed: %s", why);
}

static bool fits(const struct hypothesis *hypothesis)
{
    return hypothesis->fitting == hypothesis->compared;
}

/* " on 256 of 256", " on 12 of 12 compared, of 100" */
static void say_count(const struct suspect *suspect, const struct hypothesis *hypothesis, struct text *to)
{
    text_append(to, " on %" PRIu64 " of %" PRIu64, hypothesis->fitting, hypothesis->compared);
    if (hypothesis->compared < suspect->rows->count)
        text_append(to, " compared, of %zu", suspect->rows->count);
    if (!fits(hypothesis))
        text_append(to, ", not on the others");
}

/* "this program's kahan/serial gives the same, on 20 of 20" */
static void say_own(const struct suspect *suspect, struct text *to)
{
    text_append(to, "this program's %s gives the same,", suspect->claimed.method->id);
    say_count(suspect, &suspect->sound, to);
}

/* No fault is known of it. */
void settle_as_sound(struct suspect *suspect)
{
    struct text cause = {0};
    const bool is_right = !suspect->breaks_theorem && !suspect->has_changed;
    if (is_right) {
        text_append(&cause, "%s itself is this inaccurate,", suspect->claimed.method->id);
        say_count(suspect, &suspect->sound, &cause);
    } else {
        say_own(suspect, &cause);
    }
    if (fits(&suspect->sound))
        text_append(&cause, "%s",
                    is_right                  ? "; the limit is too tight for it"
                    : suspect->breaks_theorem ? ": it breaks its theorem, so it has a fault, and none of the known ones"
                                              : ": it has changed since the baseline");
    suspect->cause = text_take(&cause);
}

void settle_as_own(struct suspect *suspect, const struct hypothesis *fault, size_t others)
{
    struct text cause = {0};
    say_own(suspect, &cause);
    text_append(&cause, ", and has a fault itself: ");
    hypothesis_say_fault(fault, &cause);
    if (others > 0)
        text_append(&cause, "; %zu more %s as well", others, others == 1 ? "fits" : "fit");
    suspect->cause = text_take(&cause);
}

static bool is_said(const struct hypothesis *hypothesis, const struct hypothesis *const *said, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!hypothesis_is_another(hypothesis, said[i]))
            return true;
    return false;
}

/* Other faults that fit as well, so that three at most are named; how many. */
static size_t say_alternatives(const struct hypotheses *hypotheses, const struct hypothesis *simplest, struct text *to)
{
    const struct hypothesis *said[CAUSES_MOST] = {simplest};
    size_t count = 1;
    for (size_t i = 0; i < hypotheses->count && count < CAUSES_MOST; i++) {
        const struct hypothesis *hypothesis = &hypotheses->list[i];
        if (!hypothesis_fits(hypothesis) || is_said(hypothesis, said, count))
            continue;
        said[count++] = hypothesis;
        text_append(to, ", or ");
        hypothesis_say_fault(hypothesis, to);
    }
    return count - 1;
}

void settle_as(struct suspect *suspect, const struct hypothesis *hypothesis, const struct hypotheses *list,
               size_t others)
{
    struct text cause = {0};
    text_append(&cause, BY_BITS " ");
    hypothesis_say(hypothesis, &cause);
    if (others > 0)
        others -= say_alternatives(list, hypothesis, &cause);
    if (hypothesis_has_fault(hypothesis))
        text_append(&cause, ","); /* after "in which ..." */
    say_count(suspect, hypothesis, &cause);
    if (fits(hypothesis) && others == 0 && !suspect->claimed.black_box)
        hypothesis_conclude(hypothesis, suspect->claimed, &cause);
    if (fits(&suspect->sound) && !suspect->claimed.black_box)
        text_append(&cause, "; this program's %s gives the same", suspect->claimed.method->id);
    if (others > 0)
        text_append(&cause, "; %zu more %s as well", others, others == 1 ? "fits" : "fit");
    suspect->cause = text_take(&cause);
}

/* How many hypotheses of a kind were compared, or were not; a limit and a start are no elements. */
static size_t count_kind(const struct suspect *suspect, enum hypothesis_kind kind, bool compared)
{
    const struct hypotheses *const lists[] = {&suspect->nearby, &suspect->distant};
    size_t count = 0;
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t i = 0; i < lists[l]->count; i++)
            count += lists[l]->list[i].kind == kind && lists[l]->list[i].change.kind < OUT_BEYOND &&
                     (lists[l]->list[i].compared > 0) == compared;
    return count;
}

void settle_as_none(struct suspect *suspect)
{
    struct text cause = {0};
    const size_t faults = count_kind(suspect, FAULT_OF_TABLE, true);
    text_append(&cause, "none of ");
    if (faults > 0)
        text_append(&cause, "%zu faults and ", faults);
    text_append(&cause, "%zu methods gives these bits",
                !suspect->claimed.black_box + count_kind(suspect, OTHER_METHOD, true));
    if (suspect->searched && count_kind(suspect, OTHER_DATA, false) == 0)
        text_append(&cause, ", nor does any element that is left out or added twice");
    if (count_kind(suspect, PART_OF_DATA, true) > 0 && count_kind(suspect, PART_OF_DATA, false) == 0)
        text_append(&cause, ", nor a part of the data, rescaled");
    if (count_kind(suspect, TRIAL_BEFORE, true) > 0 && count_kind(suspect, TRIAL_BEFORE, false) == 0)
        text_append(&cause, ", nor the trial before");
    if (suspect->untried > 0)
        text_append(&cause, "; %zu more were not tried: its sums are too long", suspect->untried);
    suspect->cause = text_take(&cause);
}

void settle_as_constant(struct suspect *suspect, const struct hypothesis *fault)
{
    struct text cause = {0};
    suspect->is_constant = true;
    text_append(&cause, "gives %s, whatever the data, on %zu of %zu",
                hex_text(format_value(suspect->claimed.method->format, suspect->rows->rows[0].bits)),
                suspect->rows->count, suspect->rows->count);
    if (fault)
        say_alternatives(&suspect->nearby, fault, &cause);
    suspect->cause = text_take(&cause);
}

const struct hypothesis *simplest_of(const struct hypotheses *hypotheses)
{
    const struct hypothesis *simplest = NULL;
    for (size_t i = 0; i < hypotheses->count; i++)
        if (hypothesis_fits(&hypotheses->list[i]) &&
            (!simplest || (hypotheses->are_of_black_box &&
                           hypothesis_complexity(&hypotheses->list[i]) < hypothesis_complexity(simplest))))
            simplest = &hypotheses->list[i];
    return simplest;
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

void settle_if_found(struct suspect *suspect, const struct hypotheses *hypotheses)
{
    const struct hypothesis *simplest = simplest_of(hypotheses);
    size_t others = 0;
    for (size_t i = 0; i < hypotheses->count; i++)
        others += &hypotheses->list[i] != simplest && hypothesis_fits(&hypotheses->list[i]) &&
                  is_another_name(suspect, simplest, &hypotheses->list[i]);
    if (simplest)
        settle_as(suspect, simplest, hypotheses, others);
}
