/* Where the steppers are found: one of each accumulator that SUMS and each format that numbers are added in, from
 * steps.c. */
#include "steps.h"

#include "only.h"

#include <string.h>

/* Rows of other roles vanish. */
#define OF_SUMS(...) __VA_ARGS__
#define OF_MEASURES(...)
#define OF_MEASURES_ON_HOST(...)

#define ACCUMULATOR(id, role, claim)                                                                                   \
    OF_##role(extern const struct stepper id##_binary64_sum_stepper, id##_binary32_sum_stepper,                        \
              id##_binary16_sum_stepper, id##_bfloat16_sum_stepper;)
#include "accumulators.def"
extern const struct stepper plain_e4m3_sum_stepper, plain_e5m2_sum_stepper;

/* As NUMBER_FORMATS. */
static const struct stepper *const table[][STORED_FORMAT_COUNT] = {
#define ACCUMULATOR(id, role, claim)                                                                                   \
    OF_##role({&id##_binary64_sum_stepper, &id##_binary32_sum_stepper, &id##_binary16_sum_stepper,                     \
               &id##_bfloat16_sum_stepper, IN_8_BITS(id, &plain_e4m3_sum_stepper, NULL),                               \
               IN_8_BITS(id, &plain_e5m2_sum_stepper, NULL)}, )
#include "accumulators.def"
};

const struct stepper *stepper_find(const struct method *method)
{
    const bool adds_terms = method->sum_format && method->operation < VECTOR_OPERATIONS;
    for (size_t i = 0; adds_terms && i < sizeof table / sizeof *table; i++)
        for (int f = 0; f < STORED_FORMAT_COUNT; f++)
            if (table[i][f] && strcmp(table[i][f]->accumulator, method->accumulator) == 0 && table[i][f]->walk &&
                strcmp(NUMBER_FORMATS[f]->name, method->sum_format->added->name) == 0)
                return method->operation == OPERATION_dot_exact && !table[i][f]->takes_exact_products ? NULL
                                                                                                      : table[i][f];
    return NULL;
}
