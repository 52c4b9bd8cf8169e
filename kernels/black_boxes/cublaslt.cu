/* gemm and those behind it: cublasLtMatmul of row-major matrices, in one mode each, with the algorithm that its
 * heuristics put first for 32 MiB of workspace, as PyTorch and others ask for it.
 *
 * Products of fp8 exist for K-major factors, A row after row and B column after column, whose sizes are multiples of
 * 16, so they are copied there and back; the zeros around them are no terms of a tensor core's sum.  There is none of
 * two matrices of e5m2.  Scales, numbers in device memory, are all 1: a method multiplies A and B and nothing else.
 */
#include "cublas.h"

enum {
    MAX_WORKSPACE = 1,
    REDUCTIONS = 3,
    COMPUTE_TRANSA = 3,
    SCALE_OF_A = 17,
    SCALE_OF_B = 18,
    FAST_ACCUM = 25,
    SCALES_OF_A = 31,
    SCALES_OF_B = 32
};                                                           /* attributes */
enum { TRANSPOSED = 1, VECTORS_OF_128 = 4 };                 /* cublasOperation_t, cublasLtMatmulMatrixScale_t */
enum { MULTIPLE = 16, ALIGNED = 256, OF_K = 128 };           /* of sizes in elements, of scratch in bytes, of a scale */
enum { FAST = 1, SCALED_128 = 2, ROUNDED = 4, UNSPLIT = 8 }; /* what a mode has beside its compute type */
enum { ALL_REDUCTIONS = 7 };
static const size_t WORKSPACE = (size_t)32 << 20;

struct found_algorithm {
    uint64_t algorithm[8];
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
};

static struct {
    int (*describe)(void **product, int mode, cudaDataType scale);
    int (*set)(void *product, int attribute, const void *value, size_t bytes);
    int (*forget)(void *product);
    int (*lay_out)(void **matrix, cudaDataType type, uint64_t rows, uint64_t columns, int64_t step);
    int (*forget_layout)(void *matrix);
    int (*prefer)(void **preference);
    int (*set_preference)(void *preference, int attribute, const void *value, size_t bytes);
    int (*forget_preference)(void *preference);
    int (*look_for)(void *handle, void *product, void *a, void *b, void *c, void *d, void *preference, int wanted,
                    struct found_algorithm *found, int *count);
    int (*multiply)(void *handle, void *product, const void *alpha, const void *a, void *of_a, const void *b,
                    void *of_b, const void *beta, const void *c, void *of_c, void *d, void *of_d,
                    const uint64_t *algorithm, void *workspace, size_t bytes, cudaStream_t stream);
} lt;

static struct cuda_library lt_library = {NULL, NULL, PTHREAD_MUTEX_INITIALIZER, {NULL}, ""};

/* ---- finding it ---- */

static void load(void)
{
    void *library = opened(&lt_library, "libcublasLt");
    if (library && (!find(library, "cublasLtCreate", &lt_library.create) ||
                    !find(library, "cublasLtGetProperty", &lt_library.get_property) ||
                    !find(library, "cublasLtMatmulDescCreate", &lt.describe) ||
                    !find(library, "cublasLtMatmulDescSetAttribute", &lt.set) ||
                    !find(library, "cublasLtMatmulDescDestroy", &lt.forget) ||
                    !find(library, "cublasLtMatrixLayoutCreate", &lt.lay_out) ||
                    !find(library, "cublasLtMatrixLayoutDestroy", &lt.forget_layout) ||
                    !find(library, "cublasLtMatmulPreferenceCreate", &lt.prefer) ||
                    !find(library, "cublasLtMatmulPreferenceSetAttribute", &lt.set_preference) ||
                    !find(library, "cublasLtMatmulPreferenceDestroy", &lt.forget_preference) ||
                    !find(library, "cublasLtMatmulAlgoGetHeuristic", &lt.look_for) ||
                    !find(library, "cublasLtMatmul", &lt.multiply)))
        snprintf(lt_library.why, REASON_SIZE, "libcublasLt lacks a function of cuBLAS 12; needs 12 or newer");
}

static void lt_version(char text[REASON_SIZE])
{
    write_version(&lt_library, "cuBLASLt", text);
}

/* cublasComputeType_t; 0: there is none that adds in this format. */
#if REAL_PRECISION == 53
enum { GEMM = 70, TF32 = 0, FAST_16F = 0, FAST_16BF = 0, OF_FP8 = 0 };
#elif REAL_PRECISION == 24
enum { GEMM = 68, TF32 = 77, FAST_16F = 74, FAST_16BF = 75, OF_FP8 = 68 };
#elif REAL_PRECISION == 11
enum { GEMM = 64, TF32 = 0, FAST_16F = 0, FAST_16BF = 0, OF_FP8 = 0 };
#else
enum { GEMM = 0, TF32 = 0, FAST_16F = 0, FAST_16BF = 0, OF_FP8 = 0 };
#endif

/* Factors that are rounded have the format that is added in; fp8 has modes of its own. */
template <int Mode, int Flags> static bool lt_can_do(const struct method *self, struct launch, char why[REASON_SIZE])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct sum_format *const in = self->sum_format;
    const bool is_fp8 = in->stored->bytes == 1, is_as_added = in->stored->bytes == in->added->bytes;
    const bool has = Mode != 0 && (Flags ? is_fp8 : Mode == GEMM || is_as_added);
    if (!has)
        snprintf(why, REASON_SIZE, "cuBLASLt has no %s of %s", self->order, in->id);
    else if (is_fp8 && in->stored->precision == 3)
        snprintf(why, REASON_SIZE, "cuBLASLt multiplies no e5m2 by e5m2, only by e4m3");
    if (!has || (is_fp8 && in->stored->precision == 3))
        return false;
    pthread_once(&once, load);
    snprintf(why, REASON_SIZE, "%s", lt_library.why);
    return lt_library.why[0] == '\0';
}

/* ---- where fp8 lies ---- */

static uint64_t padded(uint64_t size)
{
    return ceil_div(size, MULTIPLE) * MULTIPLE;
}

/* In scratch, one behind the other: scales, A, B, C, the workspace. */
struct places {
    size_t a, b, c, workspace;
};

static struct places places_of(const struct method *self, struct shape shape, int flags)
{
    const uint64_t rows = padded(shape.rows), columns = padded(shape.columns), terms = padded(shape.terms);
    const uint64_t lines = rows > columns ? rows : columns;
    const uint64_t scales = flags & SCALED_128 ? padded(lines) * ceil_div(terms, OF_K) : 1;
    struct places places = {0, 0, 0, 0};
    if (self->sum_format->stored->bytes > 1)
        return places;
    places.a = ceil_div(scales * sizeof(float), ALIGNED) * ALIGNED;
    places.b = places.a + ceil_div(rows * terms, ALIGNED) * ALIGNED;
    places.c = places.b + ceil_div(columns * terms, ALIGNED) * ALIGNED;
    places.workspace = places.c + ceil_div(rows * columns * sizeof(float), ALIGNED) * ALIGNED;
    return places;
}

template <int Flags> static size_t lt_scratch(const struct method *self, struct shape shape, struct launch)
{
    return places_of(self, shape, Flags).workspace + WORKSPACE;
}

static __global__ void lt_ones(float *scales, uint64_t n)
{
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (uint64_t)gridDim.x * blockDim.x)
        scales[i] = 1;
}

/* A copy, line after line of `length` numbers, with zeros behind the `lines` and behind the `terms` of each. */
static __global__ void lt_pad(uint8_t *to, uint64_t size, uint64_t length, const uint8_t *from, uint64_t lines,
                              uint64_t line_step, uint64_t terms, uint64_t term_step)
{
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < size;
         i += (uint64_t)gridDim.x * blockDim.x) {
        const uint64_t line = i / length, k = i % length;
        to[i] = line < lines && k < terms ? from[line * line_step + k * term_step] : 0;
    }
}

static __device__ float lt_float(float x)
{
    return x;
}

/* bfloat16 is the upper half. */
static __device__ float lt_float(uint16_t x)
{
    return __uint_as_float((uint32_t)x << 16);
}

template <typename Number>
static __global__ void lt_take(float *to, uint64_t rows, uint64_t columns, const Number *from, uint64_t length)
{
    const uint64_t size = rows * columns;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < size; i += (uint64_t)gridDim.x * blockDim.x)
        to[i] = lt_float(from[i / columns * length + i % columns]);
}

/* ---- a product ---- */

/* What is asked for: the transposed product, B' A', since cuBLAS has columns where we have rows. */
struct lt_product {
    const void *a, *b;
    void *c;
    uint64_t rows, columns, terms;
    cudaDataType stored, result;
    const float *scales; /* NULL: of no fp8, and B lies row after row */
    void *workspace;
    uint32_t reductions; /* how parts of k may be added, a mask of cublasLtReductionScheme_t; 0: there is one part */
    bool adds;           /* to what c has */
};

template <int Flags> static int describe_fp8(void *product, const struct lt_product *of)
{
    const int transposed = TRANSPOSED, vectors = VECTORS_OF_128;
    const int8_t fast = (Flags & FAST) != 0;
    int status = lt.set(product, COMPUTE_TRANSA, &transposed, sizeof transposed);
    for (int attribute = SCALE_OF_A; attribute <= SCALE_OF_B && status == SUCCESS; attribute++)
        status = lt.set(product, attribute, &of->scales, sizeof of->scales);
    for (int attribute = SCALES_OF_A; attribute <= SCALES_OF_B && status == SUCCESS && Flags & SCALED_128; attribute++)
        status = lt.set(product, attribute, &vectors, sizeof vectors);
    return status == SUCCESS ? lt.set(product, FAST_ACCUM, &fast, sizeof fast) : status;
}

static int multiply(void *handle, void *product, void *const layouts[3], const struct lt_product *of, void *stream)
{
    const number one = 1.0f, beta = of->adds ? 1.0f : 0.0f;
    struct found_algorithm found;
    void *preference = NULL;
    int count = 0, status = lt.prefer(&preference);
    if (status == SUCCESS)
        status = lt.set_preference(preference, MAX_WORKSPACE, &WORKSPACE, sizeof WORKSPACE);
    if (status == SUCCESS)
        status = lt.set_preference(preference, REDUCTIONS, &of->reductions, sizeof of->reductions);
    if (status == SUCCESS)
        status =
            lt.look_for(handle, product, layouts[0], layouts[1], layouts[2], layouts[2], preference, 1, &found, &count);
    if (preference)
        (void)lt.forget_preference(preference);
    if (status != SUCCESS || count == 0)
        return status != SUCCESS ? status : NOT_SUPPORTED;
    return lt.multiply(handle, product, &one, of->b, layouts[0], of->a, layouts[1], &beta, of->c, layouts[2], of->c,
                       layouts[2], found.algorithm, of->workspace, WORKSPACE, (cudaStream_t)stream);
}

template <int Mode, int Flags> static int ask(void *handle, const struct lt_product *of, void *stream)
{
    const cudaDataType scale = REAL_PRECISION == 53 ? CUDA_R_64F : REAL_PRECISION == 24 ? CUDA_R_32F : CUDA_R_16F;
    void *product = NULL, *layouts[3] = {NULL, NULL, NULL};
    int status = lt.describe(&product, Mode, scale);
    if (status == SUCCESS && of->scales)
        status = describe_fp8<Flags>(product, of);
    if (status == SUCCESS)
        status = of->scales ? lt.lay_out(&layouts[0], of->stored, of->terms, of->columns, (int64_t)of->terms)
                            : lt.lay_out(&layouts[0], of->stored, of->columns, of->terms, (int64_t)of->columns);
    if (status == SUCCESS)
        status = lt.lay_out(&layouts[1], of->stored, of->terms, of->rows, (int64_t)of->terms);
    if (status == SUCCESS)
        status = lt.lay_out(&layouts[2], of->result, of->columns, of->rows, (int64_t)of->columns);
    if (status == SUCCESS)
        status = multiply(handle, product, layouts, of, stream);
    for (int i = 0; i < 3 && layouts[i]; i++)
        (void)lt.forget_layout(layouts[i]);
    if (product)
        (void)lt.forget(product);
    return as_cuda_error(status);
}

/* fp8 is copied to where it is wanted, and the product back. */
template <int Mode, int Flags>
static int ask_fp8(const struct method *self, const struct kernel_call *call, void *handle, struct lt_product of)
{
    enum { BLOCKS = 1024, THREADS = 256 };
    const cudaStream_t stream = (cudaStream_t)call->stream;
    const struct shape shape = call->of.shape;
    const struct places places = places_of(self, shape, Flags);
    uint8_t *const scratch = (uint8_t *)call->scratch;
    of.rows = padded(shape.rows), of.columns = padded(shape.columns), of.terms = padded(shape.terms);
    lt_ones<<<BLOCKS, THREADS, 0, stream>>>((float *)scratch, places.a / sizeof(float));
    lt_pad<<<BLOCKS, THREADS, 0, stream>>>(scratch + places.a, of.rows * of.terms, of.terms, (const uint8_t *)of.a,
                                           shape.rows, shape.terms, shape.terms, 1);
    lt_pad<<<BLOCKS, THREADS, 0, stream>>>(scratch + places.b, of.columns * of.terms, of.terms, (const uint8_t *)of.b,
                                           shape.columns, 1, shape.terms, shape.columns);
    of.a = scratch + places.a, of.b = scratch + places.b, of.c = scratch + places.c;
    of.scales = (const float *)scratch;
    of.reductions = Flags & UNSPLIT ? 0 : ALL_REDUCTIONS;
    of.result = Flags & ROUNDED ? CUDA_R_16BF : CUDA_R_32F;
    of.workspace = scratch + places.workspace;
    const int error = ask<Mode, Flags>(handle, &of, call->stream);
    if (error != cudaSuccess)
        return error;
    if (Flags & ROUNDED)
        lt_take<<<BLOCKS, THREADS, 0, stream>>>((float *)call->results, shape.rows, shape.columns,
                                                (const uint16_t *)of.c, of.columns);
    else
        lt_take<<<BLOCKS, THREADS, 0, stream>>>((float *)call->results, shape.rows, shape.columns, (const float *)of.c,
                                                of.columns);
    return cudaGetLastError();
}

template <int Mode, int Flags> static int lt_run(const struct method *self, const struct kernel_call *call)
{
    const struct shape shape = call->of.shape;
    const cudaDataType stored = type_of(self->sum_format->stored), result = type_of(self->format);
    const struct lt_product of = {call->of.arrays[0],
                                  call->of.arrays[1],
                                  call->results,
                                  shape.rows,
                                  shape.columns,
                                  shape.terms,
                                  stored,
                                  result,
                                  NULL,
                                  call->scratch,
                                  ALL_REDUCTIONS,
                                  call->of.arrays[ARRAY_C] != NULL};
    void *handle;
    if (shape.terms == 0)
        return zero(self, call);
    const int error = handle_here(&lt_library, &handle);
    if (error != cudaSuccess)
        return error;
    return self->sum_format->stored->bytes == 1 ? ask_fp8<Mode, Flags>(self, call, handle, of)
                                                : ask<Mode, 0>(handle, &of, call->stream);
}

#define LT_BOX(name, mode, flags)                                                                                      \
    const struct black_box BLACK_BOX_IN(cublaslt_##name) = {                                                           \
        lt_can_do<mode, flags>, lt_version, {lt_scratch<flags>, lt_run<mode, flags>, false}};
LT_BOX(gemm, GEMM, 0)
LT_BOX(gemm_tf32, TF32, 0)
LT_BOX(gemm_16f, FAST_16F, 0)
LT_BOX(gemm_16bf, FAST_16BF, 0)
LT_BOX(gemm_fast, OF_FP8, FAST)
LT_BOX(gemm_fast_unsplit, OF_FP8, (FAST | UNSPLIT))
LT_BOX(gemm_scaled_128, OF_FP8, SCALED_128)
LT_BOX(gemm_rounded, OF_FP8, ROUNDED)
LT_BOX(gemm_fast_rounded, OF_FP8, (FAST | ROUNDED))
