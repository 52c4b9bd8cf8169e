/* An order of a data set, so that it can be made again alone.
 *
 *   uniform:n=100,order=reversed, shuffled:17      uniform:n=100,order=shuffled:17
 */
#pragma once

#include "shuffle.h"

/* Each is allocated.  The last two are commands as a shell reads them.  No data spec orders pairs: of these the second
 * shuffles again, once, and the third is NULL. */
char *witness_spec(const struct data_spec *spec, uint64_t order);
char *witness_run(const struct shuffle_request *request, const struct method *method, uint64_t order);
char *witness_gen(const struct shuffle_request *request, uint64_t order, const char *file);
