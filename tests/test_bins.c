/* The bins against GMP integers and against per-term MPFR, where a counter, a block, a bank or a limb ends. */
#include "../reference/bins.h"
#include "../reference/exact.h"
#include "../reference/per_term.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { BANKS = 4, BLOCK = 2048, THREADED = 1 << 20, COMPLAINT_SIZE = 1024 };

static const struct format *const formats[] = {&FORMAT_BINARY32, &FORMAT_BINARY64};

/* ---- data of either format ---- */

struct data {
    const struct format *format;
    uint64_t n;
    union {
        float *x32;
        double *x64;
        void *x;
    };
};

static struct data data_new(const struct format *format, uint64_t n)
{
    struct data data = {.format = format, .n = n, .x = malloc(n * format->bytes + 1)};
    assert_non_null(data.x);
    return data;
}

static void set(struct data *data, uint64_t i, double value)
{
    if (data->format == &FORMAT_BINARY64)
        data->x64[i] = value;
    else
        data->x32[i] = (float)value;
}

static double get(const struct data *data, uint64_t i)
{
    return data->format == &FORMAT_BINARY64 ? data->x64[i] : (double)data->x32[i];
}

static double largest_of(const struct format *format)
{
    return format == &FORMAT_BINARY64 ? DBL_MAX : (double)FLT_MAX;
}

/* The bits of the format; finite. */
static double any_of(const struct format *format)
{
    for (;;) {
        const double x = format == &FORMAT_BINARY64 ? double_from_bits(next_random()) : (double)any_float();
        if (isfinite(x))
            return x;
    }
}

static struct data any_data(const struct format *format, uint64_t n)
{
    struct data data = data_new(format, n);
    for (uint64_t i = 0; i < n; i++)
        set(&data, i, any_of(format));
    return data;
}

static struct data repeated(const struct format *format, double value, uint64_t n)
{
    struct data data = data_new(format, n);
    for (uint64_t i = 0; i < n; i++)
        set(&data, i, value);
    return data;
}

/* ---- the same sum in GMP integers, in units of 2^-1074, of products 2^-2148 ---- */

static void integer_of(mpz_t integer, double x)
{
    int exponent;
    const double fraction = frexp(x, &exponent); /* x = fraction 2^53 2^(exponent - 53), both integers with 2^1074 */
    const int shift = exponent - 53 + 1074;
    mpz_set_d(integer, ldexp(fraction, 53));
    if (shift >= 0)
        mpz_mul_2exp(integer, integer, (mp_bitcnt_t)shift);
    else
        mpz_tdiv_q_2exp(integer, integer, (mp_bitcnt_t)-shift);
}

/* value == integer 2^unit */
static bool is_integer(const mpfr_t value, const mpz_t integer, int unit)
{
    mpfr_t expected;
    mpfr_init2(expected, 4400);
    assert_int_equal(mpfr_set_z_2exp(expected, integer, unit, MPFR_RNDN), 0);
    const bool same = mpfr_equal_p(value, expected);
    mpfr_clear(expected);
    return same;
}

/* y: NULL, or the second factors.  Finite data only. */
static bool is_the_integer_sum(const struct exact_sum *exact, const struct data *x, const struct data *y)
{
    const int unit = y ? -2148 : -1074;
    mpz_t sum, sum_abs, term, factor;
    mpz_inits(sum, sum_abs, term, factor, (mpz_ptr)0);
    for (uint64_t i = 0; i < x->n; i++) {
        integer_of(term, get(x, i));
        if (y) {
            integer_of(factor, get(y, i));
            mpz_mul(term, term, factor);
        }
        mpz_add(sum, sum, term);
        mpz_abs(term, term);
        mpz_add(sum_abs, sum_abs, term);
    }
    const bool same = is_integer(exact->sum, sum, unit) && is_integer(exact->sum_abs, sum_abs, unit);
    mpz_clears(sum, sum_abs, term, factor, (mpz_ptr)0);
    return same;
}

/* ---- sums ---- */

static const struct exact_how verified = {.verify = true};

static struct exact_sum sum_of(const struct data *data, struct exact_how how)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum_how(data->format, how, data->x, data->n, &exact), OK);
    return exact;
}

/* By bins, per-term MPFR and GMP integers. */
static void assert_sum_is_right(const struct data *data)
{
    struct exact_sum exact = sum_of(data, verified);
    assert_true(is_the_integer_sum(&exact, data, NULL));
    exact_free(&exact);
}

/* stderr is not listened to: what complains is expected to. */
struct silence {
    int stderr_before;
};

static struct silence be_silent(void)
{
    fflush(stderr);
    const struct silence silence = {dup(STDERR_FILENO)};
    assert_non_null(freopen("/dev/null", "w", stderr));
    return silence;
}

static void be_loud(struct silence silence)
{
    fflush(stderr);
    dup2(silence.stderr_before, STDERR_FILENO);
    close(silence.stderr_before);
}

static enum status silently_verified(const struct data *data)
{
    struct exact_sum exact;
    const struct silence silence = be_silent();
    const enum status status = exact_sum_how(data->format, verified, data->x, data->n, &exact);
    be_loud(silence);
    if (status == OK)
        exact_free(&exact);
    return status;
}

static bool agree(struct exact_sum a, struct exact_sum b)
{
    const bool same = per_term_agrees(&a, &b) == OK;
    exact_free(&a);
    exact_free(&b);
    return same;
}

/* ---- where things end ---- */

static void every_length_up_to_300_and_around_the_ends_of_blocks(void **state)
{
    (void)state;
    seed_random(1);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (uint64_t n = 0; n <= 4 * BLOCK + 9; n++) {
            if (n > 300 && (n + 9) % BLOCK > 18)
                continue;
            struct data data = any_data(formats[f], n);
            assert_sum_is_right(&data);
            free(data.x);
        }
}

static void the_largest_numbers_do_not_push_out_the_least(void **state)
{
    (void)state;
    static const uint64_t times[] = {1, 2, 16, 1 << 16};
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (size_t t = 0; t < COUNT_OF(times); t++) {
            const double largest = largest_of(formats[f]), least = ldexp(1, formats[f]->least_exponent);
            struct data data = data_new(formats[f], 2 * times[t] + 1);
            for (uint64_t i = 0; i < data.n; i++)
                set(&data, i, i < times[t] ? largest : i == times[t] ? least : -largest);
            struct exact_sum exact = sum_of(&data, verified);
            assert_true(exact.nearest == least && mpfr_cmp_d(exact.sum, least) == 0);
            assert_true(is_the_integer_sum(&exact, &data, NULL));
            assert_int_equal(exact.subnormals, 1);
            exact_free(&exact);
            free(data.x);
        }
}

static void subnormals_alone_are_summed_and_counted(void **state)
{
    (void)state;
    seed_random(2);
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        struct data data = data_new(formats[f], 3 * BLOCK + 5);
        uint64_t zeros = 0;
        for (uint64_t i = 0; i < data.n; i++) {
            const double x = ldexp((double)below(1 << 23), formats[f]->least_exponent);
            set(&data, i, below(2) ? x : -x);
            zeros += x == 0;
        }
        struct exact_sum exact = sum_of(&data, verified);
        assert_true(is_the_integer_sum(&exact, &data, NULL));
        assert_int_equal(exact.subnormals, data.n - zeros);
        assert_int_equal(exact.least_exponent, formats[f]->least_exponent + formats[f]->precision - 1);
        assert_int_equal(exact.largest_exponent, exact.least_exponent);
        exact_free(&exact);
        free(data.x);
    }
}

static void sixteen_million_and_one_equal_terms(void **state)
{
    (void)state;
    const uint64_t n = (1 << 24) + 1;
    struct data data = repeated(&FORMAT_BINARY32, 1, n);
    struct exact_sum exact = sum_of(&data, (struct exact_how){0});
    assert_true(mpfr_cmp_ui(exact.sum, n) == 0 && mpfr_cmp_ui(exact.sum_abs, n) == 0);
    exact_free(&exact);
    for (uint64_t i = 1; i < n; i += 2)
        data.x32[i] = -1;
    exact = sum_of(&data, (struct exact_how){0});
    assert_true(mpfr_cmp_ui(exact.sum, 1) == 0 && mpfr_cmp_ui(exact.sum_abs, n) == 0);
    exact_free(&exact);
    free(data.x);
}

/* ---- the counters' limits ---- */

/* Whether n terms of one value are summed right when counters are folded after so many. */
static bool equal_terms_are_right(const struct format *format, double value, uint64_t n, uint64_t fold_after)
{
    struct data data = repeated(format, value, n);
    mpfr_t expected;
    mpfr_init2(expected, 200);
    mpfr_set_d(expected, value, MPFR_RNDN);
    mpfr_mul_ui(expected, expected, n, MPFR_RNDN);
    bins_fold_after = fold_after;
    struct exact_sum exact = sum_of(&data, (struct exact_how){0});
    bins_fold_after = 0;
    const bool right = mpfr_equal_p(exact.sum, expected);
    mpfr_clear(expected);
    exact_free(&exact);
    free(data.x);
    return right;
}

static void counters_are_right_up_to_their_limit_and_wrong_beyond(void **state)
{
    (void)state;
    const uint64_t most32 = 65535, most64 = 1048575;
    for (int sign = -1; sign <= 1; sign += 2) {
        assert_true(equal_terms_are_right(&FORMAT_BINARY32, sign * (double)FLT_MAX, BANKS * most32, most32));
        assert_true(equal_terms_are_right(&FORMAT_BINARY32, sign * (double)FLT_MAX, 3 * BANKS * most32, 0));
        assert_false(equal_terms_are_right(&FORMAT_BINARY32, sign * (double)FLT_MAX, BANKS * most32 + 1, most32 + 1));
        assert_true(equal_terms_are_right(&FORMAT_BINARY64, sign * DBL_MAX, BANKS * most64, most64));
    }
    assert_true(equal_terms_are_right(&FORMAT_BINARY64, -DBL_MAX, 3 * BANKS * most64, 0));
    assert_true(equal_terms_are_right(&FORMAT_BINARY64, -DBL_MAX, BANKS * (most64 + 257), most64 + 257));
    assert_false(equal_terms_are_right(&FORMAT_BINARY64, -DBL_MAX, BANKS * (most64 + 258), most64 + 258));
}

/* A bank of pieces of one element gets them all. */
static void pieces_of_one_element_fill_one_bank(void **state)
{
    (void)state;
    const float x = -FLT_MAX;
    struct bins bins;
    assert_int_equal(bins_init(&bins, BINS_OF_BINARY32), OK);
    struct data data = repeated(&FORMAT_BINARY32, (double)x, 65537);
    for (uint64_t i = 0; i < data.n; i++)
        bins_add(&bins, &x, NULL, 1);
    bins_fold(&bins);
    struct bins once;
    assert_int_equal(bins_init(&once, BINS_OF_BINARY32), OK);
    bins_add(&once, data.x, NULL, data.n);
    bins_fold(&once);
    assert_memory_equal(bins.totals, once.totals, sizeof bins.totals);
    bins_free(&bins);
    bins_free(&once);
    free(data.x);
}

static void early_folds_change_nothing(void **state)
{
    (void)state;
    seed_random(3);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (uint64_t after = 1; after < 2000; after = after * 3 + 1) {
            struct data data = any_data(formats[f], 5000 + below(100));
            bins_fold_after = after;
            assert_sum_is_right(&data);
            bins_fold_after = 0;
            free(data.x);
        }
}

/* ---- special numbers ---- */

static const double specials[] = {INFINITY, -INFINITY, NAN, 0.0, -0.0, 0x1p-149, -0x1p-149};

static void a_special_number_is_seen_wherever_it_stands(void **state)
{
    (void)state;
    seed_random(4);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (size_t s = 0; s < COUNT_OF(specials); s++) {
            struct data data = repeated(formats[f], 1, BLOCK + 7);
            for (uint64_t i = 0; i < data.n; i += i < 40 || i > BLOCK - 10 ? 1 : 37) {
                set(&data, i, specials[s]);
                struct exact_sum exact = sum_of(&data, verified);
                const uint64_t counts[] = {exact.positive_infinities, exact.negative_infinities, exact.nans};
                for (size_t k = 0; k < COUNT_OF(counts); k++)
                    assert_int_equal(counts[k], k == s);
                assert_int_equal(exact.negative_zeros, s == 4);
                assert_int_equal(exact.subnormals, s > 4 && f == 0);
                assert_true(exact.max_abs == 1);
                exact_free(&exact);
                set(&data, i, 1);
            }
            free(data.x);
        }
}

static void specials_among_any_numbers_are_counted(void **state)
{
    (void)state;
    seed_random(5);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (int round = 0; round < 200; round++) {
            struct data data = any_data(formats[f], below(3 * BLOCK));
            for (uint64_t i = 0; i < data.n; i++)
                if (below(8) == 0)
                    set(&data, i, specials[below((uint64_t)1 + (uint64_t)round % COUNT_OF(specials))]);
            struct exact_sum exact = sum_of(&data, verified);
            exact_free(&exact);
            free(data.x);
        }
}

static void a_zero_sum_is_negative_only_where_all_terms_are(void **state)
{
    (void)state;
    static const struct {
        double x[3];
        uint64_t n;
        double sum;
    } zeros[] = {{{0}, 0, 0.0},         {{-0.0}, 1, -0.0}, {{-0.0, -0.0, -0.0}, 3, -0.0},
                 {{-0.0, 0.0}, 2, 0.0}, {{1, -1}, 2, 0.0}, {{-0.0, 1, -1}, 3, 0.0}};
    static const struct exact_how ways[] = {{0}, {.verify = true}};
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (size_t z = 0; z < COUNT_OF(zeros); z++)
            for (size_t w = 0; w < COUNT_OF(ways); w++) {
                struct data data = data_new(formats[f], zeros[z].n), ones = repeated(formats[f], 1, zeros[z].n);
                struct exact_sum dot;
                for (uint64_t i = 0; i < data.n; i++)
                    set(&data, i, zeros[z].x[i]);
                struct exact_sum exact = sum_of(&data, ways[w]);
                assert_int_equal(exact_dot(formats[f], ways[w], data.x, ones.x, data.n, &dot), OK);
                assert_int_equal(double_bits(exact.nearest), double_bits(zeros[z].sum));
                assert_int_equal(double_bits(dot.nearest), double_bits(zeros[z].sum));
                exact_free(&exact);
                exact_free(&dot);
                free(data.x);
                free(ones.x);
            }
}

/* ---- threads, pieces, periods ---- */

static void any_number_of_threads_gives_the_same(void **state)
{
    (void)state;
    seed_random(6);
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        struct data data = any_data(formats[f], THREADED + 13);
        for (size_t s = 0; s < COUNT_OF(specials); s++)
            set(&data, below(data.n), specials[s]);
        for (unsigned workers = 1; workers <= 5; workers++)
            assert_true(agree(sum_of(&data, (struct exact_how){0}), sum_of(&data, (struct exact_how){workers, false})));
        for (unsigned workers = 1; workers <= 5; workers++) {
            struct exact_sum one, several;
            assert_int_equal(exact_dot(data.format, (struct exact_how){0}, data.x, data.x, data.n, &one), OK);
            assert_int_equal(
                exact_dot(data.format, (struct exact_how){workers, false}, data.x, data.x, data.n, &several), OK);
            assert_true(agree(one, several));
        }
        free(data.x);
        data = any_data(formats[f], THREADED + 5);
        struct exact_sum exact = sum_of(&data, (struct exact_how){3, false});
        assert_true(is_the_integer_sum(&exact, &data, NULL));
        exact_free(&exact);
        free(data.x);
    }
}

static struct exact_sum sum_in_pieces(const struct data *data, struct exact_how how, uint64_t piece_most)
{
    struct exact_stream *stream;
    struct exact_sum exact;
    assert_int_equal(exact_stream_new(data->format, how, &stream), OK);
    for (uint64_t i = 0, piece; i < data->n; i += piece) {
        piece = below(piece_most + 1);
        if (piece > data->n - i)
            piece = data->n - i;
        assert_int_equal(exact_stream_add(stream, (const char *)data->x + i * data->format->bytes, piece), OK);
    }
    assert_int_equal(exact_stream_end(stream, &exact), OK);
    return exact;
}

static void pieces_give_what_one_call_gives(void **state)
{
    (void)state;
    static const uint64_t pieces[] = {1, 2, 7, 100, BLOCK + 3, 4 * BLOCK};
    seed_random(7);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (size_t p = 0; p < COUNT_OF(pieces); p++)
            for (int verify = 0; verify < 2; verify++) {
                struct data data = any_data(formats[f], below(3 * BLOCK));
                const struct exact_how how = {.workers = (unsigned)p, .verify = verify};
                assert_true(agree(sum_of(&data, verified), sum_in_pieces(&data, how, pieces[p])));
                free(data.x);
            }
    struct data data = any_data(&FORMAT_BINARY32, THREADED);
    assert_true(
        agree(sum_of(&data, (struct exact_how){0}), sum_in_pieces(&data, (struct exact_how){.workers = 3}, THREADED)));
    free(data.x);
}

static void a_stream_that_is_not_ended_can_be_freed(void **state)
{
    (void)state;
    struct exact_stream *stream;
    assert_int_equal(exact_stream_new(&FORMAT_BINARY64, (struct exact_how){2, true}, &stream), OK);
    assert_int_equal(exact_stream_add(stream, &(double){1}, 1), OK);
    exact_stream_free(stream);
    exact_stream_free(NULL);
}

static void data_that_repeat_give_what_they_give_written_out(void **state)
{
    (void)state;
    seed_random(8);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (int round = 0; round < 300; round++) {
            const uint64_t period = 1 + below(40), n = below(1000);
            struct data data = any_data(formats[f], period), written = data_new(formats[f], n);
            for (uint64_t i = 0; i < period && round % 2; i++)
                if (below(4) == 0)
                    set(&data, i, specials[below(COUNT_OF(specials))]);
            for (uint64_t i = 0; i < n; i++)
                set(&written, i, get(&data, i % period));
            struct exact_sum exact;
            assert_int_equal(exact_sum_repeated(formats[f], data.x, period, n, &exact), OK);
            assert_true(agree(exact, sum_of(&written, verified)));
            free(data.x);
            free(written.x);
        }
}

/* The most that totals are made for: 2^64 - 1 times the largest number. */
static void totals_hold_as_many_of_the_largest_as_can_be_counted(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct data data = repeated(formats[f], sign * largest_of(formats[f]), 1);
            struct exact_sum exact;
            assert_int_equal(exact_sum_repeated(formats[f], data.x, 1, UINT64_MAX, &exact), OK);
            mpfr_div_ui(exact.sum, exact.sum, UINT64_MAX, MPFR_RNDN);
            assert_true(mpfr_cmp_d(exact.sum, sign * largest_of(formats[f])) == 0);
            exact_free(&exact);
            free(data.x);
        }
}

/* The same of products, which no interface repeats. */
static void totals_of_products_hold_as_many_of_the_largest(void **state)
{
    (void)state;
    static const enum bins_of products[] = {BINS_OF_PRODUCTS32, BINS_OF_PRODUCTS64};
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        struct data x = repeated(formats[f], largest_of(formats[f]), 1);
        struct bins bins;
        mpz_t total, largest;
        mpz_inits(total, largest, (mpz_ptr)0);
        assert_int_equal(bins_init(&bins, products[f]), OK);
        bins_add(&bins, x.x, x.x, 1);
        bins_fold(&bins);
        mpz_import(largest, bins.limbs, -1, sizeof *bins.totals[0], 0, 0, bins.totals[0]);
        bins_multiply(&bins, UINT64_MAX);
        mpz_import(total, bins.limbs, -1, sizeof *bins.totals[0], 0, 0, bins.totals[0]);
        mpz_mul_ui(largest, largest, UINT64_MAX);
        assert_int_equal(mpz_cmp(total, largest), 0);
        mpz_clears(total, largest, (mpz_ptr)0);
        bins_free(&bins);
        free(x.x);
    }
}

/* ---- products ---- */

static void assert_dot_is_right(const struct data *x, const struct data *y)
{
    struct exact_sum exact;
    assert_int_equal(exact_dot(x->format, verified, x->x, y->x, x->n, &exact), OK);
    assert_true(is_the_integer_sum(&exact, x, y));
    exact_free(&exact);
}

static void products_are_summed_exactly(void **state)
{
    (void)state;
    seed_random(9);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (uint64_t n = 0; n < 4 * BLOCK; n += n < 100 ? 1 : 1 + below(1500)) {
            struct data x = any_data(formats[f], n), y = any_data(formats[f], n);
            for (uint64_t i = 0; i < n; i++)
                if (below(4) == 0)
                    set(&x, i, ldexp((double)below(1 << 20), formats[f]->least_exponent));
            assert_dot_is_right(&x, &y);
            free(x.x);
            free(y.x);
        }
}

static void the_largest_product_does_not_push_out_the_least(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        const double largest = largest_of(formats[f]), least = ldexp(1, formats[f]->least_exponent);
        const double xs[] = {largest, largest, least, -largest, largest},
                     ys[] = {largest, largest, -least, largest, -largest};
        struct data x = data_new(formats[f], 5), y = data_new(formats[f], 5);
        for (uint64_t i = 0; i < 5; i++) {
            set(&x, i, xs[i]);
            set(&y, i, ys[i]);
        }
        struct exact_sum exact;
        assert_int_equal(exact_dot(formats[f], verified, x.x, y.x, 5, &exact), OK);
        assert_true(is_the_integer_sum(&exact, &x, &y));
        assert_true(mpfr_cmp_si_2exp(exact.sum, -1, 2 * formats[f]->least_exponent) == 0);
        assert_int_equal(exact.least_exponent, 2 * formats[f]->least_exponent);
        assert_int_equal(exact.largest_exponent, 2 * formats[f]->overflow_exponent - 1);
        assert_int_equal(exact.subnormals, 1);
        assert_true(exact.max_abs == (f == 0 ? (double)FLT_MAX * (double)FLT_MAX : INFINITY));
        exact_free(&exact);
        free(x.x);
        free(y.x);
    }
}

/* 2^53 - 1 at every 53rd bit is a row of ones through ten limbs; one more at its end carries through all of them. */
static void a_carry_goes_through_all_limbs(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct data x = data_new(&FORMAT_BINARY64, 13), y = repeated(&FORMAT_BINARY64, sign, 13);
        for (int k = 0; k < 12; k++)
            set(&x, (uint64_t)k, ldexp(0x1p53 - 1, 53 * k - 300));
        set(&x, 12, 0x1p-300);
        struct exact_sum exact;
        assert_int_equal(exact_dot(x.format, verified, x.x, y.x, x.n, &exact), OK);
        assert_true(mpfr_cmp_si_2exp(exact.sum, sign, 53 * 12 - 300) == 0);
        exact_free(&exact);
        exact = sum_of(&x, verified);
        assert_true(mpfr_cmp_si_2exp(exact.sum, 1, 53 * 12 - 300) == 0);
        exact_free(&exact);
        free(x.x);
        free(y.x);
    }
}

/* (1 + u)(1 + u) is 1 + 2u and a bit that binary64 does not hold; the least subnormal squared is far below all of it.
 */
static void the_largest_product_is_rounded_up(void **state)
{
    (void)state;
    static const struct {
        double x, y, above;
    } known[] = {{1 + DBL_EPSILON, 1 + DBL_EPSILON, 1 + 3 * DBL_EPSILON},
                 {1, 1, 1},
                 {0x1p-1074, 0x1p-1074, 0x1p-1074},
                 {0x1p-1074, 0.75, 0x1p-1074},
                 {0x1p-1022, 0x1p-1022, 0x1p-1074},
                 {0x1p-1022, 0.5, 0x1p-1023},
                 {DBL_MAX, -1, DBL_MAX},
                 {DBL_MAX, 1 + DBL_EPSILON, INFINITY},
                 {0x1.fffffffffffffp0, 0x1.fffffffffffffp0, 0x1.fffffffffffffp1},
                 {3, 0.0, 0}};
    for (size_t k = 0; k < COUNT_OF(known); k++) {
        struct exact_sum exact;
        assert_int_equal(exact_dot(&FORMAT_BINARY64, verified, &known[k].x, &known[k].y, 1, &exact), OK);
        assert_true(exact.max_abs == known[k].above);
        exact_free(&exact);
    }
}

/* Products that grow by less than their rounding shows, by ulps, or by binades; in all three the last is the largest.
 */
static void the_largest_product_is_found_among_others(void **state)
{
    (void)state;
    enum { N = 9 };
    double x[3][N], y[3][N];
    for (int i = 0; i < N; i++) {
        x[0][i] = 1 + i / 2 * DBL_EPSILON, y[0][i] = 1 + (N / 2 - i / 2) * DBL_EPSILON; /* 1 + 4 ulp + a little */
        x[1][i] = 1 + i * DBL_EPSILON, y[1][i] = i % 2 ? -1.5 : 1.5;
        x[2][i] = ldexp(1.75, 3 * i - 1074), y[2][i] = 1;
    }
    for (size_t k = 0; k < COUNT_OF(x); k++)
        for (int reversed = 0; reversed < 2; reversed++) {
            struct exact_sum exact;
            for (int i = 0; i < N / 2 && reversed; i++) {
                const double a = x[k][i], b = y[k][i];
                x[k][i] = x[k][N - 1 - i], y[k][i] = y[k][N - 1 - i];
                x[k][N - 1 - i] = a, y[k][N - 1 - i] = b;
            }
            assert_int_equal(exact_dot(&FORMAT_BINARY64, verified, x[k], y[k], N, &exact), OK);
            exact_free(&exact);
        }
}

/* 0.75 and 1 times the least normal number, among products far above. */
static void a_product_just_below_the_normal_numbers_is_counted(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        const double least_normal = f == 0 ? (double)FLT_MIN : DBL_MIN;
        struct data x = repeated(formats[f], 1, 100), y = repeated(formats[f], 3, 100);
        struct exact_sum exact;
        set(&x, 17, least_normal), set(&y, 17, -0.75);
        set(&x, 18, least_normal), set(&y, 18, 1);
        assert_int_equal(exact_dot(formats[f], verified, x.x, y.x, x.n, &exact), OK);
        assert_int_equal(exact.subnormals, 1);
        exact_free(&exact);
        free(x.x);
        free(y.x);
    }
}

static void special_products_follow_ieee(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (size_t a = 0; a < COUNT_OF(specials) + 2; a++)
            for (size_t b = 0; b < COUNT_OF(specials) + 2; b++) {
                const double p = a < COUNT_OF(specials) ? specials[a] : a % 2 ? 3 : -3;
                const double q = b < COUNT_OF(specials) ? specials[b] : b % 2 ? 3 : -3;
                struct data x = repeated(formats[f], p, 1), y = repeated(formats[f], q, 1);
                struct exact_sum exact;
                assert_int_equal(exact_dot(formats[f], verified, x.x, y.x, 1, &exact), OK);
                const double product = p * q;
                const bool zero = p == 0 || q == 0;
                assert_int_equal(exact.nans, isnan(product) != 0);
                assert_int_equal(exact.positive_infinities, product == INFINITY);
                assert_int_equal(exact.negative_infinities, product == -INFINITY);
                assert_int_equal(exact.negative_zeros, zero && product == 0 && signbit(product) != 0);
                exact_free(&exact);
                free(x.x);
                free(y.x);
            }
}

/* ---- the verification ---- */

/* Counters that run over are a planted fault; a sum that is not verified does not see it. */
static void verification_finds_a_wrong_sum(void **state)
{
    (void)state;
    struct data data = repeated(&FORMAT_BINARY32, 1, BANKS * UINT64_C(65536));
    assert_int_equal(silently_verified(&data), OK);
    bins_fold_after = 65536;
    assert_int_equal(silently_verified(&data), NOT_MEASURED);
    struct exact_stream *stream;
    struct exact_sum exact = sum_of(&data, (struct exact_how){0});
    exact_free(&exact);
    assert_int_equal(exact_stream_new(data.format, verified, &stream), OK);
    assert_int_equal(exact_stream_add(stream, data.x, data.n), OK);
    struct silence silence = be_silent();
    const enum status streamed = exact_stream_end(stream, &exact);
    be_loud(silence);
    assert_int_equal(streamed, NOT_MEASURED);
    bins_fold_after = 0;
    free(data.x);
}

/* Products of binary32 pairs go into counters of binary64, whose words reach 0xcfe... here: 1.24 times as many fit. */
static void verification_finds_a_wrong_dot_product(void **state)
{
    (void)state;
    struct data x = repeated(&FORMAT_BINARY32, (double)FLT_MAX, BANKS * UINT64_C(1300000));
    struct data y = repeated(&FORMAT_BINARY32, -(double)FLT_MAX, x.n);
    struct exact_sum exact;
    bins_fold_after = 1300000;
    const struct silence silence = be_silent();
    const enum status status = exact_dot(x.format, verified, x.x, y.x, x.n, &exact);
    be_loud(silence);
    bins_fold_after = 0;
    assert_int_equal(status, NOT_MEASURED);
    free(x.x);
    free(y.x);
}

/* {2^-149, FLT_MAX, FLT_MAX} needs 278 bits; of the sum, or of the sum of absolute values alone. */
static void per_term_addition_that_rounds_stops(void **state)
{
    (void)state;
    static const float x[][3] = {{0x1p-149f, FLT_MAX, FLT_MAX}, {0x1p-149f, FLT_MAX, -FLT_MAX}};
    for (size_t k = 0; k < COUNT_OF(x); k++)
        for (mpfr_prec_t narrow = 0; narrow < 4; narrow++) { /* bit 0: the sum, bit 1: the other */
            struct exact_sum exact = {.format = &FORMAT_BINARY32};
            mpfr_init2(exact.sum, narrow & 1 ? 276 : 278);
            mpfr_init2(exact.sum_abs, narrow & 2 ? 276 : 278);
            mpfr_set_zero(exact.sum, 1);
            mpfr_set_zero(exact.sum_abs, 1);
            const struct silence silence = be_silent();
            const enum status status = per_term_add(&exact, x[k], NULL, 3);
            be_loud(silence);
            assert_int_equal(status, narrow == 0 ? OK : NOT_MEASURED);
            exact_free(&exact);
        }
}

/* What field i of an exact sum is called when it is wrong. */
static const char *spoil(struct exact_sum *exact, int field)
{
    uint64_t *const counts[] = {&exact->n,
                                &exact->nans,
                                &exact->positive_infinities,
                                &exact->negative_infinities,
                                &exact->negative_zeros,
                                &exact->subnormals};
    double *const doubles[] = {&exact->max_abs, &exact->condition, &exact->nearest,
                               &exact->ulp,     &exact->abs_above, &exact->sum_abs_above};
    static const char *const names[] = {"n is",        "NaNs is",     "+Inf is",   "-Inf is",   "-0 is",
                                        "subnormals",  "max |x_i|",   "condition", "nearest",   "ulp(s)",
                                        "|s| rounded", "sum |x_i| r", "least exp", "largest e", "the sum is",
                                        "absolute v",  "kind"};
    if (field < 6)
        ++*counts[field];
    else if (field < 12)
        *doubles[field - 6] *= 1 + 0x1p-52;
    else if (field == 12)
        exact->least_exponent--;
    else if (field == 13)
        exact->largest_exponent++;
    else if (field == 14)
        mpfr_nextabove(exact->sum);
    else if (field == 15)
        mpfr_nextabove(exact->sum_abs);
    else
        exact->kind = EXACT_NAN;
    return names[field];
}

static void every_field_that_differs_is_named(void **state)
{
    (void)state;
    struct data data = repeated(&FORMAT_BINARY32, 3, 7);
    for (int field = 0; field < 17; field++) {
        struct exact_sum right = sum_of(&data, verified), wrong = sum_of(&data, verified);
        char heard[COMPLAINT_SIZE];
        FILE *file = tmpfile();
        assert_int_equal(per_term_agrees(&right, &wrong), OK);
        const char *name = spoil(&wrong, field);
        fflush(stderr);
        const int before = dup(STDERR_FILENO);
        assert_true(file && before >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
        const enum status status = per_term_agrees(&right, &wrong);
        fflush(stderr);
        dup2(before, STDERR_FILENO);
        close(before);
        rewind(file);
        heard[fread(heard, 1, COMPLAINT_SIZE - 1, file)] = '\0';
        fclose(file);
        assert_int_equal(status, NOT_MEASURED);
        if (!strstr(heard, name))
            fail_msg("\"%s\" does not name \"%s\"", heard, name);
        exact_free(&right);
        exact_free(&wrong);
    }
    free(data.x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_up_to_300_and_around_the_ends_of_blocks),
        cmocka_unit_test(the_largest_numbers_do_not_push_out_the_least),
        cmocka_unit_test(subnormals_alone_are_summed_and_counted),
        cmocka_unit_test(sixteen_million_and_one_equal_terms),
        cmocka_unit_test(counters_are_right_up_to_their_limit_and_wrong_beyond),
        cmocka_unit_test(pieces_of_one_element_fill_one_bank),
        cmocka_unit_test(early_folds_change_nothing),
        cmocka_unit_test(a_special_number_is_seen_wherever_it_stands),
        cmocka_unit_test(specials_among_any_numbers_are_counted),
        cmocka_unit_test(a_zero_sum_is_negative_only_where_all_terms_are),
        cmocka_unit_test(any_number_of_threads_gives_the_same),
        cmocka_unit_test(pieces_give_what_one_call_gives),
        cmocka_unit_test(a_stream_that_is_not_ended_can_be_freed),
        cmocka_unit_test(data_that_repeat_give_what_they_give_written_out),
        cmocka_unit_test(totals_hold_as_many_of_the_largest_as_can_be_counted),
        cmocka_unit_test(totals_of_products_hold_as_many_of_the_largest),
        cmocka_unit_test(products_are_summed_exactly),
        cmocka_unit_test(the_largest_product_does_not_push_out_the_least),
        cmocka_unit_test(a_carry_goes_through_all_limbs),
        cmocka_unit_test(the_largest_product_is_rounded_up),
        cmocka_unit_test(the_largest_product_is_found_among_others),
        cmocka_unit_test(a_product_just_below_the_normal_numbers_is_counted),
        cmocka_unit_test(special_products_follow_ieee),
        cmocka_unit_test(per_term_addition_that_rounds_stops),
        cmocka_unit_test(verification_finds_a_wrong_sum),
        cmocka_unit_test(verification_finds_a_wrong_dot_product),
        cmocka_unit_test(every_field_that_differs_is_named),
    };
    return cmocka_run_group_tests_name("bins", tests, NULL, NULL);
}
