/* `tree --probe` on a device that is none (device_fake.c): what it says of orders that are as declared, of others, and
 * of methods that have none. */
#define PROGRAM "" /* no line is run here */
#include "tests/device/device_fake.h"
#include "tests/support/program.h"

#include "tests/support/plugin.h"

#include "src/commands/tree_probe.h"

#include <math.h>

struct heard {
    enum status status;
    char *out, *err;
};

static struct tree_probe_wish wish_of(const char *method, uint64_t n)
{
    return (struct tree_probe_wish){.method = method_find(method), .launch = {1, 32}, .n = n};
}

static struct heard probe(const struct tree_probe_wish *wish, const char *device)
{
    struct config config = {.flags = {[SETTING_DEVICE] = device}};
    FILE *out = tmpfile(), *err = tmpfile();
    fflush(NULL);
    const int out_before = dup(STDOUT_FILENO), err_before = dup(STDERR_FILENO);
    assert_true(out && err && dup2(fileno(out), STDOUT_FILENO) >= 0 && dup2(fileno(err), STDERR_FILENO) >= 0);
    fake_device.runs = 0;
    struct heard heard = {.status = tree_probe(&config, wish)};
    fflush(NULL);
    dup2(out_before, STDOUT_FILENO);
    dup2(err_before, STDERR_FILENO);
    close(out_before);
    close(err_before);
    heard.out = take_stream(out);
    heard.err = take_stream(err);
    return heard;
}

/* Words that are expected; NULL: none, there is nothing at all. */
static void assert_heard(struct heard heard, enum status status, const char *out, const char *err)
{
    if (heard.status != status)
        fail_msg("status %d instead of %d: %s%s", (int)heard.status, (int)status, heard.out, heard.err);
    if (out ? !strstr(heard.out, out) : *heard.out)
        fail_msg("stdout has \"%s\" instead of \"%s\"", heard.out, out ? out : "");
    if (err ? !strstr(heard.err, err) : *heard.err)
        fail_msg("stderr has \"%s\" instead of \"%s\"", heard.err, err ? err : "");
    free(heard.out);
    free(heard.err);
}

static void hear(const char *method, uint64_t n, const char *device, enum status status, const char *out,
                 const char *err)
{
    const struct tree_probe_wish wish = wish_of(method, n);
    assert_heard(probe(&wish, device), status, out, err);
}

static int start_anew(void **state)
{
    forget_variables();
    fake_device = (struct fake_device){.count = 1};
    return make_folder(state);
}

static void the_whole_answer(void **state)
{
    (void)state;
    struct tree_probe_wish wish = wish_of("plain/tree_two_pass", 5);
    wish.launch.threads = 2;
    assert_heard(probe(&wish, "host"), OK,
                 "plain/tree_two_pass, n = 5, 1 x 2, as its sums show it\n"
                 "\n"
                 "asked         its replay on the host\n"
                 "sums          5 to build the tree, 1044 to check it: all 10 pairs, both signs; other numbers\n"
                 "arithmetic    binary32: sums of other numbers have the bits of this tree, every addition rounded\n"
                 "additions     4, of 2\n"
                 "height        4\n"
                 "x0 meets      x2, x4, 2 from x1\n"
                 "order         ((x0 + x2) + x4) + (x1 + x3)\n"
                 "declared      the same tree\n"
                 "\n"
                 "plain/tree_two_pass, n = 5, 1 x 2\n",
                 NULL);
    assert_int_equal(fake_device.runs, 0);
}

static void a_kernel_is_asked_where_there_is_a_device(void **state)
{
    (void)state;
    hear("plain/serial", 5, "auto", OK, "asked         its kernel on fake GPU 0\n", NULL);
    assert_true(fake_device.runs > 100);
    hear("binary64/serial", 5, "cuda:0", OK, "declared      the same tree\n", NULL);
    fake_device.count = 0;
    hear("plain/serial", 5, "auto", OK, "asked         its replay on the host\n", NULL);
    hear("plain/serial", 5, "cuda:0", NO_DEVICE, NULL, "even the fake device has no GPU");
}

static void a_black_box_needs_a_device(void **state)
{
    (void)state;
    hear("cub/device_reduce", 5, "host", NO_DEVICE, NULL, "cub/device_reduce is a black box, which only a GPU can run");
    fake_device.count = 0;
    hear("cuda/atomic_add", 5, "auto", NO_DEVICE, NULL, "even the fake device has no GPU");
}

static void one_element_and_many_are_told(void **state)
{
    (void)state;
    hear("plain/serial", 1, "host", OK, "x0 meets      nobody\norder         x0\n", NULL);
    struct tree_probe_wish wish = wish_of("plain/serial", 1000);
    wish.summary = true;
    assert_heard(probe(&wish, "host"), OK, "x0 meets      x1, x2, x3, x4, 991 others, x996, x997, x998, x999\ndeclared",
                 NULL);
}

static void other_formats_are_told(void **state)
{
    (void)state;
    hear("plain/serial@bfloat16", 300, "host", BAD_INPUT, NULL, "--summary");
    hear("plain/serial@bfloat16", 5, "host", OK, "arithmetic    binary32, rounded once at the end: sums of", NULL);
    hear("plain/serial@bfloat16_in_bfloat16", 5, "host", OK, "arithmetic    bfloat16: sums of", NULL);
    hear("plain/pairwise_1@binary16", 5, "host", OK, "declared      the same tree\n", NULL);
    hear("plain/pairwise_1@binary64", 5, "host", OK, "arithmetic    binary64: sums of", NULL);
}

static void plug_ins_are_asked_wherever_they_are(void **state)
{
    (void)state;
    const struct method *numpy = plugin_method("mine/numpy", numpy_sum);
    struct tree_probe_wish wish = wish_of("mine/numpy", 1000);
    wish.summary = true;
    fake_device.count = 0;
    assert_heard(probe(&wish, "cuda:0"), OK, "asked         its plug-in\n", NULL);
    assert_heard(probe(&wish, "host"), OK,
                 "declared      none: a black box\n"
                 "shape         8 blocks of 120 to 128 neighbours, joined pairwise; in each 8 chains (x0 + x8 + ...), "
                 "joined pairwise\n",
                 NULL);
    assert_true(plugin_calls(numpy) > 1000);
    plugin_method("mine/loop", loop_sum);
    hear("mine/loop", 40, "host", OK,
         "same tree as  plain/serial, plain/ranks_ring; 2 more orders have it, too\nshape         one after another\n",
         NULL);
    hear("mine/loop", 1, "host", OK, "order         x0\n", NULL);
}

/* The kernel adds as another method does. */
static enum status add_another_way(uint64_t run, const struct method *method, float *result)
{
    (void)run, (void)method;
    if (*result == 3)
        *result = 2;
    else if (*result == 2)
        *result = 3;
    return OK;
}

static enum status add_by_chance(uint64_t run, const struct method *method, float *result)
{
    (void)method;
    *result += run % 3 == 0 ? 1 : 0;
    return OK;
}

static enum status break_down(uint64_t run, const struct method *method, float *result)
{
    (void)method, (void)result;
    return run == 20 ? NOT_MEASURED : OK;
}

static void a_kernel_without_an_order_is_refused(void **state)
{
    (void)state;
    fake_device.change = add_another_way;
    hear("plain/serial", 6, "cuda:0", BAD_INPUT, NULL, "this is not the tree of a plain sum in one order");
    fake_device.change = add_by_chance;
    hear("plain/serial", 6, "cuda:0", BAD_INPUT, NULL, "changes from call to call");
    fake_device.change = break_down;
    hear("plain/serial", 6, "cuda:0", NOT_MEASURED, NULL, NULL);
}

/* One with another order: the replay of a method whose declared tree is that of another launch. */
static void an_order_that_is_not_the_declared_one_is_a_broken_limit(void **state)
{
    (void)state;
    struct method liar = *method_find("plain/pairwise_1");
    liar.own = method_find("plain/serial")->own;
    struct tree_probe_wish wish = wish_of("plain/pairwise_1", 6);
    wish.method = &liar;
    assert_heard(probe(&wish, "host"), LIMIT_BROKEN, "declared      ANOTHER TREE\n", "is not the declared one");
    liar.determinism = ORDER_OF_ARRIVAL;
    assert_heard(probe(&wish, "host"), OK, "declared      another tree, of blocks that arrive in order", NULL);
}

static void sums_without_an_order_are_told_in_words(void **state)
{
    (void)state;
    hear("superacc/serial", 6, "host", BAD_INPUT, NULL, "nothing is ever absorbed");
    hear("kahan/serial", 6, "host", BAD_INPUT, NULL, "compensated, in another precision, or depends on the data");
    hear("binned/serial", 6, "host", OK, "arithmetic    none is to be seen: all elements are added at a time", NULL);
    hear("binned/serial", 6, "host", OK, "order         [x0 x1 x2 x3 x4 x5]\n", NULL);
    hear("height/serial", 6, "host", BAD_INPUT, NULL, "height/serial does not add up its data");
    hear("int32_wrap/serial", 6, "host", BAD_INPUT, NULL, "int32_wrap/serial adds integers, which have none");
}

/* A tree that a seed drew, of 12 elements: parents are joined at random. */
static double in_a_random_tree(const double *x, uint64_t n)
{
    float parts[64];
    uint64_t left = n, random = 46;
    for (uint64_t i = 0; i < n; i++)
        parts[i] = (float)x[i];
    while (left > 1) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t a = (random >> 33) % left, b = (a + 1 + (random >> 40) % (left - 1)) % left;
        parts[a < b ? a : b] += parts[a < b ? b : a];
        parts[a < b ? b : a] = parts[--left];
    }
    return (double)parts[0];
}

static double from_the_last(const double *x, uint64_t n)
{
    float sum = 0;
    for (uint64_t i = n; i-- > 0;)
        sum += (float)x[i];
    return (double)sum;
}

static void the_order_of_a_product_is_that_along_k(void **state)
{
    (void)state;
    hear("matmul:plain/naive", 5, "host", OK, "order         (((x0 + x1) + x2) + x3) + x4\n", NULL);
    hear("matmul:plain/tile_16", 5, "host", OK, "order         (((x0 + x1) + x2) + x3) + x4\n", NULL);
    hear("matmul:plain/split_2@binary64", 6, "host", OK, "order         ((x0 + x1) + x2) + ((x3 + x4) + x5)\n", NULL);
    hear("matmul_fma:plain/split_3@e5m2", 6, "host", OK, "order         ((x0 + x1) + (x2 + x3)) + (x4 + x5)\n", NULL);
    hear("matmul:plain/split_4", 64, "host", OK, "shape         4 blocks of 16 neighbours, joined one after another",
         NULL);
    hear("matmul:volta_mma/chain@binary16_to_binary32", 10, "host", OK,
         "order         [[[x0 x1 x2 x3] x4 x5 x6 x7] x8 x9]\n", NULL);
    hear("matmul:volta_mma/chain@binary16_in_binary16", 8, "host", OK, "order         [[x0 x1 x2 x3] x4 x5 x6 x7]\n",
         NULL);
    hear("matmul:ampere_mma/promoted_1", 8, "host", OK, "order         [x0 x1 x2 x3] + [x4 x5 x6 x7]\n", NULL);
    hear("matmul:ampere_mma/split_2@bfloat16_to_binary32", 32, "host", OK,
         "order         [[x0 x1 x2 x3 x4 x5 x6 x7] x8 x9 x10 x11 x12 x13 x14 x15] + "
         "[[x16 x17 x18 x19 x20 x21 x22 x23] x24 x25 x26 x27 x28 x29 x30 x31]\n",
         NULL);
    hear("matmul:hopper_mma/chain@e4m3", 8, "host", OK, "order         [[x0 x1 x4 x5] x2 x3 x6 x7]\n", NULL);
    hear("matmul:hopper_wgmma/chain@e5m2", 96, "host", OK,
         "x0 meets      31 at a time from x1, 32 at a time from x32, 32 at a time from x64\n", NULL);
    hear("matmul:ada_mma/chain@e4m3_in_binary16", 48, "host", OK,
         "x0 meets      15 at a time from x1, 16 at a time from x16, 16 at a time from x32\n", NULL);
    hear("matmul:superacc/naive", 6, "host", BAD_INPUT, NULL, "nothing is ever absorbed");
    hear("matmul:kahan/naive", 6, "host", BAD_INPUT, NULL, "compensated, in another precision, or depends on the data");
}

/* A GPU without the instructions. */
static void other_gpus_have_no_fused_units(void **state)
{
    (void)state;
    fake_device.capability = "8.0";
    hear("matmul:hopper_wgmma/chain", 64, "cuda:0", NO_DEVICE, NULL,
         "its instructions are those of compute capability 9.0; found a GPU of 8.0");
    hear("matmul:hopper_wgmma/chain", 64, "host", OK, "asked         its replay on the host\n", NULL);
    hear("matmul:hopper_wgmma/chain@e4m3", 64, "cuda:0", OK, "asked         its replay on the host\n", NULL);
    hear("matmul:plain/naive", 8, "cuda:0", OK, "asked         its kernel on fake GPU 0\n", NULL); /* the twins */
    fake_device.capability = "9.0";
    hear("matmul:hopper_wgmma/chain", 64, "cuda:0", OK, "asked         its kernel on fake GPU 0\n", NULL);
    fake_device.capability = NULL;
}

static void products_of_plug_ins_have_their_own_tree(void **state)
{
    (void)state;
    plugin_method("matmul:mine/last", from_the_last);
    hear("matmul:mine/last", 4, "host", OK, "order         x0 + (x1 + (x2 + x3))\n", NULL);
    plugin_method("matmul:mine/random", in_a_random_tree);
    struct heard heard = probe(
        &(struct tree_probe_wish){.method = method_find("matmul:mine/random"), .launch = {1, 32}, .n = 12}, "host");
    assert_int_equal(heard.status, OK);
    assert_non_null(strstr(heard.out, "asked         its plug-in\n"));
    assert_non_null(strstr(heard.out, "additions     11, of 2\n"));
    assert_null(strstr(heard.out, "one after another"));
    assert_non_null(strstr(heard.out, "arithmetic    binary32: sums of other numbers have the bits of this tree"));
    free(heard.out), free(heard.err);
}

static void wrong_wishes_are_refused(void **state)
{
    (void)state;
    hear("plain/serial", 129, "host", BAD_INPUT, NULL, "--summary");
    hear("plain/serial@e4m3", 5, "host", BAD_INPUT, NULL, "expected a format whose largest number absorbs its least");
    hear("plain/serial", 0, "host", BAD_INPUT, NULL, "n = 0; expected from 1 to 16777216 elements");
    struct tree_probe_wish wish = wish_of("plain/tree_two_pass", 5);
    wish.launch.threads = 33;
    assert_heard(probe(&wish, "host"), BAD_INPUT, NULL, "refuses 1 blocks of 33 threads");
    wish = wish_of("plain/serial", 5);
    wish.svg = "-";
    assert_heard(probe(&wish, "host"), BAD_INPUT, NULL, "--svg -: standard output has");
    wish.svg = "/dev/null/tree.svg";
    assert_heard(probe(&wish, "host"), BAD_INPUT, NULL, "/dev/null/tree.svg");
    hear("plain/serial", 5, "gpu", BAD_INPUT, NULL, "\"gpu\" is not a device");
}

static void drawings_are_written(void **state)
{
    (void)state;
    const struct path svg = in_folder("tree.svg");
    struct tree_probe_wish wish = wish_of("plain/shuffle_two_pass", 200);
    wish.svg = svg.text;
    assert_heard(probe(&wish, "host"), OK, "declared      the same tree\n", NULL);
    assert_true(file_exists("tree.svg"));
    wish = wish_of("binned/serial", 6);
    wish.svg = svg.text;
    assert_heard(probe(&wish, "host"), BAD_INPUT, "order         [x0", "which no picture shows");
}

#define ANEW(name) cmocka_unit_test_setup_teardown(name, start_anew, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ANEW(the_whole_answer),
        ANEW(a_kernel_is_asked_where_there_is_a_device),
        ANEW(a_black_box_needs_a_device),
        ANEW(one_element_and_many_are_told),
        ANEW(a_kernel_without_an_order_is_refused),
        ANEW(an_order_that_is_not_the_declared_one_is_a_broken_limit),
        ANEW(sums_without_an_order_are_told_in_words),
        ANEW(the_order_of_a_product_is_that_along_k),
        ANEW(other_gpus_have_no_fused_units),
        ANEW(products_of_plug_ins_have_their_own_tree),
        ANEW(other_formats_are_told),
        ANEW(plug_ins_are_asked_wherever_they_are),
        ANEW(wrong_wishes_are_refused),
        ANEW(drawings_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
