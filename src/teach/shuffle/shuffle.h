/* The same numbers in P orders, added by several methods: how many sums there are, and how far from the exact one.
 *
 *   plain/serial, 2^24, 1, -2^24     shuffled:1   2^24, -2^24, 1    1
 *                                    shuffled:2   2^24, 1, -2^24    0     two sums of one set of numbers
 *
 * Order k is order=shuffled:k of data specs, so that every one can be made again alone (witness.c).  Nothing here
 * depends on the number of threads: sum k of method m has its place, and what follows is made from these.
 */
#pragma once

#include "datasets/spec.h"
#include "kernels/method.h"
#include "reference/exact.h"

enum { PERMUTATIONS_MOST = 1000000, SHUFFLE_MOST_N = 1 << 24 };

struct shuffle_request {
    const struct data_spec *spec;
    uint64_t seed, trial;                /* of the data */
    const struct method *const *methods; /* which compute one thing, of as many vectors as the spec's kind says */
    size_t method_count;
    struct launch launch;
    uint64_t first, permutations; /* shuffled:first, ... */
    unsigned workers;
    bool quiet; /* no progress on stderr */
};

/* All permutations that gave the same bits. */
struct shuffled_sum {
    double computed;       /* of NaNs there is one */
    uint64_t count, order; /* how many, and the first of them: shuffled:order */
    double error; /* computed - s in units, rounded to nearest; NaN or infinite where one of them is not finite */
};

/* What theory says of |computed - s|, in units; NaN where it says nothing. */
struct shuffle_theory {
    double bound;    /* proven; INFINITY: no claim */
    double probable; /* a model: exceeded by 1 of 1,000 sums, see method->probabilistic_bound */
};

struct shuffled_method {
    const struct method *method;
    struct shuffled_sum *sums;               /* each once, in rising order, -0 before +0, a NaN last */
    size_t distinct, commonest, best, worst; /* numbers of sums; of equals the one whose order comes first */
    struct shuffled_sum given;               /* of the data as the spec orders them */
    uint64_t finite;                         /* permutations with a finite error */
    uint64_t overflowed;                     /* those whose sum is not finite, although s is */
    double spread;                           /* the largest less the smallest finite sum, in units */
    double mean, deviation;                  /* of the finite errors; NaN: there are none */
    struct shuffle_theory theory;
};

struct shuffled {
    const struct shuffle_request *request;
    struct exact_sum exact; /* one for all orders */
    double unit; /* ulp of s in the first method's result; where s is 0 or far below, of the largest |x|, or product */
    bool unit_is_of_s;
    bool all_equal; /* the numbers, bit for bit */
    struct shuffled_method *methods;
    double *sums; /* [method][permutation] */
};

/* Complains and returns BAD_INPUT as dataset_make does, or NOT_MEASURED; *shuffled is then empty. */
enum status shuffle_data(const struct shuffle_request *request, struct shuffled *shuffled);
void shuffled_free(struct shuffled *shuffled);

/* Whether no more than P orders of n numbers exist: n! <= P; then *orders is n!. */
bool shuffle_exhausts(uint64_t n, uint64_t permutations, uint64_t *orders);

/* For people on stdout; for scripts, schema ulpscope-shuffle/1; a line per method and sum.  "-" is stdout. */
void shuffled_print(const struct shuffled *shuffled, bool colour);
enum status shuffled_write_json(const struct shuffled *shuffled, const char *path);
enum status shuffled_write_csv(const struct shuffled *shuffled, const char *path);

/* From the sums of a method in P orders to what is reported of them. */

/* Fills in all of `of` but the method and the theory.  sums: of shuffled:first ...; given: of the data as they are. */
enum status tally_sums(const struct shuffled *shuffled, const double *sums, double given, struct shuffled_method *of);

/* Which methods are drawn where there is not room for all: those whose sums scatter most, from the widest on.
 *
 *   plain/serial, plain/strided_serial with the same sums, plain/pairwise, kahan/serial      the 1st, the 3rd, the 4th
 */

/* Indices of methods, at most `most`, by falling standard deviation; of those with the same sums equally often the
 * first alone, and none without a finite error.  Returns how many. */
size_t widest_methods(const struct shuffled *shuffled, size_t most, size_t *chosen);

/* An order of a data set, so that it can be made again alone.
 *
 *   uniform:n=100,order=reversed, shuffled:17      uniform:n=100,order=shuffled:17
 */

/* Each is allocated.  The last two are commands as a shell reads them.  No data spec orders pairs: of these the second
 * shuffles again, once, and the third is NULL. */
char *witness_spec(const struct data_spec *spec, uint64_t order);
char *witness_run(const struct shuffle_request *request, const struct method *method, uint64_t order);
char *witness_gen(const struct shuffle_request *request, uint64_t order, const char *file);

/* A histogram of signed errors, whose middle bin is around the exact sum.
 *
 *   errors -1.3, -0.3, 0.7 in bins of 1    -1: 1    0: 1    1: 1
 *
 * Bin k counts [(k - 1/2) width, (k + 1/2) width).
 */

struct error_bins {
    double first, width; /* the middle of bin i is (first + i) width; first is whole */
    size_t count;
    uint64_t *counts; /* they add up to the permutations with a finite error */
};

/* 1, 2, 5, 10 ... units, so that no more than `most` bins of it reach from the one error to the other. */
double error_bins_width(double least, double most_error, size_t most);

/* No bin when no error is finite. */
void error_bins_make(const struct shuffled_method *of, double width, struct error_bins *bins);
void error_bins_free(struct error_bins *bins);

/* The finite errors' range; false when there is none. */
bool error_range(const struct shuffled_method *of, double *least, double *most);
