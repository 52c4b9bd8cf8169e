/* What is added of the elements of one vector or of two: the operations, a file of kernels/operations/ each, which
 * comes behind the accumulator's and has one function of an element,
 *
 *   <id>_term(x, y)      a number, which is added like any other: of sum, dot, sumsq and norm2, where y is x or is not
 *                        looked at
 *   <id>_add(s, x, y)    the state with what two numbers contribute added: of dot_exact and dot_fma
 *
 * and on the host
 *
 *   <id>_claim(of)       what a bound of sums becomes
 *   ABSENT               where the accumulator has no such operation, why, as the end of a sentence
 *
 * A replay makes all terms first and adds them, so that there is one of those with numbers; those of the others are
 * compiled again, with -DOPERATION_ID=dot_exact, and terms of two numbers.  A kernel makes terms on the way.
 */
#pragma once

#include "method.h"
#include "portable.h"
#include "stored.h"

#include "generated/operations.inc"

/* A device half has all operations; or all but dot_exact, which has one of its own. */
#if A(HAS_EXACT_PRODUCTS)
#define DEVICE_HALF_NAMED(name) EXPORTED(name)
#else
#define DEVICE_HALF_NAMED(name) PASTE(PASTE(METHODS_NAME, FORMAT), name)
#endif

#ifdef __CUDACC__
/* The elements of one vector or two; y is x where there is one. */
struct elements {
    struct numbers x, y;
    enum operation operation;
};

static inline struct elements elements_of(const struct operands *of)
{
    struct elements elements;
    elements.x.at = of->arrays[0];
    elements.y.at = operation_table[of->operation].vectors > 1 ? of->arrays[1] : of->arrays[0];
    elements.x.format = elements.y.format = stored_format_of(of->format);
    elements.operation = of->operation;
    return elements;
}

/* Where one operation is compiled, or used, its own: the compiler drops what is for the others. */
static __device__ enum operation operation_of(struct elements of)
{
#if defined(IS_sum) && !defined(ONLY_ACCUMULATOR)
    return of.operation;
#else
    return PASTE(OPERATION, OPERATION_ID);
#endif
}

/* From the first-th on. */
static __device__ struct elements elements_from(struct elements of, uint64_t first)
{
    of.x = numbers_from(of.x, first);
    of.y = numbers_from(of.y, first);
    return of;
}

template <int COUNT>
static __device__ STATE add_terms(STATE s, enum operation operation, const real (&x)[COUNT], const real (&y)[COUNT])
{
    real terms[COUNT];
    switch (operation) {
#define TERMS_NUMBERS(id)                                                                                              \
    case OPERATION_##id:                                                                                               \
        _Pragma("unroll") for (int k = 0; k < COUNT; k++) terms[k] = id##_term(x[k], y[k]);                            \
        break;
#define TERMS_OWN(id)                                                                                                  \
    case OPERATION_##id:                                                                                               \
        _Pragma("unroll") for (int k = 0; k < COUNT; k++) s = id##_add(s, x[k], y[k]);                                 \
        return s;
#define OPERATION(id, vectors, terms, of, claim) TERMS_##terms(id)
#include "operations.def"
#undef TERMS_NUMBERS
#undef TERMS_OWN
    default:
        __builtin_unreachable();
    }
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        s = A(add)(s, terms[k]);
    return s;
}

static __device__ STATE add_term(STATE s, enum operation operation, real x, real y)
{
    const real of_x[] = {x}, of_y[] = {y};
    return add_terms(s, operation, of_x, of_y);
}
#elif defined(IS_sum)
typedef real term;
#define ADD_TERM(s, t) A(add)(s, t)
#else
typedef struct {
    real x, y;
} term;
#define ADD_TERM(s, t) PASTE(OPERATION_ID, add)(s, (t).x, (t).y)
#endif
