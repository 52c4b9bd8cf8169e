/* Names come from study files and file systems: any bytes at all.  What a terminal, XML or JSON is given is valid UTF-8
 * without control characters.
 *
 *   "a\tb\xff"    "a b\uFFFD"
 */
#ifndef ULPSCOPE_CLEAN_TEXT_H
#define ULPSCOPE_CLEAN_TEXT_H

#include <stddef.h>

/* Blanks for line breaks and tabs, U+FFFD for every other byte that is no text.  Allocated; NULL: out of memory. */
char *clean_text(const char *text);

/* Columns on a terminal, one a character, which is right for the alphabets that names are written in. */
size_t text_width(const char *text);

#endif
