/* The formats of a study: which of kernels/formats.def its methods have, and its data.
 *
 *   methods of plain, data uniform:n=8, formats binary32 and bfloat16_in_bfloat16
 *     plain/serial, ..., plain/serial@bfloat16_in_bfloat16, ...
 *     uniform:n=8 and uniform:n=8,format=bfloat16: each method sums those that are stored as it takes them
 */
#pragma once

#include "study.h"

/* Reads --format and --accumulate, or the keys of a study file: words with commas between them.  A format is one that
 * numbers are stored in, added as is usual or in each that `accumulate` names, or an id of formats.def.  One of the two
 * may be NULL. */
enum status study_read_formats(struct study *study, const char *formats, const char *accumulate, const char *where);

/* Once methods and data are known: brings each method to each operation (study_operations.h), each method and each
 * family to each format of the study; where none was asked for, the methods to the formats of the data.  Says on stderr
 * what does not exist, unless `quiet`.  A file in a format that no method takes is refused or, if `convert`, rounded to
 * each that they take.  BAD_INPUT when nothing is left. */
enum status study_apply_formats(struct study *study, bool convert, bool quiet);

/* The method where it takes numbers that are stored in the format; without an @ that of the format in which these are
 * usually added.  NULL: there is none. */
const struct method *study_method_for(const struct method *method, const struct format *stored);

/* Whether the method takes numbers that are stored in the format. */
static inline bool method_takes(const struct method *method, const struct format *stored)
{
    return strcmp(method->sum_format->stored->name, stored->name) == 0;
}
