/* The device half of the matrix products of one accumulator and one format of additions: the kernels of dot,
 * dot_exact and, where the accumulator has it, dot_fma.  Each element of C has one thread for each part, which adds its
 * products left to right and nothing else: what lies beyond an edge is no +0 that is added, but ends the loop over k.
 */
#include "portable.h"

#include ACCUMULATOR_FILE

#ifndef ABSENT
#include "matmul.h"
#include "order.h"

static __device__ real in_real(double value)
{
#ifdef HALF
    return as_real((HALF)value);
#else
    return (real)value;
#endif
}

/* ---- matrices ---- */

struct matrix {
    struct numbers numbers;
    uint64_t rows, columns, row_step, column_step;
};

struct product {
    struct matrix a, b, c;
    double alpha;
    int beta;
    enum stored_format result;
    uint64_t run; /* products of a part */
    STATE *parts; /* states of all elements of C, row after row, part after part; NULL: there is one part */
    uint32_t part_count;
    int rounds_between;
};

static __device__ uint64_t place(const struct matrix &m, uint64_t row, uint64_t column)
{
    return row * m.row_step + column * m.column_step;
}

static __device__ real element(const struct matrix &m, uint64_t row, uint64_t column)
{
    return load(m.numbers, place(m, row, column));
}

static __device__ void store(const struct product &of, uint64_t row, uint64_t column, double value)
{
    switch (of.result) {
#define OF(id, type)                                                                                                   \
    case STORED_##id:                                                                                                  \
        ((type *)of.c.numbers.at)[place(of.c, row, column)] = (type)value;                                             \
        break;
        RESULT_FORMATS(OF)
#undef OF
    default:
        __builtin_unreachable();
    }
}

/* Rounds a state to an element of C, as matmul.h says. */
static __device__ void put(const struct product &of, uint64_t row, uint64_t column, STATE state, int beta)
{
    double result = A(result)(state);
    if (of.alpha != 1 || beta) {
        real sum = in_real(of.alpha) * in_real(result);
        if (beta)
            sum = RN(sum + element(of.c, row, column));
        result = (double)sum;
    }
    store(of, row, column, result);
}

/* What a thread does with its state. */
static __device__ void finish_or_keep(const struct product &of, uint64_t row, uint64_t column, STATE state)
{
    if (row >= of.c.rows || column >= of.c.columns)
        return;
    if (of.part_count == 1)
        put(of, row, column, state, of.beta);
    else
        of.parts[(blockIdx.z * of.c.rows + row) * of.c.columns + column] = state;
}

/* ---- naive: a thread reads a row of A and a column of B ---- */

template <enum operation OPERATION> static __device__ void naive(const struct product &of)
{
    const uint64_t row = (uint64_t)blockIdx.y * blockDim.y + threadIdx.y;
    const uint64_t column = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    STATE s = A(zero)();
    if (row < of.c.rows && column < of.c.columns)
        for (uint64_t k = 0; k < of.a.columns; k++)
            s = add_term(s, OPERATION, element(of.a, row, k), element(of.b, k, column));
    finish_or_keep(of, row, column, s);
}

/* ---- tiles: a block reads TILE x TILE elements of A and of B at a time ---- */

/* Loops over the products of a tile, where a state is a few numbers; one of superacc is a loop itself. */
enum { UNROLLED = sizeof(STATE) <= 16 ? 32 : 1 };

/* Elements from (row, column) on, below the two ends.  Neighbouring threads read what is neighbours in memory. */
template <int TILE>
static __device__ void load_tile(real tile[TILE][TILE], const struct matrix &m, uint64_t row, uint64_t row_end,
                                 uint64_t column, uint64_t column_end)
{
    const bool by_rows = m.column_step <= m.row_step;
    const uint32_t i = by_rows ? threadIdx.y : threadIdx.x, j = by_rows ? threadIdx.x : threadIdx.y;
    if (row + i < row_end && column + j < column_end)
        tile[i][j] = element(m, row + i, column + j);
}

template <int TILE, enum operation OPERATION> static __device__ void tiled(const struct product &of)
{
    __shared__ real a[TILE][TILE], b[TILE][TILE];
    const uint64_t row = (uint64_t)blockIdx.y * TILE, column = (uint64_t)blockIdx.x * TILE;
    const uint64_t end = at_most((blockIdx.z + 1) * of.run, of.a.columns);
    STATE s = A(zero)();
    for (uint64_t k = blockIdx.z * of.run; k < end; k += TILE) {
        load_tile<TILE>(a, of.a, row, of.a.rows, k, end);
        load_tile<TILE>(b, of.b, k, end, column, of.b.columns);
        __syncthreads();
        if (end - k >= TILE) {
#pragma unroll UNROLLED
            for (int t = 0; t < TILE; t++)
                s = add_term(s, OPERATION, a[threadIdx.y][t], b[t][threadIdx.x]);
        } else {
#pragma unroll 1
            for (int t = 0; t < (int)(end - k); t++)
                s = add_term(s, OPERATION, a[threadIdx.y][t], b[t][threadIdx.x]);
        }
        __syncthreads();
    }
    finish_or_keep(of, row + threadIdx.y, column + threadIdx.x, s);
}

/* ---- the parts of the inner dimension, left to right, by a thread for each element ---- */

KERNEL(matmul_finish)(struct product of)
{
    const uint64_t elements = of.c.rows * of.c.columns, i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= elements)
        return;
    const uint64_t row = i / of.c.columns, column = i % of.c.columns;
    STATE total = of.parts[i];
    if (of.rounds_between)
        put(of, row, column, total, of.beta);
    for (uint32_t q = 1; q < of.part_count; q++)
        if (of.rounds_between)
            put(of, row, column, of.parts[q * elements + i], 1);
        else
            total = A(merge)(total, of.parts[q * elements + i]);
    if (!of.rounds_between)
        put(of, row, column, total, of.beta);
}

/* ---- the kernels, named by their operation, since the lint lets those of exact and fused products fuse ---- */

#define KERNELS(operation)                                                                                             \
    KERNEL(matmul_##operation##_naive)(struct product of)                                                              \
    {                                                                                                                  \
        naive<OPERATION_##operation>(of);                                                                              \
    }                                                                                                                  \
    KERNEL(matmul_##operation##_tile_16)(struct product of)                                                            \
    {                                                                                                                  \
        tiled<16, OPERATION_##operation>(of);                                                                          \
    }                                                                                                                  \
    KERNEL(matmul_##operation##_tile_32)(struct product of)                                                            \
    {                                                                                                                  \
        tiled<32, OPERATION_##operation>(of);                                                                          \
    }
#ifdef IS_sum
KERNELS(dot)
#endif
#if ADDS_EXACT_PRODUCTS
KERNELS(dot_exact)
#endif
#if A(HAS_FMA)
KERNELS(dot_fma)
#endif

typedef void kernel_function(struct product of);

static kernel_function *kernel_of(const struct matmul_method *self)
{
#define KERNELS_OF(operation)                                                                                          \
    case OPERATION_##operation: {                                                                                      \
        static kernel_function *const kernels[] = {EXPORTED(matmul_##operation##_naive),                               \
                                                   EXPORTED(matmul_##operation##_tile_16),                             \
                                                   EXPORTED(matmul_##operation##_tile_32)};                            \
        return kernels[self->kernel];                                                                                  \
    }
    switch (operation_table[self->operation].terms) {
#ifdef IS_sum
        KERNELS_OF(dot)
#endif
#if ADDS_EXACT_PRODUCTS
        KERNELS_OF(dot_exact)
#endif
#if A(HAS_FMA)
        KERNELS_OF(dot_fma)
#endif
    default:
        return NULL;
    }
}

/* ---- the launcher ---- */

static struct matrix matrix_of(const struct matmul_matrix *m, const struct format *format)
{
    return {{m->numbers, stored_format_of(format)}, m->rows, m->columns, m->row_step, m->column_step};
}

static size_t scratch_bytes(const struct matmul_method *self, const struct matmul_call *call)
{
    const uint32_t parts = matmul_parts(self, call->a.columns);
    return parts == 1 ? 0 : parts * call->c.rows * call->c.columns * sizeof(STATE);
}

static int run(const struct matmul_method *self, const struct matmul_call *call, void *scratch, void *stream)
{
    const struct sum_format *formats = self->sum_format;
    const uint64_t elements = call->c.rows * call->c.columns;
    const uint32_t tile = self->kernel == TILE_32 ? 32 : 16, parts = matmul_parts(self, call->a.columns);
    struct product of;
    of.a = matrix_of(&call->a, formats->stored);
    of.b = matrix_of(&call->b, formats->stored);
    of.c = matrix_of(&call->c, formats->result);
    of.alpha = call->alpha;
    of.beta = call->beta;
    of.result = stored_format_of(formats->result);
    of.run = matmul_run(self, call->a.columns);
    of.parts = (STATE *)scratch;
    of.part_count = parts;
    of.rounds_between = self->between == ROUNDED;
    if (elements == 0)
        return cudaSuccess;
    const dim3 grid((uint32_t)ceil_div(call->c.columns, tile), (uint32_t)ceil_div(call->c.rows, tile), parts);
    kernel_of(self)<<<grid, dim3(tile, tile), 0, (cudaStream_t)stream>>>(of);
    if (parts > 1)
        EXPORTED(matmul_finish)<<<(uint32_t)ceil_div(elements, 256), 256, 0, (cudaStream_t)stream>>>(of);
    return cudaGetLastError();
}

extern "C" const struct matmul_device DEVICE_HALF_NAMED(matmul_on_device);
const struct matmul_device DEVICE_HALF_NAMED(matmul_on_device) = {scratch_bytes, run};
#else
/* Says in the PTX, which the lint reads, why there is no kernel. */
extern "C" __device__ const char EXPORTED(matmul_absent)[] = ABSENT;
#endif
