#include "spec.h"

#include "src/base/clean_text.h"
#include "src/base/number.h"
#include "src/base/suggest.h"
#include "src/base/text.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { AXES_MOST = 1 + PARAMETERS_MOST, SPECS_MOST = 100000 };

static const char order_key[] = "order";

/* What is being read, for the complaints: --data: "uniform:n=x": ... */
struct origin {
    const char *where, *text;
};

/* A parameter and the values that it takes.  n is the first axis of every family. */
struct axis {
    struct parameter parameter;
    bool given;
    double *values; /* NULL: the fallback alone */
    size_t count;
};

struct family {
    const struct generator *generator;
    struct axis axes[AXES_MOST];
    size_t count;
    struct ordering ordering;
    bool ordering_given;
};

/* ---- complaints ---- */

static enum status unknown_key(const struct origin *origin, const char *owner, const char *key,
                               const char *const *known, size_t count)
{
    char words[WRONG_TEXT];
    parameter_list_words(key, known, count, words);
    complain("%s: \"%s\": \"%s\" is not a parameter; %s takes %s", origin->where, origin->text, key, owner, words);
    return BAD_INPUT;
}

static enum status waiting_family(const struct origin *origin, const struct waiting_family *family)
{
    complain("%s: \"%s\": the family %s is not built: it waits for %s; see `ulpscope list generators` for the others",
             origin->where, origin->text, family->id, family->waits_for);
    return BAD_INPUT;
}

static enum status unknown_family(const struct origin *origin, const char *word)
{
    size_t count, waiting_count;
    const struct waiting_family *waiting = waiting_families(&waiting_count);
    for (size_t i = 0; i < waiting_count; i++)
        if (strcmp(waiting[i].id, word) == 0)
            return waiting_family(origin, &waiting[i]);
    const struct generator *const *generators = generator_table(&count);
    const char **known = malloc(count * sizeof *known);
    if (!known)
        return out_of_memory("the names of the families");
    for (size_t i = 0; i < count; i++)
        known[i] = generators[i]->id;
    const char *near = suggest(word, known, count);
    complain("%s: \"%s\": expected a family of data or a file such as x.npy; found \"%s\"%s%s%s; see `ulpscope list "
             "generators`",
             origin->where, origin->text, word, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    free(known);
    return BAD_INPUT;
}

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static enum status folder(const struct origin *origin, const char *path)
{
    complain("%s: \"%s\": is a folder; expected a family or a data file such as x.npy; name a file in it",
             origin->where, path);
    return BAD_INPUT;
}

static enum status standard_input(const struct origin *origin)
{
    complain("%s: \"%s\": numbers on the standard input are taken by `ulpscope exact -` alone, which reads them once, "
             "as text; expected a spec or a regular file; save the numbers to a file and name that",
             origin->where, origin->text);
    return BAD_INPUT;
}

static enum status twice(const struct origin *origin, const char *key)
{
    complain("%s: \"%s\": %s is given twice; expected once; remove one", origin->where, origin->text, key);
    return BAD_INPUT;
}

/* Of a number, which several values can be meant for. */
static enum status number_twice(const struct origin *origin, const char *key)
{
    complain("%s: \"%s\": %s is given twice; expected once; remove one, or write a sweep: %s=1..100*10", origin->where,
             origin->text, key, key);
    return BAD_INPUT;
}

static enum status no_value(const struct origin *origin, const char *item)
{
    complain("%s: \"%s\": \"%s\" has no value; expected key=value,key=value; write a value or leave it out",
             origin->where, origin->text, item);
    return BAD_INPUT;
}

/* ---- items: key=value,key=value ---- */

typedef enum status read_item(const struct origin *origin, const char *key, const char *value, void *into);

/* Reads an escape that text_append_quoted writes: the bytes that it stands for, their number, and its end.  0: it is no
 * escape, and the backslash is a backslash. */
static size_t read_escape(const char *from, char bytes[4], const char **end)
{
    static const char names[] = "tnr\\", named[] = "\t\n\r\\";
    const char *name = from[1] ? strchr(names, from[1]) : NULL;
    const bool is_long = from[1] == 'u';
    const size_t digits = is_long ? 4 : 2;
    char hex[5] = "";
    *end = from + 2;
    if (name) {
        bytes[0] = named[name - names];
        return 1;
    }
    if (from[1] != 'x' && !is_long)
        return 0;
    memccpy(hex, from + 2, '\0', digits);
    const unsigned code = (unsigned)strtoul(hex, NULL, 16);
    if (strspn(hex, "0123456789abcdefABCDEF") != digits || code < (is_long ? 0x80 : 1))
        return 0;
    *end += digits;
    bytes[0] = (char)code;
    if (!is_long)
        return 1;
    const size_t count = code < 0x800 ? 2 : 3;
    bytes[0] = (char)(count == 2 ? 0xc0 | code >> 6 : 0xe0 | code >> 12);
    bytes[count - 2] = (char)(count == 2 ? (unsigned char)bytes[0] : 0x80 | (code >> 6 & 0x3f));
    bytes[count - 1] = (char)(0x80 | (code & 0x3f));
    return count;
}

/* Takes the quotes off a text, "a,b" or "say ""x"" or \xff", in place; *rest is what follows it.  false: none closes
 * it. */
static bool unquote(char *text, char **rest)
{
    char *to = text;
    for (char *from = text + 1; *from != '\0'; from++) {
        char bytes[4];
        const char *end;
        const size_t count = *from == '\\' ? read_escape(from, bytes, &end) : 0;
        if (count > 0) {
            to = mempcpy(to, bytes, count);
            from += end - from - 1;
            continue;
        }
        if (*from == '"' && *++from != '"') {
            *to = '\0';
            *rest = from;
            return true;
        }
        *to++ = *from;
    }
    return false;
}

static enum status not_closed(const struct origin *origin, const char *key)
{
    complain(
        "%s: \"%s\": the quotes around %s are not followed by a comma or the end; expected %s=\"a, b\"; close them",
        origin->where, origin->text, key, key);
    return BAD_INPUT;
}

/* Calls read_one for every key=value of the items, which are cut up. */
static enum status read_items(const struct origin *origin, char *items, read_item *read_one, void *into)
{
    while (items) {
        char *item = items, *rest = item + strcspn(item, "=,");
        char *value = *rest == '=' ? rest + 1 : NULL;
        if (value && *value == '"') {
            if (!unquote(value, &rest) || (*rest != ',' && *rest != '\0'))
                return not_closed(origin, (*strchr(item, '=') = '\0', item));
        } else {
            rest += strcspn(rest, ",");
        }
        items = *rest == ',' ? rest + 1 : NULL;
        *rest = '\0';
        if (!value || value == item + 1 || *value == '\0')
            return no_value(origin, item);
        value[-1] = '\0';
        TRY(read_one(origin, item, value, into));
    }
    return OK;
}

/* order=...: of families and files alike. */
static enum status read_ordering(const struct origin *origin, const char *value, struct ordering *ordering, bool *given)
{
    if (*given)
        return twice(origin, order_key);
    *given = true;
    char wrong[WRONG_TEXT];
    if (ordering_read(value, ordering, wrong))
        return OK;
    complain("%s: \"%s\": %s=%s %s", origin->where, origin->text, order_key, value, wrong);
    return BAD_INPUT;
}

/* ---- a family ---- */

static struct family family_of(const struct generator *generator)
{
    struct family family = {.generator = generator, .count = 1};
    family.axes[0].parameter = generator_n(generator);
    for (const struct parameter *p = generator->parameters; p->name; p++) {
        assert(family.count < AXES_MOST);
        family.axes[family.count++].parameter = *p;
    }
    return family;
}

static void family_free(struct family *family)
{
    for (size_t a = 0; a < family->count; a++)
        free(family->axes[a].values);
}

static struct axis *find_axis(struct family *family, const char *key)
{
    for (size_t a = 0; a < family->count; a++)
        if (strcmp(family->axes[a].parameter.name, key) == 0)
            return &family->axes[a];
    return NULL;
}

static enum status read_parameter(const struct origin *origin, const char *key, const char *value, void *into)
{
    struct family *family = into;
    struct axis *axis = find_axis(family, key);
    char wrong[WRONG_TEXT];
    if (strcmp(key, order_key) == 0)
        return read_ordering(origin, value, &family->ordering, &family->ordering_given);
    if (!axis) {
        const char *known[AXES_MOST + 1];
        for (size_t a = 0; a < family->count; a++)
            known[a] = family->axes[a].parameter.name;
        known[family->count] = order_key;
        return unknown_key(origin, family->generator->id, key, known, family->count + 1);
    }
    if (axis->given)
        return (parameter_is_number(&axis->parameter) ? number_twice : twice)(origin, key);
    if (!parameter_read(&axis->parameter, value, &axis->values, &axis->count, wrong)) {
        complain("%s: \"%s\": %s=%s %s", origin->where, origin->text, key, value, wrong);
        return BAD_INPUT;
    }
    axis->given = true;
    return OK;
}

/* What is given, and n always: gensum:n=4096,cond=1e8 */
static char *canonical_text(const struct family *family, const double *values)
{
    struct text text = {0};
    char value[PARAMETER_TEXT], ordering[ORDERING_TEXT];
    text_append(&text, "%s:n=%.0f", family->generator->id, values[0]);
    for (size_t a = 1; a < family->count; a++) {
        const struct parameter *p = &family->axes[a].parameter;
        if (!family->axes[a].given)
            continue;
        parameter_write(p, values[a], value);
        text_append(&text, ",%s=%s", p->name, value);
    }
    ordering_write(family->ordering, ordering);
    if (family->ordering.kind != GIVEN)
        text_append(&text, ",%s=%s", order_key, ordering);
    return text_take(&text);
}

static size_t axis_length(const struct axis *axis)
{
    return axis->given ? axis->count : 1;
}

/* The values of combination number c, the last axis fastest. */
static void combination(const struct family *family, size_t c, double values[AXES_MOST])
{
    for (size_t a = family->count; a-- > 0;) {
        const struct axis *axis = &family->axes[a];
        values[a] = axis->given ? axis->values[c % axis->count] : parameter_fallback(&axis->parameter);
        c /= axis_length(axis);
    }
}

static enum status count_combinations(const struct origin *origin, const struct family *family, size_t *count)
{
    *count = 1;
    for (size_t a = 0; a < family->count; a++) {
        *count *= axis_length(&family->axes[a]);
        if (*count > SPECS_MOST) {
            complain("%s: \"%s\": the sweeps make more than %d combinations; expected at most that many; take "
                     "larger factors",
                     origin->where, origin->text, SPECS_MOST);
            return BAD_INPUT;
        }
    }
    return OK;
}

static enum status expand(const struct family *family, size_t count, struct data_spec **specs)
{
    struct data_spec *list = calloc(count, sizeof *list);
    if (!list)
        return out_of_memory("data specs");
    for (size_t c = 0; c < count; c++) {
        double values[AXES_MOST];
        combination(family, c, values);
        list[c].generator = family->generator;
        list[c].ordering = family->ordering;
        list[c].n = (uint64_t)values[0];
        memcpy(list[c].values, values + 1, (family->count - 1) * sizeof *values);
        list[c].text = canonical_text(family, values);
        if (!list[c].text) {
            data_specs_free(list, count);
            return out_of_memory("data specs");
        }
    }
    *specs = list;
    return OK;
}

/* items: what follows the ':', or NULL. */
static enum status read_family(const struct origin *origin, const struct generator *generator, char *items,
                               struct data_spec **specs, size_t *count)
{
    enum status status = OK;
    struct family family = family_of(generator);
    if (items)
        TRY_DONE(read_items(origin, items, read_parameter, &family));
    TRY_DONE(count_combinations(origin, &family, count));
    TRY_DONE(expand(&family, *count, specs));
done:
    family_free(&family);
    return status;
}

/* ---- a file ---- */

static const char *const file_keys[] = {"column", "delimiter", "skip", order_key};
enum { FILE_KEYS = sizeof file_keys / sizeof *file_keys };

struct file_items {
    struct data_spec *spec;
    bool skip_given, ordering_given;
};

static enum status read_skip(const struct origin *origin, const char *value, struct file_items *items)
{
    if (items->skip_given)
        return twice(origin, "skip");
    items->skip_given = true;
    const char *wrong = read_size(value, &items->spec->options.skip);
    if (!wrong)
        return OK;
    complain("%s: \"%s\": skip=%s %s; expected a number of bytes; correct it", origin->where, origin->text, value,
             wrong);
    return BAD_INPUT;
}

static enum status read_delimiter(const struct origin *origin, const char *value, char *delimiter)
{
    if (*delimiter != '\0')
        return twice(origin, "delimiter");
    *delimiter = strcmp(value, "tab") == 0 ? '\t' : *value;
    if (*delimiter == '\t' || (value[1] == '\0' && ispunct((unsigned char)*value) && !strchr("\"'+-._", *value)))
        return OK;
    complain("%s: \"%s\": delimiter=%s is none that separates numbers; expected tab or one of ; | : and the like; "
             "correct it",
             origin->where, origin->text, value);
    return BAD_INPUT;
}

static enum status read_option(const struct origin *origin, const char *key, const char *value, void *into)
{
    struct file_items *items = into;
    struct file_options *options = &items->spec->options;
    if (strcmp(key, order_key) == 0)
        return read_ordering(origin, value, &items->spec->ordering, &items->ordering_given);
    if (strcmp(key, "skip") == 0)
        return read_skip(origin, value, items);
    if (strcmp(key, "delimiter") == 0)
        return read_delimiter(origin, value, &options->delimiter);
    if (strcmp(key, "column") != 0)
        return unknown_key(origin, "a data file", key, file_keys, FILE_KEYS);
    if (options->column)
        return twice(origin, key);
    options->column = strdup(value);
    return options->column ? OK : out_of_memory("a column's name");
}

static bool starts_an_option(const char *colon)
{
    for (size_t i = 0; i < FILE_KEYS; i++) {
        const size_t length = strlen(file_keys[i]);
        if (strncmp(colon + 1, file_keys[i], length) == 0 && colon[1 + length] == '=')
            return true;
    }
    return false;
}

/* The ':' of "x.csv:column=a:b", the first that an option's name follows; else the last with a '=' behind it, which is
 * then no option's name.  NULL when there is none. */
static char *options_of(const char *text)
{
    char *colon = strchr(text, ':');
    while (colon && !starts_an_option(colon))
        colon = strchr(colon + 1, ':');
    if (colon)
        return colon;
    colon = strrchr(text, ':');
    return colon && strchr(colon, '=') ? colon : NULL;
}

/* Whether it would be read as something else: as a family, as a file with options, or as a word of neither; or would
 * make " ::" of a colon at its end and that of its options. */
static bool needs_quotes(const char *path)
{
    char *name = text_made("%.*s", (int)strcspn(path, ":"), path);
    const bool is_family = generator_find(name);
    free(name);
    return is_family || *path == '"' || !strpbrk(path, "./") || path[strlen(path) - 1] == ':' || options_of(path) ||
           !is_clean_text(path);
}

/* A spreadsheet takes such a beginning for a formula, and a command for an option or for an exclusion. */
static bool needs_folder(const char *path)
{
    return strchr("=+-@!", *path) != NULL;
}

void data_spec_append_file(struct text *to, const char *path)
{
    if (needs_quotes(path))
        text_append_quoted(to, path);
    else
        text_append(to, "%s%s", needs_folder(path) ? "./" : "", path);
}

/* "x.raw:skip=16,order=reversed" */
static char *canonical_file(const struct data_spec *spec)
{
    struct text text = {0};
    char ordering[ORDERING_TEXT], separator = ':';
    data_spec_append_file(&text, spec->path);
    if (spec->options.column) {
        text_append(&text, "%ccolumn=", separator);
        text_append_value(&text, spec->options.column);
        separator = ',';
    }
    if (spec->options.delimiter) {
        const char delimiter[] = {spec->options.delimiter, '\0'};
        text_append(&text, "%cdelimiter=", separator);
        text_append_value(&text, *delimiter == '\t' ? "tab" : delimiter);
        separator = ',';
    }
    if (spec->options.skip) {
        text_append(&text, "%cskip=%" PRIu64, separator, spec->options.skip);
        separator = ',';
    }
    ordering_write(spec->ordering, ordering);
    if (spec->ordering.kind != GIVEN)
        text_append(&text, "%c%s=%s", separator, order_key, ordering);
    return text_take(&text);
}

/* "a:b.raw":skip=16 */
static enum status cut_quoted(const struct origin *origin, char *text, char **options)
{
    char *rest;
    if (unquote(text, &rest) && *text != '\0' && (*rest == ':' || *rest == '\0')) {
        *options = *rest == ':' ? rest + 1 : NULL;
        return OK;
    }
    complain("%s: \"%s\": the quotes around the name of a file are not followed by a colon or the end; expected \"a "
             "b.raw\" or \"a b.raw\":skip=16; close them, or write ./ before a name that begins with a quote",
             origin->where, origin->text);
    return BAD_INPUT;
}

static bool is_file(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISDIR(facts.st_mode);
}

/* There is such a file, but its name is read as something else. */
static enum status without_quotes(const struct origin *origin)
{
    struct text quoted = {0}, word = {0};
    text_append_quoted(&quoted, origin->text);
    char *name = text_take(&quoted);
    text_append_shell_word(&word, name);
    char *in_shell = text_take(&word);
    complain(
        "%s: \"%s\": is read as something other than the file of this name; expected quotes around it; write %s, in "
        "a shell %s",
        origin->where, origin->text, name, in_shell);
    free(name);
    free(in_shell);
    return BAD_INPUT;
}

static enum status cut_plain(const struct origin *origin, char *text, char **options)
{
    *options = options_of(text);
    if (*options)
        *(*options)++ = '\0';
    const bool is_plain = !*options && strpbrk(text, "./");
    if (!is_plain && !is_file(text) && is_file(origin->text))
        return without_quotes(origin);
    if (is_folder(text) || strpbrk(text, "./"))
        return OK;
    text[strcspn(text, ":")] = '\0';
    return strcmp(text, "-") == 0 ? standard_input(origin) : unknown_family(origin, text);
}

static enum status read_file(const struct origin *origin, char *text, struct data_spec *spec)
{
    char *options = NULL;
    TRY(*text == '"' ? cut_quoted(origin, text, &options) : cut_plain(origin, text, &options));
    if (is_folder(text))
        return folder(origin, text);
    struct file_items items = {.spec = spec};
    spec->path = strdup(text);
    if (!spec->path)
        return out_of_memory("a file name");
    if (options)
        TRY(read_items(origin, options, read_option, &items));
    spec->text = canonical_file(spec);
    return spec->text ? OK : out_of_memory("a data spec");
}

/* ---- the whole ---- */

static enum status read_file_spec(const struct origin *origin, char *text, enum nonfinite nonfinite,
                                  struct data_spec **specs, size_t *count)
{
    struct data_spec *spec = calloc(1, sizeof *spec);
    if (!spec)
        return out_of_memory("a data spec");
    spec->options.nonfinite = nonfinite;
    const enum status status = read_file(origin, text, spec);
    if (status != OK) {
        data_specs_free(spec, 1);
        return status;
    }
    *specs = spec;
    *count = 1;
    return OK;
}

enum status data_specs_read(const char *text, const char *where, enum nonfinite nonfinite, struct data_spec **specs,
                            size_t *count)
{
    const struct origin origin = {where, text};
    *specs = NULL;
    *count = 0;
    char *copy = strdup(text), *word = strdup(text);
    if (!copy || !word) {
        free(copy);
        free(word);
        return out_of_memory("a data spec");
    }
    const size_t word_length = strcspn(text, ":");
    word[word_length] = '\0';
    const struct generator *generator = generator_find(word);
    char *items = text[word_length] == ':' ? copy + word_length + 1 : NULL;
    const enum status status = generator ? read_family(&origin, generator, items, specs, count)
                                         : read_file_spec(&origin, copy, nonfinite, specs, count);
    if (status != OK)
        *count = 0;
    free(copy);
    free(word);
    return status;
}

enum status data_spec_of_standard_input(enum nonfinite nonfinite, struct data_spec **spec)
{
    *spec = calloc(1, sizeof **spec);
    if (!*spec)
        return out_of_memory("a data spec");
    **spec = (struct data_spec){.text = strdup("-"), .path = strdup("-"), .options.nonfinite = nonfinite};
    if ((*spec)->text && (*spec)->path)
        return OK;
    data_specs_free(*spec, 1);
    return out_of_memory("a data spec");
}

void data_specs_free(struct data_spec *specs, size_t count)
{
    for (size_t i = 0; specs && i < count; i++) {
        free(specs[i].text);
        free(specs[i].path);
        free(specs[i].options.column);
    }
    free(specs);
}

bool data_spec_is_random(const struct data_spec *spec)
{
    return spec->generator && spec->generator->random;
}

bool data_spec_permutes(const struct data_spec *spec)
{
    return !data_spec_is_random(spec) && spec->ordering.kind == GIVEN;
}

bool data_spec_is_formula(const struct data_spec *spec, uint64_t trial)
{
    const bool permuted = trial > 0 && data_spec_permutes(spec);
    return spec->generator && spec->generator->elements && spec->ordering.kind == GIVEN && !permuted;
}
