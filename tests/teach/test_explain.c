/* explain: witnesses still show the difference and are 1-minimal; methods part where brute force says. */
#include "src/teach/explain/explain.h"
#include "src/teach/explain/join_text.h"

#include "src/base/format.h"
#include "tests/support/methods.h"

#include "tests/support/heard.h"
#include "tests/support/random.h"

static bool differ(const struct explain_request *request, const void *x, uint64_t n)
{
    const struct operands of = operands_of_sum(request->format, x, n);
    double sums[2];
    for (int m = 0; m < 2; m++) {
        uint64_t bits;
        assert_int_equal(method_replay(request->method[m], &of, request->launch, 1, &bits), OK);
        sums[m] = format_value(request->method[m]->format, bits);
    }
    return !same_double(sums[0], sums[1]);
}

static bool differ_on(const struct explain_request *request, const double *numbers, uint64_t n)
{
    void *x = malloc((n + 1) * sizeof(double));
    assert_non_null(x);
    for (uint64_t i = 0; i < n; i++)
        held_set(request->format, x, i, numbers[i]);
    const bool they_do = differ(request, x, n);
    free(x);
    return they_do;
}

static struct explanation explained(const struct explain_request *request)
{
    struct explanation explanation;
    assert_int_equal(explain_make(request, &explanation), OK);
    return explanation;
}

static struct explain_request asked(const char *a, const char *b, struct launch launch, const float *x, uint64_t n)
{
    return (struct explain_request){.format = &FORMAT_BINARY32,
                                    .method = {method_find(a), method_find(b)},
                                    .launch = launch,
                                    .x = x,
                                    .n = n,
                                    .workers = 1,
                                    .top = EXPLAIN_TOP,
                                    .most_additions = EXPLAIN_MOST_ADDITIONS};
}

static char *printed(const struct explain_request *request)
{
    const struct explain_names names = {.data = "test", .command = "test"};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    struct explanation explanation = explained(request);
    explain_print(&explanation, &names, file);
    fclose(file);
    explain_free(&explanation);
    return text;
}

/* Of any exponents of a range, so that sums lose anything from nothing to all. */
static void fill(float *x, uint64_t n, int exponents)
{
    for (uint64_t i = 0; i < n; i++)
        x[i] = ldexpf((float)below(1 << 24) - 0x1p23f, (int)below((uint64_t)exponents) - exponents / 2);
}

static const struct method *any_sum(struct launch launch)
{
    size_t count;
    const struct method *const *table = method_table(&count);
    for (;;) {
        const struct method *method = table[below(count)];
        if (is_sum(method) && can_do(method, launch))
            return method;
    }
}

/* ---- the witness ---- */

/* Every removal, asked anew: nothing here is shared with shrink.c. */
static bool is_minimal(const struct explain_request *request, const double *x, uint64_t n)
{
    double *rest = malloc((n + 1) * sizeof *rest);
    bool minimal = true;
    assert_non_null(rest);
    for (uint64_t i = 0; i < n; i++) {
        memcpy(rest, x, i * sizeof *x);
        memcpy(rest + i, x + i + 1, (n - i - 1) * sizeof *x);
        minimal &= !differ_on(request, rest, n - 1);
    }
    free(rest);
    return minimal;
}

static void assert_of_the_data(const struct explain_request *request, const struct shrunken *witness)
{
    for (uint64_t i = 0; i < witness->n; i++) {
        assert_true(witness->index[i] < request->n && (i == 0 || witness->index[i] > witness->index[i - 1]));
        assert_true(same_double(witness->was[i], held_number(request->format, request->x, witness->index[i])));
    }
}

static uint64_t bits_of(const double *x, uint64_t n)
{
    uint64_t bits = 0;
    for (uint64_t i = 0; i < n; i++)
        bits += (uint64_t)significant_bits(x[i]);
    return bits;
}

static void assert_witnesses(const struct explain_request *request, const struct explanation *explanation)
{
    const struct shrunken *subset = &explanation->subset, *witness = &explanation->witness;
    assert_of_the_data(request, subset);
    assert_of_the_data(request, witness);
    assert_true(differ_on(request, subset->was, subset->n) && differ_on(request, witness->x, witness->n));
    assert_true(subset->minimal && witness->minimal && !explanation->spent);
    if (!is_minimal(request, subset->was, subset->n) || !is_minimal(request, witness->x, witness->n))
        fail_msg("%s, %s: a witness of %llu is not 1-minimal", request->method[0]->id, request->method[1]->id,
                 (unsigned long long)witness->n);
    assert_true(witness->n <= subset->n && bits_of(witness->x, witness->n) <= bits_of(subset->x, subset->n));
    assert_true(explanation->reduced.differ && explanation->reduced.exact.n == witness->n);
}

/* Any two methods, any data; every launch has its turn. */
static void witnesses_still_differ_and_removing_any_element_ends_it(void **state)
{
    (void)state;
    enum { ROUNDS = 1000, N = 300 };
    float x[N];
    uint64_t shown = 0, elements = 0, longest = 0;
    seed_random(81);
    for (int round = 0; round < ROUNDS; round++) {
        const struct launch launch = launches[round % LITTLE_LAUNCHES];
        const uint64_t n = below(N);
        fill(x, n, 1 + (int)below(60));
        struct explain_request request = asked("naive", "naive", launch, x, n);
        request.method[0] = any_sum(launch);
        request.method[1] = any_sum(launch);
        struct explanation explanation = explained(&request);
        assert_int_equal(explanation.data.differ, differ(&request, x, n));
        if (explanation.data.differ) {
            assert_witnesses(&request, &explanation);
            shown++;
            elements += explanation.witness.n;
            longest = explanation.witness.n > longest ? explanation.witness.n : longest;
        }
        explain_free(&explanation);
    }
    print_message("%llu witnesses of %.1f numbers, %llu at most\n", (unsigned long long)shown,
                  (double)elements / (double)shown, (unsigned long long)longest);
    assert_true(shown > 200);
}

/* The textbook's numbers are what remains of random ones. */
static void a_witness_of_simple_numbers_is_found_in_random_ones(void **state)
{
    (void)state;
    enum { N = 1000 };
    static float x[N];
    seed_random(82);
    fill(x, N, 8);
    const struct explain_request request = asked("plain/serial", "plain/tree_two_pass", one_warp, x, N);
    struct explanation explanation = explained(&request);
    assert_witnesses(&request, &explanation);
    assert_int_equal(explanation.witness.n, 3);
    assert_true(bits_of(explanation.witness.x, 3) <= 4);
    explain_free(&explanation);
}

/* NaN is NaN; infinities and zeros of either sign are bits like others. */
static void special_numbers_are_shrunk_too(void **state)
{
    (void)state;
    const float x[] = {1, FLT_MAX, 0x1p-149f, FLT_MAX, -FLT_MAX, -FLT_MAX, 3};
    const struct explain_request request = asked("plain/serial", "superacc/serial", one_warp, x, COUNT_OF(x));
    struct explanation explanation = explained(&request);
    assert_true(explanation.data.differ);
    assert_witnesses(&request, &explanation);
    explain_free(&explanation);
    const float nans[] = {1, NAN, INFINITY, 2};
    const struct explain_request alike = asked("plain/serial", "plain/tree_two_pass", one_warp, nans, COUNT_OF(nans));
    explanation = explained(&alike);
    assert_false(explanation.data.differ);
    assert_int_equal(explanation.subset.n, 0);
    explain_free(&explanation);
}

static struct question contrast_with(const char *method, uint64_t most_additions)
{
    return (struct question){.format = &FORMAT_BINARY32,
                             .methods = {method_find("plain/serial"), method_find(method)},
                             .method_count = 2,
                             .ask = contrast_ask,
                             .launch = one_warp,
                             .workers = 1,
                             .most_additions = most_additions};
}

/* The twin of the verification. */
static void numbers_that_are_not_minimal_are_not_verified(void **state)
{
    (void)state;
    const float x[] = {0x1p24f, 1, 1, 5};
    struct question question = contrast_with("kahan/serial", UINT64_MAX);
    struct shrunken witness;
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, x, 4);
    assert_int_equal(shrunken_of(&elements, &witness), OK);
    assert_int_equal(shrink_verify(&question, &witness), OK);
    assert_false(witness.minimal);
    assert_int_equal(shrink(&question, &witness), OK);
    assert_false(witness.minimal);
    assert_int_equal(shrink_verify(&question, &witness), OK);
    assert_true(witness.minimal && witness.n < 4);
    shrunken_free(&witness);
}

/* Without any one of these five, and without any in a row, both methods agree: -2^23 and -1 go together. */
static void two_numbers_are_removed_where_one_cannot_be(void **state)
{
    (void)state;
    const float x[] = {0x1p25f, -0x1p23f, 1.5f, 1.5f, -1};
    struct question question = contrast_with("binary64/serial", UINT64_MAX);
    struct shrunken witness;
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, x, COUNT_OF(x));
    assert_int_equal(shrunken_of(&elements, &witness), OK);
    assert_int_equal(shrink_verify(&question, &witness), OK);
    assert_true(witness.minimal);
    assert_int_equal(shrink(&question, &witness), OK);
    assert_int_equal(witness.n, 3);
    assert_true(witness.index[0] == 0 && witness.index[1] == 2 && witness.index[2] == 3);
    shrunken_free(&witness);
}

/* ---- formats ---- */

static const struct method *any_sum_of(const struct format *stored, struct launch launch)
{
    for (;;) {
        size_t count;
        const struct sum_format *format = sum_formats[below(SUM_FORMATS)];
        const struct method *const *table = method_table_of(format, &count), *method = table[below(count)];
        if (strcmp(format->stored->name, stored->name) == 0 && is_sum(method) && can_do(method, launch))
            return method;
    }
}

/* Of any exponents of the format that leave room for their sum. */
static void fill_held(const struct format *format, void *x, uint64_t n)
{
    const int least = format->least_exponent, most = format->overflow_exponent - 8 - least;
    const uint64_t exponents = 1 + below((uint64_t)(most < 60 ? most : 60));
    for (uint64_t i = 0; i < n; i++) {
        const double number =
            ldexp(2 * (double)below(UINT64_C(1) << 53) * 0x1p-53 - 1, (int)below(exponents) + least + most / 2);
        held_set(format, x, i, rounded_to(number, format));
    }
}

static bool all_are_of(const struct format *format, const double *x, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (rounded_to(x[i], format) != x[i])
            return false;
    return true;
}

/* Any two methods of all formats in which such numbers are added; the next format does not have them all: the twin. */
static void witnesses_of_every_format_are_minimal_and_have_its_numbers(void **state)
{
    (void)state;
    enum { ROUNDS = 60, N = 100 };
    double x[N];
    seed_random(15);
    for (int f = 0; f < STORED_FORMAT_COUNT; f++) {
        const struct format *format = NUMBER_FORMATS[f], *other = NUMBER_FORMATS[(f + 1) % STORED_FORMAT_COUNT];
        int shown = 0, of_other = 0;
        for (int round = 0; round < ROUNDS; round++) {
            const struct launch launch = launches[round % LITTLE_LAUNCHES];
            struct explain_request request = asked("naive", "naive", launch, NULL, N);
            request.format = format;
            request.x = x;
            fill_held(format, x, N);
            for (int m = 0; m < 2; m++)
                request.method[m] = any_sum_of(format, launch);
            struct explanation explanation = explained(&request);
            assert_int_equal(explanation.data.differ, differ(&request, x, N));
            if (explanation.data.differ) {
                assert_witnesses(&request, &explanation);
                assert_true(all_are_of(format, explanation.witness.x, explanation.witness.n));
                of_other += all_are_of(other, explanation.subset.was, explanation.subset.n);
                shown++;
            }
            explain_free(&explanation);
        }
        print_message("%s: %d witnesses, the numbers of %d are of %s, too\n", format->name, shown, of_other,
                      other->name);
        /* those of the last but one are numbers of the last, too */
        assert_true(shown > 5 && (of_other < shown || f >= STORED_FORMAT_COUNT - 2));
    }
}

/* 2^p + 1 is the value of a state of kahan, and the next number of the format is 2^p + 2; `rest` is what binary64 lacks
 * of that value. */
static void kahan_parts_from_plain_in_every_format(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        const struct format *format;
        double large, rest;
    } rows[] = {
        {"plain/serial@binary64", "kahan/serial@binary64", &FORMAT_BINARY64, 0x1p53, 1},
        {"plain/serial", "kahan/serial", &FORMAT_BINARY32, 0x1p24, 0},
        {"plain/serial@bfloat16_in_bfloat16", "kahan/serial@bfloat16_in_bfloat16", &FORMAT_BFLOAT16, 0x1p8, 0},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        double x[3];
        for (uint64_t i = 0; i < 3; i++)
            held_set(rows[r].format, x, i, i == 0 ? rows[r].large : 1);
        struct explain_request request = asked(rows[r].a, rows[r].b, one_warp, NULL, 3);
        request.format = rows[r].format;
        request.x = x;
        struct explanation explanation = explained(&request);
        const struct parting_side *side = explanation.data.parting.side;
        const struct additions *kahan = &explanation.data.additions[1];
        assert_true(explanation.data.parting.same_tree && explanation.data.parting.same_format);
        assert_true(side[0].parted == 1 && side[0].parted_by_order == 0 && side[0].first[0].same == 3);
        assert_true(kahan->value[3] + (kahan->rest ? kahan->rest[3] : 0) - rows[r].large == (rows[r].rest == 0));
        assert_true((kahan->rest ? kahan->rest[3] : 0) == rows[r].rest);
        assert_true(explanation.data.nearer == 1 && explanation.data.difference_ulp == -1);
        explain_free(&explanation);
        char *text = printed(&request);
        assert_int_equal(strstr(text, "makes 0x1p+53 + 0x1p+0 of the same elements") != NULL, rows[r].rest != 0);
        free(text);
    }
}

/* 896 + 2^-9, which e4m3 does not reach. */
static void the_exact_sum_is_rounded_to_the_coarser_result(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        double nearest, ulp;
    } rows[] = {
        {"plain/serial@e4m3", "kahan/serial@e4m3", 896 + 0x1p-9, 0x1p-14},
        {"plain/serial@e4m3", "plain/serial@e4m3_in_binary16", 896, 0x1p-1},
        {"plain/serial@e4m3_in_binary16", "plain/serial@e4m3", 896, 0x1p-1},
    };
    const float x[] = {448, 448, 0x1p-9f};
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        struct explain_request request = asked(rows[r].a, rows[r].b, one_warp, x, 3);
        request.format = &FORMAT_E4M3;
        struct explanation explanation = explained(&request);
        assert_true(explanation.data.exact.nearest == rows[r].nearest && explanation.data.exact.ulp == rows[r].ulp);
        explain_free(&explanation);
    }
}

/* 9 digits are enough for binary32 alone. */
static void numbers_are_written_with_all_digits_of_their_format(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *in_binary64, *in_binary32;
    } rows[] = {
        {0x1p53, "9007199254740992", "9.007199e+15"},
        {(double)0.1f, "0.10000000149011612", "0.1"},
        {0x1p24, "16777216", "16777216"},
        {0x1.0000000000001p0, "1.0000000000000002", "1"},
        {0x1p-1074, "5e-324", "4.94065645841e-324"},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        char text[NUMBER_TEXT];
        join_number(&FORMAT_BINARY64, rows[r].value, text);
        assert_string_equal(text, rows[r].in_binary64);
        join_number(&FORMAT_BINARY32, rows[r].value, text);
        assert_string_equal(text, rows[r].in_binary32);
    }
}

static uint64_t make_nan_then_a_difference(const void *from, uint64_t k, double *x)
{
    (void)from;
    x[0] = k == 0 ? (double)INFINITY : 0x1p24;
    x[1] = k == 0 ? -(double)INFINITY : 1;
    x[2] = 1;
    return 3;
}

static void a_nan_is_like_every_other(void **state)
{
    (void)state;
    struct question question = contrast_with("kahan/serial", UINT64_MAX);
    uint64_t found;
    assert_int_equal(question_first(&question, &(struct candidates){2, 3, make_nan_then_a_difference, NULL}, &found),
                     OK);
    assert_int_equal(found, 1);
}

/* Of four numbers that are not: nothing was asked, and so nothing is known. */
static void a_verification_that_gives_up_verifies_nothing(void **state)
{
    (void)state;
    const float x[] = {0x1p24f, 1, 1, 5};
    struct question question = contrast_with("kahan/serial", 0);
    struct shrunken witness;
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, x, 4);
    assert_int_equal(shrunken_of(&elements, &witness), OK);
    assert_int_equal(shrink_verify(&question, &witness), OK);
    assert_true(question.spent && question.evaluations == 0);
    assert_false(witness.minimal);
    shrunken_free(&witness);
}

/* 1 and many numbers that only together are worth an ulp of it: there is no way but one by one. */
static void shrinking_that_takes_too_long_gives_up_and_says_so(void **state)
{
    (void)state;
    enum { N = 3000 };
    static float x[N];
    seed_random(83);
    x[0] = 1;
    for (uint64_t i = 1; i < N; i++)
        x[i] = ldexpf((float)(1 + below(15)), -36);
    struct explain_request request = asked("plain/serial", "plain/tree_two_pass", one_warp, x, N);
    request.most_additions = 100000;
    struct explanation explanation = explained(&request);
    assert_true(explanation.spent && differ_on(&request, explanation.subset.x, explanation.subset.n));
    assert_true(differ_on(&request, explanation.witness.x, explanation.witness.n));
    assert_false(explanation.subset.minimal);
    assert_true(explanation.additions < 4 * (request.most_additions + 2 * (N + 32)));
    explain_free(&explanation);
    request.most_additions = EXPLAIN_MOST_ADDITIONS; /* the twin */
    explanation = explained(&request);
    assert_witnesses(&request, &explanation);
    assert_true(explanation.subset.n > 500 && explanation.witness.n < 10);
    explain_free(&explanation);
}

static void significant_bits_are_those_between_the_first_one_and_the_last(void **state)
{
    (void)state;
    assert_int_equal(significant_bits(0), 0);
    assert_int_equal(significant_bits(-1), 1);
    assert_int_equal(significant_bits(0x1p-1074), 1);
    assert_int_equal(significant_bits(3), 2);
    assert_int_equal(significant_bits(0x1.000002p+5), 24);
    assert_int_equal(significant_bits(0x1.0000000000001p+5), 53);
    assert_int_equal(significant_bits(0x1.8p-1073), 2);
    assert_int_equal(significant_bits((double)INFINITY), 54);
}

/* ---- where they part ---- */

enum { SMALL_N = 60, SMALL_NODES = 2 * SMALL_N };

/* A tree whose sets of elements are bits. */
struct small_tree {
    const struct additions *of;
    uint64_t sets[SMALL_NODES + 1];
};

static struct small_tree small_tree_of(const struct additions *of)
{
    struct small_tree small = {.of = of};
    for (uint64_t k = 1; k <= of->tree.count; k++) {
        const struct tape_node *node = &of->tree.joined[k - 1];
        small.sets[k] =
            node->left == 0 ? UINT64_C(1) << (uint64_t)node->leaf : small.sets[node->left] | small.sets[node->right];
    }
    return small;
}

static uint64_t node_of_set(const struct small_tree *tree, uint64_t set)
{
    for (uint64_t k = 1; k <= tree->of->tree.count; k++)
        if (tree->sets[k] == set)
            return k;
    return 0;
}

static bool is_shared(const struct small_tree *tree, const struct small_tree *other, uint64_t k)
{
    const uint64_t same = node_of_set(other, tree->sets[k]);
    return same != 0 && same_double(tree->of->value[k], other->of->value[same]);
}

static void assert_side(const struct small_tree *tree, const struct small_tree *other, const struct parting_side *side)
{
    uint64_t joins = 0, shared = 0, same = 0, parted = 0, by_order = 0;
    for (uint64_t k = 1; k <= tree->of->tree.count; k++) {
        const struct tape_node *node = &tree->of->tree.joined[k - 1];
        if (node->left == 0)
            continue;
        const uint64_t there = node_of_set(other, tree->sets[k]);
        joins++;
        same += there != 0;
        shared += is_shared(tree, other, k);
        if (is_shared(tree, other, k) || !is_shared(tree, other, node->left) || !is_shared(tree, other, node->right))
            continue;
        assert_true(parted < side->shown);
        const struct parted_join *join = &side->first[parted];
        assert_int_equal(join->node, k);
        assert_int_equal(join->same, there);
        if (there == 0) { /* there the left operand is joined with that one, and with neither of the right one */
            const uint64_t parent = node_of_set(other, tree->sets[node->left] | other->sets[join->instead]);
            assert_true(parent != 0 && !(other->sets[join->instead] & tree->sets[node->left]));
        }
        parted++;
        by_order += there == 0;
    }
    assert_int_equal(side->joins, joins);
    assert_int_equal(side->same_elements, same);
    assert_int_equal(side->shared, shared);
    assert_int_equal(side->parted, parted);
    assert_int_equal(side->parted_by_order, by_order);
}

static void methods_part_where_brute_force_says(void **state)
{
    (void)state;
    enum { ROUNDS = 2000 };
    float x[SMALL_N];
    uint64_t parted = 0, same_trees = 0;
    seed_random(84);
    for (int round = 0; round < ROUNDS; round++) {
        const struct launch launch = launches[round % LITTLE_LAUNCHES];
        const uint64_t n = below(SMALL_N);
        struct additions of[2];
        struct parting parting;
        fill(x, n, 1 + (int)below(60));
        for (int m = 0; m < 2; m++) {
            const struct tree_request request = {"test", any_sum(launch), n, launch};
            const struct operands elements = operands_of_sum(&FORMAT_BINARY32, x, n);
            assert_int_equal(additions_make(&request, &elements, &of[m]), OK);
        }
        assert_int_equal(parting_make(of, SMALL_NODES, &parting), OK);
        const struct small_tree small[2] = {small_tree_of(&of[0]), small_tree_of(&of[1])};
        for (int m = 0; m < 2; m++)
            assert_side(&small[m], &small[1 - m], &parting.side[m]);
        assert_int_equal(parting.same_tree, parting.side[1].same_elements == parting.side[1].joins);
        parted += parting.side[0].parted;
        same_trees += parting.same_tree;
        parting_free(&parting);
        for (int m = 0; m < 2; m++)
            additions_free(&of[m]);
    }
    assert_true(parted > ROUNDS && same_trees > 50 && same_trees < ROUNDS / 2);
}

static void the_worked_examples_of_the_header_are_so(void **state)
{
    (void)state;
    const float x[] = {0x1p24f, 1, 1};
    struct explain_request request = asked("plain/serial", "plain/tree_two_pass", one_warp, x, 3);
    struct explanation explanation = explained(&request);
    const struct parting_side *side = explanation.data.parting.side;
    assert_false(explanation.data.parting.same_tree);
    assert_true(explanation.data.parting.same_accumulator);
    assert_true(side[0].parted == 1 && side[0].parted_by_order == 1 && side[0].first[0].node == 3);
    assert_true(side[1].parted == 1 && side[1].parted_by_order == 1);
    explain_free(&explanation);
    request = asked("plain/serial", "kahan/serial", one_warp, x, 3);
    explanation = explained(&request);
    side = explanation.data.parting.side;
    assert_true(explanation.data.parting.same_tree && !explanation.data.parting.same_accumulator);
    assert_true(side[0].parted == 1 && side[0].parted_by_order == 0 && side[0].first[0].same == 3);
    assert_true(explanation.data.nearer == 1 && explanation.data.difference_ulp == -1);
    explain_free(&explanation);
}

/* The same order under two names. */
static void equal_sums_have_no_witness_and_may_have_the_same_tree(void **state)
{
    (void)state;
    enum { N = 500 };
    float x[N];
    seed_random(85);
    fill(x, N, 20);
    struct explain_request request = asked("plain/tree_two_pass", "plain/tree_last_block", one_warp, x, N);
    struct explanation explanation = explained(&request);
    assert_false(explanation.data.differ);
    assert_true(explanation.data.parting.same_tree && explanation.data.nearer == -1);
    assert_true(explanation.data.parting.side[0].shared == N - 1 && explanation.data.parting.side[0].parted == 0);
    assert_true(explanation.subset.n == 0 && explanation.evaluations == 0);
    explain_free(&explanation);
    request = asked("binned/serial", "binned/tree_two_pass", one_warp, x, N); /* the twin: other trees, equal bits */
    explanation = explained(&request);
    assert_false(explanation.data.differ || explanation.data.parting.same_tree);
    explain_free(&explanation);
}

/* All of 2^24 + 1 + 2^-30 that superacc keeps and binary64 does not is too little to be told apart in binary64. */
static void methods_that_share_every_addition_part_in_what_they_return(void **state)
{
    (void)state;
    const float x[] = {0x1p24f, 1, 0x1p-30f};
    const struct explain_request request = asked("binary64/serial", "superacc/serial", one_warp, x, 3);
    struct explanation explanation = explained(&request);
    const struct two_sums *data = &explanation.data;
    assert_true(data->differ && data->parting.side[0].parted == 0 && data->parting.side[1].parted == 0);
    assert_true(data->additions[0].last_rounding == -1 && data->additions[1].last_rounding == 1 - 0x1p-30);
    char *text = printed(&request);
    assert_non_null(strstr(text, "they part in what they"));
    free(text);
    explain_free(&explanation);
}

/* ---- pairs ---- */

static bool pairs_differ(const struct explain_request *request, const double *numbers, uint64_t n, uint64_t without)
{
    float x[8], y[8];
    double sums[2];
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; i++)
        if (i != without) {
            x[count] = (float)numbers[2 * i];
            y[count++] = (float)numbers[2 * i + 1];
        }
    for (int m = 0; m < 2; m++) {
        const struct operands of = {&FORMAT_BINARY32, request->method[m]->operation, {x, y}, shape_of_one(count)};
        uint64_t bits;
        assert_int_equal(method_replay(request->method[m], &of, request->launch, 1, &bits), OK);
        sums[m] = format_value(&FORMAT_BINARY32, bits);
    }
    return !same_double(sums[0], sums[1]);
}

/* Each removal is asked anew; what is left out is a pair. */
static void pairs_shrink_to_the_fewest_on_which_dot_products_differ(void **state)
{
    (void)state;
    enum { N = 200 };
    static const char *const methods[][2] = {{"dot:plain/serial", "dot:plain/tree_two_pass"},
                                             {"dot:plain/serial", "dot_fma:plain/serial"},
                                             {"dot:plain/pairwise", "dot_exact:sum2/serial"},
                                             {"dot_exact:plain/serial", "dot_exact:plain/tree_two_pass"}};
    float x[N], y[N];
    seed_random(93);
    fill(x, N, 2);
    fill(y, N, 2);
    for (size_t p = 0; p < COUNT_OF(methods); p++) {
        struct explain_request request = asked(methods[p][0], methods[p][1], one_warp, x, N);
        request.y = y;
        struct explanation explanation = explained(&request);
        const struct shrunken *const found[] = {&explanation.subset, &explanation.witness};
        if (!explanation.data.differ || !explanation.reduced.differ)
            fail_msg("%s and %s do not differ", methods[p][0], methods[p][1]);
        for (int f = 0; f < 2; f++) {
            assert_true(found[f]->n > 0 && found[f]->n <= 8 && found[f]->width == 2 && found[f]->minimal);
            assert_true(pairs_differ(&request, found[f]->x, found[f]->n, UINT64_MAX));
            for (uint64_t i = 0; i < found[f]->n; i++) {
                assert_false(pairs_differ(&request, found[f]->x, found[f]->n, i));
                assert_true((float)found[f]->was[2 * i] == x[found[f]->index[i]]);
                assert_true((float)found[f]->was[2 * i + 1] == y[found[f]->index[i]]);
            }
        }
        explain_free(&explanation);
    }
}

/* One product of each loses nothing in the other: (1 + 2^-12)^2 - (1 + 2^-11). */
static void methods_part_in_the_product_that_one_rounds(void **state)
{
    (void)state;
    const float x[] = {1, 0x1.001p0f}, y[] = {-0x1.002p0f, 0x1.001p0f};
    struct explain_request request = asked("dot:plain/serial", "dot_fma:plain/serial", one_warp, x, 2);
    request.y = y;
    struct explanation explanation = explained(&request);
    const struct parting *parting = &explanation.data.parting;
    assert_true(explanation.data.sums[0] == 0 && explanation.data.sums[1] == 0x1p-24);
    assert_true(parting->same_tree && parting->same_accumulator && !parting->same_operation);
    for (int m = 0; m < 2; m++) {
        assert_int_equal(parting->side[m].parted, 1);
        assert_true(sum_tree_is_leaf(&explanation.data.additions[m].tree, parting->side[m].first[0].node));
    }
    explain_free(&explanation);
    request.method[1] = method_find("dot:kahan/serial"); /* the twin: products of one kind part nowhere */
    explanation = explained(&request);
    assert_true(parting->same_operation && parting->side[0].parted == 0 && parting->side[1].parted == 0);
    explain_free(&explanation);
}

static void elements_are_named_as_ranges(void **state)
{
    (void)state;
    struct sum_tree tree;
    assert_int_equal(sum_tree_make(&(struct tree_request){"test", find("plain", "tree_two_pass"), 8, {1, 2}}, &tree),
                     OK);
    struct text all = {0}, some = {0}, sum = {0};
    join_elements(&tree, (uint32_t)tree.count, &all);
    join_elements(&tree, tree.joined[tree.count - 1].left, &some);
    join_expression(&tree, (uint32_t)tree.count, NULL, NULL, &sum);
    assert_string_equal(all.text, "x0..x7 (8)");
    assert_string_equal(some.text, "x0, x2..x6 (4)");
    assert_string_equal(sum.text, "((((x0 + x2) + x4) + x6) + (((x1 + x3) + x5) + x7))");
    free(all.text);
    free(some.text);
    free(sum.text);
    sum_tree_free(&tree);
}

/* ---- threads, refusals ---- */

static void any_number_of_threads_prints_the_same(void **state)
{
    (void)state;
    enum { N = 20000 };
    static float x[N];
    static const char *const pairs[][2] = {{"plain/serial", "plain/pairwise"},
                                           {"plain/serial", "kahan/tree_two_pass"},
                                           {"kahan/serial", "binary64/serial"}};
    seed_random(86);
    fill(x, N, 30);
    for (size_t p = 0; p < COUNT_OF(pairs); p++) {
        struct explain_request request = asked(pairs[p][0], pairs[p][1], launches[FULL_GRID], x, N);
        char *alone = printed(&request), *other;
        assert_non_null(strstr(alone, "pairs of sums"));
        for (request.workers = 2; request.workers <= 7; request.workers += 5) {
            other = printed(&request);
            assert_string_equal(other, alone);
            free(other);
        }
        request.workers = 1;
        request.n--; /* the twin */
        other = printed(&request);
        assert_string_not_equal(other, alone);
        free(other);
        free(alone);
    }
}

static void what_cannot_be_explained_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *method, *words;
    } rows[] = {{"cub/device_reduce", "black box"}, {"height/serial", "does not sum"}};
    const float x[] = {1, 2};
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        for (int m = 0; m < 2; m++) {
            struct explain_request request = asked("plain/serial", "plain/serial", one_warp, x, 2);
            struct explanation explanation;
            request.method[m] = method_find(rows[r].method);
            struct heard heard = listen_to_stderr();
            const enum status status = explain_make(&request, &explanation);
            heard_all(&heard);
            assert_int_equal(status, BAD_INPUT);
            assert_non_null(strstr(heard.text, rows[r].words));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(witnesses_still_differ_and_removing_any_element_ends_it),
        cmocka_unit_test(a_witness_of_simple_numbers_is_found_in_random_ones),
        cmocka_unit_test(special_numbers_are_shrunk_too),
        cmocka_unit_test(numbers_that_are_not_minimal_are_not_verified),
        cmocka_unit_test(two_numbers_are_removed_where_one_cannot_be),
        cmocka_unit_test(witnesses_of_every_format_are_minimal_and_have_its_numbers),
        cmocka_unit_test(kahan_parts_from_plain_in_every_format),
        cmocka_unit_test(the_exact_sum_is_rounded_to_the_coarser_result),
        cmocka_unit_test(numbers_are_written_with_all_digits_of_their_format),
        cmocka_unit_test(a_nan_is_like_every_other),
        cmocka_unit_test(a_verification_that_gives_up_verifies_nothing),
        cmocka_unit_test(shrinking_that_takes_too_long_gives_up_and_says_so),
        cmocka_unit_test(significant_bits_are_those_between_the_first_one_and_the_last),
        cmocka_unit_test(methods_part_where_brute_force_says),
        cmocka_unit_test(the_worked_examples_of_the_header_are_so),
        cmocka_unit_test(equal_sums_have_no_witness_and_may_have_the_same_tree),
        cmocka_unit_test(methods_that_share_every_addition_part_in_what_they_return),
        cmocka_unit_test(elements_are_named_as_ranges),
        cmocka_unit_test(pairs_shrink_to_the_fewest_on_which_dot_products_differ),
        cmocka_unit_test(methods_part_in_the_product_that_one_rounds),
        cmocka_unit_test(any_number_of_threads_prints_the_same),
        cmocka_unit_test(what_cannot_be_explained_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
