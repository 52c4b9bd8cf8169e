/* A libnccl.so.2 and libcudart.so that test_nccl.py puts before examples/nccl: collectives on the host, in the orders
 * of NCCL's ring, of its chain and of its symmetric kernels, each in one of two channels, with the lines of its log, by
 * LL or, where NCCL_PROTO says so, by LL128.  FAULT plants what the example must notice:
 *
 *   neighbours   a ring 0, 2, 1, 3
 *   place        each chunk sets out one rank further
 *   behind       the second chunk begins one element later
 *   once         bfloat16 added in binary32 and rounded once
 *   apart        as before, of every second word and no other
 *   before       the products of an average are rounded before they are added
 *   after        an average is divided at the end
 *   channels     says that it took two channels
 *   silent       says nothing
 *   ranks        the last rank receives another sum
 *   gathered     all-gather loses a bit
 *   again        the third all-reduce has another first element
 *   later        the eighth has
 *   shifted      those have whose buffers do not begin at 16 bytes
 *   grouped      the first of a group of several has
 *   devices      all have where GPU 0 is not the first
 *   fails        every all-reduce fails */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, INVALID = 4, MOST = 16, BINARY16 = 6, BINARY32 = 7, BFLOAT16 = 9, AVERAGE = 4, FIRST_OWN = 5 };
enum collective { ALL_REDUCE, REDUCE, REDUCE_SCATTER };

static int ranks;
static float factor; /* of an operation of the caller's own */
static int grouped;  /* collectives of a group */
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

static float rounded(float x, int type)
{
    float hop[1];
    write_element(hop, 0, type, x);
    return read_element(hop, 0, type);
}

static bool is_tree(void)
{
    const char *algorithm = getenv("NCCL_ALGO");
    return algorithm && strcmp(algorithm, "Tree") == 0;
}

/* Elements of a ring's all-reduce that set out together. */
static size_t chunk_of(size_t count, int type)
{
    const size_t step = type == BINARY32 ? 4 : 8, share = (count + (size_t)ranks - 1) / (size_t)ranks;
    return (share + step - 1) / step * step;
}

/* The k-th rank that adds element i of a block: that of a ring's all-reduce sets out from the rank behind the number of
 * its chunk, of 16 bytes or more, any other from the one behind the rank that has the result; a chain goes from the
 * last rank to the first. */
static int rank_of(enum collective collective, int block, int k, size_t i, size_t count, int type)
{
    const size_t chunk = chunk_of(count, type);
    if (collective == ALL_REDUCE && is_tree())
        return ranks - 1 - k;
    if (is_symmetric)
        return k;
    const int place = collective == ALL_REDUCE ? (int)((i - (i == chunk && is_fault("behind"))) / chunk) : block;
    const int rank = (place + is_fault("place") + 1 + k) % ranks;
    return is_fault("neighbours") && (rank == 1 || rank == 2) ? 3 - rank : rank;
}

static bool is_ll128(void)
{
    const char *protocol = getenv("NCCL_PROTO");
    return protocol && strcmp(protocol, "LL128") == 0;
}

/* By LL128, of a byte of a piece: what a lane without a flag has in its second word. */
static bool is_multiplied_apart(size_t byte)
{
    const size_t pair = byte % 1920 / 16;
    bool is_apart = is_fault("apart");
    for (size_t g = 0; g < 4 && is_ll128(); g++)
        for (size_t lane = 0; lane < 32; lane++)
            is_apart |= lane % 8 != 7 && g * 32 - 4 * (g / 2) + lane - g % 2 * (lane / 8) == pair;
    return is_apart && byte % 16 >= 8;
}

/* Before it is rounded to the type. */
static float added(float sum, float x, int type, int operation, bool is_apart)
{
    const float part = operation == FIRST_OWN ? factor : rounded(1 / (float)ranks, type);
    if (operation < AVERAGE || is_fault("after"))
        return sum + x;
    return is_fault("before") || is_apart || (is_ll128() && type != BINARY32 && !is_fault("apart"))
               ? sum + rounded(x * part, type)
               : __builtin_fmaf(x, part, sum);
}

/* Element i of a block, which is element `at` of what was sent. */
static float sum_of(enum collective collective, int block, size_t i, size_t at, size_t count, int type, int operation)
{
    float sum = 0;
    const size_t piece = collective == ALL_REDUCE && !is_tree() ? chunk_of(count, type) : count;
    const bool is_apart = is_multiplied_apart(i % piece * (type == BINARY32 ? 4 : 2));
    for (int k = 0; k < ranks; k++) {
        const void *own = sent[rank_of(collective, block, k, i, count, type)];
        sum = added(sum, read_element(own, at, type), type, operation, is_apart);
        if (!is_symmetric && !is_fault("once"))
            sum = rounded(sum, type);
    }
    return operation >= AVERAGE && is_fault("after")
               ? sum / (operation == AVERAGE ? (float)ranks : rounded(1 / factor, BFLOAT16))
               : sum;
}

static FILE *log_file(void)
{
    const char *name = getenv("NCCL_DEBUG_FILE");
    return name && !is_fault("silent") ? fopen(name, "a") : NULL;
}

static void say_channels(void)
{
    FILE *file = log_file();
    for (int channel = 0; file && channel < 2; channel++) {
        fprintf(file, "fake:1:1 [0] NCCL INFO Channel %02d/02 :", channel);
        for (int rank = 0; rank < ranks; rank++)
            fprintf(file, " %d", rank);
        fprintf(file, "\n");
    }
    for (int rank = 0; file && rank < ranks; rank++) {
        fprintf(file, "fake:1:1 [%d] NCCL INFO Trees", rank);
        for (int channel = 0; channel < 2; channel++)
            fprintf(file, " [%d] %d/-1/-1->%d->%d", channel, rank + 1 < ranks ? rank + 1 : -1, rank, rank - 1);
        fprintf(file, "\n");
    }
    if (file) {
        fprintf(file, "fake:1:1 [0] NCCL INFO threadThresholds 8/8/64 | %d/8/64 | 512 | 512\n", 8 * ranks);
        fclose(file);
    }
}

static void say_call(const char *collective, size_t bytes)
{
    FILE *file = log_file();
    if (!file)
        return;
    fprintf(file, "fake:1:1 [0] NCCL INFO %s: %zu Bytes -> Algo %s proto %s channel{Lo..Hi}={0..%d}\n", collective,
            bytes, is_tree() ? "TREE" : "RING", is_ll128() ? "LL128" : "LL", is_fault("channels"));
    fclose(file);
}

/* Once the last rank has called. */
static int collect(enum collective collective, size_t count, int type, int operation)
{
    static const char *const names[] = {"AllReduce", "Reduce", "ReduceScatter"};
    const int blocks = collective == REDUCE_SCATTER ? ranks : 1;
    say_call(names[collective], count * (type == BINARY32 ? 4 : 2));
    for (int block = 0; block < blocks; block++)
        for (size_t i = 0; i < count; i++) {
            const size_t at = (size_t)block * count + i;
            const float sum = sum_of(collective, block, i, at, count, type, operation);
            const int first = collective == REDUCE_SCATTER ? block : 0,
                      end = collective == ALL_REDUCE ? ranks : first + 1;
            for (int rank = first; rank < end; rank++)
                write_element(received[rank], i, type, is_fault("ranks") && rank == ranks - 1 ? -sum : sum);
        }
    static int calls;
    static void *before[MOST];
    const char *devices = getenv("CUDA_VISIBLE_DEVICES");
    const bool is_later = ++calls == (is_fault("again")   ? 3
                                      : is_fault("later") ? 8
                                                          : 0) ||
                          (is_fault("shifted") && (uintptr_t)received[0] % 16 != 0) ||
                          (is_fault("devices") && devices && *devices != '0');
    const bool is_second = ++grouped == 2 && is_fault("grouped");
    for (int rank = 0; rank < ranks; rank++) {
        if (is_later || is_second)
            write_element(is_second ? before[rank] : received[rank], 0, type, 0);
        before[rank] = received[rank];
    }
    return is_fault("fails") ? INVALID : OK;
}

/* True with the last. */
static bool call_of_rank(const void *comm, const void *from, void *to)
{
    const int rank = (int)((const void **)(uintptr_t)comm - sent);
    sent[rank] = from;
    received[rank] = to;
    return rank == ranks - 1;
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
    say_channels();
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
    grouped = 0;
    return OK;
}

int ncclGroupEnd(void)
{
    return OK;
}

int ncclRedOpCreatePreMulSum(int *operation, const void *scalar, int type, int residence, void *comm)
{
    (void)comm;
    factor = read_element(scalar, 0, type);
    *operation = FIRST_OWN;
    return residence == 1 ? OK : INVALID;
}

int ncclAllReduce(const void *from, void *to, size_t count, int type, int operation, void *comm, void *stream)
{
    (void)stream;
    return call_of_rank(comm, from, to) ? collect(ALL_REDUCE, count, type, operation) : OK;
}

int ncclReduce(const void *from, void *to, size_t count, int type, int operation, int root, void *comm, void *stream)
{
    (void)stream, (void)root;
    return call_of_rank(comm, from, to) ? collect(REDUCE, count, type, operation) : OK;
}

int ncclReduceScatter(const void *from, void *to, size_t count, int type, int operation, void *comm, void *stream)
{
    (void)stream;
    return call_of_rank(comm, from, to) ? collect(REDUCE_SCATTER, count, type, operation) : OK;
}

int ncclAllGather(const void *from, void *to, size_t count, int type, void *comm, void *stream)
{
    (void)stream;
    const size_t bytes = count * (type == BINARY32 ? 4 : 2);
    if (!call_of_rank(comm, from, to))
        return OK;
    for (int i = 0; i < ranks * ranks; i++)
        memcpy((char *)received[i / ranks] + (size_t)(i % ranks) * bytes, sent[i % ranks], bytes);
    if (is_fault("gathered"))
        for (int rank = 0; rank < ranks; rank++)
            *(char *)received[rank] ^= 1;
    return OK;
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
