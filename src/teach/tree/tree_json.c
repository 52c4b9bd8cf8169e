/* A tree for scripts: schema ulpscope-tree/1 (reports/schemas).
 *
 *   {"schema": "ulpscope-tree/1", "method": "plain/serial", "n": 2, "height": 2, ...
 *    "nodes": [{"node": 1, "height": 1, "element": 0}, {"node": 2, "height": 1, "element": 1},
 *              {"node": 3, "height": 2, "left": 1, "right": 2, "leaves": 2, "added": true}]}
 *
 * Children come before their parents; the last node is the root.
 */
#include "tree_answer.h"

#include "reports/json_builder.h"
#include "src/measure/metric.h"
#include "tree_labels.h"

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
    const struct tape_node *node = &answer->tree->joined[k - 1];
    json_t *object = json_of({"node", json_count(k)}, {"height", json_count(answer->tree->place[k].height)});
    if (node->left == 0) {
        json_put(object, "element", json_count((uint64_t)node->leaf));
    } else {
        json_add(object, {"left", json_count(node->left)}, {"right", json_count(node->right)},
                 {"leaves", json_count(answer->tree->place[k].leaves)}, {"added", json_boolean(node->added)});
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

static void put_summary(json_t *object, const struct tree_summary *summary)
{
    json_add(object, {"n", json_count(summary->n)}, {"height", json_count(summary->height)},
             {"additions", json_count(summary->additions)}, {"merges", json_count(summary->merges)},
             {"pairs", json_count(summary->pairs)}, {"shortest_path", json_count(summary->shortest_path)},
             {"mean_path", json_number(summary->mean_path)},
             {"deepest", summary->n > 0 ? json_count(summary->deepest) : json_null()});
}

static void put_sum(json_t *object, const struct tree_answer *answer)
{
    const struct additions *of = answer->additions;
    const struct judged judged = {
        .exact = answer->exact, .format = of->method->format, .computed = of->computed, .bound = INFINITY};
    json_add(object, {"data", json_text(answer->data)}, json_both("computed", of->computed),
             json_both("nearest", answer->exact->nearest),
             json_both("ulp_error", metric_table[METRIC_ulp_error].measure(&judged)),
             json_both("last_rounding", of->last_rounding), {"exact", json_taken(exact_hex(answer->exact->sum))},
             {"errors", json_taken(exact_hex(of->total.sum))},
             {"adds_up", json_boolean(additions_add_up(of, answer->exact))});
}

enum status tree_write_json(const struct tree_answer *answer, const char *path)
{
    const struct tree_request *request = &answer->request;
    json_t *object = json_of({"schema", json_text("ulpscope-tree/1")}, {"method", json_text(request->method->id)},
                             {"launch", json_launch(request->launch)},
                             {"one_of_many", json_boolean(sum_tree_is_one_of_many(request))});
    put_summary(object, &answer->summary);
    if (answer->additions)
        put_sum(object, answer);
    if (!answer->summary_only)
        json_put(object, "nodes", nodes_json(answer));
    return json_write(object, 2, path);
}
