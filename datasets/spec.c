#include "spec.h"

#include "../src/number.h"
#include "../src/suggest.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES_MOST = 1 + PARAMETERS_MOST, SPECS_MOST = 100000, TEXT_MOST = 512 };

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
};

/* ---- complaints ---- */

/* "a, b, c; did you mean "b"?", or what to do when nothing is near. */
static void list_words(const char *word, const char *const *known, size_t count, char text[TEXT_MOST])
{
    size_t length = 0;
    for (size_t k = 0; k < count && length < TEXT_MOST; k++)
        length += (size_t)snprintf(text + length, TEXT_MOST - length, "%s%s", k ? ", " : "", known[k]);
    const char *meant = suggest(word, known, count);
    if (length < TEXT_MOST && meant)
        snprintf(text + length, TEXT_MOST - length, "; did you mean \"%s\"?", meant);
    else if (length < TEXT_MOST)
        snprintf(text + length, TEXT_MOST - length, "; take one of these");
}

static enum status unknown_key(const struct origin *origin, const char *owner, const char *key,
                               const char *const *known, size_t count)
{
    char words[TEXT_MOST];
    list_words(key, known, count, words);
    complain("%s: \"%s\": \"%s\" is not a parameter; %s takes %s", origin->where, origin->text, key, owner, words);
    return BAD_INPUT;
}

static enum status unknown_family(const struct origin *origin, const char *word)
{
    size_t count;
    const struct generator *const *generators = generator_table(&count);
    const char **known = malloc(count * sizeof *known);
    if (!known)
        return out_of_memory("the names of the families");
    for (size_t i = 0; i < count; i++)
        known[i] = generators[i]->id;
    char words[TEXT_MOST];
    list_words(word, known, count, words);
    complain("%s: \"%s\": \"%s\" is neither a family nor a data file such as x.npy; the families are %s", origin->where,
             origin->text, word, words);
    free(known);
    return BAD_INPUT;
}

static enum status standard_input(const struct origin *origin)
{
    complain("%s: \"-\": the standard input is not read; a spec or a regular file was expected; save the "
             "numbers to a file and name that",
             origin->where);
    return BAD_INPUT;
}

static enum status twice(const struct origin *origin, const char *key)
{
    complain("%s: \"%s\": %s is given twice; once was expected; remove one, or write a sweep: %s=1..100*10",
             origin->where, origin->text, key, key);
    return BAD_INPUT;
}

static enum status no_value(const struct origin *origin, const char *item)
{
    complain("%s: \"%s\": \"%s\" has no value; key=value,key=value was expected; write a value or leave it out",
             origin->where, origin->text, item);
    return BAD_INPUT;
}

/* ---- items: key=value,key=value ---- */

typedef enum status read_item(const struct origin *origin, const char *key, const char *value, void *into);

/* Calls read_one for every key=value of the items, which are cut up. */
static enum status read_items(const struct origin *origin, char *items, read_item *read_one, void *into)
{
    for (char *item; (item = strsep(&items, ","));) {
        char *value = strchr(item, '=');
        if (!value || value == item || value[1] == '\0')
            return no_value(origin, item);
        *value++ = '\0';
        TRY(read_one(origin, item, value, into));
    }
    return OK;
}

/* ---- a family ---- */

static struct family family_of(const struct generator *generator)
{
    struct family family = {.generator = generator, .count = 1};
    const double least_n = (double)generator->least_n;
    family.axes[0].parameter = (struct parameter){"n", WHOLE, 4096, least_n, (double)MOST_N, "number of elements"};
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

/* A whole number that binary64 cannot hold is beyond every range, and so is its neighbour. */
static const char *read_whole_values(const char *text, double **values, size_t *count)
{
    uint64_t *sizes;
    const char *wrong = read_size_sweep(text, &sizes, count);
    if (wrong)
        return wrong;
    *values = malloc(*count * sizeof **values);
    for (size_t i = 0; *values && i < *count; i++)
        (*values)[i] = (double)sizes[i];
    free(sizes);
    return *values ? NULL : "does not fit in memory";
}

static enum status check_range(const struct origin *origin, const struct family *family, const struct axis *axis)
{
    const struct parameter *p = &axis->parameter;
    for (size_t i = 0; i < axis->count; i++) {
        if (axis->values[i] >= p->least && axis->values[i] <= p->most)
            continue;
        char value[NUMBER_TEXT], least[NUMBER_TEXT], most[NUMBER_TEXT];
        write_double(axis->values[i], value);
        write_double(p->least, least);
        write_double(p->most, most);
        complain("%s: \"%s\": %s=%s is out of range; %s takes %s from %s to %s; choose a value there", origin->where,
                 origin->text, p->name, value, family->generator->id, p->name, least, most);
        return BAD_INPUT;
    }
    return OK;
}

static enum status read_parameter(const struct origin *origin, const char *key, const char *value, void *into)
{
    struct family *family = into;
    struct axis *axis = find_axis(family, key);
    if (!axis) {
        const char *known[AXES_MOST];
        for (size_t a = 0; a < family->count; a++)
            known[a] = family->axes[a].parameter.name;
        return unknown_key(origin, family->generator->id, key, known, family->count);
    }
    if (axis->given)
        return twice(origin, key);
    const bool whole = axis->parameter.kind == WHOLE;
    const char *wrong = whole ? read_whole_values(value, &axis->values, &axis->count)
                              : read_real_sweep(value, &axis->values, &axis->count);
    if (wrong) {
        complain("%s: \"%s\": %s=%s %s; %s was expected; correct it", origin->where, origin->text, key, value, wrong,
                 whole ? "a size (4096, 1e6, 2Ki) or a sweep (1Ki..1Mi*32)"
                       : "a number (0.1, 1e8, 0x1p60) or a sweep (1e2..1e14*100)");
        return BAD_INPUT;
    }
    axis->given = true;
    return check_range(origin, family, axis);
}

/* As people write it: 1e8, not 1e+08 and not 100000000. */
static void shorten(char text[NUMBER_TEXT])
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
        snprintf(text + length - zeros, NUMBER_TEXT - (length - zeros), "e%zu", zeros);
}

static void write_value(enum parameter_kind kind, double value, char text[NUMBER_TEXT])
{
    if (kind == WHOLE) {
        snprintf(text, NUMBER_TEXT, "%.0f", value);
        return;
    }
    write_double(value, text);
    shorten(text);
}

/* What is given, and n always: gensum:n=4096,cond=1e8 */
static char *canonical_text(const struct family *family, const double *values)
{
    char text[TEXT_MOST], number[NUMBER_TEXT];
    size_t length = (size_t)snprintf(text, sizeof text, "%s:n=%.0f", family->generator->id, values[0]);
    for (size_t a = 1; a < family->count; a++) {
        const struct parameter *p = &family->axes[a].parameter;
        if (!family->axes[a].given)
            continue;
        write_value(p->kind, values[a], number);
        assert(length < sizeof text);
        length += (size_t)snprintf(text + length, sizeof text - length, ",%s=%s", p->name, number);
    }
    assert(length < sizeof text);
    return strdup(text);
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
        values[a] = axis->given ? axis->values[c % axis->count] : axis->parameter.fallback;
        c /= axis_length(axis);
    }
}

static enum status count_combinations(const struct origin *origin, const struct family *family, size_t *count)
{
    *count = 1;
    for (size_t a = 0; a < family->count; a++) {
        *count *= axis_length(&family->axes[a]);
        if (*count > SPECS_MOST) {
            complain("%s: \"%s\": the sweeps make more than %d combinations; at most that many were expected; take "
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

struct file_items {
    struct data_spec *spec;
    bool skip_given;
};

static enum status read_skip(const struct origin *origin, const char *value, struct file_items *items)
{
    if (items->skip_given)
        return twice(origin, "skip");
    items->skip_given = true;
    const char *wrong = read_size(value, &items->spec->options.skip);
    if (!wrong)
        return OK;
    complain("%s: \"%s\": skip=%s %s; a number of bytes was expected; correct it", origin->where, origin->text, value,
             wrong);
    return BAD_INPUT;
}

static enum status read_option(const struct origin *origin, const char *key, const char *value, void *into)
{
    static const char *const known[] = {"column", "skip"};
    struct file_items *items = into;
    struct file_options *options = &items->spec->options;
    if (strcmp(key, "skip") == 0)
        return read_skip(origin, value, items);
    if (strcmp(key, "column") != 0)
        return unknown_key(origin, "a data file", key, known, sizeof known / sizeof *known);
    if (options->column)
        return twice(origin, key);
    options->column = strdup(value);
    return options->column ? OK : out_of_memory("a column's name");
}

static char *canonical_file(const struct data_spec *spec)
{
    char *text, skip[NUMBER_TEXT] = "";
    const char *column = spec->options.column;
    if (spec->options.skip)
        snprintf(skip, sizeof skip, "skip=%" PRIu64, spec->options.skip);
    const int made = asprintf(&text, "%s%s%s%s%s%s", spec->path, column || *skip ? ":" : "", column ? "column=" : "",
                              column ? column : "", column && *skip ? "," : "", skip);
    return made < 0 ? NULL : text;
}

/* The ':' of "x.csv:column=a:b", the first that an option's name follows; else the last with a '=' behind it, which is
 * then no option's name.  NULL when there is none. */
static char *options_of(char *text)
{
    char *colon = strchr(text, ':');
    while (colon && strncmp(colon, ":column=", 8) != 0 && strncmp(colon, ":skip=", 6) != 0)
        colon = strchr(colon + 1, ':');
    if (colon)
        return colon;
    colon = strrchr(text, ':');
    return colon && strchr(colon, '=') ? colon : NULL;
}

static enum status read_file(const struct origin *origin, char *text, struct data_spec *spec)
{
    char *options = options_of(text);
    if (options)
        *options++ = '\0';
    if (!strpbrk(text, "./")) {
        text[strcspn(text, ":")] = '\0';
        return strcmp(text, "-") == 0 ? standard_input(origin) : unknown_family(origin, text);
    }
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
