/* Why two methods give different sums of the same data: who is right, where they part, and the fewest numbers that
 * show it.
 *
 *   explain_make      the two sums, judged against the exact one; where their additions part (parting.c); and, if they
 *                     differ, a subset of the data and a witness of simpler numbers (src/teach/shrink/)
 *   explain_print     for people, explain_write_json for scripts, explain_write_witness to run it again
 */
#pragma once

#include "src/measure/judge.h"
#include "src/teach/additions.h"
#include "src/teach/shrink/question.h"
#include "src/teach/shrink/simplify.h"

/* Where two methods part: the first additions of each that the other does not make, or makes with another result.
 *
 *   plain/serial         ((x0 + x1) + x2)    x0 + x1 is not shared: there x0 is added to x2 first       the order
 *   plain/tree_two_pass  ((x0 + x2) + x1)    x0 + x2 is not shared: here x0 is added to x1 first
 *
 *   plain/serial         ((2^24 + 1) + 1)    2^24 + 1 is 2^24        same elements, another value       the accumulator
 *   kahan/serial         ((2^24 + 1) + 1)    2^24 + 1 is 2^24 + 1
 *
 * A join is shared when the other tree has a join of the same elements whose state is worth the same (additions.h).  A
 * method parts from the other in a join that is not shared, of two operands that are: there is no cause below it; and
 * in a product that puts another number into the sum.  What is not shared and no such join only carries a difference
 * on.
 *
 * A key of 128 bits says which elements a join has: the exclusive or of a hash of each index, and by how many
 * there are.  Were these hashes random, two different sets among the 2n of both trees had the same key with a
 * probability below (2n)^2 / 2^129: 2^-79 for n = 2^24, the most there are.
 */

struct parted_join {
    uint32_t node;
    uint32_t same;    /* the join of the same elements in the other tree; 0: these never come together there */
    uint32_t instead; /* then, in the other tree: the operand that the left one of this join is added to instead */
};

struct parting_side {
    uint64_t joins, shared;           /* additions and merges, without the first one, 0 + x */
    uint64_t same_elements;           /* joins whose elements the other method joins too, with whatever result */
    uint64_t parted, parted_by_order; /* joins, and products */
    struct parted_join *first;        /* in the order in which they are made: `shown` of those that parted */
    uint64_t shown;
};

struct parting {
    struct parting_side side[2];
    bool same_tree, same_accumulator, same_format; /* same tree: the same elements come together, everywhere */
    bool same_operation;                           /* the products are made alike */
};

/* Of two methods on the same data.  NOT_MEASURED when memory is short; *parting is then empty. */
enum status parting_make(const struct additions of[2], uint64_t most_shown, struct parting *parting);
void parting_free(struct parting *parting);

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

/* The sentences of an explanation, for people and for scripts.  Allocated. */

/* How far apart the sums are, who is nearer, and whether either is a bug. */
char *explain_verdict(const struct explanation *explanation);

/* The order, the accumulator, or both: "order", "accumulator", "both", "merges", "format"; and as sentences. */
const char *explain_class(const struct parting *parting);
char *explain_cause(const struct explanation *explanation);

/* What the other method does where method `side` parts: "adds x0 to x512 first". */
char *explain_parted(const struct two_sums *two, int side, const struct parted_join *join);

/* How the witness was found and what it is. */
char *explain_shrinking(const struct explanation *explanation);

/* The command that runs the witness again. */
char *explain_command(const struct explanation *explanation, const char *file);

/* Whether two methods give different sums of the same elements: the question of `explain`
 * (src/teach/shrink/question.h).
 *
 *   A and B differ on n elements when the numbers that their replays, or plug-ins, return differ; a NaN is like every
 * other NaN, and a zero is not like that of the other sign.
 */

/* Zeros have a sign, and a NaN is like every other. */
bool contrast_same(const double sums[2]);

enum status contrast_ask(const struct question *question, const void *const vectors[], uint64_t n, bool *yes);
