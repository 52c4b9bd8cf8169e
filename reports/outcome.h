/* What became of some sums, in a word: the worst of them counts.
 *
 * A NaN or an infinity is no trouble where IEEE 754 gives it for such data: only the wrong ones count.
 */
#pragma once

#include "src/results/results.h"

#include <math.h>

struct outcome {
    uint64_t count, classes[CLASSES], no_digit;
    uint64_t distinct_bits;                        /* the most that one series has */
    double ulp_error, relative_error, bound_ratio; /* the largest; NaN: none is defined */

    /* Of matrix products an element that cancels says nothing: their errors are held against the sum of the |a b| of
     * the element, (|A| |B|)ij, of norms against what x and m are divided by, and no digit of such an element, or a 0
     * that is missed, is no trouble. */
    const char *elements;               /* the unit of that, "u |A||B|"; NULL: of one result in a case */
    double backward_error, in_u;        /* the same in units of u */
    uint64_t right_nonfinite;           /* NaN and infinities that are what IEEE 754 gives */
    uint64_t wrong_nan, wrong_infinite; /* of the classes nan and inf, those that are not */
};

enum tone {
    TONE_PLAIN,
    TONE_GOOD,
    TONE_BAD,
    /* The levels of a verdict (level.c), best first. */
    TONE_EXACT,
    TONE_ROUNDED,
    TONE_ONE_ULP,
    TONE_FOUR_ULP,
    TONE_TARGET,
    TONE_DIGITS,
    TONE_NO_DIGIT,
    TONES
};

enum { OUTCOME_TEXT = 64 };

struct outcome outcome_of_nothing(void);
void outcome_add(struct outcome *outcome, const struct series *series);
void outcome_join(struct outcome *outcome, const struct outcome *other);

/* For a column of numbers: the largest error in ulp, "0.50", or the word that says more than a number does: "exact",
 * "no digit", "overflow", "nan", "not inf", "s is 0", "as IEEE" of NaN and infinities that are right; "-" when there
 * was no sum. */
enum tone outcome_cell(const struct outcome *outcome, char text[OUTCOME_TEXT]);

/* For the end of a line: "exact", "correctly rounded", "5 correct digits", "no digit", "above its bound" ...
 */
enum tone outcome_verdict(const struct outcome *outcome, char text[OUTCOME_TEXT]);

/* The trouble in the word of a cell, "overflow"; NULL when there is none. */
const char *outcome_trouble_word(const struct outcome *outcome);

/* Whether all sums are right: the exact sum, or the NaN or infinity that IEEE 754 gives. */
bool outcome_is_exact(const struct outcome *outcome);

/* Whether they are that NaN or infinity one and all. */
bool outcome_is_as_ieee(const struct outcome *outcome);

/* The largest ulp_error, relative_error or, in u, backward_error, 0 where all is right; NaN when there is no sum, or
 * one whose error is not defined: to be compared as !(error <= limit). */
double outcome_error(const struct outcome *outcome, enum metric metric);

/* How many digits are right in the worst case; of elements digits of |A| |B|. */
int outcome_digits(const struct outcome *outcome);

/* What befell some of the sums, worst first: the name, "overflow", and how many; NULL after the last kind. */
const char *outcome_trouble(const struct outcome *outcome, size_t kind, uint64_t *count);

/* The largest share of the bound, "12.3 %"; "no claim" when no bound holds for any of the sums; "-" when there was
 * none. */
enum tone outcome_share(const struct outcome *outcome, char text[OUTCOME_TEXT]);
