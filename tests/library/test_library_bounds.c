/* The bounds of libulpscope are those of the program's own methods, bit for bit. */
#include "include/ulpscope/ulpscope.h"

#include "kernels/method.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static ulpscope_format name_of(const struct format *format)
{
    ulpscope_format name = ULPSCOPE_BINARY64;
    while (NUMBER_FORMATS[name - 1]->precision != format->precision)
        name++;
    return name;
}

/* The program's own, of each accumulator in one loop, in every format whose result holds no less than what is added. */
static void bounds_are_those_of_the_program(void **state)
{
    static const uint64_t counts[] = {2, 3, 100, 4097};
    size_t count, compared = 0;
    (void)state;
    for (size_t f = 0; f < SUM_FORMATS; f++) {
        const struct method *const *methods = method_table_of(sum_formats[f], &count);
        for (size_t m = 0; m < count; m++) {
            const struct method *const method = methods[m];
            if (method->role != SUMS || !method->height || strcmp(method->order, "serial") != 0)
                continue;
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                const struct launch launch = {1, 32};
                const struct magnitudes of = {0.75, 3.5, 3.5};
                const struct ulpscope_value value = {sizeof value, 0.75, 0, of.abs_s, of.sum_abs, 5};
                const uint64_t height = method_height(method, counts[c], launch);
                const double expected = method_bound(method, counts[c], launch, &of);
                const double found = ulpscope_bound(method->accumulator, counts[c], height,
                                                    name_of(sum_formats[f]->added), name_of(method->format), &value);
                const bool has_slack = method->format->least_exponent > sum_formats[f]->added->least_exponent;
                if (has_slack ? found < expected || found > expected + 0x1p-24 : found != expected)
                    fail_msg("%s, n = %zu: expected %a, found %a", method->id, (size_t)counts[c], expected, found);
                compared++;
            }
        }
    }
    assert_true(compared > 200);
    const struct ulpscope_value value = {sizeof value, 1, 0, 1, 1, 1};
    assert_true(isnan(ulpscope_bound("kahn", 9, 9, ULPSCOPE_BINARY32, ULPSCOPE_BINARY32, &value)));
    assert_true(isinf(ulpscope_bound_any_order(0, 9, ULPSCOPE_BINARY16, ULPSCOPE_BINARY16,
                                               &(struct ulpscope_value){sizeof value, 0, 0, 1, 1e6, 1e6})));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_are_those_of_the_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
