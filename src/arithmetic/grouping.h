/* The order along k, found from pairs: L at i, -L at j and a small s elsewhere leave as many s as lie outside the node
 * that joins i and j. */
#pragma once

#include "inquiry.h"

/* Of sums of so many terms, at most asked->terms.  *is_found: they have such an order, and answers to other pairs are
 * those of it.  The caller frees grouping->places. */
enum status grouping_find(struct inquiry *inquiry, uint64_t terms, struct grouping *grouping, bool *is_found);
