/* The sums under test: four chains, as a vector unit adds.  The broken one forgets what is beyond the last whole
 * vector. */
#ifndef SUMS_H
#define SUMS_H

#include <stddef.h>

enum { N = 1003 };

static inline float four_chains(const float *x, size_t n, int broken)
{
    float chains[4] = {0, 0, 0, 0};
    const size_t whole = n - n % 4;
    for (size_t i = 0; i < (broken ? whole : n); i++)
        chains[i % 4] += x[i];
    return (chains[0] + chains[1]) + (chains[2] + chains[3]);
}

/* 1, 1/2, 1/3 ... */
static inline const float *data(void)
{
    static float x[N];
    for (int i = 0; i < N; i++)
        x[i] = 1.0f / (float)(i + 1);
    return x;
}

#endif
