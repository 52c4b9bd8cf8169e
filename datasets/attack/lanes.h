/* On a GPU a warp makes a child: its 32 lanes throw the same dice and change every 32nd number; breed_sync() stands
 * where one of them reads what another has written.  On the host there is one lane. */
#pragma once

#include "dice.h"

#ifdef __CUDA_ARCH__
#define BREED_LANE threadIdx.x
#define BREED_LANES 32
#define breed_sync() __syncwarp()
#else
#define BREED_LANE 0
#define BREED_LANES 1
#define breed_sync() ((void)0)
#endif
#define FOR_NUMBERS(i, first, end) for (uint64_t i = (first) + BREED_LANE; i < (end); i += BREED_LANES)

/* Dice for each of a lane's next numbers, where those that throw need so many words: as if they had thrown one after
 * the other.  All lanes call it. */
PORTABLE struct dice breed_next_dice(struct dice *dice, bool throws, uint32_t words)
{
    struct dice own = *dice;
#ifdef __CUDA_ARCH__
    const uint32_t all = __ballot_sync(~0u, throws), before = all & ((1u << BREED_LANE) - 1);
    dice_skip(&own, __popc(before) * words);
    dice_skip(dice, __popc(all) * words);
#else
    dice_skip(dice, throws * words);
#endif
    return own;
}

/* One number. */
PORTABLE void breed_set(double *x, uint64_t i, double number)
{
    breed_sync();
    if (BREED_LANE == 0)
        x[i] = number;
    breed_sync();
}
