/* Local errors: exact, and they add up to the whole error, for every method. */
#include "kernels/walk.h"
#include "src/teach/additions.h"

#include "tests/support/methods.h"

#include "tests/support/heard.h"
#include "tests/support/random.h"

#include "src/base/format.h"

static struct additions additions_of(const struct method *method, struct launch launch, const float *x, uint64_t n)
{
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, x, n);
    struct additions of;
    assert_int_equal(additions_make(&(struct tree_request){"test", method, n, launch}, &elements, &of), OK);
    return of;
}

struct numbers {
    const float *x;
    struct exact_sum exact;
    uint64_t added_up;
};

static void adds_up(const struct method *method, struct launch launch, void *context)
{
    struct numbers *numbers = context;
    struct additions of = additions_of(method, launch, numbers->x, numbers->exact.n);
    if (!additions_add_up(&of, &numbers->exact))
        fail_msg("%s, n = %llu, %u x %u: local errors do not add up", method->id, (unsigned long long)numbers->exact.n,
                 launch.blocks, launch.threads);
    const float replayed = replay(method, numbers->x, numbers->exact.n, launch);
    if (!float_same((float)of.computed, replayed))
        fail_msg("%s: %a is not the replay's %a", method->id, of.computed, (double)replayed);
    assert_int_equal(of.first_not_finite, 0);
    numbers->added_up++;
    additions_free(&of);
}

/* In every format, of additions that round in it and of those that only the result does. */
static void local_errors_add_up_in_every_format(void **state)
{
    (void)state;
    enum { N = 200 };
    double x[N];
    seed_random(21);
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t count;
        uint64_t inexact = 0;
        const struct format *stored = sum_formats[f]->stored;
        const struct method *const *table = method_table_of(sum_formats[f], &count);
        for (size_t m = 0; m < count; m++) {
            const struct launch launch = launches[m % LAUNCHES];
            const uint64_t n = below(N);
            struct additions of;
            struct exact_sum exact;
            if (!is_sum(table[m]) || !can_do(table[m], launch))
                continue;
            for (uint64_t i = 0; i < n; i++)
                held_set(stored, x, i,
                         rounded_to(ldexp((double)below(1ULL << 53) - 0x1p52, (int)below(8) - 56), stored));
            const struct operands elements = operands_of_sum(stored, x, n);
            assert_int_equal(additions_exact(table[m], (struct exact_how){0}, &elements, &exact), OK);
            assert_int_equal(additions_make(&(struct tree_request){"test", table[m], n, launch}, &elements, &of), OK);
            if (!additions_add_up(&of, &exact))
                fail_msg("%s, n = %llu: local errors do not add up", table[m]->id, (unsigned long long)n);
            inexact += of.inexact + (of.last_rounding != 0);
            additions_free(&of);
            exact_free(&exact);
        }
        const bool can_lose = stored->bytes > 1 && sum_formats[f] != &sum_format_binary32_to_binary64; /* few bits */
        if (inexact == 0 && can_lose)
            fail_msg("%s: nothing was lost", sum_formats[f]->id);
    }
}

/* Exponents over a range, so that the sums lose anything from nothing to all. */
static void fill(float *x, uint64_t n, int exponents)
{
    for (uint64_t i = 0; i < n; i++)
        x[i] = ldexpf((float)below(1 << 24) - 0x1p23f, (int)below((uint64_t)exponents) - exponents / 2);
}

/* 10,000 data sets for each plain order, which take turns through the launches. */
static void local_errors_of_every_plain_order_add_up(void **state)
{
    (void)state;
    enum { SETS = 10000, N = 300 };
    float x[N];
    size_t count;
    const struct method *const *table = method_table(&count);
    seed_random(11);
    for (size_t m = 0; m < count; m++) {
        if (strcmp(table[m]->accumulator, "plain") != 0)
            continue;
        struct numbers numbers = {.x = x};
        for (size_t l = 0; numbers.added_up < SETS; l++) {
            const uint64_t n = l % 100 == 0 ? N : below(40);
            if (!can_do(table[m], launches[l % LAUNCHES]))
                continue;
            fill(x, n, 1 + (int)below(200));
            assert_int_equal(exact_sum(&FORMAT_BINARY32, x, n, &numbers.exact), OK);
            adds_up(table[m], launches[l % LAUNCHES], &numbers);
            exact_free(&numbers.exact);
        }
    }
}

static void local_errors_of_every_method_add_up(void **state)
{
    (void)state;
    enum { N = 2500 };
    static float x[N];
    seed_random(12);
    forget_visits();
    for (int round = 0; round < 2 * TURNS; round++) {
        struct numbers numbers = {.x = x};
        const uint64_t n = round < 20 ? (uint64_t)round : below(N);
        fill(x, n, 1 + (int)below(200));
        assert_int_equal(exact_sum(&FORMAT_BINARY32, x, n, &numbers.exact), OK);
        visit_sums(IN_TURN, LAUNCHES, adds_up, &numbers);
        exact_free(&numbers.exact);
    }
    assert_every_method_was_visited(LAUNCHES, 2);
}

/* A plain addition loses what it should, and nothing else. */
static void the_worked_example_of_the_header_is_so(void **state)
{
    (void)state;
    struct additions of = additions_of(find("plain", "serial"), one_warp, TERMS(0x1p24f, 1, 1));
    assert_true(of.value[3] == 0x1p24 && of.error[3] == -1);
    assert_true(of.value[5] == 0x1p24 && of.error[5] == -1);
    assert_true(of.value[of.tree.leaf[1]] == 1 && of.error[of.tree.leaf[1]] == 0);
    assert_int_equal(of.inexact, 2);
    assert_true(of.last_rounding == 0);
    assert_int_equal(mpfr_cmp_d(of.total.sum, -2), 0);
    additions_free(&of);
    of = additions_of(find("kahan", "serial"), one_warp, TERMS(0x1p24f, 1, 1));
    assert_int_equal(of.inexact, 0);
    assert_true(of.value[3] == 0x1p24 + 1 && of.value[5] == 0x1p24 + 2 && of.last_rounding == 0);
    additions_free(&of);
}

/* kahan returns its sum alone: that is the last rounding. */
static void the_last_rounding_is_an_error_too(void **state)
{
    (void)state;
    struct additions of = additions_of(find("kahan", "serial"), one_warp, TERMS(0x1p24f, 1));
    assert_int_equal(of.inexact, 0);
    assert_true(of.last_rounding == -1);
    assert_int_equal(mpfr_cmp_d(of.total.sum, -1), 0);
    additions_free(&of);
}

/* The twin: other data do not add up to these errors. */
static void errors_of_other_data_do_not_add_up(void **state)
{
    (void)state;
    const float x[] = {0x1p24f, 1, 1}, other[] = {0x1p24f, 1, 2};
    struct additions of = additions_of(find("plain", "serial"), one_warp, x, 3);
    struct exact_sum exact;
    assert_int_equal(exact_sum(&FORMAT_BINARY32, x, 3, &exact), OK);
    assert_true(additions_add_up(&of, &exact));
    exact_free(&exact);
    assert_int_equal(exact_sum(&FORMAT_BINARY32, other, 3, &exact), OK);
    assert_false(additions_add_up(&of, &exact));
    exact_free(&exact);
    additions_free(&of);
}

static void what_is_not_finite_has_a_first_node_and_does_not_add_up(void **state)
{
    (void)state;
    const float x[] = {1, FLT_MAX, FLT_MAX, -FLT_MAX};
    struct exact_sum exact;
    struct additions of = additions_of(find("plain", "serial"), one_warp, x, COUNT_OF(x));
    assert_int_equal(exact_sum(&FORMAT_BINARY32, x, COUNT_OF(x), &exact), OK);
    assert_int_equal(of.first_not_finite, 5);
    assert_true(isinf(of.value[5]) && isnan(of.error[5]) && isinf(of.computed));
    assert_int_equal(of.total.kind, EXACT_NAN);
    assert_false(additions_add_up(&of, &exact));
    additions_free(&of);
    exact_free(&exact);
}

/* The states are finite, and no addition is the first that is not. */
static void a_sum_that_overflows_in_the_last_rounding_does_not_add_up(void **state)
{
    (void)state;
    const float x[] = {FLT_MAX, FLT_MAX};
    struct exact_sum exact;
    struct additions of = additions_of(find("binary64", "serial"), one_warp, x, COUNT_OF(x));
    assert_int_equal(exact_sum(&FORMAT_BINARY32, x, COUNT_OF(x), &exact), OK);
    assert_true(isinf(of.computed) && of.first_not_finite == 0 && of.error[3] == 0 && isnan(of.last_rounding));
    assert_int_equal(of.total.kind, EXACT_NAN);
    assert_false(additions_add_up(&of, &exact));
    additions_free(&of);
    exact_free(&exact);
}

static void no_element_and_one_have_no_error(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 2; n++) {
        const float x = 0.1f;
        struct exact_sum exact;
        struct additions of = additions_of(find("klein", "tree_two_pass"), one_warp, &x, n);
        assert_int_equal(exact_sum(&FORMAT_BINARY32, &x, n, &exact), OK);
        assert_true(of.computed == (n == 1 ? x : 0) && of.inexact == 0 && mpfr_zero_p(of.total.sum));
        assert_true(additions_add_up(&of, &exact));
        additions_free(&of);
        exact_free(&exact);
    }
}

/* ---- products ---- */

static const enum operation of_products[] = {OPERATION_dot, OPERATION_dot_exact, OPERATION_dot_fma, OPERATION_sumsq};

/* Half of them so small that products underflow. */
static double any_factor(const struct format *format)
{
    const int least = format->least_exponent / 2 - 8;
    const double significand = ldexp((double)below(1ULL << 53) - 0x1p52, -52);
    return rounded_to(ldexp(significand, below(2) ? least + (int)below(16) : -(int)below(6)), format);
}

static void products_add_up(const struct method *method, struct launch launch, const struct operands *of,
                            uint64_t *inexact_products)
{
    struct additions additions;
    struct exact_sum exact;
    uint64_t replayed;
    const struct tree_request request = {"test", method, of->shape.terms, launch};
    assert_int_equal(additions_exact(method, (struct exact_how){0}, of, &exact), OK);
    assert_int_equal(additions_make(&request, of, &additions), OK);
    assert_int_equal(method_replay(method, of, launch, 1, &replayed), OK);
    if (!additions_add_up(&additions, &exact))
        fail_msg("%s, n = %llu: local errors do not add up", method->id, (unsigned long long)of->shape.terms);
    if (!format_same(method->format, format_bits(method->format, additions.computed), replayed))
        fail_msg("%s: %a is not the replay's", method->id, additions.computed);
    *inexact_products += additions.inexact_products;
    additions_free(&additions);
    exact_free(&exact);
}

static void errors_of_products_add_up_in_every_format(void **state)
{
    (void)state;
    enum { N = 100 };
    double x[N], y[N];
    seed_random(22);
    for (int f = 0; f < SUM_FORMATS; f++)
        for (size_t o = 0; o < COUNT_OF(of_products); o++) {
            size_t count;
            uint64_t inexact_products = 0;
            const struct format *stored = sum_formats[f]->stored;
            const struct method *const *table = method_table_for(of_products[o], sum_formats[f], &count);
            for (size_t m = 0; m < count; m++) {
                const struct launch launch = launches[m % LAUNCHES];
                const struct operands of = {
                    stored, of_products[o], {x, y}, shape_of_one(m % 4 == 0 ? m % 3 : below(N))};
                if (!table[m]->replay || !can_do(table[m], launch))
                    continue;
                if (!walk_is_watched(table[m])) { /* whole products are added in a state of its own */
                    assert_string_equal(table[m]->accumulator, "superacc");
                    assert_int_equal(of_products[o], OPERATION_dot_exact);
                    continue;
                }
                for (uint64_t i = 0; i < of.shape.terms; i++) {
                    held_set(stored, x, i, any_factor(stored));
                    held_set(stored, y, i, any_factor(stored));
                }
                products_add_up(table[m], launch, &of, &inexact_products);
            }
            const bool rounds = sum_formats[f]->added->precision < 2 * stored->precision;
            if (rounds && count > 0 && inexact_products == 0)
                fail_msg("%s:%s: no product lost anything", operation_table[of_products[o]].id, sum_formats[f]->id);
        }
}

static struct additions of_pairs(const char *id, const float *x, const float *y, uint64_t n)
{
    const struct method *method = method_find(id);
    const struct operands elements = {&FORMAT_BINARY32, method->operation, {x, y}, shape_of_one(n)};
    struct additions of;
    assert_int_equal(additions_make(&(struct tree_request){"test", method, n, one_warp}, &elements, &of), OK);
    return of;
}

/* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24. */
static void a_product_loses_what_it_rounds_and_nothing_where_it_is_exact(void **state)
{
    (void)state;
    const float x[] = {0x1.001p0f, 1}, y[] = {0x1.001p0f, 1};
    struct additions of = of_pairs("dot:plain/serial", x, y, 2);
    assert_true(of.value[1] == 0x1.002p0 && of.error[1] == -0x1p-24 && of.inexact_products == 1);
    assert_true(of.error[3] == 0 && of.inexact == 0 && mpfr_cmp_d(of.total.sum, -0x1p-24) == 0);
    additions_free(&of);
    of = of_pairs("dot_exact:sum2/serial", x, y, 2);
    assert_true(of.value[1] == 0x1.002002p0 - 0x1p-24 && of.inexact_products == 0 && of.last_rounding == -0x1p-24);
    additions_free(&of);
    of = of_pairs("dot_fma:plain/serial", x + 1, y + 1, 1);
    assert_true(of.inexact_products == 0 && mpfr_zero_p(of.total.sum));
    additions_free(&of);
}

/* The fused product is not rounded before it is added: only the addition loses. */
static void a_fused_product_loses_in_the_addition(void **state)
{
    (void)state;
    const float x[] = {1, 0x1.001p0f}, y[] = {1, 0x1.001p0f};
    struct additions of = of_pairs("dot_fma:plain/serial", x, y, 2);
    assert_true(of.error[2] == 0 && of.error[3] == -0x1p-24 && of.inexact_products == 0 && of.inexact == 1);
    additions_free(&of);
}

/* (1 + 2^-30)^2 = 1 + 2^-29 + 2^-60: two numbers of binary64. */
static void both_halves_of_a_product_of_binary64_are_added(void **state)
{
    (void)state;
    const double x[] = {1, 1 + 0x1p-30};
    const struct method *method = method_find("dot_exact:sum2/serial@binary64");
    const struct operands elements = {&FORMAT_BINARY64, method->operation, {x, x}, shape_of_one(2)};
    struct additions of;
    assert_int_equal(additions_make(&(struct tree_request){"test", method, 2, one_warp}, &elements, &of), OK);
    assert_true(of.value[2] == 1 + 0x1p-29 && of.rest[2] == 0x1p-60 && of.inexact_products == 0 && of.inexact == 0);
    assert_true(of.last_rounding == -0x1p-60);
    additions_free(&of);
}

/* The twin: the errors of these products are not those of others. */
static void errors_of_other_products_do_not_add_up(void **state)
{
    (void)state;
    const float x[] = {0x1.001p0f, 3}, y[] = {0x1.001p0f, 7}, other[] = {0x1.003p0f, 7};
    struct additions of = of_pairs("dot:plain/serial", x, y, 2);
    struct exact_sum exact;
    assert_int_equal(exact_dot(&FORMAT_BINARY32, (struct exact_how){0}, x, y, 2, &exact), OK);
    assert_true(additions_add_up(&of, &exact));
    exact_free(&exact);
    assert_int_equal(exact_dot(&FORMAT_BINARY32, (struct exact_how){0}, x, other, 2, &exact), OK);
    assert_false(additions_add_up(&of, &exact));
    exact_free(&exact);
    additions_free(&of);
}

static void a_product_that_overflows_is_the_first_that_is_not_finite(void **state)
{
    (void)state;
    const float x[] = {1, 3e38f}, y[] = {1, 10};
    struct additions of = of_pairs("dot:plain/serial", x, y, 2);
    assert_int_equal(of.first_not_finite, 2);
    assert_true(sum_tree_is_leaf(&of.tree, 2) && isinf(of.value[2]) && of.total.kind == EXACT_NAN);
    additions_free(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_errors_add_up_in_every_format),
        cmocka_unit_test(local_errors_of_every_plain_order_add_up),
        cmocka_unit_test(local_errors_of_every_method_add_up),
        cmocka_unit_test(the_worked_example_of_the_header_is_so),
        cmocka_unit_test(the_last_rounding_is_an_error_too),
        cmocka_unit_test(errors_of_other_data_do_not_add_up),
        cmocka_unit_test(what_is_not_finite_has_a_first_node_and_does_not_add_up),
        cmocka_unit_test(a_sum_that_overflows_in_the_last_rounding_does_not_add_up),
        cmocka_unit_test(no_element_and_one_have_no_error),
        cmocka_unit_test(errors_of_products_add_up_in_every_format),
        cmocka_unit_test(a_product_loses_what_it_rounds_and_nothing_where_it_is_exact),
        cmocka_unit_test(a_fused_product_loses_in_the_addition),
        cmocka_unit_test(both_halves_of_a_product_of_binary64_are_added),
        cmocka_unit_test(errors_of_other_products_do_not_add_up),
        cmocka_unit_test(a_product_that_overflows_is_the_first_that_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
