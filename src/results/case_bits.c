#include "gathering.h"

#include <math.h>

enum status case_bits_add(struct case_bits *to, const uint64_t *bits, size_t count)
{
    const size_t wanted = to->count + count;
    if (wanted > to->capacity) {
        const size_t capacity = wanted < 16 ? 16 : 2 * wanted;
        uint64_t *grown = reallocarray(to->bits, capacity, sizeof *grown);
        if (!grown)
            return out_of_memory("the statistics");
        to->bits = grown;
        to->capacity = capacity;
    }
    memcpy(to->bits + to->count, bits, count * sizeof *bits);
    to->count = wanted;
    return OK;
}

static int by_bits(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

uint64_t case_bits_distinct(struct case_bits *of)
{
    uint64_t distinct = 0;
    qsort(of->bits, of->count, sizeof *of->bits, by_bits);
    for (size_t i = 0; i < of->count; i++)
        distinct += i == 0 || of->bits[i] != of->bits[i - 1];
    return distinct;
}

double case_bits_spread(const struct case_bits *of, const struct format *format, double ulp)
{
    double least = format_value(format, of->bits[0]), largest = least;
    for (size_t i = 0; i < of->count; i++) {
        const double value = format_value(format, of->bits[i]);
        if (isnan(value))
            return NAN;
        least = fmin(least, value);
        largest = fmax(largest, value);
    }
    return largest / ulp - least / ulp; /* their difference may be out of range */
}
