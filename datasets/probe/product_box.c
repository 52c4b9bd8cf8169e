#include "product_box.h"

#include "src/base/format.h"

#include <math.h>
#include <sys/param.h>

/* Formats that have 2^50 keep their own exponents; of others the least product is that of two normal factors, or, where
 * that is not far enough below the largest (e4m3), of two subnormal ones. */
static struct format values_of(const struct sum_format *formats)
{
    enum { FAR_ENOUGH = 46, WIDE = 102 };
    const struct format *stored = formats->stored, *result = formats->result;
    struct format values = *stored;
    if (stored->overflow_exponent > WIDE)
        return values;
    const int normal = stored->least_exponent + stored->precision - 1, most = stored->overflow_exponent - 1;
    const bool is_short = 2 * (most - normal) < FAR_ENOUGH;
    values.least_exponent = MAX(2 * (is_short ? stored->least_exponent : normal), result->least_exponent);
    values.overflow_exponent = MIN(2 * most, result->overflow_exponent - 1) + 1;
    return values;
}

enum status product_box_start(const struct method *method, uint64_t n, uint64_t side, struct product_box *box)
{
    const struct sum_format *formats = method->sum_format;
    const size_t bytes = format_held(formats->stored)->bytes;
    *box = (struct product_box){.method = method,
                                .values = values_of(formats),
                                .asked = *formats,
                                .a = calloc(side * n + 1, bytes),
                                .b = calloc(side * n + 1, bytes),
                                .bits = calloc(side * side, sizeof *box->bits)};
    box->asked.stored = &box->values;
    box->operands = (struct operands){formats->stored, method->operation, {box->a, box->b}, {n, side, side}};
    return box->a && box->b && box->bits ? OK : out_of_memory("a matrix product");
}

void product_box_end(struct product_box *box)
{
    free_all(box->a, box->b, box->bits);
}

/* The exponent of the factor that is a power of two: half of it, unless the other one would be subnormal. */
static int exponent_of_power(const struct format *stored, double x)
{
    const int normal = stored->least_exponent + stored->precision - 1, most = stored->overflow_exponent - 1;
    const int exponent = x == 0 ? 0 : ilogb(x), half = (int)floor(exponent / 2.0);
    const int of_number = MIN(MAX(half, normal), most);
    return MAX(exponent - of_number, stored->least_exponent);
}

void product_box_set(const struct product_box *box, const void *x)
{
    const struct format *stored = box->method->sum_format->stored;
    for (uint64_t k = 0; k < box->operands.shape.terms; k++) {
        const double value = held_number(&box->values, x, k);
        const int power = exponent_of_power(stored, value);
        held_set(stored, box->a, k, ldexp(value, -power));
        held_set(stored, box->b, k * box->operands.shape.columns, ldexp(1, power));
    }
}
