/* What a method's model says of the errors of a series, beside those that were measured. */
#pragma once

#include "results.h"

/* The mean signed relative error that truncation makes of a fused matrix product (kernels/fused_law.c) of these data,
 * which are made again; NaN: the method has no such law, the data are not a family's, or have both signs. */
double law_of_series(const struct results *results, const struct series *series);
