/* What may change the bits of a sum of the same numbers: the rows of axes.def. */
#ifndef ULPSCOPE_AXIS_H
#define ULPSCOPE_AXIS_H

enum axis {
#define AXIS(id, varied, fixed) AXIS_##id,
#include "axes.def"
    AXES
};

struct axis_row {
    const char *id;
    const char *varied; /* what is: "where the numbers begin, 0 to 64 bytes" */
    const char *fixed;  /* the end of "same bits as long as ... is fixed": "the alignment" */
};
extern const struct axis_row axis_table[AXES];

/* The axis with this id; AXES when there is none. */
enum axis axis_find(const char *id);

#endif
