/* Matrix products, C = alpha A B + beta C, as methods: an accumulator in an order of kernels/matmul_orders.def,
 *
 *   matmul:plain/naive                            products rounded (the operation dot), added left to right
 *   matmul_fma:plain/tile_16                      fused (dot_fma), in tiles: the bits of naive
 *   matmul_exact:superacc/split_4@bfloat16        both parts of a product (dot_exact), 4 parts of the inner dimension
 *
 * What is computed, bit for bit, on the host and on a GPU.  Of an element of C, r is the result of the accumulator
 * after all products a_ik b_kj, and RN rounds to the format that is added in (kernels/formats.def):
 *
 *   alpha = 1, beta = 0   c = r                             rounded to the format of C, once
 *   else                  c = RN(RN(alpha RN(r)) + beta c)  rounded to the format of C; without the addition, and
 *                                                           without reading C, where beta = 0
 *
 * split_p: part q of p has products q ceil(inner / p) on, at most ceil(inner / p) of them; parts without any do not
 * exist, but the first.  The states of the parts are merged left to right, and r is the result of that.
 *
 * split_p_rounded: every part is a matrix product of its own, the first with beta, the others with beta = 1: C is
 * rounded to its format p times, as by kernels that run one after another, each adding its part to C.
 */
#pragma once

#include "verbs.h"

/* Element (i, j) is numbers[i row_step + j column_step].  On the host numbers are as format_held() has them, in device
 * memory as they are stored. */
struct matmul_matrix {
    void *numbers;
    uint64_t rows, columns, row_step, column_step;
};

static inline struct matmul_matrix matmul_row_major(void *numbers, uint64_t rows, uint64_t columns, uint64_t leading)
{
    return (struct matmul_matrix){numbers, rows, columns, leading, 1};
}

static inline struct matmul_matrix matmul_column_major(void *numbers, uint64_t rows, uint64_t columns, uint64_t leading)
{
    return (struct matmul_matrix){numbers, rows, columns, 1, leading};
}

static inline struct matmul_matrix matmul_transposed(struct matmul_matrix m)
{
    return (struct matmul_matrix){m.numbers, m.columns, m.rows, m.column_step, m.row_step};
}

/* A is rows x inner, B inner x columns, C rows x columns, which overlaps neither.  An inner dimension of 0 is a sum
 * without terms: C = 0, or with beta = 1 what it was. */
struct matmul_call {
    struct matmul_matrix a, b, c; /* A and B of the format that is stored, C of that of the result */
    double alpha;                 /* a number of the format that is added in */
    int beta;                     /* 0 or 1 */
};

/* Of an element: |s|, s = sum_k a_ik b_kj exactly, and sum_k |a_ik b_kj|, each rounded up; |c| that beta = 1 adds. */
struct matmul_magnitudes {
    double abs_s, sum_abs, abs_c;
};

enum matmul_kernel { NAIVE, TILE_16, TILE_32 };
enum matmul_between { STATES, ROUNDED };

struct matmul_method;

/* The device half of a method. */
struct matmul_device {
    size_t (*scratch_bytes)(const struct matmul_method *self, const struct matmul_call *call);

    /* All pointers are device memory, aligned as cudaMalloc does; `scratch` is scratch_bytes() of it, `stream` a
     * cudaStream_t.  The call has passed matmul_check().  A cudaError_t, also where a grid has no room for C: 2^20 rows
     * fit; may return before the kernels end. */
    int (*run)(const struct matmul_method *self, const struct matmul_call *call, void *scratch, void *stream);
};

struct matmul_method {
    const char *id; /* "matmul_exact:superacc/split_4@bfloat16" */
    const char *accumulator, *order, *order_claim;
    enum operation operation; /* matmul, matmul_exact or matmul_fma */
    const struct sum_format *sum_format;
    enum matmul_kernel kernel;
    enum matmul_between between;
    uint32_t parts;

    const struct verbs *verbs; /* of the accumulator, with what the operation adds as terms */
};

/* Those of an operation in a format: accumulator by accumulator, in the order of the tables. */
const struct matmul_method *matmul_table(enum operation operation, const struct sum_format *sum_format, size_t *count);

/* The method with this id; NULL when there is none. */
const struct matmul_method *matmul_find(const char *id);

/* What the list of methods (method.h) has of it: matrix products that lie row after row, alpha = 1 and beta = 0,
 * at any launch, which nothing depends on.  Without what the accumulator says of itself. */
struct method matmul_as_method(const struct matmul_method *method);

/* Why an accumulator has no methods of an operation in a format, as the end of a sentence; NULL: it has. */
const char *matmul_absent(enum operation operation, const struct sum_format *sum_format, const char *accumulator);

/* BAD_INPUT, said: shapes that do not match, two elements of a matrix at one place, another alpha or beta. */
enum status matmul_check(const struct matmul_method *method, const struct matmul_call *call);

/* Computes C on the host, with the bits of the kernel, whatever the number of worker threads.  NOT_MEASURED: memory is
 * short. */
enum status matmul_replay(const struct matmul_method *method, const struct matmul_call *call, unsigned workers);

/* A bound on |c - (alpha s + beta c_before)| of an element, `inner` products.  INFINITY: no claim. */
double matmul_bound(const struct matmul_method *method, uint64_t inner, double alpha, int beta,
                    const struct matmul_magnitudes *of);

/* ---- the parts of the inner dimension ---- */

/* Products of a part, but of the last, which may have fewer. */
static inline uint64_t matmul_run(const struct matmul_method *method, uint64_t inner)
{
    return inner / method->parts + (inner % method->parts != 0);
}

/* Parts that exist, at least 1. */
static inline uint32_t matmul_parts(const struct matmul_method *method, uint64_t inner)
{
    const uint64_t run = matmul_run(method, inner);
    return run == 0 ? 1 : (uint32_t)((inner - 1) / run + 1);
}

/* The most additions and merges on the way of a product to r. */
static inline uint64_t matmul_height(const struct matmul_method *method, uint64_t inner)
{
    const bool merges = method->between == STATES;
    return matmul_run(method, inner) + (merges ? matmul_parts(method, inner) - 1 : 0);
}
