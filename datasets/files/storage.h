/* What storing numbers of a text costs: the numbers as they are written beside what formats make of them.  How much
 * that moved their sum is exact.
 *
 *   struct storage stored = {.format_count = 1, .formats = {{.format = &FORMAT_BINARY32}}};
 *   storage_take(&stored, "0.1", &wrong);      stored_end(&stored, 0) is {changed 1, cost 1.50e-9, ...}
 */
#ifndef ULPSCOPE_STORAGE_H
#define ULPSCOPE_STORAGE_H

#include "datasets/numbers.h"
#include "written.h"

struct storage {
    uint64_t n;
    struct written_sum sum, magnitudes; /* as they are written */
    size_t format_count;
    struct stored_in {
        const struct format *format;
        double value;                                        /* of the last */
        uint64_t changed, integers, underflowed, overflowed; /* integers: digits alone that the format does not have */
        struct written_sum moved;                            /* what is written - what is stored */
    } formats[STORED_FORMAT_COUNT];
};

/* Rounds the text once to each format; NULL, or what is wrong with it as the end of a sentence. */
const char *storage_take(struct storage *stored, const char *text);

/* The same of what has its value in the one format already; and of numbers that are no text. */
void storage_note(struct storage *stored, const struct written *number, double value);
void storage_note_number(struct storage *stored, double value, double rounded);

/* INFINITY where a number is infinite now. */
struct conversion storage_conversion(const struct storage *stored, const struct stored_in *in);
void storage_free(struct storage *stored);

/* Says in a line how many numbers were changed, and what that did to their sum; nothing where none was. */
void storage_say(const char *path, const struct storage *stored, const struct stored_in *in);

#endif
