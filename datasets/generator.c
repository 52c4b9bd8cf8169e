#include "generator.h"

#include "../src/fp.h"

#include <Random123/philox.h>

#include <assert.h>
#include <string.h>

#define GENERATOR(id) extern const struct generator generator_##id;
#include "generators.def"
#undef GENERATOR

static const struct generator *const table[] = {
#define GENERATOR(id) &generator_##id,
#include "generators.def"
#undef GENERATOR
};

const struct generator *const *generator_table(size_t *count)
{
    *count = sizeof table / sizeof *table;
    return table;
}

const struct generator *generator_find(const char *id)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i]->id, id) == 0)
            return table[i];
    return NULL;
}

uint32_t generator_family(const char *id)
{
    uint32_t hash = 0x811c9dc5;
    for (; *id != '\0'; id++)
        hash = (hash ^ (unsigned char)*id) * 0x01000193u;
    return hash;
}

/* Philox is a permutation of the counter for every key, so the layout only has to be injective:
 *
 *   key      seed 0..31 | seed 32..63
 *   counter  i 0..31 | i 32..47, draw 0..15 | trial 0..31 | family 0..31
 *
 * Nothing is folded or mixed: two draws of one seed never share a counter. */
struct random_bits random_bits(const struct generator_call *call, uint64_t i, uint32_t draw)
{
    assert(i < 1ull << 48 && draw < 1u << 16 && call->trial <= MOST_TRIAL);
    const philox4x32_key_t key = {{(uint32_t)call->seed, (uint32_t)(call->seed >> 32)}};
    const philox4x32_ctr_t counter = {
        {(uint32_t)i, (uint32_t)(i >> 32) | draw << 16, (uint32_t)call->trial, call->family}};
    const philox4x32_ctr_t random = philox4x32(counter, key);
    return (struct random_bits){{random.v[0], random.v[1], random.v[2], random.v[3]}};
}

uint64_t random_half(struct random_bits bits, unsigned half)
{
    return (uint64_t)bits.word[2 * half + 1] << 32 | bits.word[2 * half];
}

float random_unit(uint32_t word)
{
    return (float)(word >> 8) * 0x1p-24f;
}

float random_significand(uint32_t word)
{
    return float_from_bits(0x3f800000u | word >> 9);
}

uint64_t random_below(uint64_t random, uint64_t count)
{
    __extension__ typedef unsigned __int128 product;
    return (uint64_t)((product)random * count >> 64);
}
