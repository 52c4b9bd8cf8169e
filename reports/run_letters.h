/* What runs that stand beside each other are called: A, B ... Z, AA, AB ... */
#pragma once

#include <stddef.h>

enum { RUN_LETTERS = 8 };
void run_letters(size_t run, char letters[RUN_LETTERS]);

/* What the names of a run's pictures begin with: "b-" for the second of several, "" where there is only one. */
enum { RUN_PREFIX = RUN_LETTERS + 1 };
void run_prefix(size_t run, size_t run_count, char prefix[RUN_PREFIX]);
