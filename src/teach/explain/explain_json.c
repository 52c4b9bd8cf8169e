/* An explanation for scripts: schema ulpscope-explain/1, described in docs/explain.md. */
#include "explain_words.h"

#include "join_text.h"
#include "reports/json_builder.h"
#include "src/base/text.h"

static json_t *method_json(struct json_builder *builder, const struct two_sums *two, int m)
{
    const struct measured *judged = &two->judged[m];
    json_t *object = json_object();
    json_put(builder, object, "method", json_text(two->additions[m].method->id));
    json_put_number(builder, object, "sum", (double)two->sums[m]);
    json_put(builder, object, "bits", json_bits(&FORMAT_BINARY32, judged->computed_bits));
    json_put_number(builder, object, "ulp_error", judged->metrics[METRIC_ulp_error]);
    json_put_number(builder, object, "bound", judged->bound);
    json_put_number(builder, object, "bound_ratio", judged->metrics[METRIC_bound_ratio]);
    json_put_number(builder, object, "last_rounding", two->additions[m].last_rounding);
    return object;
}

static json_t *exact_json(struct json_builder *builder, const struct exact_sum *exact)
{
    json_t *object = json_object();
    json_put(builder, object, "sum", json_taken(exact_hex(exact->sum)));
    json_put(builder, object, "nearest", json_hex(exact->nearest));
    json_put(builder, object, "ulp", json_hex(exact->ulp));
    json_put_number(builder, object, "condition", exact->condition);
    return object;
}

/* ---- where they part ---- */

static json_t *elements_json(const struct sum_tree *tree, uint32_t node)
{
    struct text text = {0};
    join_elements(tree, node, &text);
    return json_taken(text_take(&text));
}

static json_t *parted_json(struct json_builder *builder, const struct two_sums *two, int m,
                           const struct parted_join *join)
{
    const struct additions *of = &two->additions[m];
    const struct tape_node *joined = &of->tree.joined[join->node - 1];
    json_t *object = json_object();
    json_put(builder, object, "left", elements_json(&of->tree, joined->left));
    json_put(builder, object, "right", elements_json(&of->tree, joined->right));
    json_put_number(builder, object, "value", of->value[join->node]);
    json_put_number(builder, object, "error", of->error[join->node]);
    json_put(builder, object, "why", json_text(join->same ? "value" : "order"));
    json_put(builder, object, "other", json_taken(explain_parted(two, m, join)));
    return object;
}

static json_t *side_json(struct json_builder *builder, const struct two_sums *two, int m)
{
    const struct parting_side *side = &two->parting.side[m];
    json_t *object = json_object(), *first = json_array();
    json_put(builder, object, "joins", json_count(side->joins));
    json_put(builder, object, "shared", json_count(side->shared));
    json_put(builder, object, "same_elements", json_count(side->same_elements));
    json_put(builder, object, "parted", json_count(side->parted));
    json_put(builder, object, "parted_by_order", json_count(side->parted_by_order));
    for (uint64_t i = 0; i < side->shown; i++)
        json_append(builder, first, parted_json(builder, two, m, &side->first[i]));
    json_put(builder, object, "first", first);
    return object;
}

/* Both methods on the same numbers. */
static void put_two(struct json_builder *builder, json_t *object, const struct two_sums *two)
{
    json_t *methods = json_array(), *parting = json_object(), *sides = json_array();
    for (int m = 0; m < 2; m++) {
        json_append(builder, methods, method_json(builder, two, m));
        json_append(builder, sides, side_json(builder, two, m));
    }
    json_put(builder, object, "methods", methods);
    json_put(builder, object, "exact", exact_json(builder, &two->exact));
    json_put(builder, object, "differ", json_boolean(two->differ));
    json_put(builder, object, "nearer", two->nearer < 0 ? json_null() : json_integer(two->nearer));
    json_put_number(builder, object, "difference_ulp", two->difference_ulp);
    json_put(builder, parting, "class", json_text(explain_class(&two->parting)));
    json_put(builder, parting, "same_tree", json_boolean(two->parting.same_tree));
    json_put(builder, parting, "same_accumulator", json_boolean(two->parting.same_accumulator));
    json_put(builder, parting, "methods", sides);
    json_put(builder, object, "parting", parting);
}

/* ---- the witness ---- */

static json_t *numbers_json(struct json_builder *builder, const struct shrunken *witness)
{
    json_t *object = json_object(), *numbers = json_array();
    for (uint64_t i = 0; i < witness->n; i++) {
        json_t *number = json_object();
        json_put(builder, number, "index", json_count(witness->index[i]));
        json_put(builder, number, "was", json_hex((double)witness->was[i]));
        json_put_number(builder, number, "x", (double)witness->x[i]);
        json_append(builder, numbers, number);
    }
    json_put(builder, object, "n", json_count(witness->n));
    json_put(builder, object, "minimal", json_boolean(witness->minimal));
    json_put(builder, object, "numbers", numbers);
    return object;
}

static void put_witness(struct json_builder *builder, json_t *object, const struct explanation *explanation,
                        const struct explain_names *names)
{
    json_put(builder, object, "subset", numbers_json(builder, &explanation->subset));
    json_t *witness = numbers_json(builder, &explanation->witness), *effort = json_object();
    put_two(builder, witness, &explanation->reduced);
    if (names->witness) {
        json_put(builder, witness, "file", json_text(names->witness));
        json_put(builder, witness, "command", json_taken(explain_command(explanation, names->witness)));
    }
    json_put(builder, object, "witness", witness);
    json_put(builder, effort, "evaluations", json_count(explanation->evaluations));
    json_put(builder, effort, "additions", json_count(explanation->additions));
    json_put(builder, effort, "gave_up", json_boolean(explanation->spent));
    json_put(builder, object, "effort", effort);
}

enum status explain_write_json(const struct explanation *explanation, const struct explain_names *names,
                               const char *path)
{
    struct json_builder builder = {false};
    json_t *object = json_object();
    json_put(&builder, object, "schema", json_text("ulpscope-explain/1"));
    json_put(&builder, object, "data", json_text(names->data));
    json_put(&builder, object, "n", json_count(explanation->request.n));
    json_put(&builder, object, "launch", json_launch(&builder, explanation->request.launch));
    json_put(&builder, object, "verdict", json_taken(explain_verdict(explanation)));
    json_put(&builder, object, "cause", json_taken(explain_cause(explanation)));
    put_two(&builder, object, &explanation->data);
    if (explanation->data.differ)
        put_witness(&builder, object, explanation, names);
    return json_write(&builder, object, 2, path);
}
