/* Infinities, NaN and zeros in the bins, wherever they stand in a block, against per-term MPFR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "summed_data.h"

/* ---- special numbers ---- */

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

/* All of them, half, ... one of 2,048: lanes expect small numbers where there are some among the first 64 of a block.
 */
static void specials_among_any_numbers_are_counted(void **state)
{
    (void)state;
    static const double others[] = {0.0, 0x1p-1074, -0x0.fffffffffffffp-1022, -0.0, INFINITY, -INFINITY, NAN};
    seed_random(5);
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        for (int round = 0; round < 200; round++) {
            struct data data = any_data(formats[f], below(3 * BLOCK));
            for (uint64_t i = 0; i < data.n; i++)
                if (below(UINT64_C(1) << round % 12) == 0)
                    set(&data, i, others[below((uint64_t)1 + (uint64_t)round % COUNT_OF(others))]);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_special_number_is_seen_wherever_it_stands),
        cmocka_unit_test(specials_among_any_numbers_are_counted),
        cmocka_unit_test(a_zero_sum_is_negative_only_where_all_terms_are),
    };
    return cmocka_run_group_tests_name("specials in bins", tests, NULL, NULL);
}
