/* What became of some sums, in a word: the worst of them counts. */
#ifndef ULPSCOPE_OUTCOME_H
#define ULPSCOPE_OUTCOME_H

#include "../src/results.h"

#include <stddef.h>

struct outcome {
    uint64_t count, classes[CLASSES], no_digit;
    uint64_t distinct_bits;                        /* the most that one series has */
    double ulp_error, relative_error, bound_ratio; /* the largest; NaN: none is defined */
};

enum tone { TONE_PLAIN, TONE_GOOD, TONE_BAD };

enum { OUTCOME_TEXT = 64 };

struct outcome outcome_of_nothing(void);
void outcome_add(struct outcome *outcome, const struct series *series);

/* For a column of numbers: the largest error in ulp, "0.50", or the word that says more than a number does: "exact",
 * "no digit", "overflow", "nan", "inf", "s is 0"; "-" when there was no sum. */
enum tone outcome_cell(const struct outcome *outcome, char text[OUTCOME_TEXT]);

/* For the end of a line: "exact", "within half an ulp", "5 digits right", "no digit right", "above its bound" ... */
enum tone outcome_verdict(const struct outcome *outcome, char text[OUTCOME_TEXT]);

/* What befell some of the sums, worst first: the name, "overflow", and how many; NULL after the last kind. */
const char *outcome_trouble(const struct outcome *outcome, size_t kind, uint64_t *count);

/* The largest share of the bound, "12.3 %"; "no claim" when no bound holds for any of the sums; "-" when there was
 * none. */
enum tone outcome_share(const struct outcome *outcome, char text[OUTCOME_TEXT]);

#endif
