/* ulpscope blame from outside: its text, its files, and what it refuses.
 *
 *   tests/golden/blame.txt     the output for 2^24, 1, 3, 1 by plain/serial; made by the command that stands in the
 * test
 */
#include "tests/support/json_output.h"

#include <libxml/parser.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define GOLDEN SOURCE_DIRECTORY "/tests/golden/blame.txt"

static const char numbers[] = "0x1p+24\n1\n3\n1\n";

static void text_of_a_small_sum_is_the_golden_one(void **state)
{
    (void)state;
    put_text("x.csv", numbers);
    run_fine("\"$ULPSCOPE\" blame plain/serial x.csv >blame.txt && cmp blame.txt \"" GOLDEN "\" >&2");
}

/* The twin: another order is another text. */
static void text_of_another_order_is_another(void **state)
{
    (void)state;
    put_text("x.csv", numbers);
    struct outcome outcome;
    run_line("\"$ULPSCOPE\" blame plain/pairwise_1 x.csv >blame.txt && cmp -s blame.txt \"" GOLDEN "\"", &outcome);
    assert_int_equal(outcome.code, 1);
    outcome_free(&outcome);
}

static bool says(const char *line, const char *words)
{
    char *out = output_of(line);
    const bool found = strstr(out, words) != NULL;
    free(out);
    return found;
}

static void a_small_sum_has_a_tree_and_a_large_one_none(void **state)
{
    (void)state;
    assert_true(says("\"$ULPSCOPE\" blame plain/serial uniform:n=32", "\nWhere\n"));
    assert_false(says("\"$ULPSCOPE\" blame plain/serial uniform:n=33", "\nWhere\n"));
}

static void the_same_request_has_the_same_bytes(void **state)
{
    (void)state;
    char *first = output_of("\"$ULPSCOPE\" blame kahan/tree_two_pass gensum:n=3e4,cond=1e9");
    char *second = output_of("ULPSCOPE_JOBS=3 \"$ULPSCOPE\" blame kahan/tree_two_pass gensum:n=3e4,cond=1e9");
    char *other = output_of("\"$ULPSCOPE\" blame kahan/tree_two_pass gensum:n=3e4,cond=1e9 --trial 1");
    assert_string_equal(first, second);
    assert_string_not_equal(first, other);
    free(first);
    free(second);
    free(other);
}

/* ---- what is not finite ---- */

static void what_is_not_finite_names_the_first_and_proves_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *method, *text, *words;
    } rows[] = {
        {"plain/serial", "1\n3e38\n3e38\n-3e38\n", "first         node 5, (x0 + x1) + x2: 3e+38 + 3e+38 makes inf"},
        {"plain/serial", "1\nnan\n3\n", "first         x1 is nan in the data"},
        {"kahan/serial", "2\n4\n-inf\n", "first         x2 is -inf in the data"},
        {"binary64/serial", "3e38\n3e38\n", "no addition, but the last rounding"},
        {"superacc/serial --format binary64", "0x1p1023\n0x1p1023\n-0x1p1023\n",
         "e+307 makes more than binary64 has\n"},
        {"plain/serial --format binary64", "0x1p1023\n0x1p1023\n-0x1p1023\n", "e+307 makes inf\n"},
        {"plain/serial", "nan\n", "first         x0 is nan"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[256];
        put_text("x.csv", rows[i].text);
        snprintf(line, sizeof line, "\"$ULPSCOPE\" blame %s x.csv --nonfinite ieee", rows[i].method);
        assert_true(says(line, rows[i].words));
        assert_true(says(line, "proof         none"));
        assert_false(says(line, "equal as exact numbers"));
    }
}

static void errors_of_more_ulps_than_binary64_has_stand_as_they_are(void **state)
{
    (void)state;
    static const char line[] = "\"$ULPSCOPE\" blame plain/serial x.csv:format=binary64";
    put_text("x.csv", "0x1p60\n128\n-0x1p60\n-128\n");
    assert_true(says(line, "The sum is 128 below the exact sum; condition inf, relative error undefined"));
    assert_true(says(line, "lost          128, the sum of all"));
    assert_true(says(line, "  x0 + x1     3      -0x1p+7    -  100.0 %"));
    put_text("x.csv", "0x1p60\n128\n-0x1p60\n-127\n"); /* the twin */
    assert_true(says(line, "The sum is 5.77e+17 ulp below the exact sum; condition 2.31e+18, relative error 128"));
}

/* ---- for scripts ---- */

static void assert_text(const json_t *object, const char *key, const char *text)
{
    assert_string_equal(json_string_value(json_object_get(object, key)), text);
}

static void json_says_what_the_text_says(void **state)
{
    (void)state;
    put_text("x.csv", numbers);
    json_t *root = json_of("\"$ULPSCOPE\" blame plain/serial x.csv --top 2 --json -");
    assert_text(root, "schema", "ulpscope-blame/1");
    assert_text(root, "sum_of_errors", "-0x1p+0");
    assert_text(root, "computed_less_exact", "-0x1p+0");
    assert_text(root, "lost_hex", "0x1.8p+1");
    assert_int_equal(json_integer_value(json_object_get(root, "inexact")), 3);
    assert_int_equal(json_array_size(json_object_get(root, "top_additions")), 2);
    assert_int_equal(json_array_size(json_object_get(root, "top_elements")), 2);
    const json_t *first = json_array_get(json_object_get(root, "top_additions"), 0);
    assert_text(first, "error_hex", "-0x1p+0");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(first, "right"), "first")), 1);
    json_decref(root);
}

static void json_of_an_overflow_has_its_first_addition(void **state)
{
    (void)state;
    put_text("x.csv", "1\n3e38\n3e38\n-3e38\n");
    json_t *root = json_of("\"$ULPSCOPE\" blame plain/serial x.csv --json -");
    assert_true(json_is_false(json_object_get(root, "finite")));
    assert_null(json_object_get(root, "sum_of_errors"));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(root, "first_not_finite"), "node")), 5);
    json_decref(root);
}

static void svg_is_xml(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" blame plain/tree_two_pass uniform:n=24 --blocks 1 --threads 4 --svg t.svg --json t.json");
    xmlDoc *document = xmlReadFile(in_folder("t.svg").text, NULL, XML_PARSE_NONET);
    assert_non_null(document);
    assert_string_equal((const char *)xmlDocGetRootElement(document)->name, "svg");
    xmlFreeDoc(document);
    assert_true(file_exists("t.json"));
}

/* ---- dot products ---- */

/* (1 + 2^-12)^2 rounds; the sum with 1 does not. */
static const char first[] = "0x1.001p+0\n1\n", second[] = "0x1.001p+0\n1\n";

static void products_that_rounded_are_named(void **state)
{
    (void)state;
    put_text("x.csv", first);
    put_text("y.csv", second);
    const char *const dot = "\"$ULPSCOPE\" blame dot:plain/serial x.csv::y.csv";
    assert_true(says(dot, "is the sum of 1 local error, of those of 2 products and of the last rounding, 0x0p+0"));
    assert_true(says(dot, "products      1 exact, 1 inexact"));
    assert_true(says(dot, "x0 * y0     1     -0x1p-24"));
    assert_true(says("\"$ULPSCOPE\" blame sumsq:plain/serial x.csv", "x0 * x0     1     -0x1p-24"));
    assert_true(says("\"$ULPSCOPE\" blame dot_exact:sum2/serial x.csv::y.csv", "products      2 exact, 0 inexact"));
    assert_false(says("\"$ULPSCOPE\" blame plain/serial x.csv", "products"));
}

static void scripts_see_products_too(void **state)
{
    (void)state;
    put_text("x.csv", first);
    put_text("y.csv", second);
    json_t *root = json_of("\"$ULPSCOPE\" blame dot:plain/serial x.csv::y.csv --json -");
    assert_text(root, "sum_of_errors", "-0x1p-24");
    assert_int_equal(json_integer_value(json_object_get(root, "inexact")), 0);
    assert_int_equal(json_integer_value(json_object_get(root, "inexact_products")), 1);
    const json_t *top = json_array_get(json_object_get(root, "top_additions"), 0);
    assert_int_equal(json_integer_value(json_object_get(top, "node")), 1);
    assert_text(json_object_get(top, "right"), "value_hex", "0x1.001p+0");
    json_decref(root);
}

/* The element of a matrix product that --witness wrote: the errors add up, or blame would stop. */
static void a_witness_of_a_matrix_product_is_opened(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" gen normal:n=64::normal --witness 2,3 -o row.npy::column.npy");
    assert_true(says("\"$ULPSCOPE\" blame dot_exact:plain/pairwise row.npy::column.npy", "equal as exact numbers"));
    assert_true(says("\"$ULPSCOPE\" blame dot_fma:plain/serial row.npy::column.npy", "equal as exact numbers"));
}

static void factors_and_products_that_are_not_finite_are_named(void **state)
{
    (void)state;
    put_text("x.csv", "1\n3e38\n");
    put_text("y.csv", "1\n10\n");
    assert_true(says("\"$ULPSCOPE\" blame dot:plain/serial x.csv::y.csv", "node 2, x1 * y1: 3e+38 * 10 makes inf"));
    put_text("y.csv", "1\ninf\n");
    assert_true(says("\"$ULPSCOPE\" blame dot:plain/serial x.csv::y.csv --nonfinite ieee", "y1 is inf in the data"));
}

/* ---- what is refused ---- */

static void wrong_input_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *words;
    } rows[] = {{"", "no method; expected one, like plain/serial"},
                {"plain/serial", "no data; expected a file or a spec"},
                {"plain/serial x.csv x.csv", "a second data set"},
                {"plain/seriall x.csv", "did you mean \"plain/serial\"?"},
                {"'plain/*' x.csv", "is a glob"},
                {"height/serial x.csv", "gives no sum"},
                {"cub/device_reduce x.csv", "ulpscope tree cub/device_reduce -n 64 --probe"},
                {"plain/serial uniform:n=1e8", "at most 16777216"},
                {"plain/serial uniform:n=1Ki..4Ki*2", "is a sweep"},
                {"plain/serial@bfloat16 uniform:n=8", "adds numbers of bfloat16, and uniform:n=8 holds binary32"},
                {"binary64/serial uniform:n=8,format=binary64", "it adds in binary64, which is plain here"},
                {"plain/serial none.csv", "none.csv: cannot be read"},
                {"plain/tree_two_pass x.csv --threads 3", "power of two"},
                {"plain/serial x.csv --top -1", "--top: \"-1\""},
                {"plain/serial x.csv --top 10001", "0 to 10000"},
                {"plain/serial uniform:n=513 --svg t.svg", "at most 512"},
                {"plain/serial x.csv --json - --svg -", "two outputs to standard output"},
                {"plain/serial x.csv --json t.svg --svg t.svg", "--json and --svg: both name \"t.svg\""},
                {"plain/seral x.csv", "expected accumulator/order; did you mean \"plain/serial\"?"},
                {"plain/serial x.csv -d x.csv", "a second data set"},
                {"dot:plain/serial x.csv", "x.csv is one vector; expected two for a dot product"},
                {"plain/serial x.csv::x.csv", "x.csv::x.csv holds two vectors; expected one"},
                {"norm2:plain/serial x.csv", "is the root of a sum; expected a sum; take sumsq:plain/serial"},
                {"matmul:plain/naive x.csv::x.csv", "makes a matrix; expected a sum or a dot product"},
                {"plain/serial x.csv --json x.csv/t.json", "x.csv/t.json: cannot be written"}};
    put_text("x.csv", numbers);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[256];
        snprintf(line, sizeof line, "\"$ULPSCOPE\" blame %s", rows[i].arguments);
        assert_refused(line, 2, rows[i].words);
    }
    assert_false(file_exists("t.svg") || file_exists("t.csv"));
}

static void a_full_disk_is_told_once(void **state)
{
    (void)state;
    run_fine("\"$ULPSCOPE\" blame plain/serial uniform:n=9 --json - > /dev/full 2> told; test $? = 3");
    run_fine("test $(wc -l < told) = 1 && grep -q 'standard output: No space left' told");
    run_fine("\"$ULPSCOPE\" blame plain/serial uniform:n=9 > /dev/full 2> told; test $? = 3"); /* found at exit */
    run_fine("test $(wc -l < told) = 1");
}

int main(void)
{
    forget_variables();
    const struct CMUnitTest tests[] = {
        FACT(text_of_a_small_sum_is_the_golden_one),
        FACT(text_of_another_order_is_another),
        FACT(a_small_sum_has_a_tree_and_a_large_one_none),
        FACT(the_same_request_has_the_same_bytes),
        FACT(what_is_not_finite_names_the_first_and_proves_nothing),
        FACT(errors_of_more_ulps_than_binary64_has_stand_as_they_are),
        FACT(json_says_what_the_text_says),
        FACT(json_of_an_overflow_has_its_first_addition),
        FACT(svg_is_xml),
        FACT(products_that_rounded_are_named),
        FACT(scripts_see_products_too),
        FACT(a_witness_of_a_matrix_product_is_opened),
        FACT(factors_and_products_that_are_not_finite_are_named),
        FACT(wrong_input_is_refused),
        FACT(a_full_disk_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
