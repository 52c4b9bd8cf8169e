#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_append(struct text *to, const char *format, ...)
{
    va_list arguments;
    char *added = NULL;
    va_start(arguments, format);
    const int length = to->failed ? -1 : vasprintf(&added, format, arguments);
    va_end(arguments);
    char *grown = length < 0 ? NULL : realloc(to->text, to->length + (unsigned long)length + 1);
    if (grown) {
        memcpy(grown + to->length, added, (unsigned long)length + 1);
        to->text = grown;
        to->length += (unsigned long)length;
    } else {
        to->failed = 1;
    }
    if (length >= 0)
        free(added);
}

void text_append_shell_word(struct text *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        text_append(to, "%s", word);
        return;
    }
    text_append(to, "'");
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'')
            text_append(to, "'\\''");
        else
            text_append(to, "%c", *c);
    }
    text_append(to, "'");
}

void text_append_value(struct text *to, const char *value)
{
    if (*value != '"' && !strchr(value, ',')) {
        text_append(to, "%s", value);
        return;
    }
    text_append(to, "\"");
    for (; *value != '\0'; value++)
        text_append(to, *value == '"' ? "\"\"" : "%c", *value);
    text_append(to, "\"");
}

char *text_take(struct text *from)
{
    char *text = from->failed ? NULL : from->text ? from->text : strdup("");
    if (from->failed)
        free(from->text);
    *from = (struct text){0};
    return text;
}
