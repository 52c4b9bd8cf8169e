/* How far is a computed sum from the exact one?  Sums, dot products, matrix products, means, variances, cosines,
 * layer norms and softmax of any format, anywhere in memory, held against the exact result and against a theorem.
 *
 *     float x[1000], computed = my_sum(x, 1000);
 *     struct ulpscope_problem sum = ulpscope_sum_of(ulpscope_vector(ULPSCOPE_BINARY32, x, 1000));
 *     struct ulpscope_verdict verdict = {.size = sizeof verdict};
 *     if (ulpscope_judge(&sum, &computed, "2ulp", &verdict) == ULPSCOPE_OK && !verdict.passed)
 *         puts(verdict.words);
 *
 * No function prints, ends the program or keeps anything between two calls, and all may be called by several threads at
 * once.  A result is exact whatever the rounding mode or subnormals of the caller's processor.  docs/assertions.md
 */
#ifndef ULPSCOPE_ULPSCOPE_H
#define ULPSCOPE_ULPSCOPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* What may change between versions: docs/reliability.md. */
#define ULPSCOPE_VERSION "0.1.0"

typedef enum ulpscope_status {
    ULPSCOPE_OK,
    ULPSCOPE_BAD_ARGUMENT, /* a format, shape, stride or limit that is none */
    ULPSCOPE_OUT_OF_MEMORY,
    ULPSCOPE_FAILED /* a check of the library's own arithmetic: report it as a fault of ulpscope */
} ulpscope_status;

typedef enum ulpscope_format {
    ULPSCOPE_BINARY64 = 1,
    ULPSCOPE_BINARY32,
    ULPSCOPE_BINARY16,
    ULPSCOPE_BFLOAT16,
    ULPSCOPE_E4M3, /* fp8 of the OCP, which no result is in */
    ULPSCOPE_E5M2,
    ULPSCOPE_TF32 /* binary32 that counts as rounded to 11 bits, ties to even; no result is in it */
} ulpscope_format;

typedef enum ulpscope_operation {
    ULPSCOPE_SUM = 1, /* of x[n]: 1 result */
    ULPSCOPE_DOT,     /* of x[n] and y[n]: 1 */
    ULPSCOPE_ROWS,    /* the sum of each row of x[rows][n]: `rows` */
    ULPSCOPE_MATMUL,  /* x[rows][n] y[n][columns]: rows columns, row after row */

    /* Of x[n], 1, or of each row of x[rows][n], `rows`; the last two of as many numbers y.  Of columns give the rows of
     * a transposed x, by its strides. */
    ULPSCOPE_MEAN,          /* s / n */
    ULPSCOPE_MEAN_SQUARE,   /* sum x_i^2 / n */
    ULPSCOPE_RMS,           /* its root */
    ULPSCOPE_VARIANCE,      /* sum (x_i - s/n)^2 / (n - ddof) */
    ULPSCOPE_STD,           /* its root */
    ULPSCOPE_MEAN_WEIGHTED, /* sum x_i y_i / sum y_i: y are weights, which may be negative */
    ULPSCOPE_COSINE,        /* sum x_i y_i / root (sum x_i^2 sum y_i^2) */

    /* Of each number of x[n], or of x[rows][n]: as many results, before weights and biases; v the variance, ddof 0. */
    ULPSCOPE_LAYER_NORM, /* (x_i - s/n) / root(v + eps) */
    ULPSCOPE_RMS_NORM,   /* x_i / root(sum x_i^2 / n + eps) */

    /* Of likewise; an x_i that is -inf is masked.  Without the limit "auto": its bound depends on the algorithm. */
    ULPSCOPE_SOFTMAX,     /* e^x_i / sum e^x_j */
    ULPSCOPE_LOG_SOFTMAX, /* its logarithm */
    ULPSCOPE_LOGSUMEXP,   /* ln sum e^x_j: 1, or of each row */

    /* Of each number x_i likewise the sum of all up to it, or of the last `window` of them, as far as there are. */
    ULPSCOPE_SCAN
} ulpscope_operation;

/* Elements anywhere in memory: (i, j) is at data + i strides[0] + j strides[1], in bytes, aligned or not; strides may
 * be negative or 0.  A vector has no second shape and stride. */
struct ulpscope_array {
    const void *data; /* NULL only where there are no elements */
    ulpscope_format format;
    unsigned dimensions; /* 1 or 2 */
    uint64_t shape[2];
    int64_t strides[2];
};

struct ulpscope_problem {
    size_t size; /* sizeof (struct ulpscope_problem) of whoever calls */
    ulpscope_operation operation;
    struct ulpscope_array x, y; /* y: of DOT and MATMUL */
    ulpscope_format result;     /* of the computed results: binary64, binary32, binary16 or bfloat16 */
    ulpscope_format added;      /* what sums are added in, for the limit "auto"; 0: binary32, or binary64 where x or the
                                   result is */
    uint64_t ddof;              /* of VARIANCE and STD: 1 for that of a sample */
    double eps;                 /* of LAYER_NORM and RMS_NORM: 0 or more */
    uint64_t window;            /* of SCAN; 0: all */
};

/* The exact value s of a result. */
struct ulpscope_value {
    size_t size;
    double nearest;   /* RN(s) in the format of results: correctly rounded; infinite and NaN by the rules of IEEE 754 */
    double ulp;       /* the spacing of that format at s */
    double abs_above; /* |s| and sum |x_i|, or sum |x_i y_i|, rounded up */
    double sum_abs_above;
    double condition; /* sum |x_i| / |s|, rounded up; INFINITY for s = 0 alone, 1 where all terms are 0 */
    /* In the place of sum |x_i| stand, for a mean, sum |x_i| / n; for a variance sum x_i^2 / (n - ddof), so that its
     * condition is kappa^2, kappa = ||x|| / ||x - mean||; for a std the root of that, and kappa; for a weighted mean
     * and a cosine what it is with |x_i y_i|; for an element of a layer norm (|x_i| + sum |x| / n) / root(v + eps), and
     * for one of an RMS norm |s|.  Not defined, NaN: of no number, n <= ddof, weights that sum to 0, zeros alone in a
     * cosine; in a norm all elements where v + eps is 0 or x has a NaN, or an infinity; of exponentials all
     * where x has a NaN or +inf, or no number but -inf.  In the place of sum |x_i| stand for a softmax |s|, for its
     * logarithm max(|s|, 1), for a logsumexp max(|M| + ln sum e^(x_j - M), 1) of the largest x, M.  Of a masked x the
     * softmax is 0, its logarithm -inf.  Values of exponentials below 2^-1500 are not told apart. */
};

/* A computed result beside its exact value. */
struct ulpscope_error {
    size_t size;
    struct ulpscope_value exact;
    double computed;
    double error; /* |computed - s|, and what follows, rounded up; NaN where one of both is no number and they differ */
    double ulp_error, relative_error, backward_error; /* infinite where s is 0, or all data are, and computed is not */
    double bound; /* of a finite result of plain addition in any order, in the format `added`: what "auto" allows */
};

/* Results held to a limit. */
struct ulpscope_verdict {
    size_t size;
    int passed;
    uint64_t count, failed;      /* results, and how many of them are beyond the limit */
    uint64_t row, column;        /* where the worst is, */
    struct ulpscope_error worst; /* and what it is */
    /* Whether results that are obviously wrong would have passed as well: zeros, or those of all but the last element.
     * Then the test can hardly fail.  0 where there is no limit, or no element. */
    int zeros_pass, last_dropped_passes;
    char words[1024]; /* for people: "within 0.8 ulp, limit 2 ulp"; what was found, exact value, ulps, bound, likely
                         cause; of a scan also the first result that fails */
    char cause[256];  /* of a failure: "the last 3 elements are left out"; empty: none is known */

    /* Of a softmax, whose rows are probabilities: the sum of the results of the row where that is farthest from 1, to
     * 2^-52 of it; and the largest divergence of a row, sum p ln(p / computed) over the exact p that do not round to 0,
     * to 2^-46, or as much of it: infinite where a computed one is 0, NaN where one is negative or none.  NaN: there is
     * no such row. */
    double row_sum, divergence;
};

/* Contiguous: a vector, a matrix row after row. */
static inline struct ulpscope_array ulpscope_vector(ulpscope_format format, const void *data, uint64_t n);
static inline struct ulpscope_array ulpscope_matrix(ulpscope_format format, const void *data, uint64_t rows,
                                                    uint64_t columns);

/* Problems whose results have the format of x; of rows where x has two dimensions. */
static inline struct ulpscope_problem ulpscope_sum_of(struct ulpscope_array x);
static inline struct ulpscope_problem ulpscope_dot_of(struct ulpscope_array x, struct ulpscope_array y);
static inline struct ulpscope_problem ulpscope_rows_of(struct ulpscope_array x);
static inline struct ulpscope_problem ulpscope_matmul_of(struct ulpscope_array x, struct ulpscope_array y);
static inline struct ulpscope_problem ulpscope_mean_of(struct ulpscope_array x);
static inline struct ulpscope_problem ulpscope_variance_of(struct ulpscope_array x, uint64_t ddof);
static inline struct ulpscope_problem ulpscope_std_of(struct ulpscope_array x, uint64_t ddof);
static inline struct ulpscope_problem ulpscope_norm_of(ulpscope_operation operation, struct ulpscope_array x,
                                                       double eps); /* LAYER_NORM or RMS_NORM */
static inline struct ulpscope_problem ulpscope_exponentials_of(ulpscope_operation operation,
                                                               struct ulpscope_array x); /* SOFTMAX and below */
static inline struct ulpscope_problem ulpscope_scan_of(struct ulpscope_array x, uint64_t window);

/* How many results a problem has, 0 where it is none. */
uint64_t ulpscope_result_count(const struct ulpscope_problem *problem);

/* The exact value of every result, row after row: values[ulpscope_result_count()], with sizes set by the caller in
 * values[0]. */
ulpscope_status ulpscope_exact(const struct ulpscope_problem *problem, struct ulpscope_value *values);

/* Correctly rounded results, in the format of results: out has room for all, one after the other. */
ulpscope_status ulpscope_rounded(const struct ulpscope_problem *problem, void *out);

/* Every computed result beside its exact value.  `computed`: contiguous, in the format of results. */
ulpscope_status ulpscope_errors(const struct ulpscope_problem *problem, const void *computed,
                                struct ulpscope_error *errors);

/* Holds computed results to a limit:
 *
 *   "2ulp"    |computed - s| <= 2 ulp(s)             "1e-6"     relative to |s|
 *   "exact"   s correctly rounded                    "1e-6abs"  relative to sum |x_i|
 *   "4u"      relative to |s|, u of the results      "0.1%"     likewise
 *   "auto"    the bound of plain addition in any order, in the format `added`, rounded to the format of results once,
 *             and of what is done with such sums;
 *             "bound*0.5" half of that; "auto:pairwise" that of a tree, as "auto:height=20", "auto:blocked=128",
 *             "auto:chains=8" or an order, "auto:tree_two_pass=120x256"
 *
 * A NaN or an infinity passes only where s is the same by the rules of IEEE 754.  Without a limit, NULL, all is
 * reported and nothing fails. */
ulpscope_status ulpscope_judge(const struct ulpscope_problem *problem, const void *computed, const char *limit,
                               struct ulpscope_verdict *verdict);

/* The bound of |computed - s| of an accumulator ("plain", "kahan", ...: `ulpscope list methods`) in a tree of height h,
 * the most additions between an element and the result, added in one format and rounded to another; rigorous
 * (docs/bounds.md).  INFINITY where there is none; NaN for an accumulator that is unknown, and a height that no n
 * elements have: log2 n at least, n at most. */
double ulpscope_bound(const char *accumulator, uint64_t n, uint64_t height, ulpscope_format added,
                      ulpscope_format result, const struct ulpscope_value *value);

/* That of plain addition in any order, height n - 1, of a finite result, on whose way nothing overflowed: an infinity
 * stays one, or becomes NaN.  products: of DOT and MATMUL, whose products are rounded, too. */
double ulpscope_bound_any_order(int products, uint64_t n, ulpscope_format added, ulpscope_format result,
                                const struct ulpscope_value *value);

/* Writes the numbers, of several results those of the worst, which are one vector or two, into PATH.npy, or PATH.x.npy
 * and PATH.y.npy, and how `ulpscope exact` and `blame` open them into PATH.txt and `command` (of `size` bytes); all
 * files, or none.  BAD_ARGUMENT where that cannot be written, too. */
ulpscope_status ulpscope_write_case(const struct ulpscope_problem *problem, const void *computed, const char *path,
                                    char *command, size_t size);

/* A sentence of what was wrong in the last call of this thread that did not end with ULPSCOPE_OK; "" before. */
const char *ulpscope_why(void);

/* "0.1.0", of the library that is loaded. */
const char *ulpscope_version(void);

/* ---- what is above in short ---- */

static inline struct ulpscope_array ulpscope_matrix(ulpscope_format format, const void *data, uint64_t rows,
                                                    uint64_t columns)
{
    static const unsigned char bytes[] = {0, 8, 4, 2, 2, 1, 1, 4};
    const int64_t step = (unsigned)format < sizeof bytes ? bytes[format] : 0;
    struct ulpscope_array array = {data, format, 2, {rows, columns}, {0, 0}};
    array.strides[0] = step * (int64_t)columns;
    array.strides[1] = step;
    return array;
}

static inline struct ulpscope_array ulpscope_vector(ulpscope_format format, const void *data, uint64_t n)
{
    struct ulpscope_array array = ulpscope_matrix(format, data, n, 1);
    array.dimensions = 1;
    array.shape[1] = 0;
    array.strides[0] = array.strides[1];
    array.strides[1] = 0;
    return array;
}

static inline struct ulpscope_problem ulpscope_problem_of(ulpscope_operation operation, struct ulpscope_array x,
                                                          struct ulpscope_array y)
{
    struct ulpscope_problem problem = {
        sizeof(struct ulpscope_problem), operation, x, y, x.format, (ulpscope_format)0, 0, 0, 0};
    return problem;
}

static inline struct ulpscope_problem ulpscope_sum_of(struct ulpscope_array x)
{
    return ulpscope_problem_of(ULPSCOPE_SUM, x, ulpscope_vector(x.format, NULL, 0));
}

static inline struct ulpscope_problem ulpscope_dot_of(struct ulpscope_array x, struct ulpscope_array y)
{
    return ulpscope_problem_of(ULPSCOPE_DOT, x, y);
}

static inline struct ulpscope_problem ulpscope_rows_of(struct ulpscope_array x)
{
    return ulpscope_problem_of(ULPSCOPE_ROWS, x, ulpscope_vector(x.format, NULL, 0));
}

static inline struct ulpscope_problem ulpscope_matmul_of(struct ulpscope_array x, struct ulpscope_array y)
{
    return ulpscope_problem_of(ULPSCOPE_MATMUL, x, y);
}

static inline struct ulpscope_problem ulpscope_mean_of(struct ulpscope_array x)
{
    return ulpscope_problem_of(ULPSCOPE_MEAN, x, ulpscope_vector(x.format, NULL, 0));
}

static inline struct ulpscope_problem ulpscope_variance_of(struct ulpscope_array x, uint64_t ddof)
{
    struct ulpscope_problem problem = ulpscope_problem_of(ULPSCOPE_VARIANCE, x, ulpscope_vector(x.format, NULL, 0));
    problem.ddof = ddof;
    return problem;
}

static inline struct ulpscope_problem ulpscope_std_of(struct ulpscope_array x, uint64_t ddof)
{
    struct ulpscope_problem problem = ulpscope_variance_of(x, ddof);
    problem.operation = ULPSCOPE_STD;
    return problem;
}

static inline struct ulpscope_problem ulpscope_norm_of(ulpscope_operation operation, struct ulpscope_array x,
                                                       double eps)
{
    struct ulpscope_problem problem = ulpscope_problem_of(operation, x, ulpscope_vector(x.format, NULL, 0));
    problem.eps = eps;
    return problem;
}

static inline struct ulpscope_problem ulpscope_exponentials_of(ulpscope_operation operation, struct ulpscope_array x)
{
    return ulpscope_problem_of(operation, x, ulpscope_vector(x.format, NULL, 0));
}

static inline struct ulpscope_problem ulpscope_scan_of(struct ulpscope_array x, uint64_t window)
{
    struct ulpscope_problem problem = ulpscope_problem_of(ULPSCOPE_SCAN, x, ulpscope_vector(x.format, NULL, 0));
    problem.window = window;
    return problem;
}

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
