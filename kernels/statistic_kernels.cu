/* The device half of kernels/statistic.c: the kernels of sums, and between them what makes terms and values.  The bits
 * are the replay's: the formula is the same C, and a term is rounded in the same places. */
extern "C" {
#include "statistic_formula.h"
}
#include "stored_format.h"

#include "kernels/formats/fp8.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

enum { THREADS = 256, BLOCKS_OF_ROWS = 1024, ROWS_AT_ONCE = 32768 };

static __device__ double number_at(const void *x, enum stored_format format, uint64_t i)
{
    switch (format) {
    case STORED_binary64:
        return ((const double *)x)[i];
    case STORED_binary32:
        return ((const float *)x)[i];
    case STORED_binary16:
        return __half2float(((const __half *)x)[i]);
    case STORED_bfloat16:
        return __bfloat162float(((const __nv_bfloat16 *)x)[i]);
    case STORED_e4m3:
        return __half2float(as_half(((const __nv_fp8_e4m3 *)x)[i]));
    default:
        return __half2float(as_half(((const __nv_fp8_e5m2 *)x)[i]));
    }
}

/* ---- terms ---- */

struct making {
    const void *x;
    enum stored_format stored, added;
    enum pass_terms terms;
    uint64_t n;
    uint32_t rows;
    const double *parameters; /* of each row */
    void *made;
};

/* Operations of binary64 are for numbers of that alone: those of binary32 round to 16 bits as once. */
static __device__ double made_double(enum pass_terms terms, double x, double c)
{
    const double term = terms == SCALED ? __ddiv_rn(x, c) : __dsub_rn(x, c);
    return terms == OFFSETS_SQUARED ? __dmul_rn(term, term) : term;
}

template <typename Real> static __device__ Real made_narrow(enum pass_terms terms, float x, float c)
{
    const float term = (float)(Real)(terms == SCALED ? __fdiv_rn(x, c) : __fsub_rn(x, c));
    return (Real)(terms == OFFSETS_SQUARED ? __fmul_rn(term, term) : term);
}

/* The argument rounded as made_narrow() does, and the exponential once. */
template <typename Real> static __device__ Real made_exponential(enum pass_terms terms, double z)
{
    return (Real)(terms == EXPONENTIALS ? exp_any(z) : exp_fast(z));
}

static __device__ void make_exponential(const struct making &making, uint64_t i, double c)
{
    const double x = number_at(making.x, making.stored, i);
    const enum pass_terms terms = making.terms;
    switch (making.added) {
    case STORED_binary64:
        ((double *)making.made)[i] = made_exponential<double>(terms, __dsub_rn(x, c));
        break;
    case STORED_binary32:
        ((float *)making.made)[i] =
            made_exponential<float>(terms, (double)made_narrow<float>(OFFSETS, (float)x, (float)c));
        break;
    case STORED_binary16:
        ((__half *)making.made)[i] =
            made_exponential<__half>(terms, (double)(float)made_narrow<__half>(OFFSETS, (float)x, (float)c));
        break;
    default:
        ((__nv_bfloat16 *)making.made)[i] = made_exponential<__nv_bfloat16>(
            terms, (double)(float)made_narrow<__nv_bfloat16>(OFFSETS, (float)x, (float)c));
    }
}

static __device__ void make_term(const struct making &making, uint64_t i, double c)
{
    if (making.terms >= EXPONENTIALS) {
        make_exponential(making, i, c);
        return;
    }
    const double x = number_at(making.x, making.stored, i);
    switch (making.added) {
    case STORED_binary64:
        ((double *)making.made)[i] = made_double(making.terms, x, c);
        break;
    case STORED_binary32:
        ((float *)making.made)[i] = made_narrow<float>(making.terms, (float)x, (float)c);
        break;
    case STORED_binary16:
        ((__half *)making.made)[i] = made_narrow<__half>(making.terms, (float)x, (float)c);
        break;
    default:
        ((__nv_bfloat16 *)making.made)[i] = made_narrow<__nv_bfloat16>(making.terms, (float)x, (float)c);
    }
}

static __global__ void make_terms(struct making making)
{
    for (uint64_t row = blockIdx.y; row < making.rows; row += gridDim.y) {
        const double c = making.parameters[row];
        for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < making.n;
             i += (uint64_t)gridDim.x * blockDim.x)
            make_term(making, row * making.n + i, c);
    }
}

/* ---- maxima ---- */

/* Of two, or NaN where one is: in any order the same, but for the sign of a 0. */
static __device__ double larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

/* A block of a power of two of threads for each row. */
static __global__ void find_maxima(const void *x, enum stored_format stored, uint64_t n, uint32_t rows, double *maxima)
{
    __shared__ double most[THREADS];
    for (uint64_t row = blockIdx.x; row < rows; row += gridDim.x) {
        double own = -(double)INFINITY;
        for (uint64_t i = threadIdx.x; i < n; i += THREADS)
            own = larger(own, number_at(x, stored, row * n + i));
        most[threadIdx.x] = own;
        __syncthreads();
        for (uint32_t half = THREADS / 2; half > 0; half /= 2) {
            if (threadIdx.x < half)
                most[threadIdx.x] = larger(most[threadIdx.x], most[threadIdx.x + half]);
            __syncthreads();
        }
        if (threadIdx.x == 0)
            maxima[row] = most[0];
        __syncthreads();
    }
}

/* ---- formulas ---- */

struct valuing {
    struct formula formula;
    const double *sums; /* of the first pass, then of each other: one of each row */
    uint32_t rows;
    const void *x;
    enum stored_format stored, result;
    double *parameters;
    struct normalizer *normalizers;
    void *results;
};

static __global__ void find_parameters(struct valuing of)
{
    const uint64_t row = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row < of.rows && of.formula.n > 0)
        of.parameters[row] =
            formula_parameter(&of.formula, of.sums[row], number_at(of.x, of.stored, row * of.formula.n));
}

static __device__ void store_result(void *results, enum stored_format format, uint64_t i, double value)
{
    switch (format) {
    case STORED_binary64:
        ((double *)results)[i] = value;
        break;
    case STORED_binary32:
        ((float *)results)[i] = (float)value;
        break;
    case STORED_binary16:
        ((__half *)results)[i] = __double2half(value);
        break;
    default:
        ((__nv_bfloat16 *)results)[i] = __double2bfloat16(value);
    }
}

static __global__ void find_values(struct valuing of)
{
    const uint64_t row = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= of.rows)
        return;
    double sums[PASSES_MOST];
    for (int p = 0; p < PASSES_MOST; p++)
        sums[p] = of.sums[(uint64_t)p * of.rows + row];
    if (of.formula.of.normalizes)
        of.normalizers[row] = formula_normalizer(&of.formula, sums);
    else
        store_result(of.results, of.result, row, formula_value(&of.formula, sums));
}

/* As formula_normalized() does, in binary32 and fewer bits. */
template <typename Real> static __device__ float normalized(float x, struct normalizer by)
{
    const float off = (float)(Real)__fsub_rn(x, (float)by.mean);
    return (float)(Real)__fmul_rn(off, (float)by.factor);
}

static __device__ double normalized_in(const struct formula &formula, double x, struct normalizer by)
{
    if (formula.of.algorithm >= BY_EXP)
        return formula_softmax(&formula, x, by);
    switch (formula.in.precision) {
    case 53:
        return __dmul_rn(__dsub_rn(x, by.mean), by.factor);
    case 24:
        return normalized<float>((float)x, by);
    case 11:
        return normalized<__half>((float)x, by);
    default:
        return normalized<__nv_bfloat16>((float)x, by);
    }
}

static __global__ void normalize(struct valuing of)
{
    const uint64_t n = of.formula.n;
    for (uint64_t row = blockIdx.y; row < of.rows; row += gridDim.y) {
        const struct normalizer by = of.normalizers[row];
        for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (uint64_t)gridDim.x * blockDim.x)
            store_result(of.results, of.result, row * n + i,
                         normalized_in(of.formula, number_at(of.x, of.stored, row * n + i), by));
    }
}

/* ---- the launcher ---- */

static bool is_fused(const struct method *self, const struct method &pass)
{
    return pass.device->fuses && self->sum_format->stored == self->sum_format->added;
}

/* Whether the kernel of sums makes these terms itself: squares are those of x - 0. */
static bool are_fused(const struct method *self, const struct method &pass, enum pass_terms terms)
{
    return (terms == OFFSETS_SQUARED || terms == OF_XX) && is_fused(self, pass);
}

/* Whether a block of the fast order has a row in its shared memory, and threads in whole warps. */
static bool rows_fit(const struct method *self, const struct kernel_call *call)
{
    enum { LEAST = 17, MOST = 6144, THREADS_MOST = 256 }; /* vectors of 16 bytes: 96 KiB */
    const struct statistic *of = statistic_method_of(self)->statistic;
    const struct method pass = statistic_pass(self, OF_X);
    const uint64_t vectors =
        (call->of.shape.terms * self->sum_format->stored->bytes + sizeof(uint4) - 1) / sizeof(uint4);
    const bool is_of_moments = (of->algorithm == BY_CHAN || of->algorithm == BY_RUNNING) && !of->normalizes;
    return (of->algorithm == BY_TWO_PASS || of->algorithm == BY_SQUARES || is_of_moments) && is_fused(self, pass) &&
           is_format(self->format, self->sum_format->stored) && call->launch.blocks == 1 &&
           call->launch.threads <= THREADS_MOST && vectors >= LEAST && vectors <= MOST;
}

static int run_in_rows(const struct method *self, const struct kernel_call *call)
{
    const struct method pass = statistic_pass(self, OF_X);
    const struct formula formula = statistic_formula(self, call->of.shape.terms);
    struct kernel_call ours = *call;
    ours.of.operation = OPERATION_sum;
    ours.formula = &formula;
    return pass.device->run(&pass, &ours);
}

/* What lies in scratch memory, one behind the other. */
struct room {
    size_t of_pass, of_sums, of_made; /* bytes */
};

static size_t whole(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static struct room room_of(const struct method *self, struct shape shape, struct launch launch)
{
    const enum pass_terms *passes = statistic_passes(statistic_method_of(self)->statistic);
    struct room room = {0, whole(shape.rows * ((PASSES_MOST + 1) * sizeof(double) + sizeof(struct normalizer))), 0};
    for (int p = 0; p < PASSES_MOST && passes[p]; p++) {
        const struct method pass = statistic_pass(self, passes[p]);
        const size_t bytes = whole(pass.device->scratch_bytes(&pass, shape, launch));
        room.of_pass = bytes > room.of_pass ? bytes : room.of_pass;
        if (passes[p] >= SCALED && !are_fused(self, pass, passes[p]))
            room.of_made = whole(shape.rows * shape.terms * self->sum_format->added->bytes);
    }
    return room;
}

static size_t scratch_bytes(const struct method *self, struct shape shape, struct launch launch)
{
    const struct room room = room_of(self, shape, launch);
    return room.of_pass + room.of_sums + room.of_made;
}

static dim3 grid_of_terms(uint64_t n, uint32_t rows)
{
    const uint64_t blocks = (n + THREADS - 1) / THREADS;
    return dim3((uint32_t)(blocks < BLOCKS_OF_ROWS ? blocks : (uint64_t)BLOCKS_OF_ROWS),
                rows < ROWS_AT_ONCE ? rows : (uint32_t)ROWS_AT_ONCE);
}

static uint32_t blocks_of_rows(const struct valuing &valuing)
{
    return (valuing.rows + THREADS - 1) / THREADS;
}

static void make(const struct method *self, const struct kernel_call *call, enum pass_terms terms,
                 const struct valuing &valuing, void *made)
{
    const struct shape shape = call->of.shape;
    struct making making = {};
    making.x = valuing.x;
    making.stored = valuing.stored;
    making.added = stored_format_of(self->sum_format->added);
    making.terms = terms;
    making.n = shape.terms;
    making.rows = valuing.rows;
    making.parameters = valuing.parameters;
    making.made = made;
    if (shape.terms == 0)
        return;
    make_terms<<<grid_of_terms(shape.terms, valuing.rows), THREADS, 0, (cudaStream_t)call->stream>>>(making);
}

static int run_pass(const struct method *self, const struct kernel_call *call, enum pass_terms terms,
                    const struct valuing &valuing, void *made, void *results)
{
    if (terms == MAXIMA) {
        const uint32_t blocks = valuing.rows < ROWS_AT_ONCE ? valuing.rows : (uint32_t)ROWS_AT_ONCE;
        find_maxima<<<blocks, THREADS, 0, (cudaStream_t)call->stream>>>(valuing.x, valuing.stored, valuing.formula.n,
                                                                        valuing.rows, (double *)results);
        return cudaGetLastError();
    }
    const struct method pass = statistic_pass(self, terms);
    const bool fused = are_fused(self, pass, terms), makes = terms >= SCALED && !fused;
    if (terms >= SCALED)
        find_parameters<<<blocks_of_rows(valuing), THREADS, 0, (cudaStream_t)call->stream>>>(valuing);
    else if (fused && cudaMemsetAsync(valuing.parameters, 0, valuing.rows * sizeof(double),
                                      (cudaStream_t)call->stream) != cudaSuccess)
        return cudaGetLastError();
    if (makes)
        make(self, call, terms, valuing, made);
    const void *x = terms == OF_Y || terms == OF_YY ? call->of.arrays[1] : call->of.arrays[0];
    struct kernel_call ours = *call;
    ours.of.operation = pass.operation;
    ours.of.arrays[0] = makes ? made : x;
    ours.of.arrays[1] = terms == OF_XY ? call->of.arrays[1] : ours.of.arrays[0];
    if (makes)
        ours.of.format = self->sum_format->added;
    ours.offsets = fused ? valuing.parameters : NULL;
    ours.results = results;
    const int launched = cudaGetLastError();
    return launched == cudaSuccess ? pass.device->run(&pass, &ours) : launched;
}

static int run(const struct method *self, const struct kernel_call *call)
{
    char why[REASON_SIZE];
    if (!statistic_can_count(self, call->of.shape.terms, why)) {
        complain("%s: %s", self->id, why);
        return cudaErrorInvalidValue;
    }
    if (rows_fit(self, call))
        return run_in_rows(self, call);
    const struct room room = room_of(self, call->of.shape, call->launch);
    char *const scratch = (char *)call->scratch;
    double *const sums = (double *)(scratch + room.of_pass);
    struct valuing of = {};
    of.formula = statistic_formula(self, call->of.shape.terms);
    of.sums = sums;
    of.rows = (uint32_t)call->of.shape.rows;
    of.x = call->of.arrays[0];
    of.stored = stored_format_of(call->of.format);
    of.result = stored_format_of(self->format);
    of.parameters = sums + PASSES_MOST * (size_t)of.rows;
    of.results = call->results;
    of.normalizers = (struct normalizer *)(of.parameters + of.rows);
    const enum pass_terms *passes = statistic_passes(&of.formula.of);
    void *const made = scratch + room.of_pass + room.of_sums;
    int status = cudaSuccess;
    for (int p = 0; p < PASSES_MOST && passes[p] && status == cudaSuccess; p++)
        status = run_pass(self, call, passes[p], of, made, sums + (size_t)p * of.rows);
    if (status != cudaSuccess)
        return status;
    find_values<<<blocks_of_rows(of), THREADS, 0, (cudaStream_t)call->stream>>>(of);
    if (of.formula.of.normalizes && of.formula.n > 0)
        normalize<<<grid_of_terms(of.formula.n, of.rows), THREADS, 0, (cudaStream_t)call->stream>>>(of);
    return cudaGetLastError();
}

static const struct device_method of_rows = {scratch_bytes, run, true, false},
                                  of_one = {scratch_bytes, run, false, false};

extern "C" const struct device_method *statistic_device(const struct device_method *of_sums)
{
    return of_sums->takes_rows ? &of_rows : &of_one;
}
