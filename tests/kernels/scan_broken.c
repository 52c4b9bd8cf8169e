#include "scan_broken.h"

#include "kernels/scan.h"
#include "src/base/format.h"

#include <stdlib.h>

const struct scan_fault_row scan_faults[SCAN_FAULTS] = {
#define SCAN_BROKEN(id, operation, claim) {#id, claim, OPERATION_##operation},
#include "scan_broken.def"
};

struct breaking {
    const struct method *method;
    const struct operands *of;
    struct launch launch;
    uint64_t n, block, first, end; /* numbers of a block; those that have the fault */
    void *numbers;                 /* a copy */
    uint64_t *sound, *others;      /* results of the numbers as they are, and of what was made of the copy */
};

static uint64_t block_of(const struct breaking *of)
{
    const enum scan_order order = ((const struct scan_method *)of->method->own)->order;
    const uint64_t tile = scan_tile(of->launch);
    switch (order) {
    case SCAN_ORDER_chunks:
    case SCAN_ORDER_add_subtract:
    case SCAN_ORDER_again_each_time:
        return scan_chunk(of->n, of->launch);
    case SCAN_ORDER_two_level:
    case SCAN_ORDER_look_back:
        return tile;
    default:
        return (of->n + 3) / 4;
    }
}

static enum status replay_copy(const struct breaking *of, uint64_t window)
{
    struct operands operands = *of->of;
    operands.arrays[0] = of->numbers;
    operands.shape.columns = window;
    return method_replay(of->method, &operands, of->launch, 1, of->others);
}

/* Each number before the block times this; the results of the block are of these. */
static enum status scale_before(const struct breaking *of, double factor)
{
    for (uint64_t i = 0; i < of->first; i++)
        held_set(of->of->format, of->numbers, i, factor * held_number(of->of->format, of->numbers, i));
    return replay_copy(of, 0);
}

/* The second thread's first number is less what left its window before. */
static enum status take_off_too_much(const struct breaking *of)
{
    const struct format *format = of->of->format;
    const double less = held_number(format, of->numbers, of->first - of->of->shape.columns);
    held_set(format, of->numbers, of->first, rounded_to(held_number(format, of->numbers, of->first) - less, format));
    return replay_copy(of, of->of->shape.columns);
}

/* Which of the results have the fault goes to first and end. */
static enum status make_others(enum scan_fault fault, struct breaking *of)
{
    const uint64_t window = of->of->shape.columns;
    const uint64_t blocks = (of->n - 1) / of->block + 1;
    of->first = blocks / 2 * of->block;
    of->end = of->first + of->block < of->n ? of->first + of->block : of->n;
    switch (fault) {
    case SCAN_FAULT_exclusive:
        of->first = 0, of->end = of->n;
        of->others[0] = format_bits(of->method->format, 0);
        memcpy(of->others + 1, of->sound, (of->n - 1) * sizeof *of->others);
        return OK;
    case SCAN_FAULT_carry_lost:
        return scale_before(of, 0);
    case SCAN_FAULT_carry_twice:
        return scale_before(of, 2);
    case SCAN_FAULT_last_block:
        of->first = (blocks - 1) * of->block, of->end = of->n;
        for (uint64_t j = of->first; j < of->n; j++)
            of->others[j] = format_bits(of->method->format, 0);
        return OK;
    case SCAN_FAULT_window_longer:
        of->first = 0, of->end = of->n;
        return replay_copy(of, window + 1);
    default:
        of->first = (window + of->block - 1) / of->block * of->block;
        of->end = of->first + of->block < of->n ? of->first + of->block : of->n;
        return of->first < of->n ? take_off_too_much(of) : OK;
    }
}

static bool is_shown(enum scan_fault fault, const struct breaking *of)
{
    if (fault == SCAN_FAULT_window_longer || fault == SCAN_FAULT_never_added)
        return of->of->shape.columns > 0 && of->of->shape.columns < of->n && of->first < of->n;
    return of->n > (fault == SCAN_FAULT_exclusive ? 0 : of->block);
}

enum status scan_broken_replay(enum scan_fault fault, const struct method *method, const struct operands *of,
                               struct launch launch, uint64_t *bits, bool *shows)
{
    const uint64_t n = of->shape.terms, bytes = n * format_held(of->format)->bytes;
    OWNED void *numbers = malloc(bytes + 1);
    OWNED uint64_t *others = calloc(n + 1, sizeof *others);
    *shows = false;
    if (!numbers || !others)
        return out_of_memory("a scan with a fault");
    TRY(method_replay(method, of, launch, 1, bits));
    struct breaking breaking = {method, of, launch, n, 0, 0, 0, numbers, bits, others};
    if (n == 0)
        return OK;
    memcpy(numbers, of->arrays[0], bytes);
    breaking.block = block_of(&breaking);
    TRY(make_others(fault, &breaking));
    *shows = is_shown(fault, &breaking);
    if (*shows)
        memcpy(bits + breaking.first, others + breaking.first, (breaking.end - breaking.first) * sizeof *bits);
    return OK;
}
