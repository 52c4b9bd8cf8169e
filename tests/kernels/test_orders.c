/* Orders that are a loop or a finish away from another: the tree that each builds, its height, the orders that it must
 * equal bit for bit, and what it refuses. */
#include "kernels/tape.h"
#include "src/base/fp.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

enum { NUMBERS = 1 << 18 };

static const char *const orders[] = {
    "strided_serial",  "tree_interleaved_two_pass", "tree_unrolled", "tree_host_finish",
    "tree_last_block", "shuffle_last_block",        "blocked",       "tree_rows",
    "shuffle_rows"};

/* ---- numbers that every addition rounds ---- */

static float numbers[NUMBERS];

/* Signed, of 44 bits, with the order of magnitude changing by up to `binades`. */
static void fill_numbers(unsigned binades)
{
    seed_random(1);
    for (size_t i = 0; i < NUMBERS; i++) {
        const double magnitude = (double)(UINT64_C(1) << below(binades + 1));
        numbers[i] = (float)((double)((int64_t)next_random() / (1 << 20)) * magnitude);
    }
}

/* ---- the trees ---- */

static void tree_text(char text[TEXT_SIZE], const char *order, struct launch launch, uint64_t n)
{
    float x[100];
    struct tape tape = {0};
    assert_true(n <= COUNT_OF(x));
    for (size_t i = 0; i < COUNT_OF(x); i++)
        x[i] = (float)i;
    tape_start(&tape);
    replay(find("trace", order), x, n, launch);
    assert_int_equal(tape.status, OK);
    memset(text, 0, TEXT_SIZE);
    FILE *to = fmemopen(text, TEXT_SIZE, "w");
    assert_non_null(to);
    tape_print(&tape, to);
    fclose(to);
    tape_free(&tape);
}

static void assert_tree(const char *order, struct launch launch, uint64_t n, const char *expected)
{
    char text[TEXT_SIZE];
    tree_text(text, order, launch, n);
    assert_string_equal(text, expected);
}

static void strided_serial_adds_thread_sums_left_to_right(void **state)
{
    (void)state;
    const struct launch launch = {2, 2};
    assert_tree("strided_serial", launch, 0, "0");
    assert_tree("strided_serial", launch, 3, "((0 + 1) + 2)");
    assert_tree("strided_serial", launch, 8, "((((0 + 4) + (1 + 5)) + (2 + 6)) + (3 + 7))");
    assert_tree("strided_serial", launch, 9, "(((((0 + 4) + 8) + (1 + 5)) + (2 + 6)) + (3 + 7))");
    assert_tree("strided_serial", (struct launch){1, 3}, 5, "(((0 + 3) + (1 + 4)) + 2)");
}

static void tree_interleaved_two_pass_merges_neighbours_first(void **state)
{
    (void)state;
    const char *const order = "tree_interleaved_two_pass";
    assert_tree(order, (struct launch){1, 4}, 4, "((0 + 1) + (2 + 3))");
    assert_tree(order, (struct launch){1, 4}, 3, "((0 + 1) + 2)");
    assert_tree(order, (struct launch){1, 8}, 8, "(((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)))");
    assert_tree(order, (struct launch){1, 4}, 6, "(((0 + 4) + (1 + 5)) + (2 + 3))");
    assert_tree(order, (struct launch){2, 2}, 8, "(((0 + 4) + (1 + 5)) + ((2 + 6) + (3 + 7)))");
    assert_tree(order, (struct launch){4, 4}, 16,
                "((((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7))) + (((8 + 9) + (10 + 11)) + ((12 + 13) + (14 + 15))))");
}

static void tree_host_finish_adds_block_sums_left_to_right(void **state)
{
    (void)state;
    assert_tree("tree_host_finish", (struct launch){3, 2}, 6, "(((0 + 1) + (2 + 3)) + (4 + 5))");
    assert_tree("tree_host_finish", (struct launch){3, 2}, 3, "((0 + 1) + 2)");
    assert_tree("tree_host_finish", (struct launch){1, 4}, 4, "((0 + 2) + (1 + 3))");
}

static void tree_last_block_strides_over_block_sums(void **state)
{
    (void)state;
    assert_tree("tree_last_block", (struct launch){2, 2}, 8, "(((0 + 4) + (1 + 5)) + ((2 + 6) + (3 + 7)))");
    assert_tree("tree_last_block", (struct launch){3, 2}, 6, "(((0 + 1) + (4 + 5)) + (2 + 3))");
}

static void blocked_adds_runs_of_neighbours(void **state)
{
    (void)state;
    const struct launch launch = {2, 2};
    assert_tree("blocked", launch, 0, "0");
    assert_tree("blocked", launch, 3, "((0 + 1) + 2)");
    assert_tree("blocked", launch, 5, "(((0 + 1) + (2 + 3)) + 4)");
    assert_tree("blocked", launch, 8, "(((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)))");
    assert_tree("blocked", launch, 9, "((((0 + 1) + 2) + ((3 + 4) + 5)) + ((6 + 7) + 8))"); /* the last thread idles */
    assert_tree("blocked", (struct launch){3, 1}, 6, "(((0 + 1) + (2 + 3)) + (4 + 5))");
}

static void tree_rows_adds_a_row_whatever_the_blocks(void **state)
{
    (void)state;
    assert_tree("tree_rows", (struct launch){1, 2}, 4, "((0 + 2) + (1 + 3))");
    assert_tree("tree_rows", (struct launch){9, 2}, 4, "((0 + 2) + (1 + 3))");
    assert_tree("tree_rows", (struct launch){9, 4}, 5, "(((0 + 4) + 2) + (1 + 3))");
}

/* Thread t of so many with one element each, as a tree over t, t + stride, ...: "((0 + 16) + (8 + 24))" for t = 0,
 * stride = 8 and 32 threads. */
static void append_tree(char *text, unsigned first, unsigned t, unsigned stride, unsigned threads)
{
    if (stride == threads) {
        sprintf(text + strlen(text), "%u", first + t);
        return;
    }
    strcat(text, "(");
    append_tree(text, first, t, 2 * stride, threads);
    strcat(text, " + ");
    append_tree(text, first, t + stride, 2 * stride, threads);
    strcat(text, ")");
}

static void shuffles_merge_warps_left_to_right(void **state)
{
    (void)state;
    char text[TEXT_SIZE] = "((";
    append_tree(text, 0, 0, 1, 32);
    strcat(text, " + ");
    append_tree(text, 32, 0, 1, 32);
    strcat(text, ") + (64 + 65))");
    assert_tree("shuffle_rows", (struct launch){5, 96}, 66, text);
    assert_tree("shuffle_last_block", (struct launch){1, 96}, 66, text);
}

static void shuffle_last_block_merges_block_sums_as_lanes(void **state)
{
    (void)state;
    char text[TEXT_SIZE] = "((";
    append_tree(text, 0, 0, 1, 32);
    strcat(text, " + (64 + 65)) + ");
    append_tree(text, 32, 0, 1, 32);
    strcat(text, ")");
    assert_tree("shuffle_last_block", (struct launch){3, 32}, 66, text);
}

static void tree_unrolled_halves_the_block_to_the_end(void **state)
{
    (void)state;
    char text[TEXT_SIZE] = "";
    append_tree(text, 0, 0, 1, 64);
    assert_tree("tree_unrolled", (struct launch){1, 64}, 64, text);
    assert_tree("tree_unrolled", (struct launch){1, 64}, 3, "((0 + 2) + 1)");
    assert_tree("tree_unrolled", (struct launch){1, 32}, 5, "(((0 + 4) + 2) + (1 + 3))");
}

/* The twin: the texts of two orders and of two launches differ. */
static void tree_text_tells_orders_and_launches_apart(void **state)
{
    (void)state;
    char text[TEXT_SIZE], other[TEXT_SIZE];
    tree_text(text, "tree_interleaved_two_pass", (struct launch){1, 4}, 4);
    tree_text(other, "tree_two_pass", (struct launch){1, 4}, 4);
    assert_string_not_equal(text, other);
    tree_text(other, "tree_interleaved_two_pass", (struct launch){2, 2}, 5);
    assert_string_not_equal(text, other);
}

/* ---- heights ---- */

/* Grids beyond n, threads beyond blocks and the other way round, a grid of 1. */
static const struct launch awkward[] = {{1, 1},   {1000, 1},  {1, 64},   {65, 32},  {31, 96},
                                        {3, 512}, {129, 128}, {2, 1024}, {4096, 2}, {5, 4}};

static bool height_is_measured(const struct method *method, uint64_t n, struct launch launch)
{
    const float measured = replay(find("height", method->order), numbers, n, launch);
    return (double)method_height(method, n, launch) == (double)measured;
}

static void assert_heights(uint64_t n, struct launch launch)
{
    for (size_t o = 0; o < COUNT_OF(orders); o++) {
        const struct method *method = find("plain", orders[o]);
        if (can_do(method, launch) && !height_is_measured(method, n, launch))
            fail_msg("%s, n = %llu, %u x %u: height %llu is not what the tree measures", method->id,
                     (unsigned long long)n, launch.blocks, launch.threads,
                     (unsigned long long)method_height(method, n, launch));
    }
}

/* n where threads, blocks or runs begin to have elements. */
static void height_formula_is_the_height_of_the_tree(void **state)
{
    (void)state;
    for (size_t l = 0; l < COUNT_OF(awkward); l++) {
        const struct launch launch = awkward[l];
        const uint64_t grid = (uint64_t)launch.blocks * launch.threads;
        const uint64_t around[] = {2, launch.threads, launch.blocks, grid / 2 + 2, grid, 2 * grid, 7 * grid};
        for (size_t k = 0; k < COUNT_OF(around); k++)
            for (uint64_t n = around[k] - (around[k] > 1 ? 2 : 1); n <= around[k] + 2; n++)
                assert_heights(n, launch);
        for (int random = 0; random < 20; random++)
            assert_heights(below(20000), launch);
    }
}

/* The twin: 17 elements in runs of 2 keep 9 blocks of one thread busy, 17 elements of a strided loop all 16. */
static void height_of_blocked_is_not_that_of_tree_two_pass(void **state)
{
    (void)state;
    struct method method = *find("plain", "blocked");
    const struct launch launch = {16, 1};
    assert_int_equal(method_height(&method, 17, launch), 2 + 8);
    assert_true(height_is_measured(&method, 17, launch));
    method.own = find("plain", "tree_two_pass")->own;
    assert_int_equal(method_height(&method, 17, launch), 2 + 15);
    assert_false(height_is_measured(&method, 17, launch));
}

/* ---- the same bits ---- */

/* Two methods, but for their accumulator. */
struct pair {
    const char *order;
    struct launch launch;
    const char *other;
    struct launch other_launch;
};

struct comparison {
    size_t compared, different;
};

/* Every accumulator that sums in both orders. */
static void compare(const struct pair *pair, uint64_t n, struct comparison *comparison)
{
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++) {
        if (table[m]->role != SUMS || !table[m]->replay || strcmp(table[m]->order, pair->order) != 0 ||
            !can_do(table[m], pair->launch))
            continue;
        const struct method *other = find(table[m]->accumulator, pair->other);
        if (!can_do(other, pair->other_launch))
            continue;
        comparison->compared++;
        comparison->different += float_bits(replay(table[m], numbers, n, pair->launch)) !=
                                 float_bits(replay(other, numbers, n, pair->other_launch));
    }
}

static struct comparison compare_at_many_n(struct pair pair, uint64_t most)
{
    struct comparison comparison = {0};
    for (unsigned binades = 0; binades <= 40; binades += 40) {
        fill_numbers(binades);
        for (uint64_t n = 0; n <= most; n += n < 300 ? 1 : 997)
            compare(&pair, n, &comparison);
    }
    return comparison;
}

static void assert_same(struct pair pair, uint64_t most)
{
    const struct comparison comparison = compare_at_many_n(pair, most);
    if (comparison.different)
        fail_msg("%s is not %s: %u x %u and %u x %u, %zu of %zu sums differ", pair.order, pair.other,
                 pair.launch.blocks, pair.launch.threads, pair.other_launch.blocks, pair.other_launch.threads,
                 comparison.different, comparison.compared);
    assert_true(comparison.compared > most / 997);
}

static const struct launch paired[] = {{1, 32}, {3, 64}, {100, 32}, {7, 128}, {2, 1024}};
enum { MOST = 12000 };

static void assert_same_at_every_launch(const char *order, const char *other)
{
    for (size_t l = 0; l < COUNT_OF(paired); l++)
        assert_same((struct pair){order, paired[l], other, paired[l]}, MOST);
}

static void tree_last_block_has_the_bits_of_tree_two_pass(void **state)
{
    (void)state;
    assert_same_at_every_launch("tree_last_block", "tree_two_pass");
    assert_same((struct pair){"tree_last_block", {5, 2}, "tree_two_pass", {5, 2}}, MOST);
}

static void shuffle_last_block_has_the_bits_of_shuffle_two_pass(void **state)
{
    (void)state;
    assert_same_at_every_launch("shuffle_last_block", "shuffle_two_pass");
    assert_same((struct pair){"shuffle_last_block", {3, 96}, "shuffle_two_pass", {3, 96}}, MOST);
}

static void tree_unrolled_has_the_bits_of_tree_two_pass(void **state)
{
    (void)state;
    assert_same_at_every_launch("tree_unrolled", "tree_two_pass");
}

/* Where the blocks arrive in order. */
static void tree_host_finish_has_the_bits_of_the_replay_of_tree_atomic(void **state)
{
    (void)state;
    assert_same_at_every_launch("tree_host_finish", "tree_atomic");
}

static void one_row_has_the_bits_of_two_passes_with_one_block(void **state)
{
    (void)state;
    for (size_t l = 0; l < COUNT_OF(paired); l++) {
        const struct launch one_block = {1, paired[l].threads};
        assert_same((struct pair){"tree_rows", paired[l], "tree_two_pass", one_block}, MOST);
        assert_same((struct pair){"shuffle_rows", paired[l], "shuffle_two_pass", one_block}, MOST);
    }
    assert_same((struct pair){"tree_rows", {9, 2}, "tree_two_pass", {1, 2}}, MOST);
}

static void strided_serial_of_one_thread_has_the_bits_of_serial(void **state)
{
    (void)state;
    assert_same((struct pair){"strided_serial", {1, 1}, "serial", {1, 1}}, 300);
}

static void strided_serial_depends_on_the_grid_alone(void **state)
{
    (void)state;
    assert_same((struct pair){"strided_serial", {6, 64}, "strided_serial", {4, 96}}, MOST);
}

/* One element per thread: runs and strides are the same. */
static void blocked_has_the_bits_of_tree_two_pass_where_the_grid_is_larger_than_n(void **state)
{
    (void)state;
    assert_same((struct pair){"blocked", {100, 128}, "tree_two_pass", {100, 128}}, MOST);
}

/* The twins: one thing changed, and sums differ. */
static void comparison_sees_another_order_and_another_launch(void **state)
{
    (void)state;
    static const struct pair others[] = {
        {"tree_interleaved_two_pass", {3, 64}, "tree_two_pass", {3, 64}},
        {"tree_last_block", {3, 64}, "tree_two_pass", {3, 128}},
        {"shuffle_last_block", {3, 64}, "tree_two_pass", {3, 64}},
        {"tree_unrolled", {7, 128}, "tree_atomic", {7, 128}},
        {"tree_host_finish", {7, 128}, "tree_two_pass", {7, 128}},
        {"tree_rows", {2, 64}, "tree_two_pass", {2, 64}},
        {"tree_rows", {1, 1}, "tree_two_pass", {1, 1}}, /* Kahan: see kernels/orders/tree_rows.h */
        {"shuffle_rows", {2, 64}, "shuffle_two_pass", {2, 64}},
        {"strided_serial", {1, 2}, "serial", {1, 2}},
        {"strided_serial", {6, 64}, "strided_serial", {5, 64}},
        {"blocked", {3, 64}, "tree_two_pass", {3, 64}},
    };
    for (size_t p = 0; p < COUNT_OF(others); p++)
        if (compare_at_many_n(others[p], MOST).different == 0)
            fail_msg("%s and %s do not differ", others[p].order, others[p].other);
}

static float replay_shared(const struct method *method, struct launch launch, unsigned workers)
{
    float result = 0;
    assert_int_equal(method_sum(method, numbers, NUMBERS - 1, launch, workers, &result), OK);
    return result;
}

static void bits_do_not_depend_on_the_number_of_workers(void **state)
{
    (void)state;
    const struct launch launch = {100, 64};
    fill_numbers(40);
    size_t count, shared = 0;
    const struct method *const *methods = method_table(&count);
    for (size_t m = 0; m < count; m++) {
        if (strcmp(methods[m]->accumulator, "kahan") != 0)
            continue;
        const uint32_t alone = float_bits(replay(methods[m], numbers, NUMBERS - 1, launch));
        for (unsigned workers = 2; workers < 8; workers++)
            assert_int_equal(float_bits(replay_shared(methods[m], launch, workers)), alone);
        shared++;
    }
    assert_true(shared > COUNT_OF(orders));
}

/* ---- refusals ---- */

static void assert_refused(const char *order, struct launch launch, const char *expected)
{
    char why[REASON_SIZE] = "";
    assert_false(method_can_do(find("plain", order), launch, why));
    assert_string_equal(why, expected);
}

static void refusals_name_the_numbers(void **state)
{
    (void)state;
    static const char *const trees[] = {
        "tree_interleaved_two_pass", "tree_host_finish", "tree_last_block", "tree_unrolled", "blocked", "tree_rows"};
    static const char *const shuffles[] = {"shuffle_last_block", "shuffle_rows"};
    for (size_t o = 0; o < COUNT_OF(trees); o++) {
        assert_refused(trees[o], (struct launch){7, 96}, "96 threads in a block; the tree needs a power of two");
        assert_refused(trees[o], (struct launch){7, 2048}, "2048 threads in a block; a GPU has 1 to 1024");
    }
    for (size_t o = 0; o < COUNT_OF(shuffles); o++) {
        assert_refused(shuffles[o], (struct launch){7, 48},
                       "48 threads in a block; warp shuffles need a multiple of 32");
        assert_refused(shuffles[o], (struct launch){7, 2048}, "2048 threads in a block; a GPU has 1 to 1024");
    }
    assert_refused("tree_unrolled", (struct launch){7, 16},
                   "16 threads in a block; warp shuffles need a multiple of 32");
    assert_refused("strided_serial", (struct launch){7, 0}, "0 threads in a block; a GPU has 1 to 1024");
    assert_refused("strided_serial", (struct launch){1 << 20, 1024},
                   "1073741824 partial sums for one thread to add, which takes seconds; at most 16777216");
    assert_refused("strided_serial", (struct launch){16385, 1024},
                   "16778240 partial sums for one thread to add, which takes seconds; at most 16777216");
}

/* The twin. */
static void what_just_fits_is_not_refused(void **state)
{
    (void)state;
    for (size_t o = 0; o < COUNT_OF(orders); o++) {
        assert_true(can_do(find("plain", orders[o]), (struct launch){16384, 1024}));
        assert_true(can_do(find("plain", orders[o]), (struct launch){1, 32}));
    }
    assert_true(can_do(find("plain", "shuffle_rows"), (struct launch){7, 96}));
    assert_true(can_do(find("plain", "strided_serial"), (struct launch){7, 33}));
    assert_true(can_do(find("plain", "tree_rows"), (struct launch){1 << 20, 1}));
    assert_true(can_do(find("superacc", "tree_two_pass"), (struct launch){7, 1024})); /* 48 KiB of states */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strided_serial_adds_thread_sums_left_to_right),
        cmocka_unit_test(tree_interleaved_two_pass_merges_neighbours_first),
        cmocka_unit_test(tree_host_finish_adds_block_sums_left_to_right),
        cmocka_unit_test(tree_last_block_strides_over_block_sums),
        cmocka_unit_test(blocked_adds_runs_of_neighbours),
        cmocka_unit_test(tree_rows_adds_a_row_whatever_the_blocks),
        cmocka_unit_test(shuffles_merge_warps_left_to_right),
        cmocka_unit_test(shuffle_last_block_merges_block_sums_as_lanes),
        cmocka_unit_test(tree_unrolled_halves_the_block_to_the_end),
        cmocka_unit_test(tree_text_tells_orders_and_launches_apart),
        cmocka_unit_test(height_formula_is_the_height_of_the_tree),
        cmocka_unit_test(height_of_blocked_is_not_that_of_tree_two_pass),
        cmocka_unit_test(tree_last_block_has_the_bits_of_tree_two_pass),
        cmocka_unit_test(shuffle_last_block_has_the_bits_of_shuffle_two_pass),
        cmocka_unit_test(tree_unrolled_has_the_bits_of_tree_two_pass),
        cmocka_unit_test(tree_host_finish_has_the_bits_of_the_replay_of_tree_atomic),
        cmocka_unit_test(one_row_has_the_bits_of_two_passes_with_one_block),
        cmocka_unit_test(strided_serial_of_one_thread_has_the_bits_of_serial),
        cmocka_unit_test(strided_serial_depends_on_the_grid_alone),
        cmocka_unit_test(blocked_has_the_bits_of_tree_two_pass_where_the_grid_is_larger_than_n),
        cmocka_unit_test(comparison_sees_another_order_and_another_launch),
        cmocka_unit_test(bits_do_not_depend_on_the_number_of_workers),
        cmocka_unit_test(refusals_name_the_numbers),
        cmocka_unit_test(what_just_fits_is_not_refused),
    };
    return cmocka_run_group_tests_name("orders", tests, NULL, NULL);
}
