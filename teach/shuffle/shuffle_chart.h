/* The errors of P orders as a picture: bars around the exact sum, and what theory says of them.
 *
 *   broken green line   the exact sum          orange       the data in the order as given
 *   bars                errors                 purple ...   the models and the proven bound, where they are near
 */
#ifndef ULPSCOPE_SHUFFLE_CHART_H
#define ULPSCOPE_SHUFFLE_CHART_H

#include "shuffle.h"

#include "../../reports/chart/chart.h"

/* Of one method on its own axis, or of several (SIZE_MAX: the first of each accumulator) on a common one.  The caller
 * calls chart_free, also after a failure. */
enum status shuffle_chart(const struct shuffled *shuffled, size_t method, struct chart *chart);

#endif
