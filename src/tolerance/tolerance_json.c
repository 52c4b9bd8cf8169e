/* For scripts: schema ulpscope-tolerance/1. */
#include "tolerance.h"

#include "reports/json_builder.h"

static json_t *faults_json(const struct tolerance *tolerance, const struct tolerance_line *line)
{
    json_t *object = json_object();
    for (size_t f = 0; f < tolerance->trials.fault_count; f++)
        json_put(
            object, tolerance->trials.faults[f].fault->id,
            json_pack("{s:s, s:I}", "fate", tolerance_fate(tolerance, line, f), "passed", (json_int_t)line->passes[f]));
    return object;
}

static json_t *line_json(const struct tolerance *tolerance, const struct tolerance_line *line)
{
    json_t *object = json_object();
    json_put(object, "kind", json_text(tolerance_kinds[line->kind]));
    json_put(object, "name", json_text(line->name));
    json_put(object, "no_claim", line->no_claim ? json_text(line->no_claim) : json_null());
    if (line->no_claim)
        return object;
    json_put(object, "rtol", json_number(line->pair.relative));
    json_put(object, "atol", json_number(line->pair.absolute));
    json_put(object, "zeros_pass", json_count(line->zeros));
    json_put(object, "correct_fails", json_count(line->refused));
    json_put(object, "faults", faults_json(tolerance, line));
    return object;
}

static json_t *written_json(const struct tolerance *tolerance)
{
    if (!tolerance->written)
        return json_null();
    json_t *object = line_json(tolerance, tolerance->written), *paste = json_object();
    char *text;
    for (size_t i = 0; i < TOLERANCE_PASTES; i++)
        if ((text = tolerance_paste(tolerance, i)))
            json_put(paste, tolerance_paste_names[i], json_taken(text));
    json_put(object, "paste", paste);
    json_put(object, "proved", json_boolean(tolerance->written->kind == TOLERANCE_THEOREM));
    return object;
}

enum status tolerance_write_json(const struct tolerance *tolerance, const char *path)
{
    const struct tolerance_request *const request = tolerance->request;
    json_t *object = json_object(), *lines = json_array();
    for (size_t i = 0; i < tolerance->line_count; i++)
        json_append(lines, line_json(tolerance, &tolerance->lines[i]));
    json_put(object, "schema", json_text("ulpscope-tolerance/1"));
    json_put(object, "operation", json_text(request->word));
    json_put(object, "formats", json_text(request->formats->id));
    json_put(object, "n", json_count(request->n));
    json_put(object, "data", request->spec ? json_text(request->spec->text) : json_null());
    json_put(object, "seed", json_count(request->seed));
    json_put(object, "trials", json_count(request->trials));
    json_put(object, "results", json_count(tolerance->trials.count));
    json_put(object, "results_with_faults", json_count(tolerance->trials.faulted));
    json_put(object, "sum_abs", json_number(tolerance->class.sum_abs));
    json_put(object, "condition", json_number(tolerance->class.condition));
    json_put(object, "relative", json_boolean(tolerance->is_relative));
    json_put(object, "no_claim", tolerance->no_claim ? json_text(tolerance->no_claim) : json_null());
    json_put(object, "lines", lines);
    json_put(object, "not_written", tolerance->not_written ? json_text(tolerance->not_written) : json_null());
    json_put(object, "write", written_json(tolerance));
    return json_write(object, 2, path);
}
