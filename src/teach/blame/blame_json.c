/* What `ulpscope blame` says to scripts: schema ulpscope-blame/1, described in docs/blame.md. */
#include "blame.h"

#include "reports/json_builder.h"

/* ---- what is added to what ---- */

static json_t *span_json(struct json_builder *builder, const struct blame *blame, uint32_t node,
                         const struct span *span)
{
    json_t *object = json_object();
    json_put(builder, object, "node", json_count(node));
    json_put_number(builder, object, "value", blame->additions.value[node]);
    json_put(builder, object, "elements", json_count(span->count));
    json_put(builder, object, "first", json_count(span->first));
    json_put(builder, object, "last", json_count(span->last));
    return object;
}

static json_t *addition_json(struct json_builder *builder, const struct blame *blame,
                             const struct blame_addition *addition)
{
    json_t *object = json_object();
    const double error = blame->additions.error[addition->node];
    json_put(builder, object, "node", json_count(addition->node));
    json_put(builder, object, "left", span_json(builder, blame, addition->left, &addition->left_span));
    json_put(builder, object, "right", span_json(builder, blame, addition->right, &addition->right_span));
    json_put_number(builder, object, "value", blame->additions.value[addition->node]);
    json_put_number(builder, object, "error", error);
    json_put(builder, object, "share",
             blame->finite ? json_number(addition->lost / blame_all_lost(blame)) : json_null());
    return object;
}

static json_t *additions_json(struct json_builder *builder, const struct blame *blame)
{
    json_t *array = json_array();
    for (size_t i = 0; i < blame->top_addition_count; i++)
        json_append(builder, array, addition_json(builder, blame, &blame->top_additions[i]));
    return array;
}

static json_t *elements_json(struct json_builder *builder, const struct blame *blame)
{
    json_t *array = json_array();
    const struct additions *of = &blame->additions;
    for (size_t k = 0; k < blame->top_elements.count; k++) {
        const uint64_t i = blame->top_elements.entries[k].index;
        const double charged = charges_of(&blame->charges, of, i);
        json_t *object = json_object();
        json_put(builder, object, "index", json_count(i));
        json_put_number(builder, object, "value", (double)blame->request.x[i]);
        json_put_number(builder, object, "charged", charged);
        json_put_number(builder, object, "itself", charges_itself(&blame->charges, of, i));
        json_put(builder, object, "share", json_number(charged / blame->lost));
        json_put_number(builder, object, "backward", charges_backward(&blame->charges, of, i));
        json_append(builder, array, object);
    }
    return array;
}

static json_t *levels_json(struct json_builder *builder, const struct blame *blame)
{
    json_t *array = json_array();
    for (size_t i = 0; i < blame->levels.count; i++) {
        const struct level *level = &blame->levels.level[i];
        json_t *object = json_object();
        json_put(builder, object, "first", json_count(level->first));
        json_put(builder, object, "last", json_count(level->last));
        json_put(builder, object, "additions", json_count(level->additions));
        json_put(builder, object, "inexact", json_count(level->inexact));
        json_put_number(builder, object, "lost", level->lost);
        json_put_number(builder, object, "net", level->net);
        json_append(builder, array, object);
    }
    return array;
}

/* ---- the object ---- */

static void put_request(struct json_builder *builder, json_t *object, const struct blame *blame)
{
    const struct blame_request *request = &blame->request;
    json_put(builder, object, "schema", json_text("ulpscope-blame/1"));
    json_put(builder, object, "method", json_text(request->additions.method->id));
    json_put(builder, object, "launch", json_launch(builder, request->additions.launch));
    json_put(builder, object, "data", json_text(request->data));
    json_put(builder, object, "seed", json_count(request->seed));
    json_put(builder, object, "trial", json_count(request->trial));
    json_put(builder, object, "n", json_count(blame->exact.n));
}

static void put_verdict(struct json_builder *builder, json_t *object, const struct blame *blame)
{
    json_put(builder, object, "class", json_text(class_names[blame->judged.class]));
    json_put_number(builder, object, "computed", (double)blame->additions.computed);
    json_put(builder, object, "exact", json_taken(exact_hex(blame->exact.sum)));
    json_put_number(builder, object, "ulp", blame->exact.ulp);
    json_put_number(builder, object, "condition", blame->exact.condition);
    json_put_number(builder, object, "bound", blame->judged.bound);
    for (int m = 0; m < METRICS; m++)
        json_put_number(builder, object, metric_table[m].id, blame->judged.metrics[m]);
    json_put(builder, object, "height", json_count(sum_tree_height(&blame->additions.tree)));
    json_put(builder, object, "additions", json_count(blame->additions.tree.count - blame->additions.tree.n));
    json_put(builder, object, "finite", json_boolean(blame->finite));
}

static void put_proof(struct json_builder *builder, json_t *object, const struct blame *blame)
{
    json_put(builder, object, "sum_of_errors", json_taken(exact_hex(blame->additions.total.sum)));
    json_put(builder, object, "computed_less_exact", json_taken(exact_hex(blame->difference)));
    json_put(builder, object, "equal", json_true()); /* or nothing would be written */
    json_put_number(builder, object, "last_rounding", blame->additions.last_rounding);
    json_put(builder, object, "inexact", json_count(blame->additions.inexact));
    json_put_number(builder, object, "lost", blame->lost);
    json_put_number(builder, object, "cancelled", blame_cancelled(blame));
}

enum status blame_write_json(const struct blame *blame, const char *path)
{
    struct json_builder builder = {false};
    json_t *object = json_object();
    put_request(&builder, object, blame);
    put_verdict(&builder, object, blame);
    if (blame->finite) {
        put_proof(&builder, object, blame);
        json_put(&builder, object, "top_additions", additions_json(&builder, blame));
        json_put(&builder, object, "top_elements", elements_json(&builder, blame));
        json_put(&builder, object, "levels", levels_json(&builder, blame));
    } else {
        const struct blame_addition *first = &blame->first_not_finite;
        json_put(&builder, object, "first_not_finite",
                 first->node == 0 ? json_null() : addition_json(&builder, blame, first));
    }
    return json_write(&builder, object, 2, path);
}
