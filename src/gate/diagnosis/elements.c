/* Integers that are small enough are added exactly in every order.  So what a fault makes of them is known without the
 * method, in which it may be already: a stand-in adds in the method's place.
 *
 *   8 integers, sum 12, the last one 5:  drop_last of the stand-in is 7, and so is the sum of a tree without its last
 * element
 */
#include "elements.h"

#include "datasets/dataset.h"

static const uint64_t NUMBERS_MOST = 65539;

/* Where 1,001 numbers lack one, a tail of 4 may be missing or the last element: some sets have more numbers. */
enum { SETS_OF_N = 8, SETS = 12 };
static const uint64_t more_numbers[SETS] = {[SETS_OF_N] = 1, 5, 30, 97};

/* Integers, their sums, and what the method makes of them. */
struct integers {
    const struct format *format; /* that they are added in, and their sums have here */
    struct dataset data[SETS];
    uint64_t n, sound[SETS], own[SETS]; /* sums: bits */
    size_t count;
};

static enum status add_exactly(const struct method *self, const struct operands *of, struct launch launch,
                               unsigned workers, uint64_t *bits)
{
    double sum = 0;
    (void)launch, (void)workers;
    for (uint64_t i = 0; i < of->shape.terms; i++)
        sum += held_number(of->format, of->arrays[0], i);
    *bits = format_bits(self->format, rounded_to(sum, self->format));
    return OK;
}

static struct method stand_in_for(const struct method *method)
{
    struct method stand_in = *method;
    stand_in.replay = add_exactly;
    return stand_in;
}

/* Twice their sum has to be exact, too. */
static enum status make_set(uint64_t n, const struct format *format, size_t trial, struct dataset *data)
{
    char text[64];
    struct data_spec *spec;
    size_t count;
    const double most = fmin(floor(ldexp(1, format->precision - 1) / (double)n), 2047);
    snprintf(text, sizeof text, "integers:n=%" PRIu64 ",most=%.0f", n, most);
    TRY(data_specs_read(text, "sums of integers", NONFINITE_REFUSE, &spec, &count));
    const enum status status = dataset_make(spec, 1, trial, data);
    data_specs_free(spec, count);
    return status;
}

static enum status add_set(struct integers *integers, struct claimed_method claimed)
{
    const size_t i = integers->count;
    struct dataset *data = &integers->data[i];
    const struct method stand_in = stand_in_for(claimed.method);
    struct hypothesis hypothesis = {.kind = THE_METHOD, .method = &stand_in, .launch = claimed.launch};
    TRY(make_set(integers->n + more_numbers[i], integers->format, i, data));
    integers->count++;
    TRY(hypothesis_unrounded_sum(hypothesis, data, &integers->sound[i]));
    hypothesis.method = claimed.method;
    return hypothesis_unrounded_sum(hypothesis, data, &integers->own[i]);
}

static bool are_right(const struct integers *integers)
{
    for (size_t i = 0; i < integers->count; i++)
        if (!format_same(integers->format, integers->own[i], integers->sound[i]))
            return false;
    return true;
}

/* Whether the stand-in with the fault has the sums of the method; an element has its place among n alone. */
static enum status explains(const struct integers *integers, struct hypothesis hypothesis, bool *does)
{
    const size_t sets = hypothesis.kind == OTHER_DATA ? SETS_OF_N : SETS;
    const struct method stand_in = stand_in_for(hypothesis.method);
    hypothesis.method = &stand_in;
    *does = true;
    for (size_t i = 0; i < sets && *does; i++) {
        uint64_t bits = 0;
        TRY(hypothesis_unrounded_sum(hypothesis, &integers->data[i], &bits));
        *does = format_same(integers->format, bits, integers->own[i]);
    }
    return OK;
}

/* Appends those of a list that do; as many as `most`. */
static enum status append_explaining(const struct integers *integers, const struct hypotheses *list, size_t most,
                                     struct hypotheses *accused)
{
    for (size_t i = 0; i < list->count && accused->count < most; i++) {
        bool does = false;
        TRY(explains(integers, list->list[i], &does));
        if (does)
            TRY(hypotheses_append(accused, list->list[i]));
    }
    return OK;
}

static enum status accuse_of_faults(const struct integers *integers, struct claimed_method claimed,
                                    struct hypotheses *accused)
{
    FREED_BY(hypotheses_free) struct hypotheses faults = {0};
    TRY(hypotheses_from_outside(claimed, &faults));
    return append_explaining(integers, &faults, SIZE_MAX, accused);
}

/* An element that is left out is the same one whether those behind it move up or not: the first that explains it will
 * do. */
static enum status accuse_of_changes(const struct integers *integers, struct claimed_method claimed,
                                     struct hypotheses *accused)
{
    struct sample samples[SETS_OF_N];
    FREED_BY(hypotheses_free) struct hypotheses changes = {0};
    bool all;
    const struct format *format = integers->format;
    for (size_t i = 0; i < SETS_OF_N; i++) {
        const double sound = format_value(format, integers->sound[i]);
        samples[i] = (struct sample){&integers->data[i], format_value(format, integers->own[i]), sound, sound};
    }
    TRY(search_changes(claimed, samples, SETS_OF_N, integers->n, &changes, &all));
    return append_explaining(integers, &changes, 1, accused);
}

/* An order in which no other order's code is: of the order that is asked, all that is wrong may come from there. */
static bool is_pure(const struct method *method)
{
    return method->role == SUMS && method->replay && method->order_traits->joins != ADDS_AND_MERGES;
}

static enum status spoils(const struct integers *integers, struct hypothesis hypothesis, bool *does)
{
    for (size_t i = 0; i < integers->count && !*does; i++) {
        uint64_t bits = 0;
        TRY(hypothesis_unrounded_sum(hypothesis, &integers->data[i], &bits));
        *does = !format_same(integers->format, bits, integers->sound[i]);
    }
    return OK;
}

static enum status spoils_in_pure_orders(const struct integers *integers, const struct hypothesis *hypothesis,
                                         bool *does)
{
    char why[REASON_SIZE];
    size_t count;
    struct hypothesis pure = *hypothesis;
    const struct method *const *table = method_table_of(hypothesis->method->sum_format, &count);
    for (size_t i = 0; i < count && !*does; i++)
        if (is_pure(table[i]) && strcmp(table[i]->accumulator, hypothesis->method->accumulator) == 0 &&
            method_can_do(table[i], hypothesis->launch, why)) {
            pure.method = table[i];
            TRY(spoils(integers, pure, does));
        }
    return OK;
}

static enum status find_spoiling(const struct integers *integers, struct claimed_method claimed,
                                 struct hypotheses *spoiling)
{
    FREED_BY(hypotheses_free) struct hypotheses faults = {0};
    TRY(hypotheses_of_faults(claimed, &faults));
    for (size_t i = 0; i < faults.count; i++) {
        const struct hypothesis *hypothesis = &faults.list[i];
        bool does = is_pure(claimed.method);
        if (hypothesis->kind != FAULT_OF_TABLE || !hypothesis->fault->broken)
            continue;
        TRY(spoils_in_pure_orders(integers, hypothesis, &does));
        if (does)
            TRY(hypotheses_append(spoiling, *hypothesis));
    }
    return OK;
}

enum status elements_ask(struct claimed_method claimed, uint64_t n, struct elements *elements)
{
    *elements = (struct elements){0};
    const struct format *added = claimed.method->sum_format->added;
    const uint64_t exact = UINT64_C(1) << (added->precision - 1);
    elements->are_right =
        exact <= more_numbers[SETS - 1]; /* in 4 bits so many ones are not added exactly: none is asked */
    if (elements->are_right)
        return OK;
    const uint64_t few = exact - more_numbers[SETS - 1];
    const uint64_t most = few < NUMBERS_MOST ? few : NUMBERS_MOST;
    struct integers integers = {.format = added, .n = n < most ? n : most};
    enum status status = OK;
    while (integers.count < SETS && status == OK)
        status = add_set(&integers, claimed);
    elements->are_right = are_right(&integers);
    if (status == OK)
        status = accuse_of_faults(&integers, claimed, &elements->explaining);
    if (status == OK && elements->explaining.count == 0)
        status = accuse_of_changes(&integers, claimed, &elements->explaining);
    if (status == OK && !elements->are_right)
        status = find_spoiling(&integers, claimed, &elements->spoiling);
    for (size_t i = 0; i < integers.count; i++)
        dataset_free(&integers.data[i]);
    return status;
}

void elements_free(struct elements *elements)
{
    hypotheses_free(&elements->explaining);
    hypotheses_free(&elements->spoiling);
}

static bool has_fault_of(const struct hypotheses *list, const struct fault *fault)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->list[i].fault == fault)
            return true;
    return false;
}

bool elements_allow(const struct elements *elements, const struct hypothesis *hypothesis)
{
    if (hypothesis->kind != FAULT_OF_TABLE)
        return elements->are_right;
    if (fault_is_from_outside(hypothesis->fault))
        return has_fault_of(&elements->explaining, hypothesis->fault);
    return elements->are_right || !hypothesis->fault->broken || has_fault_of(&elements->spoiling, hypothesis->fault);
}
