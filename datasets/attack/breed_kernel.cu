/* A warp makes a child (breed.h). */
#include "breed_kernel.h"

constexpr unsigned LANES = 32, WARPS = 4;

static __device__ double largest_of_warp(double largest)
{
    for (unsigned apart = LANES / 2; apart > 0; apart /= 2) {
        const double other = __shfl_xor_sync(~0u, largest, apart);
        largest = other > largest ? other : largest;
    }
    return largest;
}

/* The row, and its largest number. */
static __device__ void write_row(const struct breed_round &round, uint64_t child, const double *numbers, unsigned lane)
{
    const uint64_t n = round.of.n;
    double largest = 0;
    for (uint64_t r = lane; r < n; r += LANES) {
        const uint64_t place = child * n + round.element[r];
        const double x = numbers[r], magnitude = x < 0 ? -x : x;
        if (round.is_binary64)
            ((double *)round.rows)[place] = x;
        else
            ((float *)round.rows)[place] = (float)x;
        largest = magnitude > largest ? magnitude : largest;
    }
    largest = largest_of_warp(largest);
    if (lane == 0)
        round.largest[child] = largest;
}

static __global__ void __launch_bounds__(LANES *WARPS) make_children(struct breed_round round)
{
    const uint64_t child = (uint64_t)blockIdx.x * WARPS + threadIdx.y, island = child / round.children,
                   k = child % round.children, n = round.of.n;
    const unsigned lane = threadIdx.x;
    if (island >= round.islands || k >= round.broods[island].children)
        return;
    double *numbers = round.numbers + child * n;
    struct dice dice =
        breed_dice(&round.dice, round.broods[island].generation, round.islands, island, round.children, k);
    const double *other = round.others + dice_below(&dice, round.islands) * n;
    const enum breed_change by = breed_child(&round.of, &dice, round.parents + island * n, other, numbers);
    if (lane == 0)
        round.changes[child] = (uint8_t)by;
    write_row(round, child, numbers, lane);
}

int breed_children(const struct breed_round *round)
{
    const uint64_t children = round->islands * round->children;
    make_children<<<(unsigned)((children + WARPS - 1) / WARPS), dim3(LANES, WARPS)>>>(*round);
    return (int)cudaGetLastError();
}

static __global__ void __launch_bounds__(LANES *WARPS)
    choose_children(struct breed_round round, const struct breed_choice *choices, double *parents, double *highest)
{
    const uint64_t island = (uint64_t)blockIdx.x * WARPS + threadIdx.y, n = round.of.n;
    if (island >= round.islands)
        return;
    const struct breed_choice choice = choices[island];
    const double *children = round.numbers + island * round.children * n;
    for (uint64_t r = threadIdx.x; r < n; r += LANES) {
        if (choice.parent != NO_CHILD)
            parents[island * n + r] = children[choice.parent * n + r];
        if (choice.highest != NO_CHILD)
            highest[island * n + r] = children[choice.highest * n + r];
    }
}

int breed_choose(const struct breed_round *round, const struct breed_choice *choices, double *parents, double *highest)
{
    choose_children<<<(unsigned)((round->islands + WARPS - 1) / WARPS), dim3(LANES, WARPS)>>>(*round, choices, parents,
                                                                                              highest);
    return (int)cudaGetLastError();
}
