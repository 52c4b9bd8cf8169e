/* Who is blamed: the charges are a partition of what was lost, the lists are those of a sort, the words are true. */
#include "src/teach/blame/blame.h"

#include "tests/support/methods.h"

#include "tests/support/heard.h"
#include "tests/support/random.h"

#include "src/base/format.h"
#include "src/base/number.h"

static struct blame blame_of(const struct method *method, struct launch launch, const float *x, uint64_t n, size_t top)
{
    struct blame blame;
    const struct blame_request request = {.additions = {"test", method, n, launch},
                                          .elements = operands_of_sum(&FORMAT_BINARY32, x, n),
                                          .data = "numbers",
                                          .top = top};
    assert_int_equal(blame_make(&request, &blame), OK);
    return blame;
}

/* Exponents over a range, and some zeros. */
static void fill(float *x, uint64_t n, int exponents)
{
    for (uint64_t i = 0; i < n; i++) {
        x[i] = ldexpf((float)below(1 << 24) - 0x1p23f, (int)below((uint64_t)exponents) - exponents / 2);
        if (below(10) == 0)
            x[i] = 0;
    }
}

struct numbers {
    const float *x;
    uint64_t n, lost, backward;
};

typedef void blame_visitor(const struct blame *blame, struct numbers *numbers);

struct visit {
    blame_visitor *look;
    struct numbers numbers;
};

static void look_at(const struct method *method, struct launch launch, void *context)
{
    struct visit *visit = context;
    struct blame blame = blame_of(method, launch, visit->numbers.x, visit->numbers.n, 5);
    visit->look(&blame, &visit->numbers);
    blame_free(&blame);
}

static struct numbers visit_all(blame_visitor *look, uint64_t seed)
{
    enum { N = 600 };
    static float x[N];
    struct visit visit = {.look = look, .numbers.x = x};
    seed_random(seed);
    forget_visits();
    for (int round = 0; round < 2 * TURNS; round++) {
        visit.numbers.n = round < 10 ? (uint64_t)round : below(N);
        fill(x, visit.numbers.n, 1 + (int)below(120));
        visit_sums(IN_TURN, LAUNCHES, look_at, &visit);
    }
    assert_every_method_was_visited(LAUNCHES, 2);
    return visit.numbers;
}

/* ---- charges ---- */

/* Rates are sums of as many numbers as a path is long, each rounded; charges are added in a row. */
static double rounding_of(const struct blame *blame)
{
    return (double)(sum_tree_height(&blame->additions.tree) + blame->exact.n + 4) * 0x1p-53;
}

static void charges_add_up(const struct blame *blame, struct numbers *numbers)
{
    double all = 0, largest = 0;
    assert_true(blame->finite);
    for (uint64_t i = 0; i < blame->exact.n; i++) {
        const double charged = charges_of(&blame->charges, &blame->additions, i);
        assert_true(charged >= charges_itself(&blame->charges, &blame->additions, i));
        all += charged;
        largest = fmax(largest, charged);
    }
    const double tolerance = blame->lost * rounding_of(blame);
    if (!(fabs(all - blame->lost) <= tolerance))
        fail_msg("%s: charges are %a, lost were %a", blame->request.additions.method->id, all, blame->lost);
    if (blame->lost > 0) { /* the twin: they do not without the element that is charged most */
        assert_true(fabs(all - largest - blame->lost) > tolerance);
        numbers->lost++;
    }
}

static void charges_of_every_method_add_up_to_what_was_lost(void **state)
{
    (void)state;
    const struct numbers numbers = visit_all(charges_add_up, 41);
    print_message("%llu sums that lost something\n", (unsigned long long)numbers.lost);
    assert_true(numbers.lost > 500);
}

static void backward_errors_add_up(const struct blame *blame, struct numbers *numbers)
{
    double sum = 0, size = 0, growth = fabs(blame->charges.last);
    for (uint64_t i = 0; i < blame->exact.n; i++) {
        sum += charges_backward(&blame->charges, &blame->additions, i);
        size += fabs(additions_factor(&blame->request.elements, false, i));
    }
    for (uint32_t k = 1; k <= blame->additions.tree.count; k++)
        if (blame->additions.tree.joined[k - 1].left != 0)
            growth = fmax(growth, fabs(blame->charges.growth[k]));
    if (isnan(sum))
        return; /* lost from nothing: no factor */
    const double error = mpfr_get_d(blame->difference, MPFR_RNDN);
    if (!(fabs(sum - error) <= 4 * size * (growth + 0x1p-53) * rounding_of(blame)))
        fail_msg("%s: backward errors add up to %a, not to %a", blame->request.additions.method->id, sum, error);
    numbers->backward += error != 0;
}

static void backward_errors_of_every_method_add_up_to_the_error(void **state)
{
    (void)state;
    const struct numbers numbers = visit_all(backward_errors_add_up, 42);
    assert_true(numbers.backward > 500);
}

static void the_worked_example_of_the_header_is_so(void **state)
{
    (void)state;
    struct blame blame = blame_of(find("plain", "serial"), one_warp, TERMS(0x1p24f, 1, 3), 10);
    assert_true(charges_of(&blame.charges, &blame.additions, 0) == 0);
    assert_true(charges_of(&blame.charges, &blame.additions, 1) == 1);
    assert_true(charges_of(&blame.charges, &blame.additions, 2) == 1);
    assert_true(blame.lost == 2 && blame_cancelled(&blame) == 1 && blame.judged.class == CLASS_EXACT);
    assert_int_equal(blame.top_addition_count, 2);
    assert_int_equal(blame.top_additions[0].node, 3);
    assert_int_equal(blame.top_elements.count, 2);
    assert_int_equal(blame.top_elements.entries[0].index, 1);
    blame_free(&blame);
}

/* (2^24 + 0) + (3 + 0.5): the right operand is a sum, and loses 0.5, which 3 and 0.5 pay 6 to 1. */
static void a_partial_sum_hands_its_charge_down_in_proportion(void **state)
{
    (void)state;
    struct blame blame = blame_of(find("plain", "pairwise_1"), one_warp, TERMS(0x1p24f, 0, 3, 0.5f), 10);
    assert_true(blame.lost == 0.5);
    const double share = charges_of(&blame.charges, &blame.additions, 2);
    assert_true(fabs(share - 0.5 * 6 / 7) < 1e-15 && charges_itself(&blame.charges, &blame.additions, 2) == 0);
    assert_true(fabs(charges_of(&blame.charges, &blame.additions, 3) - 0.5 / 7) < 1e-15);
    assert_true(charges_of(&blame.charges, &blame.additions, 0) == 0);
    blame_free(&blame);
}

/* (2^60 + 1) + (2^60 + 2^-60), which binary64 holds as 2^60 twice and what is beside it: of that 2^-60 is lost. */
static void of_equal_operands_the_right_one_is_charged(void **state)
{
    (void)state;
    struct blame blame =
        blame_of(find("binary64_kahan", "pairwise_1"), one_warp, TERMS(0x1p60f, 1, 0x1p60f, 0x1p-60f), 10);
    assert_true(blame.lost == 0x1p-60 && blame.additions.value[3] == blame.additions.value[6]);
    assert_true(charges_of(&blame.charges, &blame.additions, 0) == 0);
    assert_true(charges_of(&blame.charges, &blame.additions, 1) == 0);
    assert_true(charges_of(&blame.charges, &blame.additions, 2) == 0x1p-60);
    blame_free(&blame);
}

/* kahan loses nothing in its addition, but returns its sum alone. */
static void the_last_rounding_is_a_part_of_all_that_was_lost(void **state)
{
    (void)state;
    struct blame blame = blame_of(find("kahan", "serial"), one_warp, TERMS(0x1p24f, 1), 10);
    assert_true(blame.lost == 0 && blame_all_lost(&blame) == 1 && blame_cancelled(&blame) == 0);
    blame_free(&blame);
}

/* A 0 ends the third block of fabsum, whose 2^-30 is then lost beside the correction 1. */
static void zeros_are_charged_nothing(void **state)
{
    (void)state;
    float x[3 * 128] = {[0] = 0x1p24f, [128] = 1, [256] = 0x1p-30f};
    struct blame blame = blame_of(find("fabsum", "serial"), one_warp, x, COUNT_OF(x), 10);
    double all = 0;
    assert_true(blame.lost == 0x1p-30 && blame.top_additions[0].right == blame.additions.tree.leaf[COUNT_OF(x) - 1]);
    for (uint64_t i = 0; i < COUNT_OF(x); i++) {
        assert_true(x[i] != 0 || charges_of(&blame.charges, &blame.additions, i) == 0);
        all += charges_of(&blame.charges, &blame.additions, i);
    }
    assert_true(fabs(all - 0x1p-30) <= 0x1p-80);
    blame_free(&blame);
}

/* ---- lists ---- */

static int by_loss(const void *left, const void *right)
{
    const struct top_entry *a = left, *b = right;
    if (a->size != b->size)
        return a->size < b->size ? 1 : -1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Few different sizes, so that many are equal. */
static void a_top_list_is_the_beginning_of_a_sorted_one(void **state)
{
    (void)state;
    enum { MOST = 300 };
    struct top_entry all[MOST];
    seed_random(43);
    for (int round = 0; round < 500; round++) {
        const size_t n = below(MOST), top = below(40);
        struct top_list list;
        top_list_start(top, &list);
        for (size_t i = 0; i < n; i++) {
            all[i] = (struct top_entry){(double)below(round % 2 ? 5 : 1000), i};
            top_list_offer(&list, all[i].size, i);
        }
        top_list_offer(&list, NAN, n);
        qsort(all, n, sizeof *all, by_loss);
        size_t positive = 0;
        while (positive < n && all[positive].size > 0)
            positive++;
        assert_int_equal(list.count, positive < top ? positive : top);
        for (size_t i = 0; i < list.count; i++)
            assert_true(list.entries[i].size == all[i].size && list.entries[i].index == all[i].index);
        top_list_free(&list);
    }
}

static void additions_are_listed_as_a_sort_has_them(const struct blame *blame, struct numbers *numbers)
{
    const struct additions *of = &blame->additions;
    for (size_t i = 0; i < blame->top_addition_count; i++) {
        const struct blame_addition *addition = &blame->top_additions[i];
        uint64_t before = 0;
        for (uint32_t k = 1; k <= of->tree.count; k++)
            before +=
                fabs(of->error[k]) > addition->lost || (fabs(of->error[k]) == addition->lost && k < addition->node);
        assert_int_equal(before, i);
        assert_true(addition->lost == fabs(of->error[addition->node]) && addition->lost > 0);
        numbers->lost++;
    }
    assert_int_equal(blame->top_addition_count, blame->additions.inexact < 5 ? blame->additions.inexact : 5);
}

static void additions_of_every_method_are_listed_as_a_sort_has_them(void **state)
{
    (void)state;
    assert_true(visit_all(additions_are_listed_as_a_sort_has_them, 44).lost > 1000);
}

/* ---- which elements ---- */

static void assert_span(const struct sum_tree *tree, uint32_t node, const struct span *span)
{
    uint64_t count = 0, first = UINT64_MAX, last = 0;
    for (uint64_t i = 0; i < tree->n; i++) {
        uint32_t k = tree->leaf[i];
        while (k != node && tree->place[k].parent != 0)
            k = tree->place[k].parent;
        if (k != node)
            continue;
        count++;
        first = first == UINT64_MAX ? i : first;
        last = i;
        assert_true(span->step == 0 ? i == span->first : (i - span->first) % span->step == 0);
    }
    assert_true(count == span->count && first == span->first && last == span->last);
}

static void spans_are_what_stands_below(void **state)
{
    (void)state;
    enum { N = 60, NODES = 2 * N };
    static const char *const orders[] = {"serial", "pairwise_1", "tree_two_pass", "shuffle_two_pass", "blocked"};
    for (size_t o = 0; o < COUNT_OF(orders); o++) {
        struct sum_tree tree;
        struct span spans[NODES];
        uint32_t nodes[NODES];
        const struct launch launch = {1, o == 3 ? 32 : 4};
        assert_int_equal(sum_tree_make(&(struct tree_request){"test", find("plain", orders[o]), N, launch}, &tree), OK);
        for (uint32_t k = 1; k <= tree.count; k++)
            nodes[k - 1] = 1 + (uint32_t)((k * 37) % tree.count); /* in no order */
        spans_find(&tree, nodes, tree.count, spans);
        for (uint32_t k = 0; k < tree.count; k++)
            assert_span(&tree, nodes[k], &spans[k]);
        sum_tree_free(&tree);
    }
}

static void spans_are_written_in_few_words(void **state)
{
    (void)state;
    static const struct {
        struct span span;
        const char *text;
    } rows[] = {{{7, 7, 1, 0, 'x'}, "x7"},
                {{0, 1, 2, 1, 'x'}, "(x0 + x1)"},
                {{0, 1023, 1024, 1, 'x'}, "x0..x1023 (1024)"},
                {{0, 480, 5, 120, 'x'}, "x0, x120..x480 (5)"},
                {{2, 999, 37, 1, 'p'}, "37 of p2..p999"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[SPAN_TEXT];
        span_write(&rows[i].span, text);
        assert_string_equal(text, rows[i].text);
    }
}

/* ---- products ---- */

/* (1 + 2^-12)^2 loses 2^-24, and beside 2^24 it is rounded up to 2; 3 * 2^-24 is lost there. */
static void a_product_is_charged_what_it_lost(void **state)
{
    (void)state;
    const float x[] = {0x1p12f, 0x1.001p0f, 3}, y[] = {0x1p12f, 0x1.001p0f, 0x1p-24f};
    const struct method *method = method_find("dot:plain/serial");
    const struct blame_request request = {.additions = {"test", method, 3, one_warp},
                                          .elements = {&FORMAT_BINARY32, OPERATION_dot, {x, y}, shape_of_one(3)},
                                          .data = "pairs",
                                          .top = 10};
    struct blame blame;
    assert_int_equal(blame_make(&request, &blame), OK);
    const double product = 0x1p-24, first = 1 - 0x1p-11, second = 3 * 0x1p-24;
    double charged = 0, backward = 0;
    for (uint64_t i = 0; i < 3; i++) {
        charged += charges_of(&blame.charges, &blame.additions, i);
        backward += charges_backward(&blame.charges, &blame.additions, i);
    }
    assert_true(blame.lost == product + first + second && charged == blame.lost);
    assert_true(charges_itself(&blame.charges, &blame.additions, 1) == product + first);
    assert_true(backward == mpfr_get_d(blame.difference, MPFR_RNDN));
    assert_int_equal(blame.top_addition_count, 3);
    const struct blame_addition *last = &blame.top_additions[2];
    assert_true(blame_is_product(&blame, last->node) && !blame_is_product(&blame, blame.top_additions[0].node));
    assert_true(blame_operand(&blame, last, false) == 0x1.001p0 && blame_operand(&blame, last, true) == 0x1.001p0);
    blame_free(&blame);
}

/* ---- what adds up to nothing ---- */

static void what_is_not_finite_has_a_first_addition_and_no_proof(void **state)
{
    (void)state;
    struct blame blame = blame_of(find("plain", "serial"), one_warp, TERMS(1, FLT_MAX, FLT_MAX, -FLT_MAX), 10);
    assert_false(blame.finite);
    assert_int_equal(blame.first_not_finite.node, 5);
    assert_int_equal(blame.first_not_finite.left_span.count, 2);
    assert_int_equal(blame.top_addition_count, 0);
    assert_int_equal(blame.judged.class, CLASS_OVERFLOW);
    blame_free(&blame);
    blame = blame_of(find("plain", "serial"), one_warp, TERMS(1, FLT_MAX, -FLT_MAX), 10); /* the twin */
    assert_true(blame.finite && blame.first_not_finite.node == 0);
    blame_free(&blame);
    blame = blame_of(find("binary64", "serial"), one_warp, TERMS(FLT_MAX, FLT_MAX), 10); /* the last rounding alone */
    assert_true(!blame.finite && blame.first_not_finite.node == 0 && isinf(blame.additions.computed));
    blame_free(&blame);
}

static void what_has_no_additions_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        uint64_t n;
        const char *words;
    } rows[] = {{"cub/device_reduce", 10, "ulpscope tree cub/device_reduce -n 64 --probe"},
                {"height/serial", 10, "does not sum"},
                {"plain/serial", (1 << 24) + 1, "at most 16777216"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct blame blame;
        const struct blame_request request = {.additions = {"test", method_find(rows[i].method), rows[i].n, one_warp},
                                              .data = "numbers"};
        struct heard heard = listen_to_stderr();
        const enum status status = blame_make(&request, &blame);
        heard_all(&heard);
        assert_int_equal(status, BAD_INPUT);
        assert_non_null(strstr(heard.text, rows[i].words));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charges_of_every_method_add_up_to_what_was_lost),
        cmocka_unit_test(backward_errors_of_every_method_add_up_to_the_error),
        cmocka_unit_test(the_worked_example_of_the_header_is_so),
        cmocka_unit_test(a_partial_sum_hands_its_charge_down_in_proportion),
        cmocka_unit_test(of_equal_operands_the_right_one_is_charged),
        cmocka_unit_test(the_last_rounding_is_a_part_of_all_that_was_lost),
        cmocka_unit_test(zeros_are_charged_nothing),
        cmocka_unit_test(a_top_list_is_the_beginning_of_a_sorted_one),
        cmocka_unit_test(additions_of_every_method_are_listed_as_a_sort_has_them),
        cmocka_unit_test(spans_are_what_stands_below),
        cmocka_unit_test(spans_are_written_in_few_words),
        cmocka_unit_test(a_product_is_charged_what_it_lost),
        cmocka_unit_test(what_is_not_finite_has_a_first_addition_and_no_proof),
        cmocka_unit_test(what_has_no_additions_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
