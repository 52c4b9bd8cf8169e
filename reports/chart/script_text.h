/* Text in a gnuplot script: any name comes out as it is, and its width on the picture is known well enough to keep it
 * from the next one. */
#ifndef ULPSCOPE_SCRIPT_TEXT_H
#define ULPSCOPE_SCRIPT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* 'text', for a label that is noenhanced; what is beyond `most` characters is "...". */
void script_quoted(FILE *script, const char *text, size_t most);

/* Whether gnuplot may raise a part of it: "2^{-24}", "1.5 x 10^{3}", and nothing that a user wrote. */
bool script_is_power(const char *text);

/* About; rather too wide, for the fonts that browsers take for sans-serif.  Of a power, the raised part is smaller. */
double script_width(const char *text, double size);

/* How many characters fit into a width: all of them, or fewer by those of "...". */
size_t script_fitting(const char *text, double size, double width);

/* Breaks at blanks into lines of at most `width`, in place; how many there are. */
size_t script_wrap(char *text, double size, double width);

#endif
