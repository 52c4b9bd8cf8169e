/* Where the steppers are found: one of each accumulator that SUMS, from steps.c. */
#include "steps.h"

#include <string.h>

/* Rows of other roles vanish. */
#define OF_SUMS(...) __VA_ARGS__
#define OF_MEASURES(...)
#define OF_MEASURES_ON_HOST(...)

#define ACCUMULATOR(id, role, claim) OF_##role(extern const struct stepper id##_binary32_sum_stepper;)
#include "accumulators.def"

static const struct stepper *const table[] = {
#define ACCUMULATOR(id, role, claim) OF_##role(&id##_binary32_sum_stepper, )
#include "accumulators.def"
};

const struct stepper *stepper_find(const char *accumulator)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->accumulator, accumulator) == 0)
            return table[i];
    return NULL;
}
