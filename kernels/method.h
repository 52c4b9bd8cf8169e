/* A method is a cell of accumulators x orders, written `kahan/tree_two_pass`: how two numbers are added, and who adds
 * what when.  A cell is an order over verbs on the host (kernels/replay.c,
 * kernels/verbs.c), and compiled from kernels/methods.cu for a GPU.
 *
 * Methods exist in every format of kernels/formats.def, `kahan/tree_two_pass@bfloat16`; without an @ it is binary32.
 * Those of another operation than the sum begin with it: `dot:kahan/tree_two_pass` (kernels/operations.def).
 *
 * A black box, `cub/device_reduce`, stands in the same list: somebody else orders it, so it has neither replay
 * nor height (kernels/black_boxes.def).  Its sums are of the formats where all is done in what is stored.  A plug-in,
 * `mine/loop`, is a black box that a process of its own runs (src/plugins).
 */
#pragma once

#include "src/base/fp.h"
#include "src/base/moments.h"
#include "src/base/status.h"
#include "sum_format.h"
#include "traits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The grid a method runs with; part of every result's identity. */
struct launch {
    uint32_t blocks, threads; /* threads: in a block; both from 1 on */
};
enum { LAUNCH_BLOCKS_MOST = 1 << 20, LAUNCH_THREADS_MOST = 1024 };

static inline bool same_launch(struct launch a, struct launch b)
{
    return a.blocks == b.blocks && a.threads == b.threads;
}

/* A launch as an order sees it. */
struct thread_grid {
    uint32_t blocks, threads;
    uint32_t lanes; /* numbers, as they are stored, in 16 bytes: what one load brings */
};

/* What is computed of the numbers: a row of operations.def, of vectors, or of matmul_operations.def, of matrices. */
enum operation {
#define OPERATION(id, vectors, terms, of, claim) OPERATION_##id,
#include "operations.def"
#define SCAN_OPERATION(id, of, claim) OPERATION_##id,
#include "scan_operations.def"
#define STATISTIC(id, name, vectors, of, algorithm, claim) OPERATION_##id,
#include "statistics.def"
#define MATMUL_OPERATION(id, terms, claim) OPERATION_##id,
#include "matmul_operations.def"
    OPERATIONS,
    FIRST_SCAN = OPERATION_scan,
    FIRST_STATISTIC = OPERATION_mean_sum_then_divide,
    VECTOR_OPERATIONS = OPERATION_matmul, /* those before it */
};

/* Whether it is of several sums, or of one and n: a row of statistics.def. */
static inline bool is_statistic(enum operation operation)
{
    return operation >= FIRST_STATISTIC && operation < VECTOR_OPERATIONS;
}

/* Whether it is of many sums, one for each number: a row of scan_operations.def. */
static inline bool is_scan(enum operation operation)
{
    return operation >= FIRST_SCAN && operation < FIRST_STATISTIC;
}

/* `rows` results, each of `terms` terms; of matrices rows times columns of them. */
struct shape {
    uint64_t terms, rows;
    uint64_t columns; /* of vectors 0; of sums of windows how many numbers one has, 0: all up to it */
};

static inline struct shape shape_of_one(uint64_t terms)
{
    struct shape shape = {terms, 1, 0};
    return shape;
}

static inline uint64_t shape_results(struct shape shape)
{
    return shape.columns > 0 ? shape.rows * shape.columns : shape.rows;
}

/* What a study can be about: a row of quantities.def. */
enum quantity {
#define QUANTITY(id, noun, title, usual, hard, unit) id,
#include "quantities.def"
    QUANTITIES
};
struct quantity_row {
    const char *noun, *title, *usual, *hard, *unit;
};
extern const struct quantity_row quantity_table[QUANTITIES];

struct operation_row {
    const char *id; /* "dot_exact" */
    int vectors;    /* how many vectors, or matrices, it takes */
    enum quantity of;
    const char *claim;    /* what is added */
    enum operation terms; /* whose terms: its own, or those of a dot product */
};
extern const struct operation_row operation_table[OPERATIONS];

/* Whether a case has many results. */
static inline bool operation_has_elements(enum operation operation)
{
    return quantity_table[operation_table[operation].of].unit != NULL;
}

/* Whether it gives a result for each number. */
static inline bool operation_is_per_number(enum operation operation)
{
    return operation_has_elements(operation) && operation_table[operation].of != MATRICES;
}

static inline uint64_t operation_results(enum operation operation, struct shape shape)
{
    return operation_is_per_number(operation) ? shape.rows * shape.terms : shape_results(shape);
}

/* What layer_norm and rms_norm add to v in (x - m) / root(v + eps), in binary64. */
#define NORMALIZATION_EPS 1e-5

enum operation operation_named(const char *name); /* OPERATIONS when there is none of this name */
enum operation operation_of_id(const char *id);   /* of a method's: what stands before its ':', or sum; OPERATIONS */

/* The numbers, and what becomes of them: an array for each vector of the operation, of rows times terms elements, row
 * after row; of matrices A and B, rows x terms and terms x columns, each row after row.  On the host as format_held()
 * has them. */
enum { ARRAYS_MOST = 2, ARRAY_C = ARRAYS_MOST };
struct operands {
    const struct format *format; /* of the elements: what they are stored in */
    enum operation operation;
    const void
        *arrays[ARRAYS_MOST + 1]; /* [ARRAY_C]: what a matrix product is added to, as results are held; NULL: to 0 */
    struct shape shape;
};

static inline struct operands operands_of_sum(const struct format *format, const void *x, uint64_t n)
{
    struct operands of = {format, OPERATION_sum, {x, NULL}, shape_of_one(n)};
    return of;
}

/* What a bound depends on beside the tree: |s|, sum |x_i| and max |x_i|, each rounded up; and of a statistic. */
struct magnitudes {
    double abs_s, sum_abs, max_abs;
    const struct moments *moments; /* NULL: of sums */
};

enum { REASON_SIZE = 160 };

enum accumulator_role {
    SUMS,             /* its result is a sum of the data */
    INTEGER_SUMS,     /* likewise, of integers: in globs that name it, and where no floating-point sum is meant */
    MEASURES,         /* its result says something about the tree: height */
    MEASURES_ON_HOST, /* likewise, and there is no kernel: trace */
    MOMENTS,          /* a mean, or squared deviations from it: in methods of statistics.def alone */
};

/* Of probabilistic_bound: 99.9 of 100 sums stay below. */
#define LAMBDA 3.9

enum determinism {
    DETERMINISTIC,
    ORDER_OF_ARRIVAL, /* atomics: the replay gives one possible result */
};

struct method;
struct formula; /* of a statistic */

/* What a kernel is called with.  All pointers, those of the operands too, are device memory, aligned as cudaMalloc
 * does. */
struct kernel_call {
    struct operands of; /* of vectors: of one row unless the method takes_rows */
    struct launch launch;
    void *scratch;         /* scratch_bytes() of it */
    void *results;         /* a number of the method's format for each result; where operands have C, it lies here */
    const double *offsets; /* NULL; or of sums of a method that fuses, a c for each row: squares of x - c are added */
    const struct formula *formula; /* NULL; or likewise, of rows that a block holds: what becomes of their sums */
    void *stream;                  /* a cudaStream_t */
};

#define ANY_N UINT64_MAX

/* The device half of a method. */
struct device_method {
    size_t (*scratch_bytes)(const struct method *self, struct shape shape, struct launch launch);

    /* A cudaError_t; may return before the kernels end. */
    int (*run)(const struct method *self, const struct kernel_call *call);
    bool takes_rows; /* adds up the rows of a matrix in one launch */
    bool fuses;      /* numbers stored in what is added: see kernel_call */
};

/* What runs a method in a process of its own. */
struct plugin;

typedef double bound_function(const struct method *self, struct shape shape, struct launch launch,
                              const struct magnitudes *of);

struct method {
    const char *id;          /* "kahan/tree_two_pass" */
    const char *accumulator; /* "kahan"; of a black box its library */
    const char *order;       /* "tree_two_pass"; of a black box its name there */
    const struct sum_format *sum_format;
    const struct format *format; /* of the result */
    enum operation operation;
    const char *accumulator_claim, *order_claim;
    const struct accumulator_traits *accumulator_traits;
    const struct order_traits *order_traits;
    enum accumulator_role role;
    enum determinism determinism;
    double additions; /* that each number, or product, costs, see accumulators.def; 0: nobody knows */

    uint64_t slow_above; /* n beyond which a GPU needs seconds: its additions wait for each other; see --slow */

    /* False, with the numbers that do not fit in `why`, when the method refuses this launch. */
    bool (*can_do)(const struct method *self, struct launch launch, char why[REASON_SIZE]);

    /* The most additions and merges of non-empty states on any path from an element to the result.  NULL: a black box.
     */
    uint64_t (*height)(const struct method *self, struct shape shape, struct launch launch);

    /* A bound on |computed - s|.  INFINITY: no claim. */
    bound_function *bound;

    /* What |computed - s| exceeds with a probability of at most 2 exp(-LAMBDA^2/2), were roundings random and without
     * bias, as they are not: a model to look at, never a limit.  NAN: none is known.  NULL: a black box, or a
     * matrix product. */
    bound_function *probabilistic_bound;

    /* Computes in the order of the kernel and stores the bits of each result, which are the kernel's, whatever
     * the number of worker threads.  NOT_MEASURED when memory is short.  NULL: a black box, which only a GPU can run.
     */
    enum status (*replay)(const struct method *self, const struct operands *of, struct launch launch, unsigned workers,
                          uint64_t *bits);

    /* Of a plug-in: where it comes from, and what computes it and stores the bits of each result; *seconds, which may
     * be NULL: what its own process took.  What may have other bits each time is asked as often as it is wanted.
     * NOT_MEASURED, which was complained about, when it crashed, hung or broke its contract.  Any thread may ask. */
    struct plugin *plugin;
    enum status (*ask)(const struct method *self, const struct operands *of, struct launch launch, uint64_t *bits,
                       double *seconds);

    bool adds;           /* a matrix product that takes C */
    bool claims_another; /* of a plug-in: the bound of an accumulator that is not plain */

    const void *own; /* what these functions keep beside the method */

    const struct device_method *device; /* NULL in a build without CUDA and for MEASURES_ON_HOST */

    /* Whose black box this is, "CCCL 3.0.1", after can_do() said yes.  NULL: our own, or no CUDA in this build. */
    void (*version)(const struct method *self, char text[REASON_SIZE]);
};

/* All methods of an operation and a format, accumulator by accumulator in table order, then the black boxes, then those
 * that were added. */
const struct method *const *method_table_for(enum operation operation, const struct sum_format *sum_format,
                                             size_t *count);

/* The sums of a format, and those of binary32. */
const struct method *const *method_table_of(const struct sum_format *sum_format, size_t *count);
const struct method *const *method_table(size_t *count);

/* A number of the method, that of its place in the table where it is one of binary32, and the method of a number.
 * SIZE_MAX, NULL: there is none. */
size_t method_index(const struct method *method);
const struct method *method_numbered(size_t index);

/* Why an accumulator has no methods of an operation in a format, as the end of a sentence; NULL: it has. */
const char *method_absent(enum operation operation, const struct sum_format *sum_format, const char *accumulator);

/* The same accumulator and order in another format, and in another operation; NULL when there is none.  Of matrices,
 * which have orders of their own, the first of the accumulator. */
const struct method *method_in(const struct method *method, const struct sum_format *sum_format);
const struct method *method_of_operation(const struct method *method, enum operation operation);

/* Adds a method of any operation and format, whose id says both; it stays where it is; before other threads look at the
 * table.  BAD_INPUT when its id is taken. */
enum status method_add(const struct method *method);

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

/* The id that a name stands for, in `room`: "plain/serial@bfloat16" for naive@bf16, "plain/serial" for
 * plain/serial@binary32; `name` itself if it is too long for one. */
enum { UNALIAS_SIZE = 128 };
const char *method_unalias(const char *name, char room[UNALIAS_SIZE]);

/* ---- a method's functions, for callers that have the method ---- */

static inline struct thread_grid method_grid(const struct method *method, struct launch launch)
{
    return (struct thread_grid){launch.blocks, launch.threads, 16 / method->sum_format->stored->bytes};
}

/* Whether its result is a sum, of whichever numbers. */
static inline bool method_adds(const struct method *method)
{
    return method->role <= INTEGER_SUMS;
}

static inline bool method_can_do(const struct method *method, struct launch launch, char why[REASON_SIZE])
{
    return method->can_do(method, launch, why);
}

/* Of one row of n terms. */
static inline uint64_t method_height(const struct method *method, uint64_t n, struct launch launch)
{
    return method->height(method, shape_of_one(n), launch);
}

static inline double method_bound(const struct method *method, uint64_t n, struct launch launch,
                                  const struct magnitudes *of)
{
    return method->bound(method, shape_of_one(n), launch, of);
}

static inline double method_probabilistic_bound(const struct method *method, uint64_t n, struct launch launch,
                                                const struct magnitudes *of)
{
    return method->probabilistic_bound(method, shape_of_one(n), launch, of);
}

static inline enum status method_replay(const struct method *method, const struct operands *of, struct launch launch,
                                        unsigned workers, uint64_t *bits)
{
    return method->replay(method, of, launch, workers, bits);
}

/* On the host: by replay, or by its plug-in. */
static inline bool method_is_on_host(const struct method *method)
{
    return method->replay || method->ask;
}

static inline enum status method_compute(const struct method *method, const struct operands *of, struct launch launch,
                                         unsigned workers, uint64_t *bits)
{
    return method->ask ? method->ask(method, of, launch, bits, NULL) : method_replay(method, of, launch, workers, bits);
}

/* The sum of x[0..n), of a method whose result is binary32; x in binary32; on the host. */
enum status method_sum(const struct method *method, const float *x, uint64_t n, struct launch launch, unsigned workers,
                       float *sum);
