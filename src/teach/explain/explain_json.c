/* An explanation for scripts: schema ulpscope-explain/1, described in docs/explain.md. */
#include "explain_words.h"

#include "join_text.h"
#include "reports/json_builder.h"
#include "src/base/text.h"

static json_t *method_json(const struct two_sums *two, int m)
{
    const struct measured *judged = &two->judged[m];
    json_t *object = json_object();
    json_put(object, "method", json_text(two->additions[m].method->id));
    json_put_number(object, "sum", two->sums[m]);
    json_put(object, "bits", json_bits(two->additions[m].method->format, judged->computed_bits));
    json_put_number(object, "ulp_error", judged->metrics[METRIC_ulp_error]);
    json_put_number(object, "bound", judged->bound);
    json_put_number(object, "bound_ratio", judged->metrics[METRIC_bound_ratio]);
    json_put_number(object, "last_rounding", two->additions[m].last_rounding);
    return object;
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
    json_t *object = json_object();
    json_put(object, "left", elements_json(&of->tree, joined->left ? joined->left : join->node));
    json_put(object, "right", elements_json(&of->tree, joined->right));
    json_put_number(object, "value", of->value[join->node]);
    if (of->rest)
        json_put_number(object, "value_rest", of->rest[join->node]);
    json_put_number(object, "error", of->error[join->node]);
    json_put(object, "why", json_text(join->same ? "value" : "order"));
    json_put(object, "other", json_taken(explain_parted(two, m, join)));
    return object;
}

static json_t *side_json(const struct two_sums *two, int m)
{
    const struct parting_side *side = &two->parting.side[m];
    json_t *object = json_object(), *first = json_array();
    json_put(object, "joins", json_count(side->joins));
    json_put(object, "shared", json_count(side->shared));
    json_put(object, "same_elements", json_count(side->same_elements));
    json_put(object, "parted", json_count(side->parted));
    json_put(object, "parted_by_order", json_count(side->parted_by_order));
    for (uint64_t i = 0; i < side->shown; i++)
        json_append(first, parted_json(two, m, &side->first[i]));
    json_put(object, "first", first);
    return object;
}

/* Both methods on the same numbers. */
static void put_two(json_t *object, const struct two_sums *two)
{
    json_t *methods = json_array(), *parting = json_object(), *sides = json_array();
    for (int m = 0; m < 2; m++) {
        json_append(methods, method_json(two, m));
        json_append(sides, side_json(two, m));
    }
    json_put(object, "methods", methods);
    json_put(object, "exact", json_exact(&two->exact));
    json_put(object, "differ", json_boolean(two->differ));
    json_put(object, "nearer", two->nearer < 0 ? json_null() : json_integer(two->nearer));
    json_put_number(object, "difference_ulp", two->difference_ulp);
    json_put(parting, "class", json_text(explain_class(&two->parting)));
    json_put(parting, "same_tree", json_boolean(two->parting.same_tree));
    json_put(parting, "same_accumulator", json_boolean(two->parting.same_accumulator));
    json_put(parting, "methods", sides);
    json_put(object, "parting", parting);
}

/* ---- the witness ---- */

static json_t *numbers_json(const struct shrunken *witness)
{
    json_t *object = json_object(), *numbers = json_array();
    for (uint64_t i = 0; i < witness->n; i++) {
        json_t *number = json_object();
        json_put(number, "index", json_count(witness->index[i]));
        json_put(number, "was", json_hex(witness->was[i * witness->width]));
        json_put_number(number, "x", witness->x[i * witness->width]);
        if (witness->width > 1) {
            json_put(number, "y_was", json_hex(witness->was[i * witness->width + 1]));
            json_put_number(number, "y", witness->x[i * witness->width + 1]);
        }
        json_append(numbers, number);
    }
    json_put(object, "n", json_count(witness->n));
    json_put(object, "minimal", json_boolean(witness->minimal));
    json_put(object, "numbers", numbers);
    return object;
}

static void put_witness(json_t *object, const struct explanation *explanation, const struct explain_names *names)
{
    json_put(object, "subset", numbers_json(&explanation->subset));
    json_t *witness = numbers_json(&explanation->witness), *effort = json_object();
    put_two(witness, &explanation->reduced);
    if (names->witness) {
        json_put(witness, "file", json_text(names->witness));
        json_put(witness, "command", json_taken(explain_command(explanation, names->witness)));
    }
    json_put(object, "witness", witness);
    json_put(effort, "evaluations", json_count(explanation->evaluations));
    json_put(effort, "additions", json_count(explanation->additions));
    json_put(effort, "gave_up", json_boolean(explanation->spent));
    json_put(object, "effort", effort);
}

enum status explain_write_json(const struct explanation *explanation, const struct explain_names *names,
                               const char *path)
{
    json_t *object = json_object();
    json_put(object, "schema", json_text("ulpscope-explain/1"));
    json_put(object, "data", json_text(names->data));
    json_put(object, "n", json_count(explanation->request.n));
    json_put(object, "launch", json_launch(explanation->request.launch));
    json_put(object, "verdict", json_taken(explain_verdict(explanation)));
    json_put(object, "cause", json_taken(explain_cause(explanation)));
    put_two(object, &explanation->data);
    if (explanation->data.differ)
        put_witness(object, explanation, names);
    return json_write(object, 2, path);
}
