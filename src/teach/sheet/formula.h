/* Formulas as texts have them, which a page sets as MathML: "(n-1) u sum |x_i|", "sqrt(k)", "2^(e-p)", "u / (1+u)".
 *
 * a/b is a fraction, a^b and a_b are scripts, of which parentheses go; a letter with digits, h1, has them below it.
 */
#pragma once

#include "reports/page/page.h"

/* In several pieces of MathML, so that a line may end before a relation, a + or a -. */
void formula_write(struct page *page, const char *formula, size_t length);
