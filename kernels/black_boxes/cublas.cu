/* dot: cublasSdot or cublasDdot of the numbers with as many ones, which many use for a sum.  Each product x 1 is exact.
 * dot_product is that of two vectors, nrm2 the norm of one.  Products of 16 bits are added in binary32 by cuBLAS
 * (cublasDotEx), so there is none that adds in 16 bits.
 * gemm and those behind it: cublasGemmEx of row-major matrices, in one mode each (enum cublasComputeType_t).
 *
 * cuBLAS is looked for when it is first asked for (dlopen), so that a program that is built with CUDA starts where
 * there is no cuBLAS, 500 MB that few machines without a toolkit have.  Its few functions are declared here, with the
 * numbers of its enumerations: their meaning has not changed since cuBLAS 4.0 (_v2), nor that of the 64-bit counts
 * since 12.0.  Emulated products came with 12.9 (binary32) and 13.1 (binary64).
 *
 * A handle takes tens of milliseconds and device memory to make, so there is one for each GPU and format, made at the
 * first call and never destroyed: at exit the driver may be gone before us, and the process gives all back anyway.  A
 * handle may not be used by two threads at once; a run holds its GPU for one case at a time.
 */
#include "kernels/portable.h"

#include ACCUMULATOR_FILE

#include "kernels/black_box.h"
#include "kernels/order.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <library_types.h>
#include <pthread.h>

enum { SUCCESS = 0, ALLOC_FAILED = 3, INVALID_VALUE = 7, NOT_SUPPORTED = 15 }; /* cublasStatus_t */
enum {
    POINTER_MODE_HOST = 0,
    POINTER_MODE_DEVICE = 1,
    AS_IT_IS = 0,
    DEFAULT_ALGORITHM = -1,
    EAGER = 2,
    GPUS_MOST = 64
};

static struct {
    int (*create)(void **handle);
    int (*set_stream)(void *handle, cudaStream_t stream);
    int (*set_pointer_mode)(void *handle, int mode);
    int (*get_property)(int property, int *value); /* 0 major, 1 minor, 2 patch */
    int (*dot)(void *handle, int64_t n, const number *x, int64_t x_step, const number *y, int64_t y_step,
               number *result);
    int (*nrm2)(void *handle, int64_t n, const number *x, int64_t x_step, number *result);
    int (*gemm)(void *handle, int of_a, int of_b, int64_t rows, int64_t columns, int64_t terms, const void *alpha,
                const void *a, cudaDataType a_type, int64_t a_step, const void *b, cudaDataType b_type, int64_t b_step,
                const void *beta, void *c, cudaDataType c_type, int64_t c_step, int mode, int algorithm);
    int (*set_emulation)(void *handle, int strategy); /* NULL: this cuBLAS emulates no product in this format */
    void *handles[GPUS_MOST];                         /* by number of the GPU; `mutex` guards them */
    char why[REASON_SIZE];                            /* "" when it was found */
} cublas;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---- finding it ---- */

template <typename Function> static bool find(void *library, const char *name, Function **function)
{
    *function = reinterpret_cast<Function *>(dlsym(library, name));
    return *function != NULL;
}

/* The cuBLAS of the CUDA that this program is built with: another one's driver may be too new. */
static void load(void)
{
    char name[32];
    snprintf(name, sizeof name, "libcublas.so.%d", CUDART_VERSION / 1000);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(cublas.why, REASON_SIZE, "%s is not found: install cuBLAS, or add its folder to LD_LIBRARY_PATH",
                 name);
    else if (!find(library, "cublasGemmEx_64", &cublas.gemm) || !find(library, "cublasCreate_v2", &cublas.create) ||
             !find(library, "cublasSetStream_v2", &cublas.set_stream) ||
             !find(library, "cublasSetPointerMode_v2", &cublas.set_pointer_mode) ||
             !find(library, "cublasGetProperty", &cublas.get_property) ||
             !find(library, REAL_PRECISION == 53 ? "cublasDdot_v2_64" : "cublasSdot_v2_64", &cublas.dot) ||
             !find(library, REAL_PRECISION == 53 ? "cublasDnrm2_v2_64" : "cublasSnrm2_v2_64", &cublas.nrm2))
        snprintf(cublas.why, REASON_SIZE, "%s has no functions with 64-bit counts; needs cuBLAS 12 or newer", name);
    else if (REAL_PRECISION != 53 || dlsym(library, "cublasSetFixedPointEmulationMantissaControl"))
        (void)find(library, "cublasSetEmulationStrategy", &cublas.set_emulation);
}

static bool is_found(char why[REASON_SIZE])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    snprintf(why, REASON_SIZE, "%s", cublas.why);
    return cublas.why[0] == '\0';
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
    int version[3] = {0, 0, 0};
    for (int i = 0; cublas.get_property && i < 3; i++)
        (void)cublas.get_property(i, &version[i]);
    snprintf(text, REASON_SIZE, "cuBLAS %d.%d.%d", version[0], version[1], version[2]);
}

/* ---- using it ---- */

static int as_cuda_error(int status)
{
    return status == SUCCESS         ? cudaSuccess
           : status == ALLOC_FAILED  ? cudaErrorMemoryAllocation
           : status == INVALID_VALUE ? cudaErrorInvalidValue
           : status == NOT_SUPPORTED ? cudaErrorNotSupported
                                     : cudaErrorUnknown; /* CUDA has no word for the others */
}

/* The handle of the current GPU. */
static int handle_here(void **handle)
{
    int ordinal, status = SUCCESS;
    const cudaError_t error = cudaGetDevice(&ordinal);
    if (error != cudaSuccess)
        return error;
    if (ordinal >= GPUS_MOST)
        return cudaErrorInvalidDevice;
    pthread_mutex_lock(&mutex);
    if (!cublas.handles[ordinal])
        status = cublas.create(&cublas.handles[ordinal]);
    if (status != SUCCESS)
        cublas.handles[ordinal] = NULL;
    *handle = cublas.handles[ordinal];
    pthread_mutex_unlock(&mutex);
    return as_cuda_error(status);
}

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

/* Of no numbers; cuBLAS may leave the results alone. */
static int zero(const struct method *self, const struct kernel_call *call)
{
    return cudaMemsetAsync(call->results, 0, shape_results(call->of.shape) * self->format->bytes,
                           (cudaStream_t)call->stream);
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
    const int error = handle_here(&handle);
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
    const int error = handle_here(&handle);
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
    if (Mode == 0 || (!is_plain && in->stored->bytes != in->added->bytes)) {
        snprintf(why, REASON_SIZE, "cuBLAS has no %s of %s", self->order, in->id);
        return false;
    }
    if (!is_found(why))
        return false;
    snprintf(why, REASON_SIZE, "this cuBLAS emulates nothing in %s; needs %s", in->added->name,
             REAL_PRECISION == 53 ? "13.1" : "12.9");
    return Mode != EMULATED || cublas.set_emulation;
}

static cudaDataType type_of(const struct format *format)
{
    return format->bytes == 8        ? CUDA_R_64F
           : format->bytes == 4      ? CUDA_R_32F
           : format->precision == 11 ? CUDA_R_16F
                                     : CUDA_R_16BF;
}

/* cuBLAS has columns where we have rows, so it is asked for the transposed product, B' A'. */
template <int Mode> static int gemm_run(const struct method *self, const struct kernel_call *call)
{
    const number one = 1.0f, nothing = 0.0f;
    const struct shape shape = call->of.shape;
    const cudaDataType stored = type_of(self->sum_format->stored), result = type_of(self->format);
    const int64_t terms = (int64_t)shape.terms, columns = (int64_t)shape.columns;
    void *handle;
    if (terms == 0)
        return zero(self, call);
    const int error = handle_here(&handle);
    if (error != cudaSuccess)
        return error;
    int status = prepare(handle, call, POINTER_MODE_HOST);
    if (status == SUCCESS && Mode == EMULATED)
        status = cublas.set_emulation(handle, EAGER);
    if (status == SUCCESS)
        status = cublas.gemm(handle, AS_IT_IS, AS_IT_IS, columns, (int64_t)shape.rows, terms, &one, call->of.arrays[1],
                             stored, columns, call->of.arrays[0], stored, terms, &nothing, call->results, result,
                             columns, Mode, DEFAULT_ALGORITHM);
    return as_cuda_error(status);
}

#define GEMM_BOX(name, mode)                                                                                           \
    const struct black_box BLACK_BOX_IN(cublas_##name) = {                                                             \
        gemm_can_do<mode>, cublas_version, {no_scratch, gemm_run<mode>, false}};
GEMM_BOX(gemm, GEMM)
GEMM_BOX(gemm_pedantic, PEDANTIC)
GEMM_BOX(gemm_tf32, TF32)
GEMM_BOX(gemm_16f, FAST_16F)
GEMM_BOX(gemm_16bf, FAST_16BF)
GEMM_BOX(gemm_emulated, EMULATED)
