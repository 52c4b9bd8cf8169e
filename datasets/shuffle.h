/* A shuffle that a seed decides, for order=shuffled and for the families that are built. */
#pragma once

#include "generator.h"

/* One of all orders of call->n numbers, each as likely, as format_held() has those of call->format.  Takes a block of
 * random bits for each of them, of `draw`. */
void shuffle(const struct generator_call *call, uint32_t draw, void *x);
