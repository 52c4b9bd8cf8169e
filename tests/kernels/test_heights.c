/* The height formula of every order, against the tree that it builds: measured by the accumulator `height`, and as the
 * parenthesised sum that the accumulator `trace` records. */
#include "kernels/tape.h"
#include "kernels/tree_bound.h"
#include "src/base/chains.h"

#include "tests/support/methods.h"
#include "tests/support/random.h"

/* ---- heights ---- */

static const struct launch height_launches[] = {
    {1, 1}, {1, 32},  {1, 64},  {1, 96},  {1, 128}, {1, 512}, {1, 1024}, {2, 1024},  {3, 64},  {3, 96},
    {5, 2}, {7, 128}, {16, 32}, {31, 64}, {33, 32}, {64, 64}, {100, 32}, {120, 256}, {132, 1}, {264, 100},
};
enum { HEIGHT_LAUNCHES = COUNT_OF(height_launches) };

/* The tree depends on the order alone; an accumulator without atomics only refuses some orders. */
struct proof {
    size_t trees, formulas; /* measured; compared with one */
};

static bool height_is(const struct method *method, uint64_t n, struct launch launch, float measured)
{
    return (double)method_height(method, n, launch) == (double)measured;
}

/* Holds every accumulator's method in the order of `measuring` to the tree that this measures. */
static void prove_heights(const struct method *measuring, const float *x, uint64_t n, struct launch launch,
                          struct proof *proof)
{
    size_t methods;
    const struct method *const *table = method_table(&methods);
    const float measured = replay(measuring, x, n, launch);
    proof->trees++;
    for (size_t m = 0; m < methods; m++) {
        if (strcmp(table[m]->order, measuring->order) != 0 || !can_do(table[m], launch))
            continue;
        proof->formulas++;
        if (!height_is(table[m], n, launch, measured))
            fail_msg("%s, n = %llu, %u x %u: height %llu, measured %g", table[m]->id, (unsigned long long)n,
                     launch.blocks, launch.threads, (unsigned long long)method_height(table[m], n, launch),
                     (double)measured);
    }
}

/* Calls prove(measuring, launch) for every order and every launch it can do; at least 5 of them, and another
 * method beside the measuring one, or the order is proved in name only. */
static void for_each_order(struct proof (*prove)(const struct method *measuring, struct launch launch))
{
    size_t methods;
    const struct method *const *table = method_table(&methods);
    struct proof all = {0};
    for (size_t m = 0; m < methods; m++) {
        size_t launched = 0, formulas = 0;
        if (strcmp(table[m]->accumulator, "height") != 0)
            continue;
        for (size_t l = 0; l < HEIGHT_LAUNCHES; l++) {
            if (!can_do(table[m], height_launches[l]))
                continue;
            const struct proof proof = prove(table[m], height_launches[l]);
            launched++;
            formulas += proof.formulas > proof.trees;
            all.trees += proof.trees;
            all.formulas += proof.formulas;
        }
        if (launched < 5 || formulas < 5)
            fail_msg("%s can do %zu of %d launches, and %zu with another accumulator", table[m]->order, launched,
                     HEIGHT_LAUNCHES, formulas);
    }
    print_message("%zu trees measured, %zu formulas held to them\n", all.trees, all.formulas);
}

static struct proof prove_every_n(const struct method *measuring, struct launch launch)
{
    static const float x[EVERY_N];
    struct proof proof = {0};
    for (uint64_t n = 0; n <= EVERY_N; n++)
        prove_heights(measuring, x, n, launch, &proof);
    return proof;
}

static void height_formula_is_the_height_of_the_tree_for_every_n_to_4097(void **state)
{
    (void)state;
    for_each_order(prove_every_n);
}

enum { MOST = 1 << 20 };
static float zeros[MOST];

static struct proof prove_multiples(const struct method *measuring, struct launch launch)
{
    const uint64_t units[] = {launch.threads, (uint64_t)launch.threads * launch.blocks};
    const uint64_t multiples[] = {0, 1, 2, 3, 5, 8, 17, 31};
    struct proof proof = {0};
    for (size_t k = 0; k < COUNT_OF(units); k++)
        for (size_t m = 0; m < COUNT_OF(multiples); m++)
            for (uint64_t around = 0; around < 5; around++) {
                const uint64_t n = units[k] * multiples[m] + around;
                if (n >= 2 && n - 2 <= MOST)
                    prove_heights(measuring, zeros, n - 2, launch, &proof);
            }
    prove_heights(measuring, zeros, MOST, launch, &proof);
    return proof;
}

static void height_formula_is_the_height_of_the_tree_around_multiples_of_the_grid(void **state)
{
    (void)state;
    for_each_order(prove_multiples);
}

static uint64_t height_too_large_by_one(const struct method *self, struct shape shape, struct launch launch)
{
    (void)self;
    return method_height(method_find("plain/tree_two_pass"), shape.terms, launch) + 1;
}

/* The twin. */
static void height_comparison_sees_one_level(void **state)
{
    (void)state;
    static const float x[1000];
    const struct launch launch = {3, 64};
    struct method method = *find("plain", "tree_two_pass");
    const float measured = replay(find("height", "tree_two_pass"), x, 1000, launch);
    assert_true(measured == 6 + 6 + 2); /* ceil(1000/192) elements, 64 threads, 3 blocks */
    assert_true(height_is(&method, 1000, launch, measured));
    method.height = height_too_large_by_one;
    assert_false(height_is(&method, 1000, launch, measured));
}

/* ---- words ---- */

/* Its height is UINT64_MAX: there is no such tree. */
static struct plain_tree tree_of_word(const char *text, uint64_t n, struct launch launch)
{
    struct tree_word word;
    char why[TREE_WHY_SIZE] = "";
    struct plain_tree tree;
    if (!tree_word_read(text, &word, why))
        fail_msg("%s: %s", text, why);
    return tree_word_tree(&word, n, launch, &FORMAT_BINARY32, &tree, why) ? tree
                                                                          : (struct plain_tree){.height = UINT64_MAX};
}

static uint64_t height_of_word(const char *text, uint64_t n, struct launch launch)
{
    return tree_of_word(text, n, launch).height;
}

/* Chains are strided_serial of as many threads, and blocks of B numbers are ranks, where n is a multiple: each word's
 * height is measured in the tree of a replay. */
static void the_height_of_a_word_is_that_of_the_tree_that_it_names(void **state)
{
    (void)state;
    size_t methods, compared = 0;
    const struct method *const *table = method_table(&methods);
    char text[TEXT_SIZE];
    for (size_t l = 0; l < HEIGHT_LAUNCHES; l++)
        for (uint64_t n = 0; n <= 3000; n = n < 40 ? n + 1 : n + 131) {
            const struct launch launch = height_launches[l];
            for (size_t m = 0; m < methods; m++)
                if (strcmp(table[m]->accumulator, "height") == 0 && can_do(table[m], launch)) {
                    const double measured = (double)replay(table[m], zeros, n, launch);
                    if ((double)height_of_word(table[m]->order, n, launch) != measured)
                        fail_msg("%s, n = %llu, %u x %u: %llu, measured %g", table[m]->order, (unsigned long long)n,
                                 launch.blocks, launch.threads,
                                 (unsigned long long)height_of_word(table[m]->order, n, launch), measured);
                    snprintf(text, sizeof text, "%s=%ux%u", table[m]->order, launch.blocks, launch.threads);
                    assert_true((double)height_of_word(text, n, (struct launch){1, 1}) == measured);
                    compared++;
                }
            const uint64_t number = launch.threads;
            snprintf(text, sizeof text, "chains=%u", launch.threads);
            assert_true((double)height_of_word(text, n / number * number, launch) ==
                        (double)replay(find("height", "strided_serial"), zeros, n / number * number,
                                       (struct launch){1, launch.threads}));
            snprintf(text, sizeof text, "blocked=%u", launch.threads);
            assert_true((double)height_of_word(text, n / number * number, launch) ==
                        (double)replay(find("height", "ranks_ring"), zeros, n / number * number,
                                       (struct launch){n >= number ? (uint32_t)(n / number) : 1, 1}));
        }
    assert_true(compared > 15000);
    print_message("%zu heights of orders' words measured\n", compared);
}

/* What is left over behind the chains, and blocks that are not full. */
static void heights_of_words_by_hand(void **state)
{
    (void)state;
    const struct launch launch = {2, 4};
    assert_int_equal(height_of_word("chains=8", 17, launch), 2 + 7 + 1);
    assert_int_equal(height_of_word("chains=8", 23, launch), 2 + 7 + 7);
    assert_int_equal(height_of_word("chains=8", 5, launch), 5);
    assert_int_equal(height_of_word("chains=5", 5, launch), 5);
    assert_int_equal(height_of_word("chains=4", 5, launch), 1 + 3 + 1);
    assert_int_equal(height_of_word("chains=1", 5, launch), 5);
    assert_int_equal(height_of_word("blocked=6", 5, launch), 5);
    assert_int_equal(height_of_word("blocked=5", 5, launch), 5);
    assert_int_equal(height_of_word("blocked=2", 5, launch), 2 + 2);
    assert_int_equal(height_of_word("blocked=1", 5, launch), 5);
    assert_int_equal(height_of_word("tree_two_pass=2x4", 9, launch), 2 + 2 + 1);
    assert_int_equal(height_of_word("blocked=128", 128, launch), 128);
    assert_int_equal(height_of_word("blocked=128", 129, launch), 129);
    assert_int_equal(height_of_word("blocked=128", 1000, launch), 128 + 7);
    assert_int_equal(height_of_word("blocked=4x2", 1000, launch), 125 + 1 + 2);
    assert_int_equal(height_of_word("height=20", 1 << 20, launch), 21); /* 0 + x is one more, and exact */
    assert_true(height_of_word("height=20", (1 << 20) + 1, launch) == UINT64_MAX);
    assert_int_equal(height_of_word("height=20", 7, launch), 7);
    assert_int_equal(height_of_word("height=1", 1, launch), 1);
    assert_int_equal(height_of_word("pairwise", 300, launch), 77);
    assert_true(height_of_word("tree_two_pass=1x3", 9, launch) == UINT64_MAX); /* no power of two */
}

static void a_refused_word_names_the_words_and_the_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } refused[] = {
        {"pairwize", "\"pairwize\" is no word of a tree; expected height=H, pairwise, blocked=B, chains=C, or an order "
                     "of `ulpscope list orders` like tree_two_pass or tree_two_pass=120x256; did you mean "
                     "\"pairwise\"?"},
        {"heigth=20", "did you mean \"height\"?"},
        {"", "is no word of a tree"},
        {"q", "tree_two_pass=120x256"},
        {"height", "\"height\" has no whole number from 1 on"},
        {"height=", "has no whole number from 1 on"},
        {"height=0", "has no whole number from 1 on"},
        {"height=-1", "has no whole number from 1 on"},
        {"height=20x", "has no whole number from 1 on"},
        {"height=99999999999999999999", "has no whole number from 1 on"},
        {"chains=8 ", "has no whole number from 1 on"},
        {"pairwise=7", "has no launch of blocks x threads"},
        {"blocked=", "has no launch of blocks x threads"},
        {"blocked=120x2048", "has no launch of blocks x threads"},
        {"blocked=0x256", "has no launch of blocks x threads"},
    };
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        struct tree_word word;
        char why[TREE_WHY_SIZE] = "";
        assert_false(tree_word_read(refused[i].text, &word, why));
        if (!strstr(why, refused[i].why))
            fail_msg("\"%s\": %s", refused[i].text, why);
    }
}

/* ---- trees on a tape ---- */

static void record(struct tape *tape, const char *order, const float *x, uint64_t n, struct launch launch)
{
    tape_start(tape);
    replay(find("trace", order), x, n, launch);
    assert_int_equal(tape->status, OK);
}

static void assert_tree(const char *order, struct launch launch, uint64_t n, const char *expected)
{
    float x[100];
    char text[TEXT_SIZE] = "";
    struct tape tape = {0};
    assert_true(n <= COUNT_OF(x));
    for (size_t i = 0; i < COUNT_OF(x); i++)
        x[i] = (float)i;
    record(&tape, order, x, n, launch);
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    tape_print(&tape, to);
    fclose(to);
    tape_free(&tape);
    assert_string_equal(text, expected);
}

static void serial_tree_leans_left(void **state)
{
    (void)state;
    assert_tree("serial", one_warp, 0, "0");
    assert_tree("serial", one_warp, 1, "0");
    assert_tree("serial", one_warp, 2, "(0 + 1)");
    assert_tree("serial", one_warp, 4, "(((0 + 1) + 2) + 3)");
    assert_tree("serial", (struct launch){2, 2}, 4, "(((0 + 1) + 2) + 3)");
}

static void tree_two_pass_merges_threads_half_a_block_apart(void **state)
{
    (void)state;
    assert_tree("tree_two_pass", (struct launch){1, 4}, 0, "0");
    assert_tree("tree_two_pass", (struct launch){1, 4}, 3, "((0 + 2) + 1)");
    assert_tree("tree_two_pass", (struct launch){1, 4}, 4, "((0 + 2) + (1 + 3))");
    assert_tree("tree_two_pass", (struct launch){1, 2}, 5, "(((0 + 2) + 4) + (1 + 3))");
    assert_tree("tree_two_pass", (struct launch){2, 2}, 3, "((0 + 1) + 2)");
    assert_tree("tree_two_pass", (struct launch){2, 2}, 8, "(((0 + 4) + (1 + 5)) + ((2 + 6) + (3 + 7)))");
    assert_tree("tree_two_pass", (struct launch){1, 8}, 8, "(((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)))");
}

/* Three block sums for two threads: thread 0 takes the first and the third. */
static void tree_two_pass_strides_over_block_sums(void **state)
{
    (void)state;
    assert_tree("tree_two_pass", (struct launch){3, 2}, 6, "(((0 + 1) + (4 + 5)) + (2 + 3))");
    assert_tree("tree_two_pass", (struct launch){3, 1}, 4, "(((0 + 3) + 1) + 2)");
}

static void tree_atomic_merges_blocks_as_they_arrive(void **state)
{
    (void)state;
    assert_tree("tree_atomic", (struct launch){3, 2}, 6, "(((0 + 1) + (2 + 3)) + (4 + 5))");
    assert_tree("tree_atomic", (struct launch){3, 2}, 3, "((0 + 1) + 2)");
    assert_tree("tree_atomic", (struct launch){1, 4}, 4, "((0 + 2) + (1 + 3))");
}

/* Lane l of a full warp, as a sum of lanes l, l + stride, ...: "((0 + 16) + (8 + 24))" for l = 0, stride = 8. */
static void append_warp(char *text, unsigned first, unsigned lane, unsigned stride)
{
    if (stride == 32) {
        sprintf(text + strlen(text), "%u", first + lane);
        return;
    }
    strcat(text, "(");
    append_warp(text, first, lane, 2 * stride);
    strcat(text, " + ");
    append_warp(text, first, lane + stride, 2 * stride);
    strcat(text, ")");
}

static void shuffle_two_pass_merges_lanes_as_a_tree(void **state)
{
    (void)state;
    char text[TEXT_SIZE] = "";
    append_warp(text, 0, 0, 1);
    assert_tree("shuffle_two_pass", one_warp, 32, text);
    assert_tree("shuffle_two_pass", one_warp, 4, "((0 + 2) + (1 + 3))");
    assert_tree("shuffle_two_pass", one_warp, 5, "(((0 + 4) + 2) + (1 + 3))");
}

static void shuffle_two_pass_merges_warps_left_to_right(void **state)
{
    (void)state;
    char text[TEXT_SIZE] = "((";
    append_warp(text, 0, 0, 1);
    strcat(text, " + ");
    append_warp(text, 32, 0, 1);
    strcat(text, ") + (64 + 65))");
    assert_tree("shuffle_two_pass", (struct launch){1, 96}, 66, text);
}

/* The three block sums are in three lanes: 0 and 2 meet first. */
static void shuffle_two_pass_merges_block_sums_as_lanes(void **state)
{
    (void)state;
    char text[TEXT_SIZE] = "((";
    append_warp(text, 0, 0, 1);
    strcat(text, " + (64 + 65)) + ");
    append_warp(text, 32, 0, 1);
    strcat(text, ")");
    assert_tree("shuffle_two_pass", (struct launch){3, 32}, 66, text);
}

/* Adds as the tape says, and measures its height; every node is used once and the last is the root. */
static float walk(const struct tape *tape, uint64_t n, uint64_t *height)
{
    struct {
        float sum;
        uint64_t height, uses;
    } *nodes = calloc(tape->count + 1, sizeof *nodes);
    uint64_t leaves = 0;
    assert_non_null(nodes);
    for (uint64_t k = 1; k <= tape->count; k++) {
        const struct tape_node *node = &tape->nodes[k - 1];
        leaves += node->left == 0;
        assert_true(node->left < k && node->right < k);
        const uint64_t left = nodes[node->left].height, right = nodes[node->right].height;
        nodes[k].height = node->left == 0 ? 1 : (left > right ? left : right) + 1;
        nodes[k].sum = node->left == 0 ? 0 + (float)node->leaf : nodes[node->left].sum + nodes[node->right].sum;
        nodes[node->left].uses++;
        nodes[node->right].uses++;
    }
    assert_int_equal(leaves, n);
    for (uint64_t k = 1; k < tape->count; k++)
        assert_int_equal(nodes[k].uses, 1);
    const float sum = nodes[tape->count].sum;
    *height = nodes[tape->count].height;
    free(nodes);
    return sum;
}

static void assert_tape_is_the_order(const char *order, const float *x, uint64_t n, struct launch launch)
{
    struct tape tape = {0};
    uint64_t height;
    record(&tape, order, x, n, launch);
    const float sum = walk(&tape, n, &height);
    const float plain = replay(find("plain", order), x, n, launch);
    if (float_bits(sum) != float_bits(plain) || height != method_height(find("plain", order), n, launch))
        fail_msg("%s, n = %llu, %u x %u: the tape gives %a at height %llu, the replay %a", order, (unsigned long long)n,
                 launch.blocks, launch.threads, (double)sum, (unsigned long long)height, (double)plain);
    tape_free(&tape);
}

static void check_tapes(const char *name, const float *x, uint64_t n)
{
    (void)name;
    size_t methods;
    const struct method *const *table = method_table(&methods);
    for (size_t m = 0; m < methods; m++)
        for (size_t l = 0; l < LAUNCHES; l++) {
            if (strcmp(table[m]->accumulator, "trace") != 0 || !can_do(table[m], launches[l]))
                continue;
            for (uint64_t k = 0; k <= n; k = k < 70 ? k + 1 : k + 97)
                assert_tape_is_the_order(table[m]->order, x, k, launches[l]);
        }
}

static void tape_gives_the_plain_sum_and_the_height_of_its_order(void **state)
{
    (void)state;
    with_generated("normal", "", 1000, 1, check_tapes);
}

/* The twin: orders differ in their bits on these data, so that another tree would show. */
static void assert_orders_differ(const char *name, const float *x, uint64_t n)
{
    (void)name;
    struct tape tape = {0};
    uint64_t height;
    record(&tape, "tree_two_pass", x, n, launches[1]);
    const float tree = walk(&tape, n, &height);
    assert_true(float_bits(tree) != float_bits(replay(find("plain", "serial"), x, n, launches[1])));
    assert_true(float_bits(tree) != float_bits(replay(find("plain", "tree_two_pass"), x, n, launches[0])));
    tape_free(&tape);
}

static void tape_of_one_order_is_not_that_of_another(void **state)
{
    (void)state;
    with_generated("normal", "", 1000, 1, assert_orders_differ);
}

/* ---- the bound of a word ---- */

enum { WORDS_TRIED = 100000, NUMBERS_MOST = 400, PLACE = -26 }; /* numbers are integers times 2^PLACE */
static const float U = 0x1p-24f;

/* 1 at the end of the longest path, and a tie with it wherever something joins: each rounding loses u. */
static void put_path(const char *order, struct launch launch, float *x, uint64_t n)
{
    float leaves[NUMBERS_MOST];
    struct tape tape = {0};
    for (uint64_t i = 0; i < n; i++)
        leaves[i] = (float)i;
    record(&tape, order, leaves, n, launch);
    uint32_t *height = calloc(tape.count + 1, sizeof *height);
    assert_non_null(height);
    for (uint64_t k = 1; k <= tape.count; k++) {
        const struct tape_node *node = &tape.nodes[k - 1];
        const uint32_t left = height[node->left], right = height[node->right];
        height[k] = 1 + (node->left == 0 ? 0 : left > right ? left : right);
    }
    memset(x, 0, n * sizeof *x);
    uint64_t k = tape.count;
    while (tape.nodes[k - 1].left > 0) {
        const struct tape_node *node = &tape.nodes[k - 1];
        const bool is_left = height[node->left] >= height[node->right];
        uint64_t beside = is_left ? node->right : node->left;
        while (tape.nodes[beside - 1].left > 0)
            beside = tape.nodes[beside - 1].left;
        x[(uint64_t)tape.nodes[beside - 1].leaf] = U;
        k = is_left ? node->left : node->right;
    }
    x[(uint64_t)tape.nodes[k - 1].leaf] = 1;
    free(height);
    tape_free(&tape);
}

/* The same of chains that are joined in turn, with a tail; and of blocks, one after another. */
static void put_steps(uint64_t chains, uint64_t block, float *x, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        x[i] = chains > 0 ? (i < chains || i % chains == 0 || i >= n - n % chains ? U : 0)
                          : (i < block || i % block == 0 ? U : 0);
    x[0] = 1;
}

static float sum_of_blocks(const float *x, uint64_t n, uint64_t block, bool backwards)
{
    float sum = 0;
    for (uint64_t b = 0; b < n; b += block) {
        float of_block = 0;
        for (uint64_t i = b; i < b + block && i < n; i++)
            of_block += x[backwards ? n - 1 - i : i];
        sum += of_block;
    }
    return sum;
}

/* Of sums, dot products, norms and elements of matrix products alike; what atomics lose on a GPU is part of it. */
static void the_bound_of_a_word_is_that_of_plain_additions_in_its_order(void **state)
{
    (void)state;
    const struct launch launch = {3, 64};
    const struct magnitudes usual = {0.25, 3, 1, NULL}, tiny = {0x1p-140, 0x1p-130, 0x1p-140, NULL};
    size_t compared = 0, lower = 0, lossless = 0, of_elements = 0;
    for (int o = FIRST_STATISTIC; o < VECTOR_OPERATIONS; o++) /* their sums are several */
        assert_true(isinf(tree_bound((enum operation)o, sum_formats[0], 8, (struct plain_tree){3, 0}, &usual)));
    for (int operation = 0; operation < OPERATIONS; operation++)
        for (int f = 0;
             f < SUM_FORMATS && !is_statistic((enum operation)operation) && !is_scan((enum operation)operation); f++) {
            size_t methods;
            const struct method *const *table = method_table_for((enum operation)operation, sum_formats[f], &methods);
            for (size_t m = 0; m < methods; m++) {
                const bool has_elements = operation_table[operation].of == MATRICES;
                if (strcmp(table[m]->accumulator, "plain") != 0 || !table[m]->height || !can_do(table[m], launch) ||
                    (has_elements && strcmp(table[m]->order, "naive") != 0))
                    continue;
                for (uint64_t n = 1; n < 900; n = 2 * n + 1) {
                    const struct magnitudes of = n < 100 ? usual : tiny;
                    const uint64_t height = method_height(table[m], n, launch);
                    const struct plain_tree named = tree_of_word(has_elements ? "serial" : table[m]->order, n, launch);
                    const struct plain_tree tree = {height, named.atomics}, one_lower = {height - 1, named.atomics};
                    const double expected = method_bound(table[m], n, launch, &of);
                    const double bound = tree_bound((enum operation)operation, sum_formats[f], n, tree, &of);
                    /* of elements the steps are rounded up in another sequence */
                    if (has_elements ? fabs(bound - expected) > expected * 0x1p-45 : bound != expected)
                        fail_msg("%s, n = %llu: %a, found %a", table[m]->id, (unsigned long long)n, expected, bound);
                    lower +=
                        height > 1 && tree_bound((enum operation)operation, sum_formats[f], n, one_lower, &of) < bound;
                    lossless += tree_bound((enum operation)operation, sum_formats[f], n, (struct plain_tree){height, 0},
                                           &of) < bound;
                    compared++;
                    of_elements += has_elements;
                }
            }
        }
    assert_true(compared > 5000 && of_elements > 50 && lower > compared / 2); /* twins: a lower tree has another, */
    assert_true(lossless > 10);                                               /* and one without atomics */
}

struct tried {
    size_t sums, broken, too_low; /* broken: beyond the bound; too_low: beyond that of a tree that is one lower */
};

static void hold(const char *text, const float *x, uint64_t n, struct launch launch, float computed,
                 struct tried *tried)
{
    int64_t s = 0, sum_abs = 0;
    for (uint64_t i = 0; i < n; i++) {
        s += (int64_t)ldexpf(x[i], -PLACE);
        sum_abs += llabs((int64_t)ldexpf(x[i], -PLACE));
    }
    const double above = ldexp((double)sum_abs, PLACE) * (1 + 0x1p-50);
    const double error = ldexp((double)llabs((int64_t)ldexp((double)computed, -PLACE) - s), PLACE);
    const struct plain_tree tree = {height_of_word(text, n, launch), 0}, lower = {tree.height - 1, 0};
    const struct magnitudes of = {ldexp((double)llabs(s), PLACE), above, above, NULL};
    tried->sums++;
    tried->broken += error > tree_bound(OPERATION_sum, sum_formats[0], n, tree, &of);
    tried->too_low += tree.height > 1 && error > tree_bound(OPERATION_sum, sum_formats[0], n, lower, &of);
}

static void put_numbers(float *x, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t kind = below(4);
        x[i] = kind == 0 ? U : kind == 1 ? 1 : ldexpf((float)below(1 << 24) * (below(2) ? 1.0f : -1.0f), PLACE);
    }
}

/* Random numbers, and the data on which all roundings of the longest path go one way. */
static void no_sum_in_an_order_is_beyond_the_bound_of_its_word(void **state)
{
    (void)state;
    static const struct launch small[] = {{1, 1}, {1, 32}, {2, 4}, {3, 64}, {5, 2}, {7, 32}, {2, 256}};
    struct tried orders = {0}, chains = {0}, blocks = {0}, heights = {0};
    float x[NUMBERS_MOST];
    size_t methods;
    const struct method *const *table = method_table(&methods);
    seed_random(45);
    const struct method *plain[64];
    size_t plains = 0;
    for (size_t m = 0; m < methods; m++)
        if (strcmp(table[m]->accumulator, "plain") == 0 && table[m]->height && plains < COUNT_OF(plain))
            plain[plains++] = table[m];
    while (orders.sums + chains.sums + blocks.sums + heights.sums < WORDS_TRIED) {
        const struct method *method = plain[below(plains)];
        const struct launch launch = small[below(COUNT_OF(small))];
        const uint64_t n = 1 + below(below(2) ? 12 : NUMBERS_MOST);
        const uint64_t number = UINT64_C(1) << below(6), block = 1 + below(20);
        char text[TEXT_SIZE];
        const bool is_steep = below(3) == 0;
        put_numbers(x, n);
        if (can_do(method, launch)) {
            if (is_steep)
                put_path(method->order, launch, x, n);
            const float sum = replay(method, x, n, launch);
            hold(method->order, x, n, launch, sum, &orders);
            snprintf(text, sizeof text, "height=%llu",
                     (unsigned long long)(n > 1 ? method_height(method, n, launch) - 1 : 1));
            hold(text, x, n, launch, sum, &heights);
        }
        double wide[NUMBERS_MOST];
        if (is_steep)
            put_steps(number, 0, x, n);
        for (uint64_t i = 0; i < n; i++)
            wide[i] = (double)x[i];
        const struct chains as = {
            .count = (uint32_t)number, .join = (unsigned)below(3), .has_tail = below(2), .added = &FORMAT_BINARY32};
        snprintf(text, sizeof text, "chains=%llu", (unsigned long long)number);
        hold(text, x, n, launch, (float)chains_sum(&as, wide, n), &chains);
        if (is_steep)
            put_steps(0, block, x, n);
        snprintf(text, sizeof text, "blocked=%llu", (unsigned long long)block);
        hold(text, x, n, launch, sum_of_blocks(x, n, block, below(2)), &blocks);
    }
    print_message("%zu orders, %zu chains, %zu blocks, %zu heights; %zu, %zu, %zu, %zu above a tree one lower\n",
                  orders.sums, chains.sums, blocks.sums, heights.sums, orders.too_low, chains.too_low, blocks.too_low,
                  heights.too_low);
    assert_int_equal(orders.broken + chains.broken + blocks.broken + heights.broken, 0);
    assert_true(orders.sums > 20000 && chains.sums > 20000 &&
                heights.sums > 20000); /* the twins: one addition fewer is too few, for each kind */
    assert_true(orders.too_low > 100 && chains.too_low > 100 && blocks.too_low > 100 && heights.too_low > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(height_formula_is_the_height_of_the_tree_for_every_n_to_4097),
        cmocka_unit_test(height_formula_is_the_height_of_the_tree_around_multiples_of_the_grid),
        cmocka_unit_test(height_comparison_sees_one_level),
        cmocka_unit_test(the_height_of_a_word_is_that_of_the_tree_that_it_names),
        cmocka_unit_test(heights_of_words_by_hand),
        cmocka_unit_test(a_refused_word_names_the_words_and_the_nearest),
        cmocka_unit_test(the_bound_of_a_word_is_that_of_plain_additions_in_its_order),
        cmocka_unit_test(no_sum_in_an_order_is_beyond_the_bound_of_its_word),
        cmocka_unit_test(serial_tree_leans_left),
        cmocka_unit_test(tree_two_pass_merges_threads_half_a_block_apart),
        cmocka_unit_test(tree_two_pass_strides_over_block_sums),
        cmocka_unit_test(tree_atomic_merges_blocks_as_they_arrive),
        cmocka_unit_test(shuffle_two_pass_merges_lanes_as_a_tree),
        cmocka_unit_test(shuffle_two_pass_merges_warps_left_to_right),
        cmocka_unit_test(shuffle_two_pass_merges_block_sums_as_lanes),
        cmocka_unit_test(tape_gives_the_plain_sum_and_the_height_of_its_order),
        cmocka_unit_test(tape_of_one_order_is_not_that_of_another),
    };
    return cmocka_run_group_tests_name("heights", tests, NULL, NULL);
}
