/* What is said of a tree in words: its summary, held to a slow count, and the bits that its additions lose. */
#include "src/teach/tree/tree_labels.h"
#include "src/teach/tree/tree_summary.h"

#include "tests/support/meeting.h"
#include "tests/support/methods.h"

#include "tests/support/random.h"

/* ---- the summary ---- */

static uint64_t path_of(const struct sum_tree *tree, uint64_t i)
{
    uint64_t length = 0;
    for (uint32_t k = tree->leaf[i]; k != 0; k = tree->place[k].parent)
        length++;
    return length;
}

static void hold_summary(const struct sum_tree *tree)
{
    uint64_t all = 0, added = 0, pairs = 0, shortest = UINT64_MAX;
    struct tree_summary summary;
    assert_int_equal(tree_summary_make(tree, &summary), OK);
    for (uint64_t i = 0; i < tree->n; i++) {
        const uint64_t length = path_of(tree, i);
        all += length;
        shortest = length < shortest ? length : shortest;
    }
    for (uint32_t k = 1; k <= tree->count; k++)
        if (tree->place[k].leaves > 1) {
            pairs += tree->place[k].leaves == 2;
            added += tree->joined[k - 1].added;
        }
    assert_int_equal(summary.n, tree->n);
    assert_int_equal(summary.height, sum_tree_height(tree));
    assert_int_equal(path_of(tree, summary.deepest), summary.height);
    assert_int_equal(summary.shortest_path, shortest);
    assert_true(summary.mean_path == (double)all / (double)tree->n);
    assert_int_equal(summary.additions, added);
    assert_int_equal(summary.additions + summary.merges, tree->n - 1);
    assert_int_equal(summary.pairs, pairs);
    for (uint64_t i = 0; i < summary.pairs && i < TREE_PAIRS_NAMED; i++)
        assert_int_equal(tree->place[sum_tree_meeting(tree, summary.pair[i][0], summary.pair[i][1])].leaves, 2);
}

static void the_summary_of_every_order_is_that_of_a_slow_count(void **state)
{
    (void)state;
    size_t methods, trees = 0;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++)
        for (size_t l = 0; strcmp(table[m]->accumulator, "plain") == 0 && l < LAUNCHES; l++)
            for (uint64_t n = 1; can_do(table[m], launches[l]) && n <= 1023; n = 2 * n + 1) {
                struct sum_tree tree;
                assert_int_equal(sum_tree_make(&(struct tree_request){"test", table[m], n, launches[l]}, &tree), OK);
                hold_summary(&tree);
                sum_tree_free(&tree);
                trees++;
            }
    assert_true(trees > 500);
}

static void no_elements_have_a_summary_too(void **state)
{
    (void)state;
    struct tree_summary summary;
    assert_int_equal(tree_summary_make(&(struct sum_tree){0}, &summary), OK);
    assert_int_equal(summary.height, 0);
}

/* ---- bits ---- */

/* Of a + b. */
static struct bits_lost lost_in(const char *accumulator, float a, float b)
{
    struct additions of;
    const struct tree_request request = {"test", find(accumulator, "serial"), 2, one_warp};
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, TERMS(a, b));
    assert_int_equal(additions_make(&request, &elements, &of), OK);
    const struct bits_lost lost = bits_lost_in(&of, 3);
    assert_false(bits_lost_in(&of, 1).known); /* no join */
    additions_free(&of);
    return lost;
}

static void bits_are_those_behind_the_last_place(void **state)
{
    (void)state;
    static const struct {
        float a, b;
        int bits;
        bool all;
    } rows[] = {
        {1, 2, 0, false},
        {0x1p24f, 1, 1, true},
        {1, -0x1p24f, 0, false}, /* 2^24 - 1 has 24 bits */
        {0x1p24f, 3, 1, false},
        {0x1p24f, 0x1.8p+0f, 2, true}, /* rounded up to 2^24 + 2 */
        {0x1p30f, 0x1.000002p+0f, 30, true},
        {0x1.fffffep+23f, 0.5f, 1, true},  /* a tie, up to 2^24: the exact sum is below, where the last place is 1 */
        {0x1.fffffep+23f, 0.75f, 2, true}, /* likewise */
        {0x1.fffffep+0f, 0x1p-23f, 0, false},
        {0x1.000002p+0f, 1, 1, false},    /* the carry costs the larger one's last bit */
        {0x1p-149f, 0x1p-126f, 0, false}, /* subnormal, where sums are exact */
        {-0x1p24f, -1, 1, true},
        {0x1p127f, 0x1p-149f, 253, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct bits_lost lost = lost_in("plain", rows[i].a, rows[i].b);
        if (!lost.known || lost.bits != rows[i].bits || lost.all != rows[i].all)
            fail_msg("%a + %a: %d bits, all %d", (double)rows[i].a, (double)rows[i].b, lost.bits, lost.all);
    }
}

/* Without its last bits the exact sum fits; with one more of them it does not. */
static void so_many_bits_are_too_many(void **state)
{
    (void)state;
    seed_random(21);
    for (int i = 0; i < 20000; i++) {
        const float a = ldexpf((float)below(1 << 24), (int)below(30)),
                    b = ldexpf((float)below(1 << 24), (int)below(30));
        const struct bits_lost lost = lost_in("plain", a, b);
        const uint64_t exact = (uint64_t)a + (uint64_t)b; /* below 2^55 */
        const int last = exact ? __builtin_ctzll(exact) : 0;
        const int width = exact ? 64 - __builtin_clzll(exact) - last : 0;
        assert_true(lost.known);
        assert_int_equal(lost.bits, width > 24 ? width - 24 : 0);
    }
}

static void a_state_of_several_numbers_has_no_last_place(void **state)
{
    (void)state;
    assert_false(lost_in("kahan", 0x1p24f, 1).known);
    assert_true(lost_in("binary64", 0x1p24f, 1).known);
    assert_int_equal(lost_in("binary64", 0x1p24f, 1).bits, 0);
    assert_int_equal(lost_in("binary64", 0x1p54f, 1).bits, 2);
    assert_false(lost_in("plain", INFINITY, 1).known);
}

/* ---- labels ---- */

static void labels_say_what_is_made_and_lost(void **state)
{
    (void)state;
    struct additions of;
    struct tree_labels labels;
    const struct tree_request request = {"test", find("plain", "serial"), 3, one_warp};
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, TERMS(0x1p24f, 1, 0x1p-1f));
    assert_int_equal(additions_make(&request, &elements, &of), OK);
    assert_int_equal(tree_labels_make(&of, TREE_LABELS_IN_COLUMNS, &labels), OK);
    assert_string_equal(labels.name, "makes    local error  bits lost");
    assert_string_equal(labels.list[1], "x0  0x1p+24");
    assert_string_equal(labels.list[3], "0x1p+24  -0x1p+0      1, all");
    assert_string_equal(labels.list[5], "0x1p+24  -0x1p-1      2, all");
    assert_true(labels.heat[3] == 1 && labels.heat[5] == 0.5 && labels.heat[1] == 0);
    tree_labels_free(&labels);
    assert_int_equal(tree_labels_make(&of, TREE_LABELS_STACKED, &labels), OK);
    assert_string_equal(labels.list[3], "0x1p+24\nerror -0x1p+0");
    tree_labels_free(&labels);
    additions_free(&of);
}

/* The twin: nothing is lost, and nothing is hot. */
static void exact_sums_have_no_heat(void **state)
{
    (void)state;
    struct additions of;
    struct tree_labels labels;
    const struct tree_request request = {"test", find("plain", "serial"), 2, one_warp};
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, TERMS(1, 2));
    assert_int_equal(additions_make(&request, &elements, &of), OK);
    assert_int_equal(tree_labels_make(&of, TREE_LABELS_STACKED, &labels), OK);
    assert_string_equal(labels.list[3], "0x1.8p+1\nexact");
    assert_null(labels.heat);
    tree_labels_free(&labels);
    additions_free(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_summary_of_every_order_is_that_of_a_slow_count),
        cmocka_unit_test(no_elements_have_a_summary_too),
        cmocka_unit_test(bits_are_those_behind_the_last_place),
        cmocka_unit_test(so_many_bits_are_too_many),
        cmocka_unit_test(a_state_of_several_numbers_has_no_last_place),
        cmocka_unit_test(labels_say_what_is_made_and_lost),
        cmocka_unit_test(exact_sums_have_no_heat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
