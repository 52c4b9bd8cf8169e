#include "parameter.h"

#include "kernels/method.h"
#include "src/base/suggest.h"

#include <math.h>

_Static_assert((int)PARAMETER_TEXT >= (int)NUMBER_TEXT, "a number is a value");

void parameter_list_words(const char *word, const char *const *known, size_t count, char text[WRONG_TEXT])
{
    enum { LIST_END = WRONG_TEXT - 128 }; /* room for what follows the list */
    const char *meant = suggest(word, known, count);
    size_t length = 0;
    *text = '\0';
    for (size_t k = 0; k < count && length < LIST_END; k++) {
        const bool fits = length + strlen(known[k]) + 2 < LIST_END;
        length += (size_t)snprintf(text + length, WRONG_TEXT - length, "%s%s", k ? ", " : "", fits ? known[k] : "...");
        if (!fits)
            break;
    }
    if (meant)
        snprintf(text + length, WRONG_TEXT - length, "; did you mean \"%s\"?", meant);
    else
        snprintf(text + length, WRONG_TEXT - length, "; take one of these");
}

/* A whole number that binary64 cannot hold is beyond every range, and so is its neighbour. */
static const char *read_whole_values(const char *text, double **values, size_t *count)
{
    uint64_t *sizes;
    const char *wrong = read_size_sweep(text, &sizes, count);
    if (wrong)
        return wrong;
    *values = memory_cleared(*count, sizeof **values);
    for (size_t i = 0; i < *count; i++)
        (*values)[i] = (double)sizes[i];
    free(sizes);
    return NULL;
}

static bool read_numbers(const struct parameter *parameter, const char *text, double **values, size_t *count,
                         char wrong[WRONG_TEXT])
{
    const bool whole = parameter->kind == WHOLE;
    const char *cause = whole ? read_whole_values(text, values, count) : read_real_sweep(text, values, count);
    if (cause) {
        snprintf(wrong, WRONG_TEXT, "%s; expected %s; correct it", cause,
                 whole ? "a size (4096, 1e6, 2Ki) or a sweep (1Ki..1Mi*32)"
                       : "a number (0.1, 1e8, 0x1p60) or a sweep (1e2..1e14*100)");
        return false;
    }
    for (size_t i = 0; i < *count; i++) {
        const double value = (*values)[i];
        if (value >= parameter->least && value <= parameter->most)
            continue;
        snprintf(wrong, WRONG_TEXT, "is out of range%s%s; expected %s from %s to %s; choose a value there",
                 *count > 1 ? " at " : "", *count > 1 ? double_text(value) : "", parameter->name,
                 double_text(parameter->least), double_text(parameter->most));
        free(*values);
        return false;
    }
    return true;
}

/* As people write it: 1e8, not 1e+08 and not 100000000. */
static void shorten(char text[PARAMETER_TEXT])
{
    enum { ZEROS_READ_AT_A_GLANCE = 3 };
    char *exponent = strchr(text, 'e');
    if (exponent) {
        exponent += exponent[1] == '-' ? 2 : 1;
        const size_t idle = strspn(exponent, "+0");
        memmove(exponent, exponent + idle, strlen(exponent + idle) + 1);
        return;
    }
    const size_t length = strlen(text);
    size_t zeros = 0;
    while (zeros < length && text[length - 1 - zeros] == '0')
        zeros++;
    if (zeros > ZEROS_READ_AT_A_GLANCE && !strchr(text, '.'))
        snprintf(text + length - zeros, PARAMETER_TEXT - (length - zeros), "e%zu", zeros);
}

static bool keep_one(double value, double **values, size_t *count)
{
    *values = memory_cleared(1, sizeof **values);
    **values = value;
    *count = 1;
    return true;
}

static bool read_word(const struct parameter *parameter, const char *text, double **values, size_t *count,
                      char wrong[WRONG_TEXT])
{
    size_t known = 0;
    for (; parameter->words[known]; known++)
        if (strcmp(parameter->words[known], text) == 0)
            return keep_one((double)known, values, count);
    static const char before[] = "is unknown; expected one of ";
    char words[WRONG_TEXT];
    parameter_list_words(text, parameter->words, known, words);
    snprintf(wrong, WRONG_TEXT, "%s%.*s", before, (int)(WRONG_TEXT - sizeof before), words);
    return false;
}

/* Its index; SIZE_MAX when there is no such method. */
static size_t index_of_method(const char *name)
{
    return method_index(method_find(name));
}

/* The id that is near, as the end of a sentence. */
static void suggest_method(const char *text, char wrong[WRONG_TEXT])
{
    size_t methods;
    const struct method *const *table = method_table(&methods);
    OWNED const char **ids = memory_cleared(methods, sizeof *ids);
    for (size_t m = 0; m < methods; m++)
        ids[m] = table[m]->id;
    const char *meant = suggest(text, ids, methods);
    snprintf(wrong, WRONG_TEXT,
             "is not a method; expected an id such as plain/tree_two_pass; %s%s%ssee `ulpscope list methods`",
             meant ? "did you mean \"" : "", meant ? meant : "", meant ? "\"? or " : "");
}

static bool read_method(const char *text, double **values, size_t *count, char wrong[WRONG_TEXT])
{
    const size_t index = index_of_method(text);
    if (index == SIZE_MAX)
        suggest_method(text, wrong);
    else if (!method_is_on_host(method_numbered(index)))
        snprintf(wrong, WRONG_TEXT,
                 "is a black box, whose order nobody knows; expected a method with a replay, or a plug-in; see "
                 "`ulpscope list methods`");
    else if (method_numbered(index)->role != SUMS)
        snprintf(wrong, WRONG_TEXT,
                 "%s; expected a method that adds floating-point numbers; take another accumulator in that order",
                 method_adds(method_numbered(index)) ? "adds integers" : "measures the tree, not a sum");
    else
        return keep_one((double)index, values, count);
    return false;
}

bool parameter_is_number(const struct parameter *parameter)
{
    return parameter->kind == REAL || parameter->kind == WHOLE;
}

double parameter_fallback(const struct parameter *parameter)
{
    if (parameter->kind == METHOD_ID)
        return (double)index_of_method(parameter->words[0]);
    return parameter->kind == WORD ? 0 : parameter->fallback;
}

bool parameter_read(const struct parameter *parameter, const char *text, double **values, size_t *count,
                    char wrong[WRONG_TEXT])
{
    bool read = false;
    switch (parameter->kind) {
    case REAL:
    case WHOLE:
        read = read_numbers(parameter, text, values, count, wrong);
        break;
    case WORD:
        read = read_word(parameter, text, values, count, wrong);
        break;
    case METHOD_ID:
        read = read_method(text, values, count, wrong);
        break;
    }
    if (!read)
        *values = NULL;
    return read;
}

void parameter_write(const struct parameter *parameter, double value, char text[PARAMETER_TEXT])
{
    switch (parameter->kind) {
    case WHOLE:
        snprintf(text, PARAMETER_TEXT, "%.0f", value);
        return;
    case WORD:
        snprintf(text, PARAMETER_TEXT, "%s", parameter->words[(size_t)value]);
        return;
    case METHOD_ID:
        snprintf(text, PARAMETER_TEXT, "%s", method_numbered((size_t)value)->id);
        return;
    case REAL:
        write_double(value, text);
        shorten(text);
    }
}

void parameter_write_briefly(const struct parameter *parameter, double value, char text[PARAMETER_TEXT])
{
    enum { READ_AT_A_GLANCE = 20 }; /* 2^20 */
    int exponent;
    const double fraction = frexp(fabs(value), &exponent);
    const bool is_number = parameter_is_number(parameter);
    if (is_number && fraction == 0.5 && abs(exponent - 1) >= READ_AT_A_GLANCE)
        snprintf(text, PARAMETER_TEXT, "%s2^%d", value < 0 ? "-" : "", exponent - 1);
    else if (is_number && fabs(value) == (double)FLT_MAX)
        snprintf(text, PARAMETER_TEXT, "%sMAX", value < 0 ? "-" : "");
    else
        parameter_write(parameter, value, text);
}
