/* scales: the products of numbers in [1, 2), of factors whose exponents reach the ends of the format. */
#include "datasets/matrix_elements.h"

static double a(const struct generator_call *call, uint64_t i, uint64_t k)
{
    return double_scaled(matrix_in_one_binade(call, matrix_place(call, PART_A, i, k)),
                         matrix_exponent(call, k, call->n));
}

static double b(const struct generator_call *call, uint64_t k, uint64_t j)
{
    return double_scaled(matrix_in_one_binade(call, matrix_place(call, PART_B, k, j)),
                         -matrix_exponent(call, k, call->n));
}

static enum status prepare(struct generator_call *call)
{
    return matrix_prepare(call, "scales", matrix_range_of_numbers(&call->format));
}

const struct generator generator_scales = {
    .id = "scales",
    .summary = "A D and D^-1 B, D of powers of two over all exponents of the format",
    .formula = "A D and D^-1 B, where A and B are random in [1, 2), D = diag(2^e), e evenly spread over the exponents "
               "of the format in random order",
    .source = GRADING "test 2b, there circulant over half of the exponents",
    .exact = "A B, whose elements are in [n, 4 n): no product overflows, underflows or is small",
    .tells = "an error above n u (|A| |B|)_ij: integers of a fixed number of bits instead of floating point, or less "
             "range than the format has",
    .showcase = {"scales:n=64"},
    .a = a,
    .b = b,
    .refuses = every_format,
    MATRIX_FAMILY,
};
