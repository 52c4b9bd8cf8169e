#include "card.h"

#include <string.h>

enum { INDENT = 2, LABEL = 11 };

/* The end of the longest run of whole words that fits; at least one word. */
static size_t line_length(const char *text, size_t room)
{
    size_t fits = 0;
    for (size_t end = 0;; end++) {
        end += strcspn(text + end, " ");
        if (end > room && fits > 0)
            return fits;
        fits = end;
        if (text[end] == '\0')
            return fits;
    }
}

void card_row(FILE *to, const char *label, const char *text)
{
    fprintf(to, "%*s%-*s", INDENT, "", LABEL, label);
    for (;;) {
        const size_t length = line_length(text, CARD_WIDTH - INDENT - LABEL);
        fprintf(to, "%.*s\n", (int)length, text);
        text += length;
        if (*text == '\0')
            return;
        text++;
        fprintf(to, "%*s", INDENT + LABEL, "");
    }
}

void card_claims(FILE *to, const struct generator *generator)
{
    card_row(to, "x_i", generator->formula);
    card_row(to, "source", generator->source);
    card_row(to, "hurts", generator->hurts);
    card_row(to, "spares", generator->spares);
    card_row(to, "exact", generator->exact);
}
