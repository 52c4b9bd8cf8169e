#include "generator.h"

#define ELEMENTS(id) extern const struct generator generator_##id;
#define GENERATOR(id) extern const struct generator generator_##id;
#define MATRICES(id) extern const struct generator generator_##id;
#include "generators.def"

static const struct generator *const table[] = {
#define ELEMENTS(id) &generator_##id,
#define GENERATOR(id) &generator_##id,
#include "generators.def"
};

static const struct generator *const matrices[] = {
#define MATRICES(id) &generator_##id,
#include "generators.def"
};

const struct generator *const *generator_table(size_t *count)
{
    *count = sizeof table / sizeof *table;
    return table;
}

const struct generator *const *generator_matrices(size_t *count)
{
    *count = sizeof matrices / sizeof *matrices;
    return matrices;
}

static const struct generator *find(const struct generator *const *among, size_t count, const char *id)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(among[i]->id, id) == 0)
            return among[i];
    return NULL;
}

const struct generator *generator_find(const char *id)
{
    const struct generator *vector = find(table, sizeof table / sizeof *table, id);
    return vector ? vector : find(matrices, sizeof matrices / sizeof *matrices, id);
}

struct parameter generator_n(const struct generator *generator)
{
    const double least = (double)generator->least_n, most = (double)(generator->most_n ? generator->most_n : MOST_N);
    return (struct parameter){"n",   WHOLE, generator->a ? MATRIX_N : VECTOR_N,
                              least, most,  generator->a ? "rows and columns" : "number of elements",
                              NULL};
}

static uint32_t hash_on(uint32_t hash, const char *id)
{
    for (; *id != '\0'; id++)
        hash = (hash ^ (unsigned char)*id) * 0x01000193u;
    return hash;
}

uint32_t generator_family(const char *id)
{
    return hash_on(0x811c9dc5, id);
}

uint32_t generator_second_family(const char *id)
{
    return hash_on(generator_family("second of "), id);
}

#ifdef ULPSCOPE_CUDA
#define ELEMENTS(id) extern elements_on_device id##_on_device;
#include "generators.def"

elements_on_device *generator_on_device(const struct generator *generator, const struct format *format)
{
    if (format->precision != FORMAT_BINARY32.precision)
        return NULL;
#define ELEMENTS(id)                                                                                                   \
    if (generator == &generator_##id)                                                                                  \
        return id##_on_device;
#include "generators.def"
    return NULL;
}
#else
elements_on_device *generator_on_device(const struct generator *generator, const struct format *format)
{
    (void)generator, (void)format;
    return NULL;
}
#endif

const char *generator_refuses(const struct generator *generator, const struct format *format)
{
    if (generator->refuses)
        return generator->refuses(format);
    return format->precision == FORMAT_BINARY32.precision ? NULL : "its formula is one of binary32";
}

const char *every_format(const struct format *format)
{
    (void)format;
    return NULL;
}

const char *formats_of_results(const struct format *format)
{
    return format->bytes > 1 ? NULL : "it is about additions in 16 bits and more";
}

struct parameter generator_parameter(const struct generator *generator, struct parameter row,
                                     const struct format *format)
{
    if (generator->adapt && format->precision != FORMAT_BINARY32.precision)
        generator->adapt(format, &row);
    return row;
}

void adapt_row(struct parameter *row, const char *name, double fallback, double least, double most)
{
    if (strcmp(row->name, name) != 0)
        return;
    row->fallback = fallback;
    row->least = least;
    row->most = most;
}
