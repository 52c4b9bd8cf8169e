/* How wide a text is on a picture: known well enough to keep it from the next one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether a part of it is raised: "2^{-24}", "1.5 x 10^{3}", and nothing that a user wrote. */
bool letters_are_power(const char *text);

/* About; rather too wide, for the fonts that browsers take for sans-serif.  Of a power, the raised part is smaller. */
double letters_width(const char *text, double size);

/* How many bytes fit into a width: all of them, or fewer by those of "...". */
size_t letters_fitting(const char *text, double size, double width);

/* Breaks at blanks into lines of at most `width`, in place; how many there are. */
size_t letters_wrap(char *text, double size, double width);
