#include "filter.h"

#include "src/base/format.h"
#include "src/base/number.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_MOST = 1 << 20 };

/* Whether a text begins with a word and a colon, which are passed over. */
static bool begins(const char **text, const char *word)
{
    const size_t length = strlen(word);
    const bool does = strncmp(*text, word, length) == 0 && (*text)[length] == ':';
    *text += does ? length + 1 : 0;
    return does;
}

struct filter filter_of(const char *text)
{
    struct filter filter = {.operation = OPERATION_sum, .command = text};
    filter.is_decimal = begins(&filter.command, "text10");
    filter.is_filter = filter.is_decimal || begins(&filter.command, "text");
    for (int o = 0; o < OPERATIONS && filter.is_filter; o++)
        if (begins(&filter.command, operation_table[o].id)) {
            filter.operation = (enum operation)o;
            break;
        }
    return filter;
}

/* ---- what it says of itself ---- */

/* One for each format of numbers that has the operation: in what they are added, only the program knows. */
json_t *filter_ready(const struct filter *filter, const char *name)
{
    json_t *methods = json_array();
    const struct method *plain = method_of_operation(method_find("plain/serial"), filter->operation);
    for (int f = 0; f < SUM_FORMATS; f++) {
        const struct sum_format *format = sum_formats[f];
        if (sum_format_of(format->stored, NULL) == format && method_in(plain, format))
            json_array_append_new(methods,
                                  json_pack("{ss ss ss ss sb}", "name", name, "operation",
                                            operation_table[filter->operation].id, "format", format->id, "claim",
                                            "a process for each result, which reads text", "variant", f > 0));
    }
    return json_pack("{so}", "methods", methods);
}

/* ---- questions ---- */

/* Who reads the text in binary64 gets the number, whatever the format is. */
static void write_number(const struct filter *filter, double value, char text[NUMBER_TEXT])
{
    if (filter->is_decimal)
        write_double(value, text);
    else
        write_hex(value, text);
}

/* The numbers of a line with a blank between them; allocated, NULL: no memory. */
static char *numbers_as_text(const struct filter *filter, const struct operands *of, size_t *length)
{
    char *text = malloc(of->shape.terms * ARRAYS_MOST * NUMBER_TEXT + 1), *at = text;
    for (uint64_t i = 0; text && i < of->shape.terms; i++)
        for (int k = 0; k < ARRAYS_MOST && of->arrays[k]; k++) {
            write_number(filter, held_number(of->format, of->arrays[k], i), at);
            at += strlen(at);
            *at++ = k + 1 < ARRAYS_MOST && of->arrays[k + 1] ? ' ' : '\n';
        }
    *length = (size_t)(at - text);
    return text;
}

static bool read_answer(struct exchange *exchange, struct plugin *plugin, const struct format *result, uint64_t *bits)
{
    char *end = exchange->text + exchange->length, *begin = exchange->text;
    double value;
    while (end > begin && isspace((unsigned char)end[-1]))
        *--end = '\0';
    while (isspace((unsigned char)*begin))
        begin++;
    const char *wrong = begin == end ? "is nothing" : read_in_format(begin, result, &value, NULL);
    if (!wrong && (size_t)(end - begin) != strlen(begin))
        wrong = "has a NUL byte";
    if (wrong) {
        OWNED char *why = text_made("printed what %s; expected one number of %s, inf or nan", wrong, result->name);
        exchange_failed(exchange, plugin, why);
        return false;
    }
    *bits = format_bits(result, value);
    return true;
}

bool filter_ask(const struct filter *filter, struct exchange *exchange, struct plugin *plugin,
                const struct question *question, uint64_t *bits)
{
    size_t length;
    char *text = numbers_as_text(filter, question->operands, &length);
    if (!text)
        return plugin_failed(plugin, "no memory for its data as text");
    const bool is_answered =
        exchange_start(exchange, plugin, filter->command) && (plugin->process.is_ready = true) &&
        exchange_bytes(exchange, plugin, text, length, ALL_OF_IT, ANSWER_MOST, plugin->limits.seconds) &&
        read_answer(exchange, plugin, question->of->method.format, bits);
    free(text);
    exchange_stop(exchange, plugin);
    return is_answered;
}
