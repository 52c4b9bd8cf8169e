/* The numbers on which a method errs most, as far as a search finds them.
 *
 *   what is known    every family of data that has n numbers, and those made for the order of the method
 *   search           changes of signs, exponents, order and mantissas, kept where the error grows; the error is exact
 *
 * Nothing depends on the number of threads: candidate k of a generation is a function of the seed, the generation and
 * k, and of what was found before. */
#pragma once

#include "kernels/method.h"
#include "src/base/onlooker.h"

enum { ATTACK_MOST_N = 1 << 20 }; /* 750 bytes per element */

struct dataset;
struct exact_how;
struct exact_sum;

/* Who computes the sums of a method that is not computed on the host. */
struct attack_elsewhere {
    enum status (*sum)(void *context, const struct method *method, const struct operands *of, struct launch launch,
                       uint64_t *bits); /* NOT_MEASURED, which was complained about: the attack ends */
    void *context;
};

enum attack_climbs {
    ATTACK_BOUND, /* |computed - s| / bound of the method: how much of its theorem is attained */
    ATTACK_ULP,   /* |computed - s| / ulp(s) */
};

/* What a statistic of these numbers is, with its moments: src/measure/operation.h. */
typedef enum status attack_exact(enum operation operation, const struct dataset *data, struct exact_how how,
                                 struct exact_sum *exact);

struct attack_request {
    const struct method *method; /* a sum, or a statistic of one vector */
    attack_exact *exact;         /* of a statistic; NULL: only sums are attacked */
    struct launch launch;
    uint64_t n, seed, trial; /* trial: at most MOST_TRIAL; 0 unless many are wanted of one seed */
    uint64_t calls;          /* sums that may be asked for; at least 1 */
    uint64_t ends_after;     /* of these, as one that was ended did; 0: all */
    enum attack_climbs climbs;
    double until; /* enough: the search ends when it is reached; INFINITY is what no search goes beyond */
    unsigned workers;
    bool asks_no_family; /* of what is known the tree alone: a find that no new family of data changes */
    const struct attack_elsewhere *elsewhere; /* of a black box of a GPU; NULL: the method is computed on the host */
    const struct onlooker *onlooker;          /* who may end it, with what was found by then; NULL: nobody */
};

/* What it ends at, if not before. */
static inline uint64_t attack_end(const struct attack_request *request)
{
    const uint64_t end = request->ends_after;
    return end > 0 && end < request->calls ? end : request->calls;
}

/* A point of the curve: a new best. */
struct attack_step {
    uint64_t calls; /* that were spent then, this one included */
    double value;
    char *by; /* what made it: a family's spec, "signs", "exponents", "order", "mantissas" ... */
};

struct attack_find {
    const struct format *format; /* of the numbers */
    void *x;                     /* n numbers, as format_held() has them; of a crash those that were its end */
    uint64_t n;
    double value;      /* of what it climbs */
    uint64_t computed; /* bits of the method's result */
    uint64_t calls;    /* that it spent: with so many as its ends_after the same is found */
    struct attack_step *steps;
    size_t step_count;
    bool is_ended;    /* by an onlooker, before its end */
    bool has_crashed; /* the method, a plug-in's, failed on x: that is what was found */
};

/* INTERRUPTED: it was ended before a sum was judged.  Complains and returns BAD_INPUT for what is no sum or is computed
 * nowhere, an n that the method or format does not take, and 0 calls; NOT_MEASURED when memory is short.  The caller
 * calls attack_free. */
enum status attack_make(const struct attack_request *request, struct attack_find *find);
void attack_free(struct attack_find *find);
