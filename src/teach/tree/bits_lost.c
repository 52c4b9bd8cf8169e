#include "bits_lost.h"

#include <math.h>

/* The exponent of the last bit that is 1. */
static int last_bit(double value)
{
    int exponent = 0;
    for (double rest = fabs(value); rest != 0; rest -= ldexp(1, exponent)) /* exact: the leading bit goes */
        exponent = ilogb(rest);
    return exponent;
}

/* Of the exact sum, which is below a power of two when it was rounded up to that. */
static int last_place(double made, double error, const struct format *format)
{
    const bool rounded_up_to_power = fabs(made) == ldexp(1, ilogb(made)) && (made > 0) == (error > 0);
    const int place = ilogb(made) - rounded_up_to_power - (format->precision - 1);
    return place > format->least_exponent ? place : format->least_exponent;
}

struct bits_lost bits_lost_in(const struct additions *of, uint32_t node)
{
    const struct format *format = of->method->accumulator_traits->state;
    const struct tape_node *joined = &of->tree.joined[node - 1];
    const double error = of->error[node];
    if (!format || joined->left == 0 || !isfinite(error))
        return (struct bits_lost){.known = false};
    if (error == 0)
        return (struct bits_lost){.known = true};
    const int place = last_place(of->value[node], error, format);
    const double smaller = fmin(fabs(of->value[joined->left]), fabs(of->value[joined->right]));
    return (struct bits_lost){.known = true, .bits = place - last_bit(error), .all = smaller < ldexp(1, place)};
}
