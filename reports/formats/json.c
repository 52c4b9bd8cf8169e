/* json: run.json, for scripts.  docs/run-json.md describes every field. */
#include "../../src/number.h"
#include "../../src/output.h"
#include "../clean_text.h"
#include "../report.h"
#include "../statistic.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* Anything that fails here fails for want of memory: it is remembered, and said once. */
struct builder {
    bool failed;
};

static void put(struct builder *builder, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        builder->failed = true;
}

static void append(struct builder *builder, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        builder->failed = true;
}

/* A name may be any bytes; JSON is UTF-8. */
static json_t *text(const char *value)
{
    json_t *string = json_string(value);
    char *clean = string ? NULL : clean_text(value);
    if (clean)
        string = json_string(clean);
    free(clean);
    return string;
}

static json_t *count(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *bits(uint32_t value)
{
    return json_sprintf("0x%08x", value);
}

/* JSON has no infinity and no NaN: they are strings, as in the CSV. */
static json_t *number(double value)
{
    char special[NUMBER_TEXT];
    if (isfinite(value))
        return json_real(value);
    write_double(value, special);
    return json_string(special);
}

static json_t *hex(double value)
{
    char special[NUMBER_TEXT];
    if (isfinite(value))
        return json_sprintf("%a", value);
    write_double(value, special);
    return json_string(special);
}

static json_t *launch_json(struct builder *builder, struct launch launch)
{
    json_t *object = json_object();
    put(builder, object, "blocks", count(launch.blocks));
    put(builder, object, "threads", count(launch.threads));
    return object;
}

static json_t *entry_json(struct builder *builder, const struct study_entry *entry)
{
    json_t *object = json_object(), *specs = json_array();
    for (size_t i = 0; i < entry->spec_count; i++)
        append(builder, specs, text(entry->specs[i].text));
    put(builder, object, "text", text(entry->text));
    put(builder, object, "specs", specs);
    put(builder, object, "trials", count(entry->trials));
    return object;
}

static json_t *study_json(struct builder *builder, const struct study *study)
{
    json_t *object = json_object(), *methods = json_array(), *launches = json_array(), *data = json_array();
    for (size_t i = 0; i < study->method_count; i++)
        append(builder, methods, text(study->methods[i]->id));
    for (size_t i = 0; i < study->launch_count; i++)
        append(builder, launches, launch_json(builder, study->launches[i]));
    for (size_t i = 0; i < study->entry_count; i++)
        append(builder, data, entry_json(builder, &study->entries[i]));
    put(builder, object, "methods", methods);
    put(builder, object, "launches", launches);
    put(builder, object, "data", data);
    put(builder, object, "seed", count(study->seed));
    put(builder, object, "repeats", count(study->repeats));
    return object;
}

static json_t *provenance_json(struct builder *builder, const struct results *results)
{
    json_t *object = json_object();
    for (size_t i = 0; i < results->fact_count; i++) {
        const struct provenance_fact *fact = &results->facts[i];
        if (!json_object_get(object, fact->topic))
            put(builder, object, fact->topic, json_object());
        put(builder, json_object_get(object, fact->topic), fact->name, text(fact->value));
    }
    return object;
}

static json_t *metrics_json(struct builder *builder)
{
    json_t *object = json_object();
    for (int m = 0; m < METRICS; m++) {
        json_t *metric = json_object();
        put(builder, metric, "unit", text(metric_table[m].unit));
        put(builder, metric, "meaning", text(metric_table[m].meaning));
        put(builder, object, metric_table[m].id, metric);
    }
    return object;
}

static json_t *statistics_json(struct builder *builder, const struct statistics *statistics)
{
    json_t *object = json_object(), *exactly = json_object();
    for (enum statistic i = 0; i < STATISTICS; i++) {
        put(builder, object, statistic_name(i), number(statistic_value(statistics, i)));
        put(builder, exactly, statistic_name(i), hex(statistic_value(statistics, i)));
    }
    put(builder, object, "hex", exactly);
    return object;
}

static json_t *histogram_json(struct builder *builder, const struct histogram *histogram)
{
    json_t *object = json_object(), *bins = json_array();
    for (int k = HISTOGRAM_LEAST; k < 0; k++) {
        if (histogram->bin[k - HISTOGRAM_LEAST] == 0)
            continue;
        json_t *bin = json_object();
        put(builder, bin, "binade", json_integer(k));
        put(builder, bin, "low", hex(ldexp(1, k)));
        put(builder, bin, "count", count(histogram->bin[k - HISTOGRAM_LEAST]));
        append(builder, bins, bin);
    }
    put(builder, object, "bins", bins);
    put(builder, object, "exact", count(histogram->exact));
    put(builder, object, "no_digit", count(histogram->no_digit));
    put(builder, object, "nonfinite", count(histogram->nonfinite));
    put(builder, object, "undefined", count(histogram->undefined));
    put(builder, object, "total", count(histogram_total(histogram)));
    return object;
}

static json_t *witness_json(struct builder *builder, const struct series *series)
{
    json_t *object = json_object();
    put(builder, object, "trial", count(series->worst_trial));
    put(builder, object, "repeat", count(series->worst_repeat));
    put(builder, object, "bits", bits(series->worst_bits));
    put(builder, object, "exact", series->worst_exact ? text(series->worst_exact) : json_null());
    put(builder, object, "ulp_error", number(series->worst_ulp_error));
    put(builder, object, "ulp_error_hex", hex(series->worst_ulp_error));
    put(builder, object, "command", series->worst_command ? text(series->worst_command) : json_null());
    return object;
}

static json_t *series_json(struct builder *builder, const struct series *series)
{
    json_t *object = json_object(), *classes = json_object(), *statistics = json_object();
    for (int c = 0; c < CLASSES; c++)
        put(builder, classes, class_names[c], count(series->classes[c]));
    for (int m = 0; m < METRICS; m++)
        if (metric_table[m].summarised)
            put(builder, statistics, metric_table[m].id, statistics_json(builder, &series->statistics[m]));
    put(builder, object, "entry", count(series->entry));
    put(builder, object, "method", text(series->method));
    put(builder, object, "data", text(series->data));
    put(builder, object, "n", count(series->n));
    put(builder, object, "backend", text(series->backend));
    put(builder, object, "device", text(series->device));
    put(builder, object, "launch", launch_json(builder, series->launch));
    put(builder, object, "count", count(series->count));
    put(builder, object, "classes", classes);
    put(builder, object, "statistics", statistics);
    put(builder, object, "histogram", histogram_json(builder, &series->histogram));
    put(builder, object, "distinct_bits", count(series->distinct_bits));
    put(builder, object, "median_condition", number(series->median_condition));
    put(builder, object, "median_condition_hex", hex(series->median_condition));
    put(builder, object, "witness", witness_json(builder, series));
    return object;
}

static json_t *run_json(struct builder *builder, const struct results *results)
{
    json_t *object = json_object(), *series = json_array();
    for (size_t i = 0; i < results->series_count; i++)
        append(builder, series, series_json(builder, &results->series[i]));
    put(builder, object, "schema", text("ulpscope-run/1"));
    put(builder, object, "title", text(results->study->title ? results->study->title : ""));
    put(builder, object, "study", study_json(builder, results->study));
    put(builder, object, "provenance", provenance_json(builder, results));
    put(builder, object, "metrics", metrics_json(builder));
    put(builder, object, "series", series);
    return object;
}

/* 17 significant digits read back to the same binary64; jansson writes no shorter ones. */
static enum status json_write(const struct results *results, const char *path)
{
    enum status status = OK;
    struct builder builder = {false};
    struct output out;
    json_t *run = run_json(&builder, results);
    if (builder.failed || !run)
        status = out_of_memory("a report");
    else
        status = output_open(&out, path);
    if (status == OK) {
        const int failed = json_dumpf(run, out.file, JSON_INDENT(1) | JSON_SORT_KEYS);
        fputc('\n', out.file);
        if (failed && !ferror(out.file)) { /* not the disk, which output_close knows of */
            output_discard(&out);
            status = out_of_memory("a report");
        } else {
            status = output_close(&out);
        }
    }
    json_decref(run);
    return status;
}

const struct report_format report_json = {
    .id = "json",
    .option = "json",
    .file_name = "run.json",
    .summary = "everything for scripts: series, histograms, worst cases, provenance",
    .write = json_write,
};
