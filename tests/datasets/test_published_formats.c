/* Numbers that others printed about sums in formats beside binary32, given by the methods of those formats, digit for
 * digit.  Each claim has a twin that must not hold.
 *
 *   datasets/studies/formats.yaml measures the same data
 */
#define PROGRAM "" /* no line is run here */
#include "tests/support/program.h"

#include "datasets/dataset.h"
#include "kernels/method.h"
#include "src/base/format.h"

#include <math.h>

static const struct launch one_thread = {1, 1};

static double sum_of(const char *id, const struct format *stored, const void *x, uint64_t n)
{
    const struct method *method = method_find(id);
    assert_non_null(method);
    assert_string_equal(method->sum_format->stored->name, stored->name);
    const struct operands of = operands_of_sum(stored, x, n);
    uint64_t bits = 0;
    assert_int_equal(method_replay(method, &of, one_thread, 1, &bits), OK);
    return format_value(method->format, bits);
}

/* ---- sums that stand still ---- */

/* The first n - 1 terms have this sum, term n is the first that changes nothing, and none after it does. */
static const struct still {
    const char *source, *spec, *method, *wider;
    uint64_t n;
    double sum;
    int digits; /* that were printed */
} stills[] = {
    {"M. Kloewer, The harmonic sum with posits, 2019, after N. Higham", "harmonic:n=20000,format=bfloat16",
     "plain/serial@bfloat16_in_bfloat16", "plain/serial@bfloat16", 65, 5.0625, 5},
    {"the same", "harmonic:n=20000,format=binary16", "plain/serial@binary16_in_binary16", "plain/serial@binary16", 513,
     7.0859, 5},
    {"Univ. of Illinois, CS 450, Floating Point and the Harmonic Series: 15.4037; the term is 2^21 of lesson "
     "stagnation",
     "harmonic:n=2200000", "plain/serial", "binary64/serial", 2097152, 15.4037, 6},
    {"2^8: docs/methods.md", "ones:n=20000,format=bfloat16", "plain/serial@bfloat16_in_bfloat16",
     "plain/serial@bfloat16", 257, 256, 3},
    {"2^11", "ones:n=20000,format=binary16", "plain/serial@binary16_in_binary16", "plain/serial@binary16", 2049, 2048,
     4},
    {"2^24", "ones:n=16800000", "plain/serial", "binary64/serial", 16777217, 16777216, 8},
};

static bool same_digits(double computed, double printed, int digits)
{
    char text[2][64];
    snprintf(text[0], sizeof text[0], "%.*g", digits, computed);
    snprintf(text[1], sizeof text[1], "%.*g", digits, printed);
    return strcmp(text[0], text[1]) == 0;
}

static bool stands_still(const struct dataset *data, const char *method, uint64_t n)
{
    const double there = sum_of(method, data->format, data->x, n - 1);
    return sum_of(method, data->format, data->x, n - 2) != there && sum_of(method, data->format, data->x, n) == there &&
           sum_of(method, data->format, data->x, data->n) == there;
}

static void sums_stand_still_where_it_was_published(void **state)
{
    const struct still *still = *state;
    struct data_spec *specs;
    struct dataset data;
    size_t count;
    assert_int_equal(data_specs_read(still->spec, "test", NONFINITE_REFUSE, &specs, &count), OK);
    assert_int_equal(dataset_make(&specs[0], 1, 0, &data), OK);
    assert_true(stands_still(&data, still->method, still->n));
    const double sum = sum_of(still->method, data.format, data.x, still->n);
    assert_true(same_digits(sum, still->sum, still->digits));
    /* twins: another term, another digit, a wider addition */
    assert_false(stands_still(&data, still->method, still->n - 1));
    assert_false(stands_still(&data, still->method, still->n + 1));
    assert_false(same_digits(sum * (1 + 0x1p-8), still->sum, still->digits));
    assert_false(stands_still(&data, still->wider, still->n));
    dataset_free(&data);
    data_specs_free(specs, count);
}

/* ---- small cases in binary64 ---- */

enum { TERMS_MOST = 1100 };

static uint64_t tenths(double *x)
{
    for (int i = 0; i < 10; i++)
        x[i] = 0.1;
    return 10;
}

static uint64_t harmonic(double *x)
{
    for (int i = 0; i < 1000; i++)
        x[i] = 1.0 / (i + 1);
    return 1000;
}

static uint64_t alternating(double *x)
{
    for (int i = 0; i < 1000; i++)
        x[i] = (i % 2 == 0 ? -1.0 : 1.0) / (i + 1);
    return 1000;
}

static uint64_t many_partials(double *x)
{
    uint64_t n = 0;
    for (int e = -1074; e < 972; e += 2)
        x[n++] = ldexp(1, e) - ldexp(1, e + 50) + ldexp(1, e + 52);
    x[n++] = -0x1p1022;
    return n;
}

#define NUMBERS(id, ...)                                                                                               \
    static uint64_t id(double *x)                                                                                      \
    {                                                                                                                  \
        static const double numbers[] = {__VA_ARGS__};                                                                 \
        memcpy(x, numbers, sizeof numbers);                                                                            \
        return sizeof numbers / sizeof *numbers;                                                                       \
    }
NUMBERS(two_scales, 1e100, 1, -1e100, 1e-100, 1e50, -1, -1e50)
NUMBERS(below_a_power, 0x1p53, -0.5, -0x1p-54)
NUMBERS(above_a_tie, 0x1p53, 1, 0x1p-100)
NUMBERS(above_a_tie_10, 0x1p53 + 10, 1, 0x1p-100)
NUMBERS(to_even, 0x1p53 - 4, 0.5, 0x1p-54)
NUMBERS(three_scales, 1e16, 1, 1e-16)
NUMBERS(back_to_0, 1e16 - 2, 1 - 0x1p-53, -(1e16 - 2), -(1 - 0x1p-53))
NUMBERS(big, 1, 10E100, 1, -10E100)

/* `fsum` is test_math.py, testFsum, of CPython, whose results are correctly rounded; the others say theirs. */
static const struct small {
    const char *source;
    uint64_t (*make)(double *x);
    const char *method;
    double sum;
    const char *other; /* another method, whose sum is another one; NULL: every method has this one */
} smalls[] = {
    {"CPython, Doc/library/math.rst, fsum: sum([.1, ... 10 times]) is 0.9999999999999999", tenths,
     "plain/serial@binary64", 0.9999999999999999, "superacc/serial@binary64"},
    {"and fsum([.1] * 10) is 1.0", tenths, "superacc/serial@binary64", 1.0, "plain/serial@binary64"},
    {"CPython, test_builtin.py, test_sum_accuracy, 1.0, 10E100, 1.0, -10E100", big, "neumaier/serial@binary64", 2.0,
     "kahan/serial@binary64"},
    {"fsum 1", two_scales, "superacc/serial@binary64", 1e-100, "plain/serial@binary64"},
    {"fsum 2", below_a_power, "superacc/serial@binary64", 0x1p53 - 1, "plain/serial@binary64"},
    {"fsum 3", above_a_tie, "superacc/serial@binary64", 0x1p53 + 2, "plain/serial@binary64"},
    {"fsum 4", above_a_tie_10, "superacc/serial@binary64", 0x1p53 + 12, NULL}, /* the tie goes there, too */
    {"fsum 5", to_even, "superacc/serial@binary64", 0x1p53 - 3, "plain/serial@binary64"},
    {"fsum 6", harmonic, "superacc/serial@binary64", 0x1.df11f45f4e61ap+2, "plain/serial@binary64"},
    {"fsum 7", alternating, "superacc/serial@binary64", -0x1.62a2af1bd3624p-1, "plain/serial@binary64"},
    {"fsum 8", three_scales, "superacc/serial@binary64", 10000000000000002.0, "plain/serial@binary64"},
    {"fsum 9", back_to_0, "superacc/serial@binary64", 0.0, "plain/serial@binary64"},
    {"fsum 10", many_partials, "superacc/serial@binary64", 0x1.5555555555555p+970, "plain/serial@binary64"},
};

static void binary64_gives_what_was_printed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof smalls / sizeof *smalls; i++) {
        double x[TERMS_MOST];
        const uint64_t n = smalls[i].make(x);
        const double sum = sum_of(smalls[i].method, &FORMAT_BINARY64, x, n);
        if (sum != smalls[i].sum)
            fail_msg("%s: %s gives %a, printed was %a", smalls[i].source, smalls[i].method, sum, smalls[i].sum);
        if (smalls[i].other && sum_of(smalls[i].other, &FORMAT_BINARY64, x, n) == sum) /* the twin */
            fail_msg("%s: %s gives %a as well: it says nothing", smalls[i].source, smalls[i].other, sum);
    }
}

/* ---- the end of binary16 ---- */

/* IEEE 754: what is 65520 and more, half an ulp beyond 65504, becomes infinite. */
static void binary16_ends_at_65520(void **state)
{
    (void)state;
    static const float below[] = {65504, 15}, at[] = {65504, 16};
    static const char *const methods[] = {"plain/serial@binary16", "plain/serial@binary16_in_binary16"};
    for (int m = 0; m < 2; m++) {
        assert_true(sum_of(methods[m], &FORMAT_BINARY16, below, 2) == 65504);
        assert_true(isinf(sum_of(methods[m], &FORMAT_BINARY16, at, 2)));
    }
    assert_true(sum_of("plain/serial@binary16_to_binary32", &FORMAT_BINARY16, at, 2) == 65520); /* the twin */
}

enum { FACTS = 2, STILLS = sizeof stills / sizeof *stills };
static struct CMUnitTest tests[FACTS + STILLS] = {
    FACT(binary64_gives_what_was_printed),
    FACT(binary16_ends_at_65520),
};

int main(void)
{
    for (int i = 0; i < STILLS; i++)
        tests[FACTS + i] = test_of_row(stills[i].spec, sums_stand_still_where_it_was_published, &stills[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
