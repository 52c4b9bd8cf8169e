/* The text of a limit on an error, the same wherever one is given: --target, --until, a limits file, ulpscope_judge().
 *
 *   2ulp          units in the last place of the exact sum, in the format of the result
 *   4u            unit roundoffs of that format, relative to |s|
 *   1e-6, 0.1%    relative to |s|
 *   1e-6abs       relative to sum |x_i|
 *   exact         correctly rounded
 *   auto          what theory promises
 *   auto:pairwise what it promises of plain additions in a tree: a word of kernels/tree_word.h
 *   bound*0.5     a share of that
 *   baseline*1.1  times what it was
 *
 * Who reads one says which of these make sense there.
 */
#pragma once

#include <stdbool.h>

enum limit_form {
    FORM_ULP,
    FORM_U,
    FORM_PERCENT,
    FORM_ABS,
    FORM_NUMBER, /* a number alone */
    FORM_EXACT,
    FORM_AUTO,
    FORM_BOUND,
    FORM_BASELINE,
    FORMS
};

/* As it is written: "ulp", "%", "", "bound". */
extern const char *const limit_words[FORMS];

struct limit_text {
    enum limit_form form;
    double number;    /* in its unit, or the factor, 1 where there is none; to nearest */
    double below;     /* the same rounded down: what fails never passes by a rounding */
    const char *tree; /* of auto: what stands behind its colon, which nobody has read; NULL: there is none */
    const char *rest; /* of a text that is no limit: what could not be read */
};

enum limit_fault { LIMIT_FINE, LIMIT_NO_NUMBER, LIMIT_UNKNOWN_UNIT, LIMIT_UNKNOWN_WORD, LIMIT_WRONG_FACTOR };

/* Numbers are finite and not negative, factors above 0; spaces may stand before a unit and around the *. */
enum limit_fault limit_text_read(const char *text, struct limit_text *limit);
