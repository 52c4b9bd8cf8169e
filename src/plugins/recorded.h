/* Results that were computed elsewhere, of a CSV file with a header; other columns are passed over:
 *
 *   method          as a run names it, or any name; left out: that of the file
 *   data            the spec that `gen` wrote the data of
 *   seed, trial     left out: 1, 0
 *   operation       left out: that of the method's id, or sum
 *   format          of kernels/formats.def; left out: that behind the @ of the method's id, or that of the data
 *   computed_bits   0x3f800000; or, where it is left out,
 *   computed        1, 0x1p+0, nan: rounded once to the format of the result
 *   repeat          of results that differ from one run to the next; left out: as they follow each other
 *   weight          how many times in a row it was so; left out: 1
 *
 * results.csv of a run is such a file. */
#pragma once

#include "plugin_kind.h"

struct recorded_method {
    char *text; /* as it was written, without its operation and its format */
    enum operation operation;
    const struct sum_format *format;
};

struct recorded_row {
    size_t method;
    const char *data; /* canonical */
    uint64_t seed, trial;
    uint64_t repeat, line; /* left out: the line */
    uint64_t weight, bits;
};

struct recorded {
    struct recorded_method *methods;
    size_t method_count, method_room;
    struct recorded_row *rows; /* by data, seed, trial, method and repeat */
    size_t row_count, row_room;
    json_t *texts; /* canonical data, by their format and text in the file */
};

/* Complains with file and line; BAD_INPUT.  `name`: of methods that have none.  Freed by recorded_free() in any case.
 */
enum status recorded_read(const char *path, const char *name, struct recorded *recorded);
void recorded_free(struct recorded *recorded);

/* The rows of a case, *count of them; NULL: there are none. */
struct recorded_row *recorded_find(const struct recorded *recorded, size_t method, const struct noted_case *of,
                                   size_t *count);
/* Whether two rows are results of one method for one case. */
bool recorded_same_case(const struct recorded_row *a, const struct recorded_row *b);
