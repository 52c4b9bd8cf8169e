#include "data_arguments.h"

#include <unistd.h>

bool argument_ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

enum argument_kind argument_kind(const char *text)
{
    if (study_names_family(text))
        return ARGUMENT_DATA;
    if (study_names_methods(text))
        return ARGUMENT_METHOD;
    return argument_ends_in(text, ".yaml") || argument_ends_in(text, ".yml") ? ARGUMENT_STUDY : ARGUMENT_DATA;
}

/* Or some with commas. */
static bool is_number(const char *text)
{
    return strpbrk(text, "0123456789") && strspn(text, "0123456789.,+-e") == strlen(text) && access(text, F_OK) != 0;
}

enum status argument_expect_data(const char *text, const char *where)
{
    const enum argument_kind kind = argument_kind(text);
    if (kind == ARGUMENT_DATA && !is_number(text))
        return OK;
    if (kind == ARGUMENT_DATA)
        complain(
            "%s: expected data, a file or a spec like uniform:n=1024; found \"%s\", a number; `printf '%%s\\n' 0.1 "
            "0.2 >x.txt` makes a file of some",
            where, text);
    else if (kind == ARGUMENT_METHOD)
        complain("%s: expected data, a file or a spec like uniform:n=1024; found \"%s\", a name of methods; choose "
                 "methods with -m, as `ulpscope run -m '%s'` does",
                 where, text, text);
    else
        complain(
            "%s: expected data, a file or a spec like uniform:n=1024; found \"%s\", a study; `ulpscope run %s` runs it",
            where, text, text);
    return BAD_INPUT;
}
