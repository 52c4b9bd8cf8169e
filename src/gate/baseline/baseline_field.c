#include "baseline_field.h"

#include "kernels/operation_word.h"
#include "reports/json_builder.h"
#include "src/base/suggest.h"
#include "src/files/output.h"

#include <pthread.h>

/* Which series have a field. */
enum presence {
    ALL,
    KERNELS, /* a replay is the same on every machine */
    FILES,   /* of data that are computed there is none */
    NONE,    /* of a metric without statistics */
};

struct field {
    const char *key;
    enum presence of;
    size_t at; /* of errors, their metric; else where it stands in struct baseline_series */
    void (*write)(FILE *file, const struct baseline_series *line, const struct field *field);
    enum status (*read)(const struct place *place, const json_t *value, const struct field *field,
                        struct baseline_series *line);
};

static const void *member(const struct baseline_series *line, const struct field *field)
{
    return (const char *)line + field->at;
}

static void *member_of(struct baseline_series *line, const struct field *field)
{
    return (char *)line + field->at;
}

/* ---- complaints ---- */

/* The line in which a text stands as JSON, 0 when it is written in another way there. */
static size_t line_of(const char *file, const char *text)
{
    json_auto_t *string = json_text(text);
    OWNED char *written = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    const char *found = written ? strstr(file, written) : NULL;
    size_t line = found ? 1 : 0;
    for (const char *p = file; found && p < found; p++)
        line += *p == '\n';
    return line;
}

/* What is missing above the series has no line, nor has a series whose name is written with other escapes. */
static void say_place(const struct place *place, struct text *said)
{
    const char *const sought = place->series ? place->series : place->key;
    const size_t line = sought ? line_of(place->text, sought) : 1;
    const char *const words[] = {place->series, place->key, place->inner};
    const char *separator = "";
    text_append(said, "%s:%zu: ", place->path, line > 0 ? line : 1);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i]) {
            text_append(said, "%s\"%s\"", separator, words[i]);
            separator = ", ";
        }
    text_append(said, "%s", *separator ? ": " : "");
}

enum status refuse_place(const struct place *place, const char *format, ...)
{
    struct text said = {0};
    va_list arguments;
    say_place(place, &said);
    va_start(arguments, format);
    text_append_of(&said, format, arguments);
    va_end(arguments);
    text_append(&said, "; take the line as the version control has it, or remove the file and save it anew");
    complain("%s", said.text);
    free(said.text);
    return BAD_INPUT;
}

static enum status refuse_key(struct place place, const char *key, const char *const *known, size_t count)
{
    const char *near = suggest(key, known, count);
    struct text keys = {0};
    for (size_t i = 0; i < count; i++)
        text_append(&keys, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", known[i]);
    OWNED char *list = text_take(&keys);
    *(place.key ? &place.inner : &place.key) = key;
    return refuse_place(&place, "is an unknown key%s%s%s; expected %s", near ? "; did you mean \"" : "",
                        near ? near : "", near ? "\"?" : "", list);
}

enum status check_keys(const struct place *place, const json_t *object, const char *const *known, size_t count)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        size_t i = 0;
        while (i < count && strcmp(known[i], key) != 0)
            i++;
        if (i == count)
            return refuse_key(*place, key, known, count);
    }
    for (size_t i = 0; i < count; i++)
        if (!json_object_get(object, known[i]))
            return refuse_place(place, "the key \"%s\" is missing; expected every key of such a line", known[i]);
    return OK;
}

/* ---- numbers: shortest decimals, which jansson does not write; what JSON has no number for is a string ---- */

static void write_number(FILE *file, double value)
{
    const char *quote = isfinite(value) ? "" : "\"";
    fprintf(file, "%s%s%s", quote, double_text(value), quote);
}

/* An error, which is no number below 0. */
static enum status read_error(const struct place *place, const json_t *value, double *error)
{
    const char *word = json_string_value(value);
    *error = json_is_number(value)              ? json_number_value(value)
             : word && strcmp(word, "nan") == 0 ? NAN
             : word && strcmp(word, "inf") == 0 ? INFINITY
                                                : -1;
    return *error < 0 ? refuse_place(place, "expected a number from 0 on, \"inf\" or \"nan\"") : OK;
}

enum status read_whole_number(const struct place *place, const json_t *value, uint64_t *number)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return refuse_place(place, "expected a whole number from 0 on");
    *number = (uint64_t)json_integer_value(value);
    return OK;
}

/* ---- fields of one value ---- */

static void write_whole(FILE *file, const struct baseline_series *line, const struct field *field)
{
    fprintf(file, "%" PRIu64, *(const uint64_t *)member(line, field));
}

static enum status read_whole(const struct place *place, const json_t *value, const struct field *field,
                              struct baseline_series *line)
{
    return read_whole_number(place, value, member_of(line, field));
}

static void write_spread(FILE *file, const struct baseline_series *line, const struct field *field)
{
    write_number(file, *(const double *)member(line, field));
}

static enum status read_spread(const struct place *place, const json_t *value, const struct field *field,
                               struct baseline_series *line)
{
    return read_error(place, value, member_of(line, field));
}

static void write_flag(FILE *file, const struct baseline_series *line, const struct field *field)
{
    fputs(*(const bool *)member(line, field) ? "true" : "false", file);
}

static enum status read_flag(const struct place *place, const json_t *value, const struct field *field,
                             struct baseline_series *line)
{
    if (!json_is_boolean(value))
        return refuse_place(place, "expected true or false");
    *(bool *)member_of(line, field) = json_is_true(value);
    return OK;
}

static void write_json_text(FILE *file, const char *text)
{
    json_auto_t *string = json_text(text);
    json_dumpf(string, file, JSON_ENCODE_ANY); /* the disk is looked at when the file is closed */
}

enum status read_json_text(const struct place *place, const json_t *value, char **text)
{
    if (!json_is_string(value))
        return refuse_place(place, "expected a text");
    *text = clean_text(json_string_value(value));
    return strcmp(*text, json_string_value(value)) == 0
               ? OK
               : refuse_place(place, "expected a text of printable characters");
}

static void write_text(FILE *file, const struct baseline_series *line, const struct field *field)
{
    write_json_text(file, *(char *const *)member(line, field));
}

static enum status read_text(const struct place *place, const json_t *value, const struct field *field,
                             struct baseline_series *line)
{
    char **text = member_of(line, field);
    free(*text);
    *text = NULL;
    return read_json_text(place, value, text);
}

static void write_hash(FILE *file, const struct baseline_series *line, const struct field *field)
{
    fprintf(file, "\"%s\"", (const char *)member(line, field));
}

static enum status read_hash(const struct place *place, const json_t *value, const struct field *field,
                             struct baseline_series *line)
{
    const char *hash = json_is_string(value) ? json_string_value(value) : "";
    if (strlen(hash) != FILE_HASH_TEXT - 1 || strspn(hash, "0123456789abcdef") != FILE_HASH_TEXT - 1)
        return refuse_place(place, "expected a SHA-256, %d digits of 0 to f", FILE_HASH_TEXT - 1);
    memcpy(member_of(line, field), hash, FILE_HASH_TEXT);
    return OK;
}

/* ---- the format and the operation: a row of their tables, by its name ---- */

static void write_format(FILE *file, const struct baseline_series *line, const struct field *field)
{
    (void)field;
    write_json_text(file, line->format->name);
}

static enum status read_format(const struct place *place, const json_t *value, const struct field *field,
                               struct baseline_series *line)
{
    (void)field;
    line->format = json_is_string(value) ? format_named(json_string_value(value)) : NULL;
    return line->format ? OK : refuse_place(place, "expected a number format such as \"%s\"", FORMAT_BINARY32.name);
}

static void write_operation(FILE *file, const struct baseline_series *line, const struct field *field)
{
    char word[OPERATION_WORD_SIZE];
    (void)field;
    write_json_text(file, operation_word(line->method, line->operation, word));
}

static enum status read_operation(const struct place *place, const json_t *value, const struct field *field,
                                  struct baseline_series *line)
{
    (void)field;
    line->operation = json_is_string(value) ? operation_named(json_string_value(value)) : OPERATIONS;
    return line->operation < OPERATIONS
               ? OK
               : refuse_place(place, "expected an operation such as \"%s\"", operation_table[OPERATION_sum].id);
}

/* ---- an error's statistics ---- */

static const struct {
    const char *key;
    enum gate_statistic statistic;
} statistics[] = {{"count", GATE_COUNT}, {"max", GATE_MAX}, {"mean", GATE_MEAN}, {"p50", GATE_P50}, {"p99", GATE_P99}};
enum { STATISTICS_OF_ERROR = sizeof statistics / sizeof *statistics };

static void write_errors(FILE *file, const struct baseline_series *line, const struct field *field)
{
    for (size_t i = 0; i < STATISTICS_OF_ERROR; i++) {
        fprintf(file, "%s\"%s\": ", i == 0 ? "{" : ", ", statistics[i].key);
        write_number(file, line->values[field->at][statistics[i].statistic]);
    }
    fputc('}', file);
}

static enum status read_statistics(struct place place, const json_t *object, double values[GATE_STATISTICS])
{
    uint64_t count = 0;
    for (size_t i = 0; i < STATISTICS_OF_ERROR; i++) {
        const enum gate_statistic statistic = statistics[i].statistic;
        const json_t *value = json_object_get(object, statistics[i].key);
        place.inner = statistics[i].key;
        if (statistic == GATE_COUNT) {
            TRY(read_whole_number(&place, value, &count));
            values[statistic] = (double)count;
        } else {
            TRY(read_error(&place, value, &values[statistic]));
        }
    }
    return OK;
}

/* A hand that lowers one of them alone is noticed. */
static enum status check_statistics(const struct place *place, const double values[GATE_STATISTICS])
{
    const bool empty = values[GATE_COUNT] == 0;
    if (empty &&
        (!isnan(values[GATE_MAX]) || !isnan(values[GATE_MEAN]) || !isnan(values[GATE_P50]) || !isnan(values[GATE_P99])))
        return refuse_place(place, "errors of no sum; expected \"nan\" where \"count\" is 0");
    if (error_order(values[GATE_P50], values[GATE_P99]) > 0 || error_order(values[GATE_P99], values[GATE_MAX]) > 0 ||
        error_order(values[GATE_MEAN], values[GATE_MAX]) > 0)
        return refuse_place(place, "expected \"p50\" up to \"p99\", and that and \"mean\" up to \"max\"");
    return OK;
}

static enum status read_errors(const struct place *place, const json_t *value, const struct field *field,
                               struct baseline_series *line)
{
    const char *keys[STATISTICS_OF_ERROR];
    for (size_t i = 0; i < STATISTICS_OF_ERROR; i++)
        keys[i] = statistics[i].key;
    if (!json_is_object(value))
        return refuse_place(place, "expected an object of \"count\", \"max\", \"mean\", \"p50\" and \"p99\"");
    TRY(check_keys(place, value, keys, STATISTICS_OF_ERROR));
    TRY(read_statistics(*place, value, line->values[field->at]));
    return check_statistics(place, line->values[field->at]);
}

/* ---- the table, by key ---- */

#define AT(member) offsetof(struct baseline_series, member)

static struct field fields[] = {
#define METRIC(id, summarised, unit, meaning) {#id, summarised ? ALL : NONE, METRIC_##id, write_errors, read_errors},
#include "src/measure/metrics.def"
    {"bits", ALL, AT(bits), write_hash, read_hash},
    {"count", ALL, AT(trials), write_whole, read_whole},
    {"device", KERNELS, AT(device), write_text, read_text},
    {"file", FILES, AT(file), write_hash, read_hash},
    {"format", ALL, 0, write_format, read_format},
    {"n", ALL, AT(n), write_whole, read_whole},
    {"nonfinite", ALL, AT(nonfinite), write_whole, read_whole},
    {"operation", ALL, 0, write_operation, read_operation},
    {"spread", ALL, AT(spread), write_spread, read_spread},
    {"toolkit", KERNELS, AT(toolkit), write_text, read_text},
    {"unstable", KERNELS, AT(unstable), write_flag, read_flag},
};
enum { FIELDS = sizeof fields / sizeof *fields };

#undef AT

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct field *)a)->key, ((const struct field *)b)->key);
}

static void sort_fields(void)
{
    qsort(fields, FIELDS, sizeof *fields, by_key);
}

static const struct field *sorted_fields(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, sort_fields);
    return fields;
}

static bool has(const struct baseline_series *line, const struct field *field)
{
    return field->of == ALL || (field->of == KERNELS && line->backend->runs_kernels) ||
           (field->of == FILES && *line->file);
}

/* {"backward_error": ...}, with the keys sorted. */
static void write_fields(FILE *file, const struct baseline_series *line)
{
    const struct field *field = sorted_fields();
    const char *before = "{";
    for (size_t i = 0; i < FIELDS; i++) {
        if (!has(line, &field[i]))
            continue;
        fprintf(file, "%s\"%s\": ", before, field[i].key);
        field[i].write(file, line, &field[i]);
        before = ", ";
    }
    fputc('}', file);
}

/* None is counted that was not summed. */
static enum status check_counts(struct place place, const struct baseline_series *line)
{
    const struct field *field = sorted_fields();
    for (size_t i = 0; i < FIELDS; i++) {
        place.key = field[i].key;
        if (field[i].read == read_errors && has(line, &field[i]) &&
            !(line->values[field[i].at][GATE_COUNT] <= (double)line->trials))
            return refuse_place(&place, "expected no more sums than the series has, %" PRIu64, line->trials);
    }
    place.key = line->trials == 0 ? "count" : "nonfinite";
    if (line->trials == 0)
        return refuse_place(&place, "expected at least one sum");
    return line->nonfinite > line->trials
               ? refuse_place(&place, "expected no more sums than the series has, %" PRIu64, line->trials)
               : OK;
}

/* Whether a line has a field: of a file it shows in the line alone. */
static bool should_have(const json_t *object, const struct baseline_series *line, const struct field *field)
{
    return field->of == FILES ? json_object_get(object, field->key) != NULL : has(line, field);
}

enum status read_fields(const struct place *above, const json_t *object, struct baseline_series *line)
{
    struct place place = *above;
    const struct field *field = sorted_fields();
    const char *keys[FIELDS];
    size_t count = 0;
    for (size_t i = 0; i < FIELDS; i++)
        if (should_have(object, line, &field[i]))
            keys[count++] = field[i].key;
    TRY(check_keys(&place, object, keys, count));
    for (size_t i = 0; i < FIELDS; i++) {
        place.key = field[i].key;
        if (should_have(object, line, &field[i]))
            TRY(field[i].read(&place, json_object_get(object, field[i].key), &field[i], line));
    }
    return check_counts(*above, line);
}

/* A line per series, so that git shows which ones changed; what is above them seldom does. */
static void write_series(FILE *file, const struct baseline_series *line)
{
    OWNED char *name = baseline_name(line);
    write_json_text(file, name);
    fputs(": ", file);
    write_fields(file, line);
}

static void write_all(FILE *file, const struct baseline *baseline)
{
    fprintf(file, "{\n\"schema\": \"ulpscope-baseline/2\",\n\"seed\": %" PRIu64 ",\n\"title\": ", baseline->seed);
    write_json_text(file, baseline->title);
    fputs(",\n\"series\": {", file);
    for (size_t i = 0; i < baseline->count; i++) {
        fputs(i == 0 ? "\n" : ",\n", file);
        write_series(file, &baseline->series[i]);
    }
    fputs("\n}\n}\n", file);
}

enum status baseline_write(const struct baseline *baseline, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    write_all(out.file, baseline);
    return output_close(&out);
}
