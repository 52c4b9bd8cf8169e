/* A family of data with its parameters: gensum:n=4096,cond=1e4..1e12*100 */
#include "spec_items.h"
#include "src/base/suggest.h"

#include <assert.h>

/* n is the first axis of every family; rows and columns, of matrices, and window are the last three. */
enum { SHAPE_AXES = 3, AXES_MOST = 1 + PARAMETERS_MOST + SHAPE_AXES, SPECS_MOST = 100000 };

/* A parameter and the values that it takes. */
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
    const struct format *format;
    bool is_second; /* of two vectors or matrices: without an n of its own */
};

enum status spec_unknown_family(const struct spec_origin *origin, const char *word)
{
    size_t vectors, all;
    const struct generator *const *generators = generator_table(&vectors), *const *matrices = generator_matrices(&all);
    all += vectors;
    OWNED const char **known = memory_cleared(all, sizeof *known);
    for (size_t i = 0; i < all; i++)
        known[i] = i < vectors ? generators[i]->id : matrices[i - vectors]->id;
    const char *near = suggest(word, known, all);
    complain("%s: \"%s\": expected a family of data or a file such as x.npy; found \"%s\"%s%s%s; see `ulpscope list "
             "generators`",
             origin->where, origin->text, word, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return BAD_INPUT;
}

/* Of a number, which several values can be meant for. */
static enum status number_twice(const struct spec_origin *origin, const char *key)
{
    return bad_input("%s: \"%s\": %s is given twice; expected once; remove one, or write a sweep: %s=1..100*10",
                     origin->where, origin->text, key, key);
}

static enum status serves(const struct spec_origin *origin, const struct generator *generator,
                          const struct format *format)
{
    const char *why = generator_refuses(generator, format);
    if (!why)
        return OK;
    return bad_input("%s: \"%s\": %s has no numbers of %s: %s; see `ulpscope list generators %s`", origin->where,
                     origin->text, generator->id, format->name, why, generator->id);
}

static enum status n_of_second(const struct spec_origin *origin, const char *value)
{
    return bad_input("%s: \"%s\": n=%s is given to the second vector; expected none: it has as many numbers as the "
                     "first; leave it out",
                     origin->where, origin->text, value);
}

static enum status sweep_of_second(const struct spec_origin *origin, const char *key)
{
    return bad_input("%s: \"%s\": %s takes several values in the second vector; expected one: sweeps are of the first; "
                     "write one value",
                     origin->where, origin->text, key);
}

static enum status second_of_n(const struct spec_origin *origin, const struct family *second, uint64_t n)
{
    const struct parameter *row = &second->axes[0].parameter;
    if ((double)n >= row->least && (double)n <= row->most)
        return OK;
    return bad_input("%s: \"%s\": the first vector has n=%llu; expected %.0f to %.0f, which %s takes as the second; "
                     "choose such an n",
                     origin->where, origin->text, (unsigned long long)n, row->least, row->most, second->generator->id);
}

/* 0: they are not given. */
static const struct parameter shape_parameters[SHAPE_AXES] = {
    {SPEC_ROWS, WHOLE, 0, 1, (double)(1ull << 40), "rows of A", NULL},
    {SPEC_COLUMNS, WHOLE, 0, 1, (double)(1ull << 40), "columns of B", NULL},
    {SPEC_WINDOW, WHOLE, 0, 1, (double)(1ull << 40), "numbers of a window", NULL},
};

static struct family family_of(const struct generator *generator, const struct format *format)
{
    struct family family = {.generator = generator, .count = 1, .format = format};
    family.axes[0].parameter = generator_parameter(generator, generator_n(generator), format);
    for (const struct parameter *p = generator->parameters; p->name; p++) {
        assert(family.count < AXES_MOST - SHAPE_AXES);
        family.axes[family.count++].parameter = generator_parameter(generator, *p, format);
    }
    for (size_t s = 0; s < SHAPE_AXES; s++)
        family.axes[family.count++].parameter = shape_parameters[s];
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

/* The format comes first, wherever it stands: it decides which values a parameter takes. */
static enum status read_format(const struct spec_origin *origin, const char *key, const char *value, void *into)
{
    return strcmp(key, SPEC_FORMAT) == 0 ? spec_read_format(origin, key, value, into) : OK;
}

static enum status read_parameter(const struct spec_origin *origin, const char *key, const char *value, void *into)
{
    struct family *family = into;
    struct axis *axis = find_axis(family, key);
    char wrong[WRONG_TEXT];
    if (strcmp(key, SPEC_ORDER) == 0)
        return spec_read_ordering(origin, value, &family->ordering, &family->ordering_given);
    if (strcmp(key, SPEC_FORMAT) == 0) /* has been read */
        return OK;
    if (!axis) {
        const char *known[AXES_MOST + 2]; /* order and format, too */
        size_t count = 0;
        for (size_t a = family->is_second ? 1 : 0; a < family->count - SHAPE_AXES; a++)
            known[count++] = family->axes[a].parameter.name;
        known[count++] = SPEC_ORDER;
        known[count++] = SPEC_FORMAT;
        known[count++] = SPEC_ROWS;
        known[count++] = SPEC_COLUMNS;
        known[count++] = SPEC_WINDOW;
        return spec_unknown_key(origin, family->generator->id, key, known, count);
    }
    if (family->is_second && axis == family->axes)
        return n_of_second(origin, value);
    if (axis->given)
        return (parameter_is_number(&axis->parameter) ? number_twice : spec_twice)(origin, key);
    if (!parameter_read(&axis->parameter, value, &axis->values, &axis->count, wrong))
        return bad_input("%s: \"%s\": %s=%s %s", origin->where, origin->text, key, value, wrong);
    axis->given = true;
    return family->is_second && axis->count > 1 ? sweep_of_second(origin, key) : OK;
}

/* What is given, and n always, but for a second vector: gensum:n=4096,cond=1e8 */
static char *canonical_text(const struct family *family, const double *values)
{
    struct spec_text text = {0};
    char value[PARAMETER_TEXT], ordering[ORDERING_TEXT];
    text_append(&text.text, "%s", family->generator->id);
    snprintf(value, sizeof value, "%.0f", values[0]);
    if (!family->is_second)
        text_append(spec_begin_item(&text, "n"), "%s", value);
    for (size_t a = 1; a < family->count; a++) {
        const struct parameter *p = &family->axes[a].parameter;
        if (!family->axes[a].given)
            continue;
        parameter_write(p, values[a], value);
        text_append(spec_begin_item(&text, p->name), "%s", value);
    }
    if (family->format->precision != FORMAT_BINARY32.precision)
        text_append(spec_begin_item(&text, SPEC_FORMAT), "%s", family->format->name);
    ordering_write(family->ordering, ordering);
    if (family->ordering.kind != GIVEN)
        text_append(spec_begin_item(&text, SPEC_ORDER), "%s", ordering);
    return text_take(&text.text);
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

static enum status count_combinations(const struct spec_origin *origin, const struct family *family, size_t *count)
{
    *count = 1;
    for (size_t a = 0; a < family->count; a++) {
        *count *= axis_length(&family->axes[a]);
        if (*count > SPECS_MOST)
            return bad_input("%s: \"%s\": the sweeps make more than %d combinations; expected at most that many; take "
                             "larger factors",
                             origin->where, origin->text, SPECS_MOST);
    }
    return OK;
}

static struct data_spec *expand(const struct family *family, size_t count)
{
    struct data_spec *list = memory_cleared(count, sizeof *list);
    for (size_t c = 0; c < count; c++) {
        double values[AXES_MOST];
        combination(family, c, values);
        list[c].generator = family->generator;
        list[c].ordering = family->ordering;
        list[c].format = family->format;
        list[c].n = (uint64_t)values[0];
        list[c].n_given = family->axes[0].given;
        memcpy(list[c].values, values + 1, (family->count - 1 - SHAPE_AXES) * sizeof *values);
        list[c].rows = (uint64_t)values[family->count - 3];
        list[c].columns = (uint64_t)values[family->count - 2];
        list[c].window = (uint64_t)values[family->count - 1];
        list[c].text = canonical_text(family, values);
    }
    return list;
}

/* *family is to be freed, also after a failure. */
static enum status read_items(const struct spec_origin *origin, const struct generator *generator, char *items,
                              bool is_second, struct family *family)
{
    const struct format *format = NULL;
    char *copy = items ? memory_copy(items) : NULL;
    const enum status status = spec_read_items(origin, copy, read_format, &format);
    free(copy);
    if (!format)
        format = &FORMAT_BINARY32;
    *family = family_of(generator, format);
    family->is_second = is_second;
    TRY(status);
    TRY(serves(origin, generator, format));
    return spec_read_items(origin, items, read_parameter, family);
}

enum status spec_read_family(const struct spec_origin *origin, const struct generator *generator, char *items,
                             struct data_spec **specs, size_t *count)
{
    FREED_BY(family_free) struct family family = {0};
    size_t combinations;
    *count = 0;
    TRY(read_items(origin, generator, items, false, &family));
    TRY(count_combinations(origin, &family, &combinations));
    *specs = expand(&family, *count = combinations);
    return OK;
}

enum status spec_read_second_family(const struct spec_origin *origin, const struct generator *generator, char *items,
                                    const struct data_spec *first, struct data_spec **spec)
{
    FREED_BY(family_free) struct family family = {0};
    TRY(read_items(origin, generator, items, true, &family));
    if (first->generator)
        TRY(second_of_n(origin, &family, first->n));
    *spec = expand(&family, 1);
    (*spec)->n = first->n;
    return OK;
}
