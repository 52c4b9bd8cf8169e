/* A program in any language.  Through its standard input and output it is asked, one JSON line each way:
 *
 *   {"ulpscope": "ulpscope-pipe/1", "request": "methods"}
 *   {"methods": [{"name": "mysum", "deterministic": true}]}
 *   {"number": 1, "method": "mysum", "operation": "sum", "format": "binary32", "rows": 1, "terms": 1024, "columns": 0,
 *    "window": 0, "blocks": 120, "threads": 256, "bytes": 4096}, a new line, and 4096 bytes: the elements as they are
 * stored, little-endian, of both arrays one after the other
 *   {"number": 1, "bits": "0x3f800000"}
 *
 * docs/plugins.md has the answers that there are.  text:COMMAND is below. */
#include "src/base/clock.h"
#include "src/plugins/exchange.h"

#include <ctype.h>
#include <sys/stat.h>

/* ---- A program that reads numbers as text, one per line, and prints one: a process per question ---- */

/* What "text:CMD", "text10:CMD" and "text:dot:CMD" ask for. */
struct filter {
    bool is_filter;  /* else the text is a command that speaks ulpscope-pipe/1 */
    bool is_decimal; /* text10: the shortest decimals of binary64, in place of hexadecimal numbers */
    enum operation operation;
    const char *word; /* of it, within the text, like the command */
    int length;
    const char *command;
};

enum { ANSWER_MOST = 1 << 20 };

/* Whether a text begins with a word and a colon, which are passed over. */
static bool begins(const char **text, const char *word)
{
    const size_t length = strlen(word);
    const bool does = strncmp(*text, word, length) == 0 && (*text)[length] == ':';
    *text += does ? length + 1 : 0;
    return does;
}

static struct filter filter_of(const char *text)
{
    struct filter filter = {.operation = OPERATION_sum, .word = "sum", .length = 3, .command = text};
    filter.is_decimal = begins(&filter.command, "text10");
    filter.is_filter = filter.is_decimal || begins(&filter.command, "text");
    const enum operation operation = operation_of_id(filter.command);
    if (filter.is_filter && operation < OPERATIONS && strchr(filter.command, ':')) {
        filter.operation = operation;
        filter.word = filter.command;
        filter.length = (int)strcspn(filter.command, ":");
        filter.command += filter.length + 1;
    }
    return filter;
}

/* ---- what it says of itself ---- */

/* As plugin_kind has them; `name` is that of its methods.  One for each format of numbers that has the operation: in
 * what they are added, only the program knows. */
static json_t *filter_ready(const struct filter *filter, const char *name)
{
    json_t *methods = json_array();
    size_t known;
    for (int f = 0; f < SUM_FORMATS; f++) {
        const struct sum_format *format = sum_formats[f];
        method_table_for(filter->operation, format, &known);
        if (sum_format_of(format->stored, NULL) == format && known > 0)
            json_array_append_new(methods, json_pack("{ss ss# ss ss sb}", "name", name, "operation", filter->word,
                                                     filter->length, "format", format->id, "claim",
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

static bool filter_ask(const struct filter *filter, struct exchange *exchange, struct plugin *plugin,
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

/* ---- pipes ---- */

enum { LINE_MOST = 1 << 20, RESULT_MOST = 32 /* bytes of one of many in a line */ };

struct pipe {
    struct exchange exchange;
    char *message; /* the line and the elements of a question */
    size_t room;
};

static char *first_word(const char *text)
{
    const char *command = filter_of(text).command;
    command += strspn(command, " \t\n");
    return text_made("%.*s", (int)strcspn(command, " \t\n;|&<>()"), command);
}

/* "mysum" of "./mysum.py --fast" */
static char *name_of(const struct plugin *plugin)
{
    char *word = first_word(plugin->text), *name = plugin_name_of(word);
    if (strlen(name) > PLUGIN_NAME_MOST)
        name[PLUGIN_NAME_MOST] = '\0';
    free(word);
    return name;
}

/* The program has a hash where the command says in which file it is. */
static enum status find(struct plugin *plugin, const char *where)
{
    struct stat file;
    const struct filter filter = filter_of(plugin->text);
    OWNED char *word = first_word(plugin->text);
    const bool is_file = strchr(word, '/') && stat(word, &file) == 0 && S_ISREG(file.st_mode);
    plugin->path = memory_copy("pipe");
    if (*word == '\0' || operation_has_elements(filter.operation)) {
        return bad_input("%s: \"%s\": %s; expected a command like './mysum --fast', or text:COMMAND or text10:COMMAND "
                         "for one that reads numbers as text",
                         where, plugin->text, *word ? "many results are not written as text" : "no program is named");
    } else if (is_file) {
        TRY(file_hash(word, plugin->hash));
    }
    return OK;
}

/* ---- start and stop ---- */

static void stop(struct plugin *plugin)
{
    struct pipe *pipe = plugin->own;
    if (!pipe)
        return;
    exchange_stop(&pipe->exchange, plugin);
    free_all(pipe->message, pipe);
    plugin->own = NULL;
}

/* A line as JSON; NULL: why says that it is none. */
static json_t *read_line(const struct exchange *exchange, struct plugin *plugin)
{
    json_error_t error;
    json_t *answer =
        json_loadb(exchange->text, exchange->length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (json_is_object(answer))
        return answer;
    exchange_failed(exchange, plugin,
                    "wrote on its standard output what is no JSON object; other output belongs on its standard error");
    json_decref(answer);
    return NULL;
}

/* What it leaves out: `{}` is one method. */
static void fill_in(const struct plugin *plugin, json_t *ready)
{
    size_t i;
    json_t *method;
    OWNED char *name = name_of(plugin);
    if (!json_object_get(ready, "methods"))
        json_object_set_new(ready, "methods", json_pack("[{}]"));
    json_array_foreach(json_object_get(ready, "methods"), i, method) if (!json_object_get(method, "name"))
        json_object_set_new(method, "name", json_string(name));
}

static bool start(struct plugin *plugin, json_t **ready)
{
    static const char question[] = "{\"ulpscope\": \"ulpscope-pipe/1\", \"request\": \"methods\"}\n";
    struct pipe *pipe = plugin->own = memory_cleared(1, sizeof *pipe);
    const struct filter filter = filter_of(plugin->text);
    const double seconds = process_seconds_to_start(&plugin->limits);
    pipe->exchange.to = pipe->exchange.from = -1;
    if (filter.is_filter) {
        OWNED char *name = name_of(plugin);
        *ready = filter_ready(&filter, name);
        return true;
    }
    if (!exchange_start(&pipe->exchange, plugin, plugin->text) ||
        !exchange_bytes(&pipe->exchange, plugin, question, sizeof question - 1, ONE_LINE, LINE_MOST, seconds))
        return false;
    *ready = read_line(&pipe->exchange, plugin);
    if (*ready)
        fill_in(plugin, *ready);
    return *ready != NULL;
}

/* ---- questions ---- */

/* The line and what follows it; its length, 0: no memory. */
static size_t write_question(struct pipe *pipe, const struct question *question)
{
    enum { LINE_ROOM = 1024 };
    const struct operands *of = question->operands;
    const struct method *method = &question->of->method;
    const uint64_t first = operands_elements(of, 0), second = operands_elements(of, 1);
    const size_t bytes = (first + second) * of->format->bytes;
    if (pipe->room < LINE_ROOM + bytes) {
        free(pipe->message);
        pipe->room = LINE_ROOM + bytes;
        pipe->message = malloc(pipe->room);
    }
    if (!pipe->message) {
        pipe->room = 0;
        return 0;
    }
    const bool is_sum = method->operation == OPERATION_sum;
    const uint64_t window = operands_window(of);
    const int length = snprintf(
        pipe->message, LINE_ROOM,
        "{\"number\": %" PRIu64 ", \"method\": \"%s\", \"operation\": \"%.*s\", \"format\": \"%s\", \"rows\": %" PRIu64
        ", \"terms\": %" PRIu64 ", \"columns\": %" PRIu64 ", \"window\": %" PRIu64 ", \"blocks\": %" PRIu32
        ", \"threads\": %" PRIu32 ", \"bytes\": %zu}\n",
        question->number, question->of->name, is_sum ? 3 : (int)strcspn(method->id, ":"), is_sum ? "sum" : method->id,
        method->sum_format->id, of->shape.rows, of->shape.terms, window > 0 ? 0 : of->shape.columns, window,
        question->launch.blocks, question->launch.threads, bytes);
    held_pack(of->format, of->arrays[0], first, pipe->message + length);
    held_pack(of->format, of->arrays[1], second, pipe->message + length + first * of->format->bytes);
    return (size_t)length + bytes;
}

/* NULL, or what is wrong with an element of "bits". */
static const char *read_bits(const json_t *said, const struct format *result, uint64_t *bits)
{
    return json_is_string(said) ? result_read_bits(json_string_value(said), result, bits) : "is no text";
}

/* Of "value": a text is rounded once; a number is a binary64, which is rounded once. */
static const char *read_value(const json_t *said, const struct format *result, uint64_t *bits)
{
    double value = json_real_value(said);
    const char *wrong = json_is_string(said) ? read_in_format(json_string_value(said), result, &value, NULL)
                        : json_is_real(said) ? NULL
                                             : "is neither a number nor a text";
    *bits = format_bits(result, rounded_to(value, result));
    return wrong;
}

/* A result, or a list of all. */
static bool read_results(struct plugin *plugin, const struct question *question, const char *key, const json_t *said,
                         uint64_t *bits)
{
    const struct format *result = question->of->method.format;
    const uint64_t count = operation_results(question->operands->operation, question->operands->shape);
    const bool is_list = json_is_array(said);
    if ((is_list ? json_array_size(said) : 1) != count)
        return plugin_failed(plugin, "gave %zu results in \"%s\"; expected %" PRIu64,
                             is_list ? json_array_size(said) : 1, key, count);
    for (uint64_t i = 0; i < count; i++) {
        const json_t *element = is_list ? json_array_get(said, i) : said;
        const char *wrong = (*key == 'b' ? read_bits : read_value)(element, result, &bits[i]);
        if (!wrong)
            continue;
        OWNED char *text = json_dumps(element, JSON_ENCODE_ANY);
        plugin_failed(plugin, "gave in \"%s\" %.60s, which %s; expected one of %s, like %s", key, text ? text : "",
                      wrong, result->name, *key == 'b' ? "0x and its bits" : "\"0x1.8p+0\" or 1.5");
        return false;
    }
    return true;
}

static bool take(struct plugin *plugin, const struct question *question, const struct exchange *exchange,
                 const json_t *answer, uint64_t *bits, bool *refuses)
{
    const json_t *number = json_object_get(answer, "number"), *error = json_object_get(answer, "error");
    const json_t *said_bits = json_object_get(answer, "bits"), *value = json_object_get(answer, "value");
    if (number && json_number_value(number) != (double)question->number)
        return plugin_failed(plugin, "answered question %.17g in place of %" PRIu64, json_number_value(number),
                             question->number);
    *refuses = json_is_string(error);
    if (*refuses)
        return plugin_failed(plugin, "%.900s", json_string_value(error));
    if (!said_bits == !value)
        return exchange_failed(exchange, plugin, "answered without \"bits\", \"value\" or \"error\", or with both");
    return read_results(plugin, question, said_bits ? "bits" : "value", said_bits ? said_bits : value, bits);
}

static bool ask_program(struct plugin *plugin, const struct question *question, uint64_t *bits, bool *refuses)
{
    struct pipe *pipe = plugin->own;
    const size_t length = write_question(pipe, question);
    const struct operands *of = question->operands;
    const size_t most = LINE_MOST + RESULT_MOST * operation_results(of->operation, of->shape);
    if (length == 0)
        return plugin_failed(plugin, "no memory for its data");
    if (!exchange_bytes(&pipe->exchange, plugin, pipe->message, length, ONE_LINE, most, plugin->limits.seconds))
        return false;
    json_auto_t *answer = read_line(&pipe->exchange, plugin);
    return answer && take(plugin, question, &pipe->exchange, answer, bits, refuses);
}

/* From the question to the answer: the way there is a part of it. */
static bool ask(struct plugin *plugin, const struct question *question, uint64_t *bits, double *seconds, bool *refuses)
{
    struct pipe *pipe = plugin->own;
    const struct filter filter = filter_of(plugin->text);
    const double start = clock_of_wall();
    if (question->circumstances.offset > 0 || question->circumstances.is_first_in_page)
        return plugin_unable(plugin, "reads its numbers from a pipe, where they lie nowhere");
    const bool is_answered = filter.is_filter ? filter_ask(&filter, &pipe->exchange, plugin, question, bits)
                                              : ask_program(plugin, question, bits, refuses);
    *seconds = clock_of_wall() - start;
    return is_answered;
}

const struct plugin_kind plugin_kind_pipe = {"pipe", find, start, ask, stop, false};
