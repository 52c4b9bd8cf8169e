/* The truth about plain sums of few numbers, in formats so small that all can be tried; and that attack reaches it in
 * binary16, where exhaustive_sums has proved it. */
#include "worst_sums.h"

#include "datasets/attack/attack.h"
#include "datasets/sum_tree.h"
#include "reference/short_sum.h"

#include "src/base/format.h"

#include "tests/support/methods.h"

/* ---- tables beside all inputs ---- */

/* What a shape computes of numbers, by rounding as the formats define it; the numbers are taken from the left. */
static double add_up(const struct format *format, int shape, const double **x)
{
    if (shape == 0)
        return *(*x)++;
    const double left = add_up(format, shapes[shape].left, x), right = add_up(format, shapes[shape].right, x);
    return rounded_to(left + right, format);
}

static int leaves_of(int shape)
{
    return shape == 0 ? 1 : leaves_of(shapes[shape].left) + leaves_of(shapes[shape].right);
}

/* The largest ratio of all inputs, in units of the least number. */
static struct worst tried_of(const struct format *format, const struct grid_of *grid, int shape)
{
    const int leaves = leaves_of(shape);
    const double least = ldexp(1, format->least_exponent);
    int64_t place[WORST_LEAVES] = {0};
    struct worst worst = {.sum_abs = 1};
    for (int last = 0; last < leaves;) {
        double x[WORST_LEAVES], s = 0, sum_abs = 0;
        const double *next = x;
        for (int i = 0; i < leaves; i++) {
            x[i] = least * (double)grid->value[place[i]];
            s += x[i];
            sum_abs += fabs(x[i]);
        }
        const double computed = add_up(format, shape, &next), error = fabs(computed - s);
        if (isfinite(computed) && error * (double)worst.sum_abs > (double)worst.error * sum_abs) {
            worst.error = (int64_t)(error / least);
            worst.sum_abs = (int64_t)(sum_abs / least);
        }
        for (last = 0; last < leaves && ++place[last] == places_of(grid); last++)
            place[last] = 0;
    }
    return worst;
}

static bool same_ratio(struct worst a, struct worst b)
{
    return a.error * b.sum_abs == b.error * a.sum_abs;
}

static void tables_have_the_worst_of_all_inputs(void **state)
{
    (void)state;
    static const struct format tiny = {"tiny", 1, 3, -3, 3, false}, tinier = {"tinier", 1, 2, -2, 3, false};
    static const struct {
        const struct format *format;
        int leaves;
    } tried[] = {{&FORMAT_E5M2, 3}, {&FORMAT_E4M3, 2}, {&tiny, 4}, {&tinier, 5}};
    size_t different = 0;
    for (size_t t = 0; t < COUNT_OF(tried); t++) {
        struct grid_of grid = grid_make(tried[t].format);
        struct worst before = {.sum_abs = 1};
        for (int shape = 1; shape < SHAPES && leaves_of(shape) <= tried[t].leaves; shape++) {
            const struct worst of_all = tried_of(tried[t].format, &grid, shape), found = worst_of(&grid, shape);
            if (!same_ratio(of_all, found))
                fail_msg("%s, %s: %lld/%lld, tables have %lld/%lld", tried[t].format->name, shapes[shape].text,
                         (long long)of_all.error, (long long)of_all.sum_abs, (long long)found.error,
                         (long long)found.sum_abs);
            different += !same_ratio(of_all, before); /* the twin: another tree has another */
            before = of_all;
        }
        free(grid.value);
    }
    assert_true(different > COUNT_OF(tried));
}

/* ---- attack beside the truth ---- */

static const struct {
    const char *tree;
    int64_t error, sum_abs;
} truths[] = {
#define WORST_SUM(tree, error, sum_abs) {tree, error, sum_abs},
#include "worst_sums.def"
};

/* The shape below a node, the side with more leaves first. */
static int shape_of(const struct sum_tree *tree, uint32_t node)
{
    if (sum_tree_is_leaf(tree, node))
        return 0;
    const struct tape_node *joined = &tree->joined[node - 1];
    const int left = shape_of(tree, joined->left), right = shape_of(tree, joined->right);
    int shape = 1;
    while (shape < SHAPES && !(shapes[shape].left == left && shapes[shape].right == right) &&
           !(shapes[shape].left == right && shapes[shape].right == left))
        shape++;
    assert_true(shape < SHAPES);
    return shape;
}

static int shape_of_method(const struct method *method, uint64_t n)
{
    struct sum_tree tree;
    assert_int_equal(sum_tree_make(&(struct tree_request){"test", method, n, {120, 256}}, &tree), OK);
    const int shape = shape_of(&tree, (uint32_t)tree.count);
    sum_tree_free(&tree);
    return shape;
}

/* computed - s and sum |x_i| of what was found, in units of 2^-24. */
static struct worst ratio_of_find(const struct method *method, uint64_t n, uint64_t seed, uint64_t calls)
{
    struct attack_find find;
    const struct attack_request request = {
        .method = method, .launch = {120, 256}, .n = n, .seed = seed, .calls = calls, .until = INFINITY, .workers = 1};
    assert_int_equal(attack_make(&request, &find), OK);
    const struct short_sum exact =
        exact_short_sum(&FORMAT_BINARY32, find.x, n, &FORMAT_BINARY16, format_value(&FORMAT_BINARY16, find.computed));
    attack_free(&find);
    return (struct worst){.error = (int64_t)ldexp(exact.error, 24), .sum_abs = (int64_t)ldexp(exact.sum_abs_above, 24)};
}

static size_t truth_of(int shape)
{
    size_t t = 0;
    while (t < COUNT_OF(truths) && strcmp(truths[t].tree, shapes[shape].text) != 0)
        t++;
    return t;
}

static int seeds_that_reach(const struct method *method, uint64_t n, size_t truth, uint64_t calls)
{
    int reached = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        const struct worst found = ratio_of_find(method, n, seed, calls);
        const int64_t more = found.error * truths[truth].sum_abs - truths[truth].error * found.sum_abs;
        if (more > 0)
            fail_msg("%s, n = %llu: worse than the worst", method->id, (unsigned long long)n);
        reached += more == 0;
    }
    return reached;
}

/* Each tree once: of the methods that have it the first. */
static void attack_reaches_the_worst_of_all_plain_sums(void **state)
{
    (void)state;
    size_t count;
    bool is_done[SHAPES] = {false};
    const struct method *const *table = method_table_of(sum_format_find("binary16_in_binary16"), &count);
    for (size_t m = 0; m < count; m++)
        for (uint64_t n = 2; n <= WORST_LEAVES && strcmp(table[m]->accumulator, "plain") == 0; n++) {
            const int shape = shape_of_method(table[m], n);
            const size_t truth = truth_of(shape);
            assert_true(truth < COUNT_OF(truths));
            const int reached = is_done[shape] ? 20 : seeds_that_reach(table[m], n, truth, 20000);
            if (reached < 19)
                fail_msg("%s, n = %llu: %d of 20 seeds", table[m]->id, (unsigned long long)n, reached);
            is_done[shape] = true;
        }
}

/* The twin: what the first numbers that come to mind make of a tree that is no loop. */
static void a_budget_of_one_sum_does_not(void **state)
{
    (void)state;
    const struct method *balanced = method_find("plain/tree_two_pass@binary16_in_binary16");
    assert_true(seeds_that_reach(balanced, 4, truth_of(shape_of_method(balanced, 4)), 1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_the_worst_of_all_inputs),
        cmocka_unit_test(attack_reaches_the_worst_of_all_plain_sums),
        cmocka_unit_test(a_budget_of_one_sum_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
