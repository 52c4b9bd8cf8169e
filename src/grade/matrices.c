#include "matrices.h"

#include "graded.h"

#include "datasets/gaussian.h"
#include "src/base/format.h"

#include <math.h>

/* ---- random bits ---- */

/* A, B, what both share, and exponents of A and B: each has n n of its own. */
enum part { PART_A, PART_B, PART_SHARED, PART_EXPONENTS, PARTS = PART_EXPONENTS + 2 };

static uint64_t place(const struct matrix_call *call, enum part part, uint64_t row, uint64_t column)
{
    return (part * call->random.n + row) * call->random.n + column;
}

static uint64_t bits_at(const struct matrix_call *call, uint64_t index)
{
    return random_of_element(&call->random, index);
}

/* In [1, 2), with every bit of the format. */
static double in_one_binade(const struct matrix_call *call, uint64_t index)
{
    return random_significand(&call->random.format, bits_at(call, index));
}

/* ---- zeros ---- */

/* A Gaussian times 2^-4 to 2^4, so that sums of numbers of few bits round as well. */
static double gaussian_at(const struct matrix_call *call, uint64_t index)
{
    const int exponent =
        (int)random_below(bits_at(call, index + PART_EXPONENTS * call->random.n * call->random.n), 9) - 4;
    return rounded_to(gaussian(&call->random, index, bits_at(call, index)) * double_power(exponent),
                      &call->random.format);
}

/* Whether the zero of row i and its column is A's at this k; else it is B's. */
static bool is_zero_of_a(const struct matrix_call *call, uint64_t i, uint64_t k)
{
    return bits_at(call, place(call, PART_SHARED, i, k)) >> 63;
}

static double zeros_a(const struct matrix_call *call, uint64_t i, uint64_t k)
{
    return is_zero_of_a(call, i, k) ? 0 : gaussian_at(call, place(call, PART_A, i, k));
}

/* Column j meets row j - shift. */
static double zeros_b(const struct matrix_call *call, uint64_t k, uint64_t j)
{
    const uint64_t i = (j - call->shift) % call->random.n;
    return is_zero_of_a(call, i, k) ? gaussian_at(call, place(call, PART_B, k, j)) : 0;
}

/* ---- scales ---- */

/* 2^range and 2^-range times [1, 2) are normal numbers of the format. */
static int range_of_numbers(const struct sum_format *formats, uint64_t n)
{
    const int high = formats->stored->overflow_exponent - 2, low = -format_least_normal_exponent(formats->stored);
    (void)n;
    return high < low ? high : low;
}

/* `count` scales, spread evenly from 2^range down to 2^-range, in random order: number k of them. */
static int exponent_of(const struct matrix_call *call, uint64_t k, uint64_t count)
{
    const uint64_t step = (call->stride * k + call->shift) % count;
    return call->range - (int)((2 * (uint64_t)call->range * step) / (count - 1));
}

static double scales_a(const struct matrix_call *call, uint64_t i, uint64_t k)
{
    return double_scaled(in_one_binade(call, place(call, PART_A, i, k)), exponent_of(call, k, call->random.n));
}

static double scales_b(const struct matrix_call *call, uint64_t k, uint64_t j)
{
    return double_scaled(in_one_binade(call, place(call, PART_B, k, j)), -exponent_of(call, k, call->random.n));
}

/* ---- blocks ---- */

/* The same, and that the product of two numbers of the largest scale, n times, and 4 n^3 times as much in the sums of
 * Strassen, stays finite. */
static int range_of_products(const struct sum_format *formats, uint64_t n)
{
    const int numbers = range_of_numbers(formats, n), sum = formats->added->overflow_exponent,
              result = formats->result->overflow_exponent;
    const int products = ((sum < result ? sum : result) - 4 - 4 * (int)log2((double)n)) / 2;
    return products < numbers ? products : numbers;
}

static int block_exponent(const struct matrix_call *call, uint64_t line, uint64_t k)
{
    return line == call->random.n - 1 ? call->range : exponent_of(call, k % BLOCK, BLOCK);
}

static double blocks_a(const struct matrix_call *call, uint64_t i, uint64_t k)
{
    return double_scaled(in_one_binade(call, place(call, PART_A, i, k)), block_exponent(call, i, k));
}

static double blocks_b(const struct matrix_call *call, uint64_t k, uint64_t j)
{
    const int exponent = j == call->random.n - 1 ? call->range : -block_exponent(call, 0, k);
    return double_scaled(in_one_binade(call, place(call, PART_B, k, j)), exponent);
}

/* Higham, Accuracy and Stability of Numerical Algorithms (2002), 23.2.2: Winograd's form, which is worse than
 * Strassen's, has ((n / m)^log2(18) (m^2 + 6 m) - 6 n) u max|A| max|B| to first order.  Without the powers of two the
 * maxima are 2, and (|A| |B|)_ij >= n. */
double matrix_strassen_bound(uint64_t n)
{
    const double m = BLOCK, size = (double)n;
    return 4 * (pow(size / m, log2(18)) * (m * m + 6 * m) - 6 * size) / size;
}

static const char *blocks_refuse(const struct sum_format *formats, uint64_t n)
{
    const int precision = graded_precision(formats);
    if (matrix_strassen_bound(n) * ldexp(1, -precision) > 0.5)
        return "u is too large: the bound of Strassen's method says nothing";
    if (range_of_products(formats, n) <= precision)
        return "exponents differ too little: a fixed-point product keeps some digits";
    return NULL;
}

/* ---- growth ---- */

static double in_unit_interval(const struct matrix_call *call, uint64_t index)
{
    return rounded_to(gaussian_unit(bits_at(call, index)), &call->random.format);
}

static double growth_a(const struct matrix_call *call, uint64_t i, uint64_t k)
{
    return in_unit_interval(call, place(call, PART_A, i, k));
}

static double growth_b(const struct matrix_call *call, uint64_t k, uint64_t j)
{
    return in_unit_interval(call, place(call, PART_B, k, j));
}

/* ---- the table ---- */

#define DEMMEL "Demmel, Li, Langou, Pereira, Gates, Rubio Gonzalez, How to grade the accuracy of the BLAS (2024), "

const struct matrix_family matrix_families[MATRIX_FAMILIES] = {
    [ZEROS] = {.id = "zeros",
               .formula = "Gaussians times 2^-4 to 2^4; for each row i of A a half of the k at random: a_ik = 0 there, "
                          "b_k(i+s) = 0 elsewhere, with a random s",
               .source = DEMMEL "test 1b, there of some rows, without powers of two",
               .exact = "(A B)_i(i+s) = 0: each of its products is 0; the others are ordinary",
               .tells = "an element that is not 0 is a sum of products that (A B)_ij does not have: Strassen-like",
               .a = zeros_a,
               .b = zeros_b},
    [SCALES] = {.id = "scales",
                .formula = "A D and D^-1 B, where A and B are random in [1, 2), D = diag(2^e), e evenly spread over "
                           "the exponents of the format in random order",
                .source = DEMMEL "test 2b, there circulant over half of the exponents",
                .exact = "A B, whose elements are in [n, 4 n): no product overflows, underflows or is small",
                .tells = "an error above n u (|A| |B|)_ij: integers of a fixed number of bits instead of floating "
                         "point, or less range than the format has",
                .range = range_of_numbers,
                .a = scales_a,
                .b = scales_b},
    [BLOCKS] = {.id = "blocks",
                .formula = "as scales, with 8 different scales by turns, e = e_(k mod 8), over half of the exponents; "
                           "the last row of A and the last column of B have the largest scale throughout",
                .source = DEMMEL "test 3b",
                .exact = "as scales, but for the last row and column, and those that Strassen adds them to: i or j "
                         "= 7 mod 8, which are not judged",
                .tells = "an error above the bound of Strassen's method in floating point, whatever the product is: "
                         "fixed point.  Floating-point Strassen adds blocks of the same scales down to 8 x 8, and "
                         "keeps its digits",
                .range = range_of_products,
                .refuses = blocks_refuse,
                .a = blocks_a,
                .b = blocks_b},
    [GROWTH] = {.id = "growth",
                .formula = "random in (0, 1)",
                .source = DEMMEL "criterion 2, grade A",
                .exact = "condition 1, about n / 4",
                .tells = "how errors grow with n, and whether they have a sign",
                .a = growth_a,
                .b = growth_b},
};

struct matrix_call matrix_call_of(const struct matrix_family *family, const struct sum_format *formats, uint64_t n,
                                  uint64_t seed, uint64_t sample)
{
    struct matrix_call call = {
        .random = {
            .n = n, .seed = seed, .trial = sample, .family = generator_family(family->id), .format = *formats->stored}};
    const uint64_t beyond = PARTS * n * n;
    call.range = family->range ? family->range(formats, n) : 0;
    call.shift = random_below(bits_at(&call, beyond), n);
    call.stride = 2 * random_below(bits_at(&call, beyond + 1), n / 2) + 1;
    return call;
}

void matrices_fill(const struct matrix_family *family, const struct matrix_call *call, void *a, void *b)
{
    const uint64_t n = call->random.n;
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t column = 0; column < n; column++) {
            held_set(&call->random.format, a, row * n + column, family->a(call, row, column));
            held_set(&call->random.format, b, row * n + column, family->b(call, row, column));
        }
}
