#include "products.h"

#include <math.h>

static const uint32_t BLOCK_OF_SCALE = 128, PERIOD_OF_FP8 = 128; /* of k */

/* ---- candidates ---- */

/* Registers take the blocks of so many of k, or there are so many equal parts; {0}: one chain. */
static const struct {
    uint32_t of_k, parts;
    bool compensated;
} orders[] = {{.of_k = 0},
              {.of_k = 128},
              {.of_k = 64},
              {.of_k = 32},
              {.of_k = 16},
              {.of_k = 8},
              {.of_k = 4},
              {.of_k = 256},
              {.of_k = 512},
              {.of_k = 1024},
              {.parts = 2},
              {.parts = 3},
              {.parts = 4},
              {.parts = 5},
              {.parts = 6},
              {.parts = 7},
              {.parts = 8},
              {.parts = 16},
              {.of_k = 128, .compensated = true}};
enum { ORDERS = sizeof orders / sizeof *orders };

static bool stores_alike(const struct sum_format *a, const struct sum_format *b)
{
    return strcmp(a->stored->name, b->stored->name) == 0;
}

static bool has_numbers_of(const struct fused_unit *a, const struct fused_unit *b)
{
    return a->sum_format == b->sum_format && a->terms == b->terms && a->fraction == b->fraction &&
           a->floor == b->floor && a->output == b->output && a->rounding == b->rounding && a->dropped == b->dropped &&
           a->own_blocks == b->own_blocks;
}

/* Two generations that have the same numbers are one way. */
static bool is_first(const struct fused_unit *units, size_t u)
{
    for (size_t before = 0; before < u; before++)
        if (has_numbers_of(&units[before], &units[u]))
            return false;
    return true;
}

/* An order of so many blocks that is none of those before it: more than one part, whole blocks, and a register. */
static bool set_order(const struct fused_unit *unit, uint64_t n, size_t o, struct fused_order *order)
{
    const uint64_t blocks = fused_blocks(unit, n);
    *order = (struct fused_order){.period = orders[o].of_k / (uint32_t)unit->terms,
                                  .parts = orders[o].parts,
                                  .compensated = orders[o].compensated};
    if (o == 0)
        return true;
    if (unit->own_blocks || unit->sum_format->result->bytes != sizeof(float) || blocks < 2)
        return false;
    return orders[o].parts > 0
               ? orders[o].parts <= blocks
               : orders[o].of_k % (uint32_t)unit->terms == 0 && order->period > 0 && order->period < blocks;
}

/* Number `at` of units, orders and factors. */
static bool set_blocks(const struct method *method, uint64_t n, size_t at, struct product_arithmetic *product)
{
    size_t count;
    const struct fused_unit *units = fused_units(&count), *unit = &units[at / (2 * ORDERS)];
    const bool is_rounded = at / ORDERS % 2;
    if (!is_first(units, at / (2 * ORDERS)) || (is_rounded && !unit->dropped))
        return false;
    *product = (struct product_arithmetic){unit, {0}, method, is_rounded ? TF32_NEAREST : AS_STORED, n > PERIOD_OF_FP8};
    return stores_alike(unit->sum_format, method->sum_format) &&
           !format_is_narrower(unit->sum_format->result, method->format) &&
           set_order(unit, n, at % ORDERS, &product->order);
}

/* Units of e4m3 that multiply numbers of more bits. */
static bool set_scaled(const struct method *method, size_t u, struct product_arithmetic *product)
{
    size_t count;
    const struct fused_unit *units = fused_units(&count);
    *product = (struct product_arithmetic){&units[u], {0}, method, IN_E4M3, false};
    return method->sum_format->stored->precision > FORMAT_E4M3.precision &&
           method->sum_format->stored->bytes < sizeof(double) && units[u].sum_format == &sum_format_e4m3 &&
           is_first(units, u);
}

/* Tiles have the bits of naive. */
static bool may_add(const struct method *candidate, const struct method *method)
{
    return candidate->role == SUMS && strncmp(candidate->order, "tile_", 5) != 0 && candidate->replay &&
           !fused_of(candidate) && candidate->determinism == DETERMINISTIC &&
           strcmp(candidate->format->name, method->format->name) == 0;
}

/* Number `at` of our methods in all formats, which is counted down; false: there are fewer. */
static bool set_method(const struct method *method, size_t *at, struct product_arithmetic *product)
{
    for (int operation = VECTOR_OPERATIONS; operation < OPERATIONS; operation++)
        for (int f = 0; f < SUM_FORMATS; f++) {
            size_t count;
            const struct method *const *table = method_table_for((enum operation)operation, sum_formats[f], &count);
            for (size_t m = 0; m < count && stores_alike(sum_formats[f], method->sum_format); m++) {
                if (!may_add(table[m], method) || (*at)-- > 0)
                    continue;
                *product = (struct product_arithmetic){.method = table[m]};
                return true;
            }
        }
    return false;
}

bool product_next(const struct method *method, uint64_t n, size_t *at, struct product_arithmetic *product)
{
    size_t units;
    fused_units(&units);
    const size_t of_blocks = units * 2 * ORDERS, of_scaled = units;
    const bool is_binary32 = method->sum_format->stored->precision == FORMAT_BINARY32.precision;
    for (;;) {
        size_t left = (*at)++;
        const size_t before = left;
        if (set_method(method, &left, product))
            return true;
        const size_t of_methods = before - left;
        if (left < of_blocks ? set_blocks(method, n, left, product)
                             : left < of_blocks + of_scaled && set_scaled(method, left - of_blocks, product))
            return true;
        if (left < of_blocks + of_scaled)
            continue;
        left -= of_blocks + of_scaled;
        if (!is_binary32 || left >= 2 * of_methods)
            return false;
        const enum product_factors factors = left < of_methods ? TF32_NEAREST : TF32_DROPPED;
        left %= of_methods;
        set_method(method, &left, product);
        product->factors = factors;
        return true;
    }
}

/* ---- an element ---- */

static double factor_of(const struct product_arithmetic *product, double x, float scale)
{
    if (product->factors == TF32_NEAREST)
        return rounded_to(x, &FORMAT_TF32);
    if (product->factors == TF32_DROPPED)
        return (double)float_from_bits(float_bits((float)x) & ~UINT32_C(0x1fff));
    return product->factors == IN_E4M3 ? rounded_to((double)((float)x / scale), &FORMAT_E4M3) : x;
}

static float scale_of(const struct dataset *data, const void *x, uint64_t first, uint64_t count)
{
    double largest = 0;
    for (uint64_t k = first; k < first + count; k++)
        largest = fmax(largest, fabs(held_number(data->format, x, k)));
    const float scale = (float)largest / (float)format_largest(&FORMAT_E4M3);
    return scale > 0 ? scale : 1;
}

/* The factors from one on, as `stored` is held; one scale for all. */
static void set_factors(const struct product_arithmetic *product, const struct dataset *data, const void *x,
                        uint64_t first, uint64_t count, const struct format *stored, float scale, void *to)
{
    for (uint64_t k = 0; k < count; k++)
        held_set(stored, to, k, factor_of(product, held_number(data->format, x, first + k), scale));
}

/* Of products from one on; `room` is for the factors of both. */
static enum status sum_of_some(const struct product_arithmetic *product, const struct dataset *data, uint64_t first,
                               uint64_t count, const float scales[2], double *room, double *sum)
{
    const struct sum_format *formats = product->unit ? product->unit->sum_format : product->method->sum_format;
    const struct fused_method blocks = {product->unit, &product->order, ""};
    const struct operands of = {formats->stored,
                                product->unit ? OPERATION_matmul : product->method->operation,
                                {room, room + count},
                                {count, 1, 1}};
    double c = 0;
    uint64_t bits;
    set_factors(product, data, data->x, first, count, formats->stored, scales[0], room);
    set_factors(product, data, data->y, first, count, formats->stored, scales[1], room + count);
    if (product->unit) {
        TRY(fused_replay(&blocks, &of, 1, &c));
        *sum = held_number(formats->result, &c, 0);
        return OK;
    }
    TRY(method_replay(product->method, &of, (struct launch){1, 1}, 1, &bits));
    *sum = format_value(product->method->format, bits);
    return OK;
}

/* R = fma((part sa), sb, R) in binary32. */
static enum status sum_of_scaled(const struct product_arithmetic *product, const struct dataset *data, double *room,
                                 double *sum)
{
    float total = 0;
    for (uint64_t first = 0; first < data->n; first += BLOCK_OF_SCALE) {
        const uint64_t count = data->n - first < BLOCK_OF_SCALE ? data->n - first : BLOCK_OF_SCALE;
        const float scales[2] = {scale_of(data, data->x, first, count), scale_of(data, data->y, first, count)};
        double part;
        TRY(sum_of_some(product, data, first, count, scales, room, &part));
        total = fmaf((float)part * scales[0], scales[1], total);
    }
    *sum = (double)total;
    return OK;
}

enum status product_sum(const struct product_arithmetic *product, const struct dataset *data, uint64_t *bits)
{
    static const float one[2] = {1, 1};
    OWNED double *room = malloc((2 * data->n + 1) * sizeof *room);
    double sum;
    TRY(room ? OK : out_of_memory("the factors of an element"));
    TRY(product->factors == IN_E4M3 ? sum_of_scaled(product, data, room, &sum)
                                    : sum_of_some(product, data, 0, data->n, one, room, &sum));
    *bits = format_bits(product->method->format, rounded_to(sum, product->method->format));
    return OK;
}

/* ---- in words ---- */

void product_say_method(const struct product_arithmetic *product, struct text *to)
{
    if (!product->unit) {
        text_append(to, "%s", product->method->id);
        return;
    }
    const struct sum_format *formats = product->unit->sum_format;
    const bool is_binary32 = formats == &sum_format_binary32;
    text_append(to, "matmul:%s%s%s", product->unit->id, is_binary32 ? "" : "@", is_binary32 ? "" : formats->id);
}

/* "promoted every 128 of k", "split in 8 parts of k", "never promoted (fast accumulation)" */
static void say_order(const struct product_arithmetic *product, struct text *to)
{
    const struct fused_order *order = &product->order;
    const char *comma = product->factors != AS_STORED || (product->unit && product->unit->dropped) ? ", " : "";
    const bool is_fp8 = product->unit && product->unit->sum_format->stored->bytes == 1;
    const int parts = product->unit || strncmp(product->method->order, "split_", 6) != 0
                          ? (int)order->parts
                          : atoi(product->method->order + 6);
    if (parts > 0)
        text_append(to, "%ssplit in %d parts of k", comma, parts);
    else if (order->period > 0)
        text_append(to, "%s%spromoted every %u of k%s", comma, is_fp8 ? "fp8 " : "",
                    order->period * (uint32_t)product->unit->terms, order->compensated ? ", compensated" : "");
    else if (is_fp8 && product->is_longer && !product->unit->own_blocks)
        text_append(to, "fp8 never promoted (fast accumulation)");
}

void product_say_cause(const struct product_arithmetic *product, struct text *to)
{
    const bool is_dropped = product->factors == TF32_DROPPED || (product->unit && product->unit->dropped);
    if (product->factors == IN_E4M3) {
        text_append(to, "factors in e4m3 by blocks of %u of k, scaled by fma of (part sa) sb", BLOCK_OF_SCALE);
        return;
    }
    if (product->factors == TF32_NEAREST || is_dropped)
        text_append(to, "binary32 inputs rounded to TF32 (%s)",
                    product->factors == TF32_NEAREST ? "nearest even" : "dropped");
    say_order(product, to);
}

static bool has_bits(const struct product_arithmetic *product, const struct product_element *elements, size_t count,
                     enum status *status)
{
    for (size_t e = 0; e < count && *status == OK; e++) {
        uint64_t bits = 0;
        *status = product_sum(product, &elements[e].data, &bits);
        if (!format_same(product->method->format, bits, elements[e].bits))
            return false;
    }
    return *status == OK;
}

enum status product_diagnose(const struct method *method, const struct product_element *elements, size_t count,
                             char **sentence)
{
    enum { NAMED_MOST = 3 };
    struct text said = {0};
    struct product_arithmetic product;
    uint64_t n = 0;
    size_t fitting = 0, ways = 0;
    enum status status = OK;
    for (size_t e = 0; e < count; e++)
        n = elements[e].data.n > n ? elements[e].data.n : n;
    for (size_t at = 0; status == OK && product_next(method, n, &at, &product); ways++) {
        if (!has_bits(&product, elements, count, &status))
            continue;
        struct text cause = {0};
        product_say_cause(&product, &cause);
        OWNED char *words = text_take(&cause);
        text_append(&said, fitting == 0 ? "bit for bit " : fitting < NAMED_MOST ? ", or " : "");
        if (fitting++ >= NAMED_MOST)
            continue;
        product_say_method(&product, &said);
        text_append(&said, "%s%s", *words ? ", " : "", words);
    }
    if (fitting == 0)
        text_append(&said, "none of %zu ways to compute it has the bits of %zu elements", ways, count);
    else
        text_append(&said, ", on %zu of %zu elements", count, count);
    if (fitting > NAMED_MOST)
        text_append(&said, "; %zu more fit%s as well", fitting - NAMED_MOST, fitting == NAMED_MOST + 1 ? "s" : "");
    *sentence = text_take(&said);
    return status;
}
