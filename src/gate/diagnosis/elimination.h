/* Hypotheses of suspects are dropped one after another: on one data set, one more, two, four ..., the living ones only,
 * so that many hypotheses cost hardly more than many sums.
 */
#pragma once

#include "suspect.h"

/* What misses one in so many rows is reported, where nothing fits all; what misses more is dropped. */
enum { LIKE_ONE_IN = 10 };

/* Which of a suspect's lists. */
typedef struct hypotheses *list_of_suspect(struct suspect *suspect);

/* Compares the hypotheses of the list with the rows, until they are through, dropped, or beyond the budget. */
enum status eliminate(struct group *group, list_of_suspect *list_of, unsigned workers);
