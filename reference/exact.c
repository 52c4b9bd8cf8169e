#include "exact.h"

#include "bins.h"
#include "per_term.h"
#include "src/base/workers.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

static mpfr_prec_t ceil_log2(uint64_t n)
{
    mpfr_prec_t carries = 0;
    for (uint64_t left = n > 0 ? n - 1 : 0; left > 0; left >>= 1)
        carries++;
    return carries;
}

mpfr_prec_t exact_precision(const struct format *format, uint64_t n)
{
    return format->overflow_exponent - format->least_exponent + ceil_log2(n);
}

mpfr_prec_t exact_dot_precision(const struct format *format, uint64_t n)
{
    return 2 * (format->overflow_exponent - format->least_exponent) + ceil_log2(n);
}

/* ---- from bins to MPFR numbers ---- */

static void begin(struct exact_sum *exact, const struct format *format, uint64_t n, mpfr_prec_t precision)
{
    *exact = (struct exact_sum){.format = format, .n = n, .least_exponent = INT_MAX, .largest_exponent = INT_MIN};
    mpfr_init2(exact->sum, precision);
    mpfr_init2(exact->sum_abs, precision);
    mpfr_set_zero(exact->sum, 1);
    mpfr_set_zero(exact->sum_abs, 1);
}

/* count: negative for the negative of the integer */
static enum status set_exactly(mpfr_t value, const mp_limb_t *limbs, mp_size_t count, int unit, const char *what)
{
    mpz_t integer;
    if (mpfr_set_z_2exp(value, mpz_roinit_n(integer, limbs, count), unit, MPFR_RNDN) == 0)
        return OK;
    return not_measured("the exact reference rounded while taking %s from its bins: its precision is too small; this "
                        "is a bug, please report it with the data",
                        what);
}

/* s = P - N, sum |x_i| = P + N.  GMP may have limbs of 32 bits: two for each of the bins', the lower half first. */
static enum status take_totals(struct exact_sum *exact, const struct bins *bins)
{
    enum { PARTS = sizeof(uint64_t) / sizeof(mp_limb_t), PART = 64 / PARTS };
    mp_limb_t limbs[PARTS * BINS_LIMBS_MOST], totals[2][PARTS * BINS_LIMBS_MOST];
    const mp_size_t count = PARTS * (mp_size_t)bins->limbs;
    for (mp_size_t i = 0; i < 2 * count; i++)
        totals[i / count][i % count] = (mp_limb_t)(bins->totals[i / count][i % count / PARTS] >> i % PARTS * PART);
    const bool negative = mpn_cmp(totals[0], totals[1], count) < 0;
    mpn_sub_n(limbs, totals[negative], totals[!negative], count);
    TRY(set_exactly(exact->sum, limbs, negative ? -count : count, bins->unit, "the sum"));
    mpn_add_n(limbs, totals[0], totals[1], count);
    return set_exactly(exact->sum_abs, limbs, count, bins->unit, "the sum of absolute values");
}

/* Subnormals count with the exponent of the least normal number, also where binary32 has them as normal ones; products
 * with their own. */
static int exponent_or_least_normal(const struct bins *bins, int exponent)
{
    return bins->of == BINS_OF_BINARY32 && exponent < bins->least_normal ? bins->least_normal : exponent;
}

/* Folded before. */
static enum status take(struct exact_sum *exact, const struct bins *bins)
{
    exact->nans = bins->nans;
    exact->positive_infinities = bins->infinities[0];
    exact->negative_infinities = bins->infinities[1];
    exact->negative_zeros = bins->negative_zeros;
    exact->subnormals = bins->subnormals;
    exact->max_abs = bins->max_abs;
    if (bins->least_exponent <= bins->largest_exponent) {
        exact->least_exponent = exponent_or_least_normal(bins, bins->least_exponent);
        exact->largest_exponent = exponent_or_least_normal(bins, bins->largest_exponent);
    }
    return take_totals(exact, bins);
}

/* ---- what follows from the two sums and the counts ---- */

static void apply_specials(struct exact_sum *exact)
{
    const int both = exact->positive_infinities > 0 && exact->negative_infinities > 0;
    exact->kind = EXACT_FINITE;
    if (exact->nans > 0 || both) {
        exact->kind = EXACT_NAN;
        mpfr_set_nan(exact->sum);
    } else if (exact->positive_infinities + exact->negative_infinities > 0) {
        exact->kind = EXACT_INF;
        mpfr_set_inf(exact->sum, exact->positive_infinities > 0 ? 1 : -1);
    } else if (mpfr_zero_p(exact->sum)) {
        const bool all_negative = exact->n > 0 && exact->negative_zeros == exact->n;
        mpfr_set_zero(exact->sum, all_negative ? -1 : 1);
    }
}

static double condition_of(const struct exact_sum *exact)
{
    if (exact->kind != EXACT_FINITE)
        return NAN;
    if (mpfr_cmpabs(exact->sum_abs, exact->sum) == 0) /* both 0, or no two signs */
        return 1;
    if (mpfr_zero_p(exact->sum))
        return INFINITY;
    mp_limb_t significand[2]; /* as in exact_round */
    mpfr_t quotient;
    mpfr_custom_init_set(quotient, MPFR_ZERO_KIND, 0, 53, significand);
    mpfr_div(quotient, exact->sum_abs, exact->sum, MPFR_RNDN);
    return fabs(mpfr_get_d(quotient, MPFR_RNDN));
}

/* After a failure, frees the sums instead. */
static enum status conclude(struct exact_sum *exact, enum status status)
{
    if (status != OK) {
        exact_free(exact);
        return status;
    }
    apply_specials(exact);
    exact->condition = condition_of(exact);
    exact->nearest = exact_round(exact->sum, exact->format);
    exact->ulp = exact_ulp(exact->sum, exact->format);
    exact->abs_above = fabs(mpfr_get_d(exact->sum, MPFR_RNDA));
    exact->sum_abs_above = exact->kind == EXACT_FINITE ? mpfr_get_d(exact->sum_abs, MPFR_RNDU) : NAN;
    return OK;
}

static mpfr_prec_t precision_of(const struct format *format, bool products, uint64_t n)
{
    return products ? exact_dot_precision(format, n) : exact_precision(format, n);
}

enum status exact_of_bins(const struct format *format, const struct bins *folded, uint64_t n, struct exact_sum *exact)
{
    const bool products = folded->of == BINS_OF_PRODUCTS32 || folded->of == BINS_OF_PRODUCTS64;
    begin(exact, format, n, precision_of(format, products, n));
    return conclude(exact, take(exact, folded));
}

/* ---- a stream, of which every sum is one ---- */

struct exact_stream {
    const struct format *format;
    struct exact_how how;
    bool products;
    uint64_t n;
    struct bins *bins; /* one of each worker; those that had nothing to do are empty */
    struct bins own;   /* the only one */
    unsigned workers;
    struct exact_sum second; /* of per-term addition, when how.verify; its precision is that of 2^64 terms */
};

/* A thread takes 16 us to start and join, 2^17 terms 42 us. */
enum { TERMS_OF_A_WORKER = 1 << 17 };

static void close_stream(struct exact_stream *stream)
{
    for (unsigned w = 0; w < stream->workers; w++)
        bins_free(&stream->bins[w]);
    if (stream->bins != &stream->own)
        free(stream->bins);
    if (stream->how.verify)
        exact_free(&stream->second);
}

/* No more than `most` terms will come. */
static enum status open_stream(struct exact_stream *stream, const struct format *format, struct exact_how how,
                               bool products, uint64_t most)
{
    const bool wide = format_held(format)->bytes == sizeof(double);
    const enum bins_of of =
        products ? (wide ? BINS_OF_PRODUCTS64 : BINS_OF_PRODUCTS32) : (wide ? BINS_OF_BINARY64 : BINS_OF_BINARY32);
    const int least_normal = format->least_exponent + format->precision - 1;
    const uint64_t useful = most / TERMS_OF_A_WORKER > 0 ? most / TERMS_OF_A_WORKER : 1;
    const uint64_t workers = how.workers == 0 ? 1 : how.workers < useful ? how.workers : useful;
    *stream = (struct exact_stream){.format = format, .how = how, .products = products};
    if (how.verify)
        begin(&stream->second, format, 0, precision_of(format, products, UINT64_MAX));
    stream->bins = workers == 1 ? &stream->own : aligned_alloc(_Alignof(struct bins), workers * sizeof *stream->bins);
    enum status status = stream->bins ? OK : out_of_memory("an exact sum");
    while (status == OK && stream->workers < workers)
        status = bins_init(&stream->bins[stream->workers++], of, least_normal);
    if (status != OK)
        close_stream(stream);
    return status;
}

/* A piece of the data, cut into one part for each of so many workers. */
struct piece {
    struct exact_stream *stream;
    const char *x, *y;
    uint64_t n;
    unsigned workers;
};

static void add_part(void *context, unsigned worker)
{
    const struct piece *piece = context;
    const uint64_t share = piece->n / piece->workers, rest = piece->n % piece->workers;
    const uint64_t from = worker * share + (worker < rest ? worker : rest);
    const uint64_t bytes = from * format_held(piece->stream->format)->bytes;
    bins_add(&piece->stream->bins[worker], piece->x ? piece->x + bytes : NULL, piece->y ? piece->y + bytes : NULL,
             share + (worker < rest));
}

static enum status add_piece(struct exact_stream *stream, const void *x, const void *y, uint64_t n)
{
    struct piece piece = {stream, x, y, n, stream->workers};
    if (n / TERMS_OF_A_WORKER < piece.workers)
        piece.workers = n < 2 * TERMS_OF_A_WORKER ? 1 : (unsigned)(n / TERMS_OF_A_WORKER);
    workers_run(piece.workers, add_part, &piece);
    stream->n += n;
    return stream->how.verify ? per_term_add(&stream->second, x, y, n) : OK;
}

static const struct bins *merged(struct exact_stream *stream)
{
    for (unsigned w = 0; w < stream->workers; w++)
        bins_fold(&stream->bins[w]);
    for (unsigned w = 1; w < stream->workers; w++)
        bins_merge(&stream->bins[0], &stream->bins[w]);
    return &stream->bins[0];
}

/* What follows from the second opinion must follow from the first. */
static enum status verify(struct exact_stream *stream, const struct exact_sum *exact)
{
    struct exact_sum *second = &stream->second;
    stream->how.verify = false; /* conclude may free it, and else it is freed here */
    TRY(conclude(second, OK));
    const enum status status = per_term_agrees(exact, second);
    exact_free(second);
    return status;
}

/* Closes the stream. */
static enum status end_stream(struct exact_stream *stream, struct exact_sum *exact)
{
    enum status status = exact_of_bins(stream->format, merged(stream), stream->n, exact);
    if (status == OK && stream->how.verify) {
        status = verify(stream, exact);
        if (status != OK)
            exact_free(exact);
    }
    close_stream(stream);
    return status;
}

static enum status sum_at_once(const struct format *format, struct exact_how how, bool products, const void *x,
                               const void *y, uint64_t n, struct exact_sum *exact)
{
    struct exact_stream stream;
    *exact = (struct exact_sum){0};
    TRY(open_stream(&stream, format, how, products, n));
    const enum status status = add_piece(&stream, x, y, n);
    if (status == OK)
        return end_stream(&stream, exact);
    close_stream(&stream);
    return status;
}

enum status exact_sum_how(const struct format *format, struct exact_how how, const void *x, uint64_t n,
                          struct exact_sum *exact)
{
    return sum_at_once(format, how, false, x, NULL, n, exact);
}

enum status exact_sum(const struct format *format, const void *x, uint64_t n, struct exact_sum *exact)
{
    return exact_sum_how(format, (struct exact_how){0}, x, n, exact);
}

enum status exact_dot(const struct format *format, struct exact_how how, const void *x, const void *y, uint64_t n,
                      struct exact_sum *exact)
{
    return sum_at_once(format, how, true, x, y, n, exact);
}

enum status exact_stream_new(const struct format *format, struct exact_how how, struct exact_stream **stream)
{
    *stream = aligned_alloc(_Alignof(struct exact_stream), sizeof **stream);
    if (!*stream)
        return out_of_memory("an exact sum");
    const enum status status = open_stream(*stream, format, how, false, UINT64_MAX);
    if (status != OK) {
        free(*stream);
        *stream = NULL;
    }
    return status;
}

enum status exact_stream_add(struct exact_stream *stream, const void *x, uint64_t n)
{
    return add_piece(stream, x, NULL, n);
}

enum status exact_stream_end(struct exact_stream *stream, struct exact_sum *exact)
{
    const enum status status = end_stream(stream, exact);
    free(stream);
    return status;
}

void exact_stream_free(struct exact_stream *stream)
{
    if (stream)
        close_stream(stream);
    free(stream);
}

/* ---- data that repeat ---- */

/* y is NULL for a sum. */
static enum status add_repeated(const struct format *format, const void *x, const void *y, uint64_t period, uint64_t n,
                                struct exact_sum *exact)
{
    struct exact_stream stream;
    assert(period > 0);
    *exact = (struct exact_sum){0};
    TRY(open_stream(&stream, format, (struct exact_how){0}, y != NULL, 0));
    if (n >= period) {
        (void)add_piece(&stream, x, y, period); /* nothing is verified, so nothing fails */
        bins_fold(stream.bins);
        bins_multiply(stream.bins, n / period);
    }
    (void)add_piece(&stream, x, y, n % period);
    stream.n = n;
    return end_stream(&stream, exact);
}

enum status exact_sum_repeated(const struct format *format, const void *x, uint64_t period, uint64_t n,
                               struct exact_sum *exact)
{
    return add_repeated(format, x, NULL, period, n, exact);
}

enum status exact_dot_repeated(const struct format *format, const void *x, const void *y, uint64_t period, uint64_t n,
                               struct exact_sum *exact)
{
    return add_repeated(format, x, y, period, n, exact);
}

void exact_free(struct exact_sum *exact)
{
    if (exact->format) {
        mpfr_clear(exact->sum);
        mpfr_clear(exact->sum_abs);
    }
    *exact = (struct exact_sum){0};
}
