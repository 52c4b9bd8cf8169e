#include "tutorial_tile.h"

template <int TILE> static __global__ void tile_kernel(const float *a, const float *b, float *c, unsigned n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    const unsigned row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (unsigned k = 0; k < n; k += TILE) {
        a_tile[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        b_tile[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int t = 0; t < TILE; t++)
            sum = __builtin_fmaf(a_tile[threadIdx.y][t], b_tile[t][threadIdx.x], sum);
        __syncthreads();
    }
    c[row * n + column] = sum;
}

void tutorial_tile(int tile, const float *a, const float *b, float *c, unsigned n)
{
    const unsigned side = (unsigned)tile, blocks = n / side;
    if (tile == 32)
        tile_kernel<32><<<dim3(blocks, blocks), dim3(side, side)>>>(a, b, c, n);
    else
        tile_kernel<16><<<dim3(blocks, blocks), dim3(side, side)>>>(a, b, c, n);
}
