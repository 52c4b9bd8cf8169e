/* The sentences of an explanation, for people and for scripts.  Allocated. */
#pragma once

#include "explain.h"

/* How far apart the sums are, who is nearer, and whether either is a bug. */
char *explain_verdict(const struct explanation *explanation);

/* The order, the accumulator, or both: "order", "accumulator", "both", "merges", "format"; and as sentences. */
const char *explain_class(const struct parting *parting);
char *explain_cause(const struct explanation *explanation);

/* What the other method does where method `side` parts: "adds x0 to x512 first". */
char *explain_parted(const struct two_sums *two, int side, const struct parted_join *join);

/* How the witness was found and what it is. */
char *explain_shrinking(const struct explanation *explanation);

/* The command that runs the witness again. */
char *explain_command(const struct explanation *explanation, const char *file);
