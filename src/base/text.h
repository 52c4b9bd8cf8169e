/* Allocated text. */
#ifndef ULPSCOPE_TEXT_H
#define ULPSCOPE_TEXT_H

#include <stdarg.h>

/* A text that grows; `text` is NULL until something is appended, and again once memory ran out. */
struct text {
    char *text;
    unsigned long length;
    int failed;
};

void text_append(struct text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends `word` so that a POSIX shell reads it back as one word: quoted only where it must be. */
void text_append_shell_word(struct text *to, const char *word);

/* Appends the value of an option of a data spec: in quotes when a comma or a quote would end it; quotes inside doubled.
 */
void text_append_value(struct text *to, const char *value);

/* The text, which the caller frees; "" rather than NULL for nothing, NULL when memory ran out. */
char *text_take(struct text *from);

#endif
