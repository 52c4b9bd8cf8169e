/* The text of a C function's prototype, read as far as a sum or a dot product needs it.
 *
 *   struct prototype of;
 *   const char *wrong = prototype_read("float dot(const float *x, const float *y, int n)", &of);
 *
 * A function that ulpscope can call takes one array or two of float or double, how many elements they have, and returns
 * the result, or writes it where its last pointer says.  Parameters may stand in any order and need no names. */
#pragma once

#include <stdbool.h>

enum { PROTOTYPE_PARAMETERS = 4, PROTOTYPE_NAME = 200, PROTOTYPE_SYMBOL = PROTOTYPE_NAME + 100 };

struct prototype {
    char name[PROTOTYPE_NAME + 1]; /* "solver::dot" of C++ */
    /* What ulpscope-worker gets: the type of the elements and of the result, f or d, then each parameter: x and y
     * the arrays, n or i their length, in 64 and in 32 bits, r the result.  "ffxyi" */
    char signature[PROTOTYPE_PARAMETERS + 3];
    char mangled[PROTOTYPE_SYMBOL]; /* the symbol that a C++ compiler makes of it, "_Z3dotPKfS0_i" */
    bool is_double, gives_double, is_dot;
    bool returns;   /* the result; false: it writes it */
    bool is_kernel; /* __global__: no host can call it */
};

/* NULL; or what is wrong, as the end of "expected float f(const float *, size_t) or its like, found ..."; valid until
 * the next call. */
const char *prototype_read(const char *text, struct prototype *of);

/* "dot" of "solver::dot" */
const char *prototype_own_name(const struct prototype *of);

/* What the array and the result are: a row of kernels/formats.def. */
const char *prototype_format(const struct prototype *of);
