/* The sum: element i contributes itself. */
#define TERM(x, i) ((x)[i])
#define THE_OPERATION SUM
