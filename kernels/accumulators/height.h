/* The height of the tree, measured instead of summed: the most additions and merges on any path from an element to the
 * result.  The values of the data play no part.  It exists to prove every order's height formula.
 *
 *   serial over n elements: n      a tree of 4 threads with one element each: 1 + 2 = 3
 *
 * A merge with an empty state moves a state and rounds nothing, so it does not count.
 * The result is exact up to 2^24, where binary32 stops counting.
 */
#if REAL_PRECISION != 24
#define ABSENT "the tree is the same for every format: see height in binary32"
#else
#define height_MEASURES 1 /* no state is worth a sum */

struct height {
    uint32_t height; /* 0: empty */
};

PORTABLE struct height height_zero(void)
{
    struct height s;
    s.height = 0;
    return s;
}

PORTABLE struct height height_add(struct height s, real x)
{
    (void)x;
    s.height += 1;
    return s;
}

PORTABLE struct height height_merge(struct height a, struct height b)
{
    if (a.height == 0)
        return b;
    if (b.height == 0)
        return a;
    a.height = (a.height > b.height ? a.height : b.height) + 1;
    return a;
}

PORTABLE double height_result(struct height s)
{
    return s.height;
}

#define height_HAS_ATOMIC 1
#define height_ATOMIC_LOSS 0.0

#ifdef __CUDACC__
static __device__ void height_merge_atomic(struct height *total, struct height s)
{
    struct height seen, merged;
    uint32_t found = total->height;
    do {
        seen.height = found;
        merged = height_merge(seen, s);
        found = atomicCAS(&total->height, seen.height, merged.height);
    } while (found != seen.height);
}
#else
static inline double height_bound(const struct claim *of)
{
    (void)of;
    return INFINITY; /* not a sum: nothing to bound */
}
#endif
#endif
