#include "judge.h"

#include "operation.h"

#include <math.h>

/* Their bound is that of the same numbers times 2^-k, times 2^k: nothing overflowed, unless the format saturates.  A
 * black box or plug-in has one if it claims that of plain additions. */
double bound_of_finite(const struct method *method, struct shape shape, struct launch launch,
                       const struct magnitudes *of, double bound)
{
    const bool is_plain = method->height ? strcmp(method->accumulator, "plain") == 0 : !method->claims_another;
    const struct magnitudes none = {0, 0, 0, NULL}; /* of which every claim is finite */
    if (!isinf(bound) || !is_plain || sum_format_saturates(method->sum_format) || !isfinite(of->sum_abs) ||
        isinf(method->bound(method, shape, launch, &none)))
        return bound;
    for (int k = 1; k < 64 && isinf(bound); k++) {
        const double scale = ldexp(1, -k);
        const struct magnitudes scaled = {of->abs_s * scale, of->sum_abs * scale, of->max_abs * scale, NULL};
        bound = method->bound(method, shape, launch, &scaled) / scale;
    }
    return bound;
}

struct promise promise_of(const struct method *method, struct launch launch, const struct exact_sum *exact)
{
    const struct magnitudes magnitudes = magnitudes_of(exact);
    const double bound = method_bound(method, exact->n, launch, &magnitudes);
    return (struct promise){
        .height = method->height ? method_height(method, exact->n, launch) : 0,
        .bound = bound,
        .bound_if_finite = bound_of_finite(method, shape_of_one(exact->n), launch, &magnitudes, bound),
        .probabilistic_bound = method->probabilistic_bound
                                   ? method_probabilistic_bound(method, exact->n, launch, &magnitudes)
                                   : (double)NAN,
    };
}

void judge_sum(const struct exact_sum *exact, const struct format *format, const struct promise *promise, uint64_t bits,
               struct measured *row)
{
    row->computed = format_value(format, bits);
    row->computed_bits = bits;
    row->nearest_bits = format_bits(format, exact_round(exact->sum, format));
    row->weight = 1;
    row->height = promise->height;
    row->bound = isfinite(row->computed) ? promise->bound_if_finite : promise->bound;
    row->probabilistic_bound =
        isgreater(promise->probabilistic_bound, row->bound) ? row->bound : promise->probabilistic_bound;
    row->class = classify(exact, format, row->computed);
    const struct judged judged = {.exact = exact, .format = format, .computed = row->computed, .bound = row->bound};
    for (int m = 0; m < METRICS; m++) {
        row->metrics[m] = metric_table[m].measure(&judged);
        row->means[m] = NAN;
    }
}
