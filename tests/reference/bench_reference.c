/* The exact reference beside a naive loop: ns per term, and ratios.
 *
 *   ctest -L bench -V        or        build/default/tests/bench_reference [ROUNDS [sums|matrix|softmax]]
 *
 * naive    for (i = 0; i < n; i++) s += x[i];   in the format of the data, which the compiler may not reorder
 * bins     exact_sum, the whole call; bins x2: with two threads
 * mpfr     one mpfr_add per term into s and one into sum |x_i|, on the first 2^14 terms at most
 *
 * Families: uniform, in [0, 1); normal; exponents, every exponent field of a finite number and both signs alike,
 * subnormals among them; 64binades, both signs and 64 exponents alike; cancelling, pairs x, -x with exponents spread
 * over 2^+-40, shuffled, and a 2^-40 that remains: condition above 1e20.  The dot product is that of the data with
 * themselves.  The four times are taken in turn in each round, other jobs share the machine, and the least time of all
 * rounds counts.  It prints and asserts nothing.
 *
 * With `matrix`: exact_matrix with one thread and with two, ns per product of elements with one, and the same of
 * exact_dot, called for one element after the other.
 *
 * With `softmax`: rows of normal numbers times a spread, results as binary64 and plain sums make them; millions of
 * elements a second of the processor's time, the row's own share in them, and that share in ns an element, which is all
 * of a logsumexp.
 */
#include "reference/exact.h"
#include "reference/matrix.h"
#include "reference/per_term.h"
#include "reference/softmax.h"
#include "src/base/format.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LENGTH_MOST = 1 << 24, SAMPLE_MOST = 1 << 14 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* ---- data ---- */

static double uniform(void)
{
    return (double)(next_random() >> 11) * 0x1p-53;
}

static void fill_uniform(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = uniform();
}

/* The sum of twelve: near enough to a normal distribution for a clock. */
static void fill_normal(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        x[i] = -6;
        for (int k = 0; k < 12; k++)
            x[i] += uniform();
    }
}

static void fill_64binades(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = ldexp(below(2) ? 1 + uniform() : -1 - uniform(), (int)below(64) - 32);
}

static void fill_cancelling(double *x, size_t n)
{
    for (size_t i = 0; i + 1 < n; i += 2) {
        x[i] = (double)(float)ldexp(1 + uniform(), (int)below(81) - 40);
        x[i + 1] = -x[i];
    }
    x[n - 1] = 0x1p-40;
    for (size_t i = n; i > 1; i--) {
        const size_t j = below(i);
        const double swapped = x[i - 1];
        x[i - 1] = x[j];
        x[j] = swapped;
    }
}

static void fill_exponents32(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = float_from_bits(((uint32_t)next_random() & 0x807fffff) | (uint32_t)below(255) << 23);
}

static void fill_exponents64(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = double_from_bits((next_random() & 0x800fffffffffffff) | below(2047) << 52);
}

static const char *const families[] = {"uniform", "normal", "exponents", "64binades", "cancelling"};
enum { FAMILIES = 5, EXPONENTS = 2 };

static void fill(int family, const struct format *format, void *x, double *scratch, size_t n)
{
    static void (*const fills[])(double *, size_t) = {fill_uniform, fill_normal, fill_exponents64, fill_64binades,
                                                      fill_cancelling};
    const bool wide = format == &FORMAT_BINARY64;
    seed_random(1);
    if (family == EXPONENTS && !wide) {
        fill_exponents32(x, n);
        return;
    }
    fills[family](wide ? x : scratch, n);
    for (size_t i = 0; !wide && i < n; i++)
        ((float *)x)[i] = (float)scratch[i];
}

/* ---- what is timed ---- */

struct bench {
    const struct format *format;
    const void *x, *y; /* y: NULL for sums */
    size_t n;
    double taken[4]; /* of naive, bins, bins x2, mpfr: ns per term, the least so far */
};

static volatile double kept;

static void naive(const struct bench *bench)
{
    if (bench->format == &FORMAT_BINARY64) {
        const double *x = bench->x, *y = bench->y;
        double s = 0;
        for (size_t i = 0; i < bench->n; i++)
            s += y ? x[i] * y[i] : x[i];
        kept = s;
    } else {
        const float *x = bench->x, *y = bench->y;
        float s = 0;
        for (size_t i = 0; i < bench->n; i++)
            s += y ? x[i] * y[i] : x[i];
        kept = (double)s;
    }
}

static void by_bins(const struct bench *bench, unsigned workers)
{
    struct exact_sum exact;
    const struct exact_how how = {.workers = workers};
    if ((bench->y ? exact_dot(bench->format, how, bench->x, bench->y, bench->n, &exact)
                  : exact_sum_how(bench->format, how, bench->x, bench->n, &exact)) != OK)
        exit(1);
    kept = exact.nearest;
    exact_free(&exact);
}

static void per_term(const struct bench *bench)
{
    struct exact_sum exact = {.format = bench->format};
    mpfr_inits2(exact_dot_precision(bench->format, bench->n), exact.sum, exact.sum_abs, (mpfr_ptr)0);
    mpfr_set_zero(exact.sum, 1);
    mpfr_set_zero(exact.sum_abs, 1);
    if (per_term_add(&exact, bench->x, bench->y, bench->n < SAMPLE_MOST ? bench->n : SAMPLE_MOST) != OK)
        exit(1);
    exact_free(&exact);
}

static void time_one(struct bench *bench, int which)
{
    const size_t terms = which == 3 && bench->n > SAMPLE_MOST ? SAMPLE_MOST : bench->n;
    const size_t calls = which == 3 ? 1 : 1 + (1 << 16) / bench->n;
    const double start = now();
    for (size_t call = 0; call < calls; call++)
        if (which == 0)
            naive(bench);
        else if (which == 3)
            per_term(bench);
        else
            by_bins(bench, (unsigned)which);
    const double taken = (now() - start) / (double)(calls * terms);
    if (bench->taken[which] == 0 || taken < bench->taken[which])
        bench->taken[which] = taken;
}

static void print_row(struct bench bench, const char *family, int rounds)
{
    for (int round = 0; round < rounds; round++)
        for (int which = 0; which < 4; which++)
            time_one(&bench, which);
    const double *t = bench.taken;
    printf("%-9s %-3s %-10s %9zu %8.3f %8.3f %8.3f %8.1f %10.2f %10.0f %10.2f\n", bench.format->name,
           bench.y ? "dot" : "sum", family, bench.n, t[0], t[1], t[2], t[3], t[1] / t[0], t[3] / t[1], t[1] / t[2]);
    fflush(stdout);
}

/* ---- matrix products ---- */

enum { MATRIX_WAYS = 3, DOTS = 1000 };

/* Seconds for the product, with one thread or two; with 0, for an element of it by exact_dot, all of them alike. */
static double time_matrix(const struct matrix_product *product, unsigned workers, struct exact_element *elements)
{
    const double start = now();
    for (int dot = 0; workers == 0 && dot < DOTS; dot++) {
        struct exact_sum exact;
        const void *const x = product->a.numbers, *const y = product->b.numbers;
        if (exact_dot(product->format, (struct exact_how){0}, x, y, product->inner, &exact) != OK)
            exit(1);
        exact_free(&exact);
    }
    if (workers > 0 && exact_matrix(product, workers, elements) != OK)
        exit(1);
    return 1e-9 * (now() - start) / (workers == 0 ? DOTS : 1);
}

static void print_matrix_row(const struct matrix_product *product, const char *family, int rounds,
                             struct exact_element *elements)
{
    double taken[MATRIX_WAYS] = {INFINITY, INFINITY, INFINITY};
    for (int round = 0; round < rounds; round++)
        for (unsigned way = 0; way < MATRIX_WAYS; way++)
            taken[way] = fmin(taken[way], time_matrix(product, way, elements));
    const double inner = (double)product->inner, products = (double)product->rows * inner * (double)product->columns;
    printf("%-9s %-10s %5zu x %5zu x %5zu %8.3f %8.3f %8.3f %10.3f\n", product->format->name, family,
           (size_t)product->rows, (size_t)product->inner, (size_t)product->columns, taken[1], taken[2],
           1e9 * taken[1] / products, 1e9 * taken[0] / inner);
    fflush(stdout);
}

static void bench_shapes(const struct format *format, const char *family, const void *x, int rounds,
                         struct exact_element *elements)
{
    static const uint64_t shapes[][3] = {{1000, 1000, 1000}, {3000, 100, 3000}, {100, 100000, 100}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const uint64_t rows = shapes[s][0], inner = shapes[s][1], columns = shapes[s][2];
        const struct matrix_product product = {
            .format = format,
            .result = format_held(format),
            .rows = rows,
            .inner = inner,
            .columns = columns,
            .a = {x, inner, 1},
            .b = {x, columns, 1},
            .computed = {x, columns, 1},
        };
        print_matrix_row(&product, family, rounds, elements);
    }
}

static void round_all(const struct format *format, void *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        held_set(format, x, i, rounded_to(held_number(format, x, i), format));
}

/* x has room for LENGTH_MOST numbers.  The narrow formats get the two families that lie in their range. */
static int bench_matrices(int rounds, void *x, double *scratch)
{
    const struct format *const formats[] = {&FORMAT_BINARY32, &FORMAT_BINARY64, &FORMAT_BINARY16, &FORMAT_E4M3};
    const size_t numbers = 10000000;
    struct exact_element *const elements = malloc(9000000 * sizeof *elements);
    if (!elements)
        return 2;
    printf("%-9s %-10s %21s %8s %8s %8s %10s\n", "format", "family", "shape", "one, s", "two, s", "one, ns",
           "exact_dot");
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (int family = 0; family < (f < 2 ? FAMILIES : EXPONENTS); family++) {
            fill(family, format_held(formats[f]), x, scratch, numbers);
            round_all(formats[f], x, numbers);
            bench_shapes(formats[f], families[family], x, rounds, elements);
        }
    free(elements);
    return 0;
}

/* ---- rows of exponentials ---- */

static double processor_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void compute_row(bool is_log, const struct format *format, const void *x, size_t n, void *computed)
{
    double largest = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, held_number(format, x, i));
    for (size_t i = 0; i < n; i++)
        sum += exp(held_number(format, x, i) - largest);
    for (size_t i = 0; i < n; i++) {
        const double z = held_number(format, x, i) - largest, value = is_log ? z - log(sum) : exp(z) / sum;
        held_set(format, computed, i, rounded_to(value, format));
    }
}

/* ns of the row, and of it with its elements, of ROW_NUMBERS numbers in rows of n. */
enum { ROW_NUMBERS = 1 << 18 };

static void time_rows(bool is_log, const struct format *format, const void *x, size_t n, const void *computed,
                      struct exact_element *elements, double taken[2])
{
    const size_t rows = ROW_NUMBERS / n, bytes = format_held(format)->bytes;
    const double start = processor_now();
    double of_rows = 0;
    for (size_t r = 0; r < rows; r++) {
        struct exact_row *row;
        const double before = processor_now();
        if (exact_softmax_row(is_log, format, (struct exact_how){0}, (const char *)x + r * n * bytes, n, &row) != OK)
            exit(1);
        of_rows += processor_now() - before;
        if (exact_row_elements(row, format, (const char *)computed + r * n * bytes, 0, n, 1, elements) != OK)
            exit(1);
        exact_row_free(row);
    }
    taken[0] = fmin(taken[0], of_rows / (double)(rows * n));
    taken[1] = fmin(taken[1], (processor_now() - start) / (double)(rows * n));
}

static int bench_softmax(int rounds, void *x, double *scratch)
{
    static const double spreads[] = {1, 10, 100, 1000};
    static const size_t widths[] = {64, 1000, 1 << 15, ROW_NUMBERS};
    const struct format *const formats[] = {&FORMAT_BINARY32, &FORMAT_BINARY64, &FORMAT_BFLOAT16};
    struct exact_element *const elements = malloc(ROW_NUMBERS * sizeof *elements);
    void *const computed = malloc(2 * ROW_NUMBERS * sizeof(double));
    if (!elements || !computed)
        return 2;
    printf("%-9s %7s %6s %12s %12s %12s\n", "format", "n", "spread", "softmax", "log_softmax", "row, ns");
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++) {
                double taken[2][2] = {{INFINITY, INFINITY}, {INFINITY, INFINITY}};
                fill_normal(scratch, ROW_NUMBERS);
                for (size_t i = 0; i < ROW_NUMBERS; i++)
                    held_set(formats[f], x, i, rounded_to(scratch[i] * spreads[s], formats[f]));
                for (int is_log = 0; is_log < 2; is_log++) {
                    const size_t bytes = format_held(formats[f])->bytes;
                    for (size_t i = 0; i + widths[w] <= ROW_NUMBERS; i += widths[w])
                        compute_row(is_log, formats[f], (char *)x + i * bytes, widths[w], (char *)computed + i * bytes);
                    for (int round = 0; round < rounds; round++)
                        time_rows(is_log, formats[f], x, widths[w], computed, elements, taken[is_log]);
                }
                printf("%-9s %7zu %6g %12.2f %12.2f %12.1f\n", formats[f]->name, widths[w], spreads[s],
                       1e3 / taken[0][1], 1e3 / taken[1][1], taken[1][0]);
                fflush(stdout);
            }
    free(elements);
    free(computed);
    return 0;
}

int main(int argc, char **argv)
{
    static const size_t lengths[] = {1 << 10, 1 << 14, 1 << 17, 1 << 20, LENGTH_MOST};
    const struct format *const formats[] = {&FORMAT_BINARY32, &FORMAT_BINARY64};
    const int rounds = argc > 1 ? atoi(argv[1]) : 7;
    double *x = malloc(LENGTH_MOST * sizeof *x), *scratch = malloc(LENGTH_MOST * sizeof *scratch);
    if (!x || !scratch || rounds < 1) {
        fprintf(stderr, "bench_reference: out of memory, or \"%s\" is no count of rounds\n", argc > 1 ? argv[1] : "");
        return 2;
    }
    if (argc > 2 && strcmp(argv[2], "matrix") == 0)
        return bench_matrices(rounds, x, scratch);
    if (argc > 2 && strcmp(argv[2], "softmax") == 0)
        return bench_softmax(rounds, x, scratch);
    printf("%-9s %-3s %-10s %9s %8s %8s %8s %8s %10s %10s %10s\n", "format", "", "family", "n", "naive", "bins",
           "bins x2", "mpfr", "bins/naive", "mpfr/bins", "one/two");
    const int operations = argc > 2 ? 1 : 2; /* sums, and dot products */
    for (int products = 0; products < operations; products++)
        for (int f = 0; f < 2; f++)
            for (int family = 0; family < FAMILIES; family++)
                for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                    const size_t n = lengths[l];
                    fill(family, formats[f], x, scratch, n);
                    print_row((struct bench){.format = formats[f], .x = x, .y = products ? x : NULL, .n = n},
                              families[family], rounds);
                }
    free(x);
    free(scratch);
    return 0;
}
