/* Matrix products that are computed in what tensor cores and libraries compute them in, and twins that do nearly that:
 * another period, another rounding.  A model of its own, in integers that binary64 holds; it shares nothing with
 * kernels/fused*. */
#include <ulpscope/plugin.h>

#include <math.h>
#include <string.h>

enum { FRACTION = 13, BLOCK = 32, LEAST = -6 };

static const void *input(const struct ulpscope_call *call, int i)
{
    return ulpscope_data(&call->inputs[i]);
}

struct element {
    int64_t n;
    double a[4096], b[4096];
};
typedef double sum_of_element(const struct element *of);

/* ---- numbers ---- */

static double of_e4m3(uint8_t byte)
{
    const int field = byte >> 3 & 15, fraction = byte & 7;
    const double magnitude = field > 0 ? ldexp(8 + fraction, field - 10) : ldexp(fraction, -9);
    return byte & 128 ? -magnitude : magnitude;
}

static double to_e4m3(double x)
{
    const int exponent = x == 0 || ilogb(x) < LEAST ? LEAST : ilogb(x);
    return rint(ldexp(x, 3 - exponent)) * ldexp(1, exponent - 3);
}

static float of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* To so many bits less, to nearest, ties to even. */
static float with_fewer(float x, int dropped)
{
    const uint32_t bits = bits_of(x), odd = bits >> dropped & 1, half = UINT32_C(1) << (dropped - 1);
    return of_bits((bits + half - 1 + odd) >> dropped << dropped);
}

/* ---- blocks of 32 products and c ---- */

static int exponent_of(double x)
{
    return ilogb(x) < LEAST ? LEAST : ilogb(x);
}

static double block(const struct element *of, int64_t first, double c, int fraction)
{
    int top = c != 0 ? ilogb(c) : -133;
    double sum;
    for (int64_t k = first; k < first + BLOCK && k < of->n; k++)
        if (of->a[k] != 0 && of->b[k] != 0 && exponent_of(of->a[k]) + exponent_of(of->b[k]) > top)
            top = exponent_of(of->a[k]) + exponent_of(of->b[k]);
    sum = trunc(ldexp(c, fraction - top));
    for (int64_t k = first; k < first + BLOCK && k < of->n; k++)
        sum += trunc(ldexp(of->a[k] * of->b[k], fraction - top));
    if (sum == 0)
        return 0;
    return ldexp(trunc(ldexp(sum, FRACTION - ilogb(sum))), ilogb(sum) - FRACTION + top - fraction);
}

static double chain(const struct element *of, int64_t first, int64_t end, int fraction)
{
    double c = 0;
    for (int64_t k = first; k < end && k < of->n; k += BLOCK)
        c = block(of, k, c, fraction);
    return c;
}

static double promoted(const struct element *of, int64_t period, int fraction)
{
    float total = 0;
    for (int64_t k = 0; k < of->n; k += period)
        total += (float)chain(of, k, k + period, fraction);
    return (double)total;
}

static double never(const struct element *of)
{
    return chain(of, 0, of->n, FRACTION);
}

static double never_but_14_bits(const struct element *of)
{
    return chain(of, 0, of->n, FRACTION + 1);
}

static double every_128(const struct element *of)
{
    return promoted(of, 128, FRACTION);
}

static double every_96(const struct element *of)
{
    return promoted(of, 96, FRACTION);
}

static double in_8_parts(const struct element *of)
{
    return promoted(of, of->n / 8, FRACTION);
}

/* The p-th has every eighth block. */
static double in_8_parts_in_turn(const struct element *of)
{
    float total = 0;
    for (int64_t p = 0; p < 8; p++) {
        double c = 0;
        for (int64_t k = p * BLOCK; k < of->n; k += 8 * BLOCK)
            c = block(of, k, c, FRACTION);
        total += (float)c;
    }
    return (double)total;
}

/* ---- with scales ---- */

static float scale(const double *x, int64_t count)
{
    double largest = 0;
    for (int64_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(x[k]));
    return largest > 0 ? (float)largest / 448 : 1;
}

static double scaled_by(const struct element *of, float (*take)(float part, float sa, float sb, float total))
{
    float total = 0;
    for (int64_t first = 0; first < of->n; first += 128) {
        struct element some = {.n = 128};
        const float sa = scale(of->a + first, 128), sb = scale(of->b + first, 128);
        for (int64_t k = 0; k < 128; k++) {
            some.a[k] = to_e4m3((double)((float)of->a[first + k] / sa));
            some.b[k] = to_e4m3((double)((float)of->b[first + k] / sb));
        }
        total = take((float)never(&some), sa, sb, total);
    }
    return (double)total;
}

static float by_fma(float part, float sa, float sb, float total)
{
    const float scaled = part * sa;
    return fmaf(scaled, sb, total);
}

static float by_two_roundings(float part, float sa, float sb, float total)
{
    const float scaled = part * sa, product = scaled * sb;
    return total + product;
}

static double scaled_by_fma(const struct element *of)
{
    return scaled_by(of, by_fma);
}

static double scaled_twice(const struct element *of)
{
    return scaled_by(of, by_two_roundings);
}

/* ---- binary32 of fewer bits ---- */

static double in_a_row(const struct element *of, float (*change)(float x))
{
    float total = 0;
    for (int64_t k = 0; k < of->n; k++) {
        const float product = change((float)of->a[k]) * change((float)of->b[k]);
        total += product;
    }
    return (double)total;
}

static float nearest_tf32(float x)
{
    return with_fewer(x, 13);
}

static float dropped_tf32(float x)
{
    return of_bits(bits_of(x) & ~UINT32_C(0x1fff));
}

static float of_12_bits(float x)
{
    return with_fewer(x, 12);
}

static float away_tf32(float x)
{
    return of_bits((bits_of(x) + 0x1000) & ~UINT32_C(0x1fff));
}

static double tf32_even(const struct element *of)
{
    return in_a_row(of, nearest_tf32);
}

static double tf32_dropped(const struct element *of)
{
    return in_a_row(of, dropped_tf32);
}

static double one_bit_more(const struct element *of)
{
    return in_a_row(of, of_12_bits);
}

static double tf32_away(const struct element *of)
{
    return in_a_row(of, away_tf32);
}

/* Of numbers that are TF32: nothing is rounded, and 8 bits of 11 are kept. */
static double even_of_tf32(const struct element *of)
{
    return in_a_row(of, nearest_tf32);
}

static float of_8_bits(float x)
{
    return with_fewer(x, 16);
}

static double bfloat16_of_tf32(const struct element *of)
{
    return in_a_row(of, of_8_bits);
}

/* ---- products ---- */

static double number(const struct ulpscope_call *call, int i, int64_t at)
{
    const uint8_t *bytes = (const uint8_t *)input(call, i);
    const float *numbers = (const float *)input(call, i);
    return call->inputs[i].dtype.bits == 8 ? of_e4m3(bytes[at]) : (double)numbers[at];
}

static int product(const struct ulpscope_call *call, sum_of_element *sum)
{
    static struct element of;
    const int64_t rows = call->inputs[0].shape[0], columns = call->inputs[1].shape[1];
    of.n = call->inputs[0].shape[1];
    if (of.n > 4096)
        return 1;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            for (int64_t k = 0; k < of.n; k++) {
                of.a[k] = number(call, 0, i * of.n + k);
                of.b[k] = number(call, 1, k * columns + j);
            }
            ((float *)ulpscope_data(call->outputs))[i * columns + j] = (float)sum(&of);
        }
    return 0;
}

#define PRODUCTS(ONE)                                                                                                  \
    ONE(never, "e4m3")                                                                                                 \
    ONE(never_but_14_bits, "e4m3")                                                                                     \
    ONE(every_128, "e4m3")                                                                                             \
    ONE(every_96, "e4m3")                                                                                              \
    ONE(in_8_parts, "e4m3")                                                                                            \
    ONE(in_8_parts_in_turn, "e4m3")                                                                                    \
    ONE(scaled_by_fma, "binary32")                                                                                     \
    ONE(scaled_twice, "binary32")                                                                                      \
    ONE(tf32_even, "binary32")                                                                                         \
    ONE(tf32_dropped, "binary32")                                                                                      \
    ONE(one_bit_more, "binary32")                                                                                      \
    ONE(tf32_away, "binary32")                                                                                         \
    ONE(even_of_tf32, "tf32_to_binary32")                                                                              \
    ONE(bfloat16_of_tf32, "tf32_to_binary32")

#define ENTRY(name, format)                                                                                            \
    static int product_##name(void *state, const struct ulpscope_call *call)                                           \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        return product(call, name);                                                                                    \
    }
PRODUCTS(ENTRY)

#define METHOD(name, format) ULPSCOPE_METHOD(#name, "matmul", format, ULPSCOPE_DETERMINISTIC, product_##name),
ULPSCOPE_PLUGIN("products", "1", PRODUCTS(METHOD))
