/* An explanation for scripts: schema ulpscope-explain/1, described in docs/explain.md. */
#include "explain.h"

#include "join_text.h"
#include "reports/json_builder.h"

static json_t *method_json(const struct two_sums *two, int m)
{
    const struct measured *judged = &two->judged[m];
    return json_of({"method", json_text(two->additions[m].method->id)}, json_both("sum", two->sums[m]),
                   {"bits", json_bits(two->additions[m].method->format, judged->computed_bits)},
                   json_both("ulp_error", judged->metrics[METRIC_ulp_error]), json_both("bound", judged->bound),
                   json_both("bound_ratio", judged->metrics[METRIC_bound_ratio]),
                   json_both("last_rounding", two->additions[m].last_rounding));
}

/* ---- where they part ---- */

static json_t *elements_json(const struct sum_tree *tree, uint32_t node)
{
    struct text text = {0};
    join_elements(tree, node, &text);
    return json_taken(text_take(&text));
}

static json_t *parted_json(const struct two_sums *two, int m, const struct parted_join *join)
{
    const struct additions *of = &two->additions[m];
    const struct tape_node *joined = &of->tree.joined[join->node - 1];
    json_t *object =
        json_of({"left", elements_json(&of->tree, joined->left ? joined->left : join->node)},
                {"right", elements_json(&of->tree, joined->right)}, json_both("value", of->value[join->node]));
    if (of->rest)
        json_put_number(object, "value_rest", of->rest[join->node]);
    json_add(object, json_both("error", of->error[join->node]), {"why", json_text(join->same ? "value" : "order")},
             {"other", json_taken(explain_parted(two, m, join))});
    return object;
}

static json_t *side_json(const struct two_sums *two, int m)
{
    const struct parting_side *side = &two->parting.side[m];
    json_t *object = json_object(), *first = json_array();
    json_add(object, {"joins", json_count(side->joins)}, {"shared", json_count(side->shared)},
             {"same_elements", json_count(side->same_elements)}, {"parted", json_count(side->parted)},
             {"parted_by_order", json_count(side->parted_by_order)});
    for (uint64_t i = 0; i < side->shown; i++)
        json_append(first, parted_json(two, m, &side->first[i]));
    json_put(object, "first", first);
    return object;
}

/* Both methods on the same numbers. */
static void put_two(json_t *object, const struct two_sums *two)
{
    json_t *methods = json_array(), *sides = json_array();
    for (int m = 0; m < 2; m++) {
        json_append(methods, method_json(two, m));
        json_append(sides, side_json(two, m));
    }
    json_add(object, {"methods", methods}, {"exact", json_exact(&two->exact)}, {"differ", json_boolean(two->differ)},
             {"nearer", two->nearer < 0 ? json_null() : json_integer(two->nearer)},
             json_both("difference_ulp", two->difference_ulp));
    json_put(object, "parting",
             json_of({"class", json_text(explain_class(&two->parting))},
                     {"same_tree", json_boolean(two->parting.same_tree)},
                     {"same_accumulator", json_boolean(two->parting.same_accumulator)}, {"methods", sides}));
}

/* ---- the witness ---- */

static json_t *numbers_json(const struct shrunken *witness)
{
    json_t *numbers = json_array();
    for (uint64_t i = 0; i < witness->n; i++) {
        json_t *number =
            json_of({"index", json_count(witness->index[i])}, {"was", json_hex(witness->was[i * witness->width])},
                    json_both("x", witness->x[i * witness->width]));
        if (witness->width > 1) {
            json_add(number, {"y_was", json_hex(witness->was[i * witness->width + 1])},
                     json_both("y", witness->x[i * witness->width + 1]));
        }
        json_append(numbers, number);
    }
    return json_of({"n", json_count(witness->n)}, {"minimal", json_boolean(witness->minimal)}, {"numbers", numbers});
}

static void put_witness(json_t *object, const struct explanation *explanation, const struct explain_names *names)
{
    json_put(object, "subset", numbers_json(&explanation->subset));
    json_t *witness = numbers_json(&explanation->witness);
    put_two(witness, &explanation->reduced);
    if (names->witness) {
        json_add(witness, {"file", json_text(names->witness)},
                 {"command", json_taken(explain_command(explanation, names->witness))});
    }
    json_put(object, "witness", witness);
    json_put(object, "effort",
             json_of({"evaluations", json_count(explanation->evaluations)},
                     {"additions", json_count(explanation->additions)}, {"gave_up", json_boolean(explanation->spent)}));
}

enum status explain_write_json(const struct explanation *explanation, const struct explain_names *names,
                               const char *path)
{
    json_t *object = json_of(
        {"schema", json_text("ulpscope-explain/1")}, {"data", json_text(names->data)},
        {"n", json_count(explanation->request.n)}, {"launch", json_launch(explanation->request.launch)},
        {"verdict", json_taken(explain_verdict(explanation))}, {"cause", json_taken(explain_cause(explanation))});
    put_two(object, &explanation->data);
    if (explanation->data.differ)
        put_witness(object, explanation, names);
    return json_write(object, 2, path);
}
