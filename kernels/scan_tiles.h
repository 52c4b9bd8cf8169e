/* Scans of tiles in one pass over memory, two_level and look_back of scan.h: a thread has SCAN_ITEMS neighbours. */
#pragma once

#include "order.h"
#include "scan.h"

static_assert((int)SCAN_ITEMS % (int)LOADS_AHEAD == 0, "a thread of a tile loads by vectors");

struct scanned {
    struct numbers x;
    uint64_t n, window;
    uint64_t chunk; /* of this launch */
    void *at;       /* the results */
    enum stored_format result;
    STATE *states; /* the scratch memory */
};

/* ---- tiles ---- */

struct items {
    real x[SCAN_ITEMS];
    int count;
};

static __device__ struct items load_items(const struct scanned &of, uint64_t first)
{
    struct items items;
    items.count = first >= of.n ? 0 : (int)at_most(SCAN_ITEMS, of.n - first);
    if (items.count == SCAN_ITEMS)
#pragma unroll
        for (int k = 0; k < SCAN_ITEMS; k += LOADS_AHEAD)
            load_neighbours(items.x + k, of.x, first + (uint64_t)k);
    else
#pragma unroll
        for (int k = 0; k < SCAN_ITEMS; k++)
            items.x[k] = k < items.count ? load(of.x, first + (uint64_t)k) : 0;
    return items;
}

static __device__ STATE sum_of_items(const struct items &items)
{
    STATE s = A(zero)();
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k++)
        if (k < items.count)
            s = A(add)(s, items.x[k]);
    return s;
}

/* Of a warp, or of what a block has of its last: its threads, and who they are to __syncwarp(). */
static __device__ uint32_t lanes_of_warp()
{
    const uint32_t left = blockDim.x - threadIdx.x / WARP * WARP;
    return left < WARP ? left : WARP;
}

static __device__ uint32_t all_lanes(uint32_t lanes)
{
    return lanes < WARP ? (1u << lanes) - 1 : 0xffffffffu;
}

/* Then a warp's part of shared has the sums of its threads, each with those before it; and others may read it. */
static __device__ void scan_warps(STATE *shared, STATE mine)
{
    const uint32_t lanes = lanes_of_warp(), lane = threadIdx.x % WARP;
    shared[threadIdx.x] = mine;
    __syncwarp(all_lanes(lanes));
    for (uint32_t d = 1; d < lanes; d *= 2) {
        if (lane >= d)
            mine = A(merge)(mine, shared[threadIdx.x - d]);
        __syncwarp(all_lanes(lanes));
        shared[threadIdx.x] = mine;
        __syncwarp(all_lanes(lanes));
    }
    __syncthreads();
}

/* Of the first threads; whole warps left to right. */
static __device__ STATE sum_of_threads(const STATE *shared, uint32_t count)
{
    const uint32_t warps = count / WARP;
    STATE sum = shared[count < WARP ? count - 1 : WARP - 1];
#pragma unroll 4
    for (uint32_t w = 1; w < warps; w++)
        sum = A(merge)(sum, shared[w * WARP + WARP - 1]);
    return warps > 0 && count % WARP > 0 ? A(merge)(sum, shared[count - 1]) : sum;
}

/* By vectors, where there is all of them. */
template <typename Stored> static __device__ void put_items_as(Stored *to, const struct items &items, STATE before)
{
    enum { OF_PIECE = 16 / sizeof(Stored) };
    struct alignas(16) piece {
        Stored elements[OF_PIECE];
    };
    STATE own = A(zero)();
#pragma unroll
    for (int k = 0; k < SCAN_ITEMS; k += OF_PIECE) {
        struct piece piece;
#pragma unroll
        for (int e = 0; e < OF_PIECE; e++) {
            own = A(add)(own, items.x[k + e]);
            piece.elements[e] = (Stored)A(result)(A(merge)(before, own));
            if (items.count < SCAN_ITEMS && k + e < items.count)
                to[k + e] = piece.elements[e];
        }
        if (items.count == SCAN_ITEMS)
            ((struct piece *)to)[k / OF_PIECE] = piece;
    }
}

static __device__ void put_items(const struct scanned &of, uint64_t first, const struct items &items, STATE before)
{
    switch (of.result) {
#define OF(id, type)                                                                                                   \
    case STORED_##id:                                                                                                  \
        put_items_as((type *)of.at + first, items, before);                                                            \
        break;
        RESULT_FORMATS(OF)
#undef OF
    default:
        __builtin_unreachable();
    }
}

/* ---- two_level and look_back: one pass over tiles as blocks take them ---- */

enum what { NOTHING, SUM, PREFIX };

/* What a tile has told those behind it: each word beside what it is of, so that no word is waited for twice. */
struct told {
    uint2 words[sizeof(STATE) / sizeof(uint32_t)];
};

struct one_pass {
    struct told *places;
    uint32_t *next; /* tile */
    uint64_t tiles;
};

static __device__ void tell(struct told *place, STATE state, enum what what)
{
    uint32_t words[sizeof(STATE) / sizeof(uint32_t)];
    memcpy(words, &state, sizeof state);
#pragma unroll 4
    for (int w = 0; w < (int)(sizeof(STATE) / sizeof(uint32_t)); w++)
        *(volatile uint64_t *)&place->words[w] = (uint64_t)what << 32 | words[w];
}

/* Not from a cache that does not know what other multiprocessors have written. */
static __device__ STATE wait_for(const struct told *place, enum what *what)
{
    uint32_t words[sizeof(STATE) / sizeof(uint32_t)];
    STATE state;
    bool is_whole;
    do {
        is_whole = true;
#pragma unroll 4
        for (int w = 0; w < (int)(sizeof(STATE) / sizeof(uint32_t)); w++) {
            const uint64_t word = *(const volatile uint64_t *)&place->words[w];
            words[w] = (uint32_t)word;
            is_whole = is_whole && word >> 32 != NOTHING && (w == 0 || word >> 32 == *what);
            *what = (enum what)(word >> 32);
        }
    } while (!is_whole);
    memcpy(&state, words, sizeof state);
    return state;
}

/* Of `count` places, fewer than SCAN_FAN, left to right, by the threads of the first warp; each has it. */
static __device__ STATE sum_of_places(const struct one_pass &of, uint64_t first, uint32_t count, STATE *of_lanes)
{
    const uint32_t lanes = lanes_of_warp(), lane = threadIdx.x;
    STATE sum = A(zero)();
    for (uint32_t done = 0; done < count; done += lanes) {
        enum what what;
        if (lane < count - done)
            of_lanes[lane] = wait_for(&of.places[first + done + lane], &what);
        __syncwarp(all_lanes(lanes));
#pragma unroll 4
        for (uint32_t k = 0; k < lanes && k < count - done; k++)
            sum = done + k == 0 ? of_lanes[0] : A(merge)(sum, of_lanes[k]);
        __syncwarp(all_lanes(lanes));
    }
    return sum;
}

/* The sums of tiles are followed by those of SCAN_FAN tiles, of SCAN_FAN times as many, and so on. */
static __device__ uint64_t level_place(uint64_t tiles, int level, uint64_t of_level)
{
    for (; level > 0; level--)
        of_level += tiles >> (SCAN_FAN_BITS * (level - 1));
    return of_level;
}

static __device__ STATE sum_of_level(const struct one_pass &of, uint64_t tile, int level, STATE *shared)
{
    const uint64_t own = scan_of_level(tile, level), before = own % SCAN_FAN;
    return sum_of_places(of, level_place(of.tiles, level, own - before), (uint32_t)before, shared);
}

static __device__ uint64_t next_tile(const struct one_pass &of)
{
    __shared__ uint32_t number;
    if (threadIdx.x == 0)
        number = atomicAdd(of.next, 1u);
    __syncthreads();
    return number;
}

static __device__ uint64_t first_item(uint64_t tile)
{
    return (tile * blockDim.x + threadIdx.x) * SCAN_ITEMS;
}

static __device__ bool ends_group(uint64_t tile, int level)
{
    return scan_of_level(tile, level) % SCAN_FAN == SCAN_FAN - 1;
}

/* The last of a group tells the group's sum, too. */
static __device__ void tell_sum(const struct scanned &of, const struct one_pass &pass, uint64_t tile, STATE *shared)
{
    scan_warps(shared, sum_of_items(load_items(of, first_item(tile))));
    if (threadIdx.x >= WARP)
        return;
    STATE sum = sum_of_threads(shared, blockDim.x);
    if (threadIdx.x == 0)
        tell(&pass.places[tile], sum, SUM);
    for (int level = 0; ends_group(tile, level); level++) {
        sum = A(merge)(sum_of_level(pass, tile, level, shared + blockDim.x), sum);
        if (threadIdx.x == 0)
            tell(&pass.places[level_place(pass.tiles, level + 1, scan_of_level(tile, level + 1))], sum, SUM);
    }
}

static __device__ struct told *place_before_group(const struct one_pass &of, uint64_t tile)
{
    return &of.places[2 * of.tiles + tile / SCAN_FAN];
}

/* What is before a tile's group, which all of it would look for at the same places. */
static __device__ void tell_before_group(const struct one_pass &of, uint64_t tile, STATE *of_lanes)
{
    STATE before = A(zero)();
    for (int level = SCAN_LEVELS - 1; threadIdx.x < WARP && level > 0; level--)
        if (scan_of_level(tile, level) % SCAN_FAN > 0)
            before = A(merge)(before, sum_of_level(of, tile, level, of_lanes));
    if (threadIdx.x == 0)
        tell(place_before_group(of, tile), before, SUM);
}

static __device__ STATE before_tile(const struct one_pass &of, uint64_t tile, STATE *of_lanes)
{
    enum what what;
    const STATE in_group = sum_of_level(of, tile, 0, of_lanes), before = wait_for(place_before_group(of, tile), &what);
    return tile % SCAN_FAN > 0 ? A(merge)(before, in_group) : before;
}

static __device__ void put_thread(const struct scanned &of, uint64_t tile, const struct items &items, STATE before,
                                  const STATE *shared)
{
    if (threadIdx.x > 0)
        before = A(merge)(before, sum_of_threads(shared, threadIdx.x));
    put_items(of, first_item(tile), items, before);
}

static __device__ void put_tile(const struct scanned &of, const struct one_pass &pass, uint64_t tile, STATE *shared)
{
    __shared__ STATE before_all;
    const struct items items = load_items(of, first_item(tile));
    if (threadIdx.x < WARP) {
        const STATE before = before_tile(pass, tile, shared + blockDim.x);
        if (threadIdx.x == 0)
            before_all = before;
    }
    scan_warps(shared, sum_of_items(items));
    put_thread(of, tile, items, before_all, shared);
}

/* A block that takes a tile tells its sum, and puts one whose neighbours' sums were told a while ago: nobody waits for
 * long, and numbers are read again while they are in the cache. */
KERNEL(scan_two_level)(struct scanned of, struct one_pass pass)
{
    extern __shared__ STATE shared[];
    const uint64_t behind = gridDim.x / 3 + 1;
    for (;;) {
        const uint64_t tile = next_tile(pass);
        if (tile >= pass.tiles + 2 * behind)
            return;
        if (tile < pass.tiles)
            tell_sum(of, pass, tile, shared);
        if (tile >= behind && tile - behind < pass.tiles && (tile - behind) % SCAN_FAN == 0)
            tell_before_group(pass, tile - behind, shared + blockDim.x);
        __syncthreads();
        if (tile >= 2 * behind)
            put_tile(of, pass, tile - 2 * behind, shared);
    }
}

/* One thread takes what is there; what is nearer is the right side. */
static __device__ STATE look_back(const struct one_pass &of, uint64_t tile, STATE sum)
{
    STATE before = A(zero)();
    enum what what = NOTHING;
    tell(&of.places[tile], sum, SUM);
    for (uint64_t p = tile; p-- > 0 && what != PREFIX;) {
        const STATE found = wait_for(&of.places[p], &what);
        before = p + 1 == tile ? found : A(merge)(found, before);
    }
    tell(&of.places[tile], A(merge)(before, sum), PREFIX);
    return before;
}

KERNEL(scan_look_back)(struct scanned of, struct one_pass pass)
{
    extern __shared__ STATE shared[];
    __shared__ STATE before_all;
    for (;;) {
        const uint64_t tile = next_tile(pass);
        if (tile >= pass.tiles)
            return;
        const struct items items = load_items(of, first_item(tile));
        scan_warps(shared, sum_of_items(items));
        if (threadIdx.x == 0)
            before_all = look_back(pass, tile, sum_of_threads(shared, blockDim.x));
        __syncthreads();
        put_thread(of, tile, items, before_all, shared);
        __syncthreads();
    }
}
