/* Products of fp8 at k = 2 against exact rationals: every pair (a, b) of finite numbers, with each of SECONDS second
 * pairs.  a b + a2 b2 is an integer of the least product of subnormals, 2^-18 (e4m3) or 2^-32 (e5m2): 128 bits hold it.
 *
 *   matmul:plain        the rational, rounded once to binary32
 *   fused units         both products aligned to the larger exponent, cut to F bits, added, cut or rounded
 */
#include "kernels/fused.h"
#include "src/base/format.h"
#include "tests/support/methods.h"

__extension__ typedef __int128 wide;

enum { SECONDS = 12, BYTES = 256 };

/* By what each is in its format: 0 none, 1 the least, 2 the least normal, 3 one, 4 one and the last bit, 5 the largest;
 * negative: its negation. */
static const int seconds[SECONDS][2] = {{0, 3}, {1, 1},  {-1, 1}, {1, 5}, {2, 2},  {-2, 4},
                                        {3, 3}, {-3, 3}, {4, -4}, {5, 4}, {5, -5}, {5, 5}};

static double number_of(const struct format *format, int which)
{
    const double last = ldexp(1, 1 - format->precision);
    const double numbers[] = {0,
                              ldexp(1, format->least_exponent),
                              ldexp(1, format->least_exponent + format->precision - 1),
                              1.0,
                              1 + last,
                              format_largest(format)};
    return which < 0 ? -numbers[-which] : numbers[which];
}

static struct {
    float a[2 * BYTES], b[2 * BYTES];
    uint64_t bits[BYTES * BYTES];
    size_t count; /* of finite numbers */
} data;

static void compute(const struct method *method, const int *second)
{
    const struct format *format = method->sum_format->stored;
    double finite[BYTES];
    data.count = 0;
    for (uint64_t byte = 0; byte < BYTES; byte++)
        if (isfinite(format_value(format, byte)))
            finite[data.count++] = format_value(format, byte);
    for (size_t i = 0; i < data.count; i++) {
        data.a[2 * i] = data.b[i] = (float)finite[i];
        data.a[2 * i + 1] = (float)number_of(format, second[0]);
        data.b[data.count + i] = (float)number_of(format, second[1]);
    }
    const struct operands of = {format, OPERATION_matmul, {data.a, data.b}, {2, data.count, data.count}};
    assert_int_equal(method->replay(method, &of, (struct launch){1, 32}, 1, data.bits), OK);
}

/* ---- rationals: integers of 2^unit ---- */

static wide rational(const struct format *format, double x)
{
    return (wide)ldexp(x, -format->least_exponent);
}

static int length_of(wide magnitude)
{
    int length = 0;
    while (magnitude >> length)
        length++;
    return length;
}

/* To `bits` behind the first, no further than 2^last, to nearest even or toward 0; last: in units. */
static wide rounded(wide x, int bits, int last, bool to_nearest)
{
    const wide magnitude = x < 0 ? -x : x, one = 1;
    const int below = length_of(magnitude) - 1 - bits, drop = below > last ? below : last;
    if (drop <= 0)
        return x;
    const wide kept = magnitude >> drop, lost = magnitude - (kept << drop), half = one << (drop - 1);
    const bool is_up = to_nearest && (lost > half || (lost == half && (kept & 1)));
    return (x < 0 ? -1 : 1) * ((kept + is_up) << drop);
}

/* The exponent of a factor: a subnormal one has the least normal. */
static int exponent_of(const struct format *format, double x)
{
    const int least = format->least_exponent + format->precision - 1;
    return ilogb(x) < least ? least : ilogb(x);
}

/* What a unit makes of both products; fraction: F. */
static double fused(const struct fused_unit *unit, const double *a, const double *b, int fraction)
{
    const struct format *format = unit->sum_format->stored, *result = unit->sum_format->result;
    const int at = 2 * format->least_exponent, least = result->least_exponent + result->precision - 1;
    int top = unit->floor;
    wide sum = 0;
    for (int k = 0; k < 2; k++)
        if (a[k] != 0 && b[k] != 0 && exponent_of(format, a[k]) + exponent_of(format, b[k]) > top)
            top = exponent_of(format, a[k]) + exponent_of(format, b[k]);
    for (int k = 0; k < 2; k++)
        sum += rounded(rational(format, a[k]) * rational(format, b[k]), 200, top - fraction - at, false);
    const double y =
        ldexp((double)rounded(sum, unit->output, least - unit->output - at, unit->rounding == TO_NEAREST), at);
    return fabs(y) >= ldexp(1, result->overflow_exponent) ? copysign(INFINITY, y) : y;
}

static double once_rounded(const struct format *format, const double *a, const double *b)
{
    wide sum = 0;
    for (int k = 0; k < 2; k++)
        sum += rational(format, a[k]) * rational(format, b[k]);
    return ldexp((double)rounded(sum, FORMAT_BINARY32.precision - 1, -1000, true), 2 * format->least_exponent);
}

/* ---- all pairs ---- */

/* How many elements differ from what is expected, with F less one bit as well. */
struct seen {
    uint64_t compared, differ, differ_of_less;
};

static void compare(const struct method *method, const struct fused_unit *unit, struct seen *seen)
{
    const struct format *format = method->sum_format->stored;
    for (int s = 0; s < SECONDS; s++) {
        compute(method, seconds[s]);
        for (size_t i = 0; i < data.count; i++)
            for (size_t j = 0; j < data.count; j++) {
                const double a[] = {(double)data.a[2 * i], (double)data.a[2 * i + 1]};
                const double b[] = {(double)data.b[j], (double)data.b[data.count + j]};
                const double y = format_value(method->format, data.bits[i * data.count + j]);
                seen->compared++;
                seen->differ += y != (unit ? fused(unit, a, b, unit->fraction) : once_rounded(format, a, b));
                seen->differ_of_less += unit && s % 4 == 0 && y != fused(unit, a, b, unit->fraction - 1);
            }
    }
}

static uint64_t pairs_of(const struct format *format)
{
    return strcmp(format->name, "e4m3") == 0 ? UINT64_C(254) * 254 : UINT64_C(248) * 248;
}

static void products_and_one_addition_are_the_rational_rounded_once(void **state)
{
    (void)state;
    static const char *const ids[] = {"matmul:plain/naive@e4m3", "matmul:plain/naive@e5m2",
                                      "matmul_fma:plain/naive@e4m3", "matmul_fma:plain/naive@e5m2"};
    for (size_t m = 0; m < sizeof ids / sizeof *ids; m++) {
        struct seen seen = {0};
        compare(method_find(ids[m]), NULL, &seen);
        assert_int_equal(seen.compared, SECONDS * pairs_of(method_find(ids[m])->sum_format->stored));
        assert_int_equal(seen.differ, 0);
    }
}

static void a_block_of_two_is_the_rational_of_cut_products(void **state)
{
    (void)state;
    size_t units, asked = 0, told = 0;
    const struct fused_unit *table = fused_units(&units);
    for (size_t t = 0; t < units; t++) {
        char id[128];
        struct seen seen = {0};
        if (table[t].sum_format->stored->bytes != 1)
            continue;
        snprintf(id, sizeof id, "matmul:%s/chain@%s", table[t].id, table[t].sum_format->id);
        const struct method *method = method_find(id);
        assert_non_null(method);
        compare(method, &table[t], &seen);
        assert_int_equal(seen.compared, SECONDS * pairs_of(table[t].sum_format->stored));
        if (seen.differ > 0)
            fail_msg("%s: %llu of %llu differ", id, (unsigned long long)seen.differ, (unsigned long long)seen.compared);
        told += seen.differ_of_less > 0; /* the twin */
        asked++;
    }
    assert_int_equal(asked, 10);
    assert_true(told >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_and_one_addition_are_the_rational_rounded_once),
        cmocka_unit_test(a_block_of_two_is_the_rational_of_cut_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
