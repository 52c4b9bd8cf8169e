/* Exact matrix products of a GPU, held to the host's: which faults are noticed, and what is said of them.  The
 * linker puts a GPU here before the real one (--wrap): the host's own product, with a fault where the test wants it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "matrix_trial.h"
#include "reference/matrix_device.h"
#include "tests/support/heard.h"

enum { ROWS = 20, INNER = 9, COLUMNS = 13 };

/* ---- the GPU ---- */

typedef void fault(struct exact_element *element);

static struct {
    fault *fault; /* NULL: none */
    uint64_t element;
    enum status status;
} gpu;

enum status __wrap_exact_matrix_on_device(const struct matrix_product *product, struct exact_element *elements);

enum status __wrap_exact_matrix_on_device(const struct matrix_product *product, struct exact_element *elements)
{
    TRY(exact_matrix(product, 0, elements));
    if (gpu.fault)
        gpu.fault(&elements[gpu.element]);
    return gpu.status;
}

static double next_number(double x)
{
    return double_from_bits(double_bits(x) ^ 1);
}

static void wrong_kind(struct exact_element *element)
{
    element->kind = EXACT_INF;
}

static void wrong_nearest(struct exact_element *element)
{
    element->nearest = next_number(element->nearest);
}

static void wrong_ulp(struct exact_element *element)
{
    element->ulp = NAN;
}

static void wrong_magnitude(struct exact_element *element)
{
    element->abs_above = next_number(element->abs_above);
}

static void wrong_sum_of_magnitudes(struct exact_element *element)
{
    element->sum_abs_above = next_number(element->sum_abs_above);
}

static void wrong_sign_of_the_error(struct exact_element *element)
{
    element->error = -element->error;
}

static struct trial trial;

static enum status checked(fault *planted, uint64_t element, uint64_t seed)
{
    gpu.fault = planted;
    gpu.element = element;
    return exact_matrix_checked(&trial.product, seed, 0, trial.elements);
}

/* Elements, counted, at which the fault is noticed. */
static uint64_t noticed(fault *planted, uint64_t seed)
{
    uint64_t count = 0;
    for (uint64_t e = 0; e < ROWS * COLUMNS; e++) {
        struct heard heard = listen_to_stderr();
        count += checked(planted, e, seed) == NOT_MEASURED;
        heard_all(&heard);
    }
    return count;
}

/* ---- facts ---- */

static void without_a_fault_the_elements_are_those_of_the_GPU(void **state)
{
    struct exact_element elements[ROWS * COLUMNS];
    (void)state;
    memcpy(elements, trial.elements, sizeof elements);
    assert_int_equal(exact_matrix(&trial.product, 0, elements), OK);
    for (uint64_t seed = 0; seed < 10; seed++)
        assert_int_equal(checked(NULL, 0, seed), OK);
    assert_int_equal(differing_elements(&trial.product, elements, trial.elements), 0);
}

static void drawn_rows_and_columns_are_a_known_share(void **state)
{
    (void)state;
    static const uint64_t shares[][2] = {{0, 0},  {1, 1},    {3, 3},    {4, 4},    {13, 5},
                                         {20, 4}, {1024, 4}, {1025, 5}, {4096, 16}};
    for (size_t s = 0; s < COUNT_OF(shares); s++)
        assert_int_equal(exact_lines_checked(shares[s][0]), shares[s][1]);
}

static void a_fault_in_a_drawn_row_or_column_is_noticed_whatever_field_it_is_in(void **state)
{
    static fault *const faults[] = {wrong_kind,      wrong_nearest,           wrong_ulp,
                                    wrong_magnitude, wrong_sum_of_magnitudes, wrong_sign_of_the_error};
    const uint64_t rows = exact_lines_checked(ROWS), columns = exact_lines_checked(COLUMNS);
    (void)state;
    for (size_t f = 0; f < COUNT_OF(faults); f++)
        assert_int_equal(noticed(faults[f], f), rows * COLUMNS + columns * ROWS - rows * columns);
}

static void every_row_and_column_is_drawn_by_some_seed(void **state)
{
    uint64_t missed = ROWS * COLUMNS;
    bool is_noticed[ROWS * COLUMNS] = {false};
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++)
        for (uint64_t e = 0; e < ROWS * COLUMNS; e++) {
            struct heard heard = listen_to_stderr();
            const bool is = checked(wrong_nearest, e, seed) != OK;
            heard_all(&heard);
            missed -= is && !is_noticed[e];
            is_noticed[e] |= is;
        }
    assert_int_equal(missed, 0);
}

static void the_place_and_both_values_are_said(void **state)
{
    char expected[200];
    (void)state;
    for (uint64_t e = 0; e < ROWS * COLUMNS; e++) {
        struct heard heard = listen_to_stderr();
        const enum status status = checked(wrong_nearest, e, 0);
        heard_all(&heard);
        const double found = trial.elements[e].nearest;
        snprintf(expected, sizeof expected,
                 "expected %a, the host's nearest number of element (%d, %d) of an exact matrix product, found %a",
                 next_number(found), (int)e / COLUMNS, (int)e % COLUMNS, found);
        assert_int_equal(strstr(heard.text, expected) != NULL, status == NOT_MEASURED);
    }
}

static void what_the_GPU_fails_with_is_relayed(void **state)
{
    (void)state;
    gpu.status = NO_DEVICE;
    assert_int_equal(checked(NULL, 0, 0), NO_DEVICE);
    gpu.status = OK;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_fault_the_elements_are_those_of_the_GPU),
        cmocka_unit_test(drawn_rows_and_columns_are_a_known_share),
        cmocka_unit_test(a_fault_in_a_drawn_row_or_column_is_noticed_whatever_field_it_is_in),
        cmocka_unit_test(every_row_and_column_is_drawn_by_some_seed),
        cmocka_unit_test(the_place_and_both_values_are_said),
        cmocka_unit_test(what_the_GPU_fails_with_is_relayed),
    };
    seed_random(1);
    trial = trial_new(&FORMAT_BINARY32, &FORMAT_BINARY32, (uint64_t[]){ROWS, INNER, COLUMNS}, of_one_size, of_one_size);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    trial_free(&trial);
    return failed;
}
