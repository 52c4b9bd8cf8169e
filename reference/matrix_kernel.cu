/* Exact matrix products on a GPU: a thread for each element, whose digits are in shared memory and belong to it
 * alone.  So nothing is synchronised, and no order of threads can change a bit. */
extern "C" {
#include "matrix_digits.h"
}

/* Digits of as many threads lie side by side, in the 32 banks of shared memory: whichever of them they add to, no two
 * threads of a warp need the same bank. */
constexpr unsigned LANES = 32;

/* Warps of a block: as many as there are registers for. */
constexpr unsigned WARPS_MOST = 32;

/* The elements of a warp: 32 neighbours of a row, or whole rows where these are shorter. */
struct warp_elements {
    unsigned rows, columns;
};

static __host__ __device__ struct warp_elements warp_elements_of(const struct matrix_part &part)
{
    const unsigned columns = part.columns < LANES ? (unsigned)part.columns : LANES;
    return {LANES / columns, columns};
}

template <bool IS_BINARY64>
static __global__ void __launch_bounds__(LANES *WARPS_MOST) compute_elements(struct matrix_part part)
{
    extern __shared__ uint32_t digits[];
    const struct warp_elements of = warp_elements_of(part);
    const uint64_t across = (part.columns + LANES - 1) / LANES, warp = blockIdx.x / across * blockDim.y + threadIdx.y;
    const uint64_t i = warp * of.rows + threadIdx.x / of.columns,
                   j = blockIdx.x % across * LANES + threadIdx.x % of.columns;
    const struct digits own = {digits + threadIdx.y * 2 * LANES * part.window.digits + threadIdx.x, LANES};
    if (threadIdx.x < of.rows * of.columns && i < part.rows && j < part.columns)
        part.elements[i * part.columns + j] = digits_element(&part, IS_BINARY64, i, j, own);
}

/* Blocks as large as shared memory allows, where there is one for every multiprocessor; of a smaller part, as many. */
static unsigned warps_of_block(uint64_t warps, unsigned room, unsigned multiprocessors)
{
    const uint64_t share = (warps + multiprocessors - 1) / multiprocessors;
    const unsigned most = room < WARPS_MOST ? room : WARPS_MOST;
    return share < most ? (unsigned)share : most;
}

template <bool IS_BINARY64> static cudaError_t start(const struct matrix_part &part)
{
    const unsigned bytes_of_warp = 2 * LANES * sizeof(uint32_t) * part.window.digits;
    const unsigned rows_of_warp = warp_elements_of(part).rows;
    int device = 0, shared_bytes = 0, multiprocessors = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(compute_elements<IS_BINARY64>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     shared_bytes);
    if (error != cudaSuccess)
        return error;
    const uint64_t across = (part.columns + LANES - 1) / LANES, down = (part.rows + rows_of_warp - 1) / rows_of_warp;
    const unsigned warps =
        warps_of_block(across * down, (unsigned)shared_bytes / bytes_of_warp, (unsigned)multiprocessors);
    const uint64_t blocks = (down + warps - 1) / warps * across;
    compute_elements<IS_BINARY64><<<(unsigned)blocks, dim3(LANES, warps), warps * bytes_of_warp>>>(part);
    return cudaGetLastError();
}

int matrix_kernel(const struct matrix_part *part)
{
    return part->is_binary64 ? start<true>(*part) : start<false>(*part);
}
