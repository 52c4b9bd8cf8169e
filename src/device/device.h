/* The GPU, or its absence: device_cuda.c or device_none.c.  A device may be used from several threads. */
#pragma once

#include "kernels/method.h"
#include "src/base/circumstances.h"

struct device; /* NULL: the host, with replays */

struct device_facts {
    char word[24];       /* as --device takes it: "cuda:0" */
    char name[256];      /* "NVIDIA H200" */
    char driver[32];     /* highest CUDA version of the driver: "13.0" */
    char runtime[32];    /* of the CUDA runtime that is linked in */
    char capability[16]; /* "9.0" */
    uint64_t memory_bytes;
    unsigned multiprocessors;
    unsigned megahertz, memory_megahertz; /* the highest clocks */
};

/* How many GPUs there are.  0 with the cause in `why` when there is none, no driver, or no CUDA in this build. */
int device_count(char why[REASON_SIZE]);

/* `wanted`: "auto", "host" or "cuda:N".  *device is NULL for the host.  "auto" takes cuda:0 if there is one, else says
 * in `why` why not.  NO_DEVICE when the GPU asked for is missing. */
enum status device_open(const char *wanted, struct device **device, char why[REASON_SIZE]);
/* Starts GPU number `ordinal`, which is less than device_count(). */
enum status device_start(int ordinal, struct device **device);
void device_close(struct device *device);

/* GPUs of this machine that share work, all of one name; of none the host. */
enum { DEVICES_MOST = 64 };
struct devices {
    struct device *at[DEVICES_MOST];
    size_t count;
};

/* Also "cuda:all", and several as "cuda:0,2".  BAD_INPUT for one that is named twice. */
enum status devices_open(const char *wanted, struct devices *devices, char why[REASON_SIZE]);
void devices_close(struct devices *devices);

/* The first that is not lost, but for one (NULL: of all); NULL: there is none. */
struct device *devices_left(const struct devices *devices, const struct device *other_than);

const struct device_facts *device_facts(const struct device *device);

/* Copies n elements of a format, which are there as the host holds them, to the device, where they lie as they are
 * stored; they stay until the next upload. */
enum status device_upload(struct device *device, const struct format *format, const void *x, uint64_t n);

/* The second vector, or matrix, of an operation of two: n elements of the same format. */
enum status device_upload_second(struct device *device, const struct format *format, const void *y, uint64_t n);

/* Whether there is a kernel of the method: of those that measure on the host there is none. */
bool device_has_kernel(const struct method *method);

/* Whether the kernels add up the rows of a matrix in one launch. */
bool device_takes_rows(const struct method *method);

/* Runs a method's kernels on the first elements of the uploaded data and waits for the bits of each result of the
 * shape: of one row, of each row where the method takes them, or the elements of a matrix product. */
enum status device_run(struct device *device, const struct method *method, struct shape shape, struct launch launch,
                       uint64_t *bits);

/* The same under circumstances.  BAD_INPUT, which was complained about, for an offset that its kernels do not bear;
 * other work beside it runs for 100 ms at most. */
enum status device_run_under(struct device *device, const struct method *method, struct shape shape,
                             struct launch launch, const struct circumstances *circumstances, uint64_t *bits);

/* At multiples of how many bytes its arrays must lie.  Of our own sums, dot products and norms 16, the vectors that
 * threads load; of those that take rows an element's size, because rows lie anywhere, and of matrix products,
 * which are loaded element by element.  Of black boxes an element's size as well: CUB loads vectors where it finds them
 * aligned (agent_reduce.cuh), and cuBLAS asks for more for the sake of speed alone since 11.0 (its manual, "Tensor Core
 * Usage"). */
uint64_t device_alignment(const struct method *method);

/* BAD_INPUT, which was complained about, where an offset breaks it. */
enum status device_check_offset(const struct method *method, uint32_t offset);

/* As device_run(), of a sum of one row in binary32. */
enum status device_sum(struct device *device, const struct method *method, uint64_t n, struct launch launch,
                       float *sum);

/* Whether a failure has left the device unusable for this process, so that nothing can be run on it any more. */
bool device_is_lost(const struct device *device);

/* A study's case holds the device from upload to last result. */
void device_lock(struct device *device);
void device_unlock(struct device *device);
