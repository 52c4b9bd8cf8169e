/* Names come from command lines, files, study files and databases of others, and may hold any bytes.  A terminal, a
 * log, XML, JSON and Markdown are given valid UTF-8 in which nothing acts: everything else is made visible.
 *
 *   "a\tb\xff"          a\tb\xff         as the characters \ t and \ x f f
 *   "\u202egnp.exe"     \u202egnp.exe    it turns the direction of what follows
 *   " ::error::x"       \x3a:error::x    a command to GitHub's runner; "##[error]" is one, too
 *
 * Clean text stays as it is, and a name's own backslash does, so that this cannot be undone.  (A data spec has a form
 * that can be read back: src/base/text.h.)
 */
#pragma once

#include "owned.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* Allocated. */
char *clean_text(const char *text);
char *clean_text_of(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* Writes the same, and needs no memory. */
void clean_write(FILE *file, const char *text);

/* Writes a line and its end. */
void clean_line(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
void clean_line_of(FILE *file, const char *before, const char *format, va_list arguments);

bool is_clean_text(const char *text);

/* Columns on a terminal, taken as one per character. */
size_t text_width(const char *text);
