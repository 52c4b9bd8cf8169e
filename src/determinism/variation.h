/* Which change changes the bits: one method, one data set, one launch, and one thing varied at a time.
 *
 *   mine/loop, uniform:n=4096, axis alignment: 17 variants, 2 results, up to 1.0 ulp apart; the first: 4 bytes
 *
 * Each axis (src/study/axes.def) is a file of axes/, whose function <id>_vary computes its variants one after another
 * and hands each result to variation_note (vary.h).  The base is what the method gives as it is always asked. */
#pragma once

#include "kernels/method.h"
#include "src/base/circumstances.h"
#include "src/device/device.h"
#include "src/study/axis.h"

#include <stdbool.h>
#include <stdint.h>

struct fingerprints;

/* What is varied. */
struct varied {
    const struct method *method;
    struct operands of; /* as the host has them */
    struct launch launch;
    struct device *device; /* NULL: replays, and plug-ins */
    unsigned workers;
    uint64_t seed;     /* of permutations, and of what else is drawn */
    double ulp;        /* of the format of the result at the exact sum; NaN: that at each result, as of matrices */
    const char *again; /* the command that computes the base once more (src/study/rerun.h); NULL: there is none */
    const struct fingerprints *others; /* of other machines and versions */
    size_t other_count;
    void (*tell)(void *context); /* before each sum, how far it is; NULL: nobody asks */
    void *context;
};

/* What came of it: a cell of the matrix. */
struct variation {
    enum axis axis;
    uint64_t variants;   /* results that were held against the base, and failures; 0: it was not varied, see `why` */
    uint64_t results;    /* different ones, the base's included: 1 where no bit changes */
    double spread;       /* the largest less the least, in ulp(s); of matrices that of the element where it is largest;
                            NaN where one of them is none; 0 where results are known by a digest alone, or are
                            zeros of two signs */
    char first[96];      /* the first variant with other bits: "4 bytes", "row 3 of 4096"; "": none; of a product of
                            matrices with its first element that differs: "shuffle 1 (C[0][3])" */
    uint64_t base, bits; /* of the base, and of that variant; of matrices, and of the axis
                            library, a digest of many */
    char why[160];       /* why nothing was varied, or what failed: "its kernels take no rows"; AXIS_NONE_TO_BLAME, of
                            all axes but repeat, where calls that are the same differ; of what differs and is farther
                            from the exact result than its bound AXIS_WRONG and what it is */
};

/* Varies one axis.  NOT_MEASURED, which was complained about, where the base itself could not be computed; a variant
 * that fails is a finding, in `why`. */
enum status variation_measure(const struct varied *varied, enum axis axis, struct variation *variation);
