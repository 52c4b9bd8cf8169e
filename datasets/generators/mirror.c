/* mirror: everything that comes goes again.
 *
 *   reversed   a b c d  -d -c -b -a
 *   repeated   a b c d  -a -b -c -d
 *
 * By pairs, so that a pair and its negatives share their random bits: of an odd number of pairs one is a, -a, in the
 * middle of `reversed` and at the end of `repeated`; an odd n ends with 0.  f is random with p - 1 bits, b in
 * 0 .. binades-1.  For pairs in no order at all there is order=shuffled:SEED.
 */
#include "datasets/random.h"

#define FAMILY mirror
#define PAIR_BITS mirror_bits

/* What prepare() leaves in whole[]: the pairs that take none back are those below FIRST_BACK and from END_BACK on. */
enum { MIRROR_FIRST_BACK, MIRROR_END_BACK, MIRROR_LONE, MIRROR_REVERSED };

PORTABLE uint64_t mirror_takes_back(const struct generator_call *call, uint64_t p)
{
    return all_ones_below(p, call->whole[MIRROR_END_BACK]) & ~all_ones_below(p, call->whole[MIRROR_FIRST_BACK]);
}

/* Pair p takes back pair p - half, or pairs - 1 - p with its two numbers exchanged; of the lone pair both are a. */
PORTABLE struct random_block mirror_bits(const struct generator_call *call, uint64_t p)
{
    const uint64_t pairs = call->n / 2, back = mirror_takes_back(call, p),
                   swapped = back & call->whole[MIRROR_REVERSED];
    const uint64_t origin = chosen(back, chosen(call->whole[MIRROR_REVERSED], pairs - 1 - p, p - pairs / 2), p);
    const uint64_t others = all_ones_below(0, p ^ call->whole[MIRROR_LONE]);
    const struct random_block bits = random_bits(call, origin, 0);
    const uint64_t a = random_half(bits, 0), b = chosen(others, random_half(bits, 1), a);
    return random_block_of(chosen(swapped, b, a), chosen(swapped, a, b));
}

/* 2^-b by the exponent's field, the sign by its bit.  b = random / 2^32 * binades / 2^32, whose factors have 32 bits.
 */
PORTABLE double mirror_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const uint64_t lone = ~all_ones_below(0, i ^ (2 * call->whole[MIRROR_LONE] + 1));
    const uint32_t negative = (uint32_t)(mirror_takes_back(call, i / 2) | lone) << 31;
    const uint32_t b = (uint32_t)((uint64_t)(uint32_t)(random >> 32) * (uint32_t)call->values[0] >> 32);
    if (call->format.precision > FLT_MANT_DIG) { /* b = 12 bits, which f leaves */
        const uint64_t fewer = (random & 0xfff) * (uint64_t)call->values[0] >> 12;
        const double wide = double_from_bits(double_bits(random_significand(&call->format, random)) - (fewer << 52));
        return i >= call->n / 2 * 2 ? 0 : negative ? -wide : wide;
    }
    const uint32_t magnitude = float_bits((float)random_significand(&call->format, random)) - (b << 23);
    return (double)float_from_bits((magnitude | negative) & (uint32_t)all_ones_below(i, call->n / 2 * 2));
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
static enum status prepare(struct generator_call *call)
{
    const uint64_t pairs = call->n / 2, half = pairs / 2;
    const bool reversed = call->values[1] == 0;
    call->whole[MIRROR_FIRST_BACK] = reversed ? pairs - half : half;
    call->whole[MIRROR_END_BACK] = call->whole[MIRROR_FIRST_BACK] + half;
    call->whole[MIRROR_LONE] = pairs % 2 == 0 ? MOST_N : reversed ? half : 2 * half; /* MOST_N: none */
    call->whole[MIRROR_REVERSED] = reversed ? UINT64_MAX : 0;
    return OK;
}

static void adapt(const struct format *format, struct parameter *row)
{
    const double most = fmin(100, 1 - format_least_normal_exponent(format));
    adapt_row(row, "binades", fmin(row->fallback, most), 1, most);
}

const struct generator generator_mirror = {
    .id = "mirror",
    .summary = "positive numbers, then their negatives",
    .formula = "x_i = (1 + f) 2^-b, x_(n-1-i) = -x_i; an odd n ends with 0",
    .source = "the data of sum 0 in the tests of Zhu & Hayes, Algorithm 908, ACM Trans. Math. Softw. 37(3) (2010), "
              "without their shuffle",
    .effects = EFFECTS(
        {"n=4Ki", "compensated/*,wider/*,exact/*,!kahan*", AT_MOST, 0}, {"n=4Ki", "plain/serial", AT_LEAST, 9e37},
        {"n=4Ki", "kahan/serial", AT_LEAST, 1e37}, {"n=4Ki", "plain/tree_two_pass,kahan/tree_two_pass", AT_MOST, 0},
        {"n=1Mi", "plain/serial,plain/tree_two_pass", AT_LEAST, 2e39},
        {"n=1Mi", "kahan/serial,kahan/tree_two_pass", AT_LEAST, 7e37}, {"n=1Mi", "neumaier/serial", AT_LEAST, 4e37},
        {"n=1Mi", "klein/*,double_float/*,binary64*,binned*", AT_MOST, 0}, {"n=16Mi", "klein/serial", AT_LEAST, 5e38},
        {"n=16Mi", "binary64/serial", AT_MOST, 0}, {"n=4Ki,second=repeated", "plain/serial", AT_LEAST, 3e39},
        {"n=4Ki,second=repeated", "plain/pairwise", AT_MOST, 0},
        {"n=4Ki,second=repeated", "neumaier/*,klein/*,binary64*", AT_MOST, 0}),
    .exact = "0; condition infinite",
    .showcase = {"mirror:n=4096", "mirror:n=4096,second=repeated"},
    .parameters = PARAMETERS({"binades", WHOLE, 8, 1, 100, "the numbers lie in [2^(1-binades), 2)", NULL},
                             {"second", WORD, 0, 0, 0, "the order of the second half", WORDS("reversed", "repeated")}),
    .random = true,
    .refuses = every_format,
    .adapt = adapt,
    .prepare = prepare,
    .elements = mirror_elements,
};
#endif
