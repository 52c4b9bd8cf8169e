/* Children of many islands at once, on a GPU: breed.h once more, read by nvcc. */
#pragma once

#include "breed.h"

/* What is asked of an island in a generation. */
struct breed_brood {
    uint64_t generation;
    uint32_t children; /* the first ones are made, the others left as they were */
};

/* All pointers but `of.nodes`'s, which is one too, are device memory; numbers stand one island, or child, after the
 * other, n each. */
struct breed_round {
    struct breed of;
    struct generator_call dice; /* seed and stream */
    uint64_t islands;
    uint32_t children; /* of an island, at most */
    const struct breed_brood *broods;
    const double *parents, *others; /* of each island; those that crossing takes from */
    const uint32_t *element;        /* of a rank */
    bool is_binary64;               /* rows, else binary32 */
    double *numbers;                /* of children, by ranks */
    void *rows;                     /* the same, by elements, as the host holds them */
    double *largest;                /* of each child: max |x_i| */
    uint8_t *changes;               /* of each child: enum breed_change */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Each returns a cudaError_t, and may return before the kernel ends. */
int breed_children(const struct breed_round *round);

/* Of each island the child that is its next parent, and the one that is its highest; NO_CHILD: as before. */
enum { NO_CHILD = 255 };
struct breed_choice {
    uint8_t parent, highest;
};
int breed_choose(const struct breed_round *round, const struct breed_choice *choices, double *parents, double *highest);

#ifdef __cplusplus
}
#endif
