#include "argument.h"

#include "datasets/generator.h"
#include "src/study/study.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_LINES = 4096 };

bool argument_ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

/* A pipe is not opened: what it says would be lost. */
static bool begins_as_a_study(const char *path)
{
    struct stat facts;
    char lines[FIRST_LINES];
    FILE *file = stat(path, &facts) == 0 && S_ISREG(facts.st_mode) ? fopen(path, "r") : NULL;
    if (!file)
        return false;
    lines[fread(lines, 1, sizeof lines - 1, file)] = '\0';
    fclose(file);
    return strstr(lines, "schema: ulpscope-study/");
}

static bool is_family(const char *text)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, ":"), text);
    return generator_find(word);
}

enum argument_kind argument_kind(const char *text)
{
    if (is_family(text))
        return ARGUMENT_DATA;
    if (study_names_methods(text))
        return ARGUMENT_METHOD;
    const bool is_study = argument_ends_in(text, ".yaml") || argument_ends_in(text, ".yml") || begins_as_a_study(text);
    return is_study ? ARGUMENT_STUDY : ARGUMENT_DATA;
}

enum status argument_expect_data(const char *text, const char *where)
{
    const enum argument_kind kind = argument_kind(text);
    if (kind == ARGUMENT_DATA)
        return OK;
    if (kind == ARGUMENT_METHOD)
        complain("%s: expected data, a file or a spec like uniform:n=1024; found \"%s\", a name of methods; choose "
                 "methods with -m, as `ulpscope run -m '%s'` does",
                 where, text, text);
    else
        complain("%s: expected data, a file or a spec like uniform:n=1024; found \"%s\", a study; `ulpscope run %s` "
                 "runs it",
                 where, text, text);
    return BAD_INPUT;
}
