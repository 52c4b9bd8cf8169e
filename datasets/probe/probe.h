/* The order in which a black box adds, seen from its results alone.
 *
 *   Put 2^100 at element i, -2^100 at element j and 1 at all others.  On its way to -2^100, 2^100 absorbs every 1 that
 *   it meets, and so does -2^100; where both meet they cancel.  What is left are the ones that are added later:
 *
 *       sum = n - (elements below the node in which i and j meet)
 *
 *   plain/tree_two_pass, 4 threads, 4 elements: ((x0 + x2) + (x1 + x3))
 *       2^100 at 0, -2^100 at 2:   1s at 1 and 3 are left: 2       x0 and x2 meet first
 *       2^100 at 0, -2^100 at 1:   nothing is left: 0              x0 and x1 meet in the sum of all 4
 *
 * From these numbers a tree is built.  The idea is that of FPRev (Xie, Gao, Wang & Xue, arXiv 2411.00442); which pairs
 * are asked for, why that is enough, and what is checked afterwards is in docs/explain.md.
 *
 * 2^100 absorbs sums of up to 2^24 ones in binary32, in binary64 and in x87's 64 bits: ulp(2^100)/2 is 2^76, 2^47 and
 * 2^36.  What remembers the ones beside 2^100 (a compensation, an exact sum, a pair of numbers) is seen, and refused.
 * Formats without 2^100 have their largest power of two and their least number for it; where a format of sums does not
 * count to n, some ones are counted at a time and the others are 0 meanwhile (asker.c).
 */
#pragma once

#include "probe_tree.h"

/* As many nodes have a number. */
enum { PROBE_MOST_N = SUM_TREE_MOST_N };

struct black_box {
    const char *name; /* starts every complaint */

    /* The sum of n elements, as format_held() has those of the format. */
    enum status (*sum)(void *context, const void *x, uint64_t n, double *result);
    void *context;
    uint64_t most_sums;          /* that it may be asked for before the tree is built; 0: any number */
    const struct sum_format *in; /* what it is said to store, add in, and return; NULL: binary32 */
    bool is_quiet;               /* a refusal is not complained about */
    bool is_hint;                /* that is enough: no pairs are held to the tree, and of other data few */
};

/* What the nodes of the tree are. */
enum probe_order {
    PROBE_ORDERED, /* additions of two, each rounded */
    PROBE_FUSED, /* more than two at a time: nobody knows how these are rounded, and the order within one is nothing */
    PROBE_NO_ORDER, /* all elements at a time, in whatever order they come: a reproducible sum */
};

struct probe {
    struct probe_tree tree;
    enum probe_order order;
    const struct format *added; /* of an order: sums of other data, over up to 80 binades, have the bits of additions in
                                   this format, rounded to that of the result once.  Else NULL */
    uint64_t sums_to_build, sums_to_check;
    uint64_t pairs; /* held to the tree, each asked for twice, with the signs changed */
    bool all_pairs;
};

/* Complains and returns BAD_INPUT, with *probe empty, when these are not the sums of one tree; NOT_MEASURED when they
 * would be more than most_sums; or what the black box returned. */
enum status probe_reveal(const struct black_box *box, uint64_t n, struct probe *probe);
void probe_free(struct probe *probe);

/* The sum of n numbers in a tree of additions of two, each rounded to `added`; made: room for as many as there are
 * nodes and one. */
double probe_add(const struct probe_tree *tree, const struct format *added, const double *x, double *made);
