/* json: run.json, for scripts.  docs/run-json.md describes every field, schemas/ has them for programs. */
#include "reports/comparison/comparison_json.h"
#include "reports/incomplete.h"
#include "reports/json_builder.h"
#include "reports/report.h"
#include "reports/statistic.h"

#include <math.h>

static json_t *entry_json(struct json_builder *builder, const struct entry_record *entry)
{
    json_t *object = json_object(), *specs = json_array();
    for (size_t i = 0; i < entry->spec_count; i++)
        json_append(builder, specs, json_text(entry->specs[i].text));
    json_put(builder, object, "text", json_text(entry->text));
    json_put(builder, object, "specs", specs);
    json_put(builder, object, "trials", json_count(entry->trials));
    json_put(builder, object, "permuted", json_boolean(entry->permuted));
    return object;
}

static json_t *method_json(struct json_builder *builder, const struct method_record *method)
{
    json_t *object = json_object();
    json_put(builder, object, "id", json_text(method->id));
    json_put(builder, object, "accumulator", json_text(method->accumulator));
    json_put(builder, object, "order", json_text(method->order));
    json_put(builder, object, "accumulator_claim", json_text(method->accumulator_claim));
    json_put(builder, object, "order_claim", json_text(method->order_claim));
    json_put(builder, object, "format", json_text(method->format->name));
    json_put(builder, object, "operation", json_text(operation_names[method->operation]));
    json_put(builder, object, "deterministic", json_boolean(method->determinism == DETERMINISTIC));
    json_put(builder, object, "is_black_box", json_boolean(method->is_black_box));
    return object;
}

static json_t *study_json(struct json_builder *builder, const struct study_record *study)
{
    json_t *object = json_object(), *methods = json_array(), *launches = json_array(), *data = json_array(),
           *details = json_array();
    for (size_t i = 0; i < study->method_count; i++) {
        json_append(builder, methods, json_text(study->methods[i].id));
        json_append(builder, details, method_json(builder, &study->methods[i]));
    }
    for (size_t i = 0; i < study->launch_count; i++)
        json_append(builder, launches, json_launch(builder, study->launches[i]));
    for (size_t i = 0; i < study->entry_count; i++)
        json_append(builder, data, entry_json(builder, &study->entries[i]));
    json_put(builder, object, "methods", methods);
    json_put(builder, object, "method_details", details);
    json_put(builder, object, "text", json_text(study->text));
    json_put(builder, object, "launches", launches);
    json_put(builder, object, "data", data);
    json_put(builder, object, "seed", json_count(study->seed));
    json_put(builder, object, "repeats", json_count(study->repeats));
    return object;
}

static json_t *provenance_json(struct json_builder *builder, const struct results *results)
{
    json_t *object = json_object();
    for (size_t i = 0; i < results->fact_count; i++)
        json_put_fact(builder, object, results->facts[i].topic, results->facts[i].name, results->facts[i].value);
    return object;
}

static json_t *metrics_json(struct json_builder *builder)
{
    json_t *object = json_object();
    for (int m = 0; m < METRICS; m++) {
        json_t *metric = json_object();
        json_put(builder, metric, "unit", json_text(metric_table[m].unit));
        json_put(builder, metric, "meaning", json_text(metric_table[m].meaning));
        json_put(builder, object, metric_table[m].id, metric);
    }
    return object;
}

static json_t *statistics_json(struct json_builder *builder, const struct statistics *statistics)
{
    json_t *object = json_object(), *exactly = json_object();
    for (enum statistic i = 0; i < STATISTICS; i++) {
        json_put(builder, object, statistic_name(i), json_number(statistic_value(statistics, i)));
        json_put(builder, exactly, statistic_name(i), json_hex(statistic_value(statistics, i)));
    }
    json_put(builder, object, "hex", exactly);
    return object;
}

static json_t *histogram_json(struct json_builder *builder, const struct histogram *histogram)
{
    json_t *object = json_object(), *bins = json_array();
    for (int k = HISTOGRAM_LEAST; k < 0; k++) {
        if (histogram->bin[k - HISTOGRAM_LEAST] == 0)
            continue;
        json_t *bin = json_object();
        json_put(builder, bin, "binade", json_integer(k));
        json_put(builder, bin, "low", json_hex(ldexp(1, k)));
        json_put(builder, bin, "count", json_count(histogram->bin[k - HISTOGRAM_LEAST]));
        json_append(builder, bins, bin);
    }
    json_put(builder, object, "bins", bins);
    json_put(builder, object, "exact", json_count(histogram->exact));
    json_put(builder, object, "no_digit", json_count(histogram->no_digit));
    json_put(builder, object, "nonfinite", json_count(histogram->nonfinite));
    json_put(builder, object, "undefined", json_count(histogram->undefined));
    json_put(builder, object, "total", json_count(histogram_total(histogram)));
    return object;
}

static json_t *witness_json(struct json_builder *builder, const struct series *series)
{
    json_t *object = json_object();
    json_put(builder, object, "trial", json_count(series->worst_trial));
    json_put(builder, object, "repeat", json_count(series->worst_repeat));
    json_put(builder, object, "bits", json_bits(series->format, series->worst_bits));
    json_put(builder, object, "exact", series->worst_exact ? json_text(series->worst_exact) : json_null());
    json_put_number(builder, object, "ulp_error", series->worst_ulp_error);
    json_put(builder, object, "command", series->worst_command ? json_text(series->worst_command) : json_null());
    return object;
}

static json_t *series_json(struct json_builder *builder, const struct series *series)
{
    json_t *object = json_object(), *classes = json_object(), *statistics = json_object();
    for (int c = 0; c < CLASSES; c++)
        json_put(builder, classes, class_names[c], json_count(series->classes[c]));
    for (int m = 0; m < METRICS; m++)
        if (metric_table[m].summarised)
            json_put(builder, statistics, metric_table[m].id, statistics_json(builder, &series->statistics[m]));
    json_put(builder, object, "entry", json_count(series->entry));
    json_put(builder, object, "method", json_text(series->method));
    json_put(builder, object, "format", json_text(series->format->name));
    json_put(builder, object, "operation", json_text(operation_names[series->operation]));
    json_put(builder, object, "data", json_text(series->data));
    json_put(builder, object, "n", json_count(series->n));
    json_put(builder, object, "backend", json_text(series->backend->id));
    json_put(builder, object, "device", json_text(series->device));
    json_put(builder, object, "launch", json_launch(builder, series->launch));
    json_put(builder, object, "count", json_count(series->count));
    json_put(builder, object, "classes", classes);
    json_put(builder, object, "statistics", statistics);
    json_put(builder, object, "histogram", histogram_json(builder, &series->histogram));
    json_put(builder, object, "distinct_bits", json_count(series->distinct_bits));
    json_put_number(builder, object, "median_condition", series->median_condition);
    json_put(builder, object, "right_nonfinite", json_count(series->right_nonfinite));
    json_put(builder, object, "height", json_count(series->height));
    json_put_number(builder, object, "relative_bound", series->relative_bound);
    json_put_number(builder, object, "relative_probable_bound", series->relative_probabilistic_bound);
    json_put(builder, object, "bits_sha256", json_text(series->bits_hash));
    json_put(builder, object, "witness", witness_json(builder, series));
    return object;
}

static json_t *speeds_json(struct json_builder *builder, const struct results *results)
{
    json_t *array = json_array();
    for (size_t i = 0; i < results->speed_count; i++) {
        const struct speed *speed = &results->speeds[i];
        json_t *object = json_object();
        json_put(builder, object, "method", json_text(speed->method));
        json_put(builder, object, "backend", json_text(speed->backend->id));
        json_put(builder, object, "launch", json_launch(builder, speed->launch));
        json_put(builder, object, "n", json_count(speed->n));
        json_put(builder, object, "rounds", json_count(speed->rounds));
        json_put_number(builder, object, "nanoseconds_per_element", speed->nanoseconds);
        json_put_number(builder, object, "nanoseconds_per_element_median", speed->median);
        json_put_number(builder, object, "gigabytes_per_second", speed->gigabytes);
        json_append(builder, array, object);
    }
    return array;
}

static json_t *spread_json(struct json_builder *builder, const struct spread *spread)
{
    json_t *object = json_object();
    json_put(builder, object, "sets", json_count(spread->sets));
    json_put(builder, object, "differing", json_count(spread->differing));
    json_put(builder, object, "most", json_count(spread->most));
    return object;
}

/* Of methods some of whose data were summed more than once. */
static json_t *reproducibility_json(struct json_builder *builder, const struct results *results)
{
    json_t *array = json_array();
    for (size_t i = 0; i < results->reproducibility_count; i++) {
        const struct reproducibility *found = &results->reproducibility[i];
        if (found->repeats.sets + found->launches.sets + found->permutations.sets == 0)
            continue;
        json_t *object = json_object();
        json_put(builder, object, "method", json_text(found->method));
        json_put(builder, object, "backend", json_text(found->backend->id));
        json_put(builder, object, "repeats", spread_json(builder, &found->repeats));
        json_put(builder, object, "launches", spread_json(builder, &found->launches));
        json_put(builder, object, "permutations", spread_json(builder, &found->permutations));
        json_append(builder, array, object);
    }
    return array;
}

static json_t *cases_json(struct json_builder *builder, const struct results *results)
{
    json_t *object = json_object();
    json_put(builder, object, "measured", json_count(results->cases));
    json_put(builder, object, "asked", json_count(results->study.cases));
    return object;
}

static json_t *run_json(struct json_builder *builder, const struct results *results)
{
    json_t *object = json_object(), *series = json_array();
    for (size_t i = 0; i < results->series_count; i++)
        json_append(builder, series, series_json(builder, &results->series[i]));
    json_put(builder, object, "all_measured", json_boolean(results->cases >= results->study.cases));
    json_put(builder, object, "schema", json_text("ulpscope-run/2"));
    json_put(builder, object, "title", json_text(results->study.title));
    json_put(builder, object, "study", study_json(builder, &results->study));
    json_put(builder, object, "provenance", provenance_json(builder, results));
    json_put(builder, object, "metrics", metrics_json(builder));
    json_put(builder, object, "series", series);
    json_put(builder, object, "speeds", speeds_json(builder, results));
    json_put(builder, object, "reproducibility", reproducibility_json(builder, results));
    json_put(builder, object, "cases", cases_json(builder, results));
    return object;
}

/* Every run as it is alone, and what the others differ in from the first. */
static enum status write_runs(const struct report *report, const char *path)
{
    struct json_builder builder = {false};
    json_t *object = json_object(), *runs = json_array(), *comparisons = json_array();
    enum status status = OK;
    for (size_t r = 0; r < report->run_count; r++)
        json_append(&builder, runs, run_json(&builder, &report->runs[r]));
    for (size_t r = 1; r < report->run_count && status == OK; r++) {
        json_t *comparison = NULL;
        status = comparison_json(&builder, report, r, &comparison);
        if (status == OK)
            json_append(&builder, comparisons, comparison);
    }
    json_put(&builder, object, "all_measured", json_boolean(!report_is_incomplete(report)));
    json_put(&builder, object, "schema", json_text("ulpscope-comparison/2"));
    json_put(&builder, object, "runs", runs);
    json_put(&builder, object, "comparisons", comparisons);
    if (status == OK)
        return json_write(&builder, object, 1, path);
    json_decref(object);
    return status;
}

static enum status write_run(const struct report *report, const char *path)
{
    if (report->run_count > 1)
        return write_runs(report, path);
    const struct results *results = &report->runs[0];
    struct json_builder builder = {false};
    json_t *run = run_json(&builder, results);
    return json_write(&builder, run, 1, path);
}

const struct report_format report_json = {
    .id = "json",
    .option = "json",
    .file_name = "run.json",
    .summary = "everything for scripts: series, histograms, worst cases, provenance",
    .write = write_run,
};
