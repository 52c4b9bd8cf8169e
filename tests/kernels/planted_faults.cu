/* One planted fault for each tool of compute-sanitizer: a tool that finds nothing in the kernels is worth something
 * only where it finds this.
 *
 *   compute-sanitizer --tool racecheck --error-exitcode 99 planted_faults racecheck    exit 99
 *   compute-sanitizer --tool racecheck --error-exitcode 99 planted_faults none         exit 0: the same kernels, mended
 *
 * Exit 0; 1: CUDA failed; 2: usage; 77: there is no GPU.
 */
#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 128 };

/* A block and its memory: THREADS words in, THREADS words out. */
struct memory {
    uint32_t *in, *out;
};

/* memcheck: the last thread writes one word behind the end. */
static __global__ void write_global(struct memory memory, bool planted)
{
    const uint32_t i = threadIdx.x + (planted ? 1 : 0);
    memory.out[i] = threadIdx.x;
}

/* racecheck: warps read what others have not written yet. */
static __global__ void add_in_shared_memory(struct memory memory, bool planted)
{
    __shared__ uint32_t shared[THREADS];
    const uint32_t t = threadIdx.x;
    shared[t] = t;
    if (!planted)
        __syncthreads();
    for (uint32_t stride = THREADS / 2; stride > 0; stride /= 2) {
        if (t < stride)
            shared[t] += shared[t + stride];
        if (!planted)
            __syncthreads();
    }
    if (t == 0)
        memory.out[0] = shared[0];
}

/* initcheck: reads what nobody has written; launch_reading() writes it first unless the fault is planted. */
static __global__ void read_global(struct memory memory)
{
    memory.out[threadIdx.x] = memory.in[threadIdx.x] + 1;
}

/* synccheck: half of each warp waits for the other half, which does not come. */
static __global__ void wait_for_all(struct memory memory, bool planted)
{
    memory.out[threadIdx.x] = threadIdx.x;
    if (!planted || threadIdx.x % 2 == 0)
        __syncthreads();
    memory.in[threadIdx.x] = memory.out[threadIdx.x ^ 1];
}

static cudaError_t launch_writing(struct memory memory, bool planted)
{
    write_global<<<1, THREADS>>>(memory, planted);
    return cudaGetLastError();
}

static cudaError_t launch_adding(struct memory memory, bool planted)
{
    add_in_shared_memory<<<1, THREADS>>>(memory, planted);
    return cudaGetLastError();
}

static cudaError_t launch_reading(struct memory memory, bool planted)
{
    const cudaError_t cleared = planted ? cudaSuccess : cudaMemset(memory.in, 0, THREADS * sizeof *memory.in);
    if (cleared != cudaSuccess)
        return cleared;
    read_global<<<1, THREADS>>>(memory);
    return cudaGetLastError();
}

static cudaError_t launch_waiting(struct memory memory, bool planted)
{
    wait_for_all<<<1, THREADS>>>(memory, planted);
    return cudaGetLastError();
}

static const struct fault {
    const char *tool;
    cudaError_t (*launch)(struct memory memory, bool planted);
} faults[] = {
    {"memcheck", launch_writing},
    {"racecheck", launch_adding},
    {"initcheck", launch_reading},
    {"synccheck", launch_waiting},
};
enum { FAULTS = sizeof faults / sizeof *faults };

/* The faulty kernel of a tool alone, or for "none" all, mended; in fresh memory each. */
static cudaError_t run(const struct fault *fault, bool planted)
{
    struct memory memory = {NULL, NULL};
    cudaError_t error = cudaMalloc((void **)&memory.in, THREADS * sizeof *memory.in);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&memory.out, THREADS * sizeof *memory.out);
    if (error == cudaSuccess)
        error = fault->launch(memory, planted);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    cudaFree(memory.in);
    cudaFree(memory.out);
    if (error != cudaSuccess)
        printf("%s: %s\n", fault->tool, cudaGetErrorString(error));
    return error;
}

int main(int argc, char **argv)
{
    const char *wanted = argc == 2 ? argv[1] : "";
    const bool none = strcmp(wanted, "none") == 0;
    int devices = 0, ran = 0, failed = 0;
    const cudaError_t counted = cudaGetDeviceCount(&devices);
    if (counted != cudaSuccess || devices == 0) {
        printf("skipped: no GPU, or no driver for one; CUDA says: %s\n", cudaGetErrorString(counted));
        return 77;
    }
    for (int f = 0; f < FAULTS; f++) {
        if (!none && strcmp(wanted, faults[f].tool) != 0)
            continue;
        ran++;
        failed += run(&faults[f], !none) != cudaSuccess;
    }
    if (ran == 0) {
        fprintf(stderr, "usage: planted_faults memcheck|racecheck|initcheck|synccheck|none\n");
        return 2;
    }
    return failed > 0;
}
