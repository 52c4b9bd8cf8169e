/* A tree for scripts: schema ulpscope-tree/1 (reports/schemas).
 *
 *   {"schema": "ulpscope-tree/1", "method": "plain/serial", "n": 2, "height": 2, ...
 *    "nodes": [{"node": 1, "height": 1, "element": 0}, {"node": 2, "height": 1, "element": 1},
 *              {"node": 3, "height": 2, "left": 1, "right": 2, "leaves": 2, "added": true}]}
 *
 * Children come before their parents; the last node is the root.
 */
#include "tree_answer.h"

#include "bits_lost.h"
#include "reports/json_builder.h"
#include "src/measure/metric.h"

#include <math.h>

/* ---- the nodes ---- */

static void put_data(struct json_builder *builder, json_t *object, const struct additions *of, uint32_t node)
{
    json_put_number(builder, object, "value", of->value[node]);
    if (sum_tree_is_leaf(&of->tree, node))
        return;
    const struct bits_lost lost = bits_lost_in(of, node);
    json_put_number(builder, object, "error", of->error[node]);
    json_put(builder, object, "bits_lost", lost.known ? json_integer(lost.bits) : json_null());
}

static json_t *node_json(struct json_builder *builder, const struct tree_answer *answer, uint32_t k)
{
    json_t *object = json_object();
    const struct tape_node *node = &answer->tree->joined[k - 1];
    json_put(builder, object, "node", json_count(k));
    json_put(builder, object, "height", json_count(answer->tree->place[k].height));
    if (node->left == 0) {
        json_put(builder, object, "element", json_count((uint64_t)node->leaf));
    } else {
        json_put(builder, object, "left", json_count(node->left));
        json_put(builder, object, "right", json_count(node->right));
        json_put(builder, object, "leaves", json_count(answer->tree->place[k].leaves));
        json_put(builder, object, "added", json_boolean(node->added));
    }
    if (answer->additions)
        put_data(builder, object, answer->additions, k);
    return object;
}

static json_t *nodes_json(struct json_builder *builder, const struct tree_answer *answer)
{
    json_t *array = json_array();
    for (uint32_t k = 1; k <= answer->tree->count; k++)
        json_append(builder, array, node_json(builder, answer, k));
    return array;
}

/* ---- the summary and the sum ---- */

static json_t *bins_json(struct json_builder *builder, const struct tree_bins *bins)
{
    json_t *array = json_array();
    for (size_t i = 0; i < bins->count; i++) {
        json_t *object = json_object();
        json_put(builder, object, "least", json_count(bins->list[i].least));
        json_put(builder, object, "most", json_count(bins->list[i].most));
        json_put(builder, object, "count", json_count(bins->list[i].count));
        json_append(builder, array, object);
    }
    return array;
}

static void put_summary(struct json_builder *builder, json_t *object, const struct tree_summary *summary)
{
    json_put(builder, object, "n", json_count(summary->n));
    json_put(builder, object, "height", json_count(summary->height));
    json_put(builder, object, "additions", json_count(summary->additions));
    json_put(builder, object, "merges", json_count(summary->merges));
    json_put(builder, object, "pairs", json_count(summary->pairs));
    json_put(builder, object, "shortest_path", json_count(summary->shortest_path));
    json_put(builder, object, "mean_path", json_number(summary->mean_path));
    json_put(builder, object, "deepest", summary->n > 0 ? json_count(summary->deepest) : json_null());
    json_put(builder, object, "paths", bins_json(builder, &summary->paths));
    json_put(builder, object, "joins", bins_json(builder, &summary->joins));
}

static void put_sum(struct json_builder *builder, json_t *object, const struct tree_answer *answer)
{
    const struct additions *of = answer->additions;
    const struct judged judged = {answer->exact, (double)of->computed, INFINITY};
    json_put(builder, object, "data", json_text(answer->data));
    json_put_number(builder, object, "computed", (double)of->computed);
    json_put_number(builder, object, "nearest", answer->exact->nearest);
    json_put_number(builder, object, "ulp_error", metric_table[METRIC_ulp_error].measure(&judged));
    json_put_number(builder, object, "last_rounding", of->last_rounding);
    json_put(builder, object, "exact", json_taken(exact_hex(answer->exact->sum)));
    json_put(builder, object, "errors", json_taken(exact_hex(of->total.sum)));
    json_put(builder, object, "adds_up", json_boolean(additions_add_up(of, answer->exact)));
}

/* ---- the object ---- */

enum status tree_write_json(const struct tree_answer *answer, const char *path)
{
    struct json_builder builder = {false};
    const struct tree_request *request = &answer->request;
    json_t *object = json_object();
    json_put(&builder, object, "schema", json_text("ulpscope-tree/1"));
    json_put(&builder, object, "method", json_text(request->method->id));
    json_put(&builder, object, "launch", json_launch(&builder, request->launch));
    json_put(&builder, object, "one_of_many", json_boolean(sum_tree_is_one_of_many(request)));
    put_summary(&builder, object, &answer->summary);
    if (answer->additions)
        put_sum(&builder, object, answer);
    if (!answer->summary_only)
        json_put(&builder, object, "nodes", nodes_json(&builder, answer));
    return json_write(&builder, object, 2, path);
}
