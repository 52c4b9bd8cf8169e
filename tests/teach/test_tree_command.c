/* ulpscope tree from outside: what it draws and says, and what it refuses. */
#include "tests/support/json_output.h"

#define TREE "\"$ULPSCOPE\" tree "

/* ---- what it says ---- */

static void additions_of_data_are_told_to_the_last_bit(void **state)
{
    (void)state;
    put_text("x.csv", "0x1p24\n1\n1\n");
    char *out = output_of(TREE "plain/serial --data x.csv --blocks 1 --threads 32");
    assert_string_equal(out, "plain/serial, n = 3, 1 x 32, on x.csv\n"
                             "\n"
                             "                             makes    local error  bits lost\n"
                             "x0  0x1p+24 --.\n"
                             "x1  0x1p+0  --+     #######  0x1p+24  -0x1p+0      1, all\n"
                             "x2  0x1p+0  --+===  #######  0x1p+24  -0x1p+0      1, all\n"
                             "\n"
                             "#  |local error|, at most 0x1p+0\n"
                             "\n"
                             "height      3: on the longest path, that of x0, with 0 + x0\n"
                             "joins       2: 2 add an element to a sum, 0 merge two sums\n"
                             "computed    0x1p+24          16777216\n"
                             "nearest     0x1.000002p+24   16777218\n"
                             "s           0x1.000002p+24\n"
                             "ulp_error   1.00 ulp\n"
                             "errors      -0x1p+1 in all, which is computed - s; 2 joins are not exact\n");
    free(out);
}

static void products_have_errors_of_their_own(void **state)
{
    (void)state;
    put_text("x.csv", "0x1.001p+0\n1\n");
    char *out = output_of(TREE "sumsq:plain/serial --data x.csv --blocks 1 --threads 32");
    assert_string_equal(out, "sumsq:plain/serial, n = 2, 1 x 32, on x.csv\n"
                             "\n"
                             "                                                makes       local error  bits lost\n"
                             "p0  0x1.002p+0  error -0x1p-24 --.\n"
                             "p1  0x1p+0                     --+===           0x1.001p+1  exact        0\n"
                             "\n"
                             "#  |local error|, at most 0x1p-24\n"
                             "\n"
                             "height      2: on the longest path, that of p0, with 0 + p0\n"
                             "joins       1: 1 adds an element to a sum, 0 merge two sums\n"
                             "computed    0x1.001p+1       2.0004883\n"
                             "nearest     0x1.001p+1       2.0004883\n"
                             "s           0x1.0010008p+1\n"
                             "ulp_error   0.250 ulp\n"
                             "errors      -0x1p-24 in all, which is computed - s; 0 joins are not exact, nor is 1 "
                             "product\n");
    free(out);
}

/* The line is well-behaved and says these words. */
static void assert_says(const char *line, const char *words)
{
    char *out = output_of(line);
    if (!strstr(out, words))
        fail_msg("%s does not say \"%s\": %s", line, words, out);
    free(out);
}

static void assert_does_not_say(const char *line, const char *words)
{
    char *out = output_of(line);
    if (strstr(out, words))
        fail_msg("%s says \"%s\": %s", line, words, out);
    free(out);
}

static void atomics_are_one_of_many(void **state)
{
    (void)state;
    assert_says(TREE "plain/tree_atomic -n 9", "one of many on a GPU");
    assert_does_not_say(TREE "plain/tree_two_pass -n 9", "one of many");
}

static void a_summary_is_for_any_n(void **state)
{
    (void)state;
    const char *const line = TREE "plain/tree_two_pass -n 100000 --summary";
    assert_says(line, "height      19");
    assert_says(line, "paths       16 to 19 additions long");
    assert_says(line, "(height - 1) u = 18 x 2^-24 = 1.07e-06");
    assert_says(line, "first       x0 + x30720, ");
    assert_says(TREE "plain/serial -n 0 --summary", "height      0");
    assert_says(TREE "plain/serial@bfloat16 -n 9 --summary", "8 x 2^-24 = 4.77e-07");
    assert_says(TREE "plain/serial@bfloat16_in_bfloat16 -n 9 --summary", "8 x 2^-8 = 0.0312");
    assert_says(TREE "plain/serial --data uniform:n=9,format=binary64", "plain/serial@binary64, n = 9");
}

static void infinities_do_not_add_up(void **state)
{
    (void)state;
    put_text("x.csv", "3e38\n3e38\n-3e38\n");
    assert_says(TREE "plain/serial --data x.csv", "do not add up");
    put_text("nan.csv", "1\nnan\n");
    assert_says(TREE "plain/serial --data nan.csv --nonfinite ieee", "ulp_error   -\n");
    put_text("zero.csv", "0x1p60\n128\n-0x1p60\n-128\n"); /* whose ulp is 2^-1074 */
    assert_says(TREE "plain/serial --data zero.csv:format=binary64", "ulp_error   more than 1e308 ulp\n");
    assert_says(TREE "plain/serial --data zero.csv", "ulp_error   9.14e+46 ulp\n");
}

/* ---- files ---- */

static void all_outputs_are_written_at_once(void **state)
{
    (void)state;
    run_fine(TREE "kahan/tree_two_pass --data uniform:n=37 --blocks 2 --threads 4 --svg t.svg --json t.json");
    run_fine(TREE "kahan/tree_two_pass --data uniform:n=37 --blocks 2 --threads 4 --svg - > again.svg");
    assert_same_file("t.svg", "again.svg");
    assert_true(file_exists("t.json"));
}

static void json_has_every_node(void **state)
{
    (void)state;
    json_t *root = json_of(TREE "plain/pairwise --data uniform:n=300 --json -");
    const json_t *nodes = json_object_get(root, "nodes");
    assert_string_equal(json_string_value(json_object_get(root, "schema")), "ulpscope-tree/1");
    assert_int_equal(json_array_size(nodes), 599);
    assert_true(json_is_true(json_object_get(root, "adds_up")));
    const json_t *last = json_array_get(nodes, 598);
    assert_int_equal(json_integer_value(json_object_get(last, "leaves")), 300);
    assert_string_equal(json_string_value(json_object_get(last, "value_hex")),
                        json_string_value(json_object_get(root, "computed_hex")));
    json_decref(root);
    root = json_of(TREE "plain/pairwise -n 100000 --summary --json -");
    assert_null(json_object_get(root, "nodes"));
    assert_null(json_object_get(root, "computed"));
    assert_int_equal(json_integer_value(json_object_get(root, "n")), 100000);
    json_decref(root);
}

/* ---- what is refused ---- */

static const struct refusal {
    const char *fact, *arguments, *words;
} refusals[] = {
    {"too_many_for_lines", "plain/serial -n 129",
     "at most 128 elements; take a smaller n, or `ulpscope tree --summary`"},
    {"too_many_for_svg", "plain/serial -n 513 --svg t.svg", "at most 512"},
    {"too_many_for_json", "plain/serial -n 65537 --json t.json", "at most 65536"},
    {"too_many_data", "plain/serial --data uniform:n=129", "at most 128"},
    {"too_many_for_all", "plain/serial -n 16777217 --summary", "from 0 to 16777216"},
    {"black_box", "cub/device_reduce -n 8", "`ulpscope tree cub/device_reduce -n 8 --probe`"},
    {"no_method", "", "no method"},
    {"unknown_method", "plain/seral -n 4", "did you mean \"plain/serial\""},
    {"two_methods", "plain/serial plain/pairwise -n 4", "plain/pairwise"},
    {"no_n", "plain/serial", "expected -n N, or --data"},
    {"other_n", "plain/serial -n 3 --data ones:n=4", "ones:n=4 has 4 elements"},
    {"no_number", "plain/serial -n many", "-n: \"many\""},
    {"no_launch", "plain/tree_two_pass -n 4 --threads 3", "power of two"},
    {"no_file", "plain/serial --data nothing.npy", "nothing.npy: cannot be read"},
    {"two_on_stdout", "plain/serial -n 4 --svg - --json -", "--svg and --json: two outputs to standard output"},
    {"summary_and_drawing_on_stdout", "plain/serial -n 4 --summary --svg -", "--summary and --svg: two outputs"},
    {"one_file_for_two", "plain/serial -n 4 --svg t --json t", "both name \"t\""},
    {"a_device_without_probe", "plain/serial -n 4 --device host", "--device without --probe"},
    {"a_folder_as_data", "plain/serial --data .", "\".\": is a folder"},
    {"nowhere", "plain/serial -n 4 --svg /dev/null/t.svg", "/dev/null/t.svg: cannot be written"},
};

static void is_refused(void **state)
{
    const struct refusal *row = *state;
    char line[256];
    snprintf(line, sizeof line, TREE "%s", row->arguments);
    assert_refused(line, 2, row->words);
}

int main(void)
{
    const struct CMUnitTest facts[] = {
        FACT(additions_of_data_are_told_to_the_last_bit),
        FACT(products_have_errors_of_their_own),
        FACT(atomics_are_one_of_many),
        FACT(a_summary_is_for_any_n),
        FACT(infinities_do_not_add_up),
        FACT(all_outputs_are_written_at_once),
        FACT(json_has_every_node),
    };
    ADD_FACTS(facts);
    ADD_ROWS(refusals, is_refused);
    return run_all_tests();
}
