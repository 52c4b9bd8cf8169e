#include "spans.h"

#include "src/base/memory.h"

#include <inttypes.h>

/* ---- elements that come together ---- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Two progressions of one step have what they had and their distance in common. */
static void take_in(struct span *span, const struct span *other)
{
    if (span->count == 0) {
        *span = *other;
        return;
    }
    const uint64_t apart = span->first < other->first ? other->first - span->first : span->first - other->first;
    span->step = common_divisor(common_divisor(span->step, other->step), apart);
    span->first = span->first < other->first ? span->first : other->first;
    span->last = span->last > other->last ? span->last : other->last;
    span->count += other->count;
}

/* ---- the walks ---- */

struct walk {
    const struct sum_tree *tree;
    const struct span *spans;
    uint32_t *known; /* of node k the number of its span, from 1; 0: it was not looked at */
};

/* The operand with fewer leaves is walked on, the other one waits: so no more than log2 n do. */
static struct span below(const struct walk *walk, uint32_t node)
{
    enum { WAITING_MOST = 64 };
    uint32_t waiting[WAITING_MOST];
    int count = 0;
    struct span span = {.count = 0};
    for (waiting[count++] = node; count > 0;) {
        uint32_t k = waiting[--count];
        const struct tape_node *at = &walk->tree->joined[k - 1];
        while (at->left != 0 && walk->known[k] == 0) {
            const bool left = walk->tree->place[at->left].leaves >= walk->tree->place[at->right].leaves;
            waiting[count++] = left ? at->left : at->right;
            k = left ? at->right : at->left;
            at = &walk->tree->joined[k - 1];
        }
        if (walk->known[k] != 0)
            take_in(&span, &walk->spans[walk->known[k] - 1]);
        else
            take_in(&span, &(struct span){(uint64_t)at->leaf, (uint64_t)at->leaf, 1, 0, walk->tree->letter});
    }
    return span;
}

/* A node has a greater number than those below it, so that these come first. */
static int by_node(const void *left, const void *right, void *context)
{
    const uint32_t *nodes = context;
    const uint32_t a = nodes[*(const size_t *)left], b = nodes[*(const size_t *)right];
    return (a > b) - (a < b);
}

void spans_find(const struct sum_tree *tree, const uint32_t *nodes, size_t count, struct span *spans)
{
    size_t *order = memory_cleared(count, sizeof *order);
    struct walk walk = {tree, spans, memory_cleared(tree->count + 1, sizeof *walk.known)};
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, by_node, (void *)(uintptr_t)nodes);
    for (size_t i = 0; i < count; i++) {
        spans[order[i]] = below(&walk, nodes[order[i]]);
        walk.known[nodes[order[i]]] = (uint32_t)order[i] + 1;
    }
    free_all(order, walk.known);
}

/* ---- the words ---- */

void span_write(const struct span *span, char text[SPAN_TEXT])
{
    const char x = span->letter;
    if (span->count == 1)
        snprintf(text, SPAN_TEXT, "%c%" PRIu64, x, span->first);
    else if (span->count == 2)
        snprintf(text, SPAN_TEXT, "(%c%" PRIu64 " + %c%" PRIu64 ")", x, span->first, x, span->last);
    else if ((span->last - span->first) / span->step + 1 != span->count)
        snprintf(text, SPAN_TEXT, "%" PRIu64 " of %c%" PRIu64 "..%c%" PRIu64, span->count, x, span->first, x,
                 span->last);
    else if (span->step == 1)
        snprintf(text, SPAN_TEXT, "%c%" PRIu64 "..%c%" PRIu64 " (%" PRIu64 ")", x, span->first, x, span->last,
                 span->count);
    else
        snprintf(text, SPAN_TEXT, "%c%" PRIu64 ", %c%" PRIu64 "..%c%" PRIu64 " (%" PRIu64 ")", x, span->first, x,
                 span->first + span->step, x, span->last, span->count);
}
