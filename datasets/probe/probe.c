#include "probe.h"
#include "asker.h"
#include "checker.h"

#include <stdio.h>
#include <stdlib.h>

/* The first half of a probe: a tree out of as few sums as it takes. */

/* One element, the pivot, is asked for with each other one of a piece of the tree.  Whoever meets it in a sum of 8,
 * say, stands on the other side of that node; sorted by these numbers they are the sides that join the pivot's path:
 *
 *   pivot 0, of ((x0 + x2) + (x1 + x3)) + x4:    x2: 2    x1, x3: 4    x4: 5
 *
 *             5 - x4            every side is a piece of its own, and is probed in the same way;
 *           4 - x1, x3          2 = 1 + 1, 4 = 2 + 2, 5 = 4 + 1: the sides fill the sums, or it is no tree
 *         2 - x2
 *       x0
 *
 * A side may be several subtrees, where more than two numbers are added at once.  Then some of it meet the side's own
 * pivot only in the node that the side hangs from: they are the rest of the side, and next.
 *
 * Cost: an element is asked for once for each piece that it is in.  The smallest element is the first pivot: sums from
 * left to right need n - 1 questions.  A pivot whose side is more than half of its piece was a bad one, and that side
 * gets a random one: for any tree of additions of two, O(n log n) questions on average (docs/explain.md).
 */

/* An element of a piece, and the elements below the node in which it meets the pivot. */
struct member {
    uint32_t element, leaves;
};

/* members[begin..end), all that hang from node `above` and have no place yet; 0: the whole tree. */
struct piece {
    uint64_t begin, end;
    uint32_t above;
    uint64_t above_leaves;
    bool random_pivot;
};

struct builder {
    struct asker *asker;
    struct member *members;
    struct piece *pieces; /* a stack; they are disjoint, so that n is room enough */
    uint64_t waiting;
    uint32_t *parent;
    uint32_t nodes;
};

static void push(struct builder *builder, struct piece piece, uint64_t of)
{
    piece.random_pivot = piece.end - piece.begin > of / 2;
    builder->pieces[builder->waiting++] = piece;
}

static uint32_t node_of(const struct builder *builder, uint64_t member)
{
    return builder->members[member].element + 1;
}

static void choose_pivot(struct builder *builder, const struct piece *piece)
{
    struct member *members = builder->members;
    uint64_t chosen = piece->begin;
    if (piece->random_pivot)
        chosen += ask_random_below(builder->asker, piece->end - piece->begin);
    else
        for (uint64_t k = piece->begin; k < piece->end; k++)
            if (members[k].element < members[chosen].element)
                chosen = k;
    const struct member pivot = members[chosen];
    members[chosen] = members[piece->begin];
    members[piece->begin] = pivot;
}

static int by_leaves(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->leaves != y->leaves)
        return x->leaves < y->leaves ? -1 : 1;
    return x->element < y->element ? -1 : x->element > y->element;
}

static enum status stop_if_too_many(const struct builder *builder)
{
    const struct black_box *box = builder->asker->box;
    if (box->most_sums == 0 || builder->asker->sums < box->most_sums)
        return OK;
    ask_complain(builder->asker,
                 "%s: its tree is not known after %llu sums of %llu elements; a tree of additions of two needs about n "
                 "log2(n) of them, one whose nodes join m needs up to m*m/2 for each; choose a smaller n",
                 box->name, (unsigned long long)box->most_sums, (unsigned long long)builder->asker->n);
    return NOT_MEASURED;
}

static enum status ask_for_all(struct builder *builder, const struct piece *piece)
{
    struct member *members = builder->members;
    for (uint64_t k = piece->begin + 1; k < piece->end; k++) {
        uint64_t leaves;
        TRY(stop_if_too_many(builder));
        TRY(ask(builder->asker, (struct mask){members[piece->begin].element, members[k].element}, &leaves));
        members[k].leaves = (uint32_t)leaves;
    }
    qsort(members + piece->begin + 1, piece->end - piece->begin - 1, sizeof *members, by_leaves);
    return OK;
}

/* Nothing was absorbed by any: each pair left all the ones, as if it were the first that is added. */
static bool all_are_left(const struct builder *builder, const struct piece *piece)
{
    return piece->above == 0 && builder->members[piece->end - 1].leaves == 2;
}

static enum status refuse(struct builder *builder, const struct piece *piece, uint64_t first, uint64_t expected)
{
    enum { WHAT_SIZE = 200 };
    char what[WHAT_SIZE];
    const struct member *member = &builder->members[first];
    const uint64_t n = builder->asker->n;
    snprintf(what, sizeof what,
             "%llu of %llu ones are left, as if both met in a sum of %u, where other masks show one of %llu",
             (unsigned long long)(n - member->leaves), (unsigned long long)(n - 2), member->leaves,
             (unsigned long long)expected);
    return ask_refuse(builder->asker, (struct mask){builder->members[piece->begin].element, member->element}, what,
                      all_are_left(builder, piece)
                          ? "nothing is ever absorbed, as in a sum that is compensated, exact or in more than one "
                            "number: whatever the order, all ones are left"
                          : "some ones are absorbed and others are not, as in a sum that is compensated in parts, "
                            "whose order depends on the data, or whose numbers have fewer than 24 bits");
}

static uint64_t end_of_side(const struct builder *builder, const struct piece *piece, uint64_t begin)
{
    const struct member *members = builder->members;
    uint64_t end = begin + 1;
    while (end < piece->end && members[end].leaves == members[begin].leaves)
        end++;
    return end;
}

/* Climbs from the pivot to the node that the piece hangs from. */
static enum status take_sides(struct builder *builder, const struct piece *piece)
{
    const uint64_t of = piece->end - piece->begin;
    uint32_t top = node_of(builder, piece->begin);
    for (uint64_t begin = piece->begin + 1, end; begin < piece->end; begin = end) {
        const uint64_t leaves = builder->members[begin].leaves;
        end = end_of_side(builder, piece, begin);
        if (leaves == piece->above_leaves && end == piece->end) {
            push(builder, (struct piece){begin, end, piece->above, leaves, false}, of);
            break;
        }
        if (leaves != end - piece->begin)
            return refuse(builder, piece, begin, end - piece->begin);
        const uint32_t node = ++builder->nodes;
        builder->parent[top] = node;
        top = node;
        push(builder, (struct piece){begin, end, node, leaves, false}, of);
    }
    builder->parent[top] = piece->above;
    return OK;
}

static enum status build(struct builder *builder)
{
    const uint64_t n = builder->asker->n;
    for (uint32_t i = 0; i < n; i++)
        builder->members[i].element = i;
    push(builder, (struct piece){0, n, 0, 0, false}, 2 * n);
    while (builder->waiting > 0) {
        const struct piece piece = builder->pieces[--builder->waiting];
        choose_pivot(builder, &piece);
        TRY(ask_for_all(builder, &piece));
        TRY(take_sides(builder, &piece));
    }
    return OK;
}

static enum status build_tree(struct asker *asker, struct probe_tree *tree)
{
    enum status status = OK;
    const uint64_t n = asker->n;
    struct builder builder = {.asker = asker,
                              .members = calloc(n, sizeof *builder.members),
                              .pieces = calloc(n, sizeof *builder.pieces),
                              .parent = calloc(2 * n, sizeof *builder.parent),
                              .nodes = (uint32_t)n};
    if (!builder.members || !builder.pieces || !builder.parent)
        TRY_DONE(out_of_memory("the pieces of a tree"));
    TRY_DONE(build(&builder));
    status = probe_tree_of_parents(builder.parent, n, builder.nodes, tree);
done:
    free_all(builder.members, builder.pieces, builder.parent);
    return status;
}

static enum status reveal(struct asker *asker, struct probe *probe)
{
    TRY(build_tree(asker, &probe->tree));
    probe->sums_to_build = asker->sums;
    TRY(check_tree(asker, probe));
    probe->sums_to_check = asker->sums - probe->sums_to_build;
    return OK;
}

enum status probe_reveal(const struct black_box *box, uint64_t n, struct probe *probe)
{
    *probe = (struct probe){0};
    if (n < 1 || n > PROBE_MOST_N)
        return bad_input("%s: n = %llu; expected from 1 to %d elements; choose such an n", box->name,
                         (unsigned long long)n, PROBE_MOST_N);
    struct asker asker;
    TRY(asker_start(box, n, &asker));
    const enum status status = reveal(&asker, probe);
    asker_end(&asker);
    if (status != OK)
        probe_free(probe);
    return status;
}

void probe_free(struct probe *probe)
{
    probe_tree_free(&probe->tree);
    *probe = (struct probe){0};
}
