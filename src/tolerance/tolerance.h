/* Which tolerance may a test have?  What is proven of n numbers of a class, and what was measured; each as rtol and
 * atol that are valid together (docs/tolerance.md says how they follow), and which faults would still pass:
 *
 *   |computed - expected| <= atol + rtol |expected|       expected: the exact result, rounded to its format or not
 */
#pragma once

#include "datasets/dataset.h"
#include "kernels/tree_word.h"
#include "reference/exact.h"
#include "src/gate/fault.h"

struct tolerance_pair {
    double relative, absolute;
};

struct tolerance_request {
    const char *word; /* "sum", "rows", "matmul": as it was asked for */
    enum operation operation;
    const struct sum_format *formats;
    bool is_family;     /* "variance": by which algorithm is not said; operation is one of them */
    const char *absent; /* why there is nothing to say, as the end of a sentence; NULL: there is */
    uint64_t n;
    const struct data_spec *spec; /* NULL: there are no data */
    uint64_t seed, trials;
    double scale, condition; /* largest magnitude and condition that are given; NAN: those of the data */
    const char *order;       /* NULL: none is given */
    struct tree_word tree;
    const struct method *method; /* that the order names, "kahan/serial"; NULL: it is a word of trees */
    struct launch launch;
    const struct method **methods; /* of the user's, which take these data */
    size_t method_count;
    bool has_attack;
    struct tolerance_pair given; /* to be looked at; NAN: none is */
    unsigned workers;
};

/* Any n numbers with these, both at most; of a norm sum_abs is the norm.  Of a statistic sum_abs is what its errors are
 * relative to, and a theorem is of all numbers with these moments: NAN, it has none. */
struct tolerance_class {
    double sum_abs, condition;
    struct moments moments;
};

/* Moments that a class is made of, all but n: "sum x^2" at most, or at least. */
enum { TOLERANCE_MOMENTS = 15 };
struct tolerance_moment {
    const char *name;
    size_t offset;
    bool is_below;
};
extern const struct tolerance_moment tolerance_moments[TOLERANCE_MOMENTS];
double *tolerance_moment(struct moments *moments, size_t which);
void class_add(struct tolerance_class *class, const struct moments *moments, bool is_first);
void class_of_scale(struct tolerance_class *class, uint64_t n, double scale); /* numbers up to it */

/* Plain additions, or those of a method, in a tree. */
struct theorem {
    const struct method *methods[2]; /* it holds for both: products that are rounded, and that are fused; or NULL */
    uint64_t n, height;              /* 0: that of the methods at the launch */
    struct launch launch;
    bool is_model;
};

/* As parts of one tolerance, relative alone or, of data whose condition varies, both.  false: it claims nothing, as
 * `why` says, and the pair is what it says all the same. */
bool theorem_pair(const struct theorem *theorem, const struct tolerance_class *class, bool is_relative,
                  struct tolerance_pair *pair, const char **why);

/* What its products, atomics that flush, or cutting to integers may lose however small the sum is; 0: nothing. */
double theorem_underflow(const struct theorem *theorem);

/* A part of a tolerance for a comparison in a format of this u, which is rounded; of two digits. */
double tolerance_of_comparison(double part, double u);

/* The least number of two decimal digits that is no less. */
double two_digits_up(double value);

/* A result, and what is known of it. */
struct tolerance_item {
    double sum_abs, condition, expected; /* expected: s, rounded to the format of results */
    bool is_finite;
    struct moments moments; /* of a statistic */
};

struct tolerance_item item_of(const struct exact_sum *exact, const struct format *result);

/* What a method, or one with a fault, computed of each item; NAN where it failed. */
struct tolerance_summed {
    const struct method *method;
    double *computed;
    const struct fault *fault;            /* NULL: none */
    const struct tolerance_summed *sound; /* what it is without the fault */
};

struct tolerance_trials {
    struct tolerance_item *items;
    size_t count, faulted;                  /* items; of these the first so many were summed with faults */
    struct tolerance_summed *sums, *faults; /* the first of the sums is a correct one: in the order that is asked for */
    size_t sum_count, fault_count;
};

/* Frees are due after a failure, too.  n of a file is found here. */
enum status trials_make(struct tolerance_request *request, struct tolerance_trials *trials);
void trials_free(struct tolerance_trials *trials);

/* Plain additions in the request's format: of sums or, of products, of the operation whose terms these are. */
const struct method *plain_in(const struct tolerance_request *request, enum operation operation, const char *order);

/* Or of another accumulator; NULL: there is none. */
const struct method *method_in_request(const struct tolerance_request *request, enum operation operation,
                                       const char *accumulator, const char *order);

/* Of a statistic: its method in any order, one after another, or in that which is asked for. */
const struct method *statistic_in(const struct tolerance_request *request, enum operation operation, bool has_order);

/* As theorem_pair(), of its class. */
bool statistic_pair(const struct method *method, const struct tolerance_request *request,
                    const struct tolerance_class *class, struct tolerance_pair *pair, const char **why);

enum tolerance_kind { TOLERANCE_THEOREM, TOLERANCE_MODEL, TOLERANCE_MEASURED, TOLERANCE_ATTACKED, TOLERANCE_GIVEN };
extern const char *const tolerance_kinds[];

struct tolerance_line {
    enum tolerance_kind kind;
    char *name;
    const char *no_claim; /* why it has no numbers; NULL: it has */
    struct tolerance_pair pair;
    double underflow;      /* of a theorem, as theorem_underflow() */
    size_t zeros, refused; /* on how many of the items zeros pass, and a correct sum fails */
    size_t *passes;        /* on how many each fault passes, of those that were summed with it */
    size_t passing, seen;  /* faults that pass on all of them, and that change any */
    bool is_part;          /* of one algorithm, beside the line of all */
};

struct tolerance {
    struct tolerance_request *request;
    struct tolerance_trials trials;
    struct tolerance_class class;
    bool is_relative;
    const char *no_claim; /* why nothing at all is claimed; NULL: something may be */
    uint64_t height;      /* of the tree that is asked for; 0: it is not known */
    char refusal[TREE_WHY_SIZE];
    struct tolerance_line *lines;
    size_t line_count;
    size_t zeros;                         /* items that are 0 */
    const struct tolerance_line *written; /* the one for a test; NULL: there is none, and why */
    const char *not_written;
};

/* Its name becomes the tolerance's; the lines before it may move. */
struct tolerance_line *tolerance_add_line(struct tolerance *tolerance, enum tolerance_kind kind, char *name);
void add_statistic_theorems(struct tolerance *tolerance);

/* Free it also after a failure. */
enum status tolerance_make(struct tolerance_request *request, struct tolerance *tolerance);
void tolerance_free(struct tolerance *tolerance);

/* The judge of all: what assert_close and assert_allclose ask. */
bool tolerance_passes(struct tolerance_pair pair, double computed, double expected);

/* What becomes of a fault: "passes", "fails", or "unseen": it changed no sum. */
const char *tolerance_fate(const struct tolerance *tolerance, const struct tolerance_line *line, size_t fault);

/* Lines to paste, by whom they are for; allocated; NULL: no such line would be right. */
enum { TOLERANCE_PASTES = 4 };
extern const char *const tolerance_paste_names[TOLERANCE_PASTES];
char *tolerance_paste(const struct tolerance *tolerance, size_t which);

void tolerance_print(const struct tolerance *tolerance, FILE *to, bool colour);
enum status tolerance_write_json(const struct tolerance *tolerance, const char *path); /* ulpscope-tolerance/1 */
