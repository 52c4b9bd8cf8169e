/* The errors of P orders as a picture: bars around the exact sum, and what theory says of them.
 *
 *   bars, around 0    how many orders had such an error        curve      what the model of these data expects
 *   red line          the data in the order as given           others     the bounds, where they are near
 */
#pragma once

#include "shuffle.h"

#include "reports/chart/chart.h"

/* Of one method on its own axis, or with SIZE_MAX the widest ones (widest.h) on a common one.  The caller
 * calls chart_free, also after a failure. */
void shuffle_chart(const struct shuffled *shuffled, size_t method, struct chart *chart);
