/* The accumulators of a plug-in, each in every order: by the orders' host halves (kernels/replay.c), over verbs that
 * call its functions. */
#pragma once

#include "library.h"

enum {
#define ORDER(id, determinism, slow_above, rows, claim) ACCUMULATOR_ORDER_##id,
#include "kernels/orders.def"
    ACCUMULATOR_ORDERS
};
enum { ACCUMULATOR_BYTES_MOST = 1 << 16 };

/* Fills in what it is in its order; false: it has no such method. */
bool accumulator_method(struct library_method *method);

/* The sums of the rows of one call; false where it says what went wrong. */
bool accumulator_run(const struct library_method *method, const struct ulpscope_call *call);

/* Whether states of these numbers keep what plugin.h promises of them: merge(zero, s) and merge(s, zero) are s, a copy
 * of s goes on as s does, and nothing beside s is written; false where it says which does not hold. */
bool accumulator_keeps_states(const struct library_method *method, const struct ulpscope_call *call);
