/* What a product was computed in (src/arithmetic), for people and for scripts. */
#pragma once

#include "graded.h"
#include "src/arithmetic/arithmetic.h"

/* One page on stdout. */
void arithmetic_print(const struct graded *graded, const struct arithmetic_answer *answer, bool colour);

/* Schema ulpscope-arithmetic/1, described in docs/matmul.md. */
enum status arithmetic_write_json(const struct graded *graded, const struct arithmetic_answer *answer,
                                  const char *path);
