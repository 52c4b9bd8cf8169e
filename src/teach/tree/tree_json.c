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

static void put_data(json_t *object, const struct additions *of, uint32_t node)
{
    const bool leaf = sum_tree_is_leaf(&of->tree, node);
    json_put_number(object, "value", of->value[node]);
    if (!leaf || additions_of_products(of))
        json_put_number(object, "error", of->error[node]);
    if (leaf)
        return;
    const struct bits_lost lost = bits_lost_in(of, node);
    json_put(object, "bits_lost", lost.known ? json_integer(lost.bits) : json_null());
}

static json_t *node_json(const struct tree_answer *answer, uint32_t k)
{
    json_t *object = json_object();
    const struct tape_node *node = &answer->tree->joined[k - 1];
    json_put(object, "node", json_count(k));
    json_put(object, "height", json_count(answer->tree->place[k].height));
    if (node->left == 0) {
        json_put(object, "element", json_count((uint64_t)node->leaf));
    } else {
        json_put(object, "left", json_count(node->left));
        json_put(object, "right", json_count(node->right));
        json_put(object, "leaves", json_count(answer->tree->place[k].leaves));
        json_put(object, "added", json_boolean(node->added));
    }
    if (answer->additions)
        put_data(object, answer->additions, k);
    return object;
}

static json_t *nodes_json(const struct tree_answer *answer)
{
    json_t *array = json_array();
    for (uint32_t k = 1; k <= answer->tree->count; k++)
        json_append(array, node_json(answer, k));
    return array;
}

/* ---- the summary and the sum ---- */

static json_t *bins_json(const struct tree_bins *bins)
{
    json_t *array = json_array();
    for (size_t i = 0; i < bins->count; i++) {
        json_t *object = json_object();
        json_put(object, "least", json_count(bins->list[i].least));
        json_put(object, "most", json_count(bins->list[i].most));
        json_put(object, "count", json_count(bins->list[i].count));
        json_append(array, object);
    }
    return array;
}

static void put_summary(json_t *object, const struct tree_summary *summary)
{
    json_put(object, "n", json_count(summary->n));
    json_put(object, "height", json_count(summary->height));
    json_put(object, "additions", json_count(summary->additions));
    json_put(object, "merges", json_count(summary->merges));
    json_put(object, "pairs", json_count(summary->pairs));
    json_put(object, "shortest_path", json_count(summary->shortest_path));
    json_put(object, "mean_path", json_number(summary->mean_path));
    json_put(object, "deepest", summary->n > 0 ? json_count(summary->deepest) : json_null());
    json_put(object, "paths", bins_json(&summary->paths));
    json_put(object, "joins", bins_json(&summary->joins));
}

static void put_sum(json_t *object, const struct tree_answer *answer)
{
    const struct additions *of = answer->additions;
    const struct judged judged = {
        .exact = answer->exact, .format = of->method->format, .computed = of->computed, .bound = INFINITY};
    json_put(object, "data", json_text(answer->data));
    json_put_number(object, "computed", of->computed);
    json_put_number(object, "nearest", answer->exact->nearest);
    json_put_number(object, "ulp_error", metric_table[METRIC_ulp_error].measure(&judged));
    json_put_number(object, "last_rounding", of->last_rounding);
    json_put(object, "exact", json_taken(exact_hex(answer->exact->sum)));
    json_put(object, "errors", json_taken(exact_hex(of->total.sum)));
    json_put(object, "adds_up", json_boolean(additions_add_up(of, answer->exact)));
}

/* ---- the object ---- */

enum status tree_write_json(const struct tree_answer *answer, const char *path)
{
    const struct tree_request *request = &answer->request;
    json_t *object = json_object();
    json_put(object, "schema", json_text("ulpscope-tree/1"));
    json_put(object, "method", json_text(request->method->id));
    json_put(object, "launch", json_launch(request->launch));
    json_put(object, "one_of_many", json_boolean(sum_tree_is_one_of_many(request)));
    put_summary(object, &answer->summary);
    if (answer->additions)
        put_sum(object, answer);
    if (!answer->summary_only)
        json_put(object, "nodes", nodes_json(answer));
    return json_write(object, 2, path);
}
