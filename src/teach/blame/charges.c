#include "blame.h"

#include <math.h>

/* ---- rates ---- */

/* Until the rates replace them, from the root down: sum |x_j| below each node. */
static void add_magnitudes(const struct additions *of, double *sum_abs)
{
    for (uint32_t k = 1; k <= of->tree.count; k++) {
        const struct tape_node *node = &of->tree.joined[k - 1];
        sum_abs[k] = sum_tree_is_leaf(&of->tree, k) ? fabs(of->value[k]) : sum_abs[node->left] + sum_abs[node->right];
    }
}

static uint32_t charged_operand(const struct additions *of, const struct tape_node *node, const double *sum_abs)
{
    const bool left = fabs(of->value[node->left]) < fabs(of->value[node->right]);
    const uint32_t smaller = left ? node->left : node->right, larger = left ? node->right : node->left;
    return sum_abs[smaller] > 0 ? smaller : larger;
}

static void hand_down(const struct additions *of, double *rate)
{
    if (of->tree.count > 0)
        rate[of->tree.count] = 0;
    for (uint32_t k = (uint32_t)of->tree.count; k > 0; k--) {
        const struct tape_node *node = &of->tree.joined[k - 1];
        const double lost = fabs(of->error[k]);
        if (sum_tree_is_leaf(&of->tree, k)) {
            rate[k] += lost; /* of a product; what stands above it came first */
            continue;
        }
        const uint32_t charged = lost > 0 ? charged_operand(of, node, rate) : 0;
        const double own_rate = charged == 0 ? 0 : lost / rate[charged];
        const uint32_t operands[] = {node->left, node->right};
        for (int i = 0; i < 2; i++) {
            const bool pays = operands[i] == charged;
            if (sum_tree_is_leaf(&of->tree, operands[i]))
                rate[operands[i]] = pays ? lost : 0;
            else
                rate[operands[i]] = rate[k] + (pays ? own_rate : 0);
        }
    }
}

/* ---- backward errors ---- */

/* What an error is of what should have been made. */
static double relative(double error, double made)
{
    return error == 0 ? 0 : made == error ? (double)NAN : error / (made - error);
}

static void grow_down(const struct additions *of, struct charges *charges)
{
    for (uint32_t k = (uint32_t)of->tree.count; k > 0; k--) {
        if (sum_tree_is_leaf(&of->tree, k))
            continue;
        const uint32_t parent = of->tree.place[k].parent;
        const double above = parent == 0 ? charges->last : charges->growth[parent];
        const double delta = relative(of->error[k], of->value[k]);
        charges->growth[k] = above + delta + above * delta;
    }
}

/* ---- all ---- */

enum status charges_make(const struct additions *of, struct charges *charges)
{
    const size_t nodes = of->tree.count + 1;
    *charges = (struct charges){
        .rate = malloc(nodes * sizeof *charges->rate),
        .growth = malloc(nodes * sizeof *charges->growth),
        .last = relative(of->last_rounding, of->computed),
    };
    if (!charges->rate || !charges->growth) {
        charges_free(charges);
        return out_of_memory("the shares of elements");
    }
    add_magnitudes(of, charges->rate);
    hand_down(of, charges->rate);
    grow_down(of, charges);
    return OK;
}

void charges_free(struct charges *charges)
{
    free_all(charges->rate, charges->growth);
    *charges = (struct charges){0};
}

double charges_itself(const struct charges *charges, const struct additions *of, uint64_t i)
{
    return charges->rate[of->tree.leaf[i]];
}

double charges_of(const struct charges *charges, const struct additions *of, uint64_t i)
{
    const uint32_t leaf = of->tree.leaf[i], parent = of->tree.place[leaf].parent;
    const double handed_down = parent == 0 ? 0 : charges->rate[parent] * fabs(of->value[leaf]);
    return charges->rate[leaf] + handed_down;
}

double charges_backward(const struct charges *charges, const struct additions *of, uint64_t i)
{
    const uint32_t leaf = of->tree.leaf[i], parent = of->tree.place[leaf].parent;
    return of->value[leaf] * (parent == 0 ? charges->last : charges->growth[parent]) + of->error[leaf];
}
