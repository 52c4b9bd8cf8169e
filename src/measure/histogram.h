/* A histogram of relative errors, as rounded to binary64, by binades: bin k counts [2^k, 2^(k+1)) for k < 0; four
 * counts apart. */
#pragma once

#include <stdint.h>

enum { HISTOGRAM_LEAST = -1074 }; /* binary64 has no number between 0 and 2^-1074 */

struct histogram {
    uint64_t bin[-HISTOGRAM_LEAST]; /* bin k is bin[k - HISTOGRAM_LEAST] */
    uint64_t exact;                 /* error 0 */
    uint64_t no_digit;              /* 1 and more, also what binary64 has no number for: no digit is right */
    uint64_t nonfinite;             /* computed or s is no finite number */
    uint64_t undefined;             /* s is 0 and computed is not */
};

enum histogram_kind { ERROR_DEFINED, ERROR_NONFINITE, ERROR_UNDEFINED };

void histogram_count(struct histogram *histogram, enum histogram_kind kind, double relative_error, uint64_t times);
uint64_t histogram_total(const struct histogram *histogram);

/* The occupied range of bins; false when no bin is. */
int histogram_range(const struct histogram *histogram, int *least, int *most);
