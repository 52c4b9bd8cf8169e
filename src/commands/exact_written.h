/* Numbers of a text for `ulpscope exact`.  They are added as they are written and, at the same time, as numbers of
 * binary64 and of binary32; which of the three is the answer is known at the end:
 *
 *   0x1p+0, 0x1.8p-149     binary32: hexadecimal floats that it has, as `gen` writes them
 *   0.1, 16777217          binary64, as most programs read decimals; what it makes of 0.1 is said
 *   9007199254740993       as it is written: an integer that binary64 does not have
 */
#pragma once

#include "exact_answer.h"
#include "reference/exact.h"

struct texts {
    bool as_written;             /* was asked for; after texts_end(), whether it is the answer */
    struct storage stored;       /* in all formats, binary64 and binary32 first; of no text n is 0 */
    struct exact_stream *narrow; /* of the numbers as binary32 has them; those of binary64 are the caller's */
};
void texts_begin(struct texts *texts, bool as_written);

/* Numbers of binary64 as they come. */
enum status texts_take(struct texts *texts, struct exact_how how, const double *x, uint64_t n);

/* *exact, to so many digits: of those, of binary32 or of what is written.  Frees `wide`, the stream of those. */
enum status texts_end(struct texts *texts, const char *path, int digits, struct exact_stream *wide,
                      struct exact_sum *exact);
void texts_free(struct texts *texts);

/* "3/10"; and "3.0e-01", of a sum that is rounded in binary.  Allocated. */
char *texts_fraction(const struct storage *stored);
char *texts_decimal(const struct storage *stored, int digits);

/* The errors of a value, rounded once; and which part is storage, which addition, where its format is one of these. */
void texts_compare(const struct storage *stored, const struct exact_sum *exact, struct comparison *comparison);
