/* Faults of scans and of rolling sums, done to what any method gives.  Blocks are those of the order's chunks or tiles;
 * of an order without any quarters of the numbers.  Where there is one block, or a window has all numbers, some leave
 * the results as they are. */
#include "fault_tools.h"

#include "kernels/scan.h"

bool fault_is_scan(const struct method *method)
{
    return fault_any(method) && method->operation == OPERATION_scan;
}

bool fault_is_rolling(const struct method *method)
{
    return fault_any(method) && method->operation == OPERATION_rolling;
}

/* Numbers of a block. */
static uint64_t block_of(const struct fault_call *call)
{
    const uint64_t n = call->of.shape.terms;
    switch (((const struct scan_method *)call->method->own)->order) {
    case SCAN_ORDER_chunks:
    case SCAN_ORDER_add_subtract:
    case SCAN_ORDER_again_each_time:
        return scan_chunk(n, call->launch);
    case SCAN_ORDER_two_level:
    case SCAN_ORDER_look_back:
        return scan_tile(call->launch);
    default:
        return n < 4 ? 1 : (n + 3) / 4;
    }
}

/* The results are the method's; those of the block from `first` on are of numbers that alter() changed. */
static enum status alter_block(const struct fault_call *call, uint64_t first,
                               void (*alter)(const struct fault_call *call, double *x, uint64_t first), uint64_t *bits)
{
    const uint64_t n = call->of.shape.terms, block = block_of(call);
    OWNED double *x = fault_numbers(call, n);
    OWNED uint64_t *others = calloc(n + 1, sizeof *others);
    TRY(x && others ? OK : out_of_memory("a scan with a fault"));
    TRY(fault_replay(call, 0, n, bits));
    if (first >= n)
        return OK;
    alter(call, x, first);
    TRY(fault_replay_numbers(call, x, n, others));
    memcpy(bits + first, others + first, (n - first < block ? n - first : block) * sizeof *bits);
    return OK;
}

static uint64_t middle_block(const struct fault_call *call)
{
    const uint64_t n = call->of.shape.terms, block = block_of(call);
    return n == 0 ? 0 : ((n - 1) / block + 1) / 2 * block;
}

static void clear_before(const struct fault_call *call, double *x, uint64_t first)
{
    (void)call;
    memset(x, 0, first * sizeof *x);
}

static void double_before(const struct fault_call *call, double *x, uint64_t first)
{
    (void)call;
    for (uint64_t i = 0; i < first; i++)
        x[i] *= 2;
}

static void take_off_before(const struct fault_call *call, double *x, uint64_t first)
{
    x[first] -= x[first - call->of.shape.columns];
}

enum status fault_exclusive(const struct fault_call *call, uint64_t *bits)
{
    const uint64_t n = call->of.shape.terms;
    TRY(fault_replay(call, 0, n, bits));
    if (n > 0)
        memmove(bits + 1, bits, (n - 1) * sizeof *bits);
    if (n > 0)
        bits[0] = fault_result(call, 0);
    return OK;
}

enum status fault_carry_lost(const struct fault_call *call, uint64_t *bits)
{
    return alter_block(call, middle_block(call), clear_before, bits);
}

enum status fault_carry_twice(const struct fault_call *call, uint64_t *bits)
{
    return alter_block(call, middle_block(call), double_before, bits);
}

enum status fault_last_block(const struct fault_call *call, uint64_t *bits)
{
    const uint64_t n = call->of.shape.terms, block = block_of(call);
    TRY(fault_replay(call, 0, n, bits));
    for (uint64_t j = n == 0 ? 0 : (n - 1) / block * block; j < n; j++)
        bits[j] = fault_result(call, 0);
    return OK;
}

enum status fault_window_longer(const struct fault_call *call, uint64_t *bits)
{
    struct fault_call longer = *call;
    longer.of.shape.columns += longer.of.shape.columns > 0;
    return fault_replay(&longer, 0, call->of.shape.terms, bits);
}

enum status fault_never_added(const struct fault_call *call, uint64_t *bits)
{
    const uint64_t window = call->of.shape.columns, block = block_of(call);
    const uint64_t first = window == 0 ? UINT64_MAX : (window + block - 1) / block * block;
    return alter_block(call, first, take_off_before, bits);
}
