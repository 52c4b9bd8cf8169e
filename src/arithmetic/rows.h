/* Rows that tell models apart. */
#pragma once

#include "inquiry.h"

/* What a row asks for; the first four of products that are added last. */
enum row_kind {
    ROW_ALIGNMENT, /* L - L and a few bits, far below */
    ROW_OUTPUT,    /* some L, and a few bits */
    ROW_INPUTS,    /* random factors of one size */
    ROW_SPREAD,    /* of many sizes */
    ROW_ADDITIONS, /* of any places */
    ROW_FLOOR,     /* the least products and results */
    ROW_ZERO,      /* -tiny beside L - L */
    ROW_KINDS
};

/* Makes question number `question` a row of a kind. */
void row_set(struct inquiry *inquiry, const struct grouping *grouping, struct questions *questions, uint64_t question,
             enum row_kind kind);

/* An element of C that products are added to, of about their size. */
double row_any_c(struct inquiry *inquiry);

/* Fresh ones, of all products. */
void row_set_fresh(struct inquiry *inquiry, const struct grouping *grouping, int fraction, struct questions *questions,
                   uint64_t question, int kind);
