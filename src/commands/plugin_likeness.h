/* Whether a plug-in's bits are those of one of our accumulators with a fault (kernels/broken.def), in one of its
 * orders, and of no sound one: no bound tells a compensation that is subtracted from one that is added. */
#pragma once

#include "kernels/method.h"

/* "bit for bit kahan/serial in which ..., on 6 of 6", allocated; NULL: of none, or it cannot be compared. */
enum status plugin_is_like_a_fault(const struct method *method, char **like);
