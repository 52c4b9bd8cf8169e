#include "fault_tools.h"

#include "kernels/statistic.h"

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
