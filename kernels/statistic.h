/* Methods of kernels/statistics.def: sums of one accumulator in one order, and a formula of them
 * (docs/decisions/0048-means-and-variances.md).
 *
 *   variance.two_pass:kahan/serial@bfloat16    s = A(x), c = s/n; C = A((x - c)^2) in binary32; C/n
 *
 * A pass adds the numbers as they are stored, their squares or products, as the methods of `sum`, `sumsq` and `dot` do;
 * or terms that are made before, in the format that is added, and stored in it.
 */
#pragma once

#include "compiled.h"
#include "replay.h"
#include "statistic_bound.h"

/* What a pass adds.  Those from SCALED on are made: x/n, x - c, its square, and exp(x - c) by exp_any() or exp_fast().
 * MEANS: x, by the accumulator of mean.running.  MAXIMA: nothing; its result is the maximum, and NaN where one is. */
enum pass_terms {
    NO_PASS,
    OF_X,
    OF_Y,
    OF_XX,
    OF_YY,
    OF_XY,
    MEANS,
    MAXIMA,
    SCALED,
    OFFSETS,
    OFFSETS_SQUARED,
    EXPONENTIALS,
    FAST_EXPONENTIALS
};
enum { PASSES_MOST = 4 };

struct statistic {
    enum operation operation;
    enum statistic_algorithm algorithm;
    bool of_sample, is_root; /* n - 1 for n; the root of it all */
    bool normalizes;         /* has a result for each x: (x - m) / root(v + eps), m of rms_norm 0; or a softmax's */
    enum quantity of;
};

/* Of an operation that is_statistic(). */
const struct statistic *statistic_of(enum operation operation);
const enum pass_terms *statistic_passes(const struct statistic *statistic); /* PASSES_MOST */

/* logsumexp, softmax, log_softmax, cross_entropy: of any operation. */
static inline bool is_of_exponentials(enum operation operation)
{
    return is_statistic(operation) && statistic_of(operation)->algorithm >= BY_EXP;
}

/* The accumulator of moments that takes the place of plain: "welford"; NULL: any accumulator of sums does. */
const char *statistic_moments(enum statistic_algorithm algorithm);

/* And subtractions, that each number costs, where a sum costs it so many. */
double statistic_additions(const struct statistic *statistic, double of_sum);

/* A method's parts, which outlive it. */
struct statistic_method {
    const struct statistic *statistic;
    struct method sums, means; /* of each pass, and of MEANS; its operation and formats are set for it */
    struct cell cell, cell_of_means;
};

/* In an order of orders.def, of an accumulator's verbs, and those of mean.running; the id is that of the cell.  false:
 * this order has none. */
bool statistic_method_make(struct statistic_method *of, const struct statistic *statistic, const struct verbs *verbs,
                           const struct verbs *running, int order, const struct sum_format *sum_format,
                           struct method *method);

/* Of such a method; NULL: it is none. */
const struct statistic_method *statistic_method_of(const struct method *method);

/* Whether its states can count so many numbers, as those of any method can that is none of moments; false, with what
 * can be done, in `why`. */
bool statistic_can_count(const struct method *method, uint64_t n, char why[REASON_SIZE]);

/* The method of one pass, whose result is binary64; `made`: of terms that are made. */
struct method statistic_pass(const struct method *self, enum pass_terms terms);

/* What a pass adds: numbers as they lie, or terms that go into `made`, with what they take off, or are divided by, of
 * each row (formula_parameter). */
struct operands statistic_operands(const struct method *self, const struct operands *of, enum pass_terms terms,
                                   const double *parameters, void *made);

/* The device half of a method whose sums have this one; in a build with CUDA. */
const struct device_method *statistic_device(const struct device_method *of_sums);
