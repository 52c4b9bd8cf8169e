/* A bench for scripts: schema ulpscope-bench/2, described in docs/bench.md. */
#include "bench.h"

#include "src/store/provenance.h"

#include "reports/json_builder.h"

static json_t *times_json(const struct bench_line *line)
{
    json_t *times = json_array();
    for (uint64_t round = 0; round < line->rounds; round++)
        json_append(times, json_number(line->times[round]));
    return json_of({"min", json_number(line->time.min)}, {"median", json_number(line->time.p50)},
                   {"p90", json_number(line->time.p90)}, {"rounds", times});
}

/* Each different outcome: the bits of its rows. */
static json_t *outcomes_json(const struct bench_line *line)
{
    json_t *outcomes = json_array();
    for (size_t i = 0; i < line->outcome_count; i++) {
        json_t *rows = json_array();
        for (uint32_t r = 0; r < line->rows; r++)
            json_append(rows, json_bits(line->method->format, line->outcomes[i * line->rows + r]));
        json_append(outcomes, rows);
    }
    return outcomes;
}

static void put_method(json_t *object, const struct bench_line *line)
{
    static const char *const words[] = {
        [NOT_COMPARED] = "not compared", [SAME_AS_REPLAY] = "same", [UNLIKE_REPLAY] = "differ"};
    if (line->method->replay) /* a black box has a launch of its own */
        json_put(object, "launch", json_launch(line->launch));
    json_add(object, {"max_ulp_error", json_number(line->ulp_error)}, {"max_ulp_error_hex", json_hex(line->ulp_error)},
             {"outcomes", outcomes_json(line)}, {"replay", json_text(words[line->bits])});
    if (line->baseline) {
        json_add(object, {"baseline", json_text(line->baseline->method->id)},
                 {"share_of_baseline", json_number(bench_share(line, line->baseline))});
    }
}

static json_t *line_json(const struct bench_line *line)
{
    json_t *object = json_of(
        {"method", json_text(line->method ? line->method->id : "copy")}, {"n", json_count(line->n)},
        {"rows", json_count(line->rows)}, {"bytes", json_count(line->bytes)}, {"microseconds", times_json(line)},
        {"gigabytes_per_second", json_number(bench_rate(line))},
        {"share_of_copy", json_number(bench_share(line, line->copy))}, {"selected", json_boolean(!line->hidden)});
    if (line->method)
        put_method(object, line);
    return object;
}

static enum status put_fact(void *context, const char *topic, const char *name, const char *value)
{
    json_put_fact(context, topic, name, value);
    return OK;
}

static json_t *bench_json(const struct bench *bench, const struct bench_results *results, json_t *facts)
{
    json_t *object = json_object(), *lines = json_array(),
           *data = json_of({"spec", json_text(results->data)}, {"period", json_count(results->period)},
                           {"seed", json_count(bench->study->seed)});
    for (size_t i = 0; i < results->count; i++)
        json_append(lines, line_json(results->lines[i]));
    json_add(object, {"schema", json_text("ulpscope-bench/2")}, {"provenance", facts}, {"data", data},
             {"backend", json_text(bench->device ? "cuda" : "replay")},
             {"device", json_text(bench->device ? device_facts(bench->device)->name : "host")});
    if (bench->device)
        json_put(object, "calls", json_text(bench->idle ? "idle" : "queued"));
    json_add(object, {"jobs", json_count(bench->jobs)}, {"rounds", json_count(bench->study->repeats)}, {"lines", lines},
             {"lines_planned", json_count(results->planned)},
             {"complete", json_boolean(results->count == results->planned)});
    return object;
}

enum status bench_write_json(const struct bench *bench, const struct bench_results *results, const char *command_line,
                             const char *path)
{
    json_t *facts = json_object();
    const enum status status = provenance_each(bench->study, bench->device, command_line, put_fact, facts);
    json_t *object = bench_json(bench, results, facts);
    if (status == OK)
        return json_write(object, 2, path);
    json_decref(object);
    return status;
}
