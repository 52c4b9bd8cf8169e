/* What a black box is asked, and what it answers: the two halves of a probe, building and checking, share it. */
#pragma once

#include "probe.h"

/* i has M, j -M, all others 1. */
struct mask {
    uint64_t i, j;
};

struct asker {
    const struct black_box *box;
    const struct sum_format *in; /* of the box; never NULL */
    uint64_t n;
    double large, one;     /* M, and what stands for 1: numbers of the format that elements are stored in */
    uint64_t ones_at_once; /* so many are counted exactly; the others are 0 meanwhile */
    void *x;               /* as format_held() has them; between two questions ones, or zeros where n is larger */
    uint64_t sums;         /* asked for so far */
    uint64_t random_count; /* of ask_random so far */
};

/* Chooses M and 1.  Complains and returns BAD_INPUT for formats that have no such numbers, NOT_MEASURED. */
enum status asker_start(const struct black_box *box, uint64_t n, struct asker *asker);
void asker_end(struct asker *asker);

/* The elements that are below the node in which i and j meet, from 2 to n.  Refuses sums that count nothing. */
enum status ask(struct asker *asker, struct mask mask, uint64_t *leaves);

/* The sum of other numbers, as asker->x has them. */
enum status ask_sum(struct asker *asker, const void *x, double *sum);

/* Complains and returns BAD_INPUT.  `what` was found, after `mask` was asked; `meaning` is the likely cause, which is
 * not said of a black box that answers the same question in different ways: then that is the cause. */
enum status ask_refuse(struct asker *asker, struct mask mask, const char *what, const char *meaning);

/* Whether two sums are the same number, or no number both. */
static inline bool ask_same(double a, double b)
{
    return a == b || (a != a && b != b);
}

/* Complains, unless the box is quiet, and returns BAD_INPUT. */
enum status ask_complain(const struct asker *asker, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same numbers in every run. */
uint64_t ask_random(struct asker *asker);
uint64_t ask_random_below(struct asker *asker, uint64_t count);

/* The same numbers were added twice, with two sums.  Complains and returns BAD_INPUT. */
enum status ask_refuse_change(const struct asker *asker, double one, double other);

/* Numbers for which the order matters, of four kinds in turn: each with its negation somewhere (what is left, beside
 * the last of an odd count, are roundings); all of a size; some that cancel among others as large as their last place
 * in the format that is added in; and in binary64, where that is the only way to see a compensation. */
enum { CANCELLING_SET = 8 };
void ask_fill(struct asker *asker, int set, double *x);

void ask_swap(double *x, uint64_t i, uint64_t j);

/* The sum of numbers of the format that elements are stored in. */
enum status ask_sum_of(struct asker *asker, const double *x, double *sum);
