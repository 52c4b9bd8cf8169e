/* "How this was measured", to paste into a paper: program, methods, data, seed, machine, and what errors are of. */
#ifndef ULPSCOPE_PARAGRAPH_H
#define ULPSCOPE_PARAGRAPH_H

#include "src/results/results.h"

/* Allocated. */
char *measured_paragraph(const struct results *results);

#endif
