/* A libnccl.so.2 and libcudart.so that test_nccl.py puts before examples/nccl: ncclAllReduce on the host, in the orders
 * of NCCL's ring, of its chain and of its symmetric kernels.  FAULT plants what the example must notice:
 *
 *   neighbours   a ring 0, 2, 1, 3
 *   place        each chunk sets out one rank further
 *   once         bfloat16 added in binary32 and rounded once
 *   ranks        the last rank receives another sum
 *   fails        every all-reduce fails */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, INVALID = 4, MOST = 16, BINARY16 = 6, BINARY32 = 7, BFLOAT16 = 9 };

static int ranks;
static bool is_symmetric;
static const void *sent[MOST];
static void *received[MOST];

static bool is_fault(const char *name)
{
    const char *fault = getenv("FAULT");
    return fault && strcmp(fault, name) == 0;
}

static float read_element(const void *tensor, size_t i, int type)
{
    if (type == BINARY32)
        return ((const float *)tensor)[i];
    if (type == BINARY16)
        return (float)((const _Float16 *)tensor)[i];
    const uint32_t bits = (uint32_t)((const uint16_t *)tensor)[i] << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void write_element(void *tensor, size_t i, int type, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (type == BINARY32)
        ((float *)tensor)[i] = x;
    else if (type == BINARY16)
        ((_Float16 *)tensor)[i] = (_Float16)x;
    else
        ((uint16_t *)tensor)[i] = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* The k-th rank that adds an element: its chunk sets out from the rank behind its number, or it is a chain from the
 * last rank to the first. */
static int rank_of(int k, size_t i, size_t count)
{
    const char *algorithm = getenv("NCCL_ALGO");
    if (algorithm && strcmp(algorithm, "Tree") == 0)
        return ranks - 1 - k;
    if (is_symmetric)
        return k;
    const int chunk = (int)(i * (size_t)ranks / count) + is_fault("place");
    const int rank = (chunk + 1 + k) % ranks;
    return is_fault("neighbours") && (rank == 1 || rank == 2) ? 3 - rank : rank;
}

static void add_element(size_t i, size_t count, int type)
{
    float hop[1], sum = read_element(sent[rank_of(0, i, count)], i, type);
    for (int k = 1; k < ranks; k++) {
        sum += read_element(sent[rank_of(k, i, count)], i, type);
        write_element(hop, 0, type, sum);
        if (!is_symmetric && !is_fault("once"))
            sum = read_element(hop, 0, type);
    }
    for (int rank = 0; rank < ranks; rank++)
        write_element(received[rank], i, type, is_fault("ranks") && rank == ranks - 1 ? -sum : sum);
}

/* ---- NCCL ---- */

int ncclGetVersion(int *version)
{
    *version = 10203;
    return OK;
}

const char *ncclGetErrorString(int status)
{
    return status == INVALID ? "invalid argument" : "no error";
}

int ncclCommInitAll(void **comms, int count, const int *devices)
{
    (void)devices;
    ranks = count;
    for (int rank = 0; rank < count && count <= MOST; rank++)
        comms[rank] = &sent[rank];
    return count <= MOST ? OK : INVALID;
}

int ncclMemAlloc(void **pointer, size_t size)
{
    *pointer = malloc(size);
    return OK;
}

int ncclCommWindowRegister(void *comm, void *tensor, size_t size, void **window, int flags)
{
    (void)comm, (void)size;
    *window = tensor;
    is_symmetric = flags == 1;
    return OK;
}

int ncclGroupStart(void)
{
    return OK;
}

int ncclGroupEnd(void)
{
    return OK;
}

int ncclAllReduce(const void *from, void *to, size_t count, int type, int operation, void *comm, void *stream)
{
    const int rank = (int)((const void **)comm - sent);
    (void)operation, (void)stream;
    sent[rank] = from;
    received[rank] = to;
    for (size_t i = 0; rank == ranks - 1 && i < count; i++)
        add_element(i, count, type);
    return is_fault("fails") ? INVALID : OK;
}

/* ---- CUDA ---- */

int cudaSetDevice(int device)
{
    (void)device;
    return OK;
}

int cudaMemcpy(void *to, const void *from, size_t size, int direction)
{
    (void)direction;
    memcpy(to, from, size);
    return OK;
}
