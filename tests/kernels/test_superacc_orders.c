/* The exact sum in every order, launch and permutation, and in trees that no order has: RN(s), always the same bits. */
#define FORMAT_FILE "formats/binary32.h"
#include "kernels/bound.h"

#include "kernels/accumulators/superacc.h"

#include "datasets/generator.h"
#include "tests/support/adversarial.h"
#include "tests/support/methods.h"

#include <float.h>

enum { MOST = 4096 };

struct expectation {
    const char *accumulator;
    const float *x;
    uint64_t n;
    float sum;
    size_t compared, differ;
};

static void compare_sum(const struct method *method, struct launch launch, void *context)
{
    struct expectation *expected = context;
    if (strcmp(method->accumulator, expected->accumulator) != 0)
        return;
    expected->compared++;
    expected->differ += !float_same(replay(method, expected->x, expected->n, launch), expected->sum);
}

/* How many orders and launches do not give `sum`. */
static size_t differing(const char *accumulator, const float *x, uint64_t n, float sum)
{
    struct expectation expected = {.accumulator = accumulator, .x = x, .n = n, .sum = sum};
    for_each_sum(LAUNCHES, compare_sum, &expected);
    assert_true(expected.compared > 50);
    return expected.differ;
}

/* RN(s); a zero is +0, as a state starts at it. */
static float nearest_sum(const float *x, uint64_t n)
{
    struct exact_sum exact;
    assert_int_equal(exact_sum(&FORMAT_BINARY32, x, n, &exact), OK);
    const float nearest = (float)exact.nearest;
    exact_free(&exact);
    return nearest == 0 ? 0 : nearest;
}

/* Every exponent, subnormals and the largest; pairs that cancel but for a few; ties. */
static uint64_t fill(float *x, uint64_t most)
{
    const uint64_t n = below(most + 1);
    const uint64_t low = below(255), span = 1 + below(below(2) ? 255 - low : 1 + (255 - low) / 8);
    const uint64_t fractions[] = {0x7fffff, 0x400000, 0x7ff000, 0x000001, 0};
    const uint64_t mask = fractions[below(COUNT_OF(fractions))];
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t exponent = low + below(span), fraction = next_random() & mask;
        x[i] = float_from_bits((uint32_t)((next_random() & UINT64_C(0x80000000)) | exponent << 23 | fraction));
        if (i > 0 && below(5) > 1)
            x[i] = -x[below(i)];
    }
    return n;
}

static void every_order_and_permutation_gives_the_nearest_number(void **state)
{
    (void)state;
    static float x[MOST];
    size_t of_binary64 = 0;
    seed_random(8);
    for (int round = 0; round < 400; round++) {
        const uint64_t n = fill(x, round % 8 == 0 ? MOST : 200);
        const float nearest = nearest_sum(x, n);
        assert_int_equal(differing("superacc", x, n, nearest), 0);
        shuffle(&FORMAT_BINARY32, x, n);
        assert_int_equal(differing("superacc", x, n, nearest), 0);
        of_binary64 += differing("binary64", x, n, nearest);
    }
    assert_true(of_binary64 > 50); /* the twin */
}

static void assert_nearest_in_every_order(const char *name, const float *x, uint64_t n)
{
    if (differing("superacc", x, n, nearest_sum(x, n)) > 0)
        fail_msg("superacc on %s: not the nearest number to the exact sum", name);
}

/* A condition that few numbers have, too. */
static const char *rest_of(const struct generator *family)
{
    const char *first = family->parameters[0].name;
    return first && strcmp(first, "cond") == 0 ? ",cond=1e3" : "";
}

static void every_order_gives_the_nearest_number_on_every_family(void **state)
{
    (void)state;
    size_t count;
    const struct generator *const *families = generator_table(&count);
    const uint64_t sizes[] = {3, 65, 1003, 4097};
    for (size_t f = 0; f < count; f++)
        for (size_t k = 0; k < COUNT_OF(sizes); k++)
            if (sizes[k] >= families[f]->least_n)
                with_generated(families[f]->id, rest_of(families[f]), sizes[k], k + 1, assert_nearest_in_every_order);
}

/* States are merged at random until one is left, and added to meanwhile. */
static float sum_by_random_tree(const float *x, uint64_t n)
{
    struct superacc states[8], all = superacc_zero();
    for (size_t k = 0; k < COUNT_OF(states); k++)
        states[k] = superacc_zero();
    for (uint64_t i = 0; i < n; i++) {
        const size_t to = below(COUNT_OF(states)), from = below(COUNT_OF(states));
        if (below(4) == 0 && to != from) {
            states[to] = superacc_merge(states[to], states[from]);
            states[from] = superacc_zero();
        }
        states[to] = superacc_add(states[to], x[i]);
    }
    for (size_t k = 0; k < COUNT_OF(states); k++)
        all = superacc_merge(states[k], all);
    return (float)superacc_result(all);
}

static void every_random_tree_gives_the_nearest_number(void **state)
{
    (void)state;
    static float x[MOST];
    seed_random(9);
    for (int round = 0; round < 20000; round++) {
        const uint64_t n = fill(x, round % 1000 == 0 ? MOST : 60);
        assert_int_equal(float_bits(sum_by_random_tree(x, n)), float_bits(nearest_sum(x, n)));
    }
}

/* NaN of a NaN or of both infinities, else the infinity, however much is finite; and plain's own, where it does not
 * overflow. */
static void infinities_and_nan_give_plains_result_in_every_order(void **state)
{
    (void)state;
    const float specials[] = {INFINITY, -INFINITY, NAN};
    static float x[200];
    size_t results[3] = {0};
    seed_random(10);
    for (int round = 0; round < 100; round++) {
        const uint64_t n = 1 + below(COUNT_OF(x)), kinds = 1 + below(3);
        const bool is_small = below(2);
        for (uint64_t i = 0; i < n; i++)
            x[i] = is_small ? (float)below(100) : any_float();
        for (uint64_t left = 1 + below(3); left > 0; left--)
            x[below(n)] = specials[(below(kinds) + (uint64_t)round) % 3];
        float expected = 0;
        for (uint64_t i = 0; i < n; i++)
            expected += isfinite(x[i]) ? 0 : x[i];
        results[isnan(expected) ? 2 : expected < 0]++;
        assert_int_equal(differing("superacc", x, n, expected), 0);
        assert_true(!is_small || differing("plain", x, n, expected) == 0);
        assert_true(float_same(sum_by_random_tree(x, n), expected));
    }
    assert_true(results[0] > 5 && results[1] > 5 && results[2] > 5);
}

/* What depends on no order depends on no order of arrival. */
static void atomics_are_deterministic_where_no_order_changes_a_bit(void **state)
{
    (void)state;
    assert_int_equal(find("superacc", "tree_atomic")->determinism, DETERMINISTIC);
    assert_int_equal(find("plain", "tree_atomic")->determinism, ORDER_OF_ARRIVAL);
    assert_int_equal(find("binary64", "tree_atomic")->determinism, ORDER_OF_ARRIVAL);
    assert_true(can_do(find("superacc", "tree_atomic"), one_warp));
    assert_false(can_do(find("kahan", "tree_atomic"), one_warp));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_and_permutation_gives_the_nearest_number),
        cmocka_unit_test(every_order_gives_the_nearest_number_on_every_family),
        cmocka_unit_test(every_random_tree_gives_the_nearest_number),
        cmocka_unit_test(infinities_and_nan_give_plains_result_in_every_order),
        cmocka_unit_test(atomics_are_deterministic_where_no_order_changes_a_bit),
    };
    return cmocka_run_group_tests_name("superacc in every order", tests, NULL, NULL);
}
