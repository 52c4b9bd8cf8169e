/* For scripts: schema ulpscope-arithmetic/1. */
#include "arithmetic_page.h"

#include "reports/json_builder.h"

/* Of the models that are left, each number once. */
static json_t *json_values(const struct arithmetic_answer *answer, enum shown shown)
{
    json_t *array = json_array();
    for (size_t m = 0; m < answer->left_count; m++) {
        bool is_new = true;
        for (size_t i = 0; i < json_array_size(array); i++)
            is_new &= json_integer_value(json_array_get(array, i)) != arithmetic_value(&answer->left[m], shown);
        if (is_new)
            json_append(array, json_integer(arithmetic_value(&answer->left[m], shown)));
    }
    return array;
}

static json_t *json_sizes(const struct grouping *grouping)
{
    json_t *array = json_array();
    for (int level = 0; level < grouping->levels; level++)
        json_append(array, json_count(grouping->sizes[level]));
    return array;
}

static json_t *json_model(const struct arithmetic_answer *answer)
{
    const struct arithmetic *of = answer->left;
    char *row = arithmetic_row(answer);
    json_t *object = json_of(
        {"factors", json_text(arithmetic_inputs[of->input].words)}, {"terms", json_count(answer->grouping.sizes[0])},
        {"chained", json_boolean(answer->grouping.chained)}, {"fraction", json_values(answer, FRACTION)},
        {"alignment", json_text(way_words[of->alignment])}, {"normalised", json_boolean(of->normalised)},
        {"floor", json_values(answer, FLOOR)}, {"output", json_values(answer, OUTPUT)},
        {"rounding", json_text(way_words[of->rounding])}, {"register_bits", json_count((uint64_t)of->register_bits)},
        {"negative_zero", json_boolean(of->negative_zero)});
    if (row)
        json_put(object, "row", json_taken(row));
    return object;
}

static json_t *json_fresh(const struct arithmetic_answer *answer)
{
    json_t *array = json_array();
    for (int kind = 0; kind < FRESH_KINDS; kind++)
        json_append(array, json_of({"rows", json_text(fresh_words[kind])}, {"asked", json_count(answer->rows[kind])},
                                   {"held", json_count(answer->held[kind])}));
    return array;
}

enum status arithmetic_write_json(const struct graded *graded, const struct arithmetic_answer *answer, const char *path)
{
    json_t *object = json_of({"schema", json_text("ulpscope-arithmetic/1")}, {"method", json_text(graded->name)},
                             {"format", json_text(graded->formats->id)},
                             {"computed_by", json_text(graded->device ? graded->by : "host")},
                             {"k", json_count(answer->asked->terms)}, {"rows", json_count(answer->asked->rows)},
                             {"seed", json_count(answer->asked->seed)}, {"asked", json_count(answer->questions)},
                             {"passed", json_boolean(!answer->failed)});
    if (answer->failed)
        json_put(object, "failed", json_text(answer->failed));
    if (!answer->failed)
        json_put(object, "c", json_text(arithmetic_entry(answer)));
    if (answer->has_grouping) {
        json_put(object, "order", json_taken(arithmetic_order(answer)));
        json_put(object, "groups", json_sizes(&answer->grouping));
        json_put(object, "groups_of_half", json_sizes(&answer->half));
    }
    if (answer->left_count > 0)
        json_add(object, {"model", json_model(answer)}, {"fresh", json_fresh(answer)});
    return json_write(object, 2, path);
}
