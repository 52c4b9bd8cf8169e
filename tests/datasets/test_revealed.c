/* Plug-ins with an order: what is revealed of them stands in for a declared one. */
#include "datasets/probe/revealed.h"

#include "tests/support/meeting.h"
#include "tests/support/methods.h"

#include "tests/support/heard.h"
#include "tests/support/plugin.h"

static const struct method *loop, *numpy, *wide, *compensated, *dot, *bfloat16;

static int add_plugins(void **state)
{
    (void)state;
    loop = plugin_method("mine/loop", loop_sum);
    numpy = plugin_method("mine/numpy", numpy_sum);
    wide = plugin_method("mine/wide", wide_sum);
    compensated = plugin_method("mine/kahan", kahan_sum_of_test);
    dot = plugin_method("dot:mine/numpy", numpy_sum);
    bfloat16 = plugin_method("mine/numpy@bfloat16", numpy_sum);
    return 0;
}

static struct tree_request request_of(const struct method *method, uint64_t n)
{
    return (struct tree_request){"test", method, n, one_warp};
}

static struct sum_tree tree_of(const struct method *method, uint64_t n)
{
    struct sum_tree tree;
    const struct tree_request request = request_of(method, n);
    assert_int_equal(sum_tree_make(&request, &tree), OK);
    assert_int_equal(tree.n, n);
    return tree;
}

static void a_loop_has_the_tree_of_serial(void **state)
{
    (void)state;
    for (uint64_t n = 0; n <= 50; n += 10) {
        struct sum_tree revealed = tree_of(loop, n), declared = tree_of(find("plain", "serial"), n);
        assert_int_equal(revealed.count, declared.count);
        for (uint64_t k = 0; k < revealed.count; k++)
            assert_true(revealed.joined[k].left == declared.joined[k].left &&
                        revealed.joined[k].right == declared.joined[k].right &&
                        revealed.joined[k].added == declared.joined[k].added);
        sum_tree_free(&revealed);
        sum_tree_free(&declared);
    }
}

/* The twin: height 50 is not that of 8 sums. */
static void numpys_sum_has_another(void **state)
{
    (void)state;
    struct sum_tree tree = tree_of(numpy, 50);
    assert_int_equal(sum_tree_height(&tree), 6 + 3 + 2);
    assert_int_equal(sum_tree_between(&tree, 0, 8), 0);
    assert_int_equal(sum_tree_between(&tree, 0, 1), 10);
    sum_tree_free(&tree);
}

static void a_tree_is_probed_once(void **state)
{
    (void)state;
    struct sum_tree tree = tree_of(numpy, 77);
    const uint64_t calls = plugin_calls(numpy);
    sum_tree_free(&tree);
    tree = tree_of(numpy, 77);
    assert_int_equal(plugin_calls(numpy), calls);
    sum_tree_free(&tree);
    tree = tree_of(numpy, 78);
    assert_true(plugin_calls(numpy) > calls + 78);
    sum_tree_free(&tree);
}

static const struct revealed *revealed_of(const struct method *method, uint64_t n)
{
    const struct revealed *revealed;
    const struct tree_request request = request_of(method, n);
    assert_int_equal(revealed_order(&request, &revealed), OK);
    return revealed;
}

static void plain_additions_of_the_seen_format_stand_in(void **state)
{
    (void)state;
    assert_string_equal(revealed_of(loop, 30)->stand_in.accumulator, "plain");
    assert_string_equal(revealed_of(loop, 30)->stand_in.id, "mine/loop");
    assert_string_equal(revealed_of(wide, 30)->stand_in.accumulator, "binary64");
    assert_string_equal(revealed_of(wide, 30)->probe.added->name, "binary64");
    assert_string_equal(revealed_of(bfloat16, 600)->probe.added->name, "binary32");
    assert_string_equal(revealed_of(bfloat16, 600)->stand_in.sum_format->id, "bfloat16");
}

static void a_dot_product_has_a_tree_of_products(void **state)
{
    (void)state;
    struct sum_tree tree = tree_of(dot, 50), of_sum = tree_of(numpy, 50);
    assert_int_equal(tree.letter, 'p');
    assert_int_equal(sum_tree_height(&tree), sum_tree_height(&of_sum));
    sum_tree_free(&tree);
    sum_tree_free(&of_sum);
}

static void assert_refused(const struct tree_request *request, const char *why)
{
    struct sum_tree tree;
    struct heard heard = listen_to_stderr();
    const enum status status = sum_tree_make(request, &tree);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_null(tree.joined);
    if (!strstr(heard.text, why))
        fail_msg("heard \"%s\" instead of \"%s\"", heard.text, why);
}

static void a_compensated_sum_has_none(void **state)
{
    (void)state;
    const struct tree_request request = request_of(compensated, 20),
                              gpu = request_of(method_find("cub/device_reduce"), 20);
    assert_refused(&request, "this is not the tree of a plain sum in one order");
    assert_refused(&gpu, "is a black box, whose order nobody knows");
    const struct tree_request long_one = request_of(loop, PROBE_HOST_MOST_N + 1);
    assert_refused(&long_one, "expected at most 262144 elements");
}

/* ---- data made for its order ---- */

static float sum_of_data(const char *method, const struct method *adds)
{
    struct data_spec *specs;
    struct dataset data;
    size_t count;
    char text[TEXT_SIZE];
    float sum;
    snprintf(text, sizeof text, "lca:n=200,method=%s", method);
    assert_int_equal(data_specs_read(text, "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(dataset_make(specs, 1, 0, &data), OK);
    assert_int_equal(method_sum(adds, data.x, data.n, one_warp, 1, &sum), OK);
    dataset_free(&data);
    data_specs_free(specs, count);
    return sum;
}

/* lca has M and -M meet at the root, after all the others: nothing is left of them.  What it does to another order is
 * not as bad. */
static void data_made_for_a_plug_in_hit_it(void **state)
{
    (void)state;
    assert_true(sum_of_data("mine/numpy", numpy) == 0);
    assert_true(sum_of_data("mine/numpy", method_find("plain/serial")) > 0);
    assert_true(sum_of_data("mine/loop", loop) == 0);
}

static void data_for_a_sum_without_a_tree_are_refused(void **state)
{
    (void)state;
    struct data_spec *specs;
    struct dataset data;
    size_t count;
    assert_int_equal(data_specs_read("lca:n=20,method=mine/kahan", "test", NONFINITE_REFUSE, &specs, &count), OK);
    struct heard heard = listen_to_stderr();
    const enum status status = dataset_make(specs, 1, 0, &data);
    heard_all(&heard);
    assert_int_equal(status, BAD_INPUT);
    assert_non_null(strstr(heard.text, "this is not the tree of a plain sum in one order"));
    data_specs_free(specs, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_has_the_tree_of_serial),
        cmocka_unit_test(numpys_sum_has_another),
        cmocka_unit_test(a_tree_is_probed_once),
        cmocka_unit_test(plain_additions_of_the_seen_format_stand_in),
        cmocka_unit_test(a_dot_product_has_a_tree_of_products),
        cmocka_unit_test(a_compensated_sum_has_none),
        cmocka_unit_test(data_made_for_a_plug_in_hit_it),
        cmocka_unit_test(data_for_a_sum_without_a_tree_are_refused),
    };
    return cmocka_run_group_tests(tests, add_plugins, NULL);
}
