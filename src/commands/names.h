/* What there is to choose from, by name: the tables behind `ulpscope list SUBJECT` and the completion of a shell. */
#pragma once

#include "datasets/generator.h"

struct name {
    const char *id, *prefix, *text; /* prefix: what its text begins with */
};

/* The name at i, if there is one. */
typedef bool read_name(size_t i, struct name *name);

/* Those of a subject of `ulpscope list` ("orders"), or of "axes"; NULL: it has no such table. */
read_name *names_of(const char *subject);

/* Cards: rows of a label and a text that may be long. */

enum { CARD_WIDTH = 100 }; /* columns, but for a word that is longer */

/* "  label      text", broken at blanks; what goes on stands below the text. */
void card_row(FILE *to, const char *label, const char *text);

/* What a family says of itself: formula, source, whom it hurts and spares, the exact sum, formats; the first rows of a
 * family of matrices. */
void card_claims(FILE *to, const struct generator *generator);
void card_matrices(FILE *to, const struct generator *generator);
