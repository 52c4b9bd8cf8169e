/* Variants under other circumstances, or of other shapes: one that fails is a finding, and the next is tried. */
#pragma once

#include "vary.h"

enum tried {
    COMPUTED,
    FAILED,   /* the axis' `why` says what this variant did */
    HOPELESS, /* likewise, or why it cannot be varied at all: the others would fail, too */
    STOPPED,  /* the machine failed, not the method: no finding */
};

/* Computes operands under circumstances; `variant` names it: "4 bytes". */
enum tried vary_try(struct vary *vary, const struct operands *of, const struct circumstances *under, uint64_t *bits,
                    const char *variant);

/* Variants of the numbers of vary->of; `order` ends the name of each: "", or ", shuffle 2". */
typedef enum tried in_one_order(struct vary *vary, const char *order);

/* The variants of the base, and where none of them changes a bit those of the same numbers in other orders: a change
 * of order may leave the sum of some numbers as it is. */
enum status vary_in_orders(struct vary *vary, in_one_order *variants);

/* The numbers of vary->of, whose results are noted. */
enum tried vary_try_base(struct vary *vary, const struct circumstances *under, const char *variant, const char *order);

/* Three times the same; `where` names them: "on another stream". */
enum tried vary_calls(struct vary *vary, const struct circumstances *under, const char *where, const char *order);

/* A replay: of data at an offset, which lies between elements as the host has them, and beside other threads. */
enum status replay_under(const struct method *method, const struct operands *of, struct launch launch, unsigned workers,
                         const struct circumstances *under, uint64_t *bits);
