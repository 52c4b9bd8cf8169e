/* Methods in every format of kernels/formats.def: their names, what is added in what, and how often it is rounded. */
#include "src/base/format.h"
#include "tests/support/methods.h"
#include "tests/support/random.h"

static uint64_t bits_of_sum(const struct method *method, const void *x, uint64_t n, struct launch launch)
{
    const struct operands of = operands_of_sum(method->sum_format->stored, x, n);
    uint64_t bits = 0;
    assert_int_equal(method_replay(method, &of, launch, 1, &bits), OK);
    return bits;
}

static double sum_of(const char *id, const void *x, uint64_t n)
{
    const struct method *method = method_find(id);
    assert_non_null(method);
    return format_value(method->format, bits_of_sum(method, x, n, one_warp));
}

/* ---- the table ---- */

static void every_method_has_one_name_and_one_number(void **state)
{
    (void)state;
    size_t all = 0;
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t count;
        const struct method *const *table = method_table_of(sum_formats[f], &count);
        assert_true(count > (sum_format_saturates(sum_formats[f]) ? 60 : 100)); /* plain, height, trace */
        for (size_t m = 0; m < count; m++, all++) {
            assert_ptr_equal(method_find(table[m]->id), table[m]);
            assert_ptr_equal(method_numbered(method_index(table[m])), table[m]);
            assert_ptr_equal(method_in(table[m], sum_formats[f]), table[m]);
            assert_ptr_equal(table[m]->sum_format, sum_formats[f]);
        }
    }
    print_message("%zu methods\n", all);
    assert_ptr_equal(method_find("kahan@bfloat16"), method_find("kahan/tree_two_pass@bfloat16"));
    assert_ptr_equal(method_find("naive@binary64"), method_find("plain/serial@binary64"));
    assert_ptr_equal(method_find("kahan@float"), method_find("kahan"));
    assert_ptr_equal(method_find("kahan@flaot"), NULL);
    assert_ptr_equal(method_find("kaha@bfloat16"), NULL);
    assert_ptr_equal(method_find("double@binary64"), NULL); /* it has no accumulator binary64 */
    assert_ptr_equal(method_find("kahan/serial@flaot"), NULL);
    assert_ptr_equal(method_find("kahan/serial@binary32"), method_find("kahan/serial"));
    assert_ptr_equal(method_numbered(SIZE_MAX), NULL);
}

static void what_is_stored_is_a_number_of_what_is_added(void **state)
{
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++) {
        const struct format *stored = sum_formats[f]->stored, *added = sum_formats[f]->added;
        assert_true(stored->precision <= added->precision);
        assert_true(stored->least_exponent >= added->least_exponent);
        assert_true(stored->overflow_exponent <= added->overflow_exponent);
        assert_true(stored->least_exponent >= sum_formats[f]->result->least_exponent); /* docs/bounds.md */
    }
    assert_ptr_equal(sum_format_of(&FORMAT_BFLOAT16, NULL), &sum_format_bfloat16);
    assert_ptr_equal(sum_format_of(&FORMAT_BFLOAT16, &FORMAT_BFLOAT16), &sum_format_bfloat16_in_bfloat16);
    assert_ptr_equal(sum_format_of(&FORMAT_BINARY64, &FORMAT_BINARY32), NULL);
}

static void who_is_absent_says_why(void **state)
{
    (void)state;
    for (int f = 0; f < SUM_FORMATS; f++)
        for (size_t m = 0, count = 1; m < count; m++) {
            const struct method *method = method_table(&count)[m];
            const char *why = method_absent(OPERATION_sum, sum_formats[f], method->accumulator);
            assert_true(!why == (method_in(method, sum_formats[f]) != NULL));
        }
    assert_non_null(method_absent(OPERATION_sum, &sum_format_binary64, "binary64"));
}

static void black_boxes_do_all_in_what_is_stored(void **state)
{
    (void)state;
    size_t formats = 0;
    for (int f = 0; f < SUM_FORMATS; f++) {
        const struct sum_format *format = sum_formats[f];
        const struct method *box = method_in(method_find("cub/device_reduce"), format);
        assert_true((box != NULL) == (format->stored == format->added && format->added == format->result &&
                                      !sum_format_saturates(format)));
        if (!box)
            continue;
        formats++;
        assert_ptr_equal(box->format, format->result);
        assert_ptr_equal(box->sum_format, format);
    }
    assert_int_equal(formats, 4);
    assert_string_equal(method_find("cuda/atomic_add@binary64")->id, "cuda/atomic_add@binary64");
    assert_string_equal(method_find("cuda/atomic_add")->id, "cuda/atomic_add");
}

/* ---- what is added ---- */

/* Ones stop where 1 is half an ulp: at 2^8, 2^11; in binary32 they would at 2^24. */
static void ones_stop_where_the_format_ends(void **state)
{
    (void)state;
    float ones[5000];
    for (size_t i = 0; i < COUNT_OF(ones); i++)
        ones[i] = 1;
    assert_true(sum_of("plain/serial@bfloat16_in_bfloat16", ones, 5000) == 256);
    assert_true(sum_of("plain/serial@binary16_in_binary16", ones, 5000) == 2048);
    assert_true(sum_of("plain/serial@e4m3_in_binary16", ones, 5000) == 2048);
    assert_true(sum_of("plain/serial@bfloat16", ones, 5000) == 4992); /* 5000, rounded once to 8 bits */
    assert_true(sum_of("plain/serial@binary16", ones, 5000) == 5000);
    assert_true(sum_of("plain/serial@bfloat16_to_binary32", ones, 5000) == 5000);
    assert_true(sum_of("kahan/serial@bfloat16_in_bfloat16", ones, 5000) == 4992);
}

/* 2^127 2^127 - 2^127 - 2^127 + 1: binary64 has room. */
static void numbers_are_converted_to_what_is_added(void **state)
{
    (void)state;
    const float x[] = {0x1p127f, 0x1p127f, -0x1p127f, -0x1p127f, 1};
    const double tenths[] = {0.1, 0.2, 0.3};
    assert_true(isnan(sum_of("plain/serial", x, COUNT_OF(x))) || isinf(sum_of("plain/serial", x, COUNT_OF(x))));
    assert_true(sum_of("plain/serial@binary32_to_binary64", x, COUNT_OF(x)) == 1);
    assert_true(sum_of("plain/serial@binary64", tenths, 3) == 0.1 + 0.2 + 0.3);
    assert_true(sum_of("neumaier/serial@binary64", tenths, 3) == 0.6);
}

/* The middle between two numbers of bfloat16, and something beyond binary32 above it: once rounded up, twice down. */
static void a_result_is_rounded_once(void **state)
{
    (void)state;
    const float x[] = {1, 0x1p-8f, 0x1p-40f};
    assert_true(sum_of("binary64/serial@bfloat16", x, 2) == 1);
    assert_true(sum_of("binary64/serial@bfloat16", x, 3) == 1 + 0x1p-7);
    assert_true(sum_of("superacc/serial@bfloat16", x, 3) == 1 + 0x1p-7);
    assert_true(sum_of("plain/serial@bfloat16", x, 3) == 1); /* binary32 has lost what is above the tie */
    const float large[] = {0x1.fep15f, 0x1p5f};
    assert_true(sum_of("plain/serial@binary16", large, 2) == 0x1.fep15 + 32);
    const float over[] = {65504, 16};
    assert_true(sum_of("plain/serial@binary16", over, 2) == INFINITY); /* from 65520 on */
    assert_true(sum_of("plain/serial@binary16_in_binary16", over, 2) == INFINITY);
    assert_true(sum_of("plain/serial@binary16_to_binary32", over, 2) == 65520);
}

/* ---- sums in 8 bits ---- */

/* The number nearest to an exact sum, of two the one whose last bit is 0; of all beyond the largest that; NaN of NaN.
 * A search of all numbers shares nothing with what rounds. */
static uint64_t nearest_of_all(const struct format *format, double sum)
{
    const double magnitude = fmin(fabs(sum), format_largest(format));
    uint64_t nearest = 0;
    for (uint64_t code = 1; code < 128; code++) {
        const double now = fabs(format_value(format, code) - magnitude);
        const double least = fabs(format_value(format, nearest) - magnitude);
        if (now < least || (now == least && code % 2 == 0))
            nearest = code;
    }
    return isnan(sum) ? format_bits(format, (double)NAN) : nearest | (signbit(sum) ? 0x80 : 0);
}

struct pairs {
    size_t compared, saturated, nan, wrong;
    size_t twice_in_binary16, twice_in_fewer; /* whose sum is another once it was rounded to so many bits before */
};

/* A state starts at +0, to which a is added. */
static void count_pair(const struct method *method, double a, double b, struct pairs *pairs)
{
    const struct format *format = method->format;
    struct format fewer = FORMAT_BINARY16;
    fewer.precision = format->precision + 1;
    const double sum = format_value(format, nearest_of_all(format, 0 + a)) + b;
    const uint64_t defined = nearest_of_all(format, sum);
    const float x[] = {(float)a, (float)b};
    pairs->compared++;
    pairs->nan += isnan(sum) != 0;
    pairs->saturated += fabs(sum) > format_largest(format);
    pairs->wrong += !format_same(format, bits_of_sum(method, x, 2, one_warp), defined);
    pairs->twice_in_binary16 += nearest_of_all(format, rounded_to(sum, &FORMAT_BINARY16)) != defined;
    pairs->twice_in_fewer += nearest_of_all(format, rounded_to(sum, &fewer)) != defined;
}

static struct pairs all_pairs(const char *id)
{
    const struct method *method = method_find(id);
    struct pairs pairs = {0};
    for (uint64_t a = 0; a < 256; a++)
        for (uint64_t b = 0; b < 256; b++)
            count_pair(method, format_value(method->sum_format->stored, a), format_value(method->sum_format->stored, b),
                       &pairs);
    return pairs;
}

/* In binary16 first, as NCCL adds, or not.  The twin: by way of one
 * bit more than fp8 has, 4176 and 1686 sums are others. */
static void every_pair_of_8_bits_is_rounded_once_and_saturates(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        struct pairs expected;
    } formats[] = {{"plain/serial@e4m3_in_e4m3", {1 << 16, 836, 1020, 0, 0, 4176}},
                   {"plain/serial@e5m2_in_e5m2", {1 << 16, 1298, 3036, 0, 0, 1686}}};
    for (size_t f = 0; f < COUNT_OF(formats); f++) {
        const struct pairs seen = all_pairs(formats[f].id);
        assert_memory_equal(&seen, &formats[f].expected, sizeof seen);
    }
}

/* ---- trees ---- */

/* A load of 16 bytes brings 2 to 16 numbers. */
static void heights_are_those_of_the_trees(void **state)
{
    (void)state;
    static float x[20000];
    static double wide[COUNT_OF(x)];
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t count, compared = 0;
        const struct method *const *table = method_table_of(sum_formats[f], &count);
        const void *data = sum_formats[f]->stored->bytes == sizeof *wide ? (const void *)wide : x;
        for (size_t m = 0; m < count; m++)
            for (size_t l = 0; l < LAUNCHES && strcmp(table[m]->accumulator, "height") == 0; l++)
                for (uint64_t n = 1; n <= COUNT_OF(x) && can_do(table[m], launches[l]); n = 3 * n + 1, compared++) {
                    const double height = format_value(table[m]->format, bits_of_sum(table[m], data, n, launches[l]));
                    assert_true(height == (double)method_height(table[m], n, launches[l]));
                }
        assert_true(compared > 100);
    }
    const struct method *binary32 = method_find("plain/vector_two_pass");
    const struct method *bfloat16 = method_find("plain/vector_two_pass@bfloat16");
    assert_true(method_height(binary32, 1000, one_warp) != method_height(bfloat16, 1000, one_warp)); /* the twin */
}

/* ---- bounds ---- */

static void no_error_is_above_its_bound(void **state)
{
    (void)state;
    size_t claimed = 0;
    for (int f = 0; f < SUM_FORMATS; f++) {
        size_t count;
        const struct method *const *table = method_table_of(sum_formats[f], &count);
        const struct format *stored = sum_formats[f]->stored;
        float x[300];
        double wide[COUNT_OF(x)];
        seed_random(20);
        for (size_t i = 0; i < COUNT_OF(x); i++) {
            const double value = ldexp((double)(next_random() % 256) - 128, (int)(next_random() % 8) - 6);
            wide[i] = rounded_to(value, stored);
            x[i] = (float)wide[i];
        }
        const void *data = stored->bytes == sizeof *wide ? (const void *)wide : x;
        struct exact_sum exact;
        assert_int_equal(exact_sum(stored, data, COUNT_OF(x), &exact), OK);
        for (size_t m = 0; m < count; m++) {
            if (!is_sum(table[m]) || !can_do(table[m], one_warp))
                continue;
            const double computed = format_value(table[m]->format, bits_of_sum(table[m], data, COUNT_OF(x), one_warp));
            const struct judged judged = {.exact = &exact,
                                          .format = table[m]->format,
                                          .computed = computed,
                                          .bound = bound_of(table[m], one_warp, &exact)};
            const double ratio = metric_table[METRIC_bound_ratio].measure(&judged);
            if (ratio > 1)
                fail_msg("%s: %g of the bound", table[m]->id, ratio);
            claimed += !isinf(judged.bound);
        }
        exact_free(&exact);
    }
    print_message("%zu bounds\n", claimed);
    assert_true(claimed > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_one_name_and_one_number),
        cmocka_unit_test(what_is_stored_is_a_number_of_what_is_added),
        cmocka_unit_test(who_is_absent_says_why),
        cmocka_unit_test(black_boxes_do_all_in_what_is_stored),
        cmocka_unit_test(ones_stop_where_the_format_ends),
        cmocka_unit_test(numbers_are_converted_to_what_is_added),
        cmocka_unit_test(a_result_is_rounded_once),
        cmocka_unit_test(every_pair_of_8_bits_is_rounded_once_and_saturates),
        cmocka_unit_test(heights_are_those_of_the_trees),
        cmocka_unit_test(no_error_is_above_its_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
