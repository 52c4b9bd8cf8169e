#include "bounds.h"

#include <math.h>

typedef double bound_function(const struct bounded *of);

/* A row for each accumulator that sums; by what is added in, as NUMBER_FORMATS has it. */
struct accumulator_bounds {
    const char *id;
    bound_function *const *in[NUMBER_FORMAT_COUNT];
};

#define DECLARE_SUMS(id)                                                                                               \
    extern bound_function *const id##_binary64_library_bound,                                                          \
        *const id##_binary32_library_bound, *const id##_binary16_library_bound, *const id##_bfloat16_library_bound;
#define DECLARE_INTEGER_SUMS(id)
#define DECLARE_MEASURES(id)
#define DECLARE_MEASURES_ON_HOST(id)
#define DECLARE_MOMENTS(id)
#define ACCUMULATOR(id, role, additions, of_merge, claim) DECLARE_##role(id)
#include "kernels/accumulators.def"

#define ROW_SUMS(id)                                                                                                   \
    {#id,                                                                                                              \
     {&id##_binary64_library_bound, &id##_binary32_library_bound, &id##_binary16_library_bound,                        \
      &id##_bfloat16_library_bound}},
#define ROW_INTEGER_SUMS(id)
#define ROW_MEASURES(id)
#define ROW_MEASURES_ON_HOST(id)
#define ROW_MOMENTS(id)
static const struct accumulator_bounds table[] = {
#define ACCUMULATOR(id, role, additions, of_merge, claim) ROW_##role(id)
#include "kernels/accumulators.def"
};

double bound_of(const char *accumulator, const struct format *added, const struct bounded *of)
{
    for (size_t a = 0; a < sizeof table / sizeof *table; a++)
        for (size_t f = 0; f < NUMBER_FORMAT_COUNT; f++)
            if (NUMBER_FORMATS[f]->precision == added->precision && strcmp(table[a].id, accumulator) == 0 &&
                *table[a].in[f])
                return (*table[a].in[f])(of);
    return (double)NAN;
}

double bound_in_tree(bool products, const struct format *terms, const struct format *added, const struct format *result,
                     uint64_t n, uint64_t height, double abs_s, double sum_abs)
{
    const struct bounded of = {n, height, abs_s, sum_abs, products || format_is_narrower(added, terms), true, result};
    return isnan(sum_abs) ? (double)INFINITY : bound_of("plain", added, &of); /* NaN: the data are no numbers */
}
