/* Why two methods give different sums of the same data: who is right, where they part, and the fewest numbers that
 * show it.
 *
 *   explain_make      the two sums, judged against the exact one; where their additions part (parting.h); and, if they
 *                     differ, a subset of the data and a witness of simpler numbers (src/teach/shrink/)
 *   explain_print     for people, explain_write_json for scripts, explain_write_witness to run it again
 */
#pragma once

#include "parting.h"
#include "src/measure/judge.h"
#include "src/teach/shrink/simplify.h"

#include <stdio.h>

struct explain_request {
    const struct method *method[2]; /* which compute the same: both take a dot product, however they multiply */
    struct launch launch;
    const struct format *format; /* of the numbers, */
    const void *x, *y;           /* as format_held() has them; y is NULL where the methods take one vector */
    uint64_t n;
    unsigned workers;
    uint64_t top;            /* additions to be shown of each method */
    uint64_t most_additions; /* of the sums that one part may ask for: shrinking, simplifying, verifying both */
};

enum { EXPLAIN_TOP = 3 };
#define EXPLAIN_MOST_ADDITIONS UINT64_C(2000000000)

/* Two methods on the same numbers. */
struct two_sums {
    const struct format *format; /* of the results, the coarser one: of `nearest` and `ulp` in */
    struct exact_sum exact;
    double sums[2];
    struct measured judged[2];
    bool differ;
    int nearer;            /* the method whose sum is nearer to the exact one; -1: none is */
    double difference_ulp; /* of the first less the second, in ulp(s); NaN where there is none */
    struct additions additions[2];
    struct parting parting;
};

struct explanation {
    struct explain_request request;
    struct two_sums data;
    struct shrunken subset;          /* of the data, 1-minimal; n is 0 when nothing differs */
    struct shrunken witness;         /* the same with simpler numbers, and without those that are needless then */
    void *held[ARRAYS_MOST];         /* the vectors of the witness as format_held() has them */
    struct two_sums reduced;         /* of the witness, where they differ */
    uint64_t evaluations, additions; /* what shrinking took */
    bool spent;                      /* a part of it gave up */
};

/* Longer witnesses have no expressions, and much longer ones no table for people. */
enum { EXPLAIN_READABLE_N = 16, EXPLAIN_TABLE_N = 64 };

/* Complains and returns BAD_INPUT for a black box, a method that adds up nothing, and data that are too many;
 * NOT_MEASURED when memory is short. */
enum status explain_make(const struct explain_request *request, struct explanation *explanation);
void explain_free(struct explanation *explanation);

/* What names the data and repeats the run: "uniform:n=1e4" and the whole command line. */
struct explain_names {
    const char *data, *command;
    const char *witness; /* the file; NULL: none was asked for */
};

void explain_print(const struct explanation *explanation, const struct explain_names *names, FILE *to);
enum status explain_write_json(const struct explanation *explanation, const struct explain_names *names,
                               const char *path);

/* By the ending of its name, as data files are (datasets/files/file.h). */
enum status explain_write_witness(const struct explanation *explanation, const struct explain_names *names);
