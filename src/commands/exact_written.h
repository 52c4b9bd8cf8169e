/* Numbers of a text for `ulpscope exact`.  They are added as they are written and, at the same time, as numbers of
 * binary32 and binary64; which of the three is the answer is known at the end:
 *
 *   1, 2, 16777216         binary32 has all of them
 *   0.1, 16777217          binary64 has the integers, and what it makes of 0.1 is told
 *   9007199254740993       as it is written
 */
#ifndef ULPSCOPE_EXACT_WRITTEN_H
#define ULPSCOPE_EXACT_WRITTEN_H

#include "datasets/files/storage.h"
#include "exact_answer.h"

#include "reference/exact.h"

struct texts;
struct texts *texts_new(struct exact_how how, bool as_written);
enum status texts_take(struct texts *texts, const char *text, const char **wrong);

/* *exact is the answer, with as many digits; texts_stored() is NULL unless it is of what is written. */
enum status texts_end(struct texts *texts, const char *path, int digits, struct exact_sum *exact);
const struct storage *texts_stored(const struct texts *texts);
void texts_free(struct texts *texts);

/* "3/10": an exact sum as a fraction, where it is no binary number, and short; or NULL.  Allocated. */
char *texts_fraction(const struct storage *stored);

/* Which part of the error of a value is storage, which addition, where the numbers fit in its format. */
void texts_compare(const struct storage *stored, struct comparison *comparison);

#endif
