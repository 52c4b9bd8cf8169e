#include "suggest.h"

#include "text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

enum { WORD_MOST = 63 }; /* longer words are not looked at */

static int differ(char a, char b)
{
    return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* Typing errors between a and b: letters too many, too few or wrong, and neighbours exchanged (the distance of Damerau
 * and Levenshtein, each place touched once).  Capitals are no error.  Three rows of the usual table are enough:
 * row[i] is the distance of the first i letters of a to the letters of b so far. */
static size_t typing_errors(const char *a, const char *b)
{
    size_t rows[3][WORD_MOST + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    const size_t a_length = strlen(a), b_length = strlen(b);
    for (size_t i = 0; i <= a_length; i++)
        last[i] = i;
    for (size_t j = 1; j <= b_length; j++) {
        row[0] = j;
        for (size_t i = 1; i <= a_length; i++) {
            const size_t replaced = last[i - 1] + (differ(a[i - 1], b[j - 1]) ? 1 : 0);
            row[i] = MIN(replaced, 1 + MIN(row[i - 1], last[i]));
            if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) && !differ(a[i - 2], b[j - 1]))
                row[i] = MIN(row[i], 1 + before[i - 2]);
        }
        size_t *const oldest = before;
        before = last, last = row, row = oldest;
    }
    return last[a_length];
}

/* Letters that are missing at the end are no typing error: "ben" is bench, not gen. */
static int begins(const char *word, const char *begin)
{
    while (*begin && !differ(*word, *begin))
        word++, begin++;
    return *begin == '\0';
}

/* The word but for capitals, or what three or more letters begin, or else the nearest: one error, and one more for
 * every three letters: "norm" is normal, but "sum" is not swamp. */
const char *suggest(const char *word, const char *const *known, size_t count)
{
    const char *nearest = NULL;
    size_t fewest = 2 + strlen(word) / 3;
    if (strlen(word) > WORD_MOST)
        return NULL;
    for (size_t k = 0; k < count; k++) {
        const size_t errors = strlen(known[k]) > WORD_MOST ? fewest : typing_errors(word, known[k]);
        if (errors < fewest) {
            fewest = errors;
            nearest = known[k];
        }
    }
    for (size_t k = 0; k < count && fewest > 0 && strlen(word) >= 3; k++)
        if (begins(known[k], word))
            return known[k];
    return nearest;
}

enum status refuse_unknown(const char *where, const char *what, const char *word, const char *const *known,
                           size_t count)
{
    struct text list = {0};
    for (size_t i = 0; i < count; i++)
        text_append(&list, "%s%s", i ? ", " : "", known[i]);
    const char *near = suggest(word, known, count);
    char *all = text_take(&list);
    complain("%s: %s \"%s\" is unknown; expected one of %s%s%s%s", where, what, word, all,
             near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    free(all);
    return BAD_INPUT;
}
