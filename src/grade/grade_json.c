/* For scripts: schema ulpscope-grade/1. */
#include "grade.h"

#include "reports/json_builder.h"

#include <math.h>

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
    json_t *object = json_object();
    json_put(object, "sample", json_count(element->sample));
    json_put(object, "row", json_count(element->i));
    json_put(object, "column", json_count(element->j));
    json_put_number(object, "computed", element->computed);
    json_put_number(object, "nearest", element->nearest);
    json_put_number(object, "error", element->ratio);
    return object;
}

static json_t *json_size(const struct grade_size *size)
{
    json_t *object = json_object();
    json_put(object, "n", json_count(size->n));
    if (size->refused) {
        json_put(object, "refused", json_text(size->refused));
        return object;
    }
    json_put(object, "judged", json_count(size->judged));
    json_put(object, "broken", json_count(size->broken));
    json_put(object, "not_zero", json_count(size->not_zero));
    json_put(object, "rounded", json_count(size->rounded));
    json_put(object, "toward_0", json_count(size->toward_0));
    json_put_number(object, "limit", size->limit);
    json_put(object, "worst", json_element(&size->worst));
    return object;
}

static json_t *json_test(const struct grade_test *test, size_t size_count)
{
    json_t *object = json_object(), *sizes = json_array();
    for (size_t s = 0; s < size_count; s++)
        json_append(sizes, json_size(&test->sizes[s]));
    json_put(object, "test", json_text(test->family->id));
    json_put(object, "told", json_boolean(test->told));
    json_put(object, "failed", json_ways(test->failed));
    json_put(object, "sizes", sizes);
    return object;
}

static json_t *json_growth(const struct grade_test *growth)
{
    json_t *object = json_object();
    json_put_number(object, "slope", growth->slope);
    json_put(object, "rounded", json_count(growth->rounded));
    json_put(object, "toward_0", json_count(growth->toward_0));
    return object;
}

enum status grade_write_json(const struct grade *grade, const char *path)
{
    const struct grade_request *const request = grade->request;
    json_t *object = json_object(), *tests = json_array();
    for (int t = 0; t < GRADE_TESTS; t++)
        json_append(tests, json_test(&grade->tests[t], grade->size_count));
    json_put(object, "schema", json_text("ulpscope-grade/1"));
    json_put(object, "method", json_text(request->graded->name));
    json_put(object, "format", json_text(request->graded->formats->id));
    json_put(object, "computed_by", json_text(request->graded->device ? request->graded->by : "host"));
    json_put_number(object, "u", ldexp(1, -graded_precision(request->graded->formats)));
    json_put(object, "seed", json_count(request->seed));
    json_put(object, "samples", json_count(request->samples));
    json_put(object, "passed", json_boolean(grade_passed(grade)));
    json_put(object, "conclusion", json_text(grade_conclusion(grade)));
    json_put(object, "tests", tests);
    json_put(object, "growth", json_growth(&grade->tests[GROWTH]));
    return json_write(object, 2, path);
}
