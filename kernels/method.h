/* A method is a cell of accumulators x orders, written `kahan/tree_two_pass`: how two numbers are added, and who adds
 * what when.  Each cell is compiled from kernels/methods.c (replay, on the host) and kernels/methods.cu (kernels).
 *
 * A black box, `cub/device_reduce`, stands in the same list: somebody else orders it, so it has neither replay
 * nor height (kernels/black_boxes.def).
 */
#ifndef ULPSCOPE_METHOD_H
#define ULPSCOPE_METHOD_H

#include "src/base/status.h"
#include "traits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The grid a method runs with; part of every result's identity. */
struct launch {
    uint32_t blocks, threads; /* threads: in a block; both from 1 on */
};
enum { LAUNCH_BLOCKS_MOST = 1 << 20, LAUNCH_THREADS_MOST = 1024 };

/* What a bound depends on beside the tree: |s|, sum |x_i| and max |x_i|, each rounded up. */
struct magnitudes {
    double abs_s, sum_abs, max_abs;
};

enum { REASON_SIZE = 160 };

enum accumulator_role {
    SUMS,             /* its result is a sum of the data */
    MEASURES,         /* its result says something about the tree: height */
    MEASURES_ON_HOST, /* likewise, and there is no kernel: trace */
};

/* Of probable_bound: 99.9 of 100 sums stay below. */
#define LAMBDA 3.9

enum determinism {
    DETERMINISTIC,
    ORDER_OF_ARRIVAL, /* atomics: the replay gives one possible result */
};

/* What a kernel is called with.  All pointers are device memory, aligned as cudaMalloc does. */
struct kernel_call {
    const void *x; /* rows times n elements of the method's format, row after row */
    uint64_t n;
    uint32_t rows; /* sums to be made at once; 1 unless the method takes_rows */
    struct launch launch;
    void *scratch; /* scratch_bytes() of it */
    void *results; /* `rows` of the method's format */
    void *stream;  /* a cudaStream_t */
};

#define ANY_N UINT64_MAX

/* The device half of a method. */
struct device_method {
    size_t (*scratch_bytes)(uint64_t n, struct launch launch);
    int (*run)(const struct kernel_call *call); /* a cudaError_t; may return before the kernels end */
    bool takes_rows;                            /* adds up the rows of a matrix in one launch */
};

struct method {
    const char *id;          /* "kahan/tree_two_pass" */
    const char *accumulator; /* "kahan"; of a black box its library */
    const char *order;       /* "tree_two_pass"; of a black box its name there */
    const char *format;      /* "binary32" */
    const char *operation;   /* "sum" */
    const char *accumulator_claim, *order_claim;
    const struct accumulator_traits *accumulator_traits;
    const struct order_traits *order_traits;
    enum accumulator_role role;
    enum determinism determinism;

    uint64_t slow_above; /* n beyond which a GPU needs seconds: its additions wait for each other; see --slow */

    /* False, with the numbers that do not fit in `why`, when the method refuses this launch. */
    bool (*can_do)(struct launch launch, char why[REASON_SIZE]);

    /* The most additions and merges of non-empty states on any path from an element to the result.  NULL: a black box.
     */
    uint64_t (*height)(uint64_t n, struct launch launch);

    /* A bound on |computed - s|.  INFINITY: no claim. */
    double (*bound)(uint64_t n, struct launch launch, const struct magnitudes *magnitudes);

    /* What |computed - s| exceeds with a probability of at most 2 exp(-LAMBDA^2/2), were roundings random and without
     * bias, as they are not: a model to look at, never a limit.  NAN: none is known.  NULL: a black box. */
    double (*probable_bound)(uint64_t n, struct launch launch, const struct magnitudes *magnitudes);

    /* Adds x[0..n) in the order of the kernel and stores the result, in the format of x, with the kernel's bits,
     * whatever the number of worker threads.  NOT_MEASURED when memory is short.  NULL: a black box, which only a GPU
     * can run. */
    enum status (*replay)(const void *x, uint64_t n, struct launch launch, unsigned workers, void *result);

    const struct device_method *device; /* NULL in a build without CUDA and for MEASURES_ON_HOST */

    /* Whose black box this is, "CCCL 3.0.1", after can_do() said yes.  NULL: our own, or no CUDA in this build. */
    void (*version)(char text[REASON_SIZE]);
};

/* All methods, accumulator by accumulator in table order, then the black boxes. */
const struct method *method_table(size_t *count);

/* The method with this id, or alias; NULL when there is none. */
const struct method *method_find(const char *id);

/* The replay of an accumulator with a known fault (kernels/broken.def) in an order; NULL when there is none.  It is
 * in no table and has no kernel; `accumulator`, bound and height are those of the sound one. */
const struct method *broken_find(const char *id, const char *order);

struct method_alias {
    const char *alias, *id;
};
const struct method_alias *method_aliases(size_t *count);

/* The method that adds in one loop, without merges, as this one's accumulator does; NULL when there is none. */
const struct method *method_serial(const struct method *method);

/* The id an alias stands for, or `name` itself. */
const char *method_unalias(const char *name);

#endif
