/* How many bits fell off in an addition: those of the exact sum of both operands behind the last place of the result.
 *
 *   binary32, 2^24 + 1 = 2^24       the last place is 2, the exact sum 2^24 + 1 has a bit below it: 1, all that 1 has
 *   binary32, 2^24 + 3 = 2^24 + 4   1 of the 2 bits of 3
 */
#pragma once

#include "src/teach/additions.h"

struct bits_lost {
    bool known; /* false: the state has several parts and no last place, or is not finite */
    int bits;
    bool all; /* no bit of the smaller operand is at or above the last place */
};

struct bits_lost bits_lost_in(const struct additions *of, uint32_t node);
