/* An axis while it is varied: what the files of axes/ are given, and what they call.
 *
 *   TRY(vary_compute(vary, &vary->of->of, vary->of->launch, NULL, bits));
 *   variation_note(vary, bits, "call %d", call);
 */
#pragma once

#include "reference/exact.h"
#include "src/device/device.h"
#include "src/study/axis.h"

#include <math.h>

/* Which change changes the bits: one method, one data set, one launch, and one thing varied at a time.
 *
 *   mine/loop, uniform:n=4096, axis alignment: 17 variants, 2 results, up to 1.0 ulp apart; the first: 4 bytes
 *
 * Each axis (src/study/axes.def) is a file of axes/, whose function <id>_vary computes its variants one after another
 * and hands each result to variation_note (vary.h).  The base is what the method gives as it is always asked. */

/* What is varied. */
struct varied {
    const struct method *method;
    struct operands of; /* as the host has them */
    struct launch launch;
    struct device *device; /* NULL: replays, and plug-ins */
    unsigned workers;
    uint64_t seed;     /* of permutations, and of what else is drawn */
    double ulp;        /* of the format of the result at the exact sum; NaN: that at each result, as of matrices */
    const char *again; /* the command that computes the base once more (rerun_command); NULL: there is none */
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
    uint64_t base, bits; /* of the base, and of that variant; of many results a digest */
    char why[160];       /* why nothing was varied, or what failed: "its kernels take no rows"; AXIS_NONE_TO_BLAME, of
                            all axes but repeat, where calls that are the same differ; of what differs and is farther
                            from the exact result than its bound AXIS_WRONG and what it is */
};

/* Varies one axis.  NOT_MEASURED, which was complained about, where the base itself could not be computed; a variant
 * that fails is a finding, in `why`. */
enum status variation_measure(const struct varied *varied, enum axis axis, struct variation *variation);

enum { BASE_CALLS = 20 }; /* of the same sum, to see whether it is the same each time */

struct vary {
    const struct varied *of;
    struct variation *found;
    uint64_t count; /* results of the base and of each variant: 1 of a sum, the elements of a matrix product, each of a
                       softmax */
    double ulp;     /* as struct varied has it */
    const struct operands *numbers; /* whose result they are, each or element by element */
    struct shape shape;             /* that was asked for, with zeros or other rows: what the bound is of */
    uint64_t *base;
    uint64_t *bits;          /* room for those of a variant */
    double *least, *largest; /* of each result, the base's included */
    uint64_t *seen;          /* words of what differed, the base's first */
    size_t seen_count, seen_capacity;
    uint64_t digest; /* of all results so far */
    bool *differ;    /* NULL, or each call is made twice, and whether the two ever differed */
    bool differs;    /* of the axis process, where that is noted */
    bool has_failed; /* in a fresh process: it is asked in no other */
};

/* Varies one thing; OK too where there is nothing to vary, which vary_leave_out says.  Another status: a variant
 * failed, which was complained about, and those before it count; of a replay nothing does. */
typedef enum status axis_vary(struct vary *vary);
#define AXIS(id, varied, fixed) axis_vary id##_vary;
#include "src/study/axes.def"

/* A replay fails where the machine does, as it has no memory, and that is no finding. */
bool vary_replays(const struct varied *varied);

/* Computes operands like those of the base as the method of the base does, on its device; `under` NULL: as ever.
 * NOT_MEASURED, which was complained about. */
enum status vary_compute(const struct vary *vary, const struct operands *of, struct launch launch,
                         const struct circumstances *under, uint64_t *bits);

/* Begins anew with other results as the base, of these numbers, which stay where they are, in that shape, and `ulp` as
 * struct varied has it: what is noted then is held against these.  What was found stays. */
enum status vary_begin(struct vary *vary, const struct operands *numbers, struct shape shape, const uint64_t *base,
                       uint64_t count, double ulp);

/* Takes the results of a variant, vary->count of them; the text names it: "call 3". */
void variation_note(struct vary *vary, const uint64_t *bits, const char *variant, ...)
    __attribute__((format(printf, 3, 4)));

/* The same of results that are known by their word alone: how far they are from the others is not. */
void variation_note_word(struct vary *vary, uint64_t word, const char *variant, ...)
    __attribute__((format(printf, 3, 4)));

/* Says why nothing is varied: "its kernels take no rows". */
void vary_leave_out(struct vary *vary, const char *why, ...) __attribute__((format(printf, 2, 3)));

/* Says why a variant has no result, unless something was said. */
void vary_note_failure(struct vary *vary);

/* The axis process of several methods and data, so that each fresh process of a plug-in, which may take seconds to
 * start, is asked for all: each begins in the process that is there, is asked once in each of PROCESSES fresh ones, one
 * process after another (plugin_restart), and ends.  variation_begin: as variation_measure; what it has begun is ended,
 * or forgotten. */
enum { PROCESSES = 4 };
enum status variation_begin(const struct varied *varied, enum axis axis, struct variation *variation,
                            struct vary *vary);
void vary_in_fresh(struct vary *vary, int process);
void variation_end(struct vary *vary);
void variation_forget(struct vary *vary);

/* The bits of one result, or the first 64 of a digest of many (src/measure/digest.c); every NaN is the same. */
uint64_t results_word(const struct format *format, const uint64_t *bits, uint64_t count);

/* The numbers of a base, copied: some of them, in another order, among zeros.
 *
 *   take 3 of 1 2 3 4, lay them into 5 from place 1:    0 1 2 3 0
 *
 * Of two vectors pairs stay together; of matrices terms are the columns of A and the rows of B. */

struct terms {
    struct operands of;
    void *arrays[ARRAYS_MOST]; /* the same as `of` has, to be changed */
};

/* Lays the first `take` terms into `n` of them, from place `at` on; the others are +0.  The caller calls terms_free,
 * also after a failure.  NOT_MEASURED: memory is short. */
enum status terms_lay(const struct operands *from, uint64_t take, uint64_t n, uint64_t at, struct terms *terms);
void terms_free(struct terms *terms);

/* Puts them into one of all orders: number `trial`, from 1 on, of a seed.  Of one row.  NOT_MEASURED: memory is short.
 */
enum status terms_shuffle(const struct terms *terms, uint64_t seed, uint64_t trial);

/* Their exact sum, or what else the operation is of them, and of matrices one element.  The caller calls exact_free. */
enum status terms_exact(const struct operands *of, uint64_t element, struct exact_sum *exact);

/* Its ulp in a format; NaN where there are many results. */
enum status terms_ulp(const struct operands *of, const struct format *format, double *ulp);

/* Variants under other circumstances, or of other shapes: one that fails is a finding, and the next is tried. */

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
