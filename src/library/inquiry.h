/* One wrong result, and the hypotheses that explain it: what cause.c asks and inquiry.c weighs. */
#pragma once

#include "problem.h"

/* A hypothesis that holds.  Its score is a length in bits: of what it says, and of what it leaves unexplained, the
 * distance from its exact value in units.  left_out: how many elements it says are missing; 0: it is of another kind.
 */
struct suspect {
    char words[sizeof((struct ulpscope_verdict *)0)->cause];
    double score;
    uint64_t left_out;
};

enum { SUSPECTS_MOST = 64 };

/* Bits by which a hypothesis has to lead the others: 16 to 1. */
enum { INQUIRY_LEAD = 4 };

/* The terms of the result are x_i, or x_i y_i where y is not NULL; changed_x and changed_y have room for one more. */
struct inquiry {
    const struct problem *problem;
    const void *results; /* all that were computed */
    uint64_t row, column;
    double computed, unit; /* unit: the spacing of its format at it, or of the terms where that is more */
    uint64_t n;
    double *x, *y, *changed_x, *changed_y;
    struct ulpscope_error sound;
    struct suspect suspects[SUSPECTS_MOST];
    size_t count;
    bool failed; /* memory was short on the way */
};

/* How the operands are read: a matrix as if it were stored column after column; the result of a neighbour, which the
 * sum starts from, or that of its terms. */
struct view {
    bool x_transposed, y_transposed, result_transposed, is_not_cleared;
    int row, column; /* added to those of the result */
};

/* Of the worst result of a verdict.  inquiry_end() follows, even after a failure. */
void inquiry_begin(struct inquiry *inquiry, const struct problem *problem, const void *results,
                   const struct ulpscope_verdict *verdict);
void inquiry_end(struct inquiry *inquiry);

/* Terms of the result in a view, into changed_x and changed_y; false: there is no such result. */
bool inquiry_look(struct inquiry *inquiry, struct view view);

/* Makes it one of another result, but for x and y, which remain what they are; changed_x and changed_y are the terms.
 */
void inquiry_move(struct inquiry *inquiry, uint64_t row, uint64_t column);

/* Terms as they are, into changed_x and changed_y. */
void inquiry_copy(struct inquiry *inquiry);

/* What n terms in the place of the data leave to be explained, in bits: 0 where the result is their sum bit for bit;
 * more, by its distance from their exact sum in units, where it may be that of another order; INFINITY where plain
 * addition in any order cannot be so far from it, or where that is the sound sum again. */
double inquiry_weigh(struct inquiry *inquiry, const double *x, const double *y, uint64_t n);

/* The same of the whole error, as an unknown cause leaves it. */
double inquiry_unexplained(const struct inquiry *inquiry);

/* A hypothesis that costs so many bits to say and was weighed; one that does not hold is none. */
void inquiry_suspect(struct inquiry *inquiry, double cost, double weight, uint64_t left_out, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The suspects, three at most, that lead all others and the error itself, which an unknown cause would leave
 * unexplained; or that the bound allows it without any; "" where none does. */
void inquiry_conclude(const struct inquiry *inquiry, char *words, size_t size);

/* `computed`, a number of this format, beside the exact sum of n terms; false after a failure. */
bool inquiry_errors(struct inquiry *inquiry, const double *x, const double *y, uint64_t n, const struct format *format,
                    double computed, struct ulpscope_error *errors);

/* Whether plain addition, in any order, is within its bound. */
bool inquiry_is_sound(const struct inquiry *inquiry);

/* Of a format that numbers are stored in. */
ulpscope_format name_of(const struct format *format);

/* 2^-1 of 2.5 = 101 2^-1 in binary; 0 of 0. */
double last_bit(double value);
