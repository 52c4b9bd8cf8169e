/* What a product was computed in (src/arithmetic), for people and for scripts. */
#pragma once

#include "graded.h"
#include "src/arithmetic/arithmetic.h"

/* The order along k in words: "one chain, never promoted".  The caller frees it. */
char *arithmetic_order(const struct arithmetic_answer *answer);

/* How C enters a product that is added to it, in words. */
const char *arithmetic_entry(const struct arithmetic_answer *answer);

/* Its row of kernels/fused_units.def; NULL: these tables have no such.  The caller frees it. */
char *arithmetic_row(const struct arithmetic_answer *answer);

/* One page on stdout. */
void arithmetic_print(const struct graded *graded, const struct arithmetic_answer *answer, bool colour);

/* Schema ulpscope-arithmetic/1, described in docs/matmul.md. */
enum status arithmetic_write_json(const struct graded *graded, const struct arithmetic_answer *answer,
                                  const char *path);
