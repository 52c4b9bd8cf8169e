#include "sum_result.h"

#include "bins.h"
#include "src/base/format.h"
#include "src/base/workers.h"

#include <limits.h>

struct sum_layout sum_layout_of_format(const struct format *format, bool products)
{
    const struct format *encoding = format_encoding(format);
    return sum_layout_of(format->bytes, (unsigned)encoding->precision - 1, format->finite_only, products);
}

/* ---- one row ---- */

/* Digits, the last of which may have 64 bits, become limbs of two each. */
static void take_digits(const uint64_t *digits, unsigned count, uint64_t *limbs)
{
    uint64_t carry = 0;
    for (unsigned d = 0; d < count + 2; d++) {
        carry += d < count ? digits[d] : 0;
        const uint64_t digit = carry & UINT32_MAX;
        limbs[d / 2] = d % 2 ? limbs[d / 2] | digit << SUM_DIGIT_BITS : digit;
        carry >>= SUM_DIGIT_BITS;
    }
}

/* Of the least or largest magnitude. */
static int exponent_of(struct sum_layout layout, uint64_t magnitude)
{
    if (layout.products)
        return (int)(magnitude >> 52) - 1023;
    const uint64_t field = magnitude >> layout.fraction_bits;
    return (int)(field > 0 ? field - 1 : 0) + sum_least_normal(layout);
}

static void take_notes(const struct format *format, struct sum_layout layout, const uint64_t *notes, struct bins *bins)
{
    const uint64_t largest = notes[SUM_LARGEST];
    bins->nans = notes[SUM_NANS];
    bins->infinities[0] = notes[SUM_POSITIVE_INFINITIES];
    bins->infinities[1] = notes[SUM_NEGATIVE_INFINITIES];
    bins->negative_zeros = notes[SUM_NEGATIVE_ZEROS];
    bins->subnormals = notes[SUM_SUBNORMALS];
    if (largest == 0)
        return;
    bins->max_abs = layout.products ? double_from_bits(largest) : format_value(format_encoding(format), largest);
    bins->largest_exponent = exponent_of(layout, largest);
    bins->least_exponent = exponent_of(layout, UINT64_MAX - notes[SUM_LEAST]);
}

static enum status sum_result(const struct format *format, struct sum_layout layout, const uint64_t *words, uint64_t n,
                              struct exact_sum *sum)
{
    struct bins bins = {
        .of = layout.products ? BINS_OF_PRODUCTS32 : BINS_OF_BINARY64, /* exponents are those that there are */
        .unit = sum_unit(layout),
        .limbs = (layout.digits + 3) / 2,
        .least_exponent = INT_MAX,
        .largest_exponent = INT_MIN,
    };
    take_digits(words, layout.digits, bins.totals[0]);
    take_digits(words + layout.digits, layout.digits, bins.totals[1]);
    take_notes(format, layout, words + 2 * layout.digits, &bins);
    return exact_of_bins(format, &bins, n, sum);
}

/* ---- rows ---- */

/* A thread takes as long to start as 20 rows. */
enum { ROWS_OF_A_WORKER = 64 };

struct results {
    const struct format *format;
    struct sum_layout layout;
    const uint64_t *words;
    uint64_t rows, terms;
    unsigned workers;
    struct exact_sum *sums;
    enum status *statuses; /* of each worker */
};

static uint64_t first_of(const struct results *results, unsigned worker)
{
    const uint64_t share = results->rows / results->workers, rest = results->rows % results->workers;
    return worker * share + (worker < rest ? worker : rest);
}

static void make_part(void *context, unsigned worker)
{
    const struct results *const results = context;
    const uint64_t end = first_of(results, worker + 1), words = sum_words(results->layout);
    for (uint64_t row = first_of(results, worker); row < end; row++) {
        const enum status status = sum_result(results->format, results->layout, results->words + row * words,
                                              results->terms, &results->sums[row]);
        results->statuses[worker] = status != OK ? status : results->statuses[worker];
    }
}

enum status sum_results(const struct format *format, bool products, const uint64_t *words, uint64_t rows,
                        uint64_t terms, unsigned workers, struct exact_sum *sums)
{
    enum { WORKERS_MOST = 256 };
    enum status statuses[WORKERS_MOST] = {OK};
    const uint64_t useful = rows / ROWS_OF_A_WORKER > 0 ? rows / ROWS_OF_A_WORKER : 1;
    const unsigned most = workers == 0 ? 1 : workers < WORKERS_MOST ? workers : WORKERS_MOST;
    struct results results = {.format = format,
                              .layout = sum_layout_of_format(format, products),
                              .words = words,
                              .rows = rows,
                              .terms = terms,
                              .workers = useful < most ? (unsigned)useful : most,
                              .sums = sums,
                              .statuses = statuses};
    workers_run(results.workers, make_part, &results);
    enum status status = OK;
    for (unsigned w = 0; w < results.workers; w++)
        status = statuses[w] != OK ? statuses[w] : status;
    for (uint64_t row = 0; status != OK && row < rows; row++)
        exact_free(&sums[row]);
    return status;
}

/* ---- ends ---- */

struct exact_ends sum_ends(const struct format *format, const uint64_t words[SUM_ENDS])
{
    const struct format *const encoding = format_encoding(format);
    const uint64_t sign = (uint64_t)1 << (8 * format->bytes - 1), all = 2 * sign - 1, upper = words[SUM_UPPER],
                   lower = all - words[SUM_LOWER];
    return (struct exact_ends){format_value(encoding, words[SUM_FIRST]),
                               format_value(encoding, lower ^ (lower & sign ? sign : all)),
                               format_value(encoding, upper ^ (upper & sign ? sign : all))};
}
