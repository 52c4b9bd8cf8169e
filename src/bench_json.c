/* A bench for scripts: schema ulpscope-bench/1, described in docs/bench.md. */
#include "bench.h"

#include "fp.h"
#include "number.h"
#include "output.h"
#include "provenance.h"

#include "../reports/clean_text.h"

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
    char *clean = clean_text(value);
    json_t *string = clean ? json_string(clean) : NULL;
    free(clean);
    return string;
}

static json_t *count(uint64_t value)
{
    return json_integer((json_int_t)value);
}

/* JSON has no infinity and no NaN: strings. */
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
    char written[NUMBER_TEXT];
    write_hex(value, written);
    return json_string(written);
}

static json_t *times_json(struct builder *builder, const struct bench_line *line, uint64_t rounds)
{
    json_t *object = json_object(), *times = json_array();
    for (uint64_t round = 0; round < rounds; round++)
        append(builder, times, number(line->times[round]));
    put(builder, object, "min", number(line->time.min));
    put(builder, object, "median", number(line->time.p50));
    put(builder, object, "p90", number(line->time.p90));
    put(builder, object, "rounds", times);
    return object;
}

/* Each different outcome: the bits of its rows. */
static json_t *outcomes_json(struct builder *builder, const struct bench_line *line)
{
    json_t *outcomes = json_array();
    for (size_t i = 0; i < line->outcome_count; i++) {
        json_t *rows = json_array();
        for (uint32_t r = 0; r < line->rows; r++)
            append(builder, rows, json_sprintf("0x%08x", float_bits(line->outcomes[i * line->rows + r])));
        append(builder, outcomes, rows);
    }
    return outcomes;
}

static json_t *launch_json(struct builder *builder, struct launch launch)
{
    json_t *object = json_object();
    put(builder, object, "blocks", count(launch.blocks));
    put(builder, object, "threads", count(launch.threads));
    return object;
}

static void put_method(struct builder *builder, json_t *object, const struct bench_line *line)
{
    static const char *const words[] = {
        [NOT_COMPARED] = "not compared", [SAME_AS_REPLAY] = "same", [UNLIKE_REPLAY] = "differ"};
    if (line->method->replay) /* a black box has a launch of its own */
        put(builder, object, "launch", launch_json(builder, line->launch));
    put(builder, object, "max_ulp_error", number(line->ulp_error));
    put(builder, object, "max_ulp_error_hex", hex(line->ulp_error));
    put(builder, object, "outcomes", outcomes_json(builder, line));
    put(builder, object, "replay", text(words[line->bits]));
    if (line->baseline) {
        put(builder, object, "baseline", text(line->baseline->method->id));
        put(builder, object, "share_of_baseline", number(bench_share(line, line->baseline)));
    }
}

static json_t *line_json(struct builder *builder, const struct bench_line *line, uint64_t rounds)
{
    json_t *object = json_object();
    put(builder, object, "method", text(line->method ? line->method->id : "copy"));
    put(builder, object, "n", count(line->n));
    put(builder, object, "rows", count(line->rows));
    put(builder, object, "bytes", count(line->bytes));
    put(builder, object, "microseconds", times_json(builder, line, rounds));
    put(builder, object, "gigabytes_per_second", number(bench_rate(line)));
    put(builder, object, "share_of_copy", number(bench_share(line, line->copy)));
    put(builder, object, "selected", json_boolean(!line->hidden));
    if (line->method)
        put_method(builder, object, line);
    return object;
}

struct facts {
    struct builder *builder;
    json_t *object;
};

static enum status put_fact(void *context, const char *topic, const char *name, const char *value)
{
    const struct facts *facts = context;
    if (!json_object_get(facts->object, topic))
        put(facts->builder, facts->object, topic, json_object());
    put(facts->builder, json_object_get(facts->object, topic), name, text(value));
    return OK;
}

static json_t *bench_json(struct builder *builder, const struct bench *bench, const struct bench_results *results,
                          const char *command_line)
{
    json_t *object = json_object(), *lines = json_array(), *data = json_object();
    const struct facts facts = {builder, json_object()};
    for (size_t i = 0; i < results->count; i++)
        append(builder, lines, line_json(builder, results->lines[i], bench->study->repeats));
    if (provenance_each(bench->study, bench->device, command_line, put_fact, (void *)(uintptr_t)&facts) != OK)
        builder->failed = true;
    put(builder, data, "spec", text(results->data));
    put(builder, data, "period", count(results->period));
    put(builder, data, "seed", count(bench->study->seed));
    put(builder, object, "schema", text("ulpscope-bench/1"));
    put(builder, object, "provenance", facts.object);
    put(builder, object, "data", data);
    put(builder, object, "backend", text(bench->device ? "cuda" : "replay"));
    put(builder, object, "device", text(bench->device ? device_facts(bench->device)->name : "host"));
    put(builder, object, "jobs", count(bench->jobs));
    put(builder, object, "rounds", count(bench->study->repeats));
    put(builder, object, "lines", lines);
    return object;
}

enum status bench_write_json(const struct bench *bench, const struct bench_results *results, const char *command_line,
                             const char *path)
{
    struct builder builder = {false};
    struct output out;
    json_t *object = bench_json(&builder, bench, results, command_line);
    enum status status = builder.failed || !object ? out_of_memory("the JSON object") : output_open(&out, path);
    if (status == OK) {
        json_dumpf(object, out.file, JSON_SORT_KEYS | JSON_INDENT(2));
        fputc('\n', out.file);
        status = output_close(&out);
    }
    json_decref(object);
    return status;
}
