/* zeros: elements of A B whose products are all 0: an element that is not 0 was added from products of others. */
#include "datasets/gaussian.h"
#include "datasets/matrix_elements.h"

/* A Gaussian times 2^-4 to 2^4, so that sums of numbers of few bits round as well. */
static double gaussian_at(const struct generator_call *call, uint64_t place)
{
    const uint64_t of_exponent = place + PART_EXPONENTS * call->n * call->n;
    const int exponent = (int)random_below(random_of_element(call, of_exponent), 9) - 4;
    return rounded_to(gaussian(call, place, random_of_element(call, place)) * double_power(exponent), &call->format);
}

/* Whether the zero of row i and its column is A's at this k; else it is B's. */
static bool is_zero_of_a(const struct generator_call *call, uint64_t i, uint64_t k)
{
    return random_of_element(call, matrix_place(call, PART_SHARED, i, k)) >> 63;
}

static double a(const struct generator_call *call, uint64_t i, uint64_t k)
{
    return is_zero_of_a(call, i, k) ? 0 : gaussian_at(call, matrix_place(call, PART_A, i, k));
}

/* Column j meets row j - shift. */
static double b(const struct generator_call *call, uint64_t k, uint64_t j)
{
    const uint64_t i = (j - call->whole[MATRIX_SHIFT]) % call->n;
    return is_zero_of_a(call, i, k) ? gaussian_at(call, matrix_place(call, PART_B, k, j)) : 0;
}

static enum status prepare(struct generator_call *call)
{
    return matrix_prepare(call, "zeros", 0);
}

const struct generator generator_zeros = {
    .id = "zeros",
    .summary = "an element in each row of A B is 0 because each of its products is",
    .formula = "Gaussians times 2^-4 to 2^4; for each row i of A a half of the k at random: a_ik = 0 there, b_k(i+s) = "
               "0 elsewhere, with a random s",
    .source = GRADING "test 1b, there of some rows, without powers of two",
    .exact = "(A B)_i(i+s) = 0: each of its products is 0; the others are ordinary",
    .tells = "an element that is not 0 is a sum of products that (A B)_ij does not have: Strassen-like",
    .showcase = {"zeros:n=64"},
    .a = a,
    .b = b,
    .refuses = every_format,
    MATRIX_FAMILY,
};
