/* What ulpscope and a worker process say to each other.  Workers: ulpscope-worker (src/worker), for shared libraries,
 * and python/ulpscope/worker.py, which has the same layouts as formats of `struct`.
 *
 * A worker has five descriptors: 0 is /dev/null; 1 and 2 are pipes whose text ulpscope shows as the worker's own;
 * WORKER_SOCKET is a socket of packets (SOCK_SEQPACKET).  The worker says WORKER_READY and its methods, or
 * WORKER_CANNOT and why; then it answers each request.  Where its socket ends it ends.
 *
 * Elements go through memory that both map.  A request brings two descriptors (SCM_RIGHTS), input and output, when the
 * memory is new; without them that of the last request serves.  Inputs can only be mapped to be read.  Arrays lie one
 * after another, each in pages of its own, its end within 63 bytes of the end of a page, its start a multiple of 64, or
 * with an offset that many bytes from a multiple of 128, and its end within 127; or it begins so far from the beginning
 * of a page.  Two arrays at one place are one.  Beside an array lie NaNs, all bits of which
 * are ones but the sign.  The end of the output is within 15 bytes of a page's and its start a multiple of 16; it and
 * all beside it are ones when the request comes.
 */
#pragma once

#include <stdint.h>

enum { WORKER_SOCKET = 3, WORKER_INPUTS_MOST = 2, WORKER_PACKET_MOST = 64 * 1024 };
enum { PLUGIN_NAME_MOST = 60 }; /* letters in the name of a plug-in, and of its method */

/* What ulpscope-worker gets behind the library's name, where it is to call one function of it that knows nothing of
 * plugin.h: names, a format's id, and what src/plugins/prototype.h makes of a prototype. */
enum bare_word { BARE_PLUGIN, BARE_METHOD, BARE_FORMAT, BARE_SIGNATURE, BARE_MANGLED, BARE_PROTOTYPE, BARE_WORDS };

/* Bits of `circumstances`; what a method on the host does not have is nothing to it. */
enum worker_circumstances {
    WORKER_OTHER_STREAM = 1,    /* not the one that a GPU is given otherwise */
    WORKER_IS_BUSY = 2,         /* while another kernel occupies a part of the GPU */
    WORKER_LOOKS_AT_STATES = 4, /* of an accumulator, beside its sum */
    WORKER_DATA_STAY = 8,       /* the inputs are those of the last request, and lie on the GPU */
    WORKER_PER_NUMBER = 32,     /* the output has the shape of the first input: a result for each of its numbers */
    WORKER_IS_QUEUED = 16,      /* on the GPU the call waits until it is launched as a whole, or for 25 us */
};

/* Little-endian, without padding: in Python "<2I 7Q 4Q 4I 2Q". */
struct worker_request {
    uint32_t method;                          /* its place in the list of methods */
    uint32_t window;                          /* 0 or 1: arrays are mapped twice, at two addresses; take this one */
    uint64_t number;                          /* of the request, from 1 */
    uint64_t rows, terms, columns;            /* of vectors columns is 0, and rows 1 but of methods that take rows; of
                                                 matrices A is rows x terms, B terms x columns; of sums of
                                                 windows columns is the window */
    uint64_t input_bytes[WORKER_INPUTS_MOST]; /* of an array that there is not: 0 */
    uint64_t output_bytes;
    uint64_t input_offset[WORKER_INPUTS_MOST]; /* of the first element in the memory of inputs */
    uint64_t output_offset;
    uint64_t output_size; /* of the memory of the output: whole pages */
    uint32_t blocks, threads;
    uint32_t offset; /* bytes from the usual alignment to the first elements; input_offset has it already */
    uint32_t circumstances;
    uint64_t repeated_bytes; /* not 0: of each input on the GPU, where it is repeated; the call is timed by the GPU's
                                events, and its output alone is looked at */
    uint64_t sets; /* not 0: of so many sets of inputs on the GPU each has a call and a result, and all calls are
                      waited for together; an input is that of each set behind the other, as below */
};

/* Of a set: an edge of ones, the array, and ones up to a multiple of the edge, at least one.  On the GPU results lie
 * likewise. */
enum { WORKER_SET_EDGE = 512 };
static inline uint64_t set_stride(uint64_t array_bytes)
{
    return (array_bytes / WORKER_SET_EDGE + 2) * WORKER_SET_EDGE;
}

/* Two inputs at one place are one array. */
static inline int request_has_one_array(const struct worker_request *request)
{
    return request->input_bytes[1] > 0 && request->input_offset[1] == request->input_offset[0];
}

/* A variable of the environment: on a GPU nothing lies beside an array in its memory, which a tool watches. */
#define WORKER_EXACT_ARRAYS "ULPSCOPE_EXACT_ARRAYS"

enum worker_answer {
    WORKER_READY = 1, /* text: a JSON object, see below */
    WORKER_CANNOT,    /* before READY; text: why there are no methods; the worker ends */
    WORKER_BITS,      /* the output has the result, each element as the format of the result stores it */
    WORKER_VALUES,    /* the output has the one result as a binary64, to be rounded to the format of the result */
    WORKER_FAILED,    /* text: what went wrong in this call */
    WORKER_BROKEN,    /* text: what went wrong; the worker cannot go on, and ends */
    WORKER_UNABLE,    /* text: why it cannot be asked with this offset, or under these circumstances */
    WORKER_REFUSED,   /* text: what the plug-in itself says of this call: it returned a status, or raised */
};

/* An answer; of those with a text it follows in the same packet, in UTF-8, to the packet's end.  In Python "<2I 2Q". */
struct worker_reply {
    uint32_t answer;      /* enum worker_answer */
    uint32_t reserved;    /* 0 */
    uint64_t number;      /* of the request; 0 of READY and CANNOT */
    uint64_t nanoseconds; /* that the call took, waiting for the GPU included; or between two events of the GPU */
};

/* The text of READY:
 *
 *   {"name": "mine", "version": "1.0", "warnings": ["..."],
 *    "methods": [{"name": "loop", "operation": "sum", "format": "binary32", "deterministic": true, "rows": true,
 *                 "on_device": true, "claim": "...", "lengths": [4096], "bound": "any_order" | "none" | "kahan" |
 *                 "pairwise" | {"of_sum": 1, "of_abs": 0}}]}
 *
 * and of a method that is an accumulator in an order, "accumulator": "mine", "state_bytes": 8.
 * Only name and methods must be there, and of a method its name; operation sum, format binary32, deterministic, rows
 * and on_device false, any length, bound any_order is what is left out. */
