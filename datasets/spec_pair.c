/* Two vectors, or matrices, A::B: where they are cut apart, and what they must have in common. */
#include "datasets/files/file.h"
#include "spec_items.h"

/* How long the quotes that the text begins with are, and what is in them; 0 where none closes them. */
static size_t quoted_length(const char *text)
{
    char *copy = memory_copy(text), *rest;
    const size_t length = text_unquote(copy, &rest) ? (size_t)(rest - copy) : 0;
    free(copy);
    return length;
}

/* Whether text[at], a quote behind a colon, begins the name of an array: x.npz:"a::b", and "x.npz":"a::b". */
static bool is_array(const char *text, size_t at)
{
    OWNED char *path = text_made("%.*s", (int)(at - (at > 2 && text[at - 2] == '"' ? 2 : 1)), text);
    return file_has_arrays(path);
}

/* Quotes are around a name at the beginning, around that of an array, or around the value of an option; others are part
 * of a name. */
size_t data_text_first(const char *text)
{
    bool in_options = false;
    for (size_t at = 0; text[at] != '\0';) {
        if (strncmp(text + at, SPEC_BETWEEN, strlen(SPEC_BETWEEN)) == 0)
            return at;
        in_options = in_options || text[at] == ':';
        const bool opens = text[at] == '"' && (at == 0 || (in_options && text[at - 1] == '=') ||
                                               (text[at - 1] == ':' && is_array(text, at)));
        const size_t quoted = opens ? quoted_length(text + at) : 0;
        at += quoted > 0 ? quoted : 1;
    }
    return strlen(text);
}

static bool says(const char *text, const char *key)
{
    OWNED char *first = text_made(":%s=", key), *further = text_made(",%s=", key);
    return strstr(text, first) || strstr(text, further);
}

static void append_in_format(struct text *to, char *vector, const struct format *format, bool converts)
{
    const char *key = converts ? SPEC_CONVERT : SPEC_FORMAT;
    char *items;
    const bool is_family = spec_generator(vector, &items),
               has_items = is_family ? items != NULL : spec_file_has_options(vector);
    text_append(to, "%s", vector);
    if (!says(vector, key) && !(is_family && converts))
        text_append(to, "%c%s=%s", has_items ? ',' : ':', key, format->name);
}

char *data_text_in_format(const char *text, const struct format *format, bool converts)
{
    struct text both = {0};
    const size_t length = data_text_first(text);
    OWNED char *copy = memory_copy(text);
    copy[length] = '\0';
    append_in_format(&both, copy, format, converts);
    if (text[length] != '\0') {
        text_append(&both, SPEC_BETWEEN);
        append_in_format(&both, copy + length + strlen(SPEC_BETWEEN), format, converts);
    }
    return text_take(&both);
}

static enum status three(const struct spec_origin *origin)
{
    return bad_input("%s: \"%s\": more than two vectors or matrices; expected A" SPEC_BETWEEN
                     "B; put quotes around a name with two colons in it, or leave one out",
                     origin->where, origin->text);
}

static enum status has_order(const struct spec_origin *origin, struct ordering ordering)
{
    char text[ORDERING_TEXT];
    ordering_write(ordering, text);
    return bad_input("%s: \"%s\": %s=%s is an order of single numbers; expected none for two vectors or matrices, "
                     "whose pairs it would part; leave it out",
                     origin->where, origin->text, SPEC_ORDER, text);
}

static enum status two_formats(const struct spec_origin *origin, const char *first, const struct format *format,
                               const struct data_spec *second, const struct format *of_second)
{
    return bad_input("%s: \"%s\": %s is of %s and %s of %s; expected one format; write %s= for both", origin->where,
                     origin->text, first, format->name, second->text, of_second->name, SPEC_FORMAT);
}

static enum status one_converts(const struct spec_origin *origin)
{
    return bad_input("%s: \"%s\": %s= is given to one of the two files; expected it for both or for neither, so that "
                     "what is said of rounding is said of both; write it for both",
                     origin->where, origin->text, SPEC_CONVERT);
}

/* NULL: that stands in the file. */
static const struct format *format_of(const struct data_spec *spec)
{
    if (spec->generator)
        return spec->format;
    if (spec->options.convert)
        return spec->options.convert;
    if (file_says_format(spec->path))
        return NULL;
    return spec->options.format ? spec->options.format : &FORMAT_BINARY32;
}

enum status spec_expect_no_order(const struct spec_origin *origin, const struct data_spec *spec)
{
    if (spec->ordering.kind != GIVEN)
        return has_order(origin, spec->ordering);
    return spec->second && spec->second->ordering.kind != GIVEN ? has_order(origin, spec->second->ordering) : OK;
}

static enum status check_shapes(const struct spec_origin *origin, const struct data_spec *spec)
{
    if (spec->columns == 0 && spec->second->rows == 0)
        return OK;
    return bad_input("%s: \"%s\": %s= is given to A or %s= to B; expected them the other way round: A is rows x n, B "
                     "is n x columns; write A:%s=..." SPEC_BETWEEN "B:%s=...",
                     origin->where, origin->text, SPEC_COLUMNS, SPEC_ROWS, SPEC_ROWS, SPEC_COLUMNS);
}

/* Of a spec whose text is still that of the first vector alone. */
static enum status check(const struct spec_origin *origin, const struct data_spec *spec)
{
    const struct data_spec *second = spec->second;
    const struct format *first_format = format_of(spec), *second_format = format_of(second);
    TRY(spec_expect_no_order(origin, spec));
    TRY(check_shapes(origin, spec));
    if (spec->path && second->path && !spec->options.convert != !second->options.convert)
        return one_converts(origin);
    if (first_format && second_format && strcmp(first_format->name, second_format->name) != 0)
        return two_formats(origin, spec->text, first_format, second, second_format);
    return OK;
}

static enum status read_second(const struct spec_origin *origin, char *text, enum nonfinite nonfinite,
                               struct data_spec *spec)
{
    char *items;
    const struct generator *generator = spec_generator(text, &items);
    TRY(generator ? spec_read_second_family(origin, generator, items, spec, &spec->second)
                  : spec_read_file(origin, text, nonfinite, &spec->second));
    TRY(check(origin, spec));
    char *both = text_made("%s" SPEC_BETWEEN "%s", spec->text, spec->second->text);
    free(spec->text);
    spec->text = both;
    return OK;
}

enum status spec_read_seconds(const struct spec_origin *origin, const char *text, enum nonfinite nonfinite,
                              struct data_spec *specs, size_t count)
{
    if (text[data_text_first(text)] != '\0')
        return three(origin);
    for (size_t i = 0; i < count; i++) {
        OWNED char *copy = memory_copy(text);
        TRY(read_second(origin, copy, nonfinite, &specs[i]));
    }
    return OK;
}

enum status spec_expect_vectors(const struct data_spec *spec, const char *where)
{
    const struct data_spec *second = spec->second;
    if (spec_has_matrices(spec))
        return bad_input("%s: %s is a family of matrices; expected one of vectors; choose another, or write a row and "
                         "a column: ulpscope gen %s --witness 0,0 -o x.npy" SPEC_BETWEEN "y.npy",
                         where, spec->text, spec->text);
    if (spec->window > 0 || (second && second->window > 0))
        return bad_input("%s: %s has %s=, which is of rolling sums; leave it out, or choose the operation rolling",
                         where, spec->text, SPEC_WINDOW);
    if (spec->rows == 0 && spec->columns == 0 && (!second || second->columns == 0))
        return OK;
    return bad_input(
        "%s: %s has %s= or %s=, which are of matrices; expected vectors, which have n numbers; leave them out", where,
        spec->text, SPEC_ROWS, SPEC_COLUMNS);
}

enum status spec_expect_one_vector(const struct data_spec *spec, const char *where)
{
    TRY(spec_expect_vectors(spec, where));
    if (!spec->second)
        return OK;
    return bad_input("%s: %s holds two vectors; expected one: sums take one; leave out the second, %s", where,
                     spec->text, spec->second->text);
}

/* "gendot, ..." */
static char *families_of_pairs(void)
{
    struct text text = {0};
    size_t count;
    const struct generator *const *table = generator_table(&count);
    for (size_t i = 0; i < count; i++)
        if (table[i]->build_pairs)
            text_append(&text, "%s%s", text.length > 0 ? ", " : "", table[i]->id);
    return text_take(&text);
}

static char *example_of_second(const struct data_spec *spec)
{
    if (spec->path)
        return memory_copy("y.npy");
    const bool is_default = spec->format->precision == FORMAT_BINARY32.precision;
    return is_default ? memory_copy(spec->generator->id)
                      : text_made("%s:%s=%s", spec->generator->id, SPEC_FORMAT, spec->format->name);
}

static enum status one_vector(const struct data_spec *spec, const char *where)
{
    OWNED char *second = example_of_second(spec), *families = families_of_pairs();
    complain("%s: %s is one vector; expected two for a dot product: write %s" SPEC_BETWEEN
             "%s, or a family of pairs: %s",
             where, spec->text, spec->text, second, families);
    return BAD_INPUT;
}

static enum status expect_two_vectors(const struct data_spec *spec, const char *where)
{
    TRY(spec_expect_no_order(&(struct spec_origin){where, spec->text}, spec));
    TRY(spec_expect_vectors(spec, where));
    return spec->second || (spec->generator && spec->generator->build_pairs) ? OK : one_vector(spec, where);
}

static enum status expect_windows(const struct data_spec *spec, const char *where)
{
    struct data_spec vector = *spec;
    vector.window = 0;
    TRY(spec_expect_one_vector(&vector, where));
    if (spec->window > 0)
        return OK;
    return bad_input("%s: %s has no %s=; expected how many numbers a rolling sum is of; give it: %s=32", where,
                     spec->text, SPEC_WINDOW, SPEC_WINDOW);
}

enum status data_spec_set_kind(struct data_spec *spec, enum data_kind kind, const char *where)
{
    static enum status (*const expect[])(const struct data_spec *spec, const char *where) = {
        [ONE_VECTOR] = spec_expect_one_vector,
        [TWO_VECTORS] = expect_two_vectors,
        [TWO_MATRICES] = spec_expect_matrices,
        [VECTOR_IN_WINDOWS] = expect_windows,
    };
    TRY(expect[kind](spec, where));
    if (kind == TWO_MATRICES)
        spec_become_matrices(spec);
    spec->kind = kind;
    return OK;
}
