/* What `ulpscope blame` says to scripts: schema ulpscope-blame/1, described in docs/explain.md. */
#include "blame.h"

#include "reports/json_builder.h"

/* ---- what is added to what ---- */

static json_t *span_json(const struct blame *blame, const struct blame_addition *addition, bool right)
{
    const struct span *span = right ? &addition->right_span : &addition->left_span;
    json_t *object = json_object();
    json_put(object, "node", json_count(right ? addition->right : addition->left));
    json_put_number(object, "value", blame_operand(blame, addition, right));
    json_put(object, "elements", json_count(span->count));
    json_put(object, "first", json_count(span->first));
    json_put(object, "last", json_count(span->last));
    return object;
}

static json_t *addition_json(const struct blame *blame, const struct blame_addition *addition)
{
    json_t *object = json_object();
    const double error = blame->additions.error[addition->node];
    json_put(object, "node", json_count(addition->node));
    json_put(object, "left", span_json(blame, addition, false));
    json_put(object, "right", span_json(blame, addition, true));
    json_put_number(object, "value", blame->additions.value[addition->node]);
    json_put_number(object, "error", error);
    json_put(object, "share", blame->finite ? json_number(addition->lost / blame_all_lost(blame)) : json_null());
    return object;
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
        json_t *object = json_object();
        json_put(object, "index", json_count(i));
        json_put_number(object, "value", of->value[of->tree.leaf[i]]);
        json_put_number(object, "charged", charged);
        json_put_number(object, "itself", charges_itself(&blame->charges, of, i));
        json_put(object, "share", json_number(charged / blame->lost));
        json_put_number(object, "backward", charges_backward(&blame->charges, of, i));
        json_append(array, object);
    }
    return array;
}

static json_t *levels_json(const struct blame *blame)
{
    json_t *array = json_array();
    for (size_t i = 0; i < blame->levels.count; i++) {
        const struct level *level = &blame->levels.level[i];
        json_t *object = json_object();
        json_put(object, "first", json_count(level->first));
        json_put(object, "last", json_count(level->last));
        json_put(object, "additions", json_count(level->additions));
        json_put(object, "inexact", json_count(level->inexact));
        json_put_number(object, "lost", level->lost);
        json_put_number(object, "net", level->net);
        json_append(array, object);
    }
    return array;
}

/* ---- the object ---- */

static void put_request(json_t *object, const struct blame *blame)
{
    const struct blame_request *request = &blame->request;
    json_put(object, "schema", json_text("ulpscope-blame/1"));
    json_put(object, "method", json_text(request->additions.method->id));
    json_put(object, "launch", json_launch(request->additions.launch));
    json_put(object, "data", json_text(request->data));
    json_put(object, "seed", json_count(request->seed));
    json_put(object, "trial", json_count(request->trial));
    json_put(object, "n", json_count(blame->exact.n));
}

static void put_verdict(json_t *object, const struct blame *blame)
{
    json_put(object, "class", json_text(class_names[blame->judged.class]));
    json_put_number(object, "computed", blame->additions.computed);
    json_put(object, "exact", json_taken(exact_hex(blame->exact.sum)));
    json_put_number(object, "ulp", blame->exact.ulp);
    json_put_number(object, "condition", blame->exact.condition);
    json_put_number(object, "bound", blame->judged.bound);
    for (int m = 0; m < METRICS; m++)
        json_put_number(object, metric_table[m].id, blame->judged.metrics[m]);
    json_put(object, "height", json_count(sum_tree_height(&blame->additions.tree)));
    json_put(object, "additions", json_count(blame->additions.tree.count - blame->additions.tree.n));
    json_put(object, "finite", json_boolean(blame->finite));
}

static void put_proof(json_t *object, const struct blame *blame)
{
    json_put(object, "sum_of_errors", json_taken(exact_hex(blame->additions.total.sum)));
    json_put(object, "computed_less_exact", json_taken(exact_hex(blame->difference)));
    json_put(object, "equal", json_true()); /* or nothing would be written */
    json_put_number(object, "last_rounding", blame->additions.last_rounding);
    json_put(object, "inexact", json_count(blame->additions.inexact));
    if (additions_of_products(&blame->additions))
        json_put(object, "inexact_products", json_count(blame->additions.inexact_products));
    json_put_number(object, "lost", blame->lost);
    json_put_number(object, "cancelled", blame_cancelled(blame));
}

enum status blame_write_json(const struct blame *blame, const char *path)
{
    json_t *object = json_object();
    put_request(object, blame);
    put_verdict(object, blame);
    if (blame->finite) {
        put_proof(object, blame);
        json_put(object, "top_additions", additions_json(blame));
        json_put(object, "top_elements", elements_json(blame));
        json_put(object, "levels", levels_json(blame));
    } else {
        const struct blame_addition *first = &blame->first_not_finite;
        json_put(object, "first_not_finite", first->node == 0 ? json_null() : addition_json(blame, first));
    }
    return json_write(object, 2, path);
}
