#include "fault_tools.h"

#include "kernels/statistic.h"

/* ---- what faults are made with ---- */

bool fault_any(const struct method *method)
{
    return method->role == SUMS && method->replay && !is_scan(method->operation) && !is_statistic(method->operation);
}

enum status fault_replay(const struct fault_call *call, uint64_t first, uint64_t n, uint64_t *bits)
{
    struct operands of = call->of;
    of.arrays[0] = (const char *)of.arrays[0] + first * format_held(of.format)->bytes;
    of.shape.terms = n;
    return method_replay(call->method, &of, call->launch, 1, bits);
}

double *fault_numbers(const struct fault_call *call, uint64_t room)
{
    const struct operands *of = &call->of;
    double *x = calloc(room + 1, sizeof *x);
    for (uint64_t i = 0; x && i < of->shape.terms && i < room; i++)
        x[i] = held_number(of->format, of->arrays[0], i);
    return x;
}

enum status fault_replay_numbers(const struct fault_call *call, const double *x, uint64_t n, uint64_t *bits)
{
    struct operands of = call->of;
    OWNED void *numbers = malloc(n * format_held(of.format)->bytes + 1);
    TRY(numbers ? OK : out_of_memory("the data of a fault"));
    for (uint64_t i = 0; i < n; i++)
        held_set(of.format, numbers, i, rounded_to(x[i], of.format));
    of.arrays[0] = numbers;
    of.shape.terms = n;
    return method_replay(call->method, &of, call->launch, 1, bits);
}

enum status fault_replay_changed(const struct fault_call *call, uint64_t n, fault_change *alter, uint64_t *bits)
{
    OWNED double *x = fault_numbers(call, n);
    TRY(x ? OK : out_of_memory("the data of a fault"));
    alter(call, x, n);
    return fault_replay_numbers(call, x, n, bits);
}

uint64_t fault_result(const struct fault_call *call, double value)
{
    return format_bits(call->method->format, rounded_to(value, call->method->format));
}

double fault_value(const struct fault_call *call, uint64_t bits)
{
    return format_value(call->method->format, bits);
}

enum status fault_replay_as(const struct fault_call *call, const struct method *other, uint64_t *bits)
{
    struct method method = *other;
    method.sum_format = call->method->sum_format;
    method.format = call->method->format;
    return method_replay(&method, &call->of, call->launch, 1, bits);
}

enum status fault_replay_by(const struct fault_call *call, const char *accumulator, uint64_t *bits)
{
    char id[REASON_SIZE];
    snprintf(id, sizeof id, "%s/%s", accumulator, call->method->order);
    return fault_replay_as(call, method_in(method_find(id), call->method->sum_format), bits);
}

/* ---- the table ---- */

#define FAULT(id, applies, meaning)                                                                                    \
    static enum status id##_sum(const struct fault *fault, const struct fault_call *call, uint64_t *bits)              \
    {                                                                                                                  \
        (void)fault;                                                                                                   \
        return fault_##id(call, bits);                                                                                 \
    }
#define FAULT_OF_LAUNCH FAULT
#include "faults.def"

#define ELEMENT_FAULT(id, narrow, cost, meaning, becomes)                                                              \
    static bool id##_applies(const struct method *method)                                                              \
    {                                                                                                                  \
        const struct format *lacks = narrow;                                                                           \
        return fault_any(method) && (!lacks || format_is_narrower(lacks, method->sum_format->stored));                 \
    }                                                                                                                  \
    static double id##_element(const struct format *format, double x)                                                  \
    {                                                                                                                  \
        (void)format;                                                                                                  \
        return becomes;                                                                                                \
    }
#include "src/base/element_faults.def"

static enum status sum_of_elements(const struct fault *fault, const struct fault_call *call, uint64_t *bits)
{
    OWNED double *x = fault_numbers(call, call->of.shape.terms);
    TRY(x ? OK : out_of_memory("the data of a fault"));
    for (uint64_t i = 0; i < call->of.shape.terms; i++)
        x[i] = fault->element(call->of.format, x[i]);
    return fault_replay_numbers(call, x, call->of.shape.terms, bits);
}

enum whose { ITS_OWN, ANYONE };
enum where { IN_ADDITIONS, IN_MERGES, EVERYWHERE };

static bool can_show(enum where where, const struct method *method)
{
    return !(where == IN_MERGES && method->order_traits->joins == NEVER_MERGES) &&
           !(where == IN_ADDITIONS && method->order_traits->joins == NEVER_ADDS);
}

/* Broken ones are compiled for additions in binary32 alone, whatever is stored and returned. */
static bool can_be_broken(const struct method *method, const char *accumulator, enum whose whose, enum where where)
{
    return fault_any(method) && can_show(where, method) && method->sum_format->added == sum_format_binary32.added &&
           (whose == ANYONE || strcmp(method->accumulator, accumulator) == 0);
}

#define BROKEN(id, accumulator, whose, where, meaning)                                                                 \
    static bool id##_applies(const struct method *method)                                                              \
    {                                                                                                                  \
        return can_be_broken(method, #accumulator, whose, where);                                                      \
    }
#include "kernels/broken.def"

static enum status broken_sum(const struct fault *fault, const struct fault_call *call, uint64_t *bits)
{
    return fault_replay_as(call, broken_find(fault->broken, call->method->order), bits);
}

static const struct fault faults[] = {
#define ROW(id_, applies_, meaning_) {.id = #id_, .meaning = meaning_, .applies = applies_, .sum = id_##_sum},
#define FAULT ROW
#define FAULT_OF_LAUNCH(id, applies, meaning)
#include "faults.def"
#define ELEMENT_FAULT(id_, narrow, cost, meaning_, becomes)                                                            \
    {.id = #id_, .meaning = meaning_, .applies = id_##_applies, .sum = sum_of_elements, .element = id_##_element},
#include "src/base/element_faults.def"
#define BROKEN(id_, accumulator, whose, where, meaning_)                                                               \
    {.id = #id_, .meaning = meaning_, .applies = id_##_applies, .sum = broken_sum, .broken = #id_},
#include "kernels/broken.def"
#define FAULT(id, applies, meaning)
#define FAULT_OF_LAUNCH ROW
#include "faults.def"
};

const struct fault *fault_table(size_t *count)
{
    *count = sizeof faults / sizeof *faults;
    return faults;
}

const struct fault *fault_find(const char *id)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (strcmp(faults[i].id, id) == 0)
            return &faults[i];
    return NULL;
}
