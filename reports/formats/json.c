/* json: run.json, for scripts.  docs/run-json.md describes every field. */
#include "../json_builder.h"
#include "../report.h"
#include "../statistic.h"

#include <math.h>

static json_t *entry_json(struct json_builder *builder, const struct entry_record *entry)
{
    json_t *object = json_object(), *specs = json_array();
    for (size_t i = 0; i < entry->spec_count; i++)
        json_append(builder, specs, json_text(entry->specs[i].text));
    json_put(builder, object, "text", json_text(entry->text));
    json_put(builder, object, "specs", specs);
    json_put(builder, object, "trials", json_count(entry->trials));
    return object;
}

static json_t *study_json(struct json_builder *builder, const struct study_record *study)
{
    json_t *object = json_object(), *methods = json_array(), *launches = json_array(), *data = json_array();
    for (size_t i = 0; i < study->method_count; i++)
        json_append(builder, methods, json_text(study->methods[i].id));
    for (size_t i = 0; i < study->launch_count; i++)
        json_append(builder, launches, json_launch(builder, study->launches[i]));
    for (size_t i = 0; i < study->entry_count; i++)
        json_append(builder, data, entry_json(builder, &study->entries[i]));
    json_put(builder, object, "methods", methods);
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
    json_put(builder, object, "bits", json_bits(series->worst_bits));
    json_put(builder, object, "exact", series->worst_exact ? json_text(series->worst_exact) : json_null());
    json_put(builder, object, "ulp_error", json_number(series->worst_ulp_error));
    json_put(builder, object, "ulp_error_hex", json_hex(series->worst_ulp_error));
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
    json_put(builder, object, "data", json_text(series->data));
    json_put(builder, object, "n", json_count(series->n));
    json_put(builder, object, "backend", json_text(series->backend));
    json_put(builder, object, "device", json_text(series->device));
    json_put(builder, object, "launch", json_launch(builder, series->launch));
    json_put(builder, object, "count", json_count(series->count));
    json_put(builder, object, "classes", classes);
    json_put(builder, object, "statistics", statistics);
    json_put(builder, object, "histogram", histogram_json(builder, &series->histogram));
    json_put(builder, object, "distinct_bits", json_count(series->distinct_bits));
    json_put(builder, object, "median_condition", json_number(series->median_condition));
    json_put(builder, object, "median_condition_hex", json_hex(series->median_condition));
    json_put(builder, object, "witness", witness_json(builder, series));
    return object;
}

static json_t *run_json(struct json_builder *builder, const struct results *results)
{
    json_t *object = json_object(), *series = json_array();
    for (size_t i = 0; i < results->series_count; i++)
        json_append(builder, series, series_json(builder, &results->series[i]));
    json_put(builder, object, "schema", json_text("ulpscope-run/1"));
    json_put(builder, object, "title", json_text(results->study.title));
    json_put(builder, object, "study", study_json(builder, &results->study));
    json_put(builder, object, "provenance", provenance_json(builder, results));
    json_put(builder, object, "metrics", metrics_json(builder));
    json_put(builder, object, "series", series);
    return object;
}

static enum status write_run(const struct report *report, const char *path)
{
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
