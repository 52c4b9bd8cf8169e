/* Sums of integers against a model that shares nothing with them: fixed point in 128 bits, in the tree of the order.
 * The same comparison with a model that is wrong in one thing must find differences for every accumulator. */
#include "datasets/sum_tree.h"
#include "kernels/walk.h"
#include "src/base/format.h"

#include "tests/support/methods.h"

#include "tests/support/random.h"

enum { N_MOST = 1000, FRACTION = 20, STYLES = 6 };

__extension__ typedef __int128 wide;

/* ---- the model: numbers as multiples of 2^-20 ---- */

static const char *const names[] = {"int32_wrap", "int32_saturate", "int32_accumulate", "int64_wrap"};
enum { WRAP, SATURATE, ACCUMULATE, WRAP_64, KINDS };

enum flaw { SOUND, ROUNDS, HAS_A_BIT_LESS, CUTS_DOWN, FLAWS };

struct model {
    int kind, bits, precision; /* precision: of what is added */
    enum flaw flaw;
};

struct state {
    wide sum; /* an integer */
    bool is_nan;
};

static struct model model_of(int kind, const struct format *added, enum flaw flaw)
{
    return (struct model){kind, (kind == WRAP_64 ? 64 : 32) - (flaw == HAS_A_BIT_LESS), added->precision, flaw};
}

static wide units_of(double x)
{
    const uint64_t bits = double_bits(x);
    const int shift = (int)(bits >> 52 & 0x7ff) - 1075 + FRACTION;
    const wide significand = (wide)(bits & ((UINT64_C(1) << 52) - 1)) + (wide)(UINT64_C(1) << 52);
    if ((bits & ~(UINT64_C(1) << 63)) == 0)
        return 0;
    assert_true(shift > -53 && shift < 64);
    const wide magnitude = shift >= 0 ? significand << shift : significand >> -shift;
    assert_true(shift >= 0 || magnitude << -shift == significand);
    return bits >> 63 ? -magnitude : magnitude;
}

/* To so many bits, ties to even. */
static wide rounded(wide v, int precision)
{
    const wide magnitude = v < 0 ? -v : v;
    int drop = 0;
    while (magnitude >> drop >> precision > 0)
        drop++;
    if (drop == 0)
        return v;
    const wide half = (wide)1 << (drop - 1), rest = magnitude & (2 * half - 1);
    wide kept = magnitude >> drop;
    kept += rest > half || (rest == half && kept % 2 == 1);
    return v < 0 ? -(kept << drop) : kept << drop;
}

static wide cut(const struct model *model, wide v)
{
    const wide one = (wide)1 << FRACTION;
    if (model->flaw == ROUNDS)
        return (v + (v < 0 ? -one : one) / 2) / one;
    if (model->flaw == CUTS_DOWN)
        return v < 0 ? -((one - 1 - v) / one) : v / one; /* toward -infinity, as a shift does */
    return v / one;
}

static bool is_beyond(const struct model *model, wide v)
{
    const wide end = (wide)1 << (model->bits - 1);
    return v >= end || v < -end;
}

static wide within(const struct model *model, wide v)
{
    const wide end = (wide)1 << (model->bits - 1);
    if (!is_beyond(model, v))
        return v;
    if (model->kind == SATURATE)
        return v < 0 ? -end : end - 1;
    const wide left = v % (2 * end); /* has the sign of v */
    return left >= end ? left - 2 * end : left < -end ? left + 2 * end : left;
}

static struct state add(const struct model *model, struct state s, double x)
{
    const bool fits_64 = x >= -0x1p63 && x < 0x1p63;
    if (!fits_64)
        return (struct state){s.sum, true};
    if (model->kind != ACCUMULATE)
        return (struct state){within(model, s.sum + within(model, cut(model, units_of(x)))), s.is_nan};
    const wide before = rounded(s.sum * ((wide)1 << FRACTION), model->precision);
    const wide sum = cut(model, rounded(before + units_of(x), model->precision));
    return (struct state){is_beyond(model, sum) ? 0 : sum, s.is_nan || is_beyond(model, sum)};
}

static struct state merge(const struct model *model, struct state a, struct state b)
{
    const wide sum = a.sum + b.sum;
    const bool is_nan = a.is_nan || b.is_nan || (model->kind == ACCUMULATE && is_beyond(model, sum));
    return (struct state){within(model, sum), is_nan};
}

/* In the tree; `states` has room for its nodes. */
static double sum_in_tree(const struct model *model, const struct sum_tree *tree, const double *x,
                          const struct format *result, struct state *states)
{
    for (uint64_t k = 1; k <= tree->count; k++) {
        const struct tape_node *node = &tree->joined[k - 1];
        if (node->left == 0)
            states[k] = add(model, (struct state){0}, x[(uint64_t)node->leaf]);
        else if (node->added)
            states[k] = add(model, states[node->left], x[(uint64_t)tree->joined[node->right - 1].leaf]);
        else
            states[k] = merge(model, states[node->left], states[node->right]);
    }
    const struct state s = tree->count > 0 ? states[tree->count] : (struct state){0};
    return s.is_nan ? (double)NAN : (double)rounded(s.sum, result->precision);
}

/* ---- data ---- */

static double signed_below(uint64_t bits)
{
    const double magnitude = (double)(next_random() >> (64 - bits));
    return below(2) ? magnitude : -magnitude;
}

static double number_of(int style)
{
    static const double extremal[] = {0x1p31,  0x1p31 - 1, -0x1p31, -0x1p31 - 1, 0x1p62, -0x1p63,
                                      0x1p-20, -0x1p-20,   0,       -0.0,        0x1p24, 1 - 0x1p-20};
    static const double undefined[] = {0x1p63, -0x1p64, INFINITY, -INFINITY, NAN, 0x1p200};
    switch (style) {
    case 0:
        return signed_below(22) * 0x1p-20; /* below 4 */
    case 1:
        return signed_below(45) * 0x1p-20; /* below 2^25 */
    case 2:
        return signed_below(31);
    case 3:
        return signed_below(1 + below(63));
    case 4:
        return extremal[below(COUNT_OF(extremal))];
    default:
        return below(300) == 0 ? undefined[below(COUNT_OF(undefined))] : fabs(signed_below(43)) * 0x1p-20;
    }
}

/* ---- all orders ---- */

struct comparison {
    size_t compared, nan, steps, differ[KINDS], of_kind[KINDS];
};

static const struct sum_format *const formats[] = {&sum_format_binary32, &sum_format_binary64, &sum_format_bfloat16,
                                                   &sum_format_binary32_to_binary64};

static const struct method *method_in_order(const char *accumulator, const char *order, const struct sum_format *in)
{
    const struct method *method = method_in(find(accumulator, order), in);
    assert_non_null(method);
    return method;
}

static void count_step(void *to, const struct step *step)
{
    (void)step;
    ++*(size_t *)to;
}

/* Watched, as `blame` does. */
static void assert_walks_to(uint64_t bits, const struct method *method, const struct sum_tree *tree,
                            const struct operands *of, struct comparison *comparison)
{
    double walked;
    assert_int_equal(walk_watched(method, tree->joined, tree->count, of, count_step, &comparison->steps, &walked), OK);
    assert_true(format_same(method->format, bits, format_bits(method->format, rounded_to(walked, method->format))));
}

static void compare_one(const struct method *method, int kind, struct launch launch, const struct sum_tree *tree,
                        const double *x, const struct operands *of, enum flaw flaw, struct comparison *comparison)
{
    static struct state states[2 * N_MOST + 1];
    const struct model model = model_of(kind, method->sum_format->added, flaw);
    const double expected = sum_in_tree(&model, tree, x, method->format, states);
    uint64_t bits;
    assert_int_equal(method_replay(method, of, launch, 1, &bits), OK);
    if (of->shape.terms % 8 == 1)
        assert_walks_to(bits, method, tree, of, comparison);
    const bool same = format_same(method->format, bits, format_bits(method->format, expected));
    if (!same && flaw == SOUND)
        fail_msg("%s, n = %llu, %u x %u: the replay has %a, the model %a", method->id,
                 (unsigned long long)of->shape.terms, launch.blocks, launch.threads, format_value(method->format, bits),
                 expected);
    comparison->compared++;
    comparison->of_kind[kind]++;
    comparison->nan += isnan(expected) != 0;
    comparison->differ[kind] += !same;
}

/* All orders, each in a launch that it can do, of one format. */
static void compare_orders(const double *x, uint64_t n, const struct sum_format *in, enum flaw flaw,
                           struct comparison *comparison)
{
    size_t count;
    const struct method *const *table = method_table(&count);
    static double held[N_MOST]; /* in the format, as the host has it */
    for (uint64_t i = 0; i < n; i++)
        held_set(in->stored, held, i, x[i]);
    const struct operands of = operands_of_sum(in->stored, held, n);
    for (size_t m = 0; m < count; m++) {
        const struct launch launch = launches[(m + n) % LAUNCHES];
        if (strcmp(table[m]->accumulator, "plain") != 0)
            continue;
        const struct method *plain = method_in_order("plain", table[m]->order, in);
        struct sum_tree tree;
        if (!can_do(plain, launch))
            continue;
        assert_int_equal(sum_tree_make(&(struct tree_request){"test", plain, n, launch}, &tree), OK);
        for (int kind = 0; kind < KINDS; kind++) {
            const struct method *method = method_in_order(names[kind], plain->order, in);
            if (can_do(method, launch))
                compare_one(method, kind, launch, &tree, x, &of, flaw, comparison);
        }
        sum_tree_free(&tree);
    }
}

static struct comparison compare_all(uint64_t n_most, enum flaw flaw)
{
    static double x[N_MOST];
    struct comparison comparison = {0};
    seed_random(45);
    for (uint64_t n = 0; n <= n_most; n++) {
        const struct sum_format *in = formats[n / STYLES % COUNT_OF(formats)];
        for (uint64_t i = 0; i < n; i++)
            x[i] = rounded_to(number_of((int)(n % STYLES)), in->stored);
        compare_orders(x, n, in, flaw, &comparison);
    }
    return comparison;
}

static void every_order_has_the_bits_of_the_model(void **state)
{
    (void)state;
    const struct comparison comparison = compare_all(N_MOST, SOUND);
    print_message("%zu sums, of which %zu are undefined\n", comparison.compared, comparison.nan);
    assert_true(comparison.compared >= 70000);
    assert_true(comparison.steps >= 1000000);
    assert_true(comparison.nan >= 5000 && comparison.nan <= comparison.compared / 3);
    for (int kind = 0; kind < KINDS; kind++)
        assert_true(comparison.of_kind[kind] >= 17000);
}

static void a_model_that_is_wrong_in_one_thing_differs(void **state)
{
    (void)state;
    for (int flaw = SOUND + 1; flaw < FLAWS; flaw++) {
        const struct comparison comparison = compare_all(100, (enum flaw)flaw);
        for (int kind = 0; kind < KINDS; kind++)
            if (comparison.differ[kind] < comparison.of_kind[kind] / 200)
                fail_msg("flaw %d of %s shows in %zu of %zu", flaw, names[kind], comparison.differ[kind],
                         comparison.of_kind[kind]);
    }
}

/* ---- as C has it ---- */

static void int32_accumulate_is_an_int_to_which_a_float_is_added(void **state)
{
    (void)state;
    enum { SUMS_COMPARED = 2000 };
    const struct method *cut_sums = find("int32_accumulate", "serial"), *cut_numbers = find("int32_wrap", "serial");
    size_t differ = 0;
    float x[N_MOST];
    seed_random(46);
    for (int i = 0; i < SUMS_COMPARED; i++) {
        const uint64_t n = 1 + below(N_MOST);
        int sum = 0;
        for (uint64_t k = 0; k < n; k++) {
            x[k] = (float)number_of(i % 2);
            sum = (int)((float)sum + x[k]);
        }
        assert_true((float)sum == replay(cut_sums, x, n, one_warp));
        differ += (float)sum != replay(cut_numbers, x, n, one_warp);
    }
    assert_true(differ > SUMS_COMPARED / 2);
}

/* 2^62 + 2^38 is between two numbers of binary32, and a tie that the last bit decides: rounded to binary64 first, it is
 * lost. */
static void a_sum_of_64_bits_is_rounded_once(void **state)
{
    (void)state;
    const struct method *method = find("int64_wrap", "serial");
    for (int sign = -1; sign <= 1; sign += 2) {
        const float f = (float)sign, x[] = {f * 0x1p62f, f * 0x1p38f, f};
        assert_true(replay(method, x, 3, one_warp) == f * (0x1p62f + 0x1p39f));
        assert_true(replay(method, x, 2, one_warp) == f * 0x1p62f);
        assert_true((float)((double)x[0] + (double)x[1] + (double)x[2]) == f * 0x1p62f);
    }
}

/* Products of int8, and of numbers whose sum wraps around. */
static void dot_products_are_those_of_int8_in_int32(void **state)
{
    (void)state;
    static const char *const ids[] = {"dot:int32_wrap/serial", "dot:int32_wrap/vector_two_pass@binary64",
                                      "dot:int32_wrap/tree_two_pass@bfloat16_to_binary32",
                                      "dot:int32_wrap/pairwise@binary32_to_binary64"};
    size_t compared = 0, wrapped = 0, unlike_saturated = 0;
    double x[N_MOST], y[N_MOST];
    seed_random(47);
    for (uint64_t n = 1; n <= N_MOST; n++) {
        const struct method *method = method_find(ids[n % COUNT_OF(ids)]);
        assert_non_null(method);
        const struct format *format = method->sum_format->stored;
        const bool is_large = n % 8 == 5 && format->precision == 53;
        uint32_t sum = 0;
        int64_t whole = 0;
        for (uint64_t i = 0; i < n; i++) {
            const int range = is_large ? 1 << 16 : 1 << 8;
            const int a = (int)below((uint64_t)range) - range / 2, b = (int)below((uint64_t)range) - range / 2;
            sum += (uint32_t)a * (uint32_t)b;
            whole += (int64_t)a * b;
            held_set(format, x, i, a);
            held_set(format, y, i, b);
        }
        const struct operands of = {format, OPERATION_dot, {x, y}, shape_of_one(n)};
        const struct method *saturate = method_in(method_find("dot:int32_saturate/serial"), method->sum_format);
        uint64_t bits, saturated;
        assert_int_equal(method_replay(method, &of, one_warp, 1, &bits), OK);
        assert_int_equal(method_replay(saturate, &of, one_warp, 1, &saturated), OK);
        const double expected = rounded_to((double)(int32_t)sum, method->format);
        if (format_value(method->format, bits) != expected)
            fail_msg("%s, n = %llu: %a, not %a", method->id, (unsigned long long)n, format_value(method->format, bits),
                     expected);
        compared++;
        wrapped += whole != (int32_t)sum;
        unlike_saturated += bits != saturated;
    }
    print_message("%zu products, of which %zu wrapped around\n", compared, wrapped);
    assert_int_equal(compared, N_MOST);
    assert_true(wrapped > 50 && unlike_saturated >= wrapped);
}

/* ---- orders ---- */

static void wrapping_has_the_same_bits_in_every_order_and_saturating_has_not(void **state)
{
    (void)state;
    float x[N_MOST];
    size_t differ[KINDS] = {0}, compared = 0, methods;
    const struct method *const *table = method_table(&methods);
    seed_random(48);
    for (int i = 0; i < N_MOST; i++)
        x[i] = (float)signed_below(30);
    for (size_t m = 0; m < methods; m++)
        for (int kind = 0; kind < KINDS; kind++) {
            if (strcmp(table[m]->accumulator, names[kind]) != 0 || !can_do(table[m], launches[1]))
                continue;
            const float sum = replay(table[m], x, N_MOST, launches[1]);
            differ[kind] += !float_same(sum, replay(find(names[kind], "serial"), x, N_MOST, one_warp));
            compared++;
        }
    assert_true(compared >= 70);
    assert_int_equal(differ[WRAP], 0);
    assert_int_equal(differ[WRAP_64], 0);
    assert_true(differ[SATURATE] >= 10);
    assert_int_equal(find("int32_wrap", "tree_atomic")->determinism, DETERMINISTIC);
    assert_int_equal(find("int32_saturate", "tree_atomic")->determinism, ORDER_OF_ARRIVAL);
}

/* ---- bounds ---- */

static void errors_stay_below_the_bound_and_come_near_it(void **state)
{
    (void)state;
    size_t claimed[KINDS] = {0}, without = 0;
    double worst[KINDS] = {0};
    float x[N_MOST];
    seed_random(49);
    for (uint64_t n = 1; n <= N_MOST; n++) {
        const int style = (int)(n % 5);
        for (uint64_t i = 0; i < n; i++)
            x[i] = style == 4 ? 0x1.fffffep+0f : (float)number_of(style == 3 ? 3 : style % 3);
        struct trial trial = trial_of("integers", x, n);
        for (int kind = 0; kind < KINDS; kind++) {
            const struct method *method = find(names[kind], n % 2 ? "serial" : "tree_two_pass");
            const double bound = bound_of(method, one_warp, &trial.exact);
            without += isinf(bound) != 0;
            if (isinf(bound))
                continue;
            const double ratio = ratio_of(method, one_warp, &trial);
            if (!(ratio <= 1))
                fail_msg("%s, n = %llu, style %d: %g of its bound", method->id, (unsigned long long)n, style, ratio);
            worst[kind] = fmax(worst[kind], ratio);
            claimed[kind]++;
        }
        exact_free(&trial.exact);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        print_message("%s: %zu bounds, at most %.3f of one\n", names[kind], claimed[kind], worst[kind]);
        assert_true(claimed[kind] >= 400 && worst[kind] > 0.9);
    }
    assert_true(without >= 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_has_the_bits_of_the_model),
        cmocka_unit_test(a_model_that_is_wrong_in_one_thing_differs),
        cmocka_unit_test(int32_accumulate_is_an_int_to_which_a_float_is_added),
        cmocka_unit_test(a_sum_of_64_bits_is_rounded_once),
        cmocka_unit_test(dot_products_are_those_of_int8_in_int32),
        cmocka_unit_test(wrapping_has_the_same_bits_in_every_order_and_saturating_has_not),
        cmocka_unit_test(errors_stay_below_the_bound_and_come_near_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
