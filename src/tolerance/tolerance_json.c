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
    json_t *object = json_of({"kind", json_text(tolerance_kinds[line->kind])}, {"name", json_text(line->name)},
                             {"no_claim", json_text(line->no_claim)});
    if (!line->no_claim)
        json_add(object, {"rtol", json_number(line->pair.relative)}, {"atol", json_number(line->pair.absolute)},
                 {"zeros_pass", json_count(line->zeros)}, {"correct_fails", json_count(line->refused)},
                 {"faults", faults_json(tolerance, line)});
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
    return json_add(object, {"paste", paste}, {"proved", json_boolean(tolerance->written->kind == TOLERANCE_THEOREM)});
}

static json_t *class_json(const struct tolerance *tolerance)
{
    struct moments of = tolerance->class.moments;
    json_t *array = json_array();
    for (size_t m = 0; m < TOLERANCE_MOMENTS && is_statistic(tolerance->request->operation); m++)
        if (!isnan(*tolerance_moment(&of, m)))
            json_append(array, json_of({"of", json_text(tolerance_moments[m].name)},
                                       {"at_least", json_boolean(tolerance_moments[m].is_below)},
                                       {"value", json_number(*tolerance_moment(&of, m))}));
    return array;
}

enum status tolerance_write_json(const struct tolerance *tolerance, const char *path)
{
    const struct tolerance_request *const request = tolerance->request;
    json_t *object = json_object(), *lines = json_array();
    for (size_t i = 0; i < tolerance->line_count; i++)
        json_append(lines, line_json(tolerance, &tolerance->lines[i]));
    json_add(object, {"schema", json_text("ulpscope-tolerance/1")}, {"operation", json_text(request->word)},
             {"formats", json_text(request->formats->id)}, {"n", json_count(request->n)},
             {"data", json_text(request->spec ? request->spec->text : NULL)}, {"seed", json_count(request->seed)},
             {"trials", json_count(request->trials)}, {"results", json_count(tolerance->trials.count)},
             {"results_with_faults", json_count(tolerance->trials.faulted)},
             {"sum_abs", json_number(tolerance->class.sum_abs)}, {"condition", json_number(tolerance->class.condition)},
             {"class", class_json(tolerance)}, {"relative", json_boolean(tolerance->is_relative)},
             {"no_claim", json_text(tolerance->no_claim)}, {"lines", lines},
             {"not_written", json_text(tolerance->not_written)}, {"write", written_json(tolerance)});
    return json_write(object, 2, path);
}
