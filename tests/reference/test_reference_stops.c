/* What cannot be exact stops, and so does what the second opinion calls wrong; each says what it was. */
#include "reference/bins.h"
#include "reference/statistic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "summed_data.h"
#include "tests/support/heard.h"

#include <string.h>

#define TERMS(...) ((const float[]){__VA_ARGS__}), COUNT_OF(((const float[]){__VA_ARGS__}))

/* ---- what would round ---- */

/* Whether the sum stops with a complaint that has this text in it; NULL: whether it succeeds and says nothing. */
static bool sum_complains(const struct format *format, bool verify, const float *x, size_t n, const char *text)
{
    struct exact_sum exact;
    struct heard heard = listen_to_stderr();
    const enum status status = exact_sum_how(format, (struct exact_how){.verify = verify}, x, n, &exact);
    heard_all(&heard);
    if (status == OK)
        exact_free(&exact);
    return text ? status == NOT_MEASURED && strstr(heard.text, text) : status == OK && !*heard.text;
}

static bool repeated_sum_complains(const struct format *format, const float *x, size_t period, size_t n,
                                   const char *text)
{
    struct exact_sum exact;
    struct heard heard = listen_to_stderr();
    const enum status status = exact_sum_repeated(format, x, period, n, &exact);
    heard_all(&heard);
    if (status == OK)
        exact_free(&exact);
    return text ? status == NOT_MEASURED && strstr(heard.text, text) : status == OK && !*heard.text;
}

/* FLT_MAX + 2^-149 needs 277 bits and three times that 279; a format of two binades less has 278 for 6 numbers. */
static void repeated_sum_that_does_not_fit_stops(void **state)
{
    (void)state;
    const struct format narrow = {"narrow", 4, 24, -149, 126, false};
    const float x[] = {0x1p-149f, FLT_MAX};
    assert_true(repeated_sum_complains(&FORMAT_BINARY32, x, 2, 6, NULL));
    assert_true(repeated_sum_complains(&narrow, x, 2, 6, "rounded while taking the sum from its bins"));
}

/* The precision has one bit to spare, so two less are too few: a format that claims two binades less gets those.  The
 * bins see it in the sums, the verification in the addition that needs the bits. */
static void reference_that_is_two_bits_narrower_stops(void **state)
{
    (void)state;
    const struct format narrow = {"narrow", 4, 24, -149, 126, false};
    const struct {
        const float *x;
        size_t n;
        const char *taking;
    } wide[] = {
        {TERMS(0x1p-149f, FLT_MAX, FLT_MAX), "taking the sum from"},
        {TERMS(-FLT_MAX, 0x1p-149f, -FLT_MAX), "taking the sum from"},
        {TERMS(FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX, 0x1p-149f), "taking the sum from"},
        {TERMS(0x1p-149f, FLT_MAX, -FLT_MAX), "taking the sum of absolute values from"},
    };
    assert_true(sum_complains(&narrow, false, TERMS(0x1p-149f, FLT_MAX / 4, FLT_MAX / 4), NULL));
    for (size_t i = 0; i < COUNT_OF(wide); i++) {
        assert_true(sum_complains(&FORMAT_BINARY32, false, wide[i].x, wide[i].n, NULL));
        assert_true(sum_complains(&FORMAT_BINARY32, true, wide[i].x, wide[i].n, NULL));
        assert_true(sum_complains(&narrow, false, wide[i].x, wide[i].n, wide[i].taking));
    }
}

/* One mpfr_add per term has room for 2^64 terms: a format that claims 68 binades less gets four bits too few. */
static void verification_that_is_four_bits_narrower_stops(void **state)
{
    (void)state;
    const struct format narrow = {"narrow", 4, 24, -149, 60, false};
    assert_true(sum_complains(&narrow, true, TERMS(0x1p-149f, 0x1p59f, -0x1p59f), NULL));
    assert_true(sum_complains(&narrow, true, TERMS(0x1p-149f, FLT_MAX), "adding element 1 to the sum:"));
    assert_true(sum_complains(&narrow, true, TERMS(FLT_MAX, -FLT_MAX, 0x1p-149f),
                              "adding element 2 to the sum of absolute values:"));
}

/* In pieces as well, a complaint counts from the first of all numbers. */
static void verification_names_the_element_of_the_whole(void **state)
{
    (void)state;
    const struct format narrow = {"narrow", 4, 24, -149, 60, false};
    const float x[] = {1, 2, 3, 0x1p-149f, FLT_MAX};
    struct exact_stream *stream;
    struct heard heard = listen_to_stderr();
    assert_int_equal(exact_stream_new(&narrow, (struct exact_how){.verify = true}, &stream), OK);
    assert_int_equal(exact_stream_add(stream, x, 3), OK);
    assert_int_equal(exact_stream_add(stream, x + 3, 2), NOT_MEASURED);
    heard_all(&heard);
    exact_stream_free(stream);
    assert_non_null(strstr(heard.text, "adding element 4 to the sum:"));
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
            struct heard heard = listen_to_stderr();
            const enum status status = per_term_add(&exact, x[k], NULL, 3);
            heard_all(&heard);
            assert_int_equal(status, narrow == 0 ? OK : NOT_MEASURED);
            exact_free(&exact);
        }
}

/* ---- what the verification finds ---- */

static enum status verified_quietly(const struct data *data)
{
    struct exact_sum exact;
    struct heard heard = listen_to_stderr();
    const enum status status = exact_sum_how(data->format, verified, data->x, data->n, &exact);
    heard_all(&heard);
    if (status == OK)
        exact_free(&exact);
    return status;
}

/* Counters that run over are a planted fault; a sum that is not verified does not see it. */
static void verification_finds_a_wrong_sum(void **state)
{
    (void)state;
    struct data data = repeated(&FORMAT_BINARY32, 1, BANKS * UINT64_C(65536));
    assert_int_equal(verified_quietly(&data), OK);
    bins_fold_after = 65536;
    assert_int_equal(verified_quietly(&data), NOT_MEASURED);
    struct exact_stream *stream;
    struct exact_sum exact = sum_of(&data, (struct exact_how){0});
    exact_free(&exact);
    assert_int_equal(exact_stream_new(data.format, verified, &stream), OK);
    assert_int_equal(exact_stream_add(stream, data.x, data.n), OK);
    struct heard heard = listen_to_stderr();
    const enum status streamed = exact_stream_end(stream, &exact);
    heard_all(&heard);
    assert_int_equal(streamed, NOT_MEASURED);
    bins_fold_after = 0;
    free(data.x);
}

/* The linker leads exact.c to this one: a fault may be planted in the second opinion. */
static uint64_t left_out; /* of the last terms */
enum status __real_per_term_add(struct exact_sum *exact, const void *x, const void *y, uint64_t n);
enum status __wrap_per_term_add(struct exact_sum *exact, const void *x, const void *y, uint64_t n);

enum status __wrap_per_term_add(struct exact_sum *exact, const void *x, const void *y, uint64_t n)
{
    return __real_per_term_add(exact, x, y, n - left_out);
}

static void verification_finds_a_wrong_dot_product(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (left_out = 0; left_out < 2; left_out++) {
            struct data x = repeated(formats[f], 3, 5), y = repeated(formats[f], -0.5, 5);
            struct exact_sum exact;
            struct heard heard = listen_to_stderr();
            const enum status status = exact_dot(x.format, verified, x.x, y.x, x.n, &exact);
            heard_all(&heard);
            assert_int_equal(status, left_out ? NOT_MEASURED : OK);
            exact_free(&exact);
            free(x.x);
            free(y.x);
        }
    left_out = 0;
}

static void verification_finds_a_wrong_statistic(void **state)
{
    (void)state;
    const float x[] = {3, 1, 2}, y[] = {1, 2, 4};
    size_t stopped = 0;
    for (unsigned of = EXACT_MEAN; of <= EXACT_COSINE; of++)
        for (left_out = 0; left_out < 2; left_out++) {
            struct exact_sum exact;
            struct moments moments;
            struct heard heard = listen_to_stderr();
            const enum status status = exact_statistic((enum exact_statistic)of, 1, &FORMAT_BINARY32, verified, x,
                                                       of >= EXACT_MEAN_WEIGHTED ? y : NULL, 3, &exact, &moments);
            heard_all(&heard);
            assert_int_equal(status, left_out ? NOT_MEASURED : OK);
            stopped += status != OK;
            exact_free(&exact);
        }
    assert_int_equal(stopped, EXACT_COSINE + 1);
    left_out = 0;
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
        assert_int_equal(per_term_agrees(&right, &wrong), OK);
        const char *name = spoil(&wrong, field);
        struct heard heard = listen_to_stderr();
        const enum status status = per_term_agrees(&right, &wrong);
        heard_all(&heard);
        assert_int_equal(status, NOT_MEASURED);
        if (!strstr(heard.text, name))
            fail_msg("\"%s\" does not name \"%s\"", heard.text, name);
        exact_free(&right);
        exact_free(&wrong);
    }
    free(data.x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_sum_that_does_not_fit_stops),
        cmocka_unit_test(reference_that_is_two_bits_narrower_stops),
        cmocka_unit_test(verification_that_is_four_bits_narrower_stops),
        cmocka_unit_test(verification_names_the_element_of_the_whole),
        cmocka_unit_test(per_term_addition_that_rounds_stops),
        cmocka_unit_test(verification_finds_a_wrong_sum),
        cmocka_unit_test(verification_finds_a_wrong_dot_product),
        cmocka_unit_test(verification_finds_a_wrong_statistic),
        cmocka_unit_test(every_field_that_differs_is_named),
    };
    return cmocka_run_group_tests_name("reference that stops", tests, NULL, NULL);
}
