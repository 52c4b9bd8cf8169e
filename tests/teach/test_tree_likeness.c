/* What a tree is like: orders of ours, and shapes in words. */
#include "src/teach/tree/tree_likeness.h"

#include "tests/support/methods.h"

#include "datasets/probe/revealed.h"
#include "tests/support/plugin.h"

static struct probe_tree declared_tree(const char *order, uint64_t n, struct launch launch)
{
    struct sum_tree declared;
    struct probe_tree tree;
    const struct tree_request request = {"test", find("plain", order), n, launch};
    assert_int_equal(sum_tree_make(&request, &declared), OK);
    assert_int_equal(probe_tree_of_sum_tree(&declared, &tree), OK);
    sum_tree_free(&declared);
    return tree;
}

static void assert_like(struct probe_tree tree, struct launch launch, const char *expected)
{
    char *like;
    assert_int_equal(tree_like(&tree, OPERATION_sum, sum_formats[0], launch, &like), OK);
    if (expected ? !like || strcmp(like, expected) != 0 : like != NULL)
        fail_msg("\"%s\" instead of \"%s\"", like ? like : "nothing", expected ? expected : "nothing");
    free(like);
    probe_tree_free(&tree);
}

static void assert_shape(struct probe_tree tree, const char *expected)
{
    char *shape = tree_shape(&tree);
    if (expected ? !shape || strcmp(shape, expected) != 0 : shape != NULL)
        fail_msg("\"%s\" instead of \"%s\"", shape ? shape : "nothing", expected ? expected : "nothing");
    free(shape);
    probe_tree_free(&tree);
}

static void orders_are_named_with_the_launch_that_matters(void **state)
{
    (void)state;
    assert_like(declared_tree("serial", 300, one_warp), one_warp,
                "plain/serial, plain/ranks_ring; 1 more order has it, too");
    assert_like(declared_tree("pairwise_1", 300, one_warp), one_warp, "plain/pairwise_1");
    assert_like(declared_tree("strided_serial", 300, (struct launch){3, 32}), (struct launch){3, 32},
                "plain/strided_serial at 3 x 32");
    assert_like(declared_tree("shuffle_rows", 3000, (struct launch){1, 128}), (struct launch){7, 96},
                "plain/shuffle_two_pass at 1 x 128; 2 more orders have it, too");
}

/* The twin: launches that are not tried. */
static void a_tree_of_another_launch_is_like_none(void **state)
{
    (void)state;
    assert_like(declared_tree("strided_serial", 300, (struct launch){3, 32}), one_warp, NULL);
}

static struct probe_tree tree_of_parents(const uint32_t *parent, uint64_t n)
{
    struct probe_tree tree;
    assert_int_equal(probe_tree_of_parents(parent, n, 2 * n - 1, &tree), OK);
    return tree;
}

static void orders_of_ours_have_words(void **state)
{
    (void)state;
    assert_shape(declared_tree("serial", 300, one_warp), "one after another");
    assert_shape(declared_tree("pairwise_1", 256, one_warp), "pairwise");
    assert_shape(declared_tree("strided_serial", 320, one_warp),
                 "32 chains (x0 + x32 + ...), joined one after another");
    assert_shape(declared_tree("shuffle_rows", 320, (struct launch){1, 32}),
                 "32 chains (x0 + x32 + ...), joined in halves, each with the one 16 further");
    const uint32_t backwards[] = {0, 7, 6, 5, 5, 6, 7, 0};
    assert_shape(tree_of_parents(backwards, 4), "one after another, the last first");
    const uint32_t alone[] = {0, 0};
    assert_shape(tree_of_parents(alone, 1), NULL);
}

/* (x0 + x3) + (x1 + x2): no words. */
static void what_has_no_shape_has_no_words(void **state)
{
    (void)state;
    const uint32_t parent[] = {0, 5, 6, 6, 5, 7, 7, 0};
    assert_shape(tree_of_parents(parent, 4), NULL);
}

/* ---- trees that are put together ---- */

enum { PARTS_MOST = 64 };
static uint32_t parents[2 * PARTS_MOST + 1], nodes;

static uint32_t join(uint32_t a, uint32_t b)
{
    parents[a] = parents[b] = ++nodes;
    return nodes;
}

/* x_first + x_(first + step) + ..., `count` of them; elements have the nodes from 1 on. */
static uint32_t chain(uint32_t first, uint32_t step, uint32_t count)
{
    uint32_t node = first + 1;
    for (uint32_t i = 1; i < count; i++)
        node = join(node, first + i * step + 1);
    return node;
}

static void begin(uint32_t n)
{
    memset(parents, 0, sizeof parents);
    nodes = n;
}

static void blocks_are_told_as_they_are_joined(void **state)
{
    (void)state;
    begin(16);
    uint32_t all = chain(0, 1, 4);
    for (uint32_t b = 4; b < 16; b += 4)
        all = join(all, chain(b, 1, 4));
    assert_shape(tree_of_parents(parents, 16),
                 "4 blocks of 4 neighbours, joined one after another; in each one after another");
    begin(32);
    all = chain(28, 1, 4);
    for (uint32_t b = 28; b > 0; b -= 4)
        all = join(chain(b - 4, 1, 4), all);
    assert_shape(tree_of_parents(parents, 32),
                 "8 blocks of 4 neighbours, joined one after another, the last first; in each one after another");
}

static void blocks_that_differ_have_no_words(void **state)
{
    (void)state;
    begin(32);
    join(chain(0, 1, 16), join(chain(16, 2, 8), chain(17, 2, 8)));
    assert_shape(tree_of_parents(parents, 32), NULL);
    begin(32);
    join(join(chain(0, 2, 8), chain(1, 2, 8)), join(chain(16, 2, 8), chain(17, 2, 8)));
    assert_shape(tree_of_parents(parents, 32),
                 "2 blocks of 16 neighbours, joined one after another; in each 2 chains (x0 "
                 "+ x2 + ...), joined one after another");
}

static struct probe_tree tree_of_numpy(uint64_t n)
{
    static const struct method *numpy;
    struct probe probe;
    if (!numpy)
        numpy = plugin_method("mine/numpy", numpy_sum);
    assert_int_equal(probe_method(&(struct tree_request){"test", numpy, n, one_warp}, &probe), OK);
    return probe.tree;
}

static void numpys_sum_is_explained(void **state)
{
    (void)state;
    assert_shape(tree_of_numpy(7), "one after another");
    assert_shape(tree_of_numpy(128), "8 chains (x0 + x8 + ...), joined pairwise");
    assert_shape(tree_of_numpy(101), "8 chains (x0 + x8 + ...), joined pairwise; then the last 5, one after another");
    assert_shape(tree_of_numpy(1000), "8 blocks of 120 to 128 neighbours, joined pairwise; in each 8 chains (x0 + x8 + "
                                      "...), joined pairwise");
    assert_shape(tree_of_numpy(1003), "9 blocks of 64 to 128 neighbours, joined pairwise; in each 8 chains (x0 + x8 + "
                                      "...), joined pairwise; 3 elements are added to the end of a block");
    assert_shape(tree_of_numpy(4096), "32 blocks of 128 neighbours, joined pairwise; in each 8 chains (x0 + x8 + "
                                      "...), joined pairwise");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_named_with_the_launch_that_matters),
        cmocka_unit_test(a_tree_of_another_launch_is_like_none),
        cmocka_unit_test(orders_of_ours_have_words),
        cmocka_unit_test(what_has_no_shape_has_no_words),
        cmocka_unit_test(blocks_are_told_as_they_are_joined),
        cmocka_unit_test(blocks_that_differ_have_no_words),
        cmocka_unit_test(numpys_sum_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
