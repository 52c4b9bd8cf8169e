/* The arithmetic of the exact products of matrices on a GPU, on the host: every bit is that of exact_matrix, which adds
 * and rounds in another way.  That a GPU has the same bits, tests/device/test_device_reference.c finds there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "matrix_trial.h"
#include "reference/matrix_digits.h"

/* ---- a product, element by element ---- */

enum { STRIDE = 3 }; /* as if there were other threads' counters */

/* A matrix as the kernel reads it: row after row. */
static void *packed(const struct format *format, const struct matrix *matrix, uint64_t rows, uint64_t columns)
{
    void *const numbers = malloc((rows * columns + 1) * sizeof(double));
    assert_non_null(numbers);
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t k = 0; k < columns; k++)
            held_set(format, numbers, i * columns + k, number_in(format, matrix, i, k));
    return numbers;
}

static void multiply_by_digits(const struct matrix_product *product, struct exact_element *elements)
{
    const bool is_binary64 = product->format == &FORMAT_BINARY64;
    void *const a = packed(product->format, &product->a, product->rows, product->inner),
                *const b = packed(product->format, &product->b, product->inner, product->columns),
                *const computed = packed(product->result, &product->computed, product->rows, product->columns);
    const struct matrix_part part = {.a = a,
                                     .b = b,
                                     .computed = computed,
                                     .is_binary64 = is_binary64,
                                     .result = *product->result,
                                     .rows = product->rows,
                                     .inner = product->inner,
                                     .columns = product->columns};
    const size_t counters = 2 * digits_grid_of(is_binary64).digits * STRIDE;
    uint64_t *const memory = malloc(counters * sizeof *memory);
    assert_non_null(memory);
    memset(memory, 0xff, counters * sizeof *memory);
    for (uint64_t i = 0; i < product->rows; i++)
        for (uint64_t j = 0; j < product->columns; j++)
            elements[i * product->columns + j] =
                digits_element(&part, is_binary64, i, j, (struct digits){memory, STRIDE});
    for (size_t c = 0; c < counters; c++)
        assert_true(c % STRIDE == 0 || memory[c] == UINT64_MAX);
    free(memory);
    free(a);
    free(b);
    free(computed);
}

static void compare(const struct trial *trial)
{
    const struct matrix_product *const product = &trial->product;
    struct exact_element *const elements = calloc(product->rows * product->columns + 1, sizeof *elements);
    assert_non_null(elements);
    multiply_by_digits(product, elements);
    assert_int_equal(exact_matrix(product, 1, trial->elements), OK);
    assert_int_equal(differing_elements(product, trial->elements, elements), 0);
    free(elements);
}

/* ---- products ---- */

static void every_element_is_that_of_the_host(void **state)
{
    (void)state;
    seed_random(1);
    for (size_t f = 0; f < STORED_FORMAT_COUNT; f++)
        for (size_t r = 0; r < NUMBER_FORMAT_COUNT; r++)
            for (size_t kind = 0; kind < COUNT_OF(kinds); kind++)
                for (int again = 0; again < 20; again++) {
                    struct trial trial = any_trial(NUMBER_FORMATS[f], NUMBER_FORMATS[r], kind);
                    compare(&trial);
                    trial_free(&trial);
                }
}

/* More products than are added before carries are taken, twice. */
static void products_after_the_carries_are_added_too(void **state)
{
    (void)state;
    seed_random(2);
    for (size_t f = 0; f < 2; f++) {
        struct trial trial = trial_new(NUMBER_FORMATS[f], NUMBER_FORMATS[f],
                                       (uint64_t[]){1, 2 * (uint64_t)DIGITS_TERMS + 1, 1}, format_largest, at_an_end);
        compare(&trial);
        trial_free(&trial);
    }
}

/* ---- the twin: what must be seen ---- */

static void a_bit_of_a_counter_is_seen(void **state)
{
    (void)state;
    const double one = 1;
    const struct digits_grid grid = digits_grid_of(true);
    const struct combination sum = {1, -1, 0, 0, 0};
    uint64_t counters[2 * 133] = {0};
    const struct digits of = {counters, 1};
    const struct factor x = factor_of(grid, double_bits(one));
    add_product(grid, of, x, x);
    assert_true(same_double(rounded_leading(leading_of(grid, of, sum), &FORMAT_BINARY64, DIGITS_UP), 1));
    *digit_of(of, 0, false) = 1;
    assert_true(same_double(rounded_leading(leading_of(grid, of, sum), &FORMAT_BINARY64, DIGITS_UP), 1 + 0x1p-52));
    assert_true(same_double(rounded_leading(leading_of(grid, of, sum), &FORMAT_BINARY64, DIGITS_NEAREST), 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_that_of_the_host),
        cmocka_unit_test(products_after_the_carries_are_added_too),
        cmocka_unit_test(a_bit_of_a_counter_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
