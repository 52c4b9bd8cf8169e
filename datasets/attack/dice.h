/* Words of Philox, one after the other: the same for the same seed, trial, family and throw.  Both compilers read it.
 */
#ifndef ULPSCOPE_DICE_H
#define ULPSCOPE_DICE_H

#include "datasets/random.h"

struct dice {
    const struct generator_call *call; /* seed, trial, family */
    uint64_t throw_number;             /* below 2^48 */
    struct random_block block;
    uint32_t thrown;
};

PORTABLE uint32_t dice_word(struct dice *dice)
{
    if (dice->thrown % 4 == 0)
        dice->block = random_bits(dice->call, dice->throw_number, dice->thrown / 4);
    return dice->block.word[dice->thrown++ % 4];
}

/* [0, count), count < 2^32. */
PORTABLE uint32_t dice_below(struct dice *dice, uint64_t count)
{
    return (uint32_t)((uint64_t)dice_word(dice) * count >> 32);
}

PORTABLE double dice_sign(struct dice *dice)
{
    return dice_below(dice, 2) ? -1 : 1;
}

#endif
