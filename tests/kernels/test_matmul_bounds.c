/* Matrix products, held against exact ones: results are within their bounds. */
#include "matmul_problem.h"
#include "reference/exact.h"
#include "reference/matrix.h"

/* ---- exact products, and bounds ---- */

struct bounded {
    struct problem *problem;
    struct exact_element exact[SIDE * SIDE];
    size_t held, unclaimed, correctly_rounded, rounded_otherwise;
    size_t beyond_exact, beyond_merged; /* the bounds of exact products, and of merged parts: they are less */
    double largest;
};

static void judge(struct bounded *all)
{
    const struct matmul_call *call = &all->problem->call;
    const struct matrix_product product = {
        .format = all->problem->formats->stored,
        .result = all->problem->formats->result,
        .rows = call->a.rows,
        .inner = call->a.columns,
        .columns = call->b.columns,
        .a = {call->a.numbers, call->a.row_step, call->a.column_step},
        .b = {call->b.numbers, call->b.row_step, call->b.column_step},
        .computed = {call->c.numbers, call->c.row_step, call->c.column_step},
    };
    assert_int_equal(exact_matrix(&product, 0, all->exact), OK);
}

static bool is_beyond(const struct matmul_method *method, const struct bounded *all, const struct exact_element *exact)
{
    const struct matmul_magnitudes of = {exact->abs_above, exact->sum_abs_above, 0};
    return method && fabs(exact->error) > matmul_bound(method, all->problem->call.a.columns, 1, 0, &of);
}

static void hold_to_bounds(const struct matmul_method *method, void *context)
{
    struct bounded *all = context;
    const struct matmul_call *call = &all->problem->call;
    const struct matmul_method *merged =
        method->between == ROUNDED ? other(method, "split_8", method->sum_format) : NULL;
    const struct matmul_method *exact_products =
        method->operation == OPERATION_matmul
            ? &matmul_table(OPERATION_matmul_exact, method->sum_format, &(size_t){0})[0]
            : NULL;
    while (exact_products && (strcmp(exact_products->accumulator, method->accumulator) != 0 ||
                              strcmp(exact_products->order, method->order) != 0))
        exact_products++;
    compute(method, all->problem);
    judge(all);
    for (uint64_t e = 0; e < call->c.rows * call->c.columns; e++) {
        const struct exact_element *exact = &all->exact[e];
        const struct matmul_magnitudes of = {exact->abs_above, exact->sum_abs_above, 0};
        const double bound = matmul_bound(method, call->a.columns, 1, 0, &of);
        if (isinf(bound)) {
            all->unclaimed++;
            continue;
        }
        if (!(fabs(exact->error) <= bound))
            fail_msg("%s, inner %llu: error %a, bound %a", method->id, (unsigned long long)call->a.columns,
                     exact->error, bound);
        all->held++;
        if (bound > 0)
            all->largest = fmax(all->largest, fabs(exact->error) / bound);
        all->beyond_exact += is_beyond(exact_products, all, exact);
        all->beyond_merged += is_beyond(merged, all, exact);
    }
}

static void results_are_within_their_bounds(void **state)
{
    static struct bounded all;
    size_t tight = 0;
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++) {
        all.largest = 0;
        for (int round = 0; round < 60; round++) {
            all.problem = problem_of(sum_formats[f], 2, 1 + below(round % 3 == 0 ? 3 : INNER), 3,
                                     round % 4 == 3 ? TINY : ORDINARY);
            visit_cells(sum_formats[f], hold_to_bounds, &all);
        }
        print_message("%s: the largest share of a bound is %.4f\n", sum_formats[f]->id, all.largest);
        tight += all.largest > 0.5;
    }
    print_message(
        "%zu elements, %zu without a bound; %zu beyond the bound of exact products, %zu beyond that of merged parts\n",
        all.held, all.unclaimed, all.beyond_exact, all.beyond_merged);
    assert_true(all.held > 100000 && all.unclaimed < all.held / 50);
    assert_true(tight == SUM_FORMATS - 4); /* sums of fp8 in binary32 are exact here; in fp8 there are no products */
    assert_true(all.beyond_exact > 1000 && all.beyond_merged > 100); /* the twins */
}

/* In binary64 where no product underflows. */
static void count_correctly_rounded(const struct matmul_method *method, void *context)
{
    struct bounded *all = context;
    const struct format *result = method->sum_format->result;
    if (method->between == ROUNDED)
        return;
    compute(method, all->problem);
    judge(all);
    const uint64_t columns = all->problem->call.c.columns;
    for (uint64_t e = 0; e < all->problem->call.c.rows * columns; e++) {
        const bool is = bits_at(all->problem, e / columns, e % columns) == format_bits(result, all->exact[e].nearest);
        const bool is_promised =
            strcmp(method->accumulator, "superacc") == 0 && method->operation == OPERATION_matmul_exact;
        assert_true(is || !is_promised);
        all->correctly_rounded += is_promised;
        all->rounded_otherwise += !is;
    }
}

static void superacc_of_exact_products_rounds_correctly(void **state)
{
    static struct bounded all;
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++)
        for (int round = 0; round < 3; round++) {
            const enum scale scale = sum_formats[f]->added->precision == 53 ? ORDINARY : (enum scale)round;
            all.problem = problem_of(sum_formats[f], 4, 1 + below(INNER), 3, scale);
            visit_cells(sum_formats[f], count_correctly_rounded, &all);
        }
    assert_true(all.correctly_rounded > 3000 && all.rounded_otherwise > 3000);
}

/* ---- bounds with alpha and beta ---- */

struct scaled_bounds {
    struct problem *problem;
    struct exact_sum exact[SIDE * SIDE];
    size_t held, beyond_r; /* the bound of r alone */
    double largest;
};

static void hold_to_scaled_bounds(const struct matmul_method *method, void *context)
{
    struct scaled_bounds *all = context;
    const struct matmul_call *call = &all->problem->call;
    const struct format *result = method->sum_format->result;
    struct matmul_matrix before = call->c;
    mpfr_t error;
    mpfr_init2(error, 6000);
    before.numbers = all->problem->c_before;
    compute(method, all->problem);
    for (uint64_t e = 0; e < call->c.rows * call->c.columns; e++) {
        const uint64_t i = e / call->c.columns, j = e % call->c.columns;
        const double c = call->beta ? number_at(result, &before, i, j) : 0;
        const struct matmul_magnitudes of = {all->exact[e].abs_above, all->exact[e].sum_abs_above, fabs(c)};
        const double bound = matmul_bound(method, call->a.columns, call->alpha, call->beta, &of);
        mpfr_mul_d(error, all->exact[e].sum, call->alpha, MPFR_RNDN);
        mpfr_add_d(error, error, c, MPFR_RNDN);
        mpfr_sub_d(error, error, number_at(result, &call->c, i, j), MPFR_RNDN);
        mpfr_abs(error, error, MPFR_RNDN);
        if (mpfr_cmp_d(error, bound) > 0)
            fail_msg("%s, alpha %a, beta %d, inner %llu: error %a, bound %a", method->id, call->alpha, call->beta,
                     (unsigned long long)call->a.columns, mpfr_get_d(error, MPFR_RNDU), bound);
        all->held += !isinf(bound);
        all->beyond_r += mpfr_cmp_d(error, matmul_bound(method, call->a.columns, 1, 0, &of)) > 0;
        all->largest = fmax(all->largest, bound > 0 ? mpfr_get_d(error, MPFR_RNDN) / bound : 0);
    }
    mpfr_clear(error);
}

static void exact_dots(struct scaled_bounds *all)
{
    const struct matmul_call *call = &all->problem->call;
    const struct format *format = all->problem->formats->stored;
    double x[INNER], y[INNER];
    for (uint64_t e = 0; e < call->c.rows * call->c.columns; e++) {
        for (uint64_t k = 0; k < call->a.columns; k++) {
            held_set(format, x, k, number_at(format, &call->a, e / call->c.columns, k));
            held_set(format, y, k, number_at(format, &call->b, k, e % call->c.columns));
        }
        assert_int_equal(exact_dot(format, (struct exact_how){0}, x, y, call->a.columns, &all->exact[e]), OK);
    }
}

static void scaled_results_are_within_their_bounds(void **state)
{
    static struct scaled_bounds all;
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++)
        for (int round = 0; round < 6; round++) {
            all.problem =
                problem_of(sum_formats[f], 2, 1 + below(round == 0 ? 2 : 70), 2, round == 5 ? TINY : ORDINARY);
            all.problem->call.beta = round % 2;
            all.problem->call.alpha = round % 3 == 1 ? 1 : rounded_to(round % 3 ? -1.3 : 0.01, sum_formats[f]->added);
            exact_dots(&all);
            visit_cells(sum_formats[f], hold_to_scaled_bounds, &all);
            for (size_t e = 0; e < 4; e++)
                exact_free(&all.exact[e]);
        }
    print_message("%zu elements, the largest %.4f of its bound; %zu beyond the bound of r\n", all.held, all.largest,
                  all.beyond_r);
    assert_true(all.held > 40000 && all.largest > 0.4 && all.beyond_r > 1000);
}

static double bound_of_4(const char *id, double alpha, double abs_s, double sum_abs)
{
    const struct matmul_method *method = method_of(id);
    return matmul_bound(method, 4, alpha, 0, &(struct matmul_magnitudes){abs_s, sum_abs, 0});
}

static void no_claim_is_made_where_something_may_be_out_of_range(void **state)
{
    static const char *const orders[] = {"naive", "split_2", "split_2_rounded"};
    char id[ID_SIZE];
    (void)state;
    for (size_t o = 0; o < COUNT_OF(orders); o++) {
        snprintf(id, sizeof id, "matmul:plain/%s", orders[o]);
        assert_true(bound_of_4(id, 1, 0x1p120, 0x1p120) < 0x1p100); /* the twin of those that follow */
        assert_true(isinf(bound_of_4(id, 0x1p8, 0x1p120, 0x1p120)));
        assert_true(isinf(bound_of_4(id, 1, 0, 0x1p128)));
        assert_true(isinf(bound_of_4(id, 0, 0, (double)INFINITY)));
        assert_true(isinf(bound_of_4(id, 1, (double)NAN, (double)NAN)));
        snprintf(id, sizeof id, "matmul_exact:superacc/%s@binary16", orders[o]);
        assert_true(bound_of_4(id, 1, 60000, 60000) < 200);
        assert_true(isinf(bound_of_4(id, 1, 65504, 65504)));
    }
}

/* Of four terms so small that only what underflows counts: a few halves of the least subnormal number. */
static void what_underflows_costs_half_of_the_least_number(void **state)
{
    static const struct {
        const char *id;
        double alpha, least;
    } of[] = {{"matmul:plain/naive@binary16", 1, 0x1p-25},
              {"matmul:plain/split_2_rounded@binary16", 1, 0x1p-24},
              {"matmul:plain/naive", 1, 0x1p-147},
              {"matmul:plain/naive", 0.5, 0x1.8p-148},
              {"matmul_exact:plain/split_2_rounded", 1, 0x1.4p-147}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(of); i++) {
        const double bound = bound_of_4(of[i].id, of[i].alpha, 0, 0x1p-149);
        assert_true(bound >= of[i].least && bound < 1.01 * of[i].least);
    }
}

int main(void)
{
    seed_random(1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_within_their_bounds),
        cmocka_unit_test(superacc_of_exact_products_rounds_correctly),
        cmocka_unit_test(scaled_results_are_within_their_bounds),
        cmocka_unit_test(what_underflows_costs_half_of_the_least_number),
        cmocka_unit_test(no_claim_is_made_where_something_may_be_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
