/* Arrays of numbers in a file, which a header describes: all of their numbers, in the order of the file, or those of
 * one sum along an axis (options->axis).  And names of several in one file. */
#pragma once

#include "file_formats.h"

enum { ARRAY_DIMENSIONS = 64 }; /* NumPy's most */

struct array {
    struct stored stored;
    uint64_t start, n; /* byte of the first number; the product of the extents */
    unsigned dimensions;
    uint64_t extents[ARRAY_DIMENSIONS];
    bool is_fortran; /* the first index varies fastest */
};

/* One more extent; n is 1 before the first.  BAD_INPUT where there are too many, or n would be above 2^64. */
enum status array_extend(const struct input *in, struct array *array, uint64_t extent);

/* Floats are what the file says that they are, whatever options->format says; its binary32 may be said to be TF32. */
enum status array_check_format(const struct input *in, struct array *array, const char *type);

/* "3, 4", or "3," as Python writes it; of very many dimensions their beginning. */
struct shape_text {
    char text[SHAPE_TEXT];
};
struct shape_text array_shape(const struct array *array);

/* How many numbers stand between two of an axis. */
void array_strides(const struct array *array, uint64_t strides[ARRAY_DIMENSIONS]);

/* All numbers of the array, or those along options->axis; the caller has compared n with the size of the file. */
enum status read_array(struct input *in, const struct array *array);

/* ---- along an axis: axis.c ---- */

/* Lines of numbers, `step` apart, one after the other; line 0 begins at number `first` of the array, the next `apart`
 * behind it. */
struct axis_lines {
    const struct array *array;
    struct tile *tile;
    uint64_t first, apart, step, length, k; /* k: the next number of the line */
};

/* One of the results along the axis, options->sum, or that matrix of a batch. */
enum status axis_read(struct input *in, const struct array *array);

struct array_names {
    uint64_t count, wanted; /* all; those of the name that is wanted, or all where it is NULL */
    char list[400];         /* of a complaint */
};

/* Whether it is the wanted one. */
bool array_name_is(struct array_names *names, const char *name, const char *wanted);

/* Refuses unless one array was wanted. */
enum status array_found_one(const struct input *in, const struct array_names *names, const char *wanted);
