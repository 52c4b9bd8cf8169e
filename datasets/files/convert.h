/* What convert= costs: the numbers of a file beside what they were rounded to.  How much the rounding moved their sum
 * is exact, like the sum: x - RN(x) is a number of x's format, being below half a unit in RN(x)'s last place and a
 * multiple of that of x.
 */
#ifndef ULPSCOPE_CONVERT_H
#define ULPSCOPE_CONVERT_H

#include "datasets/numbers.h"

/* Allocated; *converter is NULL after a failure. */
struct converter;
enum status converter_new(const struct format *from, struct converter **converter);
enum status converter_take(struct converter *converter, double value, double rounded);

/* Frees the converter, also when it fails. */
enum status converter_end(struct converter *converter, struct conversion *conversion);
void converter_free(struct converter *converter);

#endif
