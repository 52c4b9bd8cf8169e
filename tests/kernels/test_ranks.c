/* The orders of a distributed sum: the tree over the ranks held to trees that were drawn by hand from the libraries'
 * sources, which rank adds what, heights, the orders that they must equal, and that there is no kernel. */
#include "kernels/method.h"
#include "kernels/tape.h"
#include "src/base/format.h"
#include "src/base/fp.h"
#include "src/device/device.h"
#include "tests/support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_SIZE = 4096, NUMBERS = 5000 };

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const char *const orders[] = {"ranks_ring",   "ranks_recursive_doubling", "ranks_rabenseifner", "ranks_binomial",
                                     "ranks_linear", "ranks_nccl_tree"};

static const struct method *find(const char *accumulator, const char *order, const char *format)
{
    char id[TEXT_SIZE];
    snprintf(id, sizeof id, "%s/%s%s", accumulator, order, format);
    const struct method *method = method_find(id);
    assert_non_null(method);
    return method;
}

static float replay(const char *accumulator, const char *order, const float *x, uint64_t n, uint32_t ranks)
{
    float result = 0;
    const struct method *method = find(accumulator, order, "");
    assert_int_equal(method_sum(method, x, n, (struct launch){ranks, 1}, 1, &result), OK);
    return result;
}

/* ---- the trees ---- */

static void tree_text(char text[TEXT_SIZE], const char *order, uint32_t ranks, uint64_t n)
{
    float x[100];
    struct tape tape = {0};
    assert_true(n <= COUNT_OF(x));
    for (size_t i = 0; i < COUNT_OF(x); i++)
        x[i] = (float)i;
    tape_start(&tape);
    replay("trace", order, x, n, ranks);
    assert_int_equal(tape.status, OK);
    memset(text, 0, TEXT_SIZE);
    FILE *to = fmemopen(text, TEXT_SIZE, "w");
    assert_non_null(to);
    tape_print(&tape, to);
    fclose(to);
    tape_free(&tape);
}

static void assert_tree(const char *order, uint32_t ranks, uint64_t n, const char *expected)
{
    char text[TEXT_SIZE];
    tree_text(text, order, ranks, n);
    assert_string_equal(text, expected);
}

/* Of a number in each of 1, 2, 3, ... ranks. */
static void assert_trees(const char *order, const char *const expected[], uint32_t count)
{
    for (uint32_t ranks = 1; ranks <= count; ranks++)
        assert_tree(order, ranks, ranks, expected[ranks - 1]);
}

static void a_ring_adds_rank_after_rank(void **state)
{
    (void)state;
    static const char *const expected[] = {"0", "(0 + 1)", "((0 + 1) + 2)", "(((0 + 1) + 2) + 3)",
                                           "((((0 + 1) + 2) + 3) + 4)"};
    assert_trees("ranks_ring", expected, COUNT_OF(expected));
}

static const char *const doubling[] = {"0",
                                       "(0 + 1)",
                                       "((0 + 1) + 2)",
                                       "((0 + 1) + (2 + 3))",
                                       "(((0 + 1) + 2) + (3 + 4))",
                                       "(((0 + 1) + (2 + 3)) + (4 + 5))",
                                       "(((0 + 1) + (2 + 3)) + ((4 + 5) + 6))",
                                       "(((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)))",
                                       "((((0 + 1) + 2) + (3 + 4)) + ((5 + 6) + (7 + 8)))"};

static void recursive_doubling_begins_with_pairs_of_the_first_ranks(void **state)
{
    (void)state;
    assert_trees("ranks_recursive_doubling", doubling, COUNT_OF(doubling));
}

static void rabenseifner_has_that_tree(void **state)
{
    (void)state;
    assert_trees("ranks_rabenseifner", doubling, COUNT_OF(doubling));
}

static void a_binomial_tree_leaves_the_last_ranks_to_the_end(void **state)
{
    (void)state;
    static const char *const expected[] = {"0",
                                           "(0 + 1)",
                                           "((0 + 1) + 2)",
                                           "((0 + 1) + (2 + 3))",
                                           "(((0 + 1) + (2 + 3)) + 4)",
                                           "(((0 + 1) + (2 + 3)) + (4 + 5))",
                                           "(((0 + 1) + (2 + 3)) + ((4 + 5) + 6))",
                                           "(((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)))",
                                           "((((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7))) + 8)"};
    assert_trees("ranks_binomial", expected, COUNT_OF(expected));
}

static void linear_goes_from_the_last_rank_to_the_first(void **state)
{
    (void)state;
    static const char *const expected[] = {"0", "(0 + 1)", "(0 + (1 + 2))", "(0 + (1 + (2 + 3)))"};
    assert_trees("ranks_linear", expected, COUNT_OF(expected));
    assert_tree("ranks_linear", 3, 5, "((0 + 1) + ((2 + 3) + 4))");
}

/* The last is the picture in NCCL's src/graph/trees.cc: 8 below 0; 4 and 12 below 8; 13 below 12. */
static void a_tree_of_nccl_has_own_then_lower_then_higher(void **state)
{
    (void)state;
    static const char *const expected[] = {"0",
                                           "(0 + 1)",
                                           "(0 + (2 + 1))",
                                           "(0 + ((2 + 1) + 3))",
                                           "(0 + (4 + ((2 + 1) + 3)))",
                                           "(0 + ((4 + ((2 + 1) + 3)) + 5))",
                                           "(0 + ((4 + ((2 + 1) + 3)) + (6 + 5)))",
                                           "(0 + ((4 + ((2 + 1) + 3)) + ((6 + 5) + 7)))"};
    assert_trees("ranks_nccl_tree", expected, COUNT_OF(expected));
    assert_tree("ranks_nccl_tree", 14, 14,
                "(0 + ((8 + ((4 + ((2 + 1) + 3)) + ((6 + 5) + 7))) + ((12 + ((10 + 9) + 11)) + 13)))");
}

static void ranks_have_neighbours_and_the_first_of_them_one_more(void **state)
{
    (void)state;
    assert_tree("ranks_ring", 3, 8, "((((0 + 1) + 2) + ((3 + 4) + 5)) + (6 + 7))");
    assert_tree("ranks_binomial", 4, 6, "(((0 + 1) + (2 + 3)) + (4 + 5))");
    assert_tree("ranks_recursive_doubling", 3, 4, "(((0 + 1) + 2) + 3)");
    assert_tree("ranks_nccl_tree", 3, 6, "((0 + 1) + ((4 + 5) + (2 + 3)))");
    for (size_t o = 0; o < COUNT_OF(orders); o++)
        assert_tree(orders[o], 1, 3, "((0 + 1) + 2)");
}

/* There are as many as numbers at most; and none without numbers. */
static void a_rank_without_a_number_takes_no_part(void **state)
{
    (void)state;
    char few[TEXT_SIZE], many[TEXT_SIZE];
    for (size_t o = 0; o < COUNT_OF(orders); o++) {
        assert_tree(orders[o], 7, 0, "0");
        for (uint32_t n = 1; n < 20; n++) {
            tree_text(few, orders[o], n, n);
            tree_text(many, orders[o], n + 13, n);
            assert_string_equal(few, many);
        }
    }
}

/* The twin: at five ranks all but the two that must be the same differ. */
static void texts_tell_the_orders_apart(void **state)
{
    (void)state;
    char one[TEXT_SIZE], other[TEXT_SIZE];
    for (size_t a = 0; a < COUNT_OF(orders); a++)
        for (size_t b = a + 1; b < COUNT_OF(orders); b++) {
            tree_text(one, orders[a], 5, 5);
            tree_text(other, orders[b], 5, 5);
            assert_int_equal(strcmp(one, other) == 0, strcmp(orders[b], "ranks_rabenseifner") == 0 && a == 1);
        }
}

/* ---- heights ---- */

static float numbers[NUMBERS];

static void assert_height(const char *order, uint64_t n, uint32_t ranks)
{
    const uint64_t formula = method_height(find("plain", order, ""), n, (struct launch){ranks, 1});
    const float measured = replay("height", order, numbers, n, ranks);
    if ((double)formula != (double)measured)
        fail_msg("%s, n = %llu, %u ranks: height %llu is not what the tree measures, %g", order, (unsigned long long)n,
                 ranks, (unsigned long long)formula, (double)measured);
}

static void height_formula_is_the_height_of_the_tree(void **state)
{
    (void)state;
    for (size_t o = 0; o < COUNT_OF(orders); o++) {
        for (uint32_t ranks = 1; ranks <= 70; ranks++)
            for (uint64_t n = 0; n <= 3 * ranks + 3; n++)
                assert_height(orders[o], n, ranks);
        for (uint32_t ranks = 100; ranks < 2100; ranks += ranks / 3)
            for (uint64_t n = ranks - 1; n <= 2 * ranks + 2; n += ranks / 2)
                assert_height(orders[o], n, ranks);
    }
}

/* The twin: a formula of another order is found wrong. */
static void height_of_a_ring_is_not_that_of_a_tree(void **state)
{
    (void)state;
    assert_int_equal(method_height(find("plain", "ranks_ring", ""), 8, (struct launch){8, 1}), 8);
    assert_int_equal(method_height(find("plain", "ranks_binomial", ""), 8, (struct launch){8, 1}), 4);
    assert_int_equal(method_height(find("plain", "ranks_nccl_tree", ""), 8, (struct launch){8, 1}), 6);
}

/* ---- bits ---- */

static void fill_numbers(void)
{
    seed_random(1);
    for (size_t i = 0; i < NUMBERS; i++)
        numbers[i] = (float)((double)((int64_t)next_random() / (1 << 20)) * (double)(UINT64_C(1) << below(30)));
}

/* Of every accumulator that sums. */
static size_t differences(const char *order, const char *other, uint32_t ranks, uint64_t n)
{
    size_t methods, different = 0;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++)
        if (table[m]->role == SUMS && table[m]->replay && strcmp(table[m]->order, order) == 0)
            different += float_bits(replay(table[m]->accumulator, order, numbers, n, ranks)) !=
                         float_bits(replay(table[m]->accumulator, other, numbers, n, ranks));
    return different;
}

static void rabenseifner_has_the_bits_of_recursive_doubling(void **state)
{
    (void)state;
    size_t of_binomial = 0;
    for (uint32_t ranks = 1; ranks < 70; ranks++) {
        assert_int_equal(differences("ranks_rabenseifner", "ranks_recursive_doubling", ranks, NUMBERS), 0);
        of_binomial += differences("ranks_binomial", "ranks_recursive_doubling", ranks, NUMBERS);
    }
    assert_true(of_binomial > 0); /* the twin */
}

static void binomial_is_recursive_doubling_where_ranks_are_a_power_of_two(void **state)
{
    (void)state;
    for (uint32_t ranks = 1; ranks <= 4096; ranks *= 2)
        assert_int_equal(differences("ranks_binomial", "ranks_recursive_doubling", ranks, NUMBERS), 0);
}

/* 1 + 1/256 is no number of bfloat16: a tie, which goes to even.  Rounded at every hop 1 is all there ever is. */
static void every_hop_rounds_to_the_format_that_is_added_in(void **state)
{
    (void)state;
    double x[64];
    uint64_t narrow, wide;
    const struct launch launch = {COUNT_OF(x), 1};
    const struct method *rounds = find("plain", "ranks_ring", "@bfloat16_in_bfloat16");
    const struct method *once = find("plain", "ranks_ring", "@bfloat16");
    const struct operands of = operands_of_sum(&FORMAT_BFLOAT16, x, COUNT_OF(x));
    for (size_t i = 0; i < COUNT_OF(x); i++)
        held_set(&FORMAT_BFLOAT16, x, i, i == 0 ? 1 : 0x1p-8);
    assert_int_equal(method_replay(rounds, &of, launch, 1, &narrow), OK);
    assert_int_equal(method_replay(once, &of, launch, 1, &wide), OK);
    assert_int_equal(narrow, 0x3f80); /* 1 */
    assert_int_equal(wide, 0x3fa0);   /* 1.25, the nearest to 1 + 63/256 */
}

/* ---- what they are ---- */

static void they_have_no_kernel_and_take_every_launch(void **state)
{
    (void)state;
    char why[REASON_SIZE];
    for (size_t o = 0; o < COUNT_OF(orders); o++) {
        const struct method *method = find("superacc", orders[o], "");
        assert_true(method->order_traits->has_no_kernel);
        assert_false(device_has_kernel(method));
        assert_true(method_can_do(method, (struct launch){LAUNCH_BLOCKS_MOST, 1000}, why));
        assert_int_equal(method->determinism, DETERMINISTIC);
    }
    assert_false(find("superacc", "tree_two_pass", "")->order_traits->has_no_kernel);
}

static int fill(void **state)
{
    (void)state;
    fill_numbers();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_adds_rank_after_rank),
        cmocka_unit_test(recursive_doubling_begins_with_pairs_of_the_first_ranks),
        cmocka_unit_test(rabenseifner_has_that_tree),
        cmocka_unit_test(a_binomial_tree_leaves_the_last_ranks_to_the_end),
        cmocka_unit_test(linear_goes_from_the_last_rank_to_the_first),
        cmocka_unit_test(a_tree_of_nccl_has_own_then_lower_then_higher),
        cmocka_unit_test(ranks_have_neighbours_and_the_first_of_them_one_more),
        cmocka_unit_test(a_rank_without_a_number_takes_no_part),
        cmocka_unit_test(texts_tell_the_orders_apart),
        cmocka_unit_test(height_formula_is_the_height_of_the_tree),
        cmocka_unit_test(height_of_a_ring_is_not_that_of_a_tree),
        cmocka_unit_test(rabenseifner_has_the_bits_of_recursive_doubling),
        cmocka_unit_test(binomial_is_recursive_doubling_where_ranks_are_a_power_of_two),
        cmocka_unit_test(every_hop_rounds_to_the_format_that_is_added_in),
        cmocka_unit_test(they_have_no_kernel_and_take_every_launch),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
