#include "suggest.h"

#include "base.h"

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

enum status refuse_unknown_format(const char *where, const char *what, const char *word)
{
    const char *known[STORED_FORMAT_COUNT];
    for (int f = 0; f < STORED_FORMAT_COUNT; f++)
        known[f] = NUMBER_FORMATS[f]->name;
    return refuse_unknown(where, what, word, known, STORED_FORMAT_COUNT);
}
