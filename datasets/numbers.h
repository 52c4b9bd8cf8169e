/* The numbers to be added or multiplied: all of them in memory, or piece by piece. */
#pragma once

#include "src/base/base.h"

/* What rounding the numbers of a file to another format did to them; of those that --nonfinite skip left out it says
 * nothing. */
struct conversion {
    const struct format *from;                 /* NULL: nothing was converted */
    uint64_t changed, underflowed, overflowed; /* others now; of these, 0 now, and infinite now */
    double cost;          /* |sum as they were - sum as they are|, the exact one rounded up; INFINITY or NaN where some
                             overflowed */
    double relative_cost; /* that of |sum as they were|, rounded up; 0 for a cost of 0 */
};

struct dataset {
    const struct format *format;
    void *x; /* n numbers of the format, as format_held() has them */
    uint64_t n;
    uint64_t left_out; /* elements of a file that --nonfinite skip left out */
    struct conversion conversion;
    uint64_t first_left_out;        /* the first of those, from 0 */
    void *y;                        /* the second vector, n numbers, as x; NULL: there is one */
    struct conversion y_conversion; /* of the second vector's file */
    uint64_t rows, columns;         /* of matrices: x is rows x n, y is n x columns, each row after row; 0: vectors */
    uint64_t window;                /* of sums of windows: numbers in one; else 0 */
};
void dataset_free(struct dataset *data);

/* How many numbers x has, or y. */
static inline uint64_t dataset_count(const struct dataset *data, bool of_second)
{
    const uint64_t lines = of_second ? data->columns : data->rows;
    return data->rows > 0 ? lines * data->n : data->n;
}

/* Who takes the numbers of a data set in pieces: start() is called once, with their format and how many may come (0:
 * nobody knows), then take() for each piece, whose numbers stay there only until it returns.  A status that is not OK
 * ends it.  With storage, numbers of a text are kept there as they are written, too; those that are taken are of its
 * first format, in which no integer is refused, and none for being too large. */
struct storage;
struct consumer {
    enum status (*start)(void *context, const struct format *format, uint64_t most);
    enum status (*take)(void *context, const void *x, uint64_t n);
    void *context;
    struct storage *storage;
};
