extern "C" {
#include "occupy.h"

#include "src/base/clock.h"
}

enum { OCCUPIED_MILLISECONDS = 100, OCCUPYING_THREADS = 1024, SECONDS_TO_START = 1 };

static __device__ unsigned long long nanoseconds_now()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* Every thread reads the clock; the first of a block asks the host. */
static __global__ void occupy(volatile unsigned *talk)
{
    __shared__ volatile bool is_over;
    const unsigned long long end = nanoseconds_now() + OCCUPIED_MILLISECONDS * 1000ull * 1000;
    if (threadIdx.x == 0) {
        is_over = false;
        talk[1 + blockIdx.x] = 1;
    }
    __syncthreads();
    while (!is_over && nanoseconds_now() < end)
        if (threadIdx.x == 0)
            is_over = talk[0];
}

/* One thread reads the clock. */
static __global__ void wait_for(unsigned nanoseconds)
{
    const unsigned long long end = nanoseconds_now() + nanoseconds;
    while (nanoseconds_now() < end)
        ;
}

int occupy_for(unsigned nanoseconds)
{
    wait_for<<<1, 1>>>(nanoseconds);
    return cudaGetLastError();
}

static cudaError_t make(struct occupation *occupation, unsigned multiprocessors)
{
    void *talk;
    if (occupation->talk)
        return cudaSuccess;
    occupation->blocks = (multiprocessors + 1) / 2;
    cudaError_t error = cudaSuccess;
    if (!occupation->stream)
        error = cudaStreamCreateWithFlags(&occupation->stream, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaHostAlloc(&talk, (1 + occupation->blocks) * sizeof(unsigned), cudaHostAllocMapped);
    if (error == cudaSuccess)
        occupation->talk = (volatile unsigned *)talk;
    return error;
}

static cudaError_t wait_for_blocks(const struct occupation *occupation)
{
    const double until = clock_of_wall() + SECONDS_TO_START;
    unsigned started = 0;
    while (started < occupation->blocks && clock_of_wall() < until)
        started += occupation->talk[1 + started];
    return started == occupation->blocks ? cudaSuccess : cudaErrorLaunchTimeout;
}

int occupy_begin(struct occupation *occupation, unsigned multiprocessors)
{
    cudaError_t error = make(occupation, multiprocessors);
    if (error != cudaSuccess)
        return error;
    for (unsigned i = 0; i <= occupation->blocks; i++)
        occupation->talk[i] = 0;
    occupy<<<occupation->blocks, OCCUPYING_THREADS, 0, occupation->stream>>>(occupation->talk);
    error = cudaGetLastError();
    return error == cudaSuccess ? wait_for_blocks(occupation) : error;
}

int occupy_end(struct occupation *occupation)
{
    occupation->talk[0] = 1;
    return cudaStreamSynchronize(occupation->stream);
}

void occupy_free(struct occupation *occupation)
{
    cudaFreeHost((void *)occupation->talk);
    if (occupation->stream)
        cudaStreamDestroy(occupation->stream);
}
