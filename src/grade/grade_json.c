/* For scripts: schema ulpscope-grade/1. */
#include "grade.h"

#include "reports/json_builder.h"

static json_t *json_ways(unsigned failed)
{
    static const char *const ways[] = {"limit", "slope", "sign"};
    json_t *array = json_array();
    for (unsigned way = 0; way < sizeof ways / sizeof *ways; way++)
        if (failed >> way & 1)
            json_append(array, json_text(ways[way]));
    return array;
}

static json_t *json_element(const struct grade_element *element)
{
    return json_of({"sample", json_count(element->sample)}, {"row", json_count(element->i)},
                   {"column", json_count(element->j)}, json_both("computed", element->computed),
                   json_both("nearest", element->nearest), json_both("error", element->ratio));
}

static json_t *json_size(const void *thing)
{
    const struct grade_size *size = thing;
    json_t *object = json_of({"n", json_count(size->n)});
    if (size->refused) {
        json_put(object, "refused", json_text(size->refused));
        return object;
    }
    json_add(object, {"judged", json_count(size->judged)}, {"broken", json_count(size->broken)},
             {"not_zero", json_count(size->not_zero)}, {"rounded", json_count(size->rounded)},
             {"toward_0", json_count(size->toward_0)}, json_both("limit", size->limit),
             {"worst", json_element(&size->worst)});
    return object;
}

static json_t *json_test(const struct grade_test *test, size_t size_count)
{
    return json_of({"test", json_text(test->family->id)}, {"told", json_boolean(test->told)},
                   {"failed", json_ways(test->failed)}, {"sizes", json_list(test->sizes, size_count, json_size)});
}

enum status grade_write_json(const struct grade *grade, const char *path)
{
    const struct grade_request *const request = grade->request;
    const struct grade_test *growth = &grade->tests[GROWTH];
    json_t *object = json_object(), *tests = json_array();
    for (int t = 0; t < GRADE_TESTS; t++)
        json_append(tests, json_test(&grade->tests[t], grade->size_count));
    json_add(object, {"schema", json_text("ulpscope-grade/1")}, {"method", json_text(request->graded->name)},
             {"format", json_text(request->graded->formats->id)},
             {"computed_by", json_text(request->graded->device ? request->graded->by : "host")},
             json_both("u", ldexp(1, -graded_precision(request->graded->formats))), {"seed", json_count(request->seed)},
             {"samples", json_count(request->samples)}, {"passed", json_boolean(grade_passed(grade))},
             {"conclusion", json_text(grade_conclusion(grade))}, {"tests", tests},
             {"growth", json_of(json_both("slope", growth->slope), {"rounded", json_count(growth->rounded)},
                                {"toward_0", json_count(growth->toward_0)})});
    return json_write(object, 2, path);
}
