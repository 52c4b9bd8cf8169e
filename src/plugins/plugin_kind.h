/* What the kinds of plug-ins share, and what each of them does: kinds/ID.c. */
#pragma once

#include "datasets/files/file_hash.h"
#include "kernels/tree_bound.h"
#include "process.h"
#include "src/worker/protocol.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

/* Memory that a worker reads and writes: inputs and output as src/worker/protocol.h lays them out. */

struct shared_memory {
    int descriptor; /* of a memfd; 0: there is none */
    char *at;       /* this program can write it, even where nobody else can */
    size_t size;
};

struct shared_arrays {
    struct shared_memory inputs, output;
    bool is_new; /* the worker lacks their descriptors */
};

/* Of array k; 0: there is none. */
static inline uint64_t operands_elements(const struct operands *of, int k)
{
    const struct shape shape = of->shape;
    if (k >= operation_table[of->operation].vectors)
        return 0;
    return shape.terms * (shape.columns == 0 || k == 0 ? shape.rows : shape.columns);
}

/* How many numbers a window has, at most; 0: there are none. */
static inline uint64_t operands_window(const struct operands *of)
{
    const uint64_t window = of->shape.columns > 0 ? of->shape.columns : of->shape.terms;
    return of->operation == OPERATION_rolling ? window : 0;
}

/* Brings the elements of the operands, or of each of the request's sets of them, as they are stored, and an output that
 * is all ones; fills in what the request, whose offset is there, says of both.  Two operands at one address are one
 * array.  NULL, or why there is no memory. period: so many elements of each alone, which are repeated to arrays of
 * their own; 0: all.  Those that stay on the GPU are not brought again. */
const char *shared_arrays_fill(struct shared_arrays *arrays, const struct operands *of, const struct format *result,
                               bool is_first_in_page, uint64_t period, struct worker_request *request);

/* After the worker wrote so many elements from output_offset on: NULL when all are there and nothing is beside them,
 * else what it did, "wrote no result". */
const char *shared_arrays_output(const struct shared_arrays *arrays, const struct worker_request *request,
                                 uint64_t elements, uint64_t element_bytes);

void shared_arrays_free(struct shared_arrays *arrays);

/* A method of a plug-in, as the list has it and as the plug-in said. */
struct plugin_method {
    struct method method;
    size_t index; /* in the plug-in's own list */
    char *id, *name, *claim;
    char *accumulator;  /* that the plug-in brings, in an order of ours; NULL: the method adds by itself */
    size_t state_bytes; /* of such a one */
    uint64_t *lengths;  /* NULL: any */
    size_t length_count;
    bool takes_rows, is_on_device, is_variant;
    enum { BOUND_OF_ANY_ORDER, NO_BOUND, BOUND_OF_ITS_OWN, BOUND_OF_TREE } bound;
    struct tree_word tree; /* of BOUND_OF_TREE */
    const char *claimed;   /* the accumulator whose bound that of any order is: "plain" */
    double bound_of_sum, bound_of_abs;
    const struct method *highest; /* of that accumulator, in a tree that no other is higher than */
    unsigned failures;
    bool is_tried;        /* by plugin_question(), which says what failed */
    bool has_refused;     /* the last time it failed: it said so itself */
    struct shape *shapes; /* that it was asked for since plugin_question() did */
    size_t shape_count;
    uint64_t most_terms;                   /* of those, ever */
    double took;                           /* seconds of its last call; 0: there was none */
    bool is_asked_singly;                  /* since many calls at once failed */
    atomic_bool is_left_out, has_told_why; /* why its bound of a tree makes no claim */
    atomic_uint broken_claims;
};

static inline struct plugin_method *own_of(const struct method *method)
{
    return (struct plugin_method *)method->own;
}

/* What a method is asked for. */
struct question {
    const struct plugin_method *of;
    const struct operands *operands;
    struct launch launch;
    struct circumstances circumstances;
    uint64_t number;                    /* of the question, from 1 on */
    const struct plugin_timing *timing; /* NULL: it is not a bench that asks */
    uint64_t sets; /* of operands, for each of which there is a call, all at once; 0: one, as ever */
};

struct plugin {
    const struct plugin_kind *kind;
    char *text;                /* as it was named */
    char *path;                /* the file of it, or what stands for one; absolute */
    char *name, *version;      /* as it says itself */
    char hash[FILE_HASH_TEXT]; /* of the file; "" of none */
    struct plugin_limits limits;
    struct plugin_method **methods;
    const struct method **list; /* the same */
    size_t method_count;

    pthread_mutex_t mutex; /* of what follows: one question at a time */
    bool is_running, is_closed;
    uint64_t asked;
    const struct plugin_method *last; /* that this process was asked; NULL: none */
    uint64_t data;                    /* of plugin_timing, that lie on the GPU of this process; 0: none */
    struct process process;
    struct shared_arrays arrays;
    char why[WHY_SIZE]; /* it failed */
    bool is_unable;     /* it did not fail: the question's circumstances are none that it can have */
    void *own;          /* of its kind */
};

/* Of every function: false when it failed, and plugin->why says so as a sentence without its subject: "did not answer
 * within 60 s".  The process is ended by the caller then.  `refuses`: it said itself that it cannot. */
struct plugin_kind {
    const char *flag;

    /* Sets path, and hash of a file.  Complains; BAD_INPUT. */
    enum status (*find)(struct plugin *plugin, const char *where);

    /* Starts its process; what it says of itself into *ready, a JSON object as in src/worker/protocol.h. */
    bool (*start)(struct plugin *plugin, json_t **ready);

    bool (*ask)(struct plugin *plugin, const struct question *question, uint64_t *bits, double *seconds, bool *refuses);
    void (*stop)(struct plugin *plugin); /* NULL: no more than to end its process */
    bool has_events;                     /* what it has on a GPU can be timed there, and called for many sets at once */
};

#define PLUGIN_KIND(id, flag, argument, claim) extern const struct plugin_kind plugin_kind_##id;
#include "kinds.def"

/* What asks the process of a method, as ever. */
enum status plugin_ask_as_ever(const struct method *self, const struct operands *of, struct launch launch,
                               uint64_t *bits, double *seconds);

/* Says what failed on so many numbers, and leaves it out after a few times. */
void plugin_count_failure(struct plugin_method *method, uint64_t n);

/* Makes methods of what a plug-in says, and adds them.  Complains. */
enum status plugin_read_methods(struct plugin *plugin, const json_t *ready, const char *where);
void plugin_methods_free(struct plugin *plugin);

/* Of its process, while its mutex is held: starts it where there is none, and ends it. */
bool plugin_is_running(struct plugin *plugin);
void plugin_stop(struct plugin *plugin);

/* Sets why, and returns false; unable: likewise, and is_unable. */
bool plugin_failed(struct plugin *plugin, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool plugin_unable(struct plugin *plugin, const char *why);

/* For `find`: the file, which must be there. */
enum status plugin_find_file(struct plugin *plugin, const char *file, const char *where);

/* "mysum" of "./my-bin/mysum.py": the last part of a path without its extension, every
 * character that no name has replaced by _; allocated. */
char *plugin_name_of(const char *path);

/* The bits of a result as text: "0x3f800000". */

/* NULL, or what is wrong with the text as the end of a sentence. */
const char *result_read_bits(const char *text, const struct format *result, uint64_t *bits);
