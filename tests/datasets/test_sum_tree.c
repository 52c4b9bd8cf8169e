/* The tree of an order: held to the declared heights, and its answers to those of a slow search. */
#include "datasets/sum_tree.h"

#include "tests/support/meeting.h"
#include "tests/support/methods.h"

#include "tests/support/heard.h"
#include "tests/support/random.h"

static struct tree_request request_of(const char *order, uint64_t n, struct launch launch)
{
    return (struct tree_request){"test", find("plain", order), n, launch};
}

static struct sum_tree make_tree(const char *order, uint64_t n, struct launch launch)
{
    const struct tree_request request = request_of(order, n, launch);
    struct sum_tree tree;
    assert_int_equal(sum_tree_make(&request, &tree), OK);
    assert_int_equal(tree.n, n);
    assert_int_equal(tree.count, n == 0 ? 0 : 2 * n - 1);
    return tree;
}

typedef void tree_visitor(const struct tree_request *request, const struct sum_tree *tree);

/* Every order, every launch that it can do, and n from 1 to 1000, densely at first. */
static void for_each_tree(tree_visitor *visit)
{
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++) {
        if (strcmp(table[m]->accumulator, "plain") != 0)
            continue;
        for (size_t l = 0; l < LAUNCHES; l++)
            for (uint64_t n = 1; can_do(table[m], launches[l]) && n <= 1000; n = n < 12 ? n + 1 : 2 * n + 1) {
                const struct tree_request request = {"test", table[m], n, launches[l]};
                struct sum_tree tree = make_tree(table[m]->order, n, launches[l]);
                visit(&request, &tree);
                sum_tree_free(&tree);
            }
    }
}

/* Vectors of 16 bytes are of 16, 8, 4 or 2 elements. */
static void trees_of_every_format_have_the_height_of_its_methods(void **state)
{
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t methods;
        const struct method *const *table = method_table_of(sum_formats[f], &methods);
        for (size_t m = 0; m < methods; m++) {
            struct sum_tree tree;
            const struct launch launch = launches[m % LAUNCHES];
            const uint64_t n = 1 + below(2000);
            if (strcmp(table[m]->accumulator, "plain") != 0 || !can_do(table[m], launch))
                continue;
            assert_int_equal(sum_tree_make(&(struct tree_request){"test", table[m], n, launch}, &tree), OK);
            assert_int_equal(sum_tree_height(&tree), method_height(table[m], n, launch));
            sum_tree_free(&tree);
        }
    }
}

static void a_vector_of_bfloat16_has_eight_elements(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        uint64_t lanes;
    } rows[] = {{"plain/vector_two_pass", 4},
                {"plain/vector_two_pass@bfloat16", 8},
                {"plain/vector_two_pass@binary64", 2},
                {"plain/vector_two_pass@e4m3", 16}};
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct sum_tree tree;
        const struct tree_request request = {"test", method_find(rows[r].id), 4096, one_warp};
        assert_int_equal(sum_tree_make(&request, &tree), OK);
        assert_int_equal(sum_tree_between(&tree, 0, 32 * rows[r].lanes), 0); /* the next vector of its thread */
        sum_tree_free(&tree);
    }
}

/* ((x0 + x2) + (x1 + x3)) */
static void the_worked_example_of_the_header_is_so(void **state)
{
    (void)state;
    struct sum_tree tree = make_tree("tree_two_pass", 4, (struct launch){1, 4});
    assert_int_equal(sum_tree_height(&tree), 3);
    assert_int_equal(sum_tree_meeting(&tree, 0, 1), 7);
    assert_int_equal(tree.place[7].leaves, 4);
    assert_int_equal(sum_tree_between(&tree, 0, 1), 2);
    assert_int_equal(sum_tree_between(&tree, 0, 2), 0);
    assert_int_equal(sum_tree_between(&tree, 3, 3), 0);
    assert_int_equal(sum_tree_sibling(&tree, tree.leaf[0]), tree.leaf[2]);
    assert_int_equal(sum_tree_leftmost(&tree, sum_tree_meeting(&tree, 3, 1)), 1);
    assert_int_equal(sum_tree_sibling(&tree, 7), 0);
    sum_tree_free(&tree);
}

/* (((x0 + x1) + x2) + x3): the twin, in another order. */
static void serial_has_another_tree(void **state)
{
    (void)state;
    struct sum_tree tree = make_tree("serial", 4, (struct launch){1, 4});
    assert_int_equal(sum_tree_height(&tree), 4);
    assert_int_equal(sum_tree_between(&tree, 0, 1), 0);
    assert_int_equal(sum_tree_between(&tree, 0, 2), 1);
    assert_int_equal(sum_tree_between(&tree, 3, 0), 2);
    sum_tree_free(&tree);
}

static void no_elements_are_a_tree_of_height_0(void **state)
{
    (void)state;
    struct sum_tree tree = make_tree("pairwise", 0, one_warp);
    assert_int_equal(sum_tree_height(&tree), 0);
    sum_tree_free(&tree);
}

static void hold_height(const struct tree_request *request, const struct sum_tree *tree)
{
    assert_int_equal(sum_tree_height(tree), method_height(request->method, request->n, request->launch));
}

static void the_height_is_the_declared_one(void **state)
{
    (void)state;
    for_each_tree(hold_height);
}

static uint64_t steps_to_root(const struct sum_tree *tree, uint64_t i)
{
    uint64_t steps = 0;
    for (uint32_t node = tree->leaf[i]; tree->place[node].parent != 0; node = tree->place[node].parent)
        steps++;
    return steps;
}

static void hold_deepest(const struct tree_request *request, const struct sum_tree *tree)
{
    const uint64_t deepest = sum_tree_deepest(tree);
    (void)request;
    assert_int_equal(steps_to_root(tree, deepest), sum_tree_height(tree) - 1);
    for (uint64_t i = 0; i < tree->n; i++)
        assert_true(steps_to_root(tree, i) < sum_tree_height(tree));
}

static void no_element_is_deeper_than_the_deepest(void **state)
{
    (void)state;
    for_each_tree(hold_deepest);
}

/* Each leaf is counted in every node above it. */
static void hold_leaves(const struct tree_request *request, const struct sum_tree *tree)
{
    uint32_t leaves[2 * 1000] = {0};
    (void)request;
    for (uint64_t i = 0; i < tree->n; i++)
        for (uint32_t node = tree->leaf[i]; node != 0; node = tree->place[node].parent)
            leaves[node]++;
    for (uint64_t k = 1; k <= tree->count; k++)
        assert_int_equal(tree->place[k].leaves, leaves[k]);
}

static void every_node_has_the_leaves_that_climb_through_it(void **state)
{
    (void)state;
    for_each_tree(hold_leaves);
}

static bool is_above(const struct sum_tree *tree, uint32_t ancestor, uint32_t node)
{
    while (node != 0 && node != ancestor)
        node = tree->place[node].parent;
    return node != 0;
}

/* The first node above i that is above j. */
static uint32_t slow_meeting(const struct sum_tree *tree, uint64_t i, uint64_t j)
{
    uint32_t node = tree->leaf[i];
    while (!is_above(tree, node, tree->leaf[j]))
        node = tree->place[node].parent;
    return node;
}

static void hold_meetings(const struct tree_request *request, const struct sum_tree *tree)
{
    (void)request;
    for (int pair = 0; pair < 20; pair++) {
        const uint64_t i = below(tree->n), j = below(tree->n);
        assert_int_equal(sum_tree_meeting(tree, i, j), slow_meeting(tree, i, j));
    }
}

static void two_elements_meet_in_the_first_node_above_both(void **state)
{
    (void)state;
    seed_random(1);
    for_each_tree(hold_meetings);
}

static void hold_siblings(const struct tree_request *request, const struct sum_tree *tree)
{
    (void)request;
    for (uint32_t k = 1; k < tree->count; k++) {
        const uint32_t sibling = sum_tree_sibling(tree, k);
        assert_int_not_equal(sibling, k);
        assert_int_equal(tree->place[sibling].parent, tree->place[k].parent);
        assert_true(is_above(tree, sibling, tree->leaf[sum_tree_leftmost(tree, sibling)]));
    }
}

static void siblings_have_one_parent(void **state)
{
    (void)state;
    for_each_tree(hold_siblings);
}

/* ---- what an order says of its joins ---- */

static bool adds[METHODS_MOST], merges[METHODS_MOST];

static void see_joins(const struct tree_request *request, const struct sum_tree *tree)
{
    const size_t m = method_index(request->method);
    for (uint64_t k = 0; k < tree->count; k++)
        if (tree->joined[k].left > 0)
            *(tree->joined[k].added ? &adds[m] : &merges[m]) = true;
}

static void orders_add_and_merge_as_they_say(void **state)
{
    (void)state;
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for_each_tree(see_joins);
    for (size_t m = 0; m < methods; m++)
        if (strcmp(table[m]->accumulator, "plain") == 0 &&
            (adds[m] != (table[m]->order_traits->joins != NEVER_ADDS) ||
             merges[m] != (table[m]->order_traits->joins != NEVER_MERGES)))
            fail_msg("%s %s numbers to a state that is not empty and %s states; its traits say something else",
                     table[m]->order, adds[m] ? "adds" : "never adds", merges[m] ? "merges" : "never merges");
}

/* The most elements on the right of a join for each on its left. */
static double most_right(const struct sum_tree *tree)
{
    double most = 0;
    for (uint64_t k = 0; k < tree->count; k++) {
        const struct tape_node *const node = &tree->joined[k];
        if (node->left > 0)
            most = fmax(most, (double)tree->place[node->right].leaves / (double)tree->place[node->left].leaves);
    }
    return most;
}

/* What the bound of moments that are merged takes (docs/bounds.md, "Means that are kept"). */
static void no_right_side_is_larger_where_threads_have_their_own_elements(void **state)
{
    size_t held = 0, larger = 0;
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t methods;
        const struct method *const *table = method_table_of(sum_formats[f], &methods);
        for (size_t m = 0; m < methods; m++)
            for (size_t l = 0; l < LAUNCHES && strcmp(table[m]->accumulator, "plain") == 0; l++)
                for (uint64_t n = 2; can_do(table[m], launches[l]) && n <= 4000; n += n < 20 ? 1 : 1 + below(n)) {
                    struct sum_tree tree;
                    assert_int_equal(sum_tree_make(&(struct tree_request){"test", table[m], n, launches[l]}, &tree),
                                     OK);
                    const double most = most_right(&tree);
                    sum_tree_free(&tree);
                    if (table[m]->order_traits->has_threads && most > 1)
                        fail_msg("%s, n = %llu, %u x %u: %g on the right for each on the left", table[m]->id,
                                 (unsigned long long)n, launches[l].blocks, launches[l].threads, most);
                    held += table[m]->order_traits->has_threads;
                    larger += most > 1;
                }
    }
    print_message("%zu trees held, %zu others with a larger right side\n", held, larger);
    assert_true(held > 20000 && larger > 1000); /* the twins: halves, and ranks */
}

/* ---- what is refused ---- */

static void assert_refused(const struct tree_request *request, const char *why)
{
    struct sum_tree tree;
    struct heard heard = listen_to_stderr();
    const enum status status = sum_tree_make(request, &tree);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_null(tree.joined);
    if (!strstr(heard.text, "test: ") || !strstr(heard.text, why))
        fail_msg("heard \"%s\" instead of \"%s\"", heard.text, why);
}

static void a_launch_that_the_method_cannot_do_is_refused(void **state)
{
    (void)state;
    struct tree_request request = request_of("tree_two_pass", 100, (struct launch){1, 96});
    assert_refused(&request, "96 threads in a block; the tree needs a power of two");
    request = request_of("shuffle_two_pass", 100, (struct launch){1, 16});
    assert_refused(&request, "warp shuffles need a multiple of 32");
    request = request_of("tree_atomic", 100, one_warp);
    request.method = find("kahan", "tree_atomic");
    assert_refused(&request, "no atomic merge");
}

static void a_black_box_is_refused(void **state)
{
    (void)state;
    struct tree_request request = request_of("serial", 100, one_warp);
    request.method = method_find("cub/device_reduce");
    assert_refused(&request, "cub/device_reduce is a black box");
}

static void more_elements_than_binary32_counts_are_refused(void **state)
{
    (void)state;
    const struct tree_request most = request_of("serial", SUM_TREE_MOST_N, one_warp);
    struct tree_request more = most;
    more.n++;
    assert_int_equal(sum_tree_possible(&most), OK);
    assert_refused(&more, "n=16777217; expected at most 16777216");
}

static void only_atomics_have_many_trees(void **state)
{
    (void)state;
    size_t methods, many = 0;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++) {
        const struct tree_request request = {"test", table[m], 100, one_warp};
        if (table[m]->replay && sum_tree_is_one_of_many(&request)) {
            assert_string_equal(table[m]->order, "tree_atomic");
            many++;
        }
    }
    assert_true(many > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_every_format_have_the_height_of_its_methods),
        cmocka_unit_test(a_vector_of_bfloat16_has_eight_elements),
        cmocka_unit_test(the_worked_example_of_the_header_is_so),
        cmocka_unit_test(serial_has_another_tree),
        cmocka_unit_test(no_elements_are_a_tree_of_height_0),
        cmocka_unit_test(the_height_is_the_declared_one),
        cmocka_unit_test(no_element_is_deeper_than_the_deepest),
        cmocka_unit_test(every_node_has_the_leaves_that_climb_through_it),
        cmocka_unit_test(two_elements_meet_in_the_first_node_above_both),
        cmocka_unit_test(siblings_have_one_parent),
        cmocka_unit_test(orders_add_and_merge_as_they_say),
        cmocka_unit_test(no_right_side_is_larger_where_threads_have_their_own_elements),
        cmocka_unit_test(a_launch_that_the_method_cannot_do_is_refused),
        cmocka_unit_test(a_black_box_is_refused),
        cmocka_unit_test(more_elements_than_binary32_counts_are_refused),
        cmocka_unit_test(only_atomics_have_many_trees),
    };
    return cmocka_run_group_tests_name("sum_tree", tests, NULL, NULL);
}
