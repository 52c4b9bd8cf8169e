/* The sums of fused units on the host, without a branch in the loops: truncating an aligned term is the conversion to
 * an integer, and a number's exponent is the power of two that stands beside it.
 *
 * Binary64 holds every product, 2^25 times a term and what a block comes to.  A sum of aligned terms is below 2^31:
 * 16 x (2 - 2^-10)^2 x 2^25 = 2^31 - 2^21, so c is added outside. */
#include "fused.h"

#include "claim.h" /* INFINITY, ldexp */
#include "src/base/format.h"
#include "src/base/workers.h"

#include <stdlib.h>
#include <sys/param.h>

enum { COLUMNS = 64, FRACTION_BITS = 52, EXPONENT_BIAS = 1023 };
#define FRACTION_MASK ((UINT64_C(1) << FRACTION_BITS) - 1)

struct factors {
    double *values, *powers; /* place after place, `width` numbers each; powers: 2^exponent, of 0 it is 0 */
    uint64_t width;
    bool has_special; /* infinities and NaN, which stand as 0 */
};

struct sum {
    const struct fused_method *method;
    const struct operands *of;
    void *c;
    uint64_t places; /* blocks times terms */
    double *room;    /* of each worker: the factors of a row of A, and of COLUMNS columns of B */
    unsigned workers;
};

static double power_of(double x)
{
    return double_from_bits(double_bits(x) & ~FRACTION_MASK & INT64_MAX);
}

static double least_power(const struct format *format)
{
    return ldexp(1, format->least_exponent + format->precision - 1);
}

/* ---- factors ---- */

/* Dropping bits of a NaN could make an infinity of it. */
static double factor(const struct sum *sum, int array, uint64_t row, uint64_t column)
{
    const struct operands *of = sum->of;
    const uint64_t step = array == 0 ? of->shape.terms : of->shape.columns;
    const double x = held_number(of->format, of->arrays[array], row * step + column);
    const int dropped = sum->method->unit->dropped;
    return dropped && x == x ? (double)float_from_bits(float_bits((float)x) >> dropped << dropped) : x;
}

static void put(struct factors *into, uint64_t at, double x, double least)
{
    const bool is_special = x - x != 0;
    into->has_special |= is_special;
    into->values[at] = is_special ? 0 : x;
    into->powers[at] = into->values[at] != 0 ? fmax(power_of(x), least) : 0;
}

/* Row `row` of A, or `width` columns of B from `first` on; what lies beyond an edge is 0, which is no term. */
static void read_factors(const struct sum *sum, int array, uint64_t first, uint64_t width, struct factors *into)
{
    const struct shape *shape = &sum->of->shape;
    const double least = least_power(fused_factors(sum->method->unit));
    into->has_special = false;
    for (uint64_t place = 0; place < sum->places; place++) {
        const uint64_t k = fused_product(sum->method->unit, place);
        for (uint64_t j = 0; j < into->width; j++) {
            const bool is_there = k < shape->terms && j < width;
            const uint64_t row = array == 0 ? first : k, column = array == 0 ? k : first + j;
            put(into, place * into->width + j, is_there ? factor(sum, array, row, column) : 0, least);
        }
    }
}

/* ---- a block ---- */

/* Where an element is: of which row, in which columns. */
struct at {
    uint64_t row, first, width;
};

/* Infinities and NaN go by IEEE's rules, whatever else a block has: what they come to, and 0 where there is none. */
static void take_specials(const struct sum *sum, struct at at, uint64_t place, bool in_factors, double *c,
                          double *special)
{
    for (uint64_t j = 0; j < at.width; j++) {
        special[j] = c[j] - c[j] == 0 ? 0 : c[j];
        c[j] = c[j] - c[j] == 0 ? c[j] : 0;
        for (int t = 0; t < sum->method->unit->terms && in_factors; t++) {
            const uint64_t k = fused_product(sum->method->unit, place + (uint64_t)t);
            const double product =
                k < sum->of->shape.terms ? factor(sum, 0, at.row, k) * factor(sum, 1, k, at.first + j) : 0;
            special[j] += product - product == 0 ? 0 : product;
        }
    }
}

/* Toward zero to `output` bits behind the first, or, of what is subnormal, to the last place that it has. */
static void truncate_all(const struct fused_unit *unit, double *y)
{
    const struct format *format = unit->sum_format->result;
    const uint64_t lost = (UINT64_C(1) << (FRACTION_BITS - unit->output)) - 1;
    const double least = least_power(format), beyond = ldexp(1, format->overflow_exponent);
    const double last_place = ldexp(least, -unit->output), places = 1 / last_place;
    int others = 0;
    for (int j = 0; j < COLUMNS; j++)
        others |= (fabs(y[j]) < least) | (fabs(y[j]) >= beyond);
    for (int j = 0; j < COLUMNS && others; j++)
        y[j] = fabs(y[j]) >= beyond ? copysign(INFINITY, y[j])
               : fabs(y[j]) < least ? (double)(int64_t)(y[j] * places) * last_place
                                    : y[j];
    for (int j = 0; j < COLUMNS; j++)
        y[j] = double_from_bits(double_bits(y[j]) & ~lost) + 0.0;
}

/* Adding 1.5 times 2^52 of the last places leaves whole ones, ties to even. */
static void round_all(const struct fused_unit *unit, double *y)
{
    const struct format *format = unit->sum_format->result;
    const double least = least_power(format), beyond = ldexp(1, format->overflow_exponent);
    const double to_places = ldexp(1.5, FRACTION_BITS - unit->output);
    int is_beyond = 0;
    for (int j = 0; j < COLUMNS; j++) {
        const double power = power_of(y[j]), large = (power > least ? power : least) * to_places;
        y[j] = (y[j] + large) - large;
        is_beyond |= fabs(y[j]) >= beyond;
    }
    for (int j = 0; j < COLUMNS && is_beyond; j++)
        y[j] = fabs(y[j]) >= beyond ? copysign(INFINITY, y[j]) : y[j];
}

/* c, all finite, becomes what the block comes to. */
static void add_block(const struct fused_unit *unit, const double *a, const double *power_a, const double *b,
                      const double *power_b, double *c)
{
    const double floor = ldexp(1, unit->floor), least = least_power(unit->sum_format->result);
    const double unit_of = ldexp(1, -unit->fraction);
    const uint64_t twice_bias = (uint64_t)(2 * EXPONENT_BIAS + unit->fraction) << FRACTION_BITS;
    double top[COLUMNS], scale[COLUMNS];
    int32_t total[COLUMNS] = {0};
    for (int j = 0; j < COLUMNS; j++) {
        const double power = power_of(c[j]), of_c = power > least ? power : least, at_least = c[j] != 0 ? of_c : floor;
        top[j] = at_least > floor ? at_least : floor;
    }
    for (int k = 0; k < unit->terms; k++)
        for (int j = 0; j < COLUMNS; j++) {
            const double power = power_a[k] * power_b[k * COLUMNS + j];
            top[j] = power > top[j] ? power : top[j];
        }
    for (int j = 0; j < COLUMNS; j++)
        scale[j] = double_from_bits(twice_bias - double_bits(top[j])); /* 2^F / top */
    for (int k = 0; k < unit->terms; k++)
        for (int j = 0; j < COLUMNS; j++)
            total[j] += (int32_t)(a[k] * b[k * COLUMNS + j] * scale[j]);
    for (int j = 0; j < COLUMNS; j++)
        c[j] = ((double)total[j] + (double)(int32_t)(c[j] * scale[j])) * (top[j] * unit_of);
    if (unit->rounding == TRUNCATED)
        truncate_all(unit, c);
    else
        round_all(unit, c);
}

/* ---- a row of C ---- */

struct row {
    const struct sum *sum;
    struct at at;
    const struct factors *a, *b;
};

static void add_blocks(const struct row *row, uint64_t first, uint64_t end, double *c)
{
    const struct fused_unit *unit = row->sum->method->unit;
    const bool in_factors = row->a->has_special || row->b->has_special;
    for (uint64_t place = first * (uint64_t)unit->terms; place < end * (uint64_t)unit->terms;
         place += (uint64_t)unit->terms) {
        double special[COLUMNS] = {0};
        bool has_special = in_factors;
        for (int j = 0; j < COLUMNS; j++)
            has_special |= c[j] - c[j] != 0;
        if (has_special)
            take_specials(row->sum, row->at, place, in_factors, c, special);
        add_block(unit, row->a->values + place, row->a->powers + place, row->b->values + place * COLUMNS,
                  row->b->powers + place * COLUMNS, c);
        for (int j = 0; j < COLUMNS && has_special; j++)
            c[j] = special[j] != 0 ? special[j] : c[j];
    }
}

/* The register takes what some blocks came to; an excess that is not finite is dropped, as in accumulators/kahan.h. */
static void add_part(const struct fused_method *method, const double *part, double *total, double *excess)
{
    const struct format *format = method->unit->sum_format->result;
    for (int j = 0; j < COLUMNS; j++) {
        const double y = rounded_to(part[j] - excess[j], format), t = rounded_to(total[j] + y, format);
        const double left = rounded_to(rounded_to(t - total[j], format) - y, format);
        excess[j] = method->order->compensated && left - left == 0 ? left : 0;
        total[j] = t;
    }
}

static void sum_row(const struct row *row, double *total)
{
    const struct fused_method *method = row->sum->method;
    const uint64_t inner = row->sum->of->shape.terms;
    const uint64_t blocks = fused_blocks(method->unit, inner), period = fused_period(method, inner);
    double excess[COLUMNS] = {0};
    if (period == 0)
        add_blocks(row, 0, blocks, total);
    for (uint64_t first = 0; first < blocks && period > 0; first += period) {
        double part[COLUMNS] = {0};
        add_blocks(row, first, MIN(first + period, blocks), part);
        add_part(method, part, total, excess);
    }
}

/* Worker w has every so many-th panel of COLUMNS columns of B. */
static void sum_panels(void *context, unsigned worker)
{
    const struct sum *sum = context;
    const struct shape *shape = &sum->of->shape;
    const struct format *result = sum->method->unit->sum_format->result;
    double *room = sum->room + worker * sum->places * 2 * (COLUMNS + 1);
    struct factors a = {room, room + sum->places, 1, false};
    struct factors b = {a.powers + sum->places, a.powers + sum->places * (COLUMNS + 1), COLUMNS, false};
    for (uint64_t first = (uint64_t)worker * COLUMNS; first < shape->columns; first += sum->workers * COLUMNS) {
        const uint64_t width = MIN(COLUMNS, shape->columns - first);
        read_factors(sum, 1, first, width, &b);
        for (uint64_t i = 0; i < shape->rows; i++) {
            double total[COLUMNS] = {0};
            read_factors(sum, 0, i, 1, &a);
            sum_row(&(struct row){sum, {i, first, width}, &a, &b}, total);
            for (uint64_t j = 0; j < width; j++)
                held_set(result, sum->c, i * shape->columns + first + j, total[j]);
        }
    }
}

enum status fused_replay(const struct fused_method *method, const struct operands *of, unsigned workers, void *c)
{
    const uint64_t panels = (of->shape.columns + COLUMNS - 1) / COLUMNS;
    const uint64_t places = fused_blocks(method->unit, of->shape.terms) * (uint64_t)method->unit->terms;
    struct sum sum = {method, of, c, places, NULL, (unsigned)MAX(1, MIN(workers, panels))};
    OWNED double *room = malloc((sum.workers * sum.places * 2 * (COLUMNS + 1) + 1) * sizeof *room);
    if (!room)
        return out_of_memory("the numbers of a matrix product");
    sum.room = room;
    workers_run(sum.workers, sum_panels, &sum);
    return OK;
}
