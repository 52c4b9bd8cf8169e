/* Small trees of additions and merges, and what an accumulator makes of numbers in one; after random.h and the
 * accumulators.
 *
 *   SUM_IN_TREES(kahan)    struct kahan kahan_state(tree, x), and real kahan_sum(tree, x)
 */
#ifndef ULPSCOPE_TESTS_TREES_H
#define ULPSCOPE_TESTS_TREES_H

enum { MOST_TERMS = 64 };

/* Postfix.  FIRST: a new state and its first term; NEXT: a term to the last state; MERGE, SWAPPED: the last two states.
 */
enum tree_step { FIRST, NEXT, MERGE, SWAPPED };

struct tree {
    size_t count;
    unsigned char steps[2 * MOST_TERMS];
};

#define SUM_IN_TREES(id)                                                                                               \
    static struct id id##_state(const struct tree *tree, const real *x)                                                \
    {                                                                                                                  \
        struct id states[MOST_TERMS + 1], *next = states;                                                              \
        *next = id##_zero();                                                                                           \
        for (size_t k = 0; k < tree->count; k++) {                                                                     \
            const unsigned char step = tree->steps[k];                                                                 \
            if (step == FIRST)                                                                                         \
                *next++ = id##_add(id##_zero(), *x++);                                                                 \
            else if (step == NEXT)                                                                                     \
                next[-1] = id##_add(next[-1], *x++);                                                                   \
            else {                                                                                                     \
                next--;                                                                                                \
                next[-1] = step == MERGE ? id##_merge(next[-1], *next) : id##_merge(*next, next[-1]);                  \
            }                                                                                                          \
        }                                                                                                              \
        return states[0];                                                                                              \
    }                                                                                                                  \
    static real id##_sum(const struct tree *tree, const real *x)                                                       \
    {                                                                                                                  \
        return (real)id##_result(id##_state(tree, x));                                                                 \
    }

static inline struct tree serial(size_t n)
{
    struct tree tree = {.count = n};
    memset(tree.steps, NEXT, n);
    tree.steps[0] = FIRST;
    return tree;
}

static inline uint64_t height_of(const struct tree *tree)
{
    uint64_t heights[MOST_TERMS + 1] = {0}, *next = heights;
    for (size_t k = 0; k < tree->count; k++) {
        if (tree->steps[k] == FIRST)
            *next++ = 1;
        else if (tree->steps[k] == NEXT)
            next[-1]++;
        else {
            next--;
            next[-1] = (next[-1] > *next ? next[-1] : *next) + 1;
        }
    }
    return heights[0];
}

static inline struct tree some_tree(size_t n)
{
    struct tree tree = {0};
    for (size_t left = n, states = 0; left > 0 || states > 1;) {
        const bool may_merge = states > 1, must_merge = left == 0;
        enum tree_step step = must_merge || (may_merge && below(3) == 0) ? (below(2) ? MERGE : SWAPPED)
                              : states == 0 || below(2)                  ? FIRST
                                                                         : NEXT;
        tree.steps[tree.count++] = (unsigned char)step;
        left -= step == FIRST || step == NEXT;
        states = step == FIRST ? states + 1 : step == NEXT ? states : states - 1;
    }
    return tree;
}

/* Calls visit() with every tree of n terms in their order. */
typedef void tree_visitor(const struct tree *tree, size_t n, void *context);

static inline size_t grow_trees(struct tree tree, size_t n, size_t left, size_t states, tree_visitor *visit,
                                void *context)
{
    size_t trees = 0;
    if (left == 0 && states == 1) {
        visit(&tree, n, context);
        return 1;
    }
    for (enum tree_step step = FIRST; step <= SWAPPED; step++) {
        const bool takes = step == FIRST || step == NEXT;
        if (takes ? left == 0 || (step == NEXT && states == 0) : states < 2)
            continue;
        struct tree grown = tree;
        grown.steps[grown.count++] = (unsigned char)step;
        trees += grow_trees(grown, n, left - takes,
                            step == FIRST  ? states + 1
                            : step == NEXT ? states
                                           : states - 1,
                            visit, context);
    }
    return trees;
}

static inline size_t for_each_tree(size_t n, tree_visitor *visit, void *context)
{
    return grow_trees((struct tree){0}, n, n, 0, visit, context);
}

#endif
