/* Allocated text.  Where memory runs out, the program ends (memory.h). */
#pragma once

#include "owned.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A text that grows; `text` is NULL until something is appended. */
struct text {
    char *text;
    unsigned long length;
};

void text_append(struct text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_append_of(struct text *to, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* Appends `word` so that a shell reads it back as one word: quoted only where it must be.  Of bytes that may not be
 * shown (clean_text.h) in the form $'a\033b' of POSIX 2024, which bash, zsh and ksh have had for long. */
void text_append_shell_word(struct text *to, const char *word);

/* Appends a text in quotes as data specs have it, and all of it can be seen: "say ""x"", \\ and \xff". */
void text_append_quoted(struct text *to, const char *text);

/* Takes such quotes off a text that begins with them, in place; *rest is what follows.  false: none closes it. */
bool text_unquote(char *text, char **rest);

/* Appends the value of an option of a data spec: in quotes when a comma or a quote would end it, or bytes of it may not
 * be shown. */
void text_append_value(struct text *to, const char *value);

/* The text, which the caller frees; "" rather than NULL for nothing. */
char *text_take(struct text *from);

/* "" of one, else "s". */
const char *plural(uint64_t count);

/* As asprintf: a text at once. */
char *text_made(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As open_memstream, which gives a text cut short where memory ran out.  Closed by fclose. */
FILE *text_stream(char **text, size_t *length);
