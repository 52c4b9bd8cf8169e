/* Products with one known fault each, in every format, and one without: what grades look like.
 */
#pragma once

#include "src/grade/graded.h"

struct planted {
    const char *id; /* "planted/strassen" */
    const char *claim;
    enum status (*product)(const struct graded *graded, uint64_t n, unsigned workers, const void *a, const void *b,
                           void *c);
};

/* left + right and left right, as something computes them: numbers of `format` are held in binary64. */
struct arithmetic {
    double (*add)(double left, double right, const struct format *format);
    double (*multiply)(double left, double right, const struct format *format);
    double (*convert)(double value, const struct format *format);
};

/* Two roundings where the format is not binary64: those of numbers of p <= 24 bits are as one. */
static double add_to_nearest(double left, double right, const struct format *format)
{
    return rounded_to(left + right, format);
}

static double multiply_to_nearest(double left, double right, const struct format *format)
{
    return rounded_to(left * right, format);
}

/* near + error, where near is the nearest number of binary64, toward 0: of its bits, less one where it is too large,
 * those that the format has. */
static double toward_0(double near, double error, const struct format *format)
{
    const bool is_too_large = error != 0 && (error < 0) == (near > 0);
    const uint64_t bits = double_bits(near) - is_too_large;
    const int field = bits >> 52 & 0x7ff, last_place = (field > 0 ? field : 1) - 1075;
    const int subnormal = format->least_exponent - last_place, normal = FORMAT_BINARY64.precision - format->precision;
    const int dropped = subnormal > normal ? subnormal : normal;
    if (!(fabs(near) <= format_largest(format)))
        return isnan(near) ? near : copysign(format_largest(format), near);
    return dropped > 52 ? copysign(0, near) : double_from_bits(bits >> dropped << dropped);
}

/* TwoSum (Knuth). */
static double add_toward_0(double left, double right, const struct format *format)
{
    const double near = left + right, right_part = near - left;
    return toward_0(near, (left - (near - right_part)) + (right - right_part), format);
}

static double multiply_toward_0(double left, double right, const struct format *format)
{
    return toward_0(left * right, fma(left, right, -(left * right)), format);
}

static double convert_toward_0(double value, const struct format *format)
{
    return toward_0(value, 0, format);
}

static const struct arithmetic to_nearest = {add_to_nearest, multiply_to_nearest, rounded_to},
                               truncated = {add_toward_0, multiply_toward_0, convert_toward_0};

static double *matrix_new(uint64_t n)
{
    return malloc(n * n * sizeof(double));
}

static double *matrix_of(const struct format *format, const void *held, uint64_t n)
{
    double *const numbers = matrix_new(n);
    for (uint64_t i = 0; numbers && i < n * n; i++)
        numbers[i] = held_number(format, held, i);
    return numbers;
}

/* Numbers of the formats of a product, and what it is computed with. */
struct work {
    const struct sum_format *formats;
    const struct arithmetic *arithmetic;
    uint64_t n;
    double *a, *b, *c; /* c: of the format that is added in */
};

typedef enum status multiply(const struct work *work);

/* Makes the matrices, has them multiplied, and rounds the product. */
static enum status multiply_with(const struct graded *graded, const struct arithmetic *arithmetic, uint64_t n,
                                 const void *a, const void *b, multiply *own, void *c)
{
    const struct format *const stored = graded->formats->stored, *const result = graded->formats->result;
    const struct work work = {graded->formats,         arithmetic,   n, matrix_of(stored, a, n),
                              matrix_of(stored, b, n), matrix_new(n)};
    enum status status = work.a && work.b && work.c ? own(&work) : out_of_memory("a planted product");
    for (uint64_t i = 0; status == OK && i < n * n; i++)
        held_set(result, c, i, arithmetic->convert(work.c[i], result));
    free_all(work.a, work.b, work.c);
    return status;
}

/* c += a b, blocks of matrices whose rows are `stride` apart; c = 0 at first. */
static void multiply_block(const struct work *work, uint64_t n, const double *a, const double *b, double *c,
                           uint64_t stride)
{
    const struct format *const added = work->formats->added;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < n; k++)
            for (uint64_t j = 0; j < n; j++) {
                const double term = work->arithmetic->multiply(a[i * stride + k], b[k * stride + j], added);
                double *const element = &c[i * stride + j];
                *element = k == 0 ? term : work->arithmetic->add(*element, term, added);
            }
}

static enum status three_loops(const struct work *work)
{
    multiply_block(work, work->n, work->a, work->b, work->c, work->n);
    return OK;
}

static enum status none(const struct graded *graded, uint64_t n, unsigned workers, const void *a, const void *b,
                        void *c)
{
    (void)workers;
    return multiply_with(graded, &to_nearest, n, a, b, three_loops, c);
}

static enum status truncating(const struct graded *graded, uint64_t n, unsigned workers, const void *a, const void *b,
                              void *c)
{
    (void)workers;
    return multiply_with(graded, &truncated, n, a, b, three_loops, c);
}

/* Strassen (1969): product r is (sum_q LEFT[r][q] A_q) (sum_q RIGHT[r][q] B_q), and C_q = sum_r OUT[q][r] of them;
 * quarters 0 1 above 2 3. */
enum { PRODUCTS = 7, QUARTERS = 4, LEAF = 8 };
static const int8_t LEFT[PRODUCTS][QUARTERS] = {{1, 0, 0, 1}, {0, 0, 1, 1},  {1, 0, 0, 0}, {0, 0, 0, 1},
                                                {1, 1, 0, 0}, {-1, 0, 1, 0}, {0, 1, 0, -1}};
static const int8_t RIGHT[PRODUCTS][QUARTERS] = {{1, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, -1}, {-1, 0, 1, 0},
                                                 {0, 0, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}};
static const int8_t OUT[QUARTERS][PRODUCTS] = {
    {1, 0, 0, 1, -1, 0, 1}, {0, 0, 1, 0, 1, 0, 0}, {0, 1, 0, 1, 0, 0, 0}, {1, -1, 1, 0, 0, 1, 0}};

/* sum += sign x, number by number; the first sets it. */
static void accumulate(const struct work *work, uint64_t n, int sign, const double *x, uint64_t x_stride, bool first,
                       double *sum, uint64_t stride)
{
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            const double number = sign * x[i * x_stride + j];
            double *const to = &sum[i * stride + j];
            *to = first ? number : work->arithmetic->add(*to, number, work->formats->added);
        }
}

/* Where quarter q begins. */
static uint64_t quarter(unsigned q, uint64_t half, uint64_t stride)
{
    return (q / 2 * stride + q % 2) * half;
}

static void combine_quarters(const struct work *work, uint64_t half, const int8_t signs[QUARTERS], const double *matrix,
                             uint64_t stride, double *sum)
{
    bool first = true;
    for (unsigned q = 0; q < QUARTERS; q++)
        if (signs[q] != 0) {
            accumulate(work, half, signs[q], matrix + quarter(q, half, stride), stride, first, sum, half);
            first = false;
        }
}

/* c = a b, n x n, where n is a power of two.  `room` has 3 n^2 / 4 numbers, and as many for each half, and so on: n^2.
 */
static void multiply_recursively(const struct work *work, uint64_t n, const double *a, const double *b, double *c,
                                 uint64_t stride, double *room)
{
    const uint64_t half = n / 2;
    double *const left = room, *const right = left + half * half, *const product = right + half * half;
    bool begun[QUARTERS] = {false};
    if (n <= LEAF) {
        multiply_block(work, n, a, b, c, stride);
        return;
    }
    for (unsigned r = 0; r < PRODUCTS; r++) {
        combine_quarters(work, half, LEFT[r], a, stride, left);
        combine_quarters(work, half, RIGHT[r], b, stride, right);
        multiply_recursively(work, half, left, right, product, half, product + half * half);
        for (unsigned q = 0; q < QUARTERS; q++)
            if (OUT[q][r] != 0) {
                accumulate(work, half, OUT[q][r], product, half, !begun[q], c + quarter(q, half, stride), stride);
                begun[q] = true;
            }
    }
}

static enum status recursion(const struct work *work)
{
    OWNED double *room = matrix_new(work->n);
    TRY(room ? OK : out_of_memory("Strassen's method"));
    multiply_recursively(work, work->n, work->a, work->b, work->c, work->n, room);
    return OK;
}

static enum status strassen(const struct graded *graded, uint64_t n, unsigned workers, const void *a, const void *b,
                            void *c)
{
    (void)workers;
    return multiply_with(graded, &to_nearest, n, a, b, recursion, c);
}

/* Numbers of a row or column, `step` apart, become integers of p bits, p that of the product's u: x = integer 2^unit,
 * rounded to nearest.  Returns the unit. */
static int fix_line(const struct work *work, double *line, uint64_t step)
{
    double largest = 0;
    int exponent;
    for (uint64_t k = 0; k < work->n; k++)
        largest = fmax(largest, fabs(line[k * step]));
    frexp(largest, &exponent);
    const int unit = exponent - graded_precision(work->formats);
    for (uint64_t k = 0; k < work->n; k++)
        line[k * step] = rint(ldexp(line[k * step], -unit));
    return unit;
}

static void scale_line(const struct work *work, double *line, uint64_t step, int unit)
{
    for (uint64_t k = 0; k < work->n; k++)
        line[k * step] = ldexp(line[k * step], unit);
}

__extension__ typedef __int128 wide;

/* An exact sum of products below 2^106. */
static wide integer_product(const struct work *work, uint64_t i, uint64_t j)
{
    wide sum = 0;
    for (uint64_t k = 0; k < work->n; k++)
        sum += (wide)(int64_t)work->a[i * work->n + k] * (int64_t)work->b[k * work->n + j];
    return sum;
}

static enum status integers(const struct work *work)
{
    OWNED int *units = malloc(work->n * sizeof *units);
    TRY(units ? OK : out_of_memory("a fixed-point product"));
    for (uint64_t j = 0; j < work->n; j++)
        units[j] = fix_line(work, work->b + j, work->n);
    for (uint64_t i = 0; i < work->n; i++) {
        const int unit = fix_line(work, work->a + i * work->n, 1);
        for (uint64_t j = 0; j < work->n; j++)
            work->c[i * work->n + j] = ldexp((double)integer_product(work, i, j), unit + units[j]);
    }
    return OK;
}

static enum status fixed(const struct graded *graded, uint64_t n, unsigned workers, const void *a, const void *b,
                         void *c)
{
    (void)workers;
    return multiply_with(graded, &to_nearest, n, a, b, integers, c);
}

static enum status recursion_of_integers(const struct work *work)
{
    for (uint64_t line = 0; line < work->n; line++) {
        double *const row = work->a + line * work->n, *const column = work->b + line;
        scale_line(work, row, 1, fix_line(work, row, 1));
        scale_line(work, column, work->n, fix_line(work, column, work->n));
    }
    return recursion(work);
}

static enum status strassen_fixed(const struct graded *graded, uint64_t n, unsigned workers, const void *a,
                                  const void *b, void *c)
{
    (void)workers;
    return multiply_with(graded, &to_nearest, n, a, b, recursion_of_integers, c);
}

static const struct planted products[] = {
    {"planted/none", "no fault: three loops, products and additions rounded to nearest", none},
    {"planted/strassen", "Strassen's method down to blocks of 8 x 8", strassen},
    {"planted/fixed", "rows of A and columns of B as integers of as many bits as the result has", fixed},
    {"planted/strassen_fixed", "Strassen's method on the numbers that those integers stand for", strassen_fixed},
    {"planted/truncating", "three loops, products, additions and results rounded toward 0", truncating},
};

/* As "planted/strassen@bfloat16" names it. */
static inline struct graded planted_named(const char *name)
{
    for (size_t p = 0; p < sizeof products / sizeof *products; p++)
        if (strlen(products[p].id) == strcspn(name, "@") && strncmp(products[p].id, name, strcspn(name, "@")) == 0)
            return (struct graded){.name = name, .formats = sum_format_of_method(name), .product = products[p].product};
    abort();
}
