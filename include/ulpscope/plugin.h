/* A sum, dot product or matrix product of your own, for ulpscope to measure: `ulpscope run --plugin ./libmine.so`.
 * C11, C++17 and CUDA C++; nothing to link against.
 *
 *     #include <ulpscope/plugin.h>
 *
 *     static int sum(void *state, const struct ulpscope_call *call)
 *     {
 *         const float *x = (const float *)ulpscope_data(&call->inputs[0]);
 *         float s = 0;
 *         (void)state;
 *         for (int64_t i = 0; i < call->inputs[0].shape[0]; i++)
 *             s += x[i];
 *         *(float *)ulpscope_data(&call->outputs[0]) = s;
 *         return 0;
 *     }
 *
 *     ULPSCOPE_PLUGIN("mine", "1.0", ULPSCOPE_METHOD("loop", "sum", "binary32", ULPSCOPE_DETERMINISTIC, sum))
 *
 *     cc -shared -fPIC -o libmine.so mine.c && ulpscope run --plugin ./libmine.so -m mine/loop
 *
 * Arrays begin at multiples of 64 bytes, on a GPU of 512, and may be relied on to, unless their alignment is being
 * studied, as `ulpscope determinism` and `ulpscope plugin check` do: then at any multiple of the size of an element,
 * where a method may fail, and give no other result.  The two arrays of a dot product or a product may be one.
 *
 * The library is loaded by a process of its own, ulpscope-worker, which is killed when a call crashes or does not
 * return. What it is told is the data alone; what it gives is the result alone.  Structs begin with their size, so that
 * later versions can add members at their ends; what a struct lacks is 0.
 */
#ifndef ULPSCOPE_PLUGIN_H
#define ULPSCOPE_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

/* DLPack's tensor (github.com/dmlc/dlpack), as its own header has it; include that one first if you use both. */
#ifndef DLPACK_DLPACK_H_
typedef struct {
    int32_t device_type; /* 1: host memory, 2: a GPU's */
    int32_t device_id;
} DLDevice;

typedef struct {
    uint8_t code; /* 2: binary64, binary32, binary16; 4: bfloat16; 10: e4m3 (e4m3fn); 12: e5m2 */
    uint8_t bits;
    uint16_t lanes; /* 1 */
} DLDataType;

typedef struct {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape;
    int64_t *strides; /* in elements; here never NULL, and row after row */
    uint64_t byte_offset;
} DLTensor;
#endif

/* Where the elements of a tensor begin. */
static inline void *ulpscope_data(const DLTensor *tensor)
{
    return (char *)tensor->data + tensor->byte_offset;
}

/* One call: the data, and where the result goes. */
struct ulpscope_call {
    size_t size;
    const DLTensor *inputs;  /* sum, sumsq, norm2: [n]; dot: [n], [n]; with ULPSCOPE_ROWS [rows, n] in place of [n];
                                matmul: [rows, n], [n, columns] */
    int32_t input_count;     /* 1 or 2; they can be read, not written */
    const DLTensor *outputs; /* one: [1]; with ULPSCOPE_ROWS [rows]; of matmul [rows, columns]; of norms, softmax,
                                log_softmax, scan and rolling, which have a result for each number, that of the input */
    void *stream; /* of a method ON_DEVICE: the CUstream, which is cudaStream_t, to work on; it is waited for,
                     perhaps when more calls were made on it */
    uint32_t blocks, threads; /* of --blocks and --threads, for kernels that let one choose */
    int64_t window; /* of rolling, from 1 on: result j is the sum of so many numbers, the last of which is x_j; of fewer
                       where there are not so many; of anything else 0 */
};

enum ulpscope_flags {
    ULPSCOPE_ON_DEVICE = 1,     /* inputs and outputs are memory of the GPU */
    ULPSCOPE_DETERMINISTIC = 2, /* the same data have the same result; each case is then computed twice, and compared */
    ULPSCOPE_ROWS = 4, /* not of matmul: of each row of its inputs, of which there may be one, a result, or a norm */
};

/* What is claimed of |result - exact|. */
enum ulpscope_bound {
    ULPSCOPE_ANY_ORDER, /* n - 1 additions in the format that is added in, in a tree of any shape: n u sum |x|, about */
    ULPSCOPE_NO_BOUND,
    ULPSCOPE_BOUND, /* u (bound_of_sum |exact| + bound_of_abs sum |x|), u = 2^-24 of a result in binary32; 1, 0 is what
                       correctly rounded results have */
    ULPSCOPE_BOUND_NAMED, /* bound_named: "kahan" or another accumulator of `ulpscope list methods`, its bound in any
                             order; or that of plain additions in a tree: "pairwise", "height=20", "blocked=128",
                             "chains=8" or an order of `ulpscope list orders` */
};

struct ulpscope_method {
    size_t size;           /* sizeof(struct ulpscope_method) */
    const char *name;      /* "loop": letters, digits and _; no other of the library has it */
    const char *operation; /* see `ulpscope list operations`: "sum", "dot", "matmul", "layer_norm", ... */
    const char *format;    /* see `ulpscope list formats`: "binary32", "bfloat16", ... */
    uint32_t flags;        /* enum ulpscope_flags */
    int (*run)(void *state, const struct ulpscope_call *call); /* 0: success; else see `error` below */
    const char *claim;                                         /* one line for lists; NULL: none */
    const uint64_t *lengths;                                   /* the only n that it takes; NULL: any from 1 on */
    size_t length_count;
    uint32_t bound;                    /* enum ulpscope_bound */
    double bound_of_sum, bound_of_abs; /* of ULPSCOPE_BOUND */
    const char *bound_named;           /* of ULPSCOPE_BOUND_NAMED */
};

/* How two numbers are added: ulpscope adds with it in each of its orders of fixed bits, on the host: name/serial,
 * name/tree_two_pass ...  A state is moved by memcpy; nothing beside it is written; a merge with an empty state, on
 * either side, has the other's result. */
struct ulpscope_accumulator {
    size_t size;        /* sizeof(struct ulpscope_accumulator) */
    const char *name;   /* "mine": letters, digits and _; neither ulpscope nor another plug-in has it */
    const char *format; /* of the numbers and the result: "binary32", ... */
    size_t state_bytes;
    void (*zero)(void *state);
    void (*add)(void *state, double x);            /* a number of the format that is added in, as binary64 holds it */
    void (*merge)(void *state, const void *other); /* NULL: orders that merge are left out */
    double (*result)(const void *state);           /* is rounded to the format once */
    const char *claim;                             /* one line for lists; NULL: none */
    uint32_t bound;                                /* as in struct ulpscope_method */
    double bound_of_sum, bound_of_abs;
    const char *bound_named;
};

struct ulpscope_plugin {
    size_t size;         /* sizeof(struct ulpscope_plugin) */
    const char *name;    /* "mine", the first half of mine/loop */
    const char *version; /* of the library: goes into reports; NULL: none */
    const struct ulpscope_method *methods;
    size_t method_count;
    int (*open)(void **state);        /* once, before the first call; 0: success; NULL: nothing to do */
    void (*close)(void *state);       /* after the last one, unless it crashed or hung; NULL: nothing to do */
    const char *(*error)(int status); /* what a status other than 0 means; NULL: nobody says */
    const struct ulpscope_accumulator *accumulators; /* NULL: it has methods alone */
    size_t accumulator_count;
};

#ifdef __cplusplus
#define ULPSCOPE_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define ULPSCOPE_EXPORT __attribute__((visibility("default")))
#endif

/* The one symbol that is looked for; its number is that of this interface. */
#define ULPSCOPE_ENTRY ulpscope_plugin_1
ULPSCOPE_EXPORT const struct ulpscope_plugin *ULPSCOPE_ENTRY(void);

/* A method that claims no more than the bound of any order; `flags` is 0 or enum ulpscope_flags.  With a claim of its
 * own, or only some lengths, write the struct. */
#define ULPSCOPE_METHOD(name, operation, format, flags, run)                                                           \
    {                                                                                                                  \
        sizeof(struct ulpscope_method), name, operation, format, flags, run, NULL, NULL, 0, ULPSCOPE_ANY_ORDER, 0, 0,  \
            NULL                                                                                                       \
    }

/* An accumulator likewise; state is its type. */
#define ULPSCOPE_ACCUMULATOR(name, format, state, zero, add, merge, result)                                            \
    {                                                                                                                  \
        sizeof(struct ulpscope_accumulator), name, format, sizeof(state), zero, add, merge, result, NULL,              \
            ULPSCOPE_ANY_ORDER, 0, 0, NULL                                                                             \
    }

/* A plug-in without open and close: its name, its version, its methods; and one of accumulators. */
#define ULPSCOPE_PLUGIN(name, version, ...)                                                                            \
    ULPSCOPE_EXPORT const struct ulpscope_plugin *ULPSCOPE_ENTRY(void)                                                 \
    {                                                                                                                  \
        static const struct ulpscope_method methods[] = {__VA_ARGS__};                                                 \
        static const struct ulpscope_plugin plugin = {                                                                 \
            sizeof plugin, name, version, methods, sizeof methods / sizeof methods[0], NULL, NULL, NULL, NULL, 0};     \
        return &plugin;                                                                                                \
    }
#define ULPSCOPE_ACCUMULATORS(name, version, ...)                                                                      \
    ULPSCOPE_EXPORT const struct ulpscope_plugin *ULPSCOPE_ENTRY(void)                                                 \
    {                                                                                                                  \
        static const struct ulpscope_accumulator all[] = {__VA_ARGS__};                                                \
        static const struct ulpscope_plugin plugin = {sizeof plugin, name, version, NULL, 0,                           \
                                                      NULL,          NULL, NULL,    all,  sizeof all / sizeof all[0]}; \
        return &plugin;                                                                                                \
    }

#endif
