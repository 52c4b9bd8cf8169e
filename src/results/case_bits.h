/* The results that equal data gave, as bits: how many are different, and how far they are apart. */
#pragma once

#include "src/base/format.h"
#include "src/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct case_bits {
    uint64_t *bits; /* all 0 at first; whoever has it frees them */
    size_t count, capacity;
};

enum status case_bits_add(struct case_bits *to, const uint64_t *bits, size_t count);

/* Sorts them. */
uint64_t case_bits_distinct(struct case_bits *of);

/* The largest less the least of several results, in ulp(s); NaN where one is a NaN. */
double case_bits_spread(const struct case_bits *of, const struct format *format, double ulp);
