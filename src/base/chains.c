#include "chains.h"

/* Of two numbers of the format; a sum that was rounded to binary64 first is rounded as if it was not. */
static double add(const struct chains *chains, double a, double b)
{
    const struct format *added = chains->added;
    if (added->precision == FORMAT_BINARY32.precision)
        return (double)(float)(a + b);
    return added->precision == FORMAT_BINARY64.precision ? a + b : rounded_to(a + b, added);
}

static double joined(const struct chains *chains, double *r)
{
    if (chains->join == JOINED_IN_TURN) {
        for (uint32_t k = 1; k < chains->count; k++)
            r[0] = add(chains, r[0], r[k]);
        return r[0];
    }
    for (uint32_t left = chains->count / 2; left > 0; left /= 2)
        for (uint32_t k = 0; k < left; k++)
            r[k] =
                chains->join == JOINED_PAIRWISE ? add(chains, r[2 * k], r[2 * k + 1]) : add(chains, r[k], r[k + left]);
    return r[0];
}

static double sum_of_block(const struct chains *chains, const double *x, uint64_t n)
{
    double r[CHAINS_MOST] = {0};
    const uint64_t in_chains = chains->has_tail ? n - n % chains->count : n;
    for (uint64_t i = 0; i < in_chains; i++)
        r[i % chains->count] = add(chains, r[i % chains->count], x[i]);
    double sum = joined(chains, r);
    for (uint64_t i = in_chains; i < n; i++)
        sum = add(chains, sum, x[i]);
    return sum;
}

/* Halves are whole chains: as high as the logarithm of n. */
double chains_sum(const struct chains *chains, const double *x, uint64_t n)
{
    if (chains->block == 0 || n <= chains->block)
        return sum_of_block(chains, x, n);
    const uint64_t half = n / 2 - n / 2 % chains->count;
    return add(chains, chains_sum(chains, x, half), chains_sum(chains, x + half, n - half));
}

/* ---- all of them ---- */

/* Whether n elements tell it from those before it. */
static bool is_another(const struct chains *chains, uint64_t n)
{
    const uint64_t least = chains->block > 0 ? chains->block : chains->count;
    if (chains->count == 1 && (chains->block == 0 || chains->join != JOINED_IN_TURN || chains->has_tail))
        return false; /* one after another is a method; a chain is joined with none */
    if (chains->count == 2 && chains->join != JOINED_IN_TURN)
        return false;
    return n > least &&
           chains->count <= (chains->block > 0  ? chains->block / 2
                             : chains->has_tail ? n
                                                : n / 2) &&
           !(chains->has_tail && n % chains->count == 0);
}

/* One more, as a counter counts: count, join, tail, block. */
static bool step(struct chains *chains)
{
    enum { BLOCK_LEAST = 8, BLOCK_MOST = 1024 };
    chains->count *= 2;
    if (chains->count <= CHAINS_MOST)
        return true;
    chains->count = 1;
    if (chains->join < JOINED_IN_HALVES) {
        chains->join++;
        return true;
    }
    chains->join = JOINED_IN_TURN;
    chains->has_tail = !chains->has_tail;
    if (chains->has_tail)
        return true;
    chains->block = chains->block == 0 ? BLOCK_LEAST : 2 * chains->block;
    return chains->block <= BLOCK_MOST;
}

bool chains_next(const struct format *added, uint64_t n, struct chains *chains)
{
    if (!chains->added)
        *chains = (struct chains){.count = 1, .added = added};
    while (step(chains))
        if (is_another(chains, n))
            return true;
    return false;
}
