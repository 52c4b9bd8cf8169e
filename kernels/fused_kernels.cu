/* The fused units of a Hopper GPU, run: mma.sync and wgmma, with whatever they compute (kernels/fused.h says what that
 * is).  A block of 4 warps has 64 x 8 elements of C, and steps through 32 bytes of k at a time: a warp's 16 rows of A
 * are in its registers, the 8 columns of B in shared memory, where wgmma reads them.  Both take them in the same
 * places.
 *
 *   word t of row g of A      4 bytes: k = 4 numbers of fp8, 2 of 16 bits, 1 of binary32; registers of thread 4 g + t
 *   what lies beyond an edge  is 0, which is no term
 *
 * Compiled for sm_90a alone, since wgmma is in no other: elsewhere a launch is cudaErrorNoKernelImageForDevice. */
extern "C" {
#include "fused.h"
}

#include <cuda_runtime.h>

enum { ROWS = 64, COLUMNS = 8, WARP_ROWS = 16, WORDS = 8, HALF_OF_WORDS = WORDS / 2, THREADS = 128 };

struct fused_product {
    const void *a, *b;
    void *c;
    uint64_t rows, inner, columns;
    uint64_t period; /* blocks whose sum a register takes; 0: there is no register */
    bool compensated;
};

/* ---- words ---- */

/* One number after another, from number k on: `of` has `inner` numbers, `step` apart. */
template <typename Number>
static __device__ uint32_t word_at(const Number *of, uint64_t step, uint64_t k, uint64_t inner)
{
    enum { NUMBERS = sizeof(uint32_t) / sizeof(Number), BITS = 8 * sizeof(Number) };
    uint32_t word = 0;
    for (int i = 0; i < NUMBERS; i++)
        if (k + i < inner)
            word |= (uint32_t)of[(k + i) * step] << i * BITS % 32;
    return word;
}

template <typename Number>
static __device__ uint32_t word_of_a(const struct fused_product &of, uint64_t row, uint64_t k)
{
    return row < of.rows ? word_at((const Number *)of.a + row * of.inner, 1, k, of.inner) : 0;
}

template <typename Number>
static __device__ uint32_t word_of_b(const struct fused_product &of, uint64_t k, uint64_t column)
{
    return column < of.columns ? word_at((const Number *)of.b + column, of.columns, k, of.inner) : 0;
}

/* ---- what a thread has of C: elements (g, 2 t), (g, 2 t + 1), and those 8 rows below ---- */

struct fused_binary32 {
    typedef float number;
    float d[4];
    __device__ float at(int i) const
    {
        return d[i];
    }
};

struct fused_binary16 {
    typedef uint16_t number;
    uint32_t d[2];
    __device__ uint16_t at(int i) const
    {
        return (uint16_t)(d[i / 2] >> i % 2 * 16);
    }
};

/* ---- instructions ---- */

/* Where wgmma finds the columns of B: 8 of 16 bytes, and 128 bytes on those with the other half of k. */
static __device__ uint64_t columns_at(const uint32_t *b)
{
    const uint64_t apart = 128 >> 4;
    return (uint64_t)(__cvta_generic_to_shared(b) >> 4 & 0x3fff) | apart << 16 | apart << 32;
}

#define IN_BINARY32(d) "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define IN_BINARY16(d) "+r"(d[0]), "+r"(d[1])
#define OF_A "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])

#define INSTRUCTION(id, Number, Results, step_of)                                                                      \
    struct id {                                                                                                        \
        typedef Number number;                                                                                         \
        typedef struct Results results;                                                                                \
        static __device__ void step(Results &c, const uint32_t (&a)[4], const uint32_t *b)                             \
        {                                                                                                              \
            const uint32_t lane = threadIdx.x % 32;                                                                    \
            (void)lane;                                                                                                \
            step_of                                                                                                    \
        }                                                                                                              \
    };

#define MMA_TO_BINARY32(id, Number, kind)                                                                              \
    INSTRUCTION(mma_##id, Number, fused_binary32,                                                                      \
                asm volatile("mma.sync.aligned." kind " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"         \
                             : IN_BINARY32(c.d)                                                                        \
                             : OF_A, "r"(b[lane]), "r"(b[32 + lane]));)
#define MMA_TO_BINARY16(id, Number, kind)                                                                              \
    INSTRUCTION(mma_##id, Number, fused_binary16,                                                                      \
                asm volatile("mma.sync.aligned." kind " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"                     \
                             : IN_BINARY16(c.d)                                                                        \
                             : OF_A, "r"(b[lane]), "r"(b[32 + lane]));)
#define WGMMA_ENDS "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
#define WGMMA_TO_BINARY32(id, Number, kind, flags)                                                                     \
    INSTRUCTION(wgmma_##id, Number, fused_binary32,                                                                    \
                asm volatile("wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned." kind                            \
                             " {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, 1" flags ";" WGMMA_ENDS                         \
                             : IN_BINARY32(c.d)                                                                        \
                             : OF_A, "l"(columns_at(b))                                                                \
                             : "memory");)
#define WGMMA_TO_BINARY16(id, Number, kind, flags)                                                                     \
    INSTRUCTION(wgmma_##id, Number, fused_binary16,                                                                    \
                asm volatile("wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned." kind                            \
                             " {%0,%1}, {%2,%3,%4,%5}, %6, 1, 1, 1" flags ";" WGMMA_ENDS                               \
                             : IN_BINARY16(c.d)                                                                        \
                             : OF_A, "l"(columns_at(b))                                                                \
                             : "memory");)

MMA_TO_BINARY32(binary16_to_binary32, uint16_t, "m16n8k16.row.col.f32.f16.f16.f32")
MMA_TO_BINARY32(bfloat16_to_binary32, uint16_t, "m16n8k16.row.col.f32.bf16.bf16.f32")
MMA_TO_BINARY32(binary32, uint32_t, "m16n8k8.row.col.f32.tf32.tf32.f32")
MMA_TO_BINARY16(binary16_in_binary16, uint16_t, "m16n8k16.row.col.f16.f16.f16.f16")
/* No instruction of Hopper: the assembler makes two of fp16, and an addition, of each. */
MMA_TO_BINARY32(e4m3, uint8_t, "m16n8k32.row.col.f32.e4m3.e4m3.f32")
MMA_TO_BINARY32(e5m2, uint8_t, "m16n8k32.row.col.f32.e5m2.e5m2.f32")
MMA_TO_BINARY16(e4m3_in_binary16, uint8_t, "m16n8k32.row.col.f16.e4m3.e4m3.f16")
MMA_TO_BINARY16(e5m2_in_binary16, uint8_t, "m16n8k32.row.col.f16.e5m2.e5m2.f16")
WGMMA_TO_BINARY32(binary16_to_binary32, uint16_t, "m64n8k16.f32.f16.f16", ", 0")
WGMMA_TO_BINARY32(bfloat16_to_binary32, uint16_t, "m64n8k16.f32.bf16.bf16", ", 0")
WGMMA_TO_BINARY32(binary32, uint32_t, "m64n8k8.f32.tf32.tf32", "")
/* The low bits that a number of TF32 has not are ignored of a binary32. */
typedef mma_binary32 mma_tf32_to_binary32;
typedef wgmma_binary32 wgmma_tf32_to_binary32;
WGMMA_TO_BINARY16(binary16_in_binary16, uint16_t, "m64n8k16.f16.f16.f16", ", 0")
WGMMA_TO_BINARY32(e4m3, uint8_t, "m64n8k32.f32.e4m3.e4m3", "")
WGMMA_TO_BINARY32(e5m2, uint8_t, "m64n8k32.f32.e5m2.e5m2", "")
WGMMA_TO_BINARY16(e4m3_in_binary16, uint8_t, "m64n8k32.f16.e4m3.e4m3", "")
WGMMA_TO_BINARY16(e5m2_in_binary16, uint8_t, "m64n8k32.f16.e5m2.e5m2", "")

/* ---- the register ---- */

struct fused_register {
    float total[4], excess[4];
};

/* kernels/fused_replay.c, add_part(): the same additions. */
static __device__ void take_part(struct fused_register *r, bool compensated, struct fused_binary32 *part)
{
    for (int i = 0; i < 4; i++) {
        const float y = __fsub_rn(part->d[i], r->excess[i]), t = __fadd_rn(r->total[i], y);
        const float left = __fsub_rn(__fsub_rn(t, r->total[i]), y);
        r->excess[i] = compensated && left - left == 0 ? left : 0;
        r->total[i] = t;
        part->d[i] = 0;
    }
}

static __device__ void take_part(struct fused_register *, bool, struct fused_binary16 *)
{
    __trap(); /* no order has a register of binary16 */
}

static __device__ float total_of(const struct fused_register &r, const struct fused_binary32 &, int i)
{
    return r.total[i];
}

static __device__ uint16_t total_of(const struct fused_register &, const struct fused_binary16 &c, int i)
{
    return c.at(i);
}

/* ---- the kernel ---- */

template <typename Instruction> __global__ void __launch_bounds__(THREADS) fused(struct fused_product of)
{
    enum { OF_WORD = sizeof(uint32_t) / sizeof(typename Instruction::number), STEP = WORDS * OF_WORD };
    typedef typename Instruction::number Number;
    __shared__ alignas(128) uint32_t b[WORDS * COLUMNS]; /* of words 0 to 3 column after column, then of 4 to 7 */
    const uint32_t thread = threadIdx.x, group = thread % 32 / 4, place = thread % 4;
    const uint64_t row = (uint64_t)blockIdx.y * ROWS + thread / 32 * WARP_ROWS + group;
    const uint64_t first_column = (uint64_t)blockIdx.x * COLUMNS, column = first_column + place * 2;
    typename Instruction::results c = {};
    struct fused_register total = {};
    uint64_t blocks = 0;
    for (uint64_t k = 0; k < of.inner; k += STEP) {
        const uint64_t left = k + place * OF_WORD, right = left + HALF_OF_WORDS * OF_WORD;
        const uint32_t a[4] = {word_of_a<Number>(of, row, left), word_of_a<Number>(of, row + 8, left),
                               word_of_a<Number>(of, row, right), word_of_a<Number>(of, row + 8, right)};
        if (thread < WORDS * COLUMNS)
            b[thread] = word_of_b<Number>(of, thread < 32 ? left : right, first_column + group);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        Instruction::step(c, a, b);
        __syncthreads();
        if (of.period > 0 && (++blocks % of.period == 0 || k + STEP >= of.inner))
            take_part(&total, of.compensated, &c);
    }
    for (int i = 0; i < 4; i++) {
        const uint64_t r = row + i / 2 * 8, j = column + i % 2;
        if (r < of.rows && j < of.columns)
            ((typename Instruction::results::number *)of.c)[r * of.columns + j] =
                of.period > 0 ? total_of(total, c, i) : c.at(i);
    }
}

/* ---- the launcher ---- */

static const struct {
    const char *unit, *sum_format;
    void (*kernel)(struct fused_product);
} kernels[] = {
#define OF(id) {"hopper_mma", #id, fused<mma_##id>}, {"hopper_wgmma", #id, fused<wgmma_##id>},
    OF(binary16_to_binary32) OF(bfloat16_to_binary32) OF(binary32) OF(tf32_to_binary32) OF(binary16_in_binary16)
        OF(e4m3) OF(e5m2) OF(e4m3_in_binary16) OF(e5m2_in_binary16)
#undef OF
};

static int kernel_of(const struct fused_unit *unit)
{
    int i = sizeof kernels / sizeof *kernels - 1;
    while (i >= 0 &&
           (strcmp(kernels[i].unit, unit->id) != 0 || strcmp(kernels[i].sum_format, unit->sum_format->id) != 0))
        i--;
    return i;
}

static size_t scratch_bytes(const struct method *, struct shape, struct launch)
{
    return 0;
}

static int run(const struct method *self, const struct kernel_call *call)
{
    const struct fused_method *method = fused_of(self);
    const struct shape *shape = &call->of.shape;
    struct fused_product of;
    of.a = call->of.arrays[0];
    of.b = call->of.arrays[1];
    of.c = call->results;
    of.rows = shape->rows;
    of.inner = shape->terms;
    of.columns = shape->columns;
    of.period = method->unit->own_blocks ? 0 : fused_period(method, shape->terms); /* such an instruction has its own */
    of.compensated = method->order->compensated;
    if (of.rows == 0 || of.columns == 0)
        return cudaSuccess;
    const dim3 grid((uint32_t)((of.columns + COLUMNS - 1) / COLUMNS), (uint32_t)((of.rows + ROWS - 1) / ROWS));
    kernels[kernel_of(method->unit)].kernel<<<grid, THREADS, 0, (cudaStream_t)call->stream>>>(of);
    return cudaGetLastError();
}

static const struct device_method on_device = {scratch_bytes, run, false, false};

const struct device_method *fused_device(const struct fused_unit *unit)
{
    return kernel_of(unit) < 0 ? NULL : &on_device;
}
