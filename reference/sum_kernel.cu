/* Exact sums on a GPU: a warp takes a slice of a row, each lane adds its numbers to words of its own, in shared memory,
 * and then the lanes' words are added up.  No two lanes add to one word, whatever the data are, so that uniform data
 * take no longer than those of all exponents, and nothing is atomic but what a warp does once, when its slice is done.
 */
extern "C" {
#include "sum_kernel.h"
}

/* Words of as many lanes lie side by side, 8 bytes each: whichever of them they add to, no two lanes of a half warp,
 * which is served at once, need the same bank of shared memory. */
constexpr unsigned LANES = 32;

constexpr unsigned WARPS_MOST = 4;           /* of a block */
constexpr unsigned SHARED_BYTES = 48 * 1024; /* of a block, without asking for more */
constexpr uint64_t SLICE_LEAST = 2048;       /* numbers, of a row that several warps share: 64 a lane */
constexpr uint64_t WAVES = 3;                /* slices of one row, for each warp that can run */
constexpr unsigned VECTOR_BYTES = sizeof(uint4);

struct slices {
    struct sum_rows rows;
    uint64_t of_row, terms; /* a row's slices, and what each has but the last */
};

/* ---- numbers ---- */

/* Vectors that are loaded before the ones before them are added.  binary64 leaves room for few warps, which have many
 * registers. */
template <unsigned BYTES> struct group {
    static constexpr unsigned COUNT = BYTES == sizeof(double) ? 8 : 2;
    uint4 vectors[COUNT];
};

/* Zeros beyond the end, which add nothing. */
template <unsigned BYTES>
static __device__ struct group<BYTES> load_group(const uint4 *vectors, uint64_t from, uint64_t end) {
    struct group<BYTES> group;
#pragma unroll
    for (unsigned v = 0; v < group.COUNT; v++)
        group.vectors[v] = from + v * LANES < end ? __ldg(vectors + from + v * LANES) : make_uint4(0, 0, 0, 0);
    return group;
}

template <unsigned BYTES>
static __device__ uint64_t element_of(uint4 vector, unsigned i)
{
    const uint32_t words[] = {vector.x, vector.y, vector.z, vector.w};
    if (BYTES == sizeof(double))
        return (uint64_t)words[2 * i + 1] << 32 | words[2 * i];
    const unsigned bit = 8 * BYTES * i;
    return words[bit / 32] >> bit % 32 & UINT32_MAX >> (32 - 8 * BYTES) % 32;
}

template <unsigned BYTES> static __device__ uint64_t load_element(const void *numbers, uint64_t i)
{
    if (BYTES == sizeof(double))
        return ((const uint64_t *)numbers)[i];
    if (BYTES == sizeof(float))
        return ((const uint32_t *)numbers)[i];
    return BYTES == 2 ? ((const uint16_t *)numbers)[i] : ((const uint8_t *)numbers)[i];
}

/* ---- a lane's share of a slice ---- */

template <unsigned BYTES>
static __device__ void add_vectors(struct sum_layout layout, struct sum_lane *lane, const void *x, const void *y,
                                   uint64_t vectors)
{
    constexpr unsigned NUMBERS = VECTOR_BYTES / BYTES, COUNT = group<BYTES>::COUNT;
    const uint4 *const of_x = (const uint4 *)x, *const of_y = (const uint4 *)(layout.products ? y : x);
    struct group<BYTES> next_x = load_group<BYTES>(of_x, threadIdx.x, vectors), next_y = next_x;
    if (layout.products)
        next_y = load_group<BYTES>(of_y, threadIdx.x, vectors);
    for (uint64_t v = threadIdx.x; v < vectors; v += COUNT * LANES) {
        const struct group<BYTES> now_x = next_x, now_y = next_y;
        next_x = load_group<BYTES>(of_x, v + COUNT * LANES, vectors);
        if (layout.products)
            next_y = load_group<BYTES>(of_y, v + COUNT * LANES, vectors);
        sum_make_room(layout, lane, COUNT * NUMBERS);
#pragma unroll
        for (unsigned g = 0; g < COUNT; g++)
#pragma unroll
            for (unsigned i = 0; i < NUMBERS; i++)
                sum_add(layout, lane, element_of<BYTES>(now_x.vectors[g], i), element_of<BYTES>(now_y.vectors[g], i));
    }
}

/* One by one: what lies behind the vectors, and rows that do not begin where a vector may. */
template <unsigned BYTES>
static __device__ void add_elements(struct sum_layout layout, struct sum_lane *lane, const void *x, const void *y,
                                    uint64_t from, uint64_t end)
{
    for (uint64_t i = from + threadIdx.x; i < end; i += LANES) {
        sum_make_room(layout, lane, 1);
        sum_add(layout, lane, load_element<BYTES>(x, i), layout.products ? load_element<BYTES>(y, i) : 0);
    }
}

template <unsigned BYTES>
static __device__ void add_slice(struct sum_layout layout, struct sum_lane *lane, const void *x, const void *y,
                                 uint64_t n)
{
    const uintptr_t addresses = (uintptr_t)x | (layout.products ? (uintptr_t)y : 0);
    const uint64_t vectors = addresses % VECTOR_BYTES == 0 ? n * BYTES / VECTOR_BYTES : 0;
    add_vectors<BYTES>(layout, lane, x, y, vectors);
    add_elements<BYTES>(layout, lane, x, y, vectors * (VECTOR_BYTES / BYTES), n);
}

/* ---- a warp ---- */

/* A lane puts together a word of all lanes, beginning with its own, so that no two read from one bank. */
static __device__ uint64_t merged_lanes(struct sum_layout layout, const uint64_t *words, unsigned word)
{
    uint64_t merged = 0;
    for (unsigned i = 0; i < LANES; i++)
        merged = sum_merged(layout, word, merged, words[word * LANES + (threadIdx.x + i) % LANES]);
    return merged;
}

static __device__ void merge_warp(struct sum_layout layout, const uint64_t *words, uint64_t *row)
{
    __syncwarp();
    for (unsigned word = threadIdx.x; word < sum_words(layout); word += LANES) {
        const unsigned long long merged = merged_lanes(layout, words, word);
        unsigned long long *const total = (unsigned long long *)row + word;
        if (merged > 0 && word < sum_word_of(layout, SUM_LARGEST))
            atomicAdd(total, merged);
        else if (merged > 0)
            atomicMax(total, merged);
    }
}

template <unsigned BYTES, unsigned FRACTION_BITS, bool FINITE_ONLY, bool PRODUCTS>
static __global__ void __launch_bounds__(LANES *WARPS_MOST) sum_slices(struct slices of)
{
    extern __shared__ uint64_t shared[];
    const struct sum_layout layout = sum_layout_of(BYTES, FRACTION_BITS, FINITE_ONLY, PRODUCTS);
    const uint64_t slice = (uint64_t)blockIdx.x * blockDim.y + threadIdx.y, row = slice / of.of_row;
    const uint64_t from = slice % of.of_row * of.terms;
    if (row >= of.rows.rows || from >= of.rows.terms)
        return; /* with its whole warp */
    const uint64_t left = of.rows.terms - from, first = (row * of.rows.terms + from) * BYTES;
    uint64_t *const words = shared + threadIdx.y * sum_words(layout) * LANES;
    struct sum_lane lane = sum_begin(layout, words + threadIdx.x, LANES);
    add_slice<BYTES>(layout, &lane, (const char *)of.rows.x + first, (const char *)of.rows.y + first,
                     left < of.terms ? left : of.terms);
    sum_end(layout, &lane);
    merge_warp(layout, words, of.rows.words + row * sum_words(layout));
}

/* ---- its start ---- */

typedef void sum_of_slices(struct slices of);

#define KERNELS(bytes, fraction_bits, finite_only)                                                                     \
    {                                                                                                                  \
        bytes, fraction_bits,                                                                                          \
        {                                                                                                              \
            sum_slices<bytes, fraction_bits, finite_only, false>, sum_slices<bytes, fraction_bits, finite_only, true>  \
        }                                                                                                              \
    }
static const struct {
    unsigned bytes, fraction_bits;
    sum_of_slices *kernels[2]; /* of sums, of products */
} formats[] = {
    {8, 52, {sum_slices<8, 52, false, false>, nullptr}},
    KERNELS(4, 23, false),
    KERNELS(2, 10, false),
    KERNELS(2, 7, false),
    KERNELS(1, 3, true),
    KERNELS(1, 2, false),
};

static sum_of_slices *kernel_of(struct sum_layout layout)
{
    for (const auto &format : formats)
        if (format.bytes == layout.bytes && format.fraction_bits == layout.fraction_bits)
            return format.kernels[layout.products];
    return nullptr;
}

/* Warps that run at once on the current GPU, in blocks of so many with so much shared memory. */
static cudaError_t count_warps(sum_of_slices *kernel, unsigned warps, unsigned bytes, uint64_t *resident)
{
    int device = 0, multiprocessors = 0, blocks = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                     cudaSharedmemCarveoutMaxShared);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, (int)(LANES * warps), bytes);
    *resident = (uint64_t)multiprocessors * (uint64_t)blocks * warps;
    return error;
}

static uint64_t quotient_above(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* A row is one slice where there are rows for all warps.  Slices begin where vectors do, if their row does. */
static struct slices slices_of(const struct sum_rows &rows, uint64_t resident)
{
    const uint64_t wanted = rows.rows >= resident ? 1 : quotient_above(WAVES * resident, rows.rows);
    const uint64_t share = quotient_above(quotient_above(rows.terms, wanted), VECTOR_BYTES) * VECTOR_BYTES;
    const uint64_t terms = share < SLICE_LEAST ? SLICE_LEAST : share;
    return {rows, wanted == 1 ? 1 : quotient_above(rows.terms, terms), wanted == 1 ? rows.terms : terms};
}

int sum_kernel(const struct sum_rows *rows, void *stream)
{
    const unsigned bytes_of_warp = sum_words(rows->layout) * LANES * sizeof(uint64_t);
    const unsigned warps = WARPS_MOST * bytes_of_warp <= SHARED_BYTES ? WARPS_MOST : 1;
    sum_of_slices *const kernel = kernel_of(rows->layout);
    uint64_t resident = 0;
    const cudaError_t error =
        kernel ? count_warps(kernel, warps, warps * bytes_of_warp, &resident) : cudaErrorNotSupported;
    if (error != cudaSuccess)
        return error;
    const struct slices slices = slices_of(*rows, resident > 0 ? resident : 1);
    const uint64_t blocks = quotient_above(rows->rows * slices.of_row, warps);
    kernel<<<(unsigned)blocks, dim3(LANES, warps), warps * bytes_of_warp, (cudaStream_t)stream>>>(slices);
    return cudaGetLastError();
}

/* ---- the first, the least and the largest ---- */

struct ends {
    uint64_t upper, lower;
};

static __device__ uint64_t largest_of_warp(uint64_t value)
{
    for (unsigned lane = LANES / 2; lane > 0; lane /= 2) {
        const uint64_t other = __shfl_xor_sync(0xffffffff, (unsigned long long)value, lane);
        value = other > value ? other : value;
    }
    return value;
}

template <unsigned BYTES> static __global__ void find_ends(struct sum_rows of)
{
    constexpr uint64_t ALL = ~(uint64_t)0 >> (64 - 8 * BYTES);
    const uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x, threads = (uint64_t)gridDim.x * blockDim.x;
    struct ends ends = {0, 0};
    for (uint64_t i = thread; i < of.terms; i += threads) {
        const uint64_t upper = sum_ordered(BYTES, load_element<BYTES>(of.x, i)), lower = ALL - upper;
        ends = {upper > ends.upper ? upper : ends.upper, lower > ends.lower ? lower : ends.lower};
    }
    ends = {largest_of_warp(ends.upper), largest_of_warp(ends.lower)};
    if (threadIdx.x % LANES == 0) {
        atomicMax((unsigned long long *)of.words + SUM_UPPER, (unsigned long long)ends.upper);
        atomicMax((unsigned long long *)of.words + SUM_LOWER, (unsigned long long)ends.lower);
    }
    if (thread == 0)
        of.words[SUM_FIRST] = load_element<BYTES>(of.x, 0);
}

int sum_ends_kernel(const struct sum_rows *rows, void *stream)
{
    constexpr unsigned THREADS = 256, BLOCKS_MOST = 2048, NUMBERS_OF_A_THREAD = 16;
    void (*const kernel)(struct sum_rows) = rows->layout.bytes == 8   ? find_ends<8>
                                            : rows->layout.bytes == 4 ? find_ends<4>
                                            : rows->layout.bytes == 2 ? find_ends<2>
                                                                      : find_ends<1>;
    const uint64_t wanted = quotient_above(rows->terms, THREADS * NUMBERS_OF_A_THREAD);
    kernel<<<(unsigned)(wanted < BLOCKS_MOST ? wanted : BLOCKS_MOST), THREADS, 0, (cudaStream_t)stream>>>(*rows);
    return cudaGetLastError();
}
