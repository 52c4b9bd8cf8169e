/* Two kinds of questions.
 *
 * Pairs: all of them up to 64 elements, 2,016 random ones beyond, each with both signs.  A box that answered what it
 * was asked before by chance, or by a tree that depends on where the large numbers are, answers these in another way.
 *
 * Other data: sums lost by cancellation, whose bits depend on every rounding on the way.  They must be those of the
 * tree, in binary32 or in binary64.  This is what Kahan's sum from left to right is told apart by: its correction is
 * gone once 2^100 went by, so that the masks see no difference.  Of few elements there are more sets, since in each few
 * places are right for a difference.  Of additions of more than two at a time nobody knows
 * the rounding; but the order within one must not matter.
 */
#include "checker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    ALL_PAIRS_UP_TO = 64,
    RANDOM_PAIRS = ALL_PAIRS_UP_TO * (ALL_PAIRS_UP_TO - 1) / 2,
    FEW_ELEMENTS = 16,
    SETS_OF_FEW = 512,
    SETS = 64
};

/* ---- pairs ---- */

static enum status check_signs(struct asker *asker, struct mask mask, uint64_t expected)
{
    enum { WHAT_SIZE = 120 };
    char what[WHAT_SIZE];
    uint64_t leaves;
    TRY(ask(asker, mask, &leaves));
    if (leaves == expected)
        return OK;
    snprintf(what, sizeof what, "%llu ones are left, where the tree that other masks gave leaves %llu",
             (unsigned long long)(asker->n - leaves), (unsigned long long)(asker->n - expected));
    return ask_refuse(asker, mask, what, "its order depends on the data");
}

static enum status check_pair(struct asker *asker, struct probe *probe, uint64_t i, uint64_t j)
{
    const uint64_t leaves = probe->tree.nodes[probe_tree_meeting(&probe->tree, i, j)].leaves;
    probe->pairs++;
    TRY(check_signs(asker, (struct mask){i, j}, leaves));
    return check_signs(asker, (struct mask){j, i}, leaves);
}

static enum status check_all_pairs(struct asker *asker, struct probe *probe)
{
    for (uint64_t j = 1; j < asker->n; j++)
        for (uint64_t i = 0; i < j; i++)
            TRY(check_pair(asker, probe, i, j));
    return OK;
}

static enum status check_random_pairs(struct asker *asker, struct probe *probe)
{
    for (int pair = 0; pair < RANDOM_PAIRS; pair++) {
        const uint64_t i = ask_random_below(asker, asker->n);
        const uint64_t j = (i + 1 + ask_random_below(asker, asker->n - 1)) % asker->n;
        TRY(check_pair(asker, probe, i, j));
    }
    return OK;
}

/* ---- other data ---- */

/* The first sum that is not that of the tree. */
struct unlike {
    bool found;
    float sum, of_tree;
};

struct data {
    float *x, *moved;
    float *in_binary32; /* of node k */
    double *in_binary64;
    struct unlike unlike_binary32, unlike_binary64;
};

static enum status take_memory(const struct probe *probe, struct data *data)
{
    *data = (struct data){.x = calloc(probe->tree.n, sizeof *data->x),
                          .moved = calloc(probe->tree.n, sizeof *data->moved),
                          .in_binary32 = calloc(probe->tree.count + 1, sizeof *data->in_binary32),
                          .in_binary64 = calloc(probe->tree.count + 1, sizeof *data->in_binary64)};
    if (data->x && data->moved && data->in_binary32 && data->in_binary64)
        return OK;
    return out_of_memory("the data of a probe");
}

static void free_memory(struct data *data)
{
    free(data->x);
    free(data->moved);
    free(data->in_binary32);
    free(data->in_binary64);
}

static enum status ask_twice(struct asker *asker, const float *x, float *sum)
{
    float again;
    TRY(ask_sum(asker, x, sum));
    TRY(ask_sum(asker, x, &again));
    return *sum == again || (isnan(*sum) && isnan(again)) ? OK : ask_refuse_change(asker, *sum, again);
}

static void add_in_tree(const struct probe_tree *tree, struct data *data)
{
    for (uint64_t k = 1; k <= tree->count; k++) {
        const struct probe_node *node = &tree->nodes[k];
        const uint32_t a = node->first_child, b = tree->nodes[a].next_sibling;
        data->in_binary32[k] = a ? data->in_binary32[a] + data->in_binary32[b] : data->x[node->smallest];
        data->in_binary64[k] = a ? data->in_binary64[a] + data->in_binary64[b] : (double)data->x[node->smallest];
    }
}

static void compare(struct unlike *unlike, float sum, float of_tree)
{
    if (!unlike->found && sum != of_tree)
        *unlike = (struct unlike){true, sum, of_tree};
}

static enum status hold_to_tree(const struct asker *asker, const struct probe *probe, struct data *data, float sum)
{
    const struct unlike *narrow = &data->unlike_binary32, *wide = &data->unlike_binary64;
    add_in_tree(&probe->tree, data);
    compare(&data->unlike_binary32, sum, data->in_binary32[probe->tree.count]);
    compare(&data->unlike_binary64, sum, (float)data->in_binary64[probe->tree.count]);
    if (!narrow->found || !wide->found)
        return OK;
    complain("%s: masks of 2^100 and -2^100 show a tree, but sums of other numbers are not those of the tree: %a where "
             "additions in binary32 give %a, and %a where those in binary64 give %a; this is not the tree of a plain "
             "sum in one order; it is compensated, in another precision, or depends on the data; probe another method, "
             "or see docs/probe.md",
             asker->box->name, (double)narrow->sum, (double)narrow->of_tree, (double)wide->sum, (double)wide->of_tree);
    return BAD_INPUT;
}

/* The numbers that are added at once change places. */
static void move_within(struct asker *asker, const struct probe_tree *tree, uint64_t node, float *x)
{
    const struct probe_node *nodes = tree->nodes;
    uint32_t last = 0;
    for (uint32_t child = nodes[node].first_child; child != 0; child = nodes[child].next_sibling) {
        if (nodes[child].children > 0)
            continue;
        if (last != 0 && ask_random(asker) & 1)
            ask_swap(x, nodes[last].smallest, nodes[child].smallest);
        last = child;
    }
}

static enum status hold_without_order(struct asker *asker, const struct probe *probe, struct data *data, float sum)
{
    float moved;
    for (uint64_t i = 0; i < asker->n; i++)
        data->moved[i] = data->x[i];
    for (uint64_t k = 1; k <= probe->tree.count; k++)
        if (probe->tree.nodes[k].children > 2)
            move_within(asker, &probe->tree, k, data->moved);
    TRY(ask_sum(asker, data->moved, &moved));
    if (moved == sum || (isnan(moved) && isnan(sum)))
        return OK;
    complain(
        "%s: by masks of 2^100 and -2^100 up to %llu elements are added at once, but when these change places their "
        "sum does: %a and %a; this is not the tree of a sum in one order, which then depends on the data; probe "
        "another method",
        asker->box->name, (unsigned long long)asker->n, (double)sum, (double)moved);
    return BAD_INPUT;
}

static enum status check_data(struct asker *asker, const struct probe *probe, bool binary, struct data *data)
{
    const int sets = asker->n <= FEW_ELEMENTS ? SETS_OF_FEW : SETS;
    for (int set = 0; set < sets; set++) {
        float sum;
        ask_fill(asker, set, data->x);
        TRY(ask_twice(asker, data->x, &sum));
        TRY(binary ? hold_to_tree(asker, probe, data, sum) : hold_without_order(asker, probe, data, sum));
    }
    return OK;
}

static enum probe_arithmetic arithmetic_of(const struct probe_tree *tree, bool binary, const struct data *data)
{
    if (binary)
        return !data->unlike_binary32.found ? PROBE_BINARY32 : PROBE_BINARY64;
    return tree->nodes[tree->count].children == tree->n ? PROBE_NO_ORDER : PROBE_FUSED;
}

enum status check_tree(struct asker *asker, struct probe *probe)
{
    enum status status;
    struct data data;
    const bool binary = probe_tree_is_binary(&probe->tree);
    probe->all_pairs = asker->n <= ALL_PAIRS_UP_TO;
    TRY(probe->all_pairs ? check_all_pairs(asker, probe) : check_random_pairs(asker, probe));
    TRY_DONE(take_memory(probe, &data));
    TRY_DONE(check_data(asker, probe, binary, &data));
    probe->arithmetic = arithmetic_of(&probe->tree, binary, &data);
done:
    free_memory(&data);
    return status;
}
