/* What is known to be hard, before a search: every family that has n numbers of the format, with its parameters as the
 * family shows them, and where it takes a method, with this one; and what a tree alone tells. */
#pragma once

#include "attack.h"
#include "terrain.h"

/* Takes n numbers, in the order of ranks, and the words for them; false: no more. */
typedef bool known_visitor(void *to, const double *numbers, const char *by);

/* NOT_MEASURED when memory is short.  A family that refuses these numbers is passed over. */
enum status attack_known(const struct attack_request *request, const struct terrain *terrain, known_visitor *visit,
                         void *to);
