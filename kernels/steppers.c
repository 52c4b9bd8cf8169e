/* Where the steppers are found: one of each accumulator that SUMS, from steps.c. */
#include "steps.h"

#include <string.h>

/* Rows of other roles vanish. */
#define SUMS(id) DO(id)
#define MEASURES(id)
#define MEASURES_ON_HOST(id)
#define ACCUMULATOR(id, role, claim) role(id)

#define DO(id) extern const struct stepper id##_binary32_sum_stepper;
#include "accumulators.def"
#undef DO

#define DO(id) &id##_binary32_sum_stepper,
static const struct stepper *const steppers[] = {
#include "accumulators.def"
};
#undef DO

const struct stepper *stepper_find(const char *accumulator)
{
    for (size_t i = 0; i < sizeof steppers / sizeof *steppers; i++)
        if (strcmp(steppers[i]->accumulator, accumulator) == 0)
            return steppers[i];
    return NULL;
}
