/* blocks: scales that repeat every 8 columns, which Strassen's method keeps apart as long as its blocks are 8 x 8. */
#include "datasets/matrix_elements.h"

static int exponent_of(const struct generator_call *call, uint64_t line, uint64_t k)
{
    return line == call->n - 1 ? (int)call->whole[MATRIX_RANGE] : matrix_exponent(call, k % BLOCK, BLOCK);
}

static double a(const struct generator_call *call, uint64_t i, uint64_t k)
{
    return double_scaled(matrix_in_one_binade(call, matrix_place(call, PART_A, i, k)), exponent_of(call, i, k));
}

static double b(const struct generator_call *call, uint64_t k, uint64_t j)
{
    const int exponent = j == call->n - 1 ? (int)call->whole[MATRIX_RANGE] : -exponent_of(call, 0, k);
    return double_scaled(matrix_in_one_binade(call, matrix_place(call, PART_B, k, j)), exponent);
}

static const char *refuses(const struct format *format)
{
    const struct generator_call largest = {.n = MATRIX_SIZE_MOST,
                                           .format = *format,
                                           .overflow_exponent = matrix_overflow_exponent(sum_format_of(format, NULL))};
    return matrix_range_of_products(&largest) > 0 ? NULL
                                                  : "the sums of Strassen's method overflow, whatever the scales";
}

static enum status prepare(struct generator_call *call)
{
    return matrix_prepare(call, "blocks", matrix_range_of_products(call));
}

const struct generator generator_blocks = {
    .id = "blocks",
    .summary = "8 scales by turns, the largest in the last row of A and the last column of B",
    .formula = "as scales, with 8 different scales by turns, e = e_(k mod 8), over half of the exponents; the last row "
               "of A and the last column of B have the largest scale throughout",
    .source = GRADING "test 3b",
    .exact = "as scales, but for the last row and column, and those that Strassen adds them to: i or j = 7 mod 8, "
             "which are not judged",
    .tells = "an error above the bound of Strassen's method in floating point, whatever the product is: fixed point.  "
             "Floating-point Strassen adds blocks of the same scales down to 8 x 8, and keeps its digits",
    .showcase = {"blocks:n=64"},
    .a = a,
    .b = b,
    .refuses = refuses,
    MATRIX_FAMILY,
};
