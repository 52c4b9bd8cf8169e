/* The mean as one goes: m += (x - m) / k; two means are merged by their weights.
 *
 *   {1, 2, 6}:  1, 1 + (2 - 1) / 2 = 1.5, 1.5 + (6 - 1.5) / 3 = 3
 *   (1.5 of 2) with (6 of 1):  r = 1/3, m = 1.5 + 4.5 r
 *
 * Its result is a mean, no sum: kernels/statistics.def has it.  Bound: kernels/statistic_bound.c.
 */
struct running {
    real mean;
    uint32_t count;
};

PORTABLE struct running running_zero(void)
{
    struct running s;
    s.mean = 0;
    s.count = 0;
    return s;
}

PORTABLE struct running running_add(struct running s, real x)
{
    s.count += 1;
    s.mean = RN(s.mean + RN(RN(x - s.mean) / real_of_count(s.count)));
    return s;
}

PORTABLE struct running running_merge(struct running a, struct running b)
{
    const uint32_t count = a.count + b.count;
    real share = RN(real_of_count(1) / real_of_count(2)); /* of most merges of a tree, without a division */
    if (a.count != b.count || count == 0) {
        if (a.count == 0 || b.count == 0)
            return a.count == 0 ? b : a;
        share = RN(real_of_count(b.count) / real_of_count(count));
    }
    a.mean = RN(a.mean + RN(RN(b.mean - a.mean) * share));
    a.count = count;
    return a;
}

PORTABLE double running_result(struct running s)
{
    return (double)s.mean;
}

#define running_FUSES_ROWS (REAL_PRECISION >= 24) /* as plain does: vector_rows.h */
#define running_ALGORITHM BY_RUNNING
#define running_MEASURES 1 /* no state is worth a sum */

#ifndef __CUDACC__
static inline double running_bound(const struct claim *of)
{
    (void)of;
    return INFINITY; /* of a sum nothing */
}
#endif
