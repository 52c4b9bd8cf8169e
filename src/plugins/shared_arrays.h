/* Memory that a worker reads and writes: inputs and output as src/worker/protocol.h lays them out. */
#pragma once

#include "kernels/method.h"
#include "src/worker/protocol.h"

#include <stddef.h>

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
