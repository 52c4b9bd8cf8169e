/* The table of methods, which may grow, and a method with a self: operands in, bits out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels/method.h"
#include "src/base/format.h"
#include "tests/support/heard.h"

#include <math.h>
#include <string.h>

static const struct launch launch = {3, 32};

/* ---- a method of somebody else ---- */

/* What a plug-in keeps beside its method. */
struct least {
    double starts_at;
};

static bool can_do(const struct method *self, struct launch at, char why[REASON_SIZE])
{
    (void)self, (void)at, (void)why;
    return true;
}

/* The least number of each row, in the method's format. */
static enum status least_of(const struct method *self, const struct operands *of, struct launch at, unsigned workers,
                            uint64_t *bits)
{
    (void)at, (void)workers;
    for (uint64_t row = 0; row < of->shape.rows; row++) {
        double least = ((const struct least *)self->own)->starts_at;
        for (uint64_t i = 0; i < of->shape.terms; i++) {
            const uint64_t element = format_load(of->format, of->arrays[0], row * of->shape.terms + i);
            least = fmin(least, format_value(of->format, element));
        }
        bits[row] = format_bits(self->format, least);
    }
    return OK;
}

static const struct least own = {0};
static const struct method minimum = {.id = "mine/minimum",
                                      .accumulator = "mine",
                                      .order = "minimum",
                                      .sum_format = &sum_format_binary32,
                                      .format = &FORMAT_BINARY16,
                                      .operation = OPERATION_sum,
                                      .can_do = can_do,
                                      .replay = least_of,
                                      .own = &own};

static void a_method_that_is_added_stands_behind_the_others(void **state)
{
    (void)state;
    size_t before, after;
    const struct method *const first = method_table(&before)[0];
    const size_t place = method_index(method_find("kahan/serial"));
    assert_null(method_find(minimum.id)); /* the twin */
    assert_int_equal(method_index(&minimum), SIZE_MAX);
    assert_int_equal(method_add(&minimum), OK);
    const struct method *const *table = method_table(&after);
    assert_int_equal(after, before + 1);
    assert_ptr_equal(table[before], &minimum);
    assert_ptr_equal(table[0], first);
    assert_ptr_equal(method_find(minimum.id), &minimum);
    assert_int_equal(method_index(&minimum), before);
    assert_int_equal(method_index(method_find("kahan/serial")), place);
}

static void an_id_is_taken_once(void **state)
{
    (void)state;
    size_t before, after;
    struct method again = minimum;
    (void)method_table(&before);
    struct heard heard = listen_to_stderr();
    assert_int_equal(method_add(&again), BAD_INPUT);
    again.id = "plain/serial";
    assert_int_equal(method_add(&again), BAD_INPUT);
    again.id = "naive"; /* an alias of it */
    assert_int_equal(method_add(&again), BAD_INPUT);
    heard_all(&heard);
    assert_non_null(strstr(heard.text, "method naive: expected an id that is not taken"));
    (void)method_table(&after);
    assert_int_equal(after, before);
    again.id = "mine/other"; /* the twin */
    assert_int_equal(method_add(&again), OK);
}

static void a_method_has_its_own_format_and_what_it_keeps(void **state)
{
    (void)state;
    const uint16_t x[] = {0x3c00, 0xc000, 0x4000, 0x4200, 0x4400, 0x4500}; /* 1, -2, 2; 3, 4, 5 */
    const struct operands of = {&FORMAT_BINARY16, OPERATION_sum, {x, NULL}, {3, 2, 0}};
    uint64_t bits[2];
    assert_int_equal(method_replay(&minimum, &of, launch, 1, bits), OK);
    assert_int_equal(bits[0], 0xc000);
    assert_int_equal(bits[1], 0); /* where it starts */
}

/* ---- our own ---- */

static void each_row_has_the_bits_of_its_own_sum(void **state)
{
    (void)state;
    enum { ROWS = 5, TERMS = 301 };
    float x[ROWS * TERMS];
    uint64_t bits[ROWS];
    for (int i = 0; i < ROWS * TERMS; i++)
        x[i] = 1.0f / (float)(i + 1);
    const struct operands of = {&FORMAT_BINARY32, OPERATION_sum, {x, NULL}, {TERMS, ROWS, 0}};
    const char *const ids[] = {"plain/serial", "kahan/tree_two_pass", "binary64/vector_two_pass", "superacc/pairwise"};
    for (size_t m = 0; m < sizeof ids / sizeof *ids; m++) {
        const struct method *method = method_find(ids[m]);
        assert_int_equal(method_replay(method, &of, launch, 1, bits), OK);
        for (size_t row = 0; row < ROWS; row++) {
            float sum;
            assert_int_equal(method_sum(method, x + row * TERMS, TERMS, launch, 1, &sum), OK);
            assert_int_equal(bits[row], float_bits(sum));
            assert_true(row == 0 || bits[row] != bits[row - 1]); /* the twin */
        }
    }
}

static void a_black_box_has_no_serial_method(void **state)
{
    (void)state;
    assert_ptr_equal(method_serial(method_find("kahan/tree_two_pass")), method_find("kahan/serial"));
    assert_null(method_serial(method_find("cub/device_reduce")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_black_box_has_no_serial_method),
        cmocka_unit_test(a_method_that_is_added_stands_behind_the_others),
        cmocka_unit_test(an_id_is_taken_once),
        cmocka_unit_test(a_method_has_its_own_format_and_what_it_keeps),
        cmocka_unit_test(each_row_has_the_bits_of_its_own_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
