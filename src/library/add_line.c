#include "add_line.h"

#include "src/base/workers.h"

#include <stdlib.h>
#include <sys/param.h>

/* Numbers that are packed at a time: 2 x 16 KB of binary64, on the stack. */
enum { PIECE = 2048 };

/* A thread takes 16 us to start and join, and 60 where others want the core, too; so many terms of binary32 take 100 us
 * at least, of the other kinds 90. */
static uint64_t terms_of_a_worker(enum bins_of of)
{
    return of == BINS_OF_BINARY32 ? 1 << 19 : 1 << 17;
}

enum status adder_open(struct adder *adder, const struct format *held, bool products)
{
    const bool wide = is_format(held, &FORMAT_BINARY64);
    const enum bins_of of =
        products ? (wide ? BINS_OF_PRODUCTS64 : BINS_OF_PRODUCTS32) : (wide ? BINS_OF_BINARY64 : BINS_OF_BINARY32);
    *adder = (struct adder){.held = held, .products = products};
    TRY(bins_init(&adder->fresh, of, held->least_exponent + held->precision - 1));
    adder->bins = adder->fresh;
    return OK;
}

void adder_close(struct adder *adder)
{
    bins_free(&adder->fresh);
}

/* Terms [from, from + count). */
static void add_range(const struct adder *adder, struct bins *bins, const struct line *x, const struct line *y,
                      uint64_t from, uint64_t count)
{
    double x_room[PIECE], y_room[PIECE];
    const bool at_once = line_is_held(x, adder->held) && (!y || line_is_held(y, adder->held));
    while (count > 0) {
        const uint64_t piece = at_once ? count : MIN(count, PIECE);
        bins_add(bins, line_read(x, from, piece, adder->held, x_room),
                 y ? line_read(y, from, piece, adder->held, y_room) : NULL, piece);
        from += piece;
        count -= piece;
    }
}

/* ---- threads ---- */

/* A sum cut into one part for each of so many workers. */
struct parts {
    const struct adder *adder;
    const struct line *x, *y;
    struct bins *bins;
    unsigned workers;
};

static void add_part(void *context, unsigned worker)
{
    const struct parts *const parts = context;
    const uint64_t share = parts->x->n / parts->workers, rest = parts->x->n % parts->workers;
    add_range(parts->adder, &parts->bins[worker], parts->x, parts->y, worker * share + MIN(worker, rest),
              share + (worker < rest));
    bins_fold(&parts->bins[worker]);
}

static enum status add_in_parts(struct adder *adder, const struct line *x, const struct line *y, unsigned workers)
{
    struct parts parts = {adder, x, y, aligned_alloc(_Alignof(struct bins), workers * sizeof(struct bins)), 0};
    enum status status = parts.bins ? OK : out_of_memory("an exact sum");
    unsigned opened = 0;
    while (status == OK && opened < workers)
        status = bins_init(&parts.bins[opened++], adder->fresh.of, adder->fresh.least_normal);
    parts.workers = opened;
    if (status == OK) {
        workers_run(workers, add_part, &parts);
        for (unsigned w = 0; w < workers; w++)
            bins_merge(&adder->bins, &parts.bins[w]);
    }
    for (unsigned w = 0; w < opened; w++)
        bins_free(&parts.bins[w]);
    free(parts.bins);
    return status;
}

/* ---- all of it ---- */

/* The counters are empty since the last sum was folded. */
enum status adder_add(struct adder *adder, const struct line *x, const struct line *y, unsigned workers,
                      struct added_sum *sum)
{
    const bool is_constant = x->stride == 0 && (!y || y->stride == 0) && x->n > 1;
    const uint64_t useful = x->n / terms_of_a_worker(adder->fresh.of);
    const unsigned parts = (unsigned)MIN(workers, useful);
    double room;
    *sum = (struct added_sum){.bins = &adder->bins, .n = x->n, .last = {1, 1}};
    adder->bins = adder->fresh;
    if (x->n > 0) {
        sum->last[0] = *(const double *)line_read(x, x->n - 1, 1, &FORMAT_BINARY64, &room);
        sum->last[1] = y ? *(const double *)line_read(y, x->n - 1, 1, &FORMAT_BINARY64, &room) : 1;
    }
    if (parts > 1 && !is_constant)
        return add_in_parts(adder, x, y, parts);
    add_range(adder, &adder->bins, x, y, 0, is_constant ? 1 : x->n);
    bins_fold(&adder->bins);
    if (is_constant)
        bins_multiply(&adder->bins, x->n);
    return OK;
}
