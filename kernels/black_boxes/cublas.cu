/* dot: cublasSdot or cublasDdot of the numbers with as many ones, which many use for a sum.  Each product x 1 is exact.
 * dot_product is that of two vectors, nrm2 the norm of one.  Products of 16 bits are added in binary32 by cuBLAS
 * (cublasDotEx), so there is none that adds in 16 bits.
 * gemm and those behind it: cublasGemmEx of row-major matrices, in one mode each (enum cublasComputeType_t).
 * Emulated products came with 12.9 (binary32) and 13.1 (binary64).  Of those of binary64 cuBLAS reports how many bits
 * of a significand it kept, or that it did not emulate at all; a kernel behind each counts that.
 */
#include "cublas.h"

enum {
    POINTER_MODE_HOST = 0,
    POINTER_MODE_DEVICE = 1,
    AS_IT_IS = 0,
    DEFAULT_ALGORITHM = -1,
    EAGER = 2,
};

static struct {
    int (*set_stream)(void *handle, cudaStream_t stream);
    int (*set_pointer_mode)(void *handle, int mode);
    int (*dot)(void *handle, int64_t n, const number *x, int64_t x_step, const number *y, int64_t y_step,
               number *result);
    int (*nrm2)(void *handle, int64_t n, const number *x, int64_t x_step, number *result);
    int (*gemm)(void *handle, int of_a, int of_b, int64_t rows, int64_t columns, int64_t terms, const void *alpha,
                const void *a, cudaDataType a_type, int64_t a_step, const void *b, cudaDataType b_type, int64_t b_step,
                const void *beta, void *c, cudaDataType c_type, int64_t c_step, int mode, int algorithm);
    int (*set_emulation)(void *handle, int strategy); /* NULL: this cuBLAS emulates no product in this format */
    int (*set_control)(void *handle, int mantissa_control);
    int (*set_bits)(void *handle, int *bits);
    int (*set_most_bits)(void *handle, int bits);
} cublas;

static struct cuda_library cublas_library = {NULL, NULL, PTHREAD_MUTEX_INITIALIZER, {NULL}, ""};

/* ---- finding it ---- */

static void load(void)
{
    void *library = opened(&cublas_library, "libcublas");
    if (!library)
        return;
    if (!find(library, "cublasGemmEx_64", &cublas.gemm) || !find(library, "cublasCreate_v2", &cublas_library.create) ||
        !find(library, "cublasSetStream_v2", &cublas.set_stream) ||
        !find(library, "cublasSetPointerMode_v2", &cublas.set_pointer_mode) ||
        !find(library, "cublasGetProperty", &cublas_library.get_property) ||
        !find(library, REAL_PRECISION == 53 ? "cublasDdot_v2_64" : "cublasSdot_v2_64", &cublas.dot) ||
        !find(library, REAL_PRECISION == 53 ? "cublasDnrm2_v2_64" : "cublasSnrm2_v2_64", &cublas.nrm2))
        snprintf(cublas_library.why, REASON_SIZE,
                 "libcublas has no functions with 64-bit counts; needs cuBLAS 12 or newer");
    else if (REAL_PRECISION != 53 ||
             (find(library, "cublasSetFixedPointEmulationMantissaControl", &cublas.set_control) &&
              find(library, "cublasSetFixedPointEmulationMantissaBitCountPointer", &cublas.set_bits) &&
              find(library, "cublasSetFixedPointEmulationMaxMantissaBitCount", &cublas.set_most_bits)))
        (void)find(library, "cublasSetEmulationStrategy", &cublas.set_emulation);
}

static bool is_found(char why[REASON_SIZE])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    snprintf(why, REASON_SIZE, "%s", cublas_library.why);
    return cublas_library.why[0] == '\0';
}

static bool dot_can_do(const struct method *, struct launch, char why[REASON_SIZE])
{
    if (REAL_PRECISION >= 24)
        return is_found(why);
    snprintf(why, REASON_SIZE, "cuBLAS has no dot product or norm that adds in 16 bits");
    return false;
}

static void cublas_version(char text[REASON_SIZE])
{
    write_version(&cublas_library, "cuBLAS", text);
}

/* ---- using it ---- */

/* Where numbers beside the arrays are: alpha and beta in the host's memory, the result of a sum in the device's. */
static int prepare(void *handle, const struct kernel_call *call, int pointer_mode)
{
    const int status = cublas.set_stream(handle, (cudaStream_t)call->stream);
    return status == SUCCESS ? cublas.set_pointer_mode(handle, pointer_mode) : status;
}

/* With y: NULL is for the norm of x. */
static int compute(void *handle, const struct kernel_call *call, const void *y)
{
    const int64_t n = (int64_t)call->of.shape.terms;
    const number *const x = (const number *)call->of.arrays[0];
    int status = prepare(handle, call, POINTER_MODE_DEVICE);
    if (status == SUCCESS)
        status = y ? cublas.dot(handle, n, x, 1, (const number *)y, 1, (number *)call->results)
                   : cublas.nrm2(handle, n, x, 1, (number *)call->results);
    return as_cuda_error(status);
}

/* ---- with ones ---- */

static __global__ void cublas_ones(number *ones, uint64_t n)
{
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        ones[i] = 1;
}

static size_t dot_scratch(const struct method *, struct shape shape, struct launch)
{
    return shape.terms * sizeof(number); /* the ones */
}

/* The ones are written anew in each call: what else uses the scratch memory in between need not be known. */
static int dot_run(const struct method *self, const struct kernel_call *call)
{
    enum { BLOCKS = 1024, THREADS = 256 };
    const cudaStream_t stream = (cudaStream_t)call->stream;
    void *handle;
    if (call->of.shape.terms == 0)
        return zero(self, call);
    const int error = handle_here(&cublas_library, &handle);
    if (error != cudaSuccess)
        return error;
    cublas_ones<<<BLOCKS, THREADS, 0, stream>>>((number *)call->scratch, call->of.shape.terms);
    const cudaError_t launched = cudaGetLastError();
    return launched == cudaSuccess ? compute(handle, call, call->scratch) : launched;
}

/* ---- of two vectors, and the norm ---- */

static size_t no_scratch(const struct method *, struct shape, struct launch)
{
    return 0;
}

static int product_or_norm_run(const struct method *self, const struct kernel_call *call)
{
    void *handle;
    if (call->of.shape.terms == 0)
        return zero(self, call);
    const int error = handle_here(&cublas_library, &handle);
    const bool has_two = operation_table[self->operation].vectors > 1;
    return error == cudaSuccess ? compute(handle, call, has_two ? call->of.arrays[1] : NULL) : error;
}

const struct black_box BLACK_BOX_IN(cublas_dot_product) = {
    dot_can_do, cublas_version, {no_scratch, product_or_norm_run, false}};

const struct black_box BLACK_BOX_IN(cublas_nrm2) = {
    dot_can_do, cublas_version, {no_scratch, product_or_norm_run, false}};

const struct black_box BLACK_BOX_IN(cublas_dot) = {dot_can_do, cublas_version, {dot_scratch, dot_run, false}};

/* ---- matrix products ---- */

/* cublasComputeType_t; 0: there is none that adds in this format. */
#if REAL_PRECISION == 53
enum { GEMM = 70, PEDANTIC = 71, TF32 = 0, FAST_16F = 0, FAST_16BF = 0, EMULATED = 79 };
#elif REAL_PRECISION == 24
enum { GEMM = 68, PEDANTIC = 69, TF32 = 77, FAST_16F = 74, FAST_16BF = 75, EMULATED = 78 };
#elif REAL_PRECISION == 11
enum { GEMM = 64, PEDANTIC = 65, TF32 = 0, FAST_16F = 0, FAST_16BF = 0, EMULATED = 0 };
#else
enum { GEMM = 0, PEDANTIC = 0, TF32 = 0, FAST_16F = 0, FAST_16BF = 0, EMULATED = 0 };
#endif

/* Factors that are rounded, or taken apart, have the format that is added in. */
template <int Mode> static bool gemm_can_do(const struct method *self, struct launch, char why[REASON_SIZE])
{
    const struct sum_format *const in = self->sum_format;
    const bool is_plain = Mode == GEMM || Mode == PEDANTIC;
    if (Mode == 0 || in->stored->bytes == 1 || (!is_plain && in->stored->bytes != in->added->bytes)) {
        snprintf(why, REASON_SIZE, "cuBLAS has no %s of %s", self->order, in->id);
        return false;
    }
    if (!is_found(why))
        return false;
    snprintf(why, REASON_SIZE, "this cuBLAS emulates nothing in %s; needs %s", in->added->name,
             REAL_PRECISION == 53 ? "13.1" : "12.9");
    return Mode != EMULATED || cublas.set_emulation;
}

/* ---- what emulated products report ---- */

/* Dynamic products that need more are not emulated, and report how many; 0: a fixed number is the library's choice. */
enum { BITS_MOST = 79 };

/* Of all products of a mode in this process, in memory that every GPU and the host have. */
struct emulated {
    int bits; /* of the product behind which a kernel counts; -1, or more than BITS_MOST: it was not emulated */
    int products, native, least, most;
};

static __global__ void cublas_count_emulated(struct emulated *of)
{
    of->products++;
    if (of->bits < 0 || of->bits > BITS_MOST) {
        of->native++;
        return;
    }
    of->least = of->products - of->native == 1 || of->bits < of->least ? of->bits : of->least;
    of->most = of->bits > of->most ? of->bits : of->most;
}

enum { DYNAMIC = 0, FIXED = 1, MANTISSA_CONTROLS }; /* cudaEmulationMantissaControl */
static struct emulated *emulated[MANTISSA_CONTROLS];

static int begin_emulated(void *handle, int control)
{
    int status = cublas.set_emulation(handle, EAGER);
    if (status != SUCCESS || REAL_PRECISION != 53)
        return status;
    if (!emulated[control]) {
        if (cudaHostAlloc((void **)&emulated[control], sizeof **emulated, cudaHostAllocPortable) != cudaSuccess)
            return ALLOC_FAILED;
        *emulated[control] = (struct emulated){0, 0, 0, 0, 0};
    }
    status = cublas.set_control(handle, control);
    if (status == SUCCESS)
        status = cublas.set_most_bits(handle, control == DYNAMIC ? BITS_MOST : 0);
    return status == SUCCESS ? cublas.set_bits(handle, &emulated[control]->bits) : status;
}

static int end_emulated(void *handle, int control, void *stream)
{
    if (REAL_PRECISION != 53)
        return SUCCESS;
    cublas_count_emulated<<<1, 1, 0, (cudaStream_t)stream>>>(emulated[control]);
    return cudaGetLastError() == cudaSuccess ? cublas.set_bits(handle, NULL) : INVALID_VALUE;
}

/* "cuBLAS 13.1.0; emulated products: 40, 54 to 64 bits kept; in native arithmetic: 3": before the first product the
 * version alone. */
template <int Control> static void emulated_version(char text[REASON_SIZE])
{
    const struct emulated *of = emulated[Control];
    char bits[40] = "";
    cublas_version(text);
    const size_t length = strlen(text);
    if (!of || of->products == 0)
        return;
    if (of->products > of->native)
        snprintf(bits, sizeof bits, ", %d to %d bits kept", of->least, of->most);
    snprintf(text + length, REASON_SIZE - length, "; emulated products: %d%s; in native arithmetic: %d",
             of->products - of->native, bits, of->native);
}

/* cuBLAS has columns where we have rows, so it is asked for the transposed product, B' A'. */
template <int Mode, int Control> static int gemm_run(const struct method *self, const struct kernel_call *call)
{
    const number one = 1.0f, beta = call->of.arrays[ARRAY_C] ? 1.0f : 0.0f;
    const struct shape shape = call->of.shape;
    const cudaDataType stored = type_of(self->sum_format->stored), result = type_of(self->format);
    const int64_t terms = (int64_t)shape.terms, columns = (int64_t)shape.columns;
    void *handle;
    if (terms == 0)
        return zero(self, call);
    const int error = handle_here(&cublas_library, &handle);
    if (error != cudaSuccess)
        return error;
    int status = prepare(handle, call, POINTER_MODE_HOST);
    if (status == SUCCESS && Mode == EMULATED)
        status = begin_emulated(handle, Control);
    if (status == SUCCESS)
        status = cublas.gemm(handle, AS_IT_IS, AS_IT_IS, columns, (int64_t)shape.rows, terms, &one, call->of.arrays[1],
                             stored, columns, call->of.arrays[0], stored, terms, &beta, call->results, result, columns,
                             Mode, DEFAULT_ALGORITHM);
    if (status == SUCCESS && Mode == EMULATED)
        status = end_emulated(handle, Control, call->stream);
    return as_cuda_error(status);
}

#define GEMM_BOX(name, mode, control, version)                                                                         \
    const struct black_box BLACK_BOX_IN(cublas_##name) = {                                                             \
        gemm_can_do<mode>, version, {no_scratch, gemm_run<mode, control>, false}};
GEMM_BOX(gemm, GEMM, 0, cublas_version)
GEMM_BOX(gemm_pedantic, PEDANTIC, 0, cublas_version)
GEMM_BOX(gemm_tf32, TF32, 0, cublas_version)
GEMM_BOX(gemm_16f, FAST_16F, 0, cublas_version)
GEMM_BOX(gemm_16bf, FAST_16BF, 0, cublas_version)
GEMM_BOX(gemm_emulated, EMULATED, DYNAMIC, emulated_version<DYNAMIC>)
GEMM_BOX(gemm_emulated_fixed, REAL_PRECISION == 53 ? EMULATED : 0, FIXED, emulated_version<FIXED>)
