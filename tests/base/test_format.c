/* Numbers of every format: rounded to it, and as bits and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference/rounding.h"
#include "src/base/format.h"
#include "tests/support/random.h"

#include <float.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- rounding ---- */

static double by_the_reference(double x, const struct format *format)
{
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, x, MPFR_RNDN);
    const double rounded = exact_round(value, format);
    mpfr_clear(value);
    return rounded;
}

/* Cuts the bits off. */
static double by_truncation(double x, const struct format *format)
{
    return double_from_bits(double_bits(x) & ~((UINT64_C(1) << (53 - format->precision)) - 1));
}

typedef double rounding(double x, const struct format *format);

static bool misses(rounding *round, double x, const struct format *format)
{
    return isfinite(x) && !same_double(round(x, format), by_the_reference(x, format));
}

/* In how many of many numbers it is not what the reference says: any, and those at and beside ties of every size. */
static size_t missed(rounding *round, const struct format *format)
{
    size_t count = 0;
    seed_random(1);
    for (int i = 0; i < 20000; i++) {
        count += misses(round, (double)any_float(), format);
        count += misses(round, double_from_bits(next_random()), format);
    }
    for (int exponent = format->least_exponent - 3; exponent <= format->overflow_exponent; exponent++)
        for (int bit = 0; bit < 53; bit++)
            for (int beside = -1; beside <= 1; beside++) {
                const double tie = ldexp(1 + ldexp(1, -bit), exponent);
                count += misses(round,
                                beside < 0   ? nextafter(tie, 0)
                                : beside > 0 ? nextafter(tie, INFINITY)
                                             : tie,
                                format);
            }
    return count;
}

static const struct format *const formats[] = {&FORMAT_BINARY16, &FORMAT_BFLOAT16, &FORMAT_TF32, &FORMAT_BINARY32,
                                               &FORMAT_BINARY64};

static void rounding_to_a_format_is_that_of_the_reference(void **state)
{
    (void)state;
    for (size_t f = 0; f < COUNT_OF(formats); f++)
        assert_int_equal(missed(rounded_to, formats[f]), 0);
    assert_true(missed(by_truncation, &FORMAT_TF32) > 1000); /* the twin */
    assert_true(rounded_to(65519.99, &FORMAT_BINARY16) == 65504);
    assert_true(rounded_to(65520, &FORMAT_BINARY16) == INFINITY);
    assert_true(rounded_to(-0x1p-25, &FORMAT_BINARY16) == 0);
    assert_true(rounded_to(0x1.000002p-25, &FORMAT_BINARY16) == 0x1p-24);
    assert_true(rounded_to(FLT_MAX, &FORMAT_BFLOAT16) == INFINITY);
    assert_true(isnan(rounded_to(NAN, &FORMAT_BFLOAT16)));
    assert_true(rounded_to(-INFINITY, &FORMAT_TF32) == -INFINITY);
}

/* ---- bits ---- */

static void bits_are_those_of_the_processor(void **state)
{
    (void)state;
    seed_random(2);
    for (int i = 0; i < 20000; i++) {
        const float x = any_float();
        const double y = double_from_bits(next_random());
        assert_int_equal(format_bits(&FORMAT_BINARY32, (double)x), float_bits(x));
        assert_true(same_double(format_value(&FORMAT_BINARY32, float_bits(x)), (double)x));
        assert_true(isnan(y) || format_bits(&FORMAT_BINARY64, y) == double_bits(y));
        assert_true(same_double(format_value(&FORMAT_BINARY64, double_bits(y)), y));
    }
}

/* Numbers that come back as others, or are not above the one before them. */
static size_t not_kept(const struct format *from, const struct format *to)
{
    size_t count = 0;
    for (uint64_t bits = 0; bits < UINT64_C(1) << 8 * from->bytes; bits++) {
        const double value = format_value(from, bits);
        count += !format_same(to, format_bits(to, value), bits);
        count += bits > 0 && bits < UINT64_C(1) << (8 * from->bytes - 1) && value <= format_value(from, bits - 1);
    }
    return count;
}

/* Numbers of 16 bits whose spacing is not their distance from the next one. */
static size_t not_spaced(double (*spacing)(const struct format *format, double x))
{
    size_t count = 0;
    for (uint64_t bits = 0; bits < 0x7bff; bits++) { /* the largest of binary16, and far up in bfloat16 */
        const struct format *const two[] = {&FORMAT_BINARY16, &FORMAT_BFLOAT16};
        for (size_t f = 0; f < COUNT_OF(two); f++) {
            const double x = format_value(two[f], bits), next = format_value(two[f], bits + 1);
            count += spacing(two[f], x) != next - x || spacing(two[f], -x) != next - x;
        }
    }
    return count;
}

static double spacing_of_normals(const struct format *format, double x)
{
    return ldexp(1, x == 0 ? format->least_exponent : ilogb(x) - (format->precision - 1));
}

static void the_spacing_is_the_distance_from_the_next_number(void **state)
{
    (void)state;
    assert_int_equal(not_spaced(format_spacing), 0);
    assert_int_equal(not_spaced(spacing_of_normals), 1023 + 127); /* the twin: all subnormals but 0 */
    assert_true(format_spacing(&FORMAT_BINARY64, NAN) == 0x1p-1074 && format_spacing(&FORMAT_E4M3, 448) == 32);
}

static void every_number_of_16_and_8_bits_is_kept_and_in_order(void **state)
{
    (void)state;
    assert_int_equal(not_kept(&FORMAT_BINARY16, &FORMAT_BINARY16), 0);
    assert_int_equal(not_kept(&FORMAT_BFLOAT16, &FORMAT_BFLOAT16), 0);
    assert_int_equal(not_kept(&FORMAT_E4M3, &FORMAT_E4M3), 0);
    assert_int_equal(not_kept(&FORMAT_E5M2, &FORMAT_E5M2), 0);
    assert_true(not_kept(&FORMAT_BINARY16, &FORMAT_BFLOAT16) > 1000); /* the twin */
}

static void known_numbers_have_their_known_bits(void **state)
{
    (void)state;
    const struct {
        const struct format *format;
        double value;
        uint64_t bits;
    } rows[] = {
        {&FORMAT_BINARY16, 65504, 0x7bff},
        {&FORMAT_BINARY16, 0x1p-24, 1},
        {&FORMAT_BINARY16, -2, 0xc000},
        {&FORMAT_BINARY16, INFINITY, 0x7c00},
        {&FORMAT_BFLOAT16, 1, 0x3f80},
        {&FORMAT_BFLOAT16, 0x1p-133, 1},
        {&FORMAT_BFLOAT16, -INFINITY, 0xff80},
        {&FORMAT_BINARY32, -0.0, 0x80000000},
        {&FORMAT_BINARY32, NAN, 0x7fc00000},
        {&FORMAT_BINARY64, DBL_MAX, 0x7fefffffffffffff},
        {&FORMAT_E4M3, 448, 0x7e},
        {&FORMAT_E4M3, -0x1p-9, 0x81},
        {&FORMAT_E4M3, NAN, 0x7f},
        {&FORMAT_E5M2, 57344, 0x7b},
        {&FORMAT_E5M2, 0x1p-16, 1},
        {&FORMAT_E5M2, -INFINITY, 0xfc},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(format_bits(rows[i].format, rows[i].value), rows[i].bits);
        assert_true(same_double(format_value(rows[i].format, rows[i].bits), rows[i].value));
    }
}

/* OCP: rounding goes on above 448 as if there were 480, and what becomes that is out of range. */
static void e4m3_has_no_infinity(void **state)
{
    (void)state;
    assert_true(rounded_to(464, &FORMAT_E4M3) == 448);
    assert_true(isnan(rounded_to(464.1, &FORMAT_E4M3)));
    assert_true(isnan(rounded_to(-INFINITY, &FORMAT_E4M3)));
    assert_int_equal(format_bits(&FORMAT_E4M3, INFINITY), 0x7f);
    assert_true(rounded_to(61439, &FORMAT_E5M2) == 57344);
    assert_true(rounded_to(61440, &FORMAT_E5M2) == INFINITY);
}

/* Bits count up: the next are those of infinity, or of the NaN in its place. */
/* And a format of its own: 11 bits are binary16's, too. */
static void a_number_of_tf32_has_the_bits_of_a_binary32(void **state)
{
    size_t rounded = 0;
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        const uint32_t bits = (uint32_t)(i * 2654435761u);
        const double x = (double)float_from_bits(bits), near = rounded_to(x, &FORMAT_TF32);
        if (isnan(x))
            continue;
        assert_int_equal(format_bits(&FORMAT_TF32, near), float_bits((float)near));
        assert_true(format_value(&FORMAT_TF32, bits) == (double)float_from_bits(bits & ~UINT32_C(0x1fff)));
        assert_true(format_value(&FORMAT_TF32, format_bits(&FORMAT_TF32, near)) == near);
        rounded += near != x;
    }
    assert_true(rounded > 90000);
    assert_true(isnan(format_value(&FORMAT_TF32, 0x7f800001))); /* no infinity, whatever bits are ignored */
    assert_true(is_format(format_encoding(&FORMAT_TF32), &FORMAT_BINARY32));
    assert_true(is_format(format_encoding(&FORMAT_BINARY16), &FORMAT_BINARY16));
    assert_false(is_format(&FORMAT_TF32, &FORMAT_BINARY16) || is_format(&FORMAT_TF32, &FORMAT_BINARY32));
    for (unsigned f = 0; f < STORED_FORMAT_COUNT; f++)
        assert_int_equal(format_index(NUMBER_FORMATS[f]), f);
}

static void the_largest_number_is_the_last_before_infinity(void **state)
{
    (void)state;
    for (int f = 0; f < STORED_FORMAT_COUNT; f++) {
        const struct format *format = NUMBER_FORMATS[f];
        const uint64_t last = format_bits(format, format_largest(format));
        const uint64_t one = UINT64_C(1) << (format_encoding(format)->precision - format->precision); /* TF32: 2^13 */
        assert_int_equal(last + one, format_bits(format, INFINITY));
        assert_true(format_value(format, last) == format_largest(format));
        assert_false(format_value(format, last - one) == format_largest(format));
    }
}

/* The host's arrays: binary32, or binary64 for what binary32 has no room for. */
static void held_numbers_are_packed_as_their_format_stores_them(void **state)
{
    (void)state;
    const float few[3] = {1.5f, -0.0f, 0x1p-24f};
    const double one = 0.1;
    uint16_t packed[3];
    uint64_t wide;
    float again[1];
    held_pack(&FORMAT_BINARY16, few, 3, packed);
    assert_int_equal(packed[0], 0x3e00);
    assert_int_equal(packed[1], 0x8000);
    assert_int_equal(packed[2], 1);
    held_pack(&FORMAT_BINARY64, &one, 1, &wide);
    held_pack(&FORMAT_BINARY64, NULL, 0, &wide); /* the preset asan sees what is read of NULL */
    assert_int_equal(wide, double_bits(one));
    assert_true(held_number(&FORMAT_BINARY64, &one, 0) == one);
    held_set(&FORMAT_BFLOAT16, again, 0, 1.5);
    assert_true(held_number(&FORMAT_BFLOAT16, again, 0) == 1.5);
}

static void numbers_are_unpacked_as_the_host_holds_them(void **state)
{
    (void)state;
    for (int f = 0; f < STORED_FORMAT_COUNT; f++) {
        const struct format *const format = NUMBER_FORMATS[f];
        if (format_held(format)->bytes == format->bytes)
            continue; /* 2^32 or more of them, which are copied */
        for (uint64_t bits = 0; bits < UINT64_C(1) << 8 * format->bytes; bits++) {
            float x = 0;
            held_unpack(format, &bits, 1, &x);
            assert_true(same_double((double)x, format_value(format, bits)));
        }
    }
    double wide = 0;
    held_unpack(&FORMAT_BINARY64, &(double){0.1}, 1, &wide);
    assert_true(wide == 0.1);
}

static void every_nan_is_the_same_and_nothing_else_is(void **state)
{
    (void)state;
    assert_true(format_same(&FORMAT_BINARY32, 0x7fc00000, 0xff800001));
    assert_true(format_same(&FORMAT_BINARY16, 0x7c01, 0xfe00));
    assert_true(format_same(&FORMAT_BINARY32, UINT64_MAX, 0x7fc00000));
    assert_false(format_same(&FORMAT_BINARY32, 0x7f800000, 0x7fc00000));
    assert_false(format_same(&FORMAT_BINARY32, 0, 0x80000000));
    assert_true(isnan(format_value(&FORMAT_BFLOAT16, 0x7f81)));
}

static void elements_are_loaded_stored_and_written(void **state)
{
    (void)state;
    uint16_t x[3] = {1, 2, 3};
    char text[FORMAT_BITS_TEXT];
    format_store(&FORMAT_BINARY16, x, 1, 0x3e00);
    assert_int_equal(format_load(&FORMAT_BINARY16, x, 1), 0x3e00);
    assert_int_equal(format_load(&FORMAT_BINARY16, x, 2), 3);
    assert_int_equal(x[0], 1);
    format_write_bits(&FORMAT_BINARY16, 0x3e, text);
    assert_string_equal(text, "0x003e");
    format_write_bits(&FORMAT_BINARY64, UINT64_MAX, text);
    assert_string_equal(text, "0xffffffffffffffff");
    assert_string_equal(format_named("bfloat16")->name, "bfloat16");
    assert_null(format_named("floot"));
}

static void usual_names_are_those_of_a_format(void **state)
{
    (void)state;
    static const char *const names[][6] = {{"binary64", "double", "float64", "fp64", "f64"},
                                           {"binary32", "float", "float32", "fp32", "single", "Float32"},
                                           {"binary16", "half", "float16", "fp16", "FP16"},
                                           {"bfloat16", "bf16", "BF16"},
                                           {"e4m3", "float8_e4m3fn", "fp8_e4m3", "e4m3fn"},
                                           {"e5m2", "float8_e5m2", "fp8_e5m2"},
                                           {"tf32"}};
    static const char *const of_none[] = {"", "fp8", "float31", "float32 ", "Binary32"};
    size_t count = 0;
    for (size_t f = 0; f < sizeof names / sizeof *names; f++)
        for (size_t i = 0; i < 6 && names[f][i]; i++, count++)
            assert_string_equal(format_named(names[f][i])->name, names[f][0]);
    assert_int_equal(count, 27);
    for (size_t i = 0; i < sizeof of_none / sizeof *of_none; i++)
        assert_null(format_named(of_none[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_to_a_format_is_that_of_the_reference),
        cmocka_unit_test(bits_are_those_of_the_processor),
        cmocka_unit_test(the_spacing_is_the_distance_from_the_next_number),
        cmocka_unit_test(every_number_of_16_and_8_bits_is_kept_and_in_order),
        cmocka_unit_test(known_numbers_have_their_known_bits),
        cmocka_unit_test(e4m3_has_no_infinity),
        cmocka_unit_test(a_number_of_tf32_has_the_bits_of_a_binary32),
        cmocka_unit_test(the_largest_number_is_the_last_before_infinity),
        cmocka_unit_test(held_numbers_are_packed_as_their_format_stores_them),
        cmocka_unit_test(numbers_are_unpacked_as_the_host_holds_them),
        cmocka_unit_test(every_nan_is_the_same_and_nothing_else_is),
        cmocka_unit_test(usual_names_are_those_of_a_format),
        cmocka_unit_test(elements_are_loaded_stored_and_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
