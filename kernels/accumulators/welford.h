/* Mean and sum of squared deviations as one goes (Welford, Technometrics 4 (1962) 419); two are merged by the formula
 * of Chan, Golub and LeVeque (American Statistician 37 (1983) 242), with PyTorch's order of operations.
 *
 *   {1, 2, 6}:  M2 = 0, then 1 * 0.5 = 0.5, then 0.5 + 4.5 * 3 = 14
 *   (1.5, 0.5 of 2) with (6, 0 of 1):  d = 4.5, r = 1/3:  M2 = 0.5 + ((d d) 2) r = 14
 *
 * M2 is never negative: x - m before and after the step have one sign, or one is 0.  Its result is M2, no sum of the
 * data: kernels/statistics.def has it.  Bound: kernels/statistic_bound.c.
 */
struct welford {
    real mean, squares;
    uint32_t count;
};

PORTABLE struct welford welford_zero(void)
{
    struct welford s;
    s.mean = 0;
    s.squares = 0;
    s.count = 0;
    return s;
}

PORTABLE struct welford welford_add(struct welford s, real x)
{
    const real before = RN(x - s.mean);
    s.count += 1;
    s.mean = RN(s.mean + RN(before / real_of_count(s.count)));
    s.squares = RN(s.squares + RN(before * RN(x - s.mean)));
    return s;
}

PORTABLE struct welford welford_merge(struct welford a, struct welford b)
{
    const uint32_t count = a.count + b.count;
    real share = RN(real_of_count(1) / real_of_count(2)); /* of most merges of a tree, without a division */
    if (a.count != b.count || count == 0) {
        if (a.count == 0 || b.count == 0)
            return a.count == 0 ? b : a;
        share = RN(real_of_count(b.count) / real_of_count(count));
    }
    const real apart = RN(b.mean - a.mean);
    const real between = RN(RN(RN(apart * apart) * real_of_count(a.count)) * share);
    a.mean = RN(a.mean + RN(apart * share));
    a.squares = RN(RN(a.squares + b.squares) + between);
    a.count = count;
    return a;
}

PORTABLE double welford_result(struct welford s)
{
    return (double)s.squares;
}

#define welford_FUSES_ROWS (REAL_PRECISION >= 24) /* as plain does: vector_rows.h */
#define welford_ALGORITHM BY_CHAN
#define welford_MEASURES 1 /* no state is worth a sum */

#ifndef __CUDACC__
static inline double welford_bound(const struct claim *of)
{
    (void)of;
    return INFINITY; /* of a sum nothing */
}
#endif
