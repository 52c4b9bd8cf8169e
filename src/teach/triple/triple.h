/* Three numbers, three ways to add them: the smallest sum in which the brackets matter.
 *
 *   binary32, 2^24, 1, 1      (a + b) + c    2^24       binary32 cannot represent 2^24 + 1, twice
 *                             a + (b + c)    2^24 + 2   exact
 *
 * Every addition is one of the format: correctly rounded, to nearest, ties to even.
 */
#pragma once

#include "reference/exact.h"

enum { TRIPLE = 3 };

/* All that a sum can be looked at in, from the widest on; NULL at the end. */
extern const struct format *const looked_at_formats[];

struct triple_number {
    const char *given; /* as it was written */
    double value;
    bool rounded; /* the format has no such number; the nearest was taken */
};

/* One addition. */
struct triple_step {
    const char *text; /* "a + (b + c)" */
    double left, right, made;
    struct exact_sum exact; /* of left and right */
    struct exact_sum error; /* made - left - right; finite where all three are */
};

struct triple_sum {
    struct triple_step steps[2]; /* the last one makes the sum */
    double ulp_error;            /* as the metric has it; NaN where s is 0 or not finite */
};

struct triple {
    const struct format *format;
    struct triple_number numbers[TRIPLE];
    struct triple_sum sums[TRIPLE]; /* (a + b) + c, a + (b + c), (a + c) + b */
    struct exact_sum exact;         /* s, and its nearest and ulp in the format */
    double nearest_ulp_error;       /* as of a sum */
    struct exact_sum apart;         /* |the first sum - the second|, where both are finite */
    double apart_ulp;               /* likewise, in ulp of s, rounded up; NaN where s is 0 */
    bool same;                      /* the first and the second, bit for bit; every NaN is the same one */
};

/* left + right as the format has it. */
double format_add(double left, double right, const struct format *format);

/* Complains and returns BAD_INPUT when a text is not a number of the format, or NOT_MEASURED. */
enum status triple_make(const struct format *format, char *const texts[TRIPLE], struct triple *triple);
void triple_free(struct triple *triple);

/* Prints it for people on stdout; `colour` as for a terminal. */
void triple_print(const struct triple *triple, bool colour);

/* Schema ulpscope-triple/1, described in docs/explain.md. */
enum status triple_write_json(const struct triple *triple, const char *path);
