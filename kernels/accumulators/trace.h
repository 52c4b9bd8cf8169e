/* The tree itself: every addition and merge is recorded on the thread's tape (kernels/tape.h), from which it can be
 * printed, drawn and walked.  Host only.  Leaves are labelled with the values of the data, so that summing 0, 1, 2, ...
 * shows the indices.
 *
 *   plain/tree_two_pass, 4 threads, 0 1 2 3   ((0 + 2) + (1 + 3))
 *
 * A merge with an empty state makes no node.
 */
#if REAL_PRECISION != 24
#define ABSENT "the tree is the same for every format: see trace in binary32"
#else
#include "kernels/tape.h"

#define trace_MEASURES 1 /* no state is worth a sum */

struct trace {
    uint64_t node; /* 0: empty, else 1 + index on the tape */
};

PORTABLE struct trace trace_zero(void)
{
    return (struct trace){0};
}

PORTABLE struct trace trace_merge(struct trace a, struct trace b)
{
    return (struct trace){tape_merge(a.node, b.node)};
}

PORTABLE struct trace trace_add(struct trace s, real x)
{
    return (struct trace){tape_add(s.node, (double)x)};
}

/* The root's number on the tape. */
PORTABLE double trace_result(struct trace s)
{
    return (double)s.node;
}

#define trace_HAS_ATOMIC 1
#define trace_ATOMIC_LOSS 0.0

static inline double trace_bound(const struct claim *of)
{
    (void)of;
    return INFINITY; /* not a sum: nothing to bound */
}
#endif
