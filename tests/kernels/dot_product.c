/* What contraction does change: compiled twice, with it and without, as two functions DOT_PRODUCT. */
#include <stddef.h>

float DOT_PRODUCT(const float *x, const float *y, size_t n);

float DOT_PRODUCT(const float *x, const float *y, size_t n)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}
