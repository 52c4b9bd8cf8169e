/* json: run.json, for scripts.  docs/analysing.md describes every field, schemas/ has them for programs. */
#include "kernels/operation_word.h"
#include "reports/axes/axis_matrix.h"
#include "reports/comparison/comparison.h"
#include "reports/incomplete.h"
#include "reports/statistic.h"

static json_t *spec_json(const void *thing)
{
    return json_text(((const struct spec_record *)thing)->text);
}

static json_t *entry_json(const void *thing)
{
    const struct entry_record *entry = thing;
    return json_of({"text", json_text(entry->text)}, {"specs", json_list(entry->specs, entry->spec_count, spec_json)},
                   {"trials", json_count(entry->trials)}, {"permuted", json_boolean(entry->permuted)},
                   {"attacked", json_boolean(entry->spec_count > 0 && entry->specs[0].attacked)});
}

static json_t *id_json(const void *thing)
{
    return json_text(((const struct method_record *)thing)->id);
}

static json_t *launch_json(const void *thing)
{
    return json_launch(*(const struct launch *)thing);
}

static json_t *method_json(const void *thing)
{
    const struct method_record *method = thing;
    char word[OPERATION_WORD_SIZE];
    json_t *object =
        json_of({"id", json_text(method->id)}, {"accumulator", json_text(method->accumulator)},
                {"order", json_text(method->order)}, {"accumulator_claim", json_text(method->accumulator_claim)},
                {"order_claim", json_text(method->order_claim)});
    const struct sum_format *formats = sum_format_of_method(method->id);
    json_add(object, {"stored", json_text(formats ? formats->stored->name : "")},
             {"added", json_text(formats ? formats->added->name : "")}, {"format", json_text(method->format->name)},
             {"operation", json_text(operation_word(method->id, method->operation, word))},
             {"deterministic", json_boolean(method->determinism == DETERMINISTIC)},
             {"is_black_box", json_boolean(method->is_black_box)});
    return object;
}

static json_t *axes_json(uint32_t axes)
{
    json_t *array = json_array();
    for (int axis = 0; axis < AXES; axis++)
        if (axes >> axis & 1)
            json_append(array, json_text(axis_table[axis].id));
    return array;
}

static json_t *study_json(const struct study_record *study)
{
    return json_of(
        {"methods", json_list(study->methods, study->method_count, id_json)},
        {"method_details", json_list(study->methods, study->method_count, method_json)},
        {"text", json_text(study->text)}, {"launches", json_list(study->launches, study->launch_count, launch_json)},
        {"data", json_list(study->entries, study->entry_count, entry_json)}, {"seed", json_count(study->seed)},
        {"repeats", json_count(study->repeats)}, {"across", axes_json(study->across)});
}

static json_t *provenance_json(const struct results *results)
{
    json_t *object = json_object();
    for (size_t i = 0; i < results->fact_count; i++)
        json_put_fact(object, results->facts[i].topic, results->facts[i].name, results->facts[i].value);
    return object;
}

static json_t *metrics_json(void)
{
    json_t *object = json_object();
    for (int m = 0; m < METRICS; m++) {
        json_put(object, metric_table[m].id,
                 json_of({"unit", json_text(metric_table[m].unit)}, {"meaning", json_text(metric_table[m].meaning)}));
    }
    return object;
}

static json_t *statistics_json(const struct statistics *statistics)
{
    json_t *object = json_object(), *exactly = json_object();
    for (enum statistic i = 0; i < STATISTICS; i++) {
        json_put(object, statistic_name(i), json_number(statistic_value(statistics, i)));
        json_put(exactly, statistic_name(i), json_hex(statistic_value(statistics, i)));
    }
    json_put(object, "hex", exactly);
    return object;
}

static json_t *histogram_json(const struct histogram *histogram)
{
    json_t *bins = json_array();
    for (int k = HISTOGRAM_LEAST; k < 0; k++) {
        if (histogram->bin[k - HISTOGRAM_LEAST] == 0)
            continue;
        json_append(bins, json_of({"binade", json_integer(k)}, {"low", json_hex(ldexp(1, k))},
                                  {"count", json_count(histogram->bin[k - HISTOGRAM_LEAST])}));
    }
    return json_of({"bins", bins}, {"exact", json_count(histogram->exact)},
                   {"no_digit", json_count(histogram->no_digit)}, {"nonfinite", json_count(histogram->nonfinite)},
                   {"undefined", json_count(histogram->undefined)}, {"total", json_count(histogram_total(histogram))});
}

static json_t *witness_json(const struct series *series)
{
    json_t *object =
        json_of({"trial", json_count(series->worst_trial)}, {"repeat", json_count(series->worst_repeat)},
                {"bits", json_bits(series->format, series->worst_bits)}, {"exact", json_text(series->worst_exact)},
                json_both("ulp_error", series->worst_ulp_error), {"command", json_text(series->worst_command)});
    if (series->worst_index)
        json_put(object, "index", json_text(series->worst_index));
    if (series->map)
        json_add(object, {"i", json_count(series->worst_i)}, {"j", json_count(series->worst_j)});
    if (series->witness_command)
        json_put(object, "vectors", json_text(series->witness_command));
    return object;
}

static json_t *series_json(const void *thing)
{
    const struct series *series = thing;
    char word[OPERATION_WORD_SIZE];
    json_t *object = json_object(), *classes = json_object(), *statistics = json_object();
    for (int c = 0; c < CLASSES; c++)
        json_put(classes, class_names[c], json_count(series->classes[c]));
    for (int m = 0; m < METRICS; m++)
        if (metric_table[m].summarised)
            json_put(statistics, metric_table[m].id, statistics_json(&series->statistics[m]));
    json_add(object, {"entry", json_count(series->entry)}, {"method", json_text(series->method)},
             {"format", json_text(series->format->name)},
             {"operation", json_text(operation_word(series->method, series->operation, word))},
             {"data", json_text(series->data)}, {"n", json_count(series->n)},
             {"backend", json_text(series->backend->id)}, {"device", json_text(series->device)},
             {"launch", json_launch(series->launch)}, {"count", json_count(series->count)}, {"classes", classes},
             {"statistics", statistics}, {"histogram", histogram_json(&series->histogram)});
    if (series->map)
        json_put(object, "map", json_text(series->map));
    if (series->first_of_no_digit > 0)
        json_put(object, "first_of_no_digit", json_count(series->first_of_no_digit));
    json_add(object, {"distinct_bits", json_count(series->distinct_bits)},
             json_both("median_condition", series->median_condition),
             {"right_nonfinite", json_count(series->right_nonfinite)}, {"height", json_count(series->height)},
             json_both("relative_bound", series->relative_bound),
             json_both("relative_probable_bound", series->relative_probabilistic_bound),
             {"bits_sha256", json_text(series->bits_hash)}, {"witness", witness_json(series)});
    return object;
}

static json_t *speed_json(const void *thing)
{
    const struct speed *speed = thing;
    return json_of({"method", json_text(speed->method)}, {"backend", json_text(speed->backend->id)},
                   {"launch", json_launch(speed->launch)}, {"n", json_count(speed->n)},
                   {"rounds", json_count(speed->rounds)}, json_both("nanoseconds_per_element", speed->nanoseconds),
                   json_both("nanoseconds_per_element_median", speed->median),
                   json_both("gigabytes_per_second", speed->gigabytes));
}

static json_t *spread_json(const struct spread *spread)
{
    return json_of({"sets", json_count(spread->sets)}, {"differing", json_count(spread->differing)},
                   {"most", json_count(spread->most)});
}

/* Of methods some of whose data were summed more than once. */
static json_t *reproducibility_json(const struct results *results)
{
    json_t *array = json_array();
    for (size_t i = 0; i < results->reproducibility_count; i++) {
        const struct reproducibility *found = &results->reproducibility[i];
        if (found->repeats.sets + found->launches.sets + found->permutations.sets == 0)
            continue;
        json_append(array,
                    json_of({"method", json_text(found->method)}, {"backend", json_text(found->backend->id)},
                            {"repeats", spread_json(&found->repeats)}, {"launches", spread_json(&found->launches)},
                            {"permutations", spread_json(&found->permutations)}));
    }
    return array;
}

static json_t *variation_json(const void *thing)
{
    const struct varied_axis *varied = thing;
    const struct format *bits = axis_format_of_bits(varied);
    return json_of({"axis", json_text(axis_table[varied->axis].id)}, {"entry", json_count(varied->entry)},
                   {"method", json_text(varied->method)}, {"data", json_text(varied->data)},
                   {"backend", json_text(varied->backend->id)}, {"launch", json_launch(varied->launch)},
                   {"variants", json_count(varied->variants)}, {"results", json_count(varied->results)},
                   json_both("spread_ulp", varied->spread), {"first", json_text(varied->first)},
                   {"base_bits", json_bits(bits, varied->base)}, {"bits", json_bits(bits, varied->bits)},
                   {"why", json_text(varied->why)}, {"command", json_text(varied->command)});
}

static json_t *run_json(const struct results *results)
{
    const uint64_t asked = results->study.cases;
    return json_of({"all_measured", json_boolean(results->cases >= asked)}, {"schema", json_text("ulpscope-run/2")},
                   {"title", json_text(results->study.title)}, {"study", study_json(&results->study)},
                   {"provenance", provenance_json(results)}, {"metrics", metrics_json()},
                   {"series", json_list(results->series, results->series_count, series_json)},
                   {"speeds", json_list(results->speeds, results->speed_count, speed_json)},
                   {"reproducibility", reproducibility_json(results)},
                   {"variations", json_list(results->variations, results->variation_count, variation_json)},
                   {"cases", json_of({"measured", json_count(results->cases)}, {"asked", json_count(asked)})});
}

/* Every run as it is alone, and what the others differ in from the first. */
static enum status write_runs(const struct report *report, const char *path)
{
    json_t *object = json_object(), *runs = json_array(), *comparisons = json_array();
    enum status status = OK;
    for (size_t r = 0; r < report->run_count; r++)
        json_append(runs, run_json(&report->runs[r]));
    for (size_t r = 1; r < report->run_count && status == OK; r++) {
        json_t *comparison = NULL;
        status = comparison_json(report, r, &comparison);
        if (status == OK)
            json_append(comparisons, comparison);
    }
    json_add(object, {"all_measured", json_boolean(!report_is_incomplete(report))},
             {"schema", json_text("ulpscope-comparison/2")}, {"runs", runs}, {"comparisons", comparisons});
    if (status == OK)
        return json_write(object, 1, path);
    json_decref(object);
    return status;
}

static enum status write_run(const struct report *report, const char *path)
{
    return report->run_count > 1 ? write_runs(report, path) : json_write(run_json(&report->runs[0]), 1, path);
}

const struct report_format report_json = {
    .id = "json",
    .option = "json",
    .file_name = "run.json",
    .summary = "everything for scripts: series, histograms, worst cases, provenance",
    .write = write_run,
};
