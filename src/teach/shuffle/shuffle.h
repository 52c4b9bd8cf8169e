/* The same numbers in P orders, added by several methods: how many sums there are, and how far from the exact one.
 *
 *   plain/serial, 2^24, 1, -2^24     shuffled:1   2^24, -2^24, 1    1
 *                                    shuffled:2   2^24, 1, -2^24    0     two sums of one set of numbers
 *
 * Order k is order=shuffled:k of data specs, so that every one can be made again alone (witness.h).  Nothing here
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
    double bound;       /* proven; INFINITY: no claim */
    double probable;    /* a model: exceeded by 1 of 1,000 sums, see method->probabilistic_bound */
    double mean, sigma; /* a model of these data in random orders, order_model.h: of the signed error, mean and sd */
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

/* A picture, where the path ends in ".svg"; else a folder of them, one per method beside one of all. */
enum status shuffled_write_svg(const struct shuffled *shuffled, const char *path);
bool shuffled_svg_is_file(const char *path);
