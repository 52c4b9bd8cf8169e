/* What storing numbers of a text costs: the numbers as they are written beside what formats make of them.  How much
 * that moved their sum is exact.
 *
 *   struct storage storage = {.format_count = 1, .formats = {{.format = &FORMAT_BINARY32}}};
 *   storage_read(&storage, "0.1"); storage_keep(&storage);
 *   storage_conversion(&storage, storage.formats)          is {changed 1, cost 1.50e-9, ...}
 */
#pragma once

#include "datasets/numbers.h"
#include "written.h"

struct storage {
    struct written number; /* the last that was read */
    uint64_t n, hexadecimal, negative_zeros;
    struct written_sum sum, magnitudes; /* as they are written */
    size_t format_count;
    struct stored_in {
        const struct format *format;
        double value; /* of the last: rounded once, infinite beyond the format */
        bool is_changed;
        uint64_t changed, integers, underflowed, overflowed; /* integers: digits alone that the format does not have */
        struct written_sum moved;                            /* what is written - what is stored */
    } formats[STORED_FORMAT_COUNT];
};

/* Rounds the text, which stays until it is kept, and adds it to the others.  NULL, or what is wrong with it as the end
 * of a sentence. */
const char *storage_read(struct storage *stored, const char *text);
const char *storage_keep(struct storage *stored);

/* Of a number that is no text and was rounded to the one format. */
void storage_note(struct storage *stored, double value, double rounded);

/* Then, of the integer that was read, what it had lost before: it says each digit.  is_first: storage_note() saw no
 * change. */
void storage_note_integer(struct storage *stored, bool is_first);

/* Costs are INFINITY where a number is infinite now. */
struct conversion storage_conversion(const struct storage *stored, const struct stored_in *in);
void storage_free(struct storage *stored);

/* Says in a line how many numbers were changed, and what that did to their sum; nothing where none was. */
void storage_say(const char *path, const struct storage *stored, const struct stored_in *in);
