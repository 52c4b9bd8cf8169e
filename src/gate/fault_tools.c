#include "fault_tools.h"

#include "kernels/statistic.h"

bool fault_any(const struct method *method)
{
    return method->role == SUMS && method->replay;
}

bool fault_any_sum(const struct method *method)
{
    return fault_any(method) && !is_scan(method->operation);
}

bool fault_adds_moments(const struct method *method)
{
    const struct statistic_method *of = statistic_method_of(method);
    return of && statistic_moments(of->statistic->algorithm);
}

bool fault_of_one_vector(const struct method *method)
{
    return fault_any(method) && !(is_statistic(method->operation) && operation_table[method->operation].vectors > 1);
}

bool fault_adds_alone(const struct method *method)
{
    return fault_any_sum(method) && !is_statistic(method->operation);
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

struct passes {
    struct method sums; /* sound ones */
    fault_sum_of_pass *sum;
    const void *context;
};

static enum status replay_given(const struct method *self, const struct operands *of, struct launch launch,
                                unsigned workers, uint64_t *bits)
{
    (void)of, (void)launch, (void)workers;
    *bits = *(const uint64_t *)self->own;
    return OK;
}

enum status fault_of_each(const struct fault_call *call,
                          enum status (*fault)(const struct fault_call *call, uint64_t *bits), uint64_t *bits)
{
    const uint64_t results = operation_results(call->method->operation, call->of.shape);
    struct method given = *call->method;
    given.replay = replay_given;
    TRY(method_replay(call->method, &call->of, call->launch, 1, bits));
    for (uint64_t i = 0; i < results; i++) {
        const uint64_t sound = bits[i];
        given.own = &sound;
        TRY(fault(&(struct fault_call){&given, call->of, call->launch}, &bits[i]));
    }
    return OK;
}

/* Products are made first, so that whatever is done is done to numbers that are added. */
static enum status replay_pass(const struct method *self, const struct operands *of, struct launch launch,
                               unsigned workers, uint64_t *bits)
{
    const struct passes *passes = self->own;
    const struct format *added = self->sum_format->added;
    const uint64_t n = of->shape.terms;
    struct method pass = *self;
    struct operands terms = {of->format, OPERATION_sum, {of->arrays[0], NULL}, of->shape};
    OWNED void *products = malloc((of->operation == OPERATION_sum ? 0 : n) * format_held(added)->bytes + 1);
    (void)workers;
    TRY(products ? OK : out_of_memory("the terms of a statistic"));
    pass.replay = passes->sums.replay;
    pass.own = passes->sums.own;
    pass.operation = OPERATION_sum;
    if (of->operation != OPERATION_sum) {
        for (uint64_t i = 0; i < n; i++)
            held_set(added, products, i,
                     rounded_to(held_number(of->format, of->arrays[0], i) * held_number(of->format, of->arrays[1], i),
                                added));
        pass.sum_format = sum_format_of(added, added);
        terms = operands_of_sum(added, products, n);
    }
    return passes->sum(passes->context, &(struct fault_call){&pass, terms, launch}, bits);
}

enum status fault_end_passes(const struct fault_call *call, fault_sum_of_pass *sum, const void *context,
                             fault_sum_of_pass *end, const void *of_end, uint64_t *bits)
{
    struct statistic_method own = *statistic_method_of(call->method);
    const struct passes of_sums = {own.sums, sum, context}, of_means = {own.means, sum, context};
    struct method method = *call->method;
    own.sums.replay = own.means.replay = replay_pass;
    own.sums.own = &of_sums;
    own.means.own = &of_means;
    method.own = &own;
    return end(of_end, &(struct fault_call){&method, call->of, call->launch}, bits);
}

static enum status replay(const void *context, const struct fault_call *call, uint64_t *bits)
{
    (void)context;
    return method_replay(call->method, &call->of, call->launch, 1, bits);
}

enum status fault_replay_passes(const struct fault_call *call, fault_sum_of_pass *sum, const void *context,
                                uint64_t *bits)
{
    return fault_end_passes(call, sum, context, replay, NULL, bits);
}
