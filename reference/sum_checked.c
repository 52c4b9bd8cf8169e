#include "sum_device.h"

#include "agree.h"
#include "bins.h"
#include "src/base/format.h"
#include "src/base/workers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Numbers are unpacked so many at a time, into 16 KB on the stack, which L1 holds. */
enum { UNPACKED = 4096 };

/* A thread takes 16 us to start and join, and adds so many in 0.6 ms, in which a piece arrives: 16 are enough. */
enum { TERMS_OF_A_WORKER = 1 << 19 };

bool exact_device_can(const struct format *format, bool products)
{
    return !products || format_held(format)->bytes < sizeof(double);
}

/* A row on its way: piece k is added while piece k + 1 arrives. */
struct row {
    const struct exact_rows *rows;
    const char *x, *y; /* the row's, there */
    uint64_t terms_of_piece;
    struct bins *bins; /* one of each worker */
    unsigned workers;
};

/* Numbers that have arrived. */
struct arrived {
    const struct row *row;
    const char *x, *y;
    uint64_t n;
    unsigned workers;
};

/* ---- adding ---- */

/* As the host has them: where they are, or in the memory that is given. */
static const void *unpacked(const struct format *format, const char *stored, uint64_t n, void *memory)
{
    if (!stored || format->bytes == format_held(format)->bytes)
        return stored;
    held_unpack(format, stored, n, memory);
    return memory;
}

static void add_part(void *context, unsigned worker)
{
    const struct arrived *const arrived = context;
    const struct format *const format = arrived->row->rows->format;
    const uint64_t share = arrived->n / arrived->workers, rest = arrived->n % arrived->workers;
    const uint64_t first = worker * share + (worker < rest ? worker : rest), end = first + share + (worker < rest);
    float x[UNPACKED], y[UNPACKED];
    for (uint64_t i = first; i < end; i += UNPACKED) {
        const uint64_t n = end - i < UNPACKED ? end - i : UNPACKED;
        const char *const of_y = arrived->y ? arrived->y + i * format->bytes : NULL;
        bins_add(&arrived->row->bins[worker], unpacked(format, arrived->x + i * format->bytes, n, x),
                 unpacked(format, of_y, n, y), n);
    }
}

static void add_arrived(struct arrived arrived)
{
    const uint64_t useful = arrived.n / TERMS_OF_A_WORKER;
    arrived.workers = useful < 1 ? 1 : useful < arrived.row->workers ? (unsigned)useful : arrived.row->workers;
    workers_run(arrived.workers, add_part, &arrived);
}

/* ---- pieces ---- */

static uint64_t terms_from(const struct row *row, uint64_t first)
{
    const uint64_t left = row->rows->terms - first;
    return left < row->terms_of_piece ? left : row->terms_of_piece;
}

/* Pieces 0 and 1 are of x, by turns; 2 and 3 of y. */
static enum status fetch(struct exact_device *device, const struct row *row, uint64_t first)
{
    const size_t bytes = row->rows->format->bytes, turn = first / row->terms_of_piece % 2;
    const uint64_t n = terms_from(row, first);
    TRY(exact_device_fetch(device, (unsigned)turn, row->x + first * bytes, n * bytes));
    return row->y ? exact_device_fetch(device, (unsigned)turn + 2, row->y + first * bytes, n * bytes) : OK;
}

static enum status fetched(struct exact_device *device, const struct row *row, uint64_t first, struct arrived *arrived)
{
    const unsigned turn = (unsigned)(first / row->terms_of_piece % 2);
    const void *x, *y = NULL;
    TRY(exact_device_fetched(device, turn, &x));
    if (row->y)
        TRY(exact_device_fetched(device, turn + 2, &y));
    *arrived = (struct arrived){.row = row, .x = x, .y = y, .n = terms_from(row, first)};
    return OK;
}

static enum status add_row(struct exact_device *device, const struct row *row)
{
    const uint64_t terms = row->rows->terms;
    struct arrived arrived;
    if (terms > 0)
        TRY(fetch(device, row, 0));
    for (uint64_t first = 0; first < terms; first += row->terms_of_piece) {
        TRY(fetched(device, row, first, &arrived));
        if (terms - first > row->terms_of_piece)
            TRY(fetch(device, row, first + row->terms_of_piece));
        add_arrived(arrived);
    }
    return OK;
}

/* ---- sums ---- */

static enum status make_bins(struct row *row, unsigned workers)
{
    const struct format *const format = row->rows->format;
    const enum bins_of of = format_held(format)->bytes == sizeof(double) ? BINS_OF_BINARY64
                            : row->y                                     ? BINS_OF_PRODUCTS32
                                                                         : BINS_OF_BINARY32;
    row->bins = aligned_alloc(_Alignof(struct bins), workers * sizeof *row->bins);
    TRY(row->bins ? OK : out_of_memory("an exact sum"));
    while (row->workers < workers)
        TRY(bins_init(&row->bins[row->workers++], of, format->least_exponent + format->precision - 1));
    return OK;
}

static enum status take_bins(const struct row *row, struct exact_sum *sum)
{
    for (unsigned w = 0; w < row->workers; w++)
        bins_fold(&row->bins[w]);
    for (unsigned w = 1; w < row->workers; w++)
        bins_merge(&row->bins[0], &row->bins[w]);
    return exact_of_bins(row->rows->format, &row->bins[0], row->rows->terms, sum);
}

enum status exact_device_on_host(struct exact_device *device, const struct exact_rows *rows, uint64_t row,
                                 unsigned workers, struct exact_sum *sum)
{
    const uint64_t bytes = rows->format->bytes, first = row * rows->terms * bytes;
    struct row of = {.rows = rows,
                     .x = (const char *)rows->x + first,
                     .y = rows->y ? (const char *)rows->y + first : NULL,
                     .terms_of_piece = EXACT_PIECE_BYTES / bytes};
    enum status status = make_bins(&of, workers > 0 ? workers : 1);
    *sum = (struct exact_sum){0};
    if (status == OK)
        status = add_row(device, &of);
    if (status == OK)
        status = take_bins(&of, sum);
    for (unsigned w = 0; w < of.workers; w++)
        bins_free(&of.bins[w]);
    free(of.bins);
    return status;
}

enum status exact_device_check(struct exact_device *device, const struct exact_rows *rows, uint64_t row,
                               unsigned workers, const struct exact_sum *found)
{
    FREED_BY(exact_free) struct exact_sum expected = {0};
    char by_gpu[64];
    snprintf(by_gpu, sizeof by_gpu, "of row %llu on the GPU", (unsigned long long)row);
    TRY(exact_device_on_host(device, rows, row, workers, &expected));
    return exact_agree((struct opinion){&expected, "on the host"}, (struct opinion){found, by_gpu},
                       "one of the two is wrong: run it again, and use only the host's until it is known which");
}

/* ---- ends ---- */

static void note_ends(const struct format *format, const char *stored, uint64_t n, struct exact_ends *ends)
{
    float memory[UNPACKED];
    for (uint64_t i = 0; i < n; i += UNPACKED) {
        const uint64_t some = n - i < UNPACKED ? n - i : UNPACKED;
        const void *const x = unpacked(format, stored + i * format->bytes, some, memory);
        const struct exact_ends of = exact_ends_of(format, 1, x, some);
        ends->first = isnan(ends->first) ? of.first : ends->first;
        ends->least = fmin(ends->least, of.least);
        ends->largest = fmax(ends->largest, of.largest);
    }
}

enum status exact_device_check_ends(struct exact_device *device, const struct exact_rows *rows,
                                    const struct exact_ends *found)
{
    struct exact_ends ends = {NAN, INFINITY, -INFINITY};
    const struct row of = {.rows = rows, .x = rows->x, .terms_of_piece = EXACT_PIECE_BYTES / rows->format->bytes};
    struct arrived arrived;
    for (uint64_t first = 0; first < rows->terms; first += of.terms_of_piece) {
        TRY(fetch(device, &of, first));
        TRY(fetched(device, &of, first, &arrived));
        note_ends(rows->format, arrived.x, arrived.n, &ends);
    }
    if (ends.first == found->first && ends.least == found->least && ends.largest == found->largest)
        return OK;
    return not_measured("the exact reference: the first, least and largest number are %a, %a and %a on the host and "
                        "%a, %a and %a on the GPU; expected the same; use only the host's until it is known why",
                        ends.first, ends.least, ends.largest, found->first, found->least, found->largest);
}
