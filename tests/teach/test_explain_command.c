/* `ulpscope explain` from outside: what it prints and writes, and what it refuses. */
#include "tests/support/json_output.h"

static const char EXPLAIN[] = "$ULPSCOPE explain plain/serial plain/tree_two_pass --blocks 1 --threads 32 ";

static char *explain_line(const char *rest)
{
    static char line[1024];
    assert_true(snprintf(line, sizeof line, "%s%s", EXPLAIN, rest) < (int)sizeof line);
    return line;
}

static const json_t *at(const json_t *object, const char *first, const char *second)
{
    return json_object_get(json_object_get(object, first), second);
}

static void assert_says(const char *out, const char *words)
{
    if (!strstr(out, words))
        fail_msg("\"%s\" is not in: %s", words, out);
}

static void it_says_who_is_right_where_they_part_and_on_which_numbers(void **state)
{
    (void)state;
    char *out = output_of(explain_line("-d uniform:n=1e4"));
    assert_says(out, "plain/tree_two_pass is nearer to it. Both are within");
    assert_says(out, "They add in different trees: of the 9999 sets");
    assert_says(out, "adds x0 to x32 first");
    assert_says(out, "3 of the 10000 elements, added alone, still differ");
    assert_says(out, "plain/serial: ((x0 + x1) + x2) = ((");
    assert_says(out, "parts here");
    assert_says(out, "--witness witness.f32; then\n");
    assert_null(strstr(out, " \n"));
    free(out);
}

/* An ulp of 0 is 2^-1074 in binary64.  The twin: in binary32 it is 2^-149. */
static void the_nearer_sum_is_nearer_to_something(void **state)
{
    (void)state;
    put_text("zero.csv", "0x1p60\n128\n-0x1p60\n-128\n");
    char *out = output_of("$ULPSCOPE explain plain/serial superacc/serial zero.csv:format=binary64 | tr '\\n' ' '");
    assert_says(out, "They differ by more than 1e308 ulp of the exact sum. superacc/serial@binary64 is nearer to it.");
    free(out);
    out = output_of("$ULPSCOPE explain plain/serial superacc/serial zero.csv | tr '\\n' ' '");
    assert_says(out, "They differ by 9.14e+46 ulp of the exact sum. superacc/serial is nearer to it.");
    free(out);
}

/* Integers hold 2^1024.  The twin: in binary32 there are numbers for what they hold. */
static void a_state_beyond_binary64_is_no_infinity(void **state)
{
    (void)state;
    put_text("two.csv", "0x1p1023\n0x1p1023\n-0x1p1023\n");
    char *out = output_of("$ULPSCOPE explain plain/serial superacc/serial two.csv:format=binary64");
    assert_says(out, "of 2 additions and merges 0 are shared; it parts in 1:");
    assert_says(out, "    x0    x1   inf    nan          makes more than binary64 has of the same elements\n");
    free(out);
    put_text("two.csv", "0x1p127\n0x1p127\n-0x1p127\n");
    out = output_of("$ULPSCOPE explain plain/serial superacc/serial two.csv");
    assert_says(out, "    x0    x1   inf    nan          makes 0x1p+128 of the same elements\n");
    free(out);
}

/* As blame does, in percent. */
static void the_share_of_a_bound_is_that_of_blame(void **state)
{
    (void)state;
    char *out = output_of("$ULPSCOPE explain plain/serial kahan/serial -d uniform:n=1000");
    char *blamed = output_of("$ULPSCOPE blame plain/serial -d uniform:n=1000 | tr '\\n' ' ' | tr -s ' '");
    assert_says(out, "ulp_error  % of its bound");
    assert_says(out, "  0.384  ");
    assert_says(blamed, ", 0.384 % of the bound.");
    free(out);
    free(blamed);
}

static void sums_without_a_correct_digit_are_called_so(void **state)
{
    (void)state;
    static const struct {
        const char *methods, *data, *words;
    } rows[] = {
        {"naive tree", "gensum:n=100,cond=1e12",
         "Neither has a correct digit. Both are within their bounds, which promise "},
        {"naive kahan", "gensum:n=100,cond=1e8",
         ". plain/serial has no correct digit. Both are within their bounds: neit"},
        {"naive plain/strided_serial", "gensum:n=99,cond=1e12 --blocks 1 --threads 1",
         "It has no correct digit. It is within the bounds of both"},
    };
    static const char *const no[] = {"no correct digit", "Neither has"};
    char line[256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(line, sizeof line, "$ULPSCOPE explain %s %s | tr '\\n' ' ' | tr -s ' '", rows[i].methods,
                 rows[i].data);
        char *out = output_of(line);
        assert_says(out, rows[i].words);
        free(out);
    }
    char *out = output_of("$ULPSCOPE explain naive tree uniform:n=1e4"); /* the twin */
    for (size_t i = 0; i < 2; i++)
        assert_null(strstr(out, no[i]));
    free(out);
}

static void the_witness_it_writes_differs_when_it_is_read_again(void **state)
{
    (void)state;
    run_fine(explain_line("--data gensum:n=1e4,cond=1e8 --seed 3 --witness w.f32 --json first.json"));
    char *file = take_file("w.f32");
    assert_non_null(file);
    assert_says(file, "# plain/serial and plain/tree_two_pass differ on these 3 numbers, and agree without any");
    assert_says(file, "# source gensum:n=10000,cond=1e8, of whose 10000 numbers");
    assert_says(file, "# made   ulpscope explain plain/serial");
    assert_says(file,
                "# again  ulpscope explain plain/serial plain/tree_two_pass --data w.f32 --blocks 1 --threads 32");
    free(file);
    run_fine(explain_line("--data w.f32 --json again.json"));
    json_t *first = json_of_file("first.json"), *again = json_of_file("again.json");
    assert_string_equal(json_string_value(json_object_get(first, "schema")), "ulpscope-explain/1");
    assert_true(json_is_true(json_object_get(again, "differ")));
    assert_int_equal(json_integer_value(json_object_get(again, "n")), json_integer_value(at(first, "witness", "n")));
    assert_true(json_equal(at(first, "witness", "methods"), json_object_get(again, "methods")));
    assert_true(json_is_true(at(first, "witness", "minimal")) && json_is_true(at(first, "subset", "minimal")));
    json_decref(first);
    json_decref(again);
}

/* In every format, from files that say theirs and from files that do not. */
static void the_printed_command_gives_the_sums_of_the_witness(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"naive tree -d uniform:n=1e4,format=binary64", "w.f32"},
        {"naive@binary64 kahan@binary64 -d uniform:n=1e4 --format binary64", "w.npy"},
        {"naive naive@bfloat16_in_bfloat16 -d uniform:n=1e3,format=bfloat16", "w.f32"},
        {"naive@bfloat16_in_bfloat16 tree@bfloat16_in_bfloat16 -d uniform:n=1e3,format=bfloat16", "w.npy"},
        {"naive tree@binary16_in_binary16 -d uniform:n=1e3,format=binary16", "w.csv"},
        {"naive@e4m3_in_binary16 tree@e4m3 -d uniform:n=1e3,format=e4m3", "w.raw"},
        {"naive tree@binary32_to_binary64 -d uniform:n=1e3", "w.f32"},
    };
    char line[512];
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        snprintf(line, sizeof line, "$ULPSCOPE explain %s --witness %s --json first.json", rows[r][0], rows[r][1]);
        run_fine(line);
        json_t *first = json_of_file("first.json");
        const char *command = json_string_value(at(first, "witness", "command"));
        assert_non_null(command);
        snprintf(line, sizeof line, "$ULPSCOPE%s --json -", command + strlen("ulpscope"));
        json_t *again = json_of(line);
        assert_true(json_equal(at(first, "witness", "methods"), json_object_get(again, "methods")));
        assert_false(json_equal(json_object_get(first, "methods"), json_object_get(again, "methods")));
        assert_true(json_is_true(json_object_get(again, "differ")));
        json_decref(first);
        json_decref(again);
    }
}

static void equal_sums_are_said_to_be_equal(void **state)
{
    (void)state;
    char *out =
        output_of("$ULPSCOPE explain plain/tree_two_pass plain/tree_last_block -d uniform:n=1e4 --witness w.f32");
    assert_says(out, "Both give the same bits.");
    assert_says(out, "They add in the same tree, with the same accumulator.");
    assert_null(strstr(out, "The fewest numbers"));
    free(out);
    assert_false(file_exists("w.f32"));
}

static void stdout_is_for_one_output(void **state)
{
    (void)state;
    char *out = output_of(explain_line("-d uniform:n=1000 --json -"));
    json_t *object = json_loads(out, 0, NULL);
    assert_non_null(object);
    json_decref(object);
    free(out);
    assert_refused(explain_line("-d uniform:n=9 --json - --witness -"), 2, "two outputs to standard output");
}

static void giving_up_is_said(void **state)
{
    (void)state;
    char *out = output_of(explain_line("-d uniform:n=1e4 --most-additions 1"));
    assert_says(out, "whether each of them is needed");
    assert_says(out, "all that --most-additions allows");
    free(out);
}

static void dot_products_are_explained_by_pairs(void **state)
{
    (void)state;
    put_text("x.csv", "1\n0x1.001p+0\n");
    put_text("y.csv", "-0x1.002p+0\n0x1.001p+0\n");
    char *out = output_of("\"$ULPSCOPE\" explain dot:naive dot_fma:naive x.csv::y.csv");
    assert_says(out, "dot_fma:plain/serial adds products that are not rounded before they are added");
    assert_says(out, "p1    nothing  0x1.002p+0  -0x1p-24");
    assert_says(out, "\n  y1  1 ");
    assert_null(strstr(out, "To run it again"));
    free(out);
    json_t *root = json_of("\"$ULPSCOPE\" explain dot:naive dot_fma:naive x.csv::y.csv --json -");
    const json_t *parting = json_object_get(root, "parting");
    assert_string_equal(json_string_value(json_object_get(parting, "class")), "products");
    const json_t *numbers = json_object_get(json_object_get(root, "subset"), "numbers");
    assert_string_equal(json_string_value(json_object_get(json_array_get(numbers, 0), "y_was")), "-0x1.002p+0");
    json_decref(root);
    assert_refused("$ULPSCOPE explain dot:naive naive x.csv::y.csv", 2, "do not compute the same");
    assert_refused("$ULPSCOPE explain dot:naive dot:tree x.csv::y.csv --witness w.f32", 2, "which takes pairs");
    assert_refused("$ULPSCOPE explain dot:naive dot:tree x.csv", 2, "expected two for a dot product");
}

static void wrong_input_is_refused(void **state)
{
    (void)state;
    put_text("one.f32", "1\n");
    assert_refused("$ULPSCOPE explain -d one.f32", 2, "no method; expected two");
    assert_refused("$ULPSCOPE explain naive -d one.f32", 2, "one method; expected two");
    assert_refused("$ULPSCOPE explain naive tree one.f32 two.f32", 2, "a second data set");
    assert_refused("$ULPSCOPE explain naive tree", 2, "no data");
    assert_refused("$ULPSCOPE explain naive tree -d one.f32 -d one.f32", 2, "a second data set");
    assert_refused("$ULPSCOPE explain naive plain/triangle -d one.f32", 2, "plain/triangle");
    assert_refused("$ULPSCOPE explain naive 'plain/*' -d one.f32", 2, "is a glob");
    assert_refused("$ULPSCOPE explain naive cub/device_reduce -d one.f32", 2, "tree cub/device_reduce -n 64 --probe");
    assert_refused("$ULPSCOPE explain height/serial naive -d one.f32", 2, "gives no sum");
    assert_refused("$ULPSCOPE explain naive tree --threads 33 -d one.f32", 2, "power of two");
    assert_refused("$ULPSCOPE explain naive tree -d none.f32", 2, "none.f32");
    assert_refused("$ULPSCOPE explain naive tree -d uniform:n=1..8*2", 2, "sweep of 4");
    assert_refused("$ULPSCOPE explain naive tree -d uniform:n=20M", 2, "n=20000000; expected at most 16777216");
    assert_refused("$ULPSCOPE explain naive tree -d one.f32 --top -1", 2, "--top");
    assert_refused("$ULPSCOPE explain naive tree -d one.f32 --most-additions 0", 2, "--most-additions");
    assert_refused("$ULPSCOPE explain naive tree -d uniform:n=99 --witness one.f32/w.f32", 2,
                   "one.f32/w.f32: cannot be written");
    assert_refused("$ULPSCOPE explain naive tree -d uniform:n=99 --witness w.xyz", 2, "unknown ending .xyz");
    assert_refused("$ULPSCOPE explain naive tree -d one.f32 --json a --witness a", 2, "both name");
}

int main(void)
{
    forget_variables();
    const struct CMUnitTest tests[] = {
        FACT(it_says_who_is_right_where_they_part_and_on_which_numbers),
        FACT(the_nearer_sum_is_nearer_to_something),
        FACT(a_state_beyond_binary64_is_no_infinity),
        FACT(the_share_of_a_bound_is_that_of_blame),
        FACT(sums_without_a_correct_digit_are_called_so),
        FACT(the_witness_it_writes_differs_when_it_is_read_again),
        FACT(the_printed_command_gives_the_sums_of_the_witness),
        FACT(equal_sums_are_said_to_be_equal),
        FACT(stdout_is_for_one_output),
        FACT(giving_up_is_said),
        FACT(dot_products_are_explained_by_pairs),
        FACT(wrong_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
