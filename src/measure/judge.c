#include "judge.h"

#include "src/base/format.h"

#include <math.h>

struct promise promise_of(const struct method *method, struct launch launch, const struct exact_sum *exact)
{
    const struct magnitudes magnitudes = {exact->abs_above, exact->sum_abs_above, exact->max_abs};
    return (struct promise){
        .height = method->height ? method_height(method, exact->n, launch) : 0,
        .bound = method_bound(method, exact->n, launch, &magnitudes),
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
    row->bound = promise->bound;
    row->probabilistic_bound = promise->probabilistic_bound;
    row->class = classify(exact, format, row->computed);
    const struct judged judged = {.exact = exact, .format = format, .computed = row->computed, .bound = row->bound};
    for (int m = 0; m < METRICS; m++) {
        row->metrics[m] = metric_table[m].measure(&judged);
        row->means[m] = NAN;
    }
}
