/* The same numbers in many orders: every sum is found and can be made again, threads change nothing, and what has no
 * order has one sum; and `ulpscope shuffle` from outside. */
#include "tests/support/json_output.h"
#include "tests/support/plugin.h"

#include "datasets/dataset.h"
#include "src/base/format.h"
#include "src/teach/shuffle/shuffle.h"

#include <math.h>

enum { METHODS_MOST = 8 };

/* A request and what it takes. */
struct fixture {
    const struct method *methods[METHODS_MOST];
    struct data_spec *spec;
    struct shuffle_request request;
    struct shuffled shuffled;
};

static void shuffle_with(struct fixture *of, const char *spec, const char *const *ids, uint64_t permutations,
                         unsigned workers)
{
    size_t count;
    *of = (struct fixture){
        .request = {.seed = 1, .launch = {4, 32}, .first = 1, .permutations = permutations, .workers = workers}};
    for (; ids[of->request.method_count]; of->request.method_count++) {
        of->methods[of->request.method_count] = method_find(ids[of->request.method_count]);
        assert_non_null(of->methods[of->request.method_count]);
    }
    assert_int_equal(data_specs_read(spec, "test", NONFINITE_IEEE, &of->spec, &count), OK);
    assert_int_equal(count, 1);
    of->request.spec = of->spec;
    of->request.methods = of->methods;
    assert_int_equal(shuffle_data(&of->request, &of->shuffled), OK);
}

static void fixture_free(struct fixture *of)
{
    shuffled_free(&of->shuffled);
    data_specs_free(of->spec, 1);
}

static const char *const plain_serial[] = {"plain/serial", NULL};

/* ---- against all orders ---- */

enum { FEW = 5, ORDERS_OF_FEW = 120 };
static const float few[FEW] = {0x1p24f, 1, -0x1.8p23f, 0x1.000002p1f, 0.75f};

static void next_order(unsigned order, float x[FEW])
{
    memcpy(x, few, sizeof few);
    for (unsigned i = FEW; i > 1; order /= i, i--) {
        const unsigned j = order % i;
        const float swapped = x[i - 1];
        x[i - 1] = x[j];
        x[j] = swapped;
    }
}

static size_t index_of(const struct shuffled_method *of, float sum)
{
    size_t i = 0;
    while (i < of->distinct && !float_same((float)of->sums[i].computed, sum))
        i++;
    return i;
}

/* How many of all 120 orders' sums were found, and whether nothing else was. */
static size_t found_of_all(const struct shuffled_method *of, bool *complete)
{
    bool found[ORDERS_OF_FEW] = {false};
    size_t count = 0;
    *complete = true;
    for (unsigned order = 0; order < ORDERS_OF_FEW; order++) {
        float x[FEW], sum;
        next_order(order, x);
        assert_int_equal(method_sum(of->method, x, FEW, (struct launch){4, 32}, 1, &sum), OK);
        const size_t i = index_of(of, sum);
        *complete &= i < of->distinct;
        if (i < of->distinct && !found[i]) {
            found[i] = true;
            count++;
        }
    }
    return count;
}

static void put_few(void)
{
    char text[256] = "";
    for (size_t i = 0; i < FEW; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%a\n", (double)few[i]);
    put_text("few.csv", text);
}

static void sums_of_few_numbers_are_those_of_all_their_orders(void **state)
{
    (void)state;
    static const char *const ids[] = {"plain/serial", "plain/pairwise_1", "kahan/serial", NULL};
    struct fixture of;
    bool complete;
    put_few();
    shuffle_with(&of, in_folder("few.csv").text, ids, 3000, 2);
    assert_true(of.shuffled.methods[0].distinct > 3);
    for (size_t m = 0; m < of.request.method_count; m++) {
        assert_int_equal(found_of_all(&of.shuffled.methods[m], &complete), of.shuffled.methods[m].distinct);
        assert_true(complete);
    }
    fixture_free(&of);
    shuffle_with(&of, in_folder("few.csv").text, ids, 2, 1); /* the twin: two orders are not all */
    (void)found_of_all(&of.shuffled.methods[0], &complete);
    assert_false(complete);
    fixture_free(&of);
}

/* mine/loop adds as plain/serial does.  The twin: mine/numpy does not. */
static void a_plug_in_is_asked_once_for_each_order_and_as_given(void **state)
{
    (void)state;
    const char *const ids[] = {"plain/serial", "mine/loop", "mine/numpy", NULL};
    const struct method *loop = plugin_method(ids[1], loop_sum);
    struct fixture of;
    plugin_method(ids[2], numpy_sum);
    shuffle_with(&of, "uniform:n=100", ids, 50, 2);
    assert_int_equal(plugin_calls(loop), 51);
    assert_memory_equal(of.shuffled.sums, of.shuffled.sums + 50, 50 * sizeof *of.shuffled.sums);
    assert_memory_not_equal(of.shuffled.sums, of.shuffled.sums + 100, 50 * sizeof *of.shuffled.sums);
    fixture_free(&of);
}

/* ---- what is told of the sums ---- */

static const char *const several[] = {
    "plain/serial", "plain/tree_two_pass", "kahan/serial", "neumaier/serial", "binned/serial", "superacc/serial", NULL};

static void what_is_told_is_what_the_sums_are(void **state)
{
    (void)state;
    struct fixture of;
    shuffle_with(&of, "gensum:n=300,cond=1e6", several, 700, 2);
    for (size_t m = 0; m < of.request.method_count; m++) {
        const struct shuffled_method *told = &of.shuffled.methods[m];
        const double *sums = of.shuffled.sums + m * 700;
        uint64_t counted = 0;
        for (size_t i = 0; i < told->distinct; i++) {
            const struct shuffled_sum *sum = &told->sums[i];
            uint64_t count = 0, first = 0;
            for (uint64_t k = 700; k-- > 0;)
                if (double_bits(sums[k]) == double_bits(sum->computed)) {
                    count++;
                    first = k + 1;
                }
            assert_true(count == sum->count && first == sum->order);
            assert_true(i == 0 || told->sums[i - 1].computed < sum->computed);
            assert_true(fabs(sum->error) >= fabs(told->sums[told->best].error));
            assert_true(fabs(sum->error) <= fabs(told->sums[told->worst].error));
            assert_true(sum->count <= told->sums[told->commonest].count);
            assert_true(fabs(sum->error) <= told->theory.bound);
            counted += count;
        }
        assert_int_equal(counted, 700);
        assert_int_equal(told->finite, 700);
    }
    fixture_free(&of);
}

static void what_has_no_order_has_one_sum(void **state)
{
    (void)state;
    struct fixture of;
    shuffle_with(&of, "gensum:n=300,cond=1e6", several, 500, 2);
    assert_true(of.shuffled.methods[0].distinct > 100); /* the twin */
    for (size_t m = 4; m < 6; m++) {
        assert_int_equal(of.shuffled.methods[m].distinct, 1);
        assert_true(of.shuffled.methods[m].sums[0].computed == of.shuffled.methods[m].given.computed);
        assert_true(of.shuffled.methods[m].spread == 0 && of.shuffled.methods[m].deviation == 0);
    }
    assert_true(of.shuffled.methods[5].sums[0].computed == of.shuffled.exact.nearest);
    fixture_free(&of);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const unsigned workers[] = {1, 2, 7};
    struct fixture of[3], other;
    for (size_t i = 0; i < 3; i++)
        shuffle_with(&of[i], "uniform:n=200", several, 300, workers[i]);
    for (size_t i = 1; i < 3; i++) {
        assert_memory_equal(of[i].shuffled.sums, of[0].shuffled.sums, 6 * 300 * sizeof(double));
        for (size_t m = 0; m < 6; m++) {
            const struct shuffled_method *a = &of[0].shuffled.methods[m], *b = &of[i].shuffled.methods[m];
            assert_true(a->distinct == b->distinct && a->best == b->best && a->worst == b->worst);
            assert_memory_equal(a->sums, b->sums, a->distinct * sizeof *a->sums);
            assert_true(double_bits(a->mean) == double_bits(b->mean));
        }
    }
    shuffle_with(&other, "uniform:n=200,low=-1", several, 300, 7); /* the twin */
    assert_memory_not_equal(other.shuffled.sums, of[0].shuffled.sums, 6 * 300 * sizeof(double));
    fixture_free(&other);
    for (size_t i = 0; i < 3; i++)
        fixture_free(&of[i]);
}

/* ---- witnesses ---- */

static float sum_of_spec(const char *text, const struct method *method)
{
    struct data_spec *spec;
    struct dataset data;
    size_t count;
    float sum;
    assert_int_equal(data_specs_read(text, "test", NONFINITE_IEEE, &spec, &count), OK);
    assert_int_equal(dataset_make(spec, 1, 0, &data), OK);
    assert_int_equal(method_sum(method, data.x, data.n, (struct launch){4, 32}, 1, &sum), OK);
    dataset_free(&data);
    data_specs_free(spec, 1);
    return sum;
}

static void assert_every_sum_is_made_again(const char *spec, const char *expected_beginning)
{
    struct fixture of;
    shuffle_with(&of, spec, plain_serial, 40, 1);
    const struct shuffled_method *told = &of.shuffled.methods[0];
    size_t other = 0;
    assert_true(told->distinct > 1);
    for (size_t i = 0; i < told->distinct; i++) {
        char *again = witness_spec(of.spec, told->sums[i].order);
        assert_memory_equal(again, expected_beginning, strlen(expected_beginning));
        assert_true(float_same(sum_of_spec(again, told->method), (float)told->sums[i].computed));
        free(again);
        again = witness_spec(of.spec, told->sums[i].order + 1000); /* the twin: another order */
        other += !float_same(sum_of_spec(again, told->method), (float)told->sums[i].computed);
        free(again);
    }
    assert_true(other > 0);
    assert_true(float_same(sum_of_spec(spec, told->method), (float)told->given.computed));
    fixture_free(&of);
}

/* Each sum is that of its order, in every format: bits, errors and their unit are the result's. */
static void sums_of_every_format_are_those_of_their_orders(void **state)
{
    (void)state;
    static const char *const specs[] = {"uniform:n=60,format=binary64", "uniform:n=60,format=bfloat16",
                                        "uniform:n=600,format=e4m3"};
    static const char *const ids[][3] = {{"plain/serial@binary64", "kahan/tree_two_pass@binary64", NULL},
                                         {"plain/serial@bfloat16_in_bfloat16", "plain/serial@bfloat16", NULL},
                                         {"plain/serial@e4m3_in_binary16", "plain/serial@e4m3", NULL}};
    for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
        struct fixture of;
        struct dataset data;
        shuffle_with(&of, specs[s], ids[s], 50, 2);
        const struct method *method = of.methods[0];
        assert_true(of.shuffled.unit == exact_ulp(of.shuffled.exact.sum, method->format));
        for (size_t i = 0; i < of.shuffled.methods[0].distinct; i++) {
            const struct shuffled_sum *told = &of.shuffled.methods[0].sums[i];
            struct data_spec *spec;
            size_t count;
            uint64_t bits;
            char *again = witness_spec(of.spec, told->order);
            assert_int_equal(data_specs_read(again, "test", NONFINITE_IEEE, &spec, &count), OK);
            assert_int_equal(dataset_make(spec, 1, 0, &data), OK);
            const struct operands elements = operands_of_sum(data.format, data.x, data.n);
            assert_int_equal(method_replay(method, &elements, (struct launch){4, 32}, 1, &bits), OK);
            assert_true(format_value(method->format, bits) == told->computed);
            dataset_free(&data);
            data_specs_free(spec, 1);
            free(again);
        }
        assert_true(of.shuffled.methods[0].distinct > 1);
        fixture_free(&of);
    }
}

/* Whatever order the data are in, and wherever they come from. */
static void every_sum_is_made_again_from_its_spec(void **state)
{
    (void)state;
    char path[PATH_SIZE], options[PATH_SIZE + 64];
    put_text("two.csv", "a,b\n1,16777216\n2,1\n3,-0.25\n4,1e5\n5,0.1\n6,3\n7,1.1\n");
    snprintf(path, sizeof path, "%s", in_folder("two.csv").text);
    assert_every_sum_is_made_again("gensum:n=100,cond=1e4", "gensum:n=100,cond=");
    assert_every_sum_is_made_again("uniform:n=500,order=ascending", "uniform:n=500,order=shuffled:");
    assert_every_sum_is_made_again("uniform:n=500,order=shuffled:3", "uniform:n=500,order=shuffled:");
    snprintf(options, sizeof options, "%s:column=b", path);
    assert_every_sum_is_made_again(options, options);
    put_text("one.csv", "16777216\n1\n-0.25\n1e5\n0.1\n3\n1.1\n");
    snprintf(options, sizeof options, "%s:delimiter=;", in_folder("one.csv").text);
    assert_every_sum_is_made_again(options, options);
    snprintf(options, sizeof options, "%s:column=b,order=reversed", path);
    assert_every_sum_is_made_again(options, path);
    put_few();
    snprintf(options, sizeof options, "%s", in_folder("few.csv").text);
    assert_every_sum_is_made_again(options, options);
}

/* What is told of sums of 2 in the orders 10, 11, ..., in units of 1. */
static struct shuffled_method tally_of(const double *sums, uint64_t count)
{
    const float two = 2;
    const struct shuffle_request request = {.first = 10, .permutations = count};
    struct shuffled shuffled = {.request = &request, .unit = 1};
    struct shuffled_method of = {0};
    assert_int_equal(exact_sum(&FORMAT_BINARY32, &two, 1, &shuffled.exact), OK);
    assert_int_equal(tally_sums(&shuffled, sums, (double)two, &of), OK);
    exact_free(&shuffled.exact);
    return of;
}

static void every_nan_is_one_sum_the_last_and_the_worst(void **state)
{
    (void)state;
    const double sums[] = {1, NAN, 2.5, double_from_bits(UINT64_C(0xfff8000000000001)),
                           double_from_bits(UINT64_C(0x7ff8000000000002))};
    struct shuffled_method of = tally_of(sums, 5);
    assert_int_equal(of.distinct, 3);
    assert_true(isnan(of.sums[2].computed) && isnan(of.sums[2].error));
    assert_true(of.sums[2].count == 3 && of.sums[2].order == 11);
    assert_int_equal(of.worst, 2);
    assert_int_equal(of.best, 1);
    assert_int_equal(of.commonest, 2);
    assert_true(of.finite == 2 && of.mean == -0.25 && of.spread == 1.5);
    free(of.sums);
}

/* 1 and 3 are as far from 2, and as common. */
static void of_equals_the_one_is_told_whose_order_comes_first(void **state)
{
    (void)state;
    for (size_t first = 0; first < 2; first++) {
        const double sums[] = {first == 0 ? 1 : 3, first == 0 ? 3 : 1};
        struct shuffled_method of = tally_of(sums, 2);
        assert_true(of.distinct == 2 && of.sums[0].computed == 1);
        assert_true(of.best == first && of.worst == first && of.commonest == first);
        free(of.sums);
    }
}

/* superacc has no order: both would be the same picture. */
static void methods_that_are_alike_are_shown_once(void **state)
{
    (void)state;
    static const char *const ids[] = {"superacc/serial", "superacc/pairwise_1", "plain/serial", NULL};
    struct fixture of;
    size_t chosen[3];
    shuffle_with(&of, "uniform:n=1000", ids, 100, 1);
    assert_int_equal(widest_methods(&of.shuffled, 3, chosen), 2);
    assert_true(chosen[0] == 2 && chosen[1] == 0);
    fixture_free(&of);
}

/* ---- histograms ---- */

static void bins_are_around_the_exact_sum_and_add_up(void **state)
{
    (void)state;
    struct fixture of;
    struct error_bins bins;
    double least, most, width;
    uint64_t total = 0, around = 0;
    shuffle_with(&of, "uniform:n=1000", plain_serial, 500, 2);
    const struct shuffled_method *told = &of.shuffled.methods[0];
    assert_true(error_range(told, &least, &most) && least < 0 && most > 0);
    width = error_bins_width(least, most, 21);
    error_bins_make(told, width, &bins);
    assert_true(bins.count <= 21 && bins.count > 5);
    assert_true(bins.counts[0] > 0 && bins.counts[bins.count - 1] > 0);
    for (size_t i = 0; i < bins.count; i++)
        total += bins.counts[i];
    for (size_t i = 0; i < told->distinct; i++)
        if (told->sums[i].error >= -width / 2 && told->sums[i].error < width / 2)
            around += told->sums[i].count;
    assert_int_equal(total, 500);
    assert_int_equal(bins.counts[(size_t)-bins.first], around);
    assert_true(error_bins_width(-0.4, 0.4, 21) == 1 && error_bins_width(-100, 100, 21) == 10);
    error_bins_free(&bins);
    fixture_free(&of);
}

/* ---- special data ---- */

static void what_is_not_finite_has_no_error(void **state)
{
    (void)state;
    struct fixture of;
    put_text("inf.csv", "1\ninf\n2\n3\n");
    shuffle_with(&of, in_folder("inf.csv").text, several, 50, 2);
    assert_true(of.shuffled.methods[0].distinct == 1 && of.shuffled.methods[0].finite == 0);
    assert_true(isnan(of.shuffled.methods[0].mean) && isnan(of.shuffled.methods[0].theory.bound));
    fixture_free(&of);
    put_text("large.csv", "0x1.8p127\n-0x1.8p127\n0x1.8p127\n1\n"); /* overflows in some orders */
    shuffle_with(&of, in_folder("large.csv").text, plain_serial, 200, 2);
    const struct shuffled_method *told = &of.shuffled.methods[0];
    assert_true(isinf(told->sums[told->worst].computed) && isfinite(told->sums[told->best].computed));
    assert_true(told->finite > 0 && told->finite < 200);
    assert_int_equal(told->overflowed, 200 - told->finite);
    fixture_free(&of);
}

/* Of 500 orders of three large numbers and a small one a third overflow; the others all have one sum. */
static void orders_that_overflow_are_counted_in_every_output(void **state)
{
    uint64_t overflowed = 0;
    char expected[64];
    (void)state;
    put_text("large.csv", "0x1.8p127\n-0x1.8p127\n0x1.8p127\n1\n");
    struct fixture of;
    shuffle_with(&of, in_folder("large.csv").text, plain_serial, 500, 2);
    for (uint64_t k = 0; k < 500; k++)
        overflowed += isfinite(of.shuffled.sums[k]) ? 0 : 1;
    assert_int_equal(of.shuffled.methods[0].overflowed, overflowed);
    assert_in_range(overflowed, 100, 400);
    fixture_free(&of);
    char *out = output_of("$ULPSCOPE shuffle large.csv --permutations 500 -m plain/serial,superacc/serial --blocks 4 "
                          "--threads 32 --json large.json");
    assert_non_null(strstr(out, "  overflow\n"));
    snprintf(expected, sizeof expected, " %u\n  superacc/serial ", (unsigned)overflowed);
    assert_non_null(strstr(out, expected));
    assert_non_null(strstr(out, "overflow: orders whose sum is not finite"));
    snprintf(expected, sizeof expected, "# %u\n", (unsigned)overflowed);
    assert_non_null(strstr(strstr(out, "      overflow | #"), expected));
    assert_true(strstr(out, "\nnothing is proven\n") && !strstr(out, "inf ulp"));
    free(out);
    char *json = take_file("large.json");
    snprintf(expected, sizeof expected, "\"overflowed\": %u,", (unsigned)overflowed);
    assert_non_null(strstr(json, expected));
    assert_non_null(strstr(json, "\"overflowed\": 0,"));
    const char *const most = strstr(json, "\"most\": {"); /* of the others; the worst is infinite */
    assert_true(strstr(most, "\"overflowed\"") < strstr(most, "\"inf\""));
    free(json);
    out = output_of("$ULPSCOPE shuffle uniform:n=100 --permutations 50 -m plain/serial");
    assert_true(strstr(out, "\nproven: within ") && !strstr(out, "overflow"));
    free(out);
}

static void assert_unit(const char *numbers, double unit, bool of_s)
{
    static const char *const wide[] = {"plain/serial@binary64", NULL};
    struct fixture of;
    put_text("zero.csv", numbers);
    char *spec = text_made("%s:format=binary64", in_folder("zero.csv").text);
    shuffle_with(&of, spec, wide, 100, 1);
    assert_true(of.shuffled.unit_is_of_s == of_s && of.shuffled.unit == unit);
    assert_true(of.shuffled.methods[0].distinct > 1 && of.shuffled.methods[0].finite == 100);
    assert_int_equal(of.shuffled.methods[0].overflowed, 0);
    fixture_free(&of);
    free(spec);
}

/* In ulp of s, errors of finite sums would be outside binary64, and those orders were taken for overflows. */
static void a_sum_of_zero_or_far_below_has_the_unit_of_the_largest_number(void **state)
{
    (void)state;
    assert_unit("1\n0x1p-60\n-1\n-0x1p-60\n", 0x1p-52, false);
    assert_unit("0x1p1000\n0x1p930\n-0x1p1000\n-0x1p930\n0x1p-1074\n", 0x1p948, false);
    assert_unit("1\n0x1p-400\n-1\n", 0x1p-52, false);
    assert_unit("1\n0x1p-398\n-1\n", 0x1p-450, true); /* the twin */
}

static void orders_are_counted(void **state)
{
    (void)state;
    uint64_t orders;
    assert_true(shuffle_exhausts(4, 24, &orders) && orders == 24);
    assert_false(shuffle_exhausts(5, 119, &orders));
    assert_true(shuffle_exhausts(0, 1, &orders) && orders == 1);
    assert_false(shuffle_exhausts(1u << 20, PERMUTATIONS_MOST, &orders));
}

/* ---- the program ---- */

static const char *inner_text(const json_t *object, const char *key, const char *inner)
{
    return json_string_value(json_object_get(json_object_get(object, key), inner));
}

/* The commands that are printed, as a shell runs them. */
static void commands_of_best_and_worst_give_these_sums(void **state)
{
    (void)state;
    static const char *const keys[] = {"best", "worst", "commonest"};
    put_few();
    json_t *root = json_of("\"$ULPSCOPE\" shuffle few.csv -m plain/serial,kahan/serial --permutations 300 --json -");
    const json_t *methods = json_object_get(root, "methods"), *method;
    size_t m;
    json_array_foreach(methods, m, method)
    {
        for (size_t i = 0; i < 3; i++) {
            char line[1024];
            snprintf(line, sizeof line, "ulpscope() { \"$ULPSCOPE\" \"$@\"; }; rm -f r.csv; %s --csv r.csv --speed 0",
                     inner_text(method, keys[i], "command"));
            run_fine(line);
            char *csv = take_file("r.csv");
            assert_non_null(strstr(csv, inner_text(method, keys[i], "computed_bits")));
            free(csv);
        }
    }
    assert_string_not_equal(inner_text(json_array_get(methods, 0), "best", "computed_bits"),
                            inner_text(json_array_get(methods, 0), "worst", "computed_bits"));
    json_decref(root);
}

static void the_written_worst_order_is_the_worst_as_given(void **state)
{
    (void)state;
    json_t *root = json_of("\"$ULPSCOPE\" shuffle uniform:n=100 -m plain/serial --permutations 300 --json -");
    char *out = output_of("\"$ULPSCOPE\" shuffle uniform:n=100 -m plain/serial --permutations 300");
    char line[512];
    const char *command = strstr(out, "data    ulpscope gen");
    assert_non_null(command);
    snprintf(line, sizeof line, "ulpscope() { \"$ULPSCOPE\" \"$@\"; }; %s", command + strlen("data    "));
    run_fine(line);
    json_t *worst = json_of("\"$ULPSCOPE\" shuffle worst.npy -m plain/serial --permutations 1 --json -");
    assert_string_equal(inner_text(json_array_get(json_object_get(worst, "methods"), 0), "given", "computed_bits"),
                        inner_text(json_array_get(json_object_get(root, "methods"), 0), "worst", "computed_bits"));
    json_decref(root);
    json_decref(worst);
    free(out);
}

static int64_t distinct_of(const json_t *method)
{
    return json_integer_value(json_object_get(method, "distinct"));
}

/* Exact methods give one sum as long as no number leaves its pair; plain additions give many. */
static void pairs_stay_together_in_every_order(void **state)
{
    (void)state;
    json_t *root = json_of("\"$ULPSCOPE\" shuffle normal:n=300::uniform -m dot_exact:superacc/serial,dot:plain/serial "
                           "--permutations 100 --json -");
    const json_t *methods = json_object_get(root, "methods");
    size_t i;
    json_t *method;
    json_array_foreach(methods, i, method)
    {
        const bool exact = strstr(json_string_value(json_object_get(method, "method")), "superacc") != NULL;
        assert_true(exact ? distinct_of(method) == 1 : distinct_of(method) > 10);
    }
    assert_int_equal(json_array_size(methods), 2);
    json_decref(root);
}

/* Of pairs too: the command of the worst order gives its bits; another order gives others. */
static void assert_the_worst_order_is_shuffled_again(const char *methods)
{
    char line[512];
    snprintf(line, sizeof line, "\"$ULPSCOPE\" shuffle normal:n=200::normal %s --permutations 60 --json -", methods);
    json_t *root = json_of(line);
    const json_t *method = json_array_get(json_object_get(root, "methods"), 0);
    snprintf(line, sizeof line, "\"$ULPSCOPE\" %s --json -", strchr(inner_text(method, "worst", "command"), ' '));
    json_t *again = json_of(line);
    const json_t *same = json_array_get(json_object_get(again, "methods"), 0);
    assert_string_equal(inner_text(same, "best", "computed_bits"), inner_text(method, "worst", "computed_bits"));
    assert_string_not_equal(inner_text(same, "best", "computed_bits"), inner_text(method, "best", "computed_bits"));
    json_decref(again);
    json_decref(root);
}

static void the_worst_order_of_pairs_is_shuffled_again(void **state)
{
    (void)state;
    assert_the_worst_order_is_shuffled_again("-m dot_fma:plain/serial");
    assert_the_worst_order_is_shuffled_again(
        "-m dot:pipe/awk --pipe \"text10:dot:awk 'NR == 1 { print \\$1 * \\$2 }'\"");
}

static void every_output_is_the_same_with_any_number_of_threads(void **state)
{
    (void)state;
    static const char *const jobs[] = {"1", "7"}, *const endings[] = {"json", "txt"};
    for (size_t j = 0; j < 2; j++) {
        char line[512];
        snprintf(line, sizeof line,
                 "\"$ULPSCOPE\" shuffle uniform:n=100 --permutations 200 --jobs %s --json %s.json >%s.txt", jobs[j],
                 jobs[j], jobs[j]);
        run_fine(line);
    }
    for (size_t e = 0; e < 2; e++) {
        char left[16], right[16];
        snprintf(left, sizeof left, "1.%s", endings[e]);
        snprintf(right, sizeof right, "7.%s", endings[e]);
        assert_same_file(left, right);
    }
}

static void assert_warned(const char *line, const char *words)
{
    struct outcome outcome;
    run_line(line, &outcome);
    if (outcome.code != 0 || (words ? !strstr(outcome.err, words) : *outcome.err != '\0'))
        fail_msg("%s: exit %d: %s", line, outcome.code, outcome.err);
    outcome_free(&outcome);
}

static void data_with_little_to_see_are_warned_of(void **state)
{
    (void)state;
    put_text("equal.csv", "3\n3\n3\n");
    assert_warned("\"$ULPSCOPE\" shuffle uniform:n=1 --permutations 3", "1 number, which has one order");
    assert_warned("\"$ULPSCOPE\" shuffle uniform:n=0 --permutations 3", "0 numbers, which have one order");
    assert_warned("\"$ULPSCOPE\" shuffle equal.csv --permutations 3", "all 3 numbers are equal");
    assert_warned("\"$ULPSCOPE\" shuffle uniform:n=4 --permutations 25", "4 numbers have 24 orders, fewer than the 25");
    assert_warned("\"$ULPSCOPE\" shuffle uniform:n=4 --permutations 24", NULL);
    assert_warned("\"$ULPSCOPE\" -q shuffle uniform:n=1 --permutations 3", NULL);
}

static void the_usual_methods_are_all_accumulators_and_all_orders(void **state)
{
    (void)state;
    json_t *root = json_of("\"$ULPSCOPE\" shuffle uniform:n=10 --permutations 2 --json -");
    const json_t *methods = json_object_get(root, "methods");
    size_t known, expected = 0;
    const struct method *const *table = method_table(&known);
    for (size_t m = 0; m < known; m++)
        expected += table[m]->replay && table[m]->role == SUMS &&
                    (strcmp(table[m]->order, "serial") == 0 || strcmp(table[m]->accumulator, "plain") == 0);
    assert_int_equal(json_array_size(methods), expected);
    assert_true(expected > 30);
    assert_string_equal(json_string_value(json_object_get(root, "schema")), "ulpscope-shuffle/1");
    json_decref(root);
}

static void wrong_input_is_told(void **state)
{
    (void)state;
    put_text("inf.csv", "1\ninf\n2\n");
    put_text("bad.csv", "1\ntwo\n");
    assert_refused("\"$ULPSCOPE\" shuffle", 2, "no data");
    assert_refused("\"$ULPSCOPE\" shuffle uniform:n=1..4*2", 2, "is a sweep of 3 data sets");
    assert_refused("\"$ULPSCOPE\" shuffle bad.csv", 2, "bad.csv:2");
    assert_refused("\"$ULPSCOPE\" shuffle inf.csv", 2, "--nonfinite");
    assert_refused("\"$ULPSCOPE\" shuffle uniform:n=9 --permutations 0", 2, "--permutations");
    assert_refused("\"$ULPSCOPE\" shuffle uniform:n=9 --permutations 2M", 2, "--permutations");
    assert_refused("\"$ULPSCOPE\" shuffle uniform:n=9 -m kahn/serial", 2, "did you mean \"kahan/serial\"?");
    assert_refused("\"$ULPSCOPE\" shuffle uniform:n=9 -m 'cub/*'", 2, "no selected method can be replayed");
    assert_refused("\"$ULPSCOPE\" shuffle uniform:n=1e9", 2, "at most 16777216");
    assert_refused("\"$ULPSCOPE\" shuffle uniform:n=9 --json /dev/null/x.json", 2, "/dev/null/x.json");
    assert_refused("\"$ULPSCOPE\" shuffle uniform:n=9 -m dot:plain/serial", 2, "expected two for a dot product");
    assert_refused("\"$ULPSCOPE\" shuffle uniform:n=9::ones", 2, "holds two vectors; expected one");
    assert_refused("\"$ULPSCOPE\" shuffle uniform:n=9 -m plain/serial,sumsq:plain/serial", 2, "compute one thing");
    assert_refused("\"$ULPSCOPE\" shuffle uniform:n=9 -m matmul:plain/naive", 2, "makes a matrix");
}

/* Both have one exact value for all orders, and as many results as their sums let them have. */
static void a_statistic_is_shuffled_as_its_orders_are(void **state)
{
    static const char *const variances[] = {"variance.textbook:plain/serial", "variance.two_pass:plain/serial", NULL};
    struct fixture of;
    (void)state;
    shuffle_with(&of, "spread:n=100,kappa=1e3", variances, 200, 2);
    const struct shuffled_method *textbook = &of.shuffled.methods[0], *two_pass = &of.shuffled.methods[1];
    uint64_t count = 0;
    for (size_t s = 0; s < textbook->distinct; s++)
        count += textbook->sums[s].count;
    assert_int_equal(count, 200);
    assert_true(textbook->distinct > 5 && two_pass->distinct > 1);
    assert_true(textbook->spread > 100 * two_pass->spread); /* the twin: were both one sum, they would be alike */
    fixture_free(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(sums_of_few_numbers_are_those_of_all_their_orders),
        FACT(a_plug_in_is_asked_once_for_each_order_and_as_given),
        FACT(what_is_told_is_what_the_sums_are),
        FACT(what_has_no_order_has_one_sum),
        FACT(a_statistic_is_shuffled_as_its_orders_are),
        FACT(threads_change_nothing),
        FACT(every_sum_is_made_again_from_its_spec),
        FACT(sums_of_every_format_are_those_of_their_orders),
        FACT(every_nan_is_one_sum_the_last_and_the_worst),
        FACT(of_equals_the_one_is_told_whose_order_comes_first),
        FACT(methods_that_are_alike_are_shown_once),
        FACT(bins_are_around_the_exact_sum_and_add_up),
        FACT(what_is_not_finite_has_no_error),
        FACT(orders_that_overflow_are_counted_in_every_output),
        FACT(a_sum_of_zero_or_far_below_has_the_unit_of_the_largest_number),
        FACT(orders_are_counted),
        FACT(commands_of_best_and_worst_give_these_sums),
        FACT(the_written_worst_order_is_the_worst_as_given),
        FACT(pairs_stay_together_in_every_order),
        FACT(the_worst_order_of_pairs_is_shuffled_again),
        FACT(every_output_is_the_same_with_any_number_of_threads),
        FACT(data_with_little_to_see_are_warned_of),
        FACT(the_usual_methods_are_all_accumulators_and_all_orders),
        FACT(wrong_input_is_told),
    };
    forget_variables();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
