/* Orders that are revealed: held to the declared ones, to trees made at random, and to boxes that have none. */
#include "datasets/probe/probe.h"
#include "src/base/format.h"

#include "tests/support/methods.h"

#include "tests/support/heard.h"
#include "tests/support/random.h"

/* ---- methods as black boxes ---- */

struct method_box {
    const struct method *method;
    struct launch launch;
};

static enum status sum_by_replay(void *context, const void *x, uint64_t n, double *result)
{
    const struct method_box *box = context;
    const struct method *method = box->method;
    const struct operands of = operands_of_sum(method->sum_format->stored, x, n);
    uint64_t bits;
    TRY(method_replay(method, &of, box->launch, 1, &bits));
    *result = format_value(method->format, bits);
    return OK;
}

static struct black_box box_of(struct method_box *method)
{
    return (struct black_box){"test", sum_by_replay, method, 0, method->method->sum_format, false, false};
}

/* Of binary32. */
struct floats_box {
    enum status (*sum)(void *context, const float *x, uint64_t n, float *result);
    void *context;
};

static enum status sum_floats(void *context, const void *x, uint64_t n, double *result)
{
    const struct floats_box *box = context;
    float sum;
    TRY(box->sum(box->context, x, n, &sum));
    *result = (double)sum;
    return OK;
}

#define BOX(sum, context)                                                                                              \
    {                                                                                                                  \
        "test", sum_floats, &(struct floats_box){sum, context}, 0, NULL, false, false                                  \
    }

static struct probe probe_of(const struct black_box *box, uint64_t n)
{
    struct probe probe;
    assert_int_equal(probe_reveal(box, n, &probe), OK);
    assert_int_equal(probe.tree.n, n);
    return probe;
}

static void assert_refused(const struct black_box *box, uint64_t n, const char *why)
{
    struct probe probe;
    struct heard heard = listen_to_stderr();
    const enum status status = probe_reveal(box, n, &probe);
    heard_all(&heard);
    if (status != BAD_INPUT || probe.tree.nodes)
        fail_msg("%s: n = %llu was not refused for \"%s\"", box->name, (unsigned long long)n, why);
    if (!strstr(heard.text, "test: ") || !strstr(heard.text, why))
        fail_msg("heard \"%s\" instead of \"%s\"", heard.text, why);
}

static struct probe_tree declared_tree(const struct method_box *of, uint64_t n)
{
    struct sum_tree declared;
    struct probe_tree tree;
    assert_int_equal(sum_tree_make(&(struct tree_request){"test", of->method, n, of->launch}, &declared), OK);
    assert_int_equal(probe_tree_of_sum_tree(&declared, &tree), OK);
    sum_tree_free(&declared);
    return tree;
}

static void assert_declared(const struct method_box *of, uint64_t n, const struct probe *probe)
{
    struct probe_tree declared = declared_tree(of, n);
    if (!probe_tree_same(&declared, &probe->tree))
        fail_msg("%s, n = %llu, %u x %u: another tree was revealed", of->method->id, (unsigned long long)n,
                 of->launch.blocks, of->launch.threads);
    const bool is_plain = strcmp(of->method->accumulator, "plain") == 0;
    assert_int_equal(probe->order, PROBE_ORDERED);
    assert_string_equal(probe->added->name, is_plain || n <= 2 ? of->method->sum_format->added->name : "binary64");
    probe_tree_free(&declared);
}

/* Each order's turn comes to each launch that it can do. */
static void reveal_orders(const char *accumulator, uint64_t first, uint64_t last, uint64_t step)
{
    size_t methods, revealed = 0;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++)
        for (uint64_t n = first; strcmp(table[m]->accumulator, accumulator) == 0 && n <= last; n += step) {
            struct method_box of = {table[m], launches[(n / step + m) % LAUNCHES]};
            if (!can_do(of.method, of.launch))
                continue;
            struct black_box box = box_of(&of);
            struct probe probe = probe_of(&box, n);
            assert_declared(&of, n, &probe);
            revealed++;
            probe_free(&probe);
        }
    print_message("%s: %zu trees\n", accumulator, revealed);
    assert_true(revealed > 16 * ((last - first) / step + 1) / 2);
}

static void plain_orders_are_revealed_as_declared(void **state)
{
    (void)state;
    reveal_orders("plain", 1, 70, 1);
    reveal_orders("plain", 150, 600, 150);
}

static void orders_in_binary64_are_revealed_as_declared(void **state)
{
    (void)state;
    reveal_orders("binary64", 1, 70, 3);
    reveal_orders("binary64", 300, 300, 1);
}

/* Also where sums count to 256 alone, so that some ones are asked for at a time. */
static void orders_of_every_format_that_absorbs_are_revealed(void **state)
{
    (void)state;
    static const char *const orders[] = {"serial", "pairwise_1", "tree_two_pass", "vector_two_pass"};
    static const uint64_t sizes[] = {2, 3, 17, 60, 300};
    size_t revealed = 0;
    for (int f = 0; f < SUM_FORMATS; f++)
        for (size_t o = 0; o < COUNT_OF(orders) * COUNT_OF(sizes); o++) {
            struct method_box of = {method_in(find("plain", orders[o % COUNT_OF(orders)]), sum_formats[f]), one_warp};
            struct black_box box = box_of(&of);
            const uint64_t n = sizes[o / COUNT_OF(orders)];
            if (strcmp(sum_formats[f]->id, "e4m3") == 0) {
                assert_refused(&box, n, "expected a format whose largest number absorbs its least");
                continue;
            }
            struct probe probe = probe_of(&box, n);
            assert_declared(&of, n, &probe);
            probe_free(&probe);
            revealed++;
        }
    assert_int_equal(revealed, (SUM_FORMATS - 1) * COUNT_OF(orders) * COUNT_OF(sizes));
}

/* What it adds in is seen, whatever it is said to add in. */
static void additions_in_another_format_are_seen(void **state)
{
    (void)state;
    static const struct {
        const char *method, *said;
    } rows[] = {{"plain/serial@bfloat16_in_bfloat16", "bfloat16"},
                {"plain/serial@binary16_in_binary16", "binary16"},
                {"plain/serial@bfloat16", "bfloat16_in_bfloat16"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct method_box of = {method_find(rows[i].method), one_warp};
        struct black_box box = box_of(&of);
        box.in = sum_format_find(rows[i].said);
        struct probe probe = probe_of(&box, 50);
        assert_string_equal(probe.added->name, of.method->sum_format->added->name);
        probe_free(&probe);
    }
}

/* The twin: the tree of other launches is another one. */
static void another_launch_has_another_tree(void **state)
{
    (void)state;
    struct method_box of = {find("plain", "tree_two_pass"), {1, 8}};
    struct black_box box = box_of(&of);
    struct probe probe = probe_of(&box, 20);
    assert_declared(&of, 20, &probe);
    of.launch.threads = 4;
    struct probe_tree other = declared_tree(&of, 20);
    assert_false(probe_tree_same(&other, &probe.tree));
    probe_tree_free(&other);
    probe_free(&probe);
}

/* ---- what it costs ---- */

static double n_log_n(uint64_t n)
{
    return (double)n * (log2((double)n) + 1);
}

static void no_order_needs_more_than_n_log_n_sums(void **state)
{
    (void)state;
    const uint64_t n = 512;
    const struct launch grid = {4, 32};
    size_t methods;
    const struct method *const *table = method_table(&methods);
    print_message("sums for n = %d, 4 x 32; n(n-1)/2 = %d\n", (int)n, (int)(n * (n - 1) / 2));
    for (size_t m = 0; m < methods; m++) {
        struct method_box of = {table[m], grid};
        if (strcmp(table[m]->accumulator, "plain") != 0)
            continue;
        assert_true(can_do(of.method, of.launch));
        struct black_box box = box_of(&of);
        struct probe probe = probe_of(&box, n);
        print_message("  %-28s %6llu\n", table[m]->order, (unsigned long long)probe.sums_to_build);
        assert_true((double)probe.sums_to_build <= n_log_n(n));
        if (strcmp(table[m]->order, "serial") == 0)
            assert_int_equal(probe.sums_to_build, n - 1);
        probe_free(&probe);
    }
}

static void a_limit_of_sums_is_kept(void **state)
{
    (void)state;
    struct method_box of = {find("plain", "serial"), one_warp};
    struct black_box box = box_of(&of);
    struct probe probe;
    box.most_sums = 99;
    probe = probe_of(&box, 100);
    probe_free(&probe);
    box.most_sums = 98;
    struct heard heard = listen_to_stderr();
    const enum status status = probe_reveal(&box, 100, &probe);
    heard_all(&heard);
    assert_int_equal(status, NOT_MEASURED);
    assert_non_null(strstr(heard.text, "after 98 sums of 100"));
}

/* ---- toys: any tree, whose nodes may join several ---- */

enum { TOY_MOST = 400 };

/* Nodes 1..n are the elements, the others come after their children. */
struct toy {
    uint64_t n, count;
    uint32_t parent[2 * TOY_MOST], first[2 * TOY_MOST], next[2 * TOY_MOST];
    uint32_t children[2 * TOY_MOST];
    bool exact; /* fused additions round once, and drop nothing */
};

static void adopt(struct toy *toy, uint32_t parent, uint32_t child)
{
    toy->parent[child] = parent;
    toy->next[child] = toy->first[parent];
    toy->first[parent] = child;
    toy->children[parent]++;
}

/* As tensor cores do it: all terms are cut at one bit, below the largest. */
static float fused(const struct toy *toy, uint32_t node, const float *value)
{
    double largest = 0, sum = 0;
    for (uint32_t child = toy->first[node]; child != 0; child = toy->next[child])
        largest = fmax(largest, fabs((double)value[child]));
    const double last = toy->exact || largest == 0 ? 0 : ldexp(1, ilogb(largest) - 25);
    for (uint32_t child = toy->first[node]; child != 0; child = toy->next[child])
        sum += last == 0 ? (double)value[child] : trunc((double)value[child] / last) * last;
    return (float)sum;
}

static enum status sum_of_toy(void *context, const float *x, uint64_t n, float *result)
{
    const struct toy *toy = context;
    static float value[2 * TOY_MOST];
    assert_int_equal(n, toy->n);
    for (uint32_t k = 1; k <= toy->count; k++) {
        const uint32_t a = toy->first[k];
        value[k] = k <= n ? x[k - 1] : toy->children[k] == 2 ? value[a] + value[toy->next[a]] : fused(toy, k, value);
    }
    *result = value[toy->count];
    return OK;
}

static void assert_revealed(struct toy *toy, double most_sums)
{
    const struct black_box box = BOX(sum_of_toy, toy);
    struct probe probe = probe_of(&box, toy->n);
    struct probe_tree tree;
    assert_int_equal(probe_tree_of_parents(toy->parent, toy->n, toy->count, &tree), OK);
    assert_true(probe_tree_same(&tree, &probe.tree));
    if ((double)probe.sums_to_build > most_sums)
        fail_msg("%llu sums for n = %llu", (unsigned long long)probe.sums_to_build, (unsigned long long)toy->n);
    probe_tree_free(&tree);
    probe_free(&probe);
}

/* Any two to `most` of what is left are joined, until one is left. */
static struct toy random_toy(uint64_t n, uint64_t most)
{
    struct toy toy = {.n = n, .count = n};
    uint32_t root[TOY_MOST];
    for (uint32_t i = 0; i < n; i++)
        root[i] = i + 1;
    for (uint64_t left = n; left > 1;) {
        const uint64_t joined = 2 + below(most - 1) < left ? 2 + below(most - 1) : left;
        const uint32_t node = (uint32_t)++toy.count;
        for (uint64_t k = 0; k < joined && left > 0; k++) {
            const uint64_t taken = below(left);
            adopt(&toy, node, root[taken]);
            root[taken] = root[--left];
        }
        root[left++] = node;
    }
    return toy;
}

static void random_binary_trees_are_revealed(void **state)
{
    (void)state;
    seed_random(1);
    for (int tree = 0; tree < 300; tree++) {
        struct toy toy = random_toy(1 + below(60), 2);
        assert_revealed(&toy, INFINITY);
    }
    struct toy large = random_toy(TOY_MOST, 2);
    assert_revealed(&large, n_log_n(TOY_MOST));
}

/* A node of m costs m*m/2 at most. */
static void random_trees_of_fused_additions_are_revealed(void **state)
{
    (void)state;
    seed_random(2);
    for (int tree = 0; tree < 300; tree++) {
        struct toy toy = random_toy(1 + below(60), 2 + below(6));
        assert_revealed(&toy, INFINITY);
    }
    struct toy large = random_toy(TOY_MOST, 5);
    assert_revealed(&large, 3 * n_log_n(TOY_MOST));
}

/* The last element first: the smallest element is a bad pivot, and a random one follows. */
static void sums_from_right_to_left_need_few_sums_too(void **state)
{
    (void)state;
    struct toy toy = {.n = TOY_MOST, .count = TOY_MOST};
    uint32_t top = TOY_MOST;
    for (uint32_t i = TOY_MOST - 1; i > 0; i--) {
        const uint32_t node = (uint32_t)++toy.count;
        adopt(&toy, node, top);
        adopt(&toy, node, i);
        top = node;
    }
    assert_revealed(&toy, 6 * TOY_MOST);
}

/* (((0..3) + 4..7) + 8..11) ...: a node is the one before it and four more. */
static void a_chain_of_fused_additions_is_revealed(void **state)
{
    (void)state;
    struct toy toy = {.n = 64, .count = 64};
    uint32_t top = 0;
    for (uint32_t i = 1; i <= 64; i += 4) {
        const uint32_t node = (uint32_t)++toy.count;
        if (top != 0)
            adopt(&toy, node, top);
        for (uint32_t k = 0; k < 4; k++)
            adopt(&toy, node, i + k);
        top = node;
    }
    assert_revealed(&toy, 4 * 64);
    const struct black_box box = BOX(sum_of_toy, &toy);
    struct probe probe = probe_of(&box, 64);
    assert_int_equal(probe.order, PROBE_FUSED);
    assert_int_equal(probe.tree.nodes[probe.tree.count].children, 5);
    probe_free(&probe);
}

/* ---- the tree itself ---- */

static void the_worked_example_of_the_header_is_so(void **state)
{
    (void)state;
    struct method_box of = {find("plain", "tree_two_pass"), {1, 4}};
    struct black_box box = box_of(&of);
    struct probe probe = probe_of(&box, 4);
    struct text text = {0};
    probe_tree_write(&probe.tree, &text);
    char *written = text_take(&text);
    assert_string_equal(written, "(x0 + x2) + (x1 + x3)");
    free(written);
    assert_int_equal(probe.tree.leaf[1], 4);
    assert_int_equal(probe_tree_meeting(&probe.tree, 1, 3), 6);
    assert_int_equal(probe_tree_meeting(&probe.tree, 1, 2), 7);
    assert_true(probe.all_pairs && probe.pairs == 6);
    probe_free(&probe);
}

static void fused_additions_are_written_in_brackets(void **state)
{
    (void)state;
    const uint32_t parent[] = {0, 6, 5, 5, 5, 6, 0};
    struct probe_tree tree;
    struct text text = {0};
    assert_int_equal(probe_tree_of_parents(parent, 4, 6, &tree), OK);
    probe_tree_write(&tree, &text);
    char *written = text_take(&text);
    assert_string_equal(written, "x0 + [x1 x2 x3]");
    assert_false(probe_tree_is_binary(&tree));
    free(written);
    probe_tree_free(&tree);
}

/* A drawing's tree has the same nodes; its height is the declared one. */
static void a_tree_survives_the_way_to_a_drawing_and_back(void **state)
{
    (void)state;
    struct method_box of = {find("plain", "shuffle_two_pass"), {3, 64}};
    for (uint64_t n = 1; n < 300; n = 2 * n + 1) {
        struct probe_tree tree = declared_tree(&of, n), back;
        struct sum_tree drawn;
        assert_int_equal(probe_tree_to_sum_tree(&tree, &drawn), OK);
        assert_int_equal(sum_tree_height(&drawn), method_height(of.method, n, of.launch));
        assert_int_equal(tree.nodes[tree.count].height, sum_tree_height(&drawn));
        for (uint64_t i = 0; i < n; i++)
            assert_int_equal(drawn.leaf[i], tree.leaf[i]);
        assert_int_equal(probe_tree_of_sum_tree(&drawn, &back), OK);
        assert_true(probe_tree_same(&tree, &back));
        sum_tree_free(&drawn);
        probe_tree_free(&tree);
        probe_tree_free(&back);
    }
}

/* ---- sums that have no order to be seen ---- */

/* Trees with merges, which keep what an addition loses, and chains. */
static void compensated_and_exact_sums_are_refused(void **state)
{
    (void)state;
    static const char *const accumulators[] = {"kahan", "kahan_two_sum", "kahan_naive_merge", "neumaier",      "sum2",
                                               "klein", "superacc",      "double_float",      "binary64_kahan"};
    static const char *const orders[] = {"serial", "tree_two_pass", "pairwise_1", "shuffle_two_pass"};
    for (size_t a = 0; a < COUNT_OF(accumulators); a++)
        for (size_t o = 0; o < COUNT_OF(orders); o++) {
            struct method_box of = {find(accumulators[a], orders[o]), one_warp};
            struct black_box box = box_of(&of);
            assert_refused(&box, 100, "this is not the tree of a plain sum in one order");
        }
}

/* Also of few elements; of three they may have the bits of a plain sum on all data. */
static void few_elements_are_enough_to_see_a_compensation(void **state)
{
    (void)state;
    static const char *const accumulators[] = {"kahan", "neumaier", "double_float", "superacc", "binary64_kahan"};
    for (size_t a = 0; a < COUNT_OF(accumulators); a++)
        for (uint64_t n = 4; n <= 12; n++) {
            struct method_box of = {find(accumulators[a], "serial"), one_warp};
            struct black_box box = box_of(&of);
            assert_refused(&box, n, "this is not the tree of a plain sum in one order");
        }
}

static void it_is_said_what_was_seen_of_them(void **state)
{
    (void)state;
    struct method_box exact = {find("superacc", "serial"), one_warp}, kahan = {find("kahan", "serial"), one_warp};
    struct black_box box = box_of(&exact);
    assert_refused(&box, 10, "nothing is ever absorbed");
    box = box_of(&kahan);
    assert_refused(&box, 10, "but sums of other numbers are not those of the tree");
}

/* Plain within a block, compensated outside: one block is a plain sum, and two are none. */
static void fabsum_is_plain_up_to_its_block_and_refused_beyond(void **state)
{
    (void)state;
    struct method_box of = {find("fabsum_32", "serial"), one_warp}, plain = {find("plain", "serial"), one_warp};
    struct black_box box = box_of(&of);
    struct probe probe = probe_of(&box, 32);
    assert_declared(&plain, 32, &probe);
    probe_free(&probe);
    assert_refused(&box, 80, "this is not the tree of a plain sum in one order");
}

static void a_reproducible_sum_has_no_order(void **state)
{
    (void)state;
    struct method_box of = {find("binned", "tree_two_pass"), one_warp};
    struct black_box box = box_of(&of);
    struct probe probe = probe_of(&box, 30);
    assert_int_equal(probe.order, PROBE_NO_ORDER);
    assert_int_equal(probe.tree.count, 31);
    probe_free(&probe);
}

/* What rounds once absorbs nothing within a node. */
static void fused_additions_that_drop_nothing_are_refused(void **state)
{
    (void)state;
    seed_random(3);
    struct toy toy = random_toy(30, 4);
    toy.exact = true;
    const struct black_box box = BOX(sum_of_toy, &toy);
    assert_refused(&box, 30, "this is not the tree of a plain sum in one order");
}

/* ---- boxes that lie ---- */

static enum status sum_in_order(const float *x, const uint64_t *order, uint64_t n, float *result)
{
    *result = 0;
    for (uint64_t i = 0; i < n; i++)
        *result += x[order[i]];
    return OK;
}

/* Context: how many calls in a hundred take another order. */
static enum status sum_as_threads_arrive(void *context, const float *x, uint64_t n, float *result)
{
    const uint64_t *percent = context;
    uint64_t order[TOY_MOST];
    for (uint64_t i = 0; i < n; i++)
        order[i] = i;
    for (uint64_t i = n; below(100) < *percent && i > 1; i--) {
        const uint64_t k = below(i), kept = order[i - 1];
        order[i - 1] = order[k];
        order[k] = kept;
    }
    return sum_in_order(x, order, n, result);
}

static void an_order_that_changes_is_refused(void **state)
{
    (void)state;
    seed_random(4);
    for (uint64_t percent = 10; percent <= 100; percent += 30) {
        const struct black_box box = BOX(sum_as_threads_arrive, &percent);
        assert_refused(&box, 20, "its order changes from call to call");
    }
    uint64_t never = 0;
    const struct black_box box = BOX(sum_as_threads_arrive, &never);
    struct probe probe = probe_of(&box, 20);
    probe_free(&probe);
}

/* Context: the numbers of the call before; the same again are added from the right. */
static enum status sum_otherwise_when_asked_again(void *context, const float *x, uint64_t n, float *result)
{
    float *before = context;
    const bool again = memcmp(before, x, n * sizeof *x) == 0;
    *result = 0;
    for (uint64_t i = 0; i < n; i++)
        *result += x[again ? n - 1 - i : i];
    memcpy(before, x, n * sizeof *x);
    return OK;
}

/* Masks, of which each is asked for once, do not show it. */
static void the_same_numbers_are_asked_for_twice(void **state)
{
    (void)state;
    float before[TOY_MOST] = {0};
    const struct black_box box = BOX(sum_otherwise_when_asked_again, before);
    assert_refused(&box, 20, "its order changes from call to call");
}

static int by_size(const void *a, const void *b)
{
    const float x = fabsf(*(const float *)a), y = fabsf(*(const float *)b);
    return (x > y) - (x < y);
}

static int by_size_downwards(const void *a, const void *b)
{
    return by_size(b, a);
}

static enum status sum_sorted(const float *x, uint64_t n, float *result, int (*compare)(const void *, const void *))
{
    float sorted[TOY_MOST];
    *result = 0;
    memcpy(sorted, x, n * sizeof *x);
    qsort(sorted, n, sizeof *sorted, compare);
    for (uint64_t i = 0; i < n; i++)
        *result += sorted[i];
    return OK;
}

static enum status sum_smallest_first(void *context, const float *x, uint64_t n, float *result)
{
    (void)context;
    return sum_sorted(x, n, result, by_size);
}

static enum status sum_largest_first(void *context, const float *x, uint64_t n, float *result)
{
    (void)context;
    return sum_sorted(x, n, result, by_size_downwards);
}

/* To the masks these are one sum of all at a time, and one that absorbs nothing. */
static void an_order_that_depends_on_the_data_is_seen(void **state)
{
    (void)state;
    const struct black_box upwards = BOX(sum_smallest_first, NULL);
    const struct black_box downwards = BOX(sum_largest_first, NULL);
    struct probe probe = probe_of(&upwards, 20);
    assert_int_equal(probe.order, PROBE_NO_ORDER);
    probe_free(&probe);
    assert_refused(&downwards, 20, "nothing is ever absorbed");
}

/* From left to right while the larger number comes first, else from right to left. */
static enum status sum_by_signs(void *context, const float *x, uint64_t n, float *result)
{
    uint64_t order[TOY_MOST], largest = 0, least = 0;
    (void)context;
    for (uint64_t i = 0; i < n; i++) {
        largest = x[i] > x[largest] ? i : largest;
        least = x[i] < x[least] ? i : least;
    }
    for (uint64_t i = 0; i < n; i++)
        order[i] = largest < least ? i : n - 1 - i;
    return sum_in_order(x, order, n, result);
}

/* Context: the questions that are answered as by a sum from left to right; then by one from right to left. */
static enum status sum_for_a_while(void *context, const float *x, uint64_t n, float *result)
{
    uint64_t *left = context, order[TOY_MOST];
    for (uint64_t i = 0; i < n; i++)
        order[i] = *left > 0 ? i : n - 1 - i;
    *left -= *left > 0;
    return sum_in_order(x, order, n, result);
}

static void other_pairs_are_held_to_the_tree(void **state)
{
    (void)state;
    const struct black_box by_signs = BOX(sum_by_signs, NULL);
    assert_refused(&by_signs, 20, "where the tree that other masks gave leaves");
    uint64_t honest = 19;
    const struct black_box for_a_while = BOX(sum_for_a_while, &honest);
    assert_refused(&for_a_while, 20, "where the tree that other masks gave leaves");
    honest = 170;
    const struct black_box for_long = BOX(sum_for_a_while, &honest);
    assert_refused(&for_long, 170, "where the tree that other masks gave leaves");
}

/* Masks of ones are added from left to right, all else exactly. */
static enum status sum_masks_alone(void *context, const float *x, uint64_t n, float *result)
{
    bool mask = true;
    double sum = 0;
    (void)context;
    *result = 0;
    for (uint64_t i = 0; i < n; i++) {
        mask &= fabsf(x[i]) == 1 || fabsf(x[i]) == 0x1p100f;
        *result += x[i];
        sum += (double)x[i] * 0.5;
    }
    *result = mask ? *result : (float)sum;
    return OK;
}

static enum status sum_to_nan(void *context, const float *x, uint64_t n, float *result)
{
    (void)context, (void)x, (void)n;
    *result = NAN;
    return OK;
}

static enum status fail_to_sum(void *context, const float *x, uint64_t n, float *result)
{
    (void)context, (void)x, (void)n, (void)result;
    return NO_DEVICE;
}

static void sums_of_other_data_are_held_to_the_tree(void **state)
{
    (void)state;
    const struct black_box box = BOX(sum_masks_alone, NULL);
    assert_refused(&box, 20, "but sums of other numbers are not those of the tree");
}

static void what_is_no_count_is_refused(void **state)
{
    (void)state;
    const struct black_box box = BOX(sum_to_nan, NULL);
    assert_refused(&box, 20, "the sum is nan; expected a count from 0 to 18");
}

/* From left to right; of masks that absorb some of the ones half a one more. */
static enum status sum_halves(void *context, const float *x, uint64_t n, float *result)
{
    bool mask = false;
    (void)context;
    *result = 0;
    for (uint64_t i = 0; i < n; i++) {
        *result += x[i];
        mask |= x[i] == 0x1p100f;
    }
    if (mask && *result < (float)(n - 2))
        *result += 0.5f;
    return OK;
}

static void half_a_one_is_no_count(void **state)
{
    (void)state;
    const struct black_box box = BOX(sum_halves, NULL);
    assert_refused(&box, 20, "the sum is 0x1.18p+4; expected a count from 0 to 18");
}

/* (x0 + x1) + x2 and (x0 + x2) + x1. */
static void trees_of_one_shape_with_other_elements_are_not_the_same(void **state)
{
    (void)state;
    const uint32_t one_parents[] = {0, 4, 4, 5, 5, 0}, other_parents[] = {0, 4, 5, 4, 5, 0};
    struct probe_tree one, other;
    assert_int_equal(probe_tree_of_parents(one_parents, 3, 5, &one), OK);
    assert_int_equal(probe_tree_of_parents(other_parents, 3, 5, &other), OK);
    assert_true(probe_tree_same(&one, &one));
    assert_false(probe_tree_same(&one, &other));
    probe_tree_free(&one);
    probe_tree_free(&other);
}

static void a_box_that_fails_ends_the_probe(void **state)
{
    (void)state;
    struct probe probe;
    const struct black_box box = BOX(fail_to_sum, NULL);
    assert_int_equal(probe_reveal(&box, 20, &probe), NO_DEVICE);
    assert_null(probe.tree.nodes);
}

static void n_is_from_1_to_2_24(void **state)
{
    (void)state;
    struct method_box of = {find("plain", "serial"), one_warp};
    struct black_box box = box_of(&of);
    assert_refused(&box, 0, "n = 0; expected from 1 to 16777216 elements");
    assert_refused(&box, PROBE_MOST_N + 1, "n = 16777217; expected from 1 to 16777216");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_orders_are_revealed_as_declared),
        cmocka_unit_test(orders_in_binary64_are_revealed_as_declared),
        cmocka_unit_test(orders_of_every_format_that_absorbs_are_revealed),
        cmocka_unit_test(additions_in_another_format_are_seen),
        cmocka_unit_test(another_launch_has_another_tree),
        cmocka_unit_test(no_order_needs_more_than_n_log_n_sums),
        cmocka_unit_test(a_limit_of_sums_is_kept),
        cmocka_unit_test(random_binary_trees_are_revealed),
        cmocka_unit_test(random_trees_of_fused_additions_are_revealed),
        cmocka_unit_test(sums_from_right_to_left_need_few_sums_too),
        cmocka_unit_test(a_chain_of_fused_additions_is_revealed),
        cmocka_unit_test(the_worked_example_of_the_header_is_so),
        cmocka_unit_test(fused_additions_are_written_in_brackets),
        cmocka_unit_test(a_tree_survives_the_way_to_a_drawing_and_back),
        cmocka_unit_test(compensated_and_exact_sums_are_refused),
        cmocka_unit_test(few_elements_are_enough_to_see_a_compensation),
        cmocka_unit_test(it_is_said_what_was_seen_of_them),
        cmocka_unit_test(fabsum_is_plain_up_to_its_block_and_refused_beyond),
        cmocka_unit_test(a_reproducible_sum_has_no_order),
        cmocka_unit_test(fused_additions_that_drop_nothing_are_refused),
        cmocka_unit_test(an_order_that_changes_is_refused),
        cmocka_unit_test(the_same_numbers_are_asked_for_twice),
        cmocka_unit_test(an_order_that_depends_on_the_data_is_seen),
        cmocka_unit_test(other_pairs_are_held_to_the_tree),
        cmocka_unit_test(sums_of_other_data_are_held_to_the_tree),
        cmocka_unit_test(what_is_no_count_is_refused),
        cmocka_unit_test(half_a_one_is_no_count),
        cmocka_unit_test(trees_of_one_shape_with_other_elements_are_not_the_same),
        cmocka_unit_test(a_box_that_fails_ends_the_probe),
        cmocka_unit_test(n_is_from_1_to_2_24),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
