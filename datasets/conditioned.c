#include "conditioned.h"

#include "format_edges.h"

void conditioned_clear(struct conditioned_sum *sum)
{
    running_sum_clear(&sum->exact);
    sum->abs = 0;
}

void conditioned_add(struct conditioned_sum *sum, double x)
{
    running_sum_add(&sum->exact, x);
    sum->abs += fabs(x);
}

double conditioned_reached(const struct format *format, const struct conditioned_sum *sum)
{
    if (sum->abs >= power_of_two(format->overflow_exponent - 1))
        return INFINITY;
    return sum->abs / fabs(running_sum_binary64(&sum->exact));
}

int conditioned_binades(double v)
{
    int exponent;
    return frexp(v, &exponent) == 0.5 ? exponent - 1 : exponent;
}

int conditioned_room(const struct format *format)
{
    return format->overflow_exponent - 1 - format->least_exponent;
}

void conditioned_adapt(const struct format *format, struct parameter *row)
{
    const double most = fmin(ldexp(1, conditioned_room(format)), 1e300), digits = floor(log10(most));
    adapt_row(row, "cond", fmin(1e8, most), 1, fmin(floor(most / pow(10, digits)) * pow(10, digits), 1e300));
}

/* As a factor; infinite for a sum of 0. */
static double distance(double reached, double cond)
{
    return reached < cond ? cond / reached : reached / cond;
}

static enum status refuse(const struct generator_call *call, const char *family, double cond, double nearest)
{
    return bad_input("%s:n=%llu,cond=%.3g: condition %.3g is as near as %s came in %d attempts; expected within a "
                     "factor of 3; ask for a smaller cond, or for more elements",
                     family, (unsigned long long)call->n, cond, nearest, call->format.name, CONDITIONED_ATTEMPTS);
}

enum status conditioned_build(const struct generator_call *call, const char *family, double cond,
                              conditioned_attempt *attempt, void *x)
{
    double nearest = INFINITY;
    for (uint32_t k = 0; k < CONDITIONED_ATTEMPTS; k++) {
        double reached;
        TRY(attempt(call, k, x, &reached));
        if (distance(reached, cond) <= 3)
            return OK;
        if (distance(reached, cond) < distance(nearest, cond))
            nearest = reached;
    }
    return refuse(call, family, cond, nearest);
}
