/* dot: cublasSdot or cublasDdot of the numbers with as many ones, which many use for a sum.  Each product x 1 is exact.
 * dot_product is that of two vectors, nrm2 the norm of one.  Products of 16 bits are added in binary32 by cuBLAS
 * (cublasDotEx), so there is none that adds in 16 bits.
 *
 * cuBLAS is looked for when it is first asked for (dlopen), so that a program that is built with CUDA starts where
 * there is no cuBLAS, 500 MB that few machines without a toolkit have.  Its few functions are declared here, with the
 * numbers of its enumerations: their meaning has not changed since cuBLAS 4.0 (_v2), nor that of the 64-bit counts
 * since 12.0.
 *
 * A handle takes tens of milliseconds and device memory to make, so there is one for each GPU and format, made at the
 * first call and never destroyed: at exit the driver may be gone before us, and the process gives all back anyway.  A
 * handle may not be used by two threads at once; a run holds its GPU for one case at a time.
 */
#include "kernels/portable.h"

#include ACCUMULATOR_FILE

#include "kernels/order.h"
#include "kernels/black_box.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>

enum { SUCCESS = 0, ALLOC_FAILED = 3, POINTER_MODE_DEVICE = 1, GPUS_MOST = 64 };

static struct {
    int (*create)(void **handle);
    int (*set_stream)(void *handle, cudaStream_t stream);
    int (*set_pointer_mode)(void *handle, int mode);
    int (*get_property)(int property, int *value); /* 0 major, 1 minor, 2 patch */
    int (*dot)(void *handle, int64_t n, const number *x, int64_t x_step, const number *y, int64_t y_step,
               number *result);
    int (*nrm2)(void *handle, int64_t n, const number *x, int64_t x_step, number *result);
    void *handles[GPUS_MOST]; /* by number of the GPU; `mutex` guards them */
    char why[REASON_SIZE];    /* "" when it was found */
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
    else if (!find(library, "cublasCreate_v2", &cublas.create) ||
             !find(library, "cublasSetStream_v2", &cublas.set_stream) ||
             !find(library, "cublasSetPointerMode_v2", &cublas.set_pointer_mode) ||
             !find(library, "cublasGetProperty", &cublas.get_property) ||
             !find(library, REAL_PRECISION == 53 ? "cublasDdot_v2_64" : "cublasSdot_v2_64", &cublas.dot) ||
             !find(library, REAL_PRECISION == 53 ? "cublasDnrm2_v2_64" : "cublasSnrm2_v2_64", &cublas.nrm2))
        snprintf(cublas.why, REASON_SIZE, "%s has no dot product or norm with 64-bit counts; needs cuBLAS 12 or newer",
                 name);
}

static bool dot_can_do(struct launch, char why[REASON_SIZE])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (REAL_PRECISION < 24) {
        snprintf(why, REASON_SIZE, "cuBLAS has no dot product or norm that adds in 16 bits");
        return false;
    }
    pthread_once(&once, load);
    if (cublas.why[0] == '\0')
        return true;
    snprintf(why, REASON_SIZE, "%s", cublas.why);
    return false;
}

static void dot_version(char text[REASON_SIZE])
{
    int version[3] = {0, 0, 0};
    for (int i = 0; cublas.get_property && i < 3; i++)
        (void)cublas.get_property(i, &version[i]);
    snprintf(text, REASON_SIZE, "cuBLAS %d.%d.%d", version[0], version[1], version[2]);
}

/* ---- using it ---- */

static int as_cuda_error(int status)
{
    return status == SUCCESS        ? cudaSuccess
           : status == ALLOC_FAILED ? cudaErrorMemoryAllocation
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

/* With y: NULL is for the norm of x. */
static int compute(void *handle, const struct kernel_call *call, const void *y)
{
    const int64_t n = (int64_t)call->of.shape.terms;
    const number *const x = (const number *)call->of.arrays[0];
    int status = cublas.set_stream(handle, (cudaStream_t)call->stream);
    if (status == SUCCESS)
        status = cublas.set_pointer_mode(handle, POINTER_MODE_DEVICE);
    if (status == SUCCESS)
        status = y ? cublas.dot(handle, n, x, 1, (const number *)y, 1, (number *)call->results)
                   : cublas.nrm2(handle, n, x, 1, (number *)call->results);
    return as_cuda_error(status);
}

/* Of no numbers; cuBLAS may leave the result alone. */
static int zero(const struct kernel_call *call)
{
    return cudaMemsetAsync(call->results, 0, sizeof(number), (cudaStream_t)call->stream);
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
static int dot_run(const struct method *, const struct kernel_call *call)
{
    enum { BLOCKS = 1024, THREADS = 256 };
    const cudaStream_t stream = (cudaStream_t)call->stream;
    void *handle;
    if (call->of.shape.terms == 0)
        return zero(call);
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
        return zero(call);
    const int error = handle_here(&handle);
    const bool has_two = operation_table[self->operation].vectors > 1;
    return error == cudaSuccess ? compute(handle, call, has_two ? call->of.arrays[1] : NULL) : error;
}

const struct black_box BLACK_BOX_IN(cublas_dot_product) = {
    dot_can_do, dot_version, {no_scratch, product_or_norm_run, false}};

const struct black_box BLACK_BOX_IN(cublas_nrm2) = {dot_can_do, dot_version, {no_scratch, product_or_norm_run, false}};

const struct black_box BLACK_BOX_IN(cublas_dot) = {dot_can_do, dot_version, {dot_scratch, dot_run, false}};
