/* A data file with its options: "a b.csv":column=2,order=reversed */
#include "datasets/files/file.h"
#include "spec_items.h"

#include <ctype.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static enum status folder(const struct spec_origin *origin, const char *path)
{
    return bad_input("%s: \"%s\": is a folder; expected a family or a data file such as x.npy; name a file in it",
                     origin->where, path);
}

static enum status standard_input(const struct spec_origin *origin)
{
    return bad_input("%s: \"%s\": numbers on the standard input are taken by `ulpscope exact -` alone, which reads "
                     "them once, as text; expected a spec or a regular file; save the numbers to a file and name that",
                     origin->where, origin->text);
}

/* "x.npz:weights": the colon behind the name of a file that has arrays. */
static char *before_array(char *text)
{
    char *colon = strchr(text, ':');
    for (; colon; colon = strchr(colon + 1, ':')) {
        *colon = '\0';
        const bool has_arrays = file_has_arrays(text);
        *colon = ':';
        if (has_arrays)
            break;
    }
    return colon;
}

/* The ':' of "x.csv:column=a:b", the first that an option's name follows; else the last with a '=' behind it, which is
 * then no option's name.  NULL when there is none. */
static char *options_of(char *text)
{
    char *colon = before_array(text);
    if (colon)
        return colon;
    colon = strchr(text, ':');
    while (colon && !spec_is_file_key(colon + 1))
        colon = strchr(colon + 1, ':');
    if (colon)
        return colon;
    colon = strrchr(text, ':');
    return colon && strchr(colon, '=') ? colon : NULL;
}

/* Whether it would be read as what is between two vectors, or would make that of a colon at its end and the next, or a
 * command to GitHub's runner of a blank at its end and "::". */
static bool is_between(const char *text)
{
    return strstr(text, SPEC_BETWEEN) || (*text != '\0' && strchr(": ", text[strlen(text) - 1]));
}

void data_spec_append_value(struct text *to, const char *value)
{
    if (is_between(value))
        text_append_quoted(to, value);
    else
        text_append_value(to, value);
}

/* Whether it would be read as something else: as a family, as a file with options, as two vectors, as the beginning of
 * a quoted value, or as a word of none of them. */
static bool needs_quotes(const char *path)
{
    OWNED char *name = memory_copy(path);
    const bool has_options = options_of(name);
    name[strcspn(name, ":")] = '\0';
    const bool is_family = generator_find(name);
    return is_family || *path == '"' || !strpbrk(path, "./") || is_between(path) || strstr(path, "=\"") ||
           has_options || !is_clean_text(path);
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

/* Of the name of an array the key goes without saying: "x.npz:weights". */
static void append_option(void *context, const char *key, const char *value, bool is_text)
{
    struct spec_text *to = context;
    if (strcmp(key, "array") == 0) {
        text_append(&to->text, ":");
        to->has_items = true;
        if (*value == '\0' || *value == ':' || strchr(value, '='))
            text_append_quoted(&to->text, value);
        else
            data_spec_append_value(&to->text, value);
    } else if (is_text) {
        data_spec_append_value(spec_begin_item(to, key), value);
    } else {
        text_append(spec_begin_item(to, key), "%s", value);
    }
}

/* "x.raw:skip=16,order=reversed" */
static char *canonical_file(const struct data_spec *spec)
{
    struct spec_text text = {0};
    data_spec_append_file(&text.text, spec->path);
    data_spec_each_option(spec, append_option, &text);
    return text_take(&text.text);
}

static char *text_with_second(const struct data_spec *spec)
{
    if (!spec->second)
        return canonical_file(spec);
    OWNED char *first = canonical_file(spec);
    return text_made("%s" SPEC_BETWEEN "%s", first, spec->second->text);
}

bool data_spec_says_format(const struct data_spec *spec)
{
    return spec->generator || spec->options.format || spec->options.convert || file_says_format(spec->path);
}

static enum status note_format(void *context, const struct format *format, uint64_t most)
{
    (void)most;
    *(const struct format **)context = format;
    return NOT_MEASURED; /* no more is wanted */
}

static enum status take_nothing(void *context, const void *x, uint64_t n)
{
    (void)context, (void)x, (void)n;
    return OK;
}

enum status data_spec_stored_format(const struct data_spec *spec, const struct format **format)
{
    const struct consumer consumer = {note_format, take_nothing, format, NULL};
    struct dataset about;
    *format = spec->generator ? spec->format : spec->options.convert ? spec->options.convert : spec->options.format;
    if (*format)
        return OK;
    const enum status status = file_stream(spec->path, &spec->options, &consumer, &about);
    return *format ? OK : status;
}

bool axis_is_given(const struct file_options *options)
{
    return *options->axis != '\0' && strcmp(options->axis, "all") != 0;
}

bool data_spec_has_sums(const struct data_spec *spec)
{
    return axis_is_given(&spec->options) || (spec->second && data_spec_has_sums(spec->second));
}

/* Of one file. */
static enum status sums_of(const struct data_spec *spec, struct file_sums *sums)
{
    const struct format *format = NULL;
    const struct consumer consumer = {note_format, take_nothing, &format, NULL};
    struct file_options options = spec->options;
    struct dataset about;
    options.sums = sums;
    const enum status status = file_stream(spec->path, &options, &consumer, &about);
    return format ? OK : status;
}

enum status data_spec_sums(const struct data_spec *spec, struct file_sums *sums)
{
    const struct data_spec *second = spec->second;
    struct file_sums others;
    if (!axis_is_given(&spec->options))
        return sums_of(second, sums);
    TRY(sums_of(spec, sums));
    if (spec->kind == ONE_VECTOR || !second || !axis_is_given(&second->options))
        return OK;
    TRY(sums_of(second, &others));
    if (strcmp(sums->shape, others.shape) == 0)
        return OK;
    return bad_input("%s: the results of the first are of shape (%s), those of %s of (%s); expected one shape; correct "
                     "an axis, or leave axis= out where one array goes with all",
                     spec->text, sums->shape, second->text, others.shape);
}

char *file_sums_index(const char *shape, uint64_t number)
{
    uint64_t extents[SHAPE_TEXT], places[SHAPE_TEXT];
    size_t dimensions = 0;
    struct text text = {0};
    for (char *rest; isdigit((unsigned char)*shape) && dimensions < SHAPE_TEXT; shape = rest + strspn(rest, ", ")) {
        extents[dimensions] = strtoull(shape, &rest, 10);
        if (extents[dimensions++] == 0)
            return NULL;
    }
    if (*shape != '\0')
        return NULL;
    for (size_t d = dimensions; d-- > 0; number /= extents[d])
        places[d] = number % extents[d];
    text_append(&text, "[");
    for (size_t d = 0; d < dimensions; d++)
        text_append(&text, "%s%" PRIu64, d > 0 ? ", " : "", places[d]);
    text_append(&text, "]");
    return text_take(&text);
}

void data_spec_set_format(struct data_spec *spec, const struct format *format, bool converts)
{
    const struct format **given = converts ? &spec->options.convert : &spec->options.format;
    if (spec->second && spec->second->path)
        data_spec_set_format(spec->second, format, converts);
    if (!*given)
        *given = format;
    if (strcmp(spec->path, "-") == 0)
        return;
    free(spec->text);
    spec->text = text_with_second(spec);
}

/* "a:b.raw":skip=16 */
static enum status cut_quoted(const struct spec_origin *origin, char *text, char **options)
{
    char *rest;
    if (text_unquote(text, &rest) && *text != '\0' && (*rest == ':' || *rest == '\0')) {
        *options = *rest == ':' ? rest + 1 : NULL;
        return OK;
    }
    return bad_input(
        "%s: \"%s\": the quotes around the name of a file are not followed by a colon or the end; expected \"a b.raw\" "
        "or \"a b.raw\":skip=16; close them, or write ./ before a name that begins with a quote",
        origin->where, origin->text);
}

static bool is_file(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISDIR(facts.st_mode);
}

/* There is such a file, but its name is read as something else. */
static enum status without_quotes(const struct spec_origin *origin)
{
    struct text quoted = {0}, word = {0};
    text_append_quoted(&quoted, origin->text);
    OWNED char *name = text_take(&quoted);
    text_append_shell_word(&word, name);
    OWNED char *in_shell = text_take(&word);
    complain("%s: \"%s\": is read as something other than the file of this name; expected quotes around it; write %s, "
             "in a shell %s",
             origin->where, origin->text, name, in_shell);
    return BAD_INPUT;
}

enum status spec_no_such_file(const struct spec_origin *origin)
{
    return is_file(origin->text) ? without_quotes(origin) : OK;
}

static enum status cut_plain(const struct spec_origin *origin, char *text, char **options)
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
    return strcmp(text, "-") == 0 ? standard_input(origin) : spec_unknown_family(origin, text);
}

bool spec_file_has_options(const char *text)
{
    char *copy = memory_copy(text), *options = copy;
    const bool is_quoted = *copy == '"' && text_unquote(copy, &options);
    const bool has_options = is_quoted ? *options == ':' : options_of(copy) != NULL;
    free(copy);
    return has_options;
}

/* The first item, where it is no key=value. */
static enum status take_array(const struct spec_origin *origin, char **options, struct data_spec *spec)
{
    char *name = *options;
    if (!name || !file_has_arrays(spec->path) || (*name != '"' && name[strcspn(name, "=,")] == '='))
        return OK;
    char *rest = name + strcspn(name, ",");
    if (rest == name || (*name == '"' && (!text_unquote(name, &rest) || (*rest != ',' && *rest != '\0')))) {
        complain("%s: \"%s\": expected the name of an array behind the colon, as x.npz:weights or x.npz:\"a, b\"; "
                 "write it",
                 origin->where, origin->text);
        return BAD_INPUT;
    }
    *options = *rest == ',' ? rest + 1 : NULL;
    *rest = '\0';
    spec->options.array = memory_copy(name);
    return OK;
}

static enum status read_file(const struct spec_origin *origin, char *text, struct data_spec *spec)
{
    char *options = NULL;
    TRY(*text == '"' ? cut_quoted(origin, text, &options) : cut_plain(origin, text, &options));
    if (is_folder(text))
        return folder(origin, text);
    spec->path = memory_copy(text);
    TRY(take_array(origin, &options, spec));
    TRY(spec_read_file_options(origin, options, spec));
    spec->text = canonical_file(spec);
    return OK;
}

enum status spec_read_file(const struct spec_origin *origin, char *text, enum nonfinite nonfinite,
                           struct data_spec **spec)
{
    struct data_spec *read = memory_cleared(1, sizeof *read);
    read->options.nonfinite = nonfinite;
    const enum status status = read_file(origin, text, read);
    if (status == OK)
        *spec = read;
    else
        data_specs_free(read, 1);
    return status;
}
