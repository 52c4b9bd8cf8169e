/* Bits that only have to look random: SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014).  Random data have random.h, with bits of their own for every seed and trial. */
#pragma once

#include "src/base/fp.h"

/* Its number i, counted from 0, of seed 0. */
PORTABLE uint64_t splitmix64(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
