/* Cards: rows of a label and a text that may be long. */
#pragma once

#include "datasets/generator.h"

enum { CARD_WIDTH = 100 }; /* columns, but for a word that is longer */

/* "  label      text", broken at blanks; what goes on stands below the text. */
void card_row(FILE *to, const char *label, const char *text);

/* What a family says of itself: formula, source, whom it hurts and spares, the exact sum, formats; the first rows of a
 * family of matrices. */
void card_claims(FILE *to, const struct generator *generator);
void card_matrices(FILE *to, const struct generator *generator);
