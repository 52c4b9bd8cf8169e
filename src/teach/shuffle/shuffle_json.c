/* For scripts: schema ulpscope-shuffle/1, described in docs/explain.md. */
#include "shuffle.h"

#include "reports/json_builder.h"

#include <math.h>

enum { BINS_MOST = 61 };

static json_t *sum_json(const struct format *format, const struct shuffled_sum *sum)
{
    return json_of(json_both("computed", sum->computed),
                   {"computed_bits", json_bits(format, format_bits(format, sum->computed))},
                   json_both("error", sum->error));
}

/* With the first of its orders. */
static json_t *order_json(const struct shuffled *shuffled, const struct shuffled_method *of, size_t i)
{
    const struct shuffled_sum *sum = &of->sums[i];
    json_t *object = sum_json(of->method->format, sum);
    json_add(object, {"count", json_count(sum->count)}, {"order", json_sprintf("shuffled:%" PRIu64, sum->order)},
             {"command", json_taken(witness_run(shuffled->request, of->method, sum->order))});
    return object;
}

static json_t *histogram_json(const struct shuffled_method *of)
{
    FREED_BY(error_bins_free) struct error_bins bins = {0};
    double least, most;
    if (!error_range(of, &least, &most))
        return json_null();
    error_bins_make(of, error_bins_width(least, most, BINS_MOST), &bins);
    json_t *counts = json_array();
    for (size_t i = 0; i < bins.count; i++)
        json_append(counts, json_count(bins.counts[i]));
    return json_of({"first_middle", json_number(bins.first * bins.width)}, {"width", json_number(bins.width)},
                   {"counts", counts});
}

static json_t *method_json(const struct shuffled *shuffled, size_t m)
{
    const struct shuffled_method *of = &shuffled->methods[m];
    size_t least = 0, most = of->distinct - 1; /* of the finite errors, where there are any */
    while (of->finite > 0 && !isfinite(of->sums[least].error))
        least++;
    while (of->finite > 0 && !isfinite(of->sums[most].error))
        most--;
    return json_of(
        {"method", json_text(of->method->id)}, {"distinct", json_count(of->distinct)},
        {"finite", json_count(of->finite)}, {"overflowed", json_count(of->overflowed)},
        {"least", sum_json(of->method->format, &of->sums[least])},
        {"most", sum_json(of->method->format, &of->sums[most])}, {"given", sum_json(of->method->format, &of->given)},
        {"commonest", order_json(shuffled, of, of->commonest)}, {"best", order_json(shuffled, of, of->best)},
        {"worst", order_json(shuffled, of, of->worst)}, json_both("spread", of->spread), json_both("mean", of->mean),
        json_both("deviation", of->deviation),
        {"theory", json_of(json_both("bound", of->theory.bound), json_both("probable_bound", of->theory.probable))},
        {"histogram", histogram_json(of)});
}

static json_t *exact_json(const struct exact_sum *exact)
{
    return json_of({"sum", json_taken(exact_hex(exact->sum))}, json_both("nearest", exact->nearest),
                   json_both("condition", exact->condition));
}

enum status shuffled_write_json(const struct shuffled *shuffled, const char *path)
{
    const struct shuffle_request *request = shuffled->request;
    json_t *methods = json_array();
    for (size_t m = 0; m < request->method_count; m++)
        json_append(methods, method_json(shuffled, m));
    return json_write(json_of({"schema", json_text("ulpscope-shuffle/1")}, {"data", json_text(request->spec->text)},
                              {"n", json_count(shuffled->exact.n)}, {"seed", json_count(request->seed)},
                              {"trial", json_count(request->trial)}, {"first", json_count(request->first)},
                              {"permutations", json_count(request->permutations)},
                              {"launch", json_launch(request->launch)}, {"exact", exact_json(&shuffled->exact)},
                              {"unit", json_hex(shuffled->unit)},
                              {"unit_is", json_text(shuffled->unit_is_of_s ? "ulp of s" : "ulp of the largest |x|")},
                              {"all_equal", json_boolean(shuffled->all_equal)}, {"methods", methods}),
                      2, path);
}
