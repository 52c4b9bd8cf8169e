/* What may change the bits of a sum of the same numbers: the rows of axes.def. */
#pragma once

#include "src/base/base.h"

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

/* What a variation says of itself in words that readers of a store look for: that no axis is to blame, and, in front
 * of the variant, that a result is farther from the exact one than its bound lets it be. */
#define AXIS_NONE_TO_BLAME "its bits change from call to call, whatever is varied"
#define AXIS_WRONG "wrong: "

/* The axis with this id; AXES when there is none. */
enum axis axis_find(const char *id);

/* A set of axes has a bit for each, 1 << AXIS_repeat.  Reads "repeat,batch", "repeat, batch", or "all"; BAD_INPUT,
 * which was complained about, for what is none. */
enum status axes_read(const char *words, const char *where, uint32_t *axes);

/* "repeat,batch"; "" for none.  Allocated. */
char *axes_text(uint32_t axes);
