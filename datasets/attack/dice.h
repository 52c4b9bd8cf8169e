/* Words of Philox, one after the other: the same for the same seed, trial, family and throw. */
#pragma once

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

/* Those of child `child` of an island in one of its generations; child == children: those by which an island begins. */
PORTABLE struct dice breed_dice(const struct generator_call *call, uint64_t generation, uint64_t islands,
                                uint64_t island, uint32_t children, uint64_t child)
{
    struct dice dice;
    dice.call = call;
    dice.throw_number = (generation * islands + island) * (children + 1) + child;
    dice.thrown = 0;
    return dice;
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
