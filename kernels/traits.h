/* What others ask of an accumulator or an order, said beside its code: so nobody asks for its name. */
#pragma once

#include "src/base/fp.h"

#include <stdbool.h>
#include <stdint.h>

struct thread_grid;

/* How the errors of its sums grow; its word stands in globs for all of the kind, `wider/serial`, and claims of families
 * are about those that name theirs. */
enum accumulator_kind {
    KIND_NONE,
    KIND_UNCOMPENSATED, /* as plain additions do, with the height of their tree */
    KIND_COMPENSATED,   /* not with n, to first order */
    KIND_WIDER,         /* as those of more bits than the result has */
    KIND_EXACT,         /* not at all */
    ACCUMULATOR_KINDS
};
#define ACCUMULATOR_KIND_WORDS                                                                                         \
    {                                                                                                                  \
        "", "uncompensated", "compensated", "wider", "exact"                                                           \
    }

/* Of an accumulator: TRAITS in its file (or in the one that it includes).  Who says nothing is compensated, and plain
 * without that (kernels/verbs.c). */
#define USUAL_TRAITS .advantage = "the compensation", .uncompensated = "plain"
#define COMPENSATED_TRAITS .kind = KIND_COMPENSATED, USUAL_TRAITS
struct accumulator_traits {
    enum accumulator_kind kind;
    const char *advantage; /* over plain additions: "binary64"; NULL: it is plain additions */

    /* The accumulator whose bits are left where the compensation is lost, and the one that is left where all numbers
     * are binary32.  NULL: there is none. */
    const char *uncompensated, *narrow;

    const char *above; /* the accumulator that merges, where another one adds; NULL: the same does */

    const struct format *state; /* of a state that is one number; NULL: what a state is worth no format has */
};

/* Of an order: <id>_traits. */
struct order_traits {
    enum { ADDS_AND_MERGES, NEVER_MERGES, NEVER_ADDS } joins; /* adds: a number to a state that is not empty */

    bool has_threads;   /* with elements of their own */
    bool has_no_kernel; /* in any build: the order of many processes */
};
