/* Dot products and matrix products, as lessons compute them. */
#include "src/teach/tools/lesson_matrices.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/heard.h"

static void assert_refuses(enum status status, struct heard *heard, const char *words)
{
    heard_all(heard);
    assert_int_equal(status, BAD_INPUT);
    assert_non_null(strstr(heard->text, words));
}

/* ---- vectors ---- */

static const float x[] = {1 + 0x1p-12f, -1, 0x1p100f}, y[] = {1 + 0x1p-12f, 1 + 0x1p-11f, 0};

static struct lesson_data pairs(uint64_t n)
{
    struct lesson_data data;
    assert_int_equal(lesson_data_of_pairs(x, y, n, &data), OK);
    return data;
}

static void a_dot_product_is_held_against_the_exact_one(void **state)
{
    (void)state;
    struct lesson_data data = pairs(3);
    struct lesson_sum rounded, kept;
    assert_true(data.exact.nearest == 0x1p-24 && data.n == 3);
    assert_int_equal(lesson_add("dot:plain/serial", one_thread, &data, &rounded), OK);
    assert_int_equal(lesson_add("dot_exact:sum2/serial", one_thread, &data, &kept), OK);
    assert_true(rounded.computed == 0 && rounded.metric[METRIC_relative_error] == 1);
    assert_true(kept.computed == 0x1p-24f && kept.metric[METRIC_relative_error] == 0);
    lesson_data_free(&data);
}

static void the_first_products_are_held_against_theirs(void **state)
{
    (void)state;
    struct lesson_data data = pairs(3);
    struct lesson_sum one;
    assert_int_equal(lesson_add_first("dot:plain/serial", one_thread, &data, 1, &one), OK);
    assert_true(one.computed == 1 + 0x1p-11f && one.metric[METRIC_abs_error] == 0x1p-24);
    lesson_data_free(&data);
}

static void methods_take_as_many_vectors_as_they_have(void **state)
{
    (void)state;
    static const char *const of_one[] = {"dot:plain/serial", "sumsq:plain/serial"};
    struct lesson_data two = pairs(2), one;
    struct lesson_sum sum;
    assert_int_equal(lesson_data_of(x, 2, &one), OK);
    assert_int_equal(lesson_add("plain/serial", one_thread, &one, &sum), OK);
    struct heard heard = listen_to_stderr();
    assert_refuses(lesson_add("plain/serial", one_thread, &two, &sum), &heard, "takes two vectors of binary32");
    for (int m = 0; m < 2; m++) {
        heard = listen_to_stderr();
        assert_refuses(lesson_add(of_one[m], one_thread, &one, &sum), &heard, "takes one vector of binary32");
    }
    lesson_data_free(&one);
    lesson_data_free(&two);
}

/* ---- matrices ---- */

/* {1 2} {5 6}   {19 22}
 * {3 4} {7 8} = {43 50} */
static void a_product_of_matrices_goes_row_by_row(void **state)
{
    (void)state;
    static const float a[] = {1, 2, NAN, 3, 4, NAN}, b[] = {5, 6, 7, 8}, expected[] = {19, 22, 43, 50};
    struct lesson_matrices of = {.rows = 2, .inner = 2, .columns = 2, .a_leading = 3};
    float c[4];
    of.a = (struct lesson_data){.format = &FORMAT_BINARY32, .x = (float *)a, .n = 6}; /* not to be freed */
    of.b = (struct lesson_data){.format = &FORMAT_BINARY32, .x = (float *)b, .n = 4};
    assert_int_equal(lesson_multiply("matmul:plain/naive", &of, c), OK);
    assert_memory_equal(c, expected, sizeof c);
    of.a_leading = 2; /* the twin */
    assert_int_equal(lesson_multiply("matmul:plain/naive", &of, c), OK);
    assert_memory_not_equal(c, expected, sizeof c);
}

static void matrices_differ_and_have_the_format(void **state)
{
    (void)state;
    struct lesson_matrices of;
    float c[6];
    assert_int_equal(lesson_matrices_made("uniform:low=-1", &FORMAT_BFLOAT16, 2, 4, 3, &of), OK);
    assert_true(of.a.n == 8 && of.b.n == 12 && of.a_leading == 4);
    assert_memory_not_equal(of.a.x, of.b.x, 8 * sizeof *of.a.x);
    assert_int_equal(lesson_multiply("matmul:plain/split_2@bfloat16", &of, c), OK);
    for (int i = 0; i < 6; i++)
        assert_true((double)c[i] == rounded_to((double)c[i], &FORMAT_BFLOAT16));
    lesson_matrices_free(&of);
    assert_null(of.a.x);
}

static void methods_of_another_format_are_refused(void **state)
{
    (void)state;
    static const char *const others[] = {"matmul:plain/naive@bfloat16", "matmul:plain/naive@binary32_to_binary64",
                                         "dot:plain/serial"};
    struct lesson_matrices of;
    float c[6];
    assert_int_equal(lesson_matrices_made("uniform:low=-1", &FORMAT_BINARY32, 2, 4, 3, &of), OK);
    for (size_t m = 0; m < sizeof others / sizeof *others; m++) {
        struct heard heard = listen_to_stderr();
        assert_refuses(lesson_multiply(others[m], &of, c), &heard, "expected a matrix product of binary32");
    }
    lesson_matrices_free(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dot_product_is_held_against_the_exact_one),
        cmocka_unit_test(the_first_products_are_held_against_theirs),
        cmocka_unit_test(methods_take_as_many_vectors_as_they_have),
        cmocka_unit_test(a_product_of_matrices_goes_row_by_row),
        cmocka_unit_test(matrices_differ_and_have_the_format),
        cmocka_unit_test(methods_of_another_format_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
