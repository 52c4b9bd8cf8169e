/* For scripts: schema ulpscope-shuffle/1, described in docs/explain.md. */
#include "error_bins.h"
#include "order_model.h"
#include "shuffle.h"
#include "witness.h"

#include "reports/json_builder.h"
#include "src/base/format.h"

#include <inttypes.h>
#include <math.h>

enum { BINS_MOST = 61 };

static json_t *sum_json(const struct format *format, const struct shuffled_sum *sum)
{
    json_t *object = json_object();
    json_put_number(object, "computed", sum->computed);
    json_put(object, "computed_bits", json_bits(format, format_bits(format, sum->computed)));
    json_put_number(object, "error", sum->error);
    return object;
}

/* With the first of its orders. */
static json_t *order_json(const struct shuffled *shuffled, const struct shuffled_method *of, size_t i)
{
    const struct shuffled_sum *sum = &of->sums[i];
    json_t *object = sum_json(of->method->format, sum);
    json_put(object, "count", json_count(sum->count));
    json_put(object, "order", json_sprintf("shuffled:%" PRIu64, sum->order));
    json_put(object, "command", json_taken(witness_run(shuffled->request, of->method, sum->order)));
    return object;
}

static json_t *histogram_json(const struct shuffled_method *of)
{
    FREED_BY(error_bins_free) struct error_bins bins = {0};
    double least, most;
    if (!error_range(of, &least, &most))
        return json_null();
    error_bins_make(of, error_bins_width(least, most, BINS_MOST), &bins);
    json_t *object = json_object(), *counts = json_array();
    for (size_t i = 0; i < bins.count; i++)
        json_append(counts, json_count(bins.counts[i]));
    json_put(object, "first_middle", json_number(bins.first * bins.width));
    json_put(object, "width", json_number(bins.width));
    json_put(object, "counts", counts);
    return object;
}

static json_t *theory_json(const struct shuffle_theory *theory)
{
    json_t *object = json_object();
    json_put_number(object, "bound", theory->bound);
    json_put_number(object, "probable_bound", theory->probable);
    json_put_number(object, "model_mean", theory->mean);
    json_put_number(object, "model_deviation", theory->sigma);
    return object;
}

static json_t *method_json(const struct shuffled *shuffled, size_t m)
{
    const struct shuffled_method *of = &shuffled->methods[m];
    json_t *object = json_object();
    size_t least = 0, most = of->distinct - 1; /* of the finite errors, where there are any */
    while (of->finite > 0 && !isfinite(of->sums[least].error))
        least++;
    while (of->finite > 0 && !isfinite(of->sums[most].error))
        most--;
    json_put(object, "method", json_text(of->method->id));
    json_put(object, "distinct", json_count(of->distinct));
    json_put(object, "finite", json_count(of->finite));
    json_put(object, "overflowed", json_count(of->overflowed));
    json_put(object, "least", sum_json(of->method->format, &of->sums[least]));
    json_put(object, "most", sum_json(of->method->format, &of->sums[most]));
    json_put(object, "given", sum_json(of->method->format, &of->given));
    json_put(object, "commonest", order_json(shuffled, of, of->commonest));
    json_put(object, "best", order_json(shuffled, of, of->best));
    json_put(object, "worst", order_json(shuffled, of, of->worst));
    json_put_number(object, "spread", of->spread);
    json_put_number(object, "mean", of->mean);
    json_put_number(object, "deviation", of->deviation);
    json_put(object, "theory", theory_json(&of->theory));
    json_put(object, "histogram", histogram_json(of));
    return object;
}

static json_t *exact_json(const struct exact_sum *exact)
{
    json_t *object = json_object();
    json_put(object, "sum", json_taken(exact_hex(exact->sum)));
    json_put_number(object, "nearest", exact->nearest);
    json_put_number(object, "condition", exact->condition);
    return object;
}

enum status shuffled_write_json(const struct shuffled *shuffled, const char *path)
{
    const struct shuffle_request *request = shuffled->request;
    json_t *object = json_object(), *methods = json_array();
    for (size_t m = 0; m < request->method_count; m++)
        json_append(methods, method_json(shuffled, m));
    json_put(object, "schema", json_text("ulpscope-shuffle/1"));
    json_put(object, "data", json_text(request->spec->text));
    json_put(object, "n", json_count(shuffled->exact.n));
    json_put(object, "seed", json_count(request->seed));
    json_put(object, "trial", json_count(request->trial));
    json_put(object, "first", json_count(request->first));
    json_put(object, "permutations", json_count(request->permutations));
    json_put(object, "model_permutations", json_count(order_model_samples(request, shuffled->exact.n)));
    json_put(object, "launch", json_launch(request->launch));
    json_put(object, "exact", exact_json(&shuffled->exact));
    json_put(object, "unit", json_hex(shuffled->unit));
    json_put(object, "unit_is", json_text(shuffled->unit_is_of_s ? "ulp of s" : "ulp of the largest |x|"));
    json_put(object, "all_equal", json_boolean(shuffled->all_equal));
    json_put(object, "methods", methods);
    return json_write(object, 2, path);
}
