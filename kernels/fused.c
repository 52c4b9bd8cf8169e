#include "fused.h"

#include "claim.h"
#include "src/base/format.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct fused_unit units[] = {
#define FUSED_UNIT(id, sum_format, terms, fraction, floor, output, rounding, dropped, own_blocks, claim)               \
    {#id, claim, &sum_format_##sum_format, terms, fraction, floor, output, rounding, dropped, own_blocks},
#include "fused_units.def"
};

static const struct fused_order orders[] = {
#define FUSED_ORDER(id, period, parts, compensated, claim) {#id, claim, period, parts, compensated},
#include "fused_orders.def"
};

enum { UNITS = sizeof units / sizeof *units, FUSED_ORDERS = sizeof orders / sizeof *orders };

const struct fused_unit *fused_units(size_t *count)
{
    *count = UNITS;
    return units;
}

/* ---- blocks ---- */

static uint64_t divided_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

uint64_t fused_blocks(const struct fused_unit *unit, uint64_t inner)
{
    const uint64_t together = unit->own_blocks ? (uint64_t)unit->own_blocks : 1;
    return divided_up(inner, (uint64_t)unit->terms * together) * together;
}

uint64_t fused_period(const struct fused_method *method, uint64_t inner)
{
    const uint64_t parts = method->order->parts, blocks = fused_blocks(method->unit, inner);
    return method->unit->own_blocks ? (uint64_t)method->unit->own_blocks
           : parts && blocks        ? divided_up(blocks, parts)
                                    : method->order->period;
}

/* ---- what is promised of it (docs/bounds.md, "Fused blocks") ---- */

/* 1 - (1-d)^k by repeated squaring, d <= 1. */
static double lost_of(double k, double d)
{
    double lost = 0;
    for (uint64_t left = (uint64_t)k; left > 0; left >>= 1) {
        if (left & 1)
            lost = bound_min(1, round_up(lost + d * (1 - lost)));
        d = bound_min(1, round_up(d * (2 - d)));
    }
    return lost;
}

struct bounded {
    const struct fused_unit *unit;
    double alignment; /* n eps */
    double output;    /* of a block's last rounding: v, or u/(1+u) */
};

/* What a chain of blocks errs by, over S: F3, F4. */
static double chain_bound(const struct bounded *of, double blocks)
{
    const double aligned = of->alignment / (1 + of->alignment);
    if (of->unit->rounding == TRUNCATED)
        return lost_of(blocks, round_up((of->output + of->alignment) / (1 + of->alignment)));
    return round_up((1 + aligned / of->output) * bound_growth(blocks, of->output));
}

/* How much larger than S_part what a chain comes to may be, less 1: F2. */
static double chain_growth(const struct bounded *of, double blocks)
{
    return of->unit->rounding == TRUNCATED ? 0 : bound_growth(blocks, of->output);
}

/* The same of parts of `period` blocks that a register takes: F6. */
static double promoted_bound(const struct bounded *of, double period, double parts, bool compensated)
{
    const double u = ldexp(1, -of->unit->sum_format->result->precision), one = bound_one_rounding(u);
    const double part = chain_bound(of, period);
    if (compensated)
        return round_up(part + one + (1 + u) * bound_compound(2 * u * (1 + u), bound_growth(parts, 5 * u * u)));
    return round_up(part + (1 + chain_growth(of, period)) * bound_growth(parts - 1, one));
}

/* What subnormal factors, floors and outputs add: F5.  The exponent that a product with a subnormal factor has is at
 * most that of such a one with the largest number, and 2^(m-1) times the product. */
static double small_numbers(const struct bounded *of, double blocks, double sum_abs)
{
    const struct format *factors = fused_factors(of->unit), *result = of->unit->sum_format->result;
    const int least = result->least_exponent + result->precision - 1, floor = of->unit->floor;
    const double largest =
        blocks * ldexp(1, factors->least_exponent + factors->precision - 2 + factors->overflow_exponent);
    const double of_factors = bound_min(largest, ldexp(sum_abs, factors->precision - 1));
    const double each = (of->alignment + ldexp(1, -of->unit->fraction)) * ldexp(1, floor > least ? floor : least);
    return round_up(of->alignment * of_factors + blocks * (each + ldexp(1, least - of->unit->output)));
}

/* Factors that are truncated to TF32 lose less than 2^-10 of themselves, subnormal ones less than 2^-136: of a product
 * with the largest number 2^-8, or all of it. */
static double dropped_bound(const struct fused_unit *unit, double terms, double sum_abs)
{
    return unit->dropped ? round_up(0x1p-9 * sum_abs + bound_min(terms * 0x1p-7, sum_abs)) : 0;
}

static double bound(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    const struct fused_method *method = self->own;
    const struct fused_unit *unit = method->unit;
    const double blocks = (double)fused_blocks(unit, shape.terms), period = (double)fused_period(method, shape.terms);
    const double last_place = ldexp(1, -unit->output);
    const struct bounded bounded = {unit, ldexp((double)unit->terms, -unit->fraction),
                                    unit->rounding == TRUNCATED ? last_place : bound_one_rounding(last_place / 2)};
    (void)launch;
    if (of->sum_abs == 0)
        return 0;
    const double share = period > 0
                             ? promoted_bound(&bounded, period, ceil(blocks / period), method->order->compensated)
                             : chain_bound(&bounded, blocks);
    const double small = (1 + chain_growth(&bounded, blocks)) * small_numbers(&bounded, blocks, of->sum_abs);
    const double error = round_up(share * of->sum_abs + small + dropped_bound(unit, (double)shape.terms, of->sum_abs));
    return bound_in_range(error, of->sum_abs, self->format);
}

/* ---- as a method ---- */

static uint64_t height(const struct method *self, struct shape shape, struct launch launch)
{
    const struct fused_method *method = self->own;
    const uint64_t blocks = fused_blocks(method->unit, shape.terms), period = fused_period(method, shape.terms);
    (void)launch;
    return period > 0 ? (blocks < period ? blocks : period) + divided_up(blocks, period) : blocks;
}

static bool can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    (void)self, (void)launch, (void)why;
    return true;
}

static enum status replay(const struct method *self, const struct operands *of, struct launch launch, unsigned workers,
                          uint64_t *bits)
{
    const uint64_t count = shape_results(of->shape);
    OWNED void *c = calloc(count + 1, format_held(self->format)->bytes);
    (void)launch;
    if (!c)
        return out_of_memory("a matrix product");
    TRY(fused_replay(self->own, of, workers, c));
    for (uint64_t i = 0; i < count; i++)
        bits[i] = format_bits(self->format, held_number(self->format, c, i));
    return OK;
}

/* A register is of binary32, and not where an instruction has its own. */
static bool is_there(const struct fused_unit *unit, const struct fused_order *order)
{
    return order == orders || (unit->sum_format->result->bytes == sizeof(float) && !unit->own_blocks);
}

static struct {
    struct fused_method methods[UNITS * FUSED_ORDERS];
    size_t count;
} table;

static void fill_table(void)
{
    for (int u = 0; u < UNITS; u++)
        for (int o = 0; o < FUSED_ORDERS; o++) {
            struct fused_method *method = &table.methods[table.count];
            const bool is_binary32 = units[u].sum_format == &sum_format_binary32;
            if (!is_there(&units[u], &orders[o]))
                continue;
            *method = (struct fused_method){&units[u], &orders[o], ""};
            snprintf(method->id, sizeof method->id, "matmul:%s/%s%s%s", units[u].id, orders[o].id,
                     is_binary32 ? "" : "@", is_binary32 ? "" : units[u].sum_format->id);
            table.count++;
        }
}

static struct method as_method(const struct fused_method *method)
{
    static const struct accumulator_traits accumulator_traits = {.advantage = "the fused block"};
    static const struct order_traits order_traits = {0};
    return (struct method){
        .id = method->id,
        .accumulator = method->unit->id,
        .order = method->order->id,
        .sum_format = method->unit->sum_format,
        .format = method->unit->sum_format->result,
        .operation = OPERATION_matmul,
        .accumulator_claim = method->unit->claim,
        .order_claim = method->order->claim,
        .accumulator_traits = &accumulator_traits,
        .order_traits = &order_traits,
        .role = SUMS,
        .determinism = DETERMINISTIC,
        .slow_above = ANY_N,
        .can_do = can_do,
        .height = height,
        .bound = bound,
        .replay = replay,
        .own = method,
#ifdef ULPSCOPE_CUDA
        .device = fused_device(method->unit),
#endif
    };
}

size_t fused_methods(const struct sum_format *sum_format, struct method *methods)
{
    static pthread_once_t filled = PTHREAD_ONCE_INIT;
    size_t count = 0;
    pthread_once(&filled, fill_table);
    for (size_t m = 0; m < table.count; m++)
        if (table.methods[m].unit->sum_format == sum_format)
            methods[count++] = as_method(&table.methods[m]);
    return count;
}

/* Those of sm_90a, which no other GPU has, later ones neither. */
bool fused_is_absent(const struct method *method, const char *capability)
{
    return fused_of(method) && strcmp(capability, "9.0") != 0;
}

const struct fused_method *fused_of(const struct method *method)
{
    return method->replay == replay ? method->own : NULL;
}
