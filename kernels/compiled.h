/* The tables of what is compiled, for method.c. */
#pragma once

#include "method.h"
#include "verbs.h"

enum {
#define ORDER(id, determinism, slow_above, rows, claim) ORDER_##id,
#include "orders.def"
    ORDERS
};

enum {
#define ACCUMULATOR(id, role, additions, of_merge, claim) ACCUMULATOR_##id,
#include "accumulators.def"
    ACCUMULATORS
};

enum {
#define BLACK_BOX(library, name, operation, determinism, slow_above, bound, claim) BLACK_BOX_##library##_##name,
#include "black_boxes.def"
    BLACK_BOXES
};

enum real_format { REAL_binary64, REAL_binary32, REAL_binary16, REAL_bfloat16, REAL_e4m3, REAL_e5m2, REALS };

/* An accumulator, as it is compiled for each format of additions; NULL where there is no such thing. */
struct compiled_row {
    const char *id, *claim;
    enum accumulator_role role;
    double additions, of_merge;
    const struct compiled *in[REALS];
};

/* Of an operation of vectors, in a format; NULL: there is nothing. */
const struct compiled *compiled_find(enum operation operation, const struct sum_format *sum_format,
                                     const char *accumulator);
