/* What a black box is asked, and what it answers: the two halves of a probe, building and checking, share it. */
#ifndef ULPSCOPE_ASKER_H
#define ULPSCOPE_ASKER_H

#include "probe.h"

/* i has 2^100, j -2^100, all others 1. */
struct mask {
    uint64_t i, j;
};

struct asker {
    const struct black_box *box;
    uint64_t n;
    float *x;              /* ones between two questions */
    uint64_t sums;         /* asked for so far */
    uint64_t random_count; /* of ask_random so far */
};

/* The elements that are below the node in which i and j meet, from 2 to n.  Refuses sums that count nothing. */
enum status ask(struct asker *asker, struct mask mask, uint64_t *leaves);

/* The sum of other numbers. */
enum status ask_sum(struct asker *asker, const float *x, float *sum);

/* Complains and returns BAD_INPUT.  `what` was found, after `mask` was asked; `meaning` is the likely cause, which is
 * not said of a black box that answers the same question in different ways: then that is the cause. */
enum status ask_refuse(struct asker *asker, struct mask mask, const char *what, const char *meaning);

/* The same numbers in every run. */
uint64_t ask_random(struct asker *asker);
uint64_t ask_random_below(struct asker *asker, uint64_t count);

/* The same numbers were added twice, with two sums.  Complains and returns BAD_INPUT. */
enum status ask_refuse_change(const struct asker *asker, float one, float other);

/* Numbers for which the order matters, of four kinds in turn: each with its negation somewhere (what is left, beside
 * the last of an odd count, are roundings); all of a size; some that cancel among others as large as their last place
 * in binary32; and in binary64, where that is the only way to see a compensation. */
enum { CANCELLING_SET = 8 };
void ask_fill(struct asker *asker, int set, float *x);

void ask_swap(float *x, uint64_t i, uint64_t j);

#endif
