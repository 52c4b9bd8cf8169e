/* The arithmetic of the exact matrix products on a GPU, on the host: every bit is that of exact_matrix, which adds
 * and rounds in another way.  That a GPU has the same bits, tests/device/test_device_reference.c finds there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "matrix_trial.h"
#include "reference/matrix_digits.h"

/* ---- a product, element by element ---- */

enum { STRIDE = 3 }; /* as if there were other threads' digits */

/* A matrix as the kernel reads it: row after row; NULL: there is none. */
static void *packed(const struct format *format, const struct matrix *matrix, uint64_t rows, uint64_t columns)
{
    if (!matrix->numbers)
        return NULL;
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
    const struct digits_window window =
        digits_window_of(is_binary64, digits_reach_of(is_binary64, a, product->rows * product->inner),
                         digits_reach_of(is_binary64, b, product->inner * product->columns));
    const struct matrix_part part = {.a = a,
                                     .b = b,
                                     .computed = computed,
                                     .is_binary64 = is_binary64,
                                     .result = *product->result,
                                     .rows = product->rows,
                                     .inner = product->inner,
                                     .columns = product->columns,
                                     .window = window};
    const size_t count = (size_t)2 * window.digits * STRIDE;
    uint32_t *const digits = malloc(count * sizeof *digits);
    assert_non_null(digits);
    memset(digits, 0xff, count * sizeof *digits);
    for (uint64_t i = 0; i < product->rows; i++)
        for (uint64_t j = 0; j < product->columns; j++)
            elements[i * product->columns + j] =
                digits_element(&part, is_binary64, i, j, (struct digits){digits, STRIDE});
    for (size_t d = 0; d < count; d++)
        assert_true(d % STRIDE == 0 || digits[d] == UINT32_MAX);
    free(digits);
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
                    trial.product.computed.numbers = NULL;
                    compare(&trial);
                    trial_free(&trial);
                }
}

/* 2^53 - 1 at every 53rd bit is a row of ones through all digits; one more at its end carries through all of them. */
static void a_carry_goes_through_all_digits(void **state)
{
    enum { PIECES = 39 };
    (void)state;
    seed_random(2);
    for (int sign = -1; sign <= 1; sign += 2)
        for (int scale = -1074; scale <= 0; scale += 1074) {
            struct trial trial =
                trial_new(&FORMAT_BINARY64, &FORMAT_BINARY64, (uint64_t[]){1, PIECES + 1, 1}, any_finite, any_finite);
            for (uint64_t k = 0; k <= PIECES; k++) {
                const double x = k < PIECES ? ldexp(0x1p53 - 1, 53 * (int)k - 1074) : 0x1p-1074;
                set_number(&FORMAT_BINARY64, trial.a, &trial.product.a, 0, k, x);
                set_number(&FORMAT_BINARY64, trial.b, &trial.product.b, k, 0, sign * ldexp(1, scale));
            }
            compare(&trial);
            assert_true(trial.elements[0].nearest == sign * ldexp(1, 53 * PIECES - 1074 + scale));
            trial_free(&trial);
        }
}

/* ---- the twin: what must be seen ---- */

static void a_bit_of_a_digit_is_seen(void **state)
{
    (void)state;
    const struct digits_grid grid = digits_grid_of(true);
    const struct combination sum = {1, -1, 0, 0, 0};
    uint32_t memory[2 * 133] = {0};
    const struct sums sums = {{memory, 1}, 133, 2 * grid.least};
    const struct factor one = factor_of(grid, double_bits(1), 0);
    add_product(grid, sums.digits, one, one);
    assert_true(same_double(rounded_leading(leading_of(&sums, sum), &FORMAT_BINARY64, DIGITS_UP), 1));
    memory[0] = 1;
    const struct leading above = leading_of(&sums, sum);
    assert_true(same_double(rounded_leading(above, &FORMAT_BINARY64, DIGITS_UP), 1 + 0x1p-52));
    assert_true(same_double(rounded_leading(above, &FORMAT_BINARY64, DIGITS_NEAREST), 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_that_of_the_host),
        cmocka_unit_test(a_carry_goes_through_all_digits),
        cmocka_unit_test(a_bit_of_a_digit_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
