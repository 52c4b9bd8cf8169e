/* growth: numbers in (0, 1), whose products and sums cancel nothing: how do errors grow with n? */
#include "datasets/gaussian.h"
#include "datasets/matrix_elements.h"

static double in_unit_interval(const struct generator_call *call, uint64_t place)
{
    return rounded_to(gaussian_unit(random_of_element(call, place)), &call->format);
}

static double a(const struct generator_call *call, uint64_t i, uint64_t k)
{
    return in_unit_interval(call, matrix_place(call, PART_A, i, k));
}

static double b(const struct generator_call *call, uint64_t k, uint64_t j)
{
    return in_unit_interval(call, matrix_place(call, PART_B, k, j));
}

static enum status prepare(struct generator_call *call)
{
    return matrix_prepare(call, "growth", 0);
}

const struct generator generator_growth = {
    .id = "growth",
    .summary = "random in (0, 1), for how errors grow with n",
    .formula = "random in (0, 1)",
    .source = GRADING "criterion 2, grade A",
    .exact = "condition 1, about n / 4",
    .tells = "how errors grow with n, and whether they have a sign",
    .showcase = {"growth:n=64"},
    .a = a,
    .b = b,
    .refuses = every_format,
    MATRIX_FAMILY,
};
