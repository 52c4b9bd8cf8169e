/* "How this was measured", to paste into a paper: program, methods, data, seed, machine, and what errors are of. */
#pragma once

#include "src/results/results.h"

/* Allocated. */
char *measured_paragraph(const struct results *results);
