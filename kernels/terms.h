/* What is added of the elements of one vector or of two: the operations, a file of kernels/operations/ each, which
 * comes behind the accumulator's and has one function of an element,
 *
 *   <id>_term(x, y)      a number, which is added like any other: of sum, dot and sumsq, where y is x or is not looked
 * at <id>_add(s, x, y)    the state with what two numbers contribute added: of dot_exact and dot_fma
 *
 * and on the host
 *
 *   <id>_claim(of)       what a bound of sums becomes
 *   ABSENT               where the accumulator has no such operation, why, as the end of a sentence
 *
 * A replay makes all terms first and adds them, so that there is one of sum, dot and sumsq; those of the others are
 * compiled again, with -DOPERATION_ID=dot_exact, and terms of two numbers.  A kernel makes terms on the way.
 */
#ifndef ULPSCOPE_TERMS_H
#define ULPSCOPE_TERMS_H

#include "generated/operations.inc"

#ifdef __CUDACC__
#elif defined(IS_sum)
typedef real term;
#define ADD_TERM(s, t) A(add)(s, t)
#else
typedef struct {
    real x, y;
} term;
#define ADD_TERM(s, t) PASTE(OPERATION_ID, add)(s, (t).x, (t).y)
#endif

#endif
