/* A parameter of a family, and its values: how they are written in a spec. */
#pragma once

#include "src/base/base.h"

enum parameter_kind {
    REAL,      /* 0.1, 1e8, 0x1p60; or a sweep, 1e2..1e14*100 */
    WHOLE,     /* from 0, a size: 4096, 1M, 2Ki; or a sweep, 1Ki..1Mi*32 */
    WORD,      /* one of `words`; its value is its index there */
    METHOD_ID, /* the id, or an alias, of a method that adds, on the host; its value is its index in method_table() */
};

struct parameter {
    const char *name;
    enum parameter_kind kind;
    double fallback;    /* the value when it is not given: of a REAL or a WHOLE */
    double least, most; /* both allowed: of a REAL or a WHOLE */
    const char *meaning;
    const char *const
        *words; /* of a WORD: all, the fallback first, NULL at the end; of a METHOD_ID: the fallback alone */
};

/* Rows of a family: PARAMETERS({"big", REAL, ...}, ...), PARAMETERS({0}) for none. */
#define PARAMETERS(...) ((const struct parameter[]){__VA_ARGS__, {0}})
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL}) /* for `words` */

enum { PARAMETER_TEXT = 64, WRONG_TEXT = 1024 };

/* A REAL or a WHOLE: it has a range, and takes sweeps. */
bool parameter_is_number(const struct parameter *parameter);

/* What it has when it is not given. */
double parameter_fallback(const struct parameter *parameter);

/* Reads its values, one or a sweep, each in its range.  *values is allocated.  False, with *values NULL and the rest of
 * the sentence "big=x ..." in `wrong`, when the text is none. */
bool parameter_read(const struct parameter *parameter, const char *text, double **values, size_t *count,
                    char wrong[WRONG_TEXT]);

/* As people write it: 1e8, 4096, kahan/serial.  parameter_read gives it back. */
void parameter_write(const struct parameter *parameter, double value, char text[PARAMETER_TEXT]);

/* The same for people alone: 2^127 and MAX, the largest binary32, where there are many digits otherwise. */
void parameter_write_briefly(const struct parameter *parameter, double value, char text[PARAMETER_TEXT]);

/* "a, b, c; did you mean "b"?", or "; take one of these" when no word is near.  A list without room ends with "...". */
void parameter_list_words(const char *word, const char *const *known, size_t count, char text[WRONG_TEXT]);
