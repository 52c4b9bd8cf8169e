/* An accumulator as orders see it on the host: verbs over states of which they know the size alone.  kernels/verbs.c is
 * compiled once per accumulator, format that is added in, and kind of terms; an order (kernels/orders) once for all.
 *
 *   plain in binary32, add_rows to 2 states, 2 rows 10 apart    s0 + x0 + x10, s1 + x1 + x11
 *   merge {count 2, step 2, rows 1}                             s0 takes t0, s2 takes t2
 */
#pragma once

#include "method.h"

#include <string.h>

struct claim;
struct matmul_device;
struct walk_step;

enum { WALK_LANES = 8 };

/* Neighbouring terms. */
struct piece {
    uint64_t first, count;
};

/* State row * row_step + i * step of the one array takes that of the other, for all i < count of all rows. */
struct merges {
    uint64_t count, step, rows, row_step;
};

struct verbs {
    const char *id; /* "kahan"; "kahan_sign" of a broken one */
    const char *accumulator;
    const struct format *added;
    const struct accumulator_traits *traits;
    const struct device_method *const *on_device;       /* of each order; NULL: there is none */
    const struct device_method *const *scans_on_device; /* likewise, of scan_orders.def */
    const struct matmul_device *matmul_on_device;       /* likewise, of matrix products */
    size_t state_bytes, term_bytes;

    double atomic_loss; /* of an atomic merge beside its rounding */
    bool has_atomic, any_order, rounded_once;
    bool is_recorded; /* each addition and merge is: one after another, block by block, on one thread */

    /* Terms of all elements, as the verbs take them. */
    void (*make_terms)(const struct operands *of, void *terms);

    void (*zero)(void *states, uint64_t count);
    void (*add_run)(void *state, const void *terms, uint64_t count);                             /* left to right */
    void (*add_runs)(void *states, const void *terms, const struct piece *runs, uint64_t count); /* run i to state i */

    /* To state i < count the terms i, i + stride, ... of so many rows. */
    void (*add_rows)(void *states, const void *terms, uint64_t count, uint64_t rows, uint64_t stride);
    void (*merge)(void *into, const void *from, struct merges merges);
    void (*merge_run)(void *state, const void *states, uint64_t count); /* left to right */

    /* To state i < count the products of a[k] and b[k * count + i], k < rows: numbers as they are added, in binary64 or
     * binary32. */
    void (*add_products)(void *states, const void *a, const void *b, uint64_t rows, uint64_t count);

    /* WALK_LANES sums side by side, each step of all before the next one: see walk_sums(). */
    void (*walk)(void *states, const struct walk_step *steps, uint64_t count, const void *terms);

    /* Every so many-th state, which become neighbours at the beginning. */
    void (*gather)(void *states, uint64_t step, uint64_t count);

    double (*result)(const void *state); /* to be rounded to the format of the result, once */

    /* Numbers whose exact sum is what a term should add, two of them, and what a state is worth; returns how many.
     * NULL: nobody watches. */
    void (*worth)(const void *term, double *parts);
    int (*parts)(const void *state, double *parts);

    /* What the sum of the terms errs by, of a claim about them; the same in a model of random roundings, NULL: there is
     * none; and what terms err by, of a claim about what they stand for, which becomes one about them. */
    double (*bound)(const struct claim *of), (*probabilistic_bound)(const struct claim *of);
    double (*terms_claim)(enum operation operation, struct claim *of);
};

/* What is compiled of one accumulator, format that is added in and kind of terms. */
struct compiled {
    const struct verbs *verbs;
    const char *absent;        /* why there are none, as the end of a sentence; NULL: there are */
    const char *others_absent; /* likewise, of all other accumulators and operations of the format */
};

static inline void *state_at(const struct verbs *verbs, const void *states, uint64_t i)
{
    return (char *)(uintptr_t)states + i * verbs->state_bytes;
}

/* Neighbours. */
static inline struct merges merges_of(uint64_t count)
{
    return (struct merges){count, 1, 1, 0};
}
