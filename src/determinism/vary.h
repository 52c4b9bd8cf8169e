/* An axis while it is varied: what the files of axes/ are given, and what they call.
 *
 *   TRY(vary_compute(vary, &vary->of->of, vary->of->launch, NULL, bits));
 *   variation_note(vary, bits, "call %d", call);
 */
#pragma once

#include "src/base/status.h"
#include "variation.h"

#include <stddef.h>

enum { BASE_CALLS = 20 }; /* of the same sum, to see whether it is the same each time */

struct vary {
    const struct varied *of;
    struct variation *found;
    uint64_t count; /* results of the base and of each variant: 1 of a sum, the elements of a matrix product */
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

/* The same with a result that is known by its word alone. */
void vary_begin_word(struct vary *vary, uint64_t word);

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

/* The bits of one result, or the first 64 of a digest of many (src/measure/digest.h); every NaN is the same. */
uint64_t results_word(const struct format *format, const uint64_t *bits, uint64_t count);
