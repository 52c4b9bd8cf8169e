/* A tree of plain additions, as far as a bound asks for it. */
#pragma once

#include <stdint.h>

struct plain_tree {
    uint64_t height;  /* the most additions that a number goes through */
    uint32_t atomics; /* the sums that atomicAdd merges */
};
