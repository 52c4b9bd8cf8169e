/* What a failing series may be: a sum that can be made again and compared with it, bit for bit. */
#pragma once

#include "datasets/numbers.h"
#include "datasets/probe/probe.h"
#include "src/base/chains.h"
#include "src/gate/fault.h"

/* What was done to the data before they were summed. */
enum change_kind {
    TWICE_IN_PLACE, /* x_i doubled */
    TWICE_BEHIND,   /* x_i once more behind itself: all that follow move up */
    TWICE_AT_END,   /* x_i once more as the last */
    OUT_AS_ZERO,    /* zeros in place of some neighbours */
    OUT_CLOSED_UP,  /* all that follow move down */
    OUT_BEYOND,     /* all that are behind a limit */
    FROM_ANOTHER,   /* the result of another trial before the first */
    CHANGES
};
struct change {
    enum change_kind kind;
    uint64_t at, length; /* x_at .. x_(at + length - 1) */
};

enum hypothesis_kind {
    THE_METHOD,     /* as this program has it */
    OTHER_METHOD,   /* another accumulator or order */
    IN_INTEGERS,    /* the method's order, integers added */
    OTHER_LAUNCH,   /* the method with other blocks or threads */
    FAULT_OF_TABLE, /* fault.h */
    OTHER_DATA,     /* a change of the data */
    PART_OF_DATA,   /* the sum of a part, made as large as that of all */
    TRIAL_BEFORE,   /* the sum of the data of the trial before */
    WRAPPED_AROUND, /* the sum of integers of few bits */
    IN_CHAINS,      /* of a black box: an order that is none of ours */
    ITS_OWN_TREE,   /* of a plug-in: additions in the tree that its sums show */
    HYPOTHESIS_KINDS
};

/* One element in so many: the first ones, or every one_in-th. */
struct part {
    uint64_t one_in;
    bool is_strided;
    bool by_count; /* times n / (elements of the part), which need not be one_in */
};

/* Integers of 8, 16 or 32 bits. */
struct integer_type {
    unsigned width;
    bool has_sign;
};

struct hypothesis {
    enum hypothesis_kind kind;
    const struct method *method;
    struct launch launch;
    const struct fault *fault;
    struct change change;
    double start; /* of FROM_ANOTHER */
    struct part part;
    struct integer_type type;
    const struct probe *tree;
    struct chains chains;
    const struct format *result; /* NULL, or what a statistic that is binary64 throughout is rounded to in the end */
    uint64_t compared, fitting;  /* rows */
    bool dropped;
};

struct hypotheses {
    struct hypothesis *list;
    size_t count, capacity;
    bool are_of_black_box;
};

/* What a series is said to be the sums of. */
struct claimed_method {
    const struct method *method;
    struct launch launch;
    const char *black_box; /* the id of one whose order nobody knows: `method` is plain/serial in its format; or NULL */
    bool is_there;         /* as a plug-in that can be asked for some thousand other sums */
};

/* Appends plain in the method's order, and the faults that the method can have. */
enum status hypotheses_of_faults(struct claimed_method claimed, struct hypotheses *hypotheses);

/* Whether a fault is done to any method from outside; appends those. */
bool fault_is_from_outside(const struct fault *fault);
enum status hypotheses_from_outside(struct claimed_method claimed, struct hypotheses *hypotheses);

/* Appends the method's order with other accumulators, plain among them. */
enum status hypotheses_in_order(struct claimed_method claimed, struct hypotheses *hypotheses);

/* Appends those, the method's order with other accumulators, its accumulator in other orders, and itself with other
 * launches: the simplest first. */
enum status hypotheses_near(struct claimed_method claimed, struct hypotheses *hypotheses);

/* Appends the method's order with integers that are added. */
enum status hypotheses_in_integers(struct claimed_method claimed, struct hypotheses *hypotheses);

/* Appends all other methods, and those. */
enum status hypotheses_far(struct claimed_method claimed, struct hypotheses *hypotheses);

/* Of a black box: appends all methods of its formats, plain additions at other launches and with each fault, each
 * broken accumulator in each order, sums of a part, and sums of the trial before; n: elements of its data. */
enum status hypotheses_of_black_box(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses);

/* Likewise: the changes of data that `hypotheses` has, in the other orders of plain additions; and the faults from
 * outside of all other methods. */
enum status hypotheses_far_from_black_box(struct claimed_method claimed, struct hypotheses *hypotheses);

/* Of a plug-in that is there, and that a probe of some thousand sums shows a tree of. */
enum status hypotheses_of_its_tree(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses);
enum status hypotheses_append(struct hypotheses *hypotheses, struct hypothesis hypothesis);
void hypotheses_free(struct hypotheses *hypotheses);

/* Of a black box what fits is named after the simplest: 0 before 1, and of equals the first.  Sums over many ranks come
 * after all that one process does; a statistic is rather plain in a wider format than compensated. */
int hypothesis_complexity(const struct hypothesis *hypothesis);

/* It was compared, and gave the bits of every row so far. */
bool hypothesis_fits(const struct hypothesis *hypothesis);

/* All results, of operation_results().  NOT_MEASURED when memory is short. */
enum status hypothesis_sum(const struct hypothesis *hypothesis, const struct dataset *data, uint64_t *bits);

/* The products of two vectors, rounded to a format; of elements with a fault of elements, unless it is NULL. */
enum status products_make(const struct dataset *data, const struct format *format, const struct fault *fault,
                          struct dataset *products);

/* Likewise, in the format that is added in: with the last bits, which a narrower result would hide. */
enum status hypothesis_unrounded_sum(struct hypothesis hypothesis, const struct dataset *data, uint64_t *bits);

/* "kahan/tree_two_pass in which the last element is left out" */
void hypothesis_say(const struct hypothesis *hypothesis, struct text *to);

/* Whether one says something else than another that fits as well: another fault of the same method. */
bool hypothesis_is_another(const struct hypothesis *hypothesis, const struct hypothesis *other);

bool hypothesis_has_fault(const struct hypothesis *hypothesis);

/* "the last element is left out" */
void hypothesis_say_fault(const struct hypothesis *hypothesis, struct text *to);

/* What follows from it, ": the compensation has no effect"; or nothing. */
void hypothesis_conclude(const struct hypothesis *hypothesis, struct claimed_method claimed, struct text *to);

bool is_plain(const struct method *method); /* without a compensation */

/* Whether an operation is the method's, or another algorithm of its statistic. */
bool computes_the_same(int operation, const struct method *method);
