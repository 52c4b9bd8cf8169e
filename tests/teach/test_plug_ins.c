/* blame and explain of plug-ins, through the tree that their sums show; and that they are refused where it is not the
 * tree of the sum at hand. */
#include "src/teach/blame/blame.h"
#include "src/teach/explain/explain.h"

#include "tests/support/methods.h"

#include "tests/support/heard.h"
#include "tests/support/plugin.h"
#include "tests/support/random.h"

static const struct method *numpy, *wide, *moody, *compensated, *dot;

static int add_plugins(void **state)
{
    (void)state;
    numpy = plugin_method("mine/numpy", numpy_sum);
    wide = plugin_method("mine/wide", wide_sum);
    moody = plugin_method("mine/moody", moody_sum);
    compensated = plugin_method("mine/kahan", kahan_sum_of_test);
    dot = plugin_method("dot:mine/numpy", numpy_sum);
    return 0;
}

enum { N = 300 };

static void fill(float x[N])
{
    for (int i = 0; i < N; i++)
        x[i] = ldexpf((float)below(1 << 24) - 0x1p23f, (int)below(30) - 15);
}

static enum status try_to_blame(const struct method *method, const struct operands *of, struct blame *blame)
{
    return blame_make(
        &(struct blame_request){
            .additions = {"blame", method, of->shape.terms, one_warp}, .elements = *of, .data = "numbers", .top = 3},
        blame);
}

/* blame_make proves that the errors add up to computed - s; here, that computed is the plug-in's. */
static void assert_blamed(const struct method *method, const struct operands *of)
{
    struct blame blame;
    uint64_t bits;
    assert_int_equal(method_compute(method, of, one_warp, 1, &bits), OK);
    assert_int_equal(try_to_blame(method, of, &blame), OK);
    assert_true(blame.finite);
    assert_true(blame.additions.computed == format_value(method->format, bits));
    assert_string_equal(blame.additions.method->id, method->id);
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_int_equal(blame_print(&blame, file, false), OK);
    fclose(file);
    assert_non_null(strstr(text, method->id));
    free(text);
    blame_free(&blame);
}

static void plug_ins_are_blamed(void **state)
{
    (void)state;
    float x[N], y[N];
    seed_random(1);
    for (int set = 0; set < 5; set++) {
        fill(x);
        fill(y);
        const struct operands of = operands_of_sum(&FORMAT_BINARY32, x, N);
        const struct operands products = {&FORMAT_BINARY32, OPERATION_dot, {x, y}, shape_of_one(N)};
        assert_blamed(numpy, &of);
        assert_blamed(wide, &of);
        assert_blamed(moody, &of);
        assert_blamed(dot, &products);
    }
}

static void assert_not_blamed(const struct method *method, const float *x, const char *why)
{
    struct blame blame;
    const struct operands of = operands_of_sum(&FORMAT_BINARY32, x, N);
    struct heard heard = listen_to_stderr();
    const enum status status = try_to_blame(method, &of, &blame);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    if (!strstr(heard.text, why))
        fail_msg("heard \"%s\" instead of \"%s\"", heard.text, why);
}

static void sums_that_are_not_those_of_the_tree_are_refused(void **state)
{
    (void)state;
    float x[N];
    seed_random(2);
    fill(x);
    x[0] = 0.75f;
    assert_not_blamed(moody, x, "the probe does not prove how it adds these");
    assert_not_blamed(compensated, x, "this is not the tree of a plain sum in one order");
}

static struct explain_request asked(const struct method *a, const struct method *b, const float *x)
{
    return (struct explain_request){.format = &FORMAT_BINARY32,
                                    .method = {a, b},
                                    .launch = one_warp,
                                    .x = x,
                                    .n = N,
                                    .workers = 2,
                                    .top = EXPLAIN_TOP,
                                    .most_additions = EXPLAIN_MOST_ADDITIONS};
}

static void plug_ins_are_explained(void **state)
{
    (void)state;
    const struct method *const others[] = {method_find("plain/serial"), method_find("kahan/tree_two_pass"), wide};
    float x[N];
    seed_random(3);
    fill(x);
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        struct explanation explanation;
        const struct explain_request request = asked(numpy, others[i], x);
        assert_int_equal(explain_make(&request, &explanation), OK);
        assert_true(explanation.data.differ && explanation.reduced.differ);
        assert_true(explanation.witness.n >= 3 && explanation.witness.n < 20);
        explain_free(&explanation);
    }
}

/* The twin: the same order differs nowhere. */
static void a_plug_in_and_its_own_order_do_not_differ(void **state)
{
    (void)state;
    float x[N];
    seed_random(4);
    fill(x);
    struct explanation explanation;
    const struct explain_request request = asked(plugin_method("mine/loop", loop_sum), method_find("plain/serial"), x);
    assert_int_equal(explain_make(&request, &explanation), OK);
    assert_false(explanation.data.differ);
    assert_int_equal(explanation.data.parting.side[0].parted, 0);
    explain_free(&explanation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plug_ins_are_blamed),
        cmocka_unit_test(sums_that_are_not_those_of_the_tree_are_refused),
        cmocka_unit_test(plug_ins_are_explained),
        cmocka_unit_test(a_plug_in_and_its_own_order_do_not_differ),
    };
    return cmocka_run_group_tests(tests, add_plugins, NULL);
}
