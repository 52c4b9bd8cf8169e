/* Attacks for scripts: schema ulpscope-attack/1, described in docs/attack.md. */
#include "attack_result.h"

#include "reports/json_builder.h"
#include "src/files/output.h"

static json_t *judged_json(const struct method *method, const struct measured *judged)
{
    json_t *object =
        json_of({"method", json_text(method->id)}, json_both("sum", judged->computed),
                {"bits", json_bits(method->format, judged->computed_bits)}, json_both("bound", judged->bound));
    for (int m = 0; m < METRICS; m++)
        json_put_number(object, metric_table[m].id, judged->metrics[m]);
    return object;
}

static json_t *steps_json(const struct attack_find *find)
{
    json_t *array = json_array();
    for (size_t s = 0; s < find->step_count; s++) {
        json_append(array, json_of({"calls", json_count(find->steps[s].calls)},
                                   json_both("value", find->steps[s].value), {"by", json_text(find->steps[s].by)}));
    }
    return array;
}

static json_t *numbers_json(const struct format *format, const void *x, uint64_t n)
{
    json_t *array = json_array();
    for (uint64_t i = 0; i < n; i++)
        json_append(array, json_hex(held_number(format, x, i)));
    return array;
}

static json_t *witness_json(const struct attack_result *attacked)
{
    const struct shrunken *witness = &attacked->witness;
    json_t *numbers = json_array();
    for (uint64_t i = 0; i < witness->n; i++)
        json_append(numbers, json_hex(witness->x[i]));
    return json_of({"n", json_count(witness->n)}, {"minimal", json_boolean(witness->minimal)}, {"numbers", numbers},
                   {"exact", json_exact(&attacked->core.exact)},
                   {"judged", judged_json(attacked->request.method, &attacked->core.judged)},
                   {"evaluations", json_count(attacked->evaluations)});
}

static json_t *attack_result_json(const struct attack_result *attacked, const struct attack_result_names *names)
{
    static const char *const climbs[] = {[ATTACK_BOUND] = "bound", [ATTACK_ULP] = "ulp"};
    const struct attack_request *request = &attacked->request;
    json_t *object = json_object();
    json_add(object, {"method", json_text(request->method->id)}, {"launch", json_launch(request->launch)},
             {"format", json_text(attacked->find.format->name)}, {"n", json_count(request->n)},
             {"seed", json_count(request->seed)}, {"budget", json_count(request->calls)},
             {"calls", json_count(attacked->find.calls)}, {"climbs", json_text(climbs[request->climbs])},
             json_both("value", attack_result_value(attacked)), {"crashed", json_boolean(attacked->find.has_crashed)},
             {"exact", json_exact(&attacked->sum.exact)});
    if (!attacked->find.has_crashed)
        json_put(object, "judged", judged_json(request->method, &attacked->sum.judged));
    json_put(object, "numbers", numbers_json(attacked->find.format, attacked->find.x, attacked->find.n));
    json_put(object, "steps", steps_json(&attacked->find));
    if (attacked->witness.n > 0)
        json_put(object, "witness", witness_json(attacked));
    if (names->data && !output_is_stdout(names->data))
        json_put(object, "rerun", json_taken(attack_result_rerun(attacked, names, names->data)));
    return object;
}

enum status attack_result_write_json(const struct attack_result *attacked, const struct attack_result_names *names,
                                     const char *path)
{
    json_t *attacks = json_array();
    json_append(attacks, attack_result_json(attacked, names));
    return json_write(json_of({"schema", json_text("ulpscope-attack/1")}, {"command", json_text(names->command)},
                              {"attacks", attacks}),
                      2, path);
}
