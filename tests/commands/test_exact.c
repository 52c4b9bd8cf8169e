/* ulpscope exact from outside: what it says about the sum, and about values beside it.  The sums and errors are those
 * of Python's fractions.Fraction; test_refusals has what is refused. */
#include "tests/support/json_output.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- of a file ---- */

#define BYTES(text) (text), sizeof(text) - 1

/* The sums are those of Python's fractions.Fraction over the values of binary32, or of binary64 where those are none;
 * the roundings, those of its float(), and the nearest among the neighbouring binary32 values. */
static const struct exact_file {
    const char *fact, *name, *bytes;
    size_t size;
    const char *exact, *sum_abs, *binary32, *binary64;
    int n;
} exact_files[] = {
    {"exact_sum_of_decimals", "x.csv", BYTES("0.1\n0.2\n0.3\n-0.6\n"), "0x1p-55", "0x1.33333333333332p+0", "0x1p-55",
     "0x1p-55", 4},
    {"exact_sum_that_plain_summation_loses", "x.csv", BYTES("1e8\n1\n-1e8\n0x1p-149\n"),
     "0x1.00000000000000000000000000000000000008p+0", "0x1.7d784020000000000000000000000000000000000001p+27", "0x1p+0",
     "0x1p+0", 4},
    {"exact_sum_across_the_whole_range", "x.csv", BYTES("0x1.fffffep+127\n0x1p-149\n0x1.fffffep+127\n-0x1p-100\n"),
     "0x1.fffffdfffffffffffffffffffffffffffffffffffffffffffffffffff0000000000008p+128",
     "0x1.fffffe0000000000000000000000000000000000000000000000000010000000000008p+128", "inf", "0x1.fffffep+128", 4},
    {"exact_sum_at_a_tie_goes_to_even", "x.csv", BYTES("0x1p+24\n1\n"), "0x1.000001p+24", "0x1.000001p+24", "0x1p+24",
     "0x1.000001p+24", 2},
    {"exact_sum_just_above_a_tie_goes_up", "x.csv", BYTES("0x1p+24\n1\n0x1p-149\n"),
     "0x1.00000100000000000000000000000000000000000008p+24", "0x1.00000100000000000000000000000000000000000008p+24",
     "0x1.000002p+24", "0x1.000001p+24", 3},
    {"exact_sum_that_is_zero", "x.csv", BYTES("0x1.fffffep+127\n0x1p-149\n-0x1.fffffep+127\n-0x1p-149\n"), "0x0p+0",
     "0x1.fffffe000000000000000000000000000000000000000000000000000000000000001p+128", "0x0p+0", "0x0p+0", 4},
    {"exact_sum_of_subnormals", "x.csv", BYTES("0x1p-149\n0x1p-149\n0x1.8p-148\n"), "0x1.4p-147", "0x1.4p-147",
     "0x1.4p-147", "0x1.4p-147", 3},
    {"exact_sum_of_an_npy", "x.npy",
     BYTES(
         "\223NUMPY\001\000v\000{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }                              "
         "                              \n\000\000\300\077\315\314\314=\000\000\000\300\302\026\001\000\346\261a\177"),
     "0x1.c363cbffffffffffffffffffffffffff33333340000000000000000000000000116c2p+127",
     "0x1.c363cc0000000000000000000000000733333340000000000000000000000000116c2p+127", "0x1.c363ccp+127",
     "0x1.c363ccp+127", 5},
};

static void exact_sum_is_that_of_fractions(void **state)
{
    const struct exact_file *file = *state;
    char line[128];
    put_file(file->name, file->bytes, file->size);
    snprintf(line, sizeof line, "\"$ULPSCOPE\" exact %s --json -", file->name);
    json_t *root = json_of(line);
    const json_t *nearest = json_object_get(root, "nearest");
    assert_string_equal(text_at(root, "exact"), file->exact);
    assert_string_equal(text_at(root, "sum_abs"), file->sum_abs);
    assert_string_equal(text_at(nearest, "binary32"), file->binary32);
    assert_string_equal(text_at(nearest, "binary64"), file->binary64);
    assert_int_equal(json_integer_value(json_object_get(root, "n")), file->n);
    json_decref(root);
}

/* ---- of a pipe ---- */

/* 200,000 numbers are more than a piece, and their text more than a pipe holds.  The same text as a .txt, which alone
 * has a SHA-256, and other numbers, the twin. */
static void pipe_has_the_sum_of_the_file(void **state)
{
    (void)state;
    static const char numbers[] =
        "{ printf '\\357\\273\\277# source\\n'; seq 200000; echo; printf ' nan \n0x1p-149'; }";
    char line[256];
    snprintf(line, sizeof line, "%s >x.txt", numbers);
    run_fine(line);
    snprintf(line, sizeof line, "%s | \"$ULPSCOPE\" exact - --nonfinite skip --compare 2e10 --json -", numbers);
    json_t *piped = json_of(line), *twin = json_of("seq 199999 | \"$ULPSCOPE\" exact - --json -");
    json_t *file = json_of("\"$ULPSCOPE\" exact x.txt --nonfinite skip --compare 2e10 --json -");
    json_t *redirected = json_of("\"$ULPSCOPE\" exact - --nonfinite skip --compare 2e10 --json - <x.txt");
    assert_int_equal(json_integer_value(json_object_get(piped, "n")), 200001);
    assert_int_equal(json_integer_value(json_object_get(twin, "n")), 199999);
    assert_true(json_equal(piped, redirected));
    assert_false(json_equal(piped, file));
    assert_int_equal(json_object_del(file, "sha256"), 0);
    assert_true(json_equal(piped, file));
    json_decref(piped);
    json_decref(twin);
    json_decref(file);
    json_decref(redirected);
}

/* ---- the sum ---- */

/* Each sum in all formats; those of binary16 and bfloat16 would be others if they were rounded through binary32. */
static const struct rounding {
    const char *fact, *bytes;
    const char *binary64, *binary32, *binary16, *bfloat16;
    const char *ulp[4]; /* in this order */
} roundings[] = {
    {"nearest_is_rounded_once", "1\n0x1.00002p-11\n", "0x1.00200004p+0", "0x1.002p+0", "0x1.004p+0", "0x1p+0",
     .ulp = {"0x1p-52", "0x1p-23", "0x1p-10", "0x1p-7"}},
    {"nearest_of_a_tie_is_even_in_each_format", "0x1p+24\n1\n", "0x1.000001p+24", "0x1p+24", "inf", "0x1p+24",
     .ulp = {"0x1p-28", "0x1p+1", "0x1p+14", "0x1p+17"}},
    {"nearest_below_the_overflow_of_binary16", "65519\n", "0x1.ffdep+15", "0x1.ffdep+15", "0x1.ffcp+15", "0x1p+16",
     .ulp = {"0x1p-37", "0x1p-8", "0x1p+5", "0x1p+8"}},
    {"nearest_at_the_overflow_of_binary16", "-65520\n", "-0x1.ffep+15", "-0x1.ffep+15", "-inf", "-0x1p+16",
     .ulp = {"0x1p-37", "0x1p-8", "0x1p+5", "0x1p+8"}},
    {"nearest_of_a_subnormal", "0x1p-24\n0x1p-25\n", "0x1.8p-24", "0x1.8p-24", "0x1p-23", "0x1.8p-24",
     .ulp = {"0x1p-76", "0x1p-47", "0x1p-24", "0x1p-31"}},
    {"nearest_of_zero", "1\n-1\n", "0x0p+0", "0x0p+0", "0x0p+0", "0x0p+0",
     .ulp = {"0x1p-1074", "0x1p-149", "0x1p-24", "0x1p-133"}},
};

static void sum_is_rounded_to_each_format(void **state)
{
    const struct rounding *row = *state;
    static const char *const formats[] = {"binary64", "binary32", "binary16", "bfloat16"};
    const char *const expected[] = {row->binary64, row->binary32, row->binary16, row->bfloat16};
    put_text("x.csv", row->bytes);
    json_t *root = json_of("\"$ULPSCOPE\" exact x.csv --json -");
    for (size_t i = 0; i < COUNT(formats); i++) {
        assert_string_equal(text_at(json_object_get(root, "nearest"), formats[i]), expected[i]);
        assert_string_equal(text_at(json_object_get(root, "ulp"), formats[i]), row->ulp[i]);
    }
    assert_int_equal(json_object_size(json_object_get(root, "nearest")), COUNT(formats));
    json_decref(root);
}

/* The exponents of a file of these numbers, or of none. */
static void assert_exponents(const char *bytes, bool any, int least, int largest)
{
    put_text("x.csv", bytes);
    json_t *root = json_of("\"$ULPSCOPE\" exact x.csv --format binary32 --nonfinite ieee --json -");
    const json_t *exponents = json_object_get(root, "exponents");
    assert_true(any ? json_is_object(exponents) : json_is_null(exponents));
    if (any) {
        assert_int_equal(json_integer_value(json_object_get(exponents, "least")), least);
        assert_int_equal(json_integer_value(json_object_get(exponents, "largest")), largest);
    }
    json_decref(root);
}

static void exponents_are_those_of_finite_numbers_but_zero(void **state)
{
    (void)state;
    assert_exponents("0.75\n-3\n0\ninf\nnan\n", true, -1, 1);
    assert_exponents("0x1p-149\n", true, -126, -126);
    assert_exponents("0x1.fffffep+127\n", true, 127, 127);
    assert_exponents("0\n-0\nnan\n", false, 0, 0);
}

static void more_digits_are_more_of_the_same(void **state)
{
    (void)state;
    put_text("x.csv", "0.1\n");
    static const char *const expected[] = {"1e-01", "1.0e-01", "1.0000000000000000555e-01",
                                           "1.000000000000000055511151231257827021182e-01"};
    static const int digits[] = {1, 2, 20, 40};
    for (size_t i = 0; i < COUNT(digits); i++) {
        char line[128];
        snprintf(line, sizeof line, "\"$ULPSCOPE\" exact x.csv --json - --digits %d", digits[i]);
        json_t *root = json_of(line);
        assert_string_equal(text_at(root, "exact_decimal"), expected[i]);
        json_decref(root);
    }
}

/* x.npy */
static void put_binary64(const double *x, size_t n)
{
    char bytes[128 + 256 * sizeof(double)];
    memset(bytes, ' ', 128);
    memcpy(bytes, "\x93NUMPY\1\0\x76\0", 10);
    bytes[10 + sprintf(bytes + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (%zu,), }", n)] = ' ';
    memcpy(bytes + 128, x, n * sizeof *x);
    put_file("x.npy", bytes, 128 + n * sizeof *x);
}

static void ulp_has_no_end_as_binary64_has(void **state)
{
    (void)state;
    double x[256];
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = 0x1p1023;
    put_binary64(x, COUNT(x));
    json_t *root = json_of("\"$ULPSCOPE\" exact x.npy --json -");
    assert_string_equal(text_at(json_object_get(root, "ulp"), "bfloat16"), "0x1p+1024");
    assert_string_equal(text_at(json_object_get(root, "ulp"), "binary16"), "0x1p+1021");
    char *text = output_of("\"$ULPSCOPE\" exact x.npy");
    assert_non_null(strstr(text, "ulp 0x1p+1024\n"));
    assert_non_null(strstr(text, "ulp 0x1p+1021\n"));
    free(text);
    json_decref(root);
}

static void binary64_of_an_npy_is_summed(void **state)
{
    (void)state;
    put_binary64((const double[]){0x1p+53, 1}, 2);
    json_t *root = json_of("\"$ULPSCOPE\" exact x.npy --compare 0x1.0000000000001p+53 --json -");
    const json_t *compared = json_array_get(json_object_get(root, "compare"), 0);
    assert_string_equal(text_at(root, "format"), "binary64");
    assert_string_equal(text_at(root, "exact"), "0x1.00000000000008p+53");
    assert_string_equal(text_at(json_object_get(root, "nearest"), "binary64"), "0x1p+53");
    assert_string_equal(text_at(compared, "ulp_error_hex"), "0x1p-1");
    assert_int_equal(json_integer_value(json_object_get(compared, "steps_from_nearest")), 1);
    json_decref(root);
}

/* --format and --convert say what format= and convert= say; a pipe has them too. */
static void numbers_of_a_format_are_rounded_to_another(void **state)
{
    (void)state;
    put_text("x.txt", "0.1\n1e-9\n");
    char *spec = output_of("\"$ULPSCOPE\" exact x.txt:convert=binary16");
    char *flags = output_of("\"$ULPSCOPE\" exact x.txt --format binary16 --convert");
    char *piped = output_of("\"$ULPSCOPE\" exact - --format binary16 --convert <x.txt; grep . x.txt >/dev/null");
    assert_string_equal(spec, flags);
    assert_non_null(strstr(spec,
                           "converted   from binary64: 2 changed, 1 of them to 0, 0 to inf; moved the sum by 2.45e-05, "
                           "2.45e-04 of it\n"));
    assert_memory_equal(piped, spec, (size_t)(strstr(spec, "file sha256") - spec));
    json_t *root = json_of("\"$ULPSCOPE\" exact x.txt --format binary16 --json -"); /* the twin: rounded as text is */
    assert_null(json_object_get(root, "conversion"));
    assert_string_equal(text_at(root, "format"), "binary16");
    assert_string_equal(text_at(root, "exact"), "0x1.998p-4");
    json_decref(root);
    char *family = output_of("\"$ULPSCOPE\" exact uniform:n=8 --format binary32"),
         *same = output_of("\"$ULPSCOPE\" exact uniform:n=8");
    assert_string_equal(family, same);
    free(family);
    free(same);
    free(spec);
    free(flags);
    free(piped);
}

/* Of fp8, whose results are of binary32; and beside numbers of binary16, its own neighbours. */
static void value_beside_narrow_numbers_is_of_a_result_s_format(void **state)
{
    (void)state;
    put_text("x.txt", "1\n0.125\n");
    json_t *root =
        json_of("\"$ULPSCOPE\" exact x.txt --format e4m3 --compare 0x1.2p+0 --compare 0x1.200002p+0 --json -");
    assert_string_equal(text_at(json_array_get(json_object_get(root, "compare"), 0), "format"), "binary32");
    assert_string_equal(text_at(json_array_get(json_object_get(root, "compare"), 0), "class"), "exact");
    assert_string_equal(text_at(json_array_get(json_object_get(root, "compare"), 1), "ulp_error_hex"), "0x1p+0");
    json_decref(root);
    root = json_of("\"$ULPSCOPE\" exact x.txt --format binary16 --compare 0x1.208p+0 --json -");
    assert_int_equal(
        json_integer_value(json_object_get(json_array_get(json_object_get(root, "compare"), 0), "steps_from_nearest")),
        2);
    json_decref(root);
}

/* 2^17 numbers are a thread's share at least, so that there are seven. */
static void jobs_do_not_change_the_answer(void **state)
{
    (void)state;
    char *one = output_of("\"$ULPSCOPE\" exact uniform:n=1e6 --jobs 1");
    char *many = output_of("ULPSCOPE_JOBS=7 \"$ULPSCOPE\" exact uniform:n=1e6");
    char *other = output_of("\"$ULPSCOPE\" exact uniform:n=1e6 --seed 2");
    assert_string_equal(one, many);
    assert_string_not_equal(one, other);
    free(one);
    free(many);
    free(other);
}

/* ---- values beside it ---- */

/* Beside a sum of 0, whose ulp is 2^-1074. */
static void an_error_beyond_binary64_has_words(void **state)
{
    (void)state;
    put_text("x.txt", "1\n-1\n");
    char *out = output_of("\"$ULPSCOPE\" exact x.txt --format binary64 --compare 1 --compare 0x1p-60 --compare inf");
    char *const second = strstr(out, "compare     0x1p-60"), *const third = strstr(out, "compare     inf");
    assert_true(second && third);
    assert_non_null(strstr(second, "  relative_error  undefined\n  ulp_error       1.76e+305 ulp\n"));
    assert_non_null(strstr(third, "  ulp_error       inf ulp\n"));
    *second = '\0';
    assert_non_null(strstr(out, "  relative_error  undefined\n  ulp_error       more than 1e308 ulp\n"));
    free(out);
}

#define NO_STEPS INT64_MIN

/* side NULL: none. */
static const struct compared {
    const char *fact, *bytes, *given, *value_hex;
    bool rounded;
    const char *class, *side;
    int64_t steps;
    const char *abs_error, *relative_error, *ulp_error, *backward_error; /* as hex-floats */
} compared[] = {
    {"compare_of_the_exact_sum", "1\n2\n", "3", "0x1.8p+1", false, "exact", "equal", 0, "0x0p+0", "0x0p+0", "0x0p+0",
     "0x0p+0"},
    {"compare_of_a_tie_that_went_to_even", "0x1p+24\n1\n", "16777216", "0x1p+24", false, "finite", "below", 0, "0x1p+0",
     "0x1.fffffe000002p-25", "0x1p-1", "0x1.fffffe000002p-25"},
    {"compare_of_its_other_neighbour", "0x1p+24\n1\n", "0x1.000002p+24", "0x1.000002p+24", false, "finite", "above", 1,
     "0x1p+0", "0x1.fffffe000002p-25", "0x1p-1", "0x1.fffffe000002p-25"},
    {"compare_of_a_decimal_is_rounded", "0x1p+24\n1\n", "16777217.0", "0x1p+24", true, "finite", "below", 0, "0x1p+0",
     "0x1.fffffe000002p-25", "0x1p-1", "0x1.fffffe000002p-25"},
    {"compare_of_a_decimal_just_above_a_tie", "0x1p+24\n1\n", "16777217.0000000000000000000000001", "0x1.000002p+24",
     true, "finite", "above", 1, "0x1p+0", "0x1.fffffe000002p-25", "0x1p-1", "0x1.fffffe000002p-25"},
    {"compare_of_a_decimal_that_is_no_binary64_either", "1\n2\n", "3.0000000000000000000000000001", "0x1.8p+1", true,
     "exact", "equal", 0, "0x0p+0", "0x0p+0", "0x0p+0", "0x0p+0"},
    {"compare_across_zero", "1\n-3\n", "1", "0x1p+0", false, "finite", "above", 2 * INT64_C(0x3f800000) + 0x800000,
     "0x1.8p+1", "0x1.8p+0", "0x1.8p+23", "0x1.8p-1"},
    {"compare_of_zero_of_the_other_sign", "1\n-1\n", "-0", "-0x0p+0", false, "exact", "equal", 0, "0x0p+0", "0x0p+0",
     "0x0p+0", "0x0p+0"},
    {"compare_with_a_sum_of_zero", "1\n-1\n", "-0x1p-149", "-0x1p-149", false, "zero_sum", "below", -1, "0x1p-149",
     "nan", "0x1p+0", "0x1p-150"},
    {"compare_of_infinity", "0x1p+24\n1\n", "inf", "inf", false, "overflow", "above", 0x34000000, "inf", "inf", "inf",
     "inf"},
    {"compare_of_nan", "1\n2\n", "NaN", "nan", false, "nan", NULL, NO_STEPS, "nan", "nan", "nan", "nan"},
    {"compare_with_an_infinite_sum", "inf\n1\n", "Infinity", "inf", false, "inf", "equal", 0, "0x0p+0", "0x0p+0",
     "0x0p+0", "0x0p+0"},
    {"compare_of_the_largest_with_an_infinite_sum", "inf\n1\n", "0x1.fffffep+127", "0x1.fffffep+127", false, "inf",
     "below", -1, "inf", "inf", "inf", "inf"},
    {"compare_with_a_sum_that_is_nan", "nan\n1\n", "1", "0x1p+0", false, "nan", NULL, NO_STEPS, "nan", "nan", "nan",
     "nan"},
};

static void value_has_its_errors(void **state)
{
    const struct compared *row = *state;
    char line[256];
    put_text("x.csv", row->bytes);
    snprintf(line, sizeof line, "\"$ULPSCOPE\" exact x.csv --format binary32 --nonfinite ieee --json - --compare %s",
             row->given);
    json_t *root = json_of(line);
    const json_t *all = json_object_get(root, "compare"), *one = json_array_get(all, 0);
    const json_t *steps = json_object_get(one, "steps_from_nearest"), *side = json_object_get(one, "side");
    assert_int_equal(json_array_size(all), 1);
    assert_string_equal(text_at(one, "given"), row->given);
    assert_string_equal(text_at(one, "format"), "binary32");
    assert_string_equal(text_at(one, "value_hex"), row->value_hex);
    assert_int_equal(json_is_true(json_object_get(one, "rounded")), row->rounded);
    assert_string_equal(text_at(one, "class"), row->class);
    if (row->side)
        assert_string_equal(json_string_value(side), row->side);
    else
        assert_true(json_is_null(side));
    if (row->steps == NO_STEPS)
        assert_true(json_is_null(steps));
    else
        assert_int_equal(json_integer_value(steps), row->steps);
    assert_string_equal(text_at(one, "abs_error_hex"), row->abs_error);
    assert_string_equal(text_at(one, "relative_error_hex"), row->relative_error);
    assert_string_equal(text_at(one, "ulp_error_hex"), row->ulp_error);
    assert_string_equal(text_at(one, "backward_error_hex"), row->backward_error);
    assert_true(json_is_null(json_object_get(one, "bound_ratio")));
    json_decref(root);
}

static void value_of_a_wider_format_keeps_its_bits(void **state)
{
    (void)state;
    put_text("x.csv", "0x1p+24\n1\n");
    json_t *root = json_of("\"$ULPSCOPE\" exact x.csv --as binary64 --compare 16777217 --compare 0x1.0000010000001p+24 "
                           "--json -");
    const json_t *all = json_object_get(root, "compare"), *equal = json_array_get(all, 0),
                 *next = json_array_get(all, 1);
    assert_string_equal(text_at(equal, "format"), "binary64");
    assert_string_equal(text_at(equal, "value_hex"), "0x1.000001p+24"); /* without --as it is rounded to binary32 */
    assert_string_equal(text_at(equal, "class"), "exact");
    assert_int_equal(json_integer_value(json_object_get(equal, "steps_from_nearest")), 0);
    assert_int_equal(json_integer_value(json_object_get(next, "steps_from_nearest")), 1);
    assert_string_equal(text_at(next, "abs_error_hex"), "0x1p-28");
    assert_string_equal(text_at(next, "ulp_error_hex"), "0x1p+0"); /* of binary64 */
    json_decref(root);
    char *text = output_of("\"$ULPSCOPE\" exact x.csv --format binary32 --as float64 --compare 0x1.0000010000001p+24");
    assert_non_null(strstr(text, "no, 1 number of binary64 above it\n"));
    assert_non_null(strstr(text, "ulp_error       1.00 ulp of binary64\n"));
    free(text);
}

static void several_values_are_compared_in_their_order(void **state)
{
    (void)state;
    json_t *root = json_of("\"$ULPSCOPE\" exact uniform:n=8 --compare 2 --compare -1.5 --compare=nan --json -");
    const json_t *all = json_object_get(root, "compare");
    assert_int_equal(json_array_size(all), 3);
    assert_string_equal(text_at(json_array_get(all, 0), "given"), "2");
    assert_string_equal(text_at(json_array_get(all, 1), "value_hex"), "-0x1.8p+0");
    assert_string_equal(text_at(json_array_get(all, 2), "given"), "nan");
    json_decref(root);
    root = json_of("\"$ULPSCOPE\" exact uniform:n=8 --json -"); /* the twin */
    assert_int_equal(json_array_size(json_object_get(root, "compare")), 0);
    assert_true(json_is_array(json_object_get(root, "compare")));
    json_decref(root);
}

/* ---- for people ---- */

static void text_is_that_of_the_page(void **state)
{
    (void)state;
    put_text("x.csv", "0x1p+24\n1\nnan\n");
    char *out = output_of(
        "\"$ULPSCOPE\" exact x.csv --format binary32 --nonfinite skip --compare 16777217.0 --verify-reference");
    static const char expected[] = "exact       0x1.000001p+24\n"
                                   "decimal     1.6777217000000000000e+07\n"
                                   "binary64    0x1.000001p+24           16777217                 ulp 0x1p-28\n"
                                   "binary32    0x1p+24                  16777216                 ulp 0x1p+1\n"
                                   "binary16    inf                                               ulp 0x1p+14\n"
                                   "bfloat16    0x1p+24                  16777216                 ulp 0x1p+17\n"
                                   "sum |x|     0x1.000001p+24\n"
                                   "condition   1.00\n"
                                   "exponents   0 to 24\n"
                                   "n           2 of binary32, 1 nan, inf or missing left out\n"
                                   "specials    0 nan, 0 inf, 0 -inf, 0 -0, 0 subnormal\n"
                                   "file sha256 017a386177e6715a5eb65425bc5a2a83dad5dbbcfffa340be6da3388c939a244\n"
                                   "verified    one mpfr_add per term gives the same\n"
                                   "\n"
                                   "compare     16777217.0\n"
                                   "  value           0x1p+24 = 16777216, rounded to binary32\n"
                                   "  class           finite, below the exact sum\n"
                                   "  nearest         yes\n"
                                   "  abs_error       1.00\n"
                                   "  relative_error  5.97e-08\n"
                                   "  ulp_error       0.500 ulp\n"
                                   "  backward_error  5.97e-08\n";
    if (strncmp(out, expected, sizeof expected - 1) != 0) /* other metrics may follow */
        assert_string_equal(out, expected);
    free(out);
}

static void words_of_the_text(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *given, *words;
    } rows[] = {
        {"1\n-1\n", "-0", "nearest         yes, but for the sign of zero\n"},
        {"1\n-1\n", "0", "nearest         yes\n"},
        {"1\n", "0x1.000002p+0", "nearest         no, 1 number of binary32 above it\n"},
        {"1\n", "0x1.fffffcp-1", "nearest         no, 2 numbers of binary32 below it\n"},
        {"1\n", "nan", "nearest         undefined\n"},
        {"1\n", "nan", "class           nan\n"},
        {"0\nnan\n", "1", "exponents   none: no finite number but 0\n"},
        {"0\nnan\n", "1", "binary16    nan\n"},
        {"0.1\n", "0.1", "binary64    0x1.99999ap-4            0.10000000149011612      ulp"},
        {"0.1\n", "0.1", "binary32    0x1.99999ap-4            0.1                      ulp"},
        {"0.1\n", "0.1", "binary16    0x1.998p-4               0.099975586              ulp"},
        {"1\n-1\n", "-0", "value           -0x0p+0 = -0\n"},
        {"1\n", "inf", "value           inf\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[128];
        put_text("x.csv", rows[i].bytes);
        snprintf(line, sizeof line, "\"$ULPSCOPE\" exact x.csv --format binary32 --nonfinite ieee --compare %s",
                 rows[i].given);
        char *out = output_of(line);
        if (!strstr(out, rows[i].words))
            fail_msg("%s: \"%s\" is not in \"%s\"", line, rows[i].words, out);
        assert_null(strstr(out, "verified"));
        free(out);
    }
}

static void json_in_a_file_stands_beside_the_text(void **state)
{
    (void)state;
    char *text = output_of("\"$ULPSCOPE\" exact uniform:n=8 --compare 1");
    char *both = output_of("\"$ULPSCOPE\" exact uniform:n=8 --compare 1 --json x.json");
    char *json = output_of("\"$ULPSCOPE\" exact uniform:n=8 --compare 1 --json -"), *file = take_file("x.json");
    assert_string_equal(both, text);
    assert_string_equal(file, json);
    assert_null(strstr(json, "exponents  "));
    free(text);
    free(both);
    free(json);
    free(file);
}

static void json_has_the_nearest_as_numbers_too(void **state)
{
    (void)state;
    put_text("x.csv", "65520\n");
    json_t *root = json_of("\"$ULPSCOPE\" exact x.csv --json -");
    const json_t *numbers = json_object_get(root, "nearest_number");
    assert_int_equal(json_object_size(numbers), 4);
    assert_true(json_number_value(json_object_get(numbers, "binary64")) == 65520);
    assert_true(json_number_value(json_object_get(numbers, "bfloat16")) == 65536);
    assert_string_equal(text_at(numbers, "binary16"), "inf"); /* JSON has none */
    json_decref(root);
}

static void verification_is_told_only_where_it_was_done(void **state)
{
    (void)state;
    json_t *verified = json_of("\"$ULPSCOPE\" exact normal:n=1000 --verify-reference --json -");
    json_t *not_verified = json_of("\"$ULPSCOPE\" exact normal:n=1000 --json -");
    assert_true(json_is_true(json_object_get(verified, "verified")));
    assert_true(json_is_false(json_object_get(not_verified, "verified")));
    assert_string_equal(text_at(verified, "exact"), text_at(not_verified, "exact"));
    json_decref(verified);
    json_decref(not_verified);
}

/* ---- memory ---- */

/* The address space is as large as the file: no program can hold all of it there, and `run`, the twin, which must, says
 * so.  Where the libraries alone do not fit, as those of a sanitizer, nothing can be told. */
static void file_as_large_as_memory_is_summed(void **state)
{
    (void)state;
    enum { BYTES = 128 << 20 };
    static const float first = 1.5F, last = 0x1p-149F;
    struct outcome outcome;
    FILE *file = fopen(in_folder("x.raw").text, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(&first, sizeof first, 1, file), 1);
    assert_int_equal(fseek(file, BYTES - (long)sizeof last, SEEK_SET), 0); /* zeros that take no place on the disk */
    assert_int_equal(fwrite(&last, sizeof last, 1, file), 1);
    assert_int_equal(fclose(file), 0);
    run_line("ulimit -v 131072 && \"$ULPSCOPE\" --version", &outcome);
    const bool starts = outcome.code == 0;
    outcome_free(&outcome);
    if (!starts) {
        print_message("skipped: the program does not start in 128 MiB of address space\n");
        skip();
    }
    run_line("ulimit -v 131072 && \"$ULPSCOPE\" run -q -m naive -d x.raw --jobs 1", &outcome);
    assert_int_equal(outcome.code, 3);
    assert_non_null(strstr(outcome.err, "out of memory for the numbers of a file"));
    outcome_free(&outcome);
    json_t *root = json_of("ulimit -v 131072 && \"$ULPSCOPE\" exact x.raw --jobs 1 --json -");
    assert_string_equal(text_at(root, "exact"), "0x1.8000000000000000000000000000000000000"
                                                "8p+0");
    assert_int_equal(json_integer_value(json_object_get(root, "n")), BYTES / 4);
    json_decref(root);
}

/* ---- what reading changed ---- */

/* Whole, on standard error; "": nothing is said.  The sums are of doubles: 0.1 + 0.2 - 0.3 is 2^-54, and in binary32
 * -2^-27. */
#define AS_WRITTEN "; `exact --as-written` adds what is written\n"
static const struct said_of_reading {
    const char *fact, *name;
    const char *bytes;
    size_t size;
    const char *words, *said;
} said_of_readings[] = {
    {"reading_decimals_is_told", "x.txt", BYTES("0.1\n0.2\n-0.3\n"), "exact x.txt",
     "x.txt: rounded to binary64 on reading: 3 of 3 numbers, which moved their sum by 2.78e-17" AS_WRITTEN},
    {"reading_decimals_of_a_narrow_format_is_told", "x.txt", BYTES("0.1\n0.2\n-0.3\n"), "exact x.txt --format binary32",
     "x.txt: rounded to binary32 on reading: 3 of 3 numbers, which moved their sum by 7.46e-09; format=binary64 behind "
     "its name "
     "reads "
     "doubles\n"},
    {"reading_decimals_of_a_column_is_told_once", "x.csv", BYTES("a,b\n0.1,1\n0.5,2\n"),
     "run -q -m naive -d x.csv:column=a --speed 0 -o out && \"$ULPSCOPE\" run -m naive -d x.csv:column=a --speed 0 "
     "2>&1 "
     ">/dev/null | grep reading >&2",
     "x.csv: rounded to binary32 on reading: 1 of 2 numbers, which moved their sum by 1.50e-09; format=binary64 behind "
     "its name "
     "reads "
     "doubles\n"},
    {"reading_half_a_least_subnormal_is_told", "x.txt", BYTES("0.5\n0x1.8p-149\n16777216\n0x1p-149\n"),
     "exact x.txt:format=binary32",
     "x.txt: rounded to binary32 on reading: 1 of 4 numbers, which moved their sum by 7.01e-46; format=binary64 behind "
     "its name "
     "reads "
     "doubles\n"},
    {"reading_what_binary64_has_says_nothing", "x.txt", BYTES("0.5\n0x1.8p-149\n16777217\n"), "exact x.txt", ""},
    {"reading_binary32_says_nothing", "x.txt", BYTES("0.5\n16777216\n0x1p-149\ninf\n"), "exact x.txt --nonfinite ieee",
     ""},
    {"reading_decimals_quietly_says_nothing", "x.txt", BYTES("0.1\n"), "exact -q x.txt", ""},
    {"reading_decimals_of_a_named_format_is_told", "x.txt", BYTES("0.1\n"), "exact x.txt:format=binary64",
     "x.txt: rounded to binary64 on reading: 1 of 1 numbers, which moved their sum by 5.56e-18" AS_WRITTEN},
    {"reading_decimals_for_convert_is_in_the_report", "x.txt", BYTES("0.1\n"), "exact x.txt:convert=binary32", ""},
    {"reading_integers_that_binary64_lacks_is_told", "x.txt", BYTES("9007199254740993\n-9007199254740992\n0.1\n"),
     "exact x.txt",
     "x.txt: added as written, since 1 of its 3 numbers, integers or too large, cannot be represented in binary64\n"},
    {"reading_integers_that_binary64_has_says_nothing", "x.txt", BYTES("9007199254740992\n"),
     "exact x.txt --format binary64", ""},
    {"reading_raw_numbers_of_no_format_is_told", "x.bin", BYTES("\0\0\0\0\0\0\26\100"), "exact x.bin",
     "x.bin: read as 2 numbers of binary32, since no format= says what they are\n"},
    {"reading_raw_numbers_of_a_format_says_nothing", "x.bin", BYTES("\0\0\0\0\0\0\26\100"),
     "exact x.bin:format=binary64", ""},
};

static void reading_says(void **state)
{
    const struct said_of_reading *row = *state;
    struct outcome outcome;
    char line[512];
    put_file(row->name, row->bytes, row->size);
    snprintf(line, sizeof line, "\"$ULPSCOPE\" %s", row->words);
    run_line(line, &outcome);
    assert_string_equal(outcome.err, row->said);
    assert_int_equal(outcome.code, 0);
    outcome_free(&outcome);
}

/* ---- the list ---- */

static const struct CMUnitTest facts[] = {
    FACT(pipe_has_the_sum_of_the_file),
    FACT(exponents_are_those_of_finite_numbers_but_zero),
    FACT(more_digits_are_more_of_the_same),
    FACT(binary64_of_an_npy_is_summed),
    FACT(ulp_has_no_end_as_binary64_has),
    FACT(an_error_beyond_binary64_has_words),
    FACT(jobs_do_not_change_the_answer),
    FACT(numbers_of_a_format_are_rounded_to_another),
    FACT(value_beside_narrow_numbers_is_of_a_result_s_format),
    FACT(value_of_a_wider_format_keeps_its_bits),
    FACT(several_values_are_compared_in_their_order),
    FACT(text_is_that_of_the_page),
    FACT(words_of_the_text),
    FACT(json_in_a_file_stands_beside_the_text),
    FACT(json_has_the_nearest_as_numbers_too),
    FACT(verification_is_told_only_where_it_was_done),
    FACT(file_as_large_as_memory_is_summed),
};

int main(void)
{
    ADD_FACTS(facts);
    ADD_ROWS(roundings, sum_is_rounded_to_each_format);
    ADD_ROWS(compared, value_has_its_errors);
    ADD_ROWS(said_of_readings, reading_says);
    ADD_ROWS(exact_files, exact_sum_is_that_of_fractions);
    return run_all_tests();
}
