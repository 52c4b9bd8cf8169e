/* A bench for scripts: schema ulpscope-bench/2, described in docs/bench.md. */
#include "bench.h"

#include "src/base/fp.h"
#include "src/store/provenance.h"

#include "reports/json_builder.h"

static json_t *times_json(struct json_builder *builder, const struct bench_line *line)
{
    json_t *object = json_object(), *times = json_array();
    for (uint64_t round = 0; round < line->rounds; round++)
        json_append(builder, times, json_number(line->times[round]));
    json_put(builder, object, "min", json_number(line->time.min));
    json_put(builder, object, "median", json_number(line->time.p50));
    json_put(builder, object, "p90", json_number(line->time.p90));
    json_put(builder, object, "rounds", times);
    return object;
}

/* Each different outcome: the bits of its rows. */
static json_t *outcomes_json(struct json_builder *builder, const struct bench_line *line)
{
    json_t *outcomes = json_array();
    for (size_t i = 0; i < line->outcome_count; i++) {
        json_t *rows = json_array();
        for (uint32_t r = 0; r < line->rows; r++)
            json_append(builder, rows, json_bits(line->method->format, line->outcomes[i * line->rows + r]));
        json_append(builder, outcomes, rows);
    }
    return outcomes;
}

static void put_method(struct json_builder *builder, json_t *object, const struct bench_line *line)
{
    static const char *const words[] = {
        [NOT_COMPARED] = "not compared", [SAME_AS_REPLAY] = "same", [UNLIKE_REPLAY] = "differ"};
    if (line->method->replay) /* a black box has a launch of its own */
        json_put(builder, object, "launch", json_launch(builder, line->launch));
    json_put(builder, object, "max_ulp_error", json_number(line->ulp_error));
    json_put(builder, object, "max_ulp_error_hex", json_hex(line->ulp_error));
    json_put(builder, object, "outcomes", outcomes_json(builder, line));
    json_put(builder, object, "replay", json_text(words[line->bits]));
    if (line->baseline) {
        json_put(builder, object, "baseline", json_text(line->baseline->method->id));
        json_put(builder, object, "share_of_baseline", json_number(bench_share(line, line->baseline)));
    }
}

static json_t *line_json(struct json_builder *builder, const struct bench_line *line)
{
    json_t *object = json_object();
    json_put(builder, object, "method", json_text(line->method ? line->method->id : "copy"));
    json_put(builder, object, "n", json_count(line->n));
    json_put(builder, object, "rows", json_count(line->rows));
    json_put(builder, object, "bytes", json_count(line->bytes));
    json_put(builder, object, "microseconds", times_json(builder, line));
    json_put(builder, object, "gigabytes_per_second", json_number(bench_rate(line)));
    json_put(builder, object, "share_of_copy", json_number(bench_share(line, line->copy)));
    json_put(builder, object, "selected", json_boolean(!line->hidden));
    if (line->method)
        put_method(builder, object, line);
    return object;
}

struct facts {
    struct json_builder *builder;
    json_t *object;
};

static enum status put_fact(void *context, const char *topic, const char *name, const char *value)
{
    const struct facts *facts = context;
    json_put_fact(facts->builder, facts->object, topic, name, value);
    return OK;
}

static json_t *bench_json(struct json_builder *builder, const struct bench *bench, const struct bench_results *results,
                          const char *command_line)
{
    json_t *object = json_object(), *lines = json_array(), *data = json_object();
    const struct facts facts = {builder, json_object()};
    for (size_t i = 0; i < results->count; i++)
        json_append(builder, lines, line_json(builder, results->lines[i]));
    if (provenance_each(bench->study, bench->device, command_line, put_fact, (void *)(uintptr_t)&facts) != OK)
        builder->failed = true;
    json_put(builder, data, "spec", json_text(results->data));
    json_put(builder, data, "period", json_count(results->period));
    json_put(builder, data, "seed", json_count(bench->study->seed));
    json_put(builder, object, "schema", json_text("ulpscope-bench/2"));
    json_put(builder, object, "provenance", facts.object);
    json_put(builder, object, "data", data);
    json_put(builder, object, "backend", json_text(bench->device ? "cuda" : "replay"));
    json_put(builder, object, "device", json_text(bench->device ? device_facts(bench->device)->name : "host"));
    json_put(builder, object, "jobs", json_count(bench->jobs));
    json_put(builder, object, "rounds", json_count(bench->study->repeats));
    json_put(builder, object, "lines", lines);
    json_put(builder, object, "lines_planned", json_count(results->planned));
    json_put(builder, object, "complete", json_boolean(results->count == results->planned));
    return object;
}

enum status bench_write_json(const struct bench *bench, const struct bench_results *results, const char *command_line,
                             const char *path)
{
    struct json_builder builder = {false};
    json_t *object = bench_json(&builder, bench, results, command_line);
    return json_write(&builder, object, 2, path);
}
