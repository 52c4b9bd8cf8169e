/* What `ulpscope exact` answers: the exact sum, and how far values are from it.  exact_compare.c fills in a comparison,
 * exact_text.c and exact_json.c print all.
 */
#pragma once

#include "data_arguments.h"
#include "datasets/files/file_hash.h"
#include "datasets/files/storage.h"
#include "kernels/method.h"
#include "src/measure/metric.h"

/* A value beside the exact sum: --compare. */
struct comparison {
    const char *given;           /* as it was written */
    const struct format *format; /* of the value: the data's, or that of --as */
    double value;
    bool rounded; /* a decimal that lies between two numbers of the format was rounded to the nearest */
    enum result_class class;
    double metrics[METRICS]; /* no method gave the value, so that there is no bound, and bound_ratio is NaN */
    int side;                /* 1: above the exact sum, -1: below; 0: equal, or a NaN is there */
    double nearest;          /* the exact sum rounded to the value's format */
    bool has_steps;          /* neither it nor the nearest is NaN; then, from the nearest to it, in that format, */
    uint64_t steps;          /* so many numbers, */
    int steps_side;          /* 1: up, -1: down */
    bool has_parts;          /* of a sum of what is written; then the error, with its sign, is */
    double storage;          /* what storing the numbers in the value's format did to their sum, */
    double addition;         /* and what adding those did */
};

struct answer {
    enum operation operation;
    const char *word; /* what it was called: "variance" */
    const struct exact_sum *exact;
    struct dataset about; /* left_out and conversion of the file */
    bool verified;        /* by one mpfr_add per term */
    char *hex, *decimal, *sum_abs;
    const struct storage *stored; /* of a sum of what is written; or NULL */
    char *fraction;               /* likewise, where it is short; or NULL */
    const struct comparison *comparisons;
    size_t comparison_count;
    char sha256[FILE_HASH_TEXT];        /* of the file; "" for generated data */
    char second_sha256[FILE_HASH_TEXT]; /* likewise, of the second vector */
};

/* Takes the text as a number of the format.  A decimal is rounded once, as a decimal among the data is; a hex-float
 * says each bit, and is refused when the format has no such number, unless it stands beside numbers as_written. */
enum status comparison_read(const char *text, const struct format *format, bool as_written,
                            struct comparison *comparison);
void comparison_judge(const struct exact_sum *exact, struct comparison *comparison);

/* --output: all results along an axis, or of an operation with one for each number, in the format `as`, or NULL: the
 * data's.  src/commands/exact_axis.c */
enum status exact_write_axis(const struct chosen_data *chosen, enum operation operation, const struct format *as,
                             unsigned workers, const char *path);

void exact_print(const struct answer *answer);

/* The first results of a row, each rounded once to the format and in so many digits; answer->exact is of the sum of the
 * numbers.  Fails as exact_row_element(). */
struct exact_row;
enum status exact_print_row(const struct answer *answer, const struct exact_row *row, const struct format *as,
                            int digits, uint64_t top);

/* Of a rounded value no more than it is sure of. */
int exact_digits_known(const struct exact_sum *exact, int digits);
enum status exact_write_json(const struct answer *answer, const char *path);
