/* What `ulpscope blame` says to scripts: schema ulpscope-blame/1, described in docs/explain.md. */
#include "blame.h"

#include "reports/json_builder.h"

#include <math.h>

/* ---- what is added to what ---- */

static json_t *span_json(const struct blame *blame, const struct blame_addition *addition, bool right)
{
    const struct span *span = right ? &addition->right_span : &addition->left_span;
    return json_of({"node", json_count(right ? addition->right : addition->left)},
                   json_both("value", blame_operand(blame, addition, right)), {"elements", json_count(span->count)},
                   {"first", json_count(span->first)}, {"last", json_count(span->last)});
}

static json_t *addition_json(const struct blame *blame, const struct blame_addition *addition)
{
    const double error = blame->additions.error[addition->node];
    return json_of({"node", json_count(addition->node)}, {"left", span_json(blame, addition, false)},
                   {"right", span_json(blame, addition, true)},
                   json_both("value", blame->additions.value[addition->node]), json_both("error", error),
                   {"share", blame->finite ? json_number(addition->lost / blame_all_lost(blame)) : json_null()});
}

static json_t *additions_json(const struct blame *blame)
{
    json_t *array = json_array();
    for (size_t i = 0; i < blame->top_addition_count; i++)
        json_append(array, addition_json(blame, &blame->top_additions[i]));
    return array;
}

static json_t *elements_json(const struct blame *blame)
{
    json_t *array = json_array();
    const struct additions *of = &blame->additions;
    for (size_t k = 0; k < blame->top_elements.count; k++) {
        const uint64_t i = blame->top_elements.entries[k].index;
        const double charged = charges_of(&blame->charges, of, i);
        json_append(array,
                    json_of({"index", json_count(i)}, json_both("value", of->value[of->tree.leaf[i]]),
                            json_both("charged", charged), json_both("itself", charges_itself(&blame->charges, of, i)),
                            {"share", json_number(charged / blame->lost)},
                            json_both("backward", charges_backward(&blame->charges, of, i))));
    }
    return array;
}

/* ---- the object ---- */

static void put_request(json_t *object, const struct blame *blame)
{
    const struct blame_request *request = &blame->request;
    json_add(object, {"schema", json_text("ulpscope-blame/1")}, {"method", json_text(request->additions.method->id)},
             {"launch", json_launch(request->additions.launch)}, {"data", json_text(request->data)},
             {"seed", json_count(request->seed)}, {"trial", json_count(request->trial)},
             {"n", json_count(blame->exact.n)});
}

static void put_verdict(json_t *object, const struct blame *blame)
{
    json_add(object, {"class", json_text(class_names[blame->judged.class])},
             json_both("computed", blame->additions.computed), {"exact", json_taken(exact_hex(blame->exact.sum))},
             json_both("ulp", blame->exact.ulp), json_both("condition", blame->exact.condition),
             json_both("bound", blame->judged.bound));
    for (int m = 0; m < METRICS; m++)
        json_put_number(object, metric_table[m].id, blame->judged.metrics[m]);
    json_put(object, "finite", json_boolean(blame->finite));
}

static void put_proof(json_t *object, const struct blame *blame)
{
    json_add(object, {"sum_of_errors", json_taken(exact_hex(blame->additions.total.sum))},
             {"computed_less_exact", json_taken(exact_hex(blame->difference))});
    json_put(object, "equal", json_true()); /* or nothing would be written */
    json_add(object, json_both("last_rounding", blame->additions.last_rounding),
             {"inexact", json_count(blame->additions.inexact)});
    if (additions_of_products(&blame->additions))
        json_put(object, "inexact_products", json_count(blame->additions.inexact_products));
    json_add(object, json_both("lost", blame->lost), json_both("cancelled", blame_cancelled(blame)));
}

static void put_sum(json_t *object, const struct blame *blame)
{
    json_add(object, {"height", json_count(sum_tree_height(&blame->additions.tree))},
             {"additions", json_count(blame->additions.tree.count - blame->additions.tree.n)});
    if (blame->finite) {
        put_proof(object, blame);
        json_add(object, {"top_additions", additions_json(blame)}, {"top_elements", elements_json(blame)});
    } else {
        const struct blame_addition *first = &blame->first_not_finite;
        json_put(object, "first_not_finite", first->node == 0 ? json_null() : addition_json(blame, first));
    }
}

static json_t *blame_json(const struct blame *blame)
{
    json_t *object = json_object();
    put_request(object, blame);
    put_verdict(object, blame);
    put_sum(object, blame);
    return object;
}

enum status blame_write_json(const struct blame *blame, const char *path)
{
    return json_write(blame_json(blame), 2, path);
}
