#include "spec.h"

#include "spec_items.h"

const struct generator *spec_generator(char *text, char **items)
{
    char *word = memory_copy(text), *colon = strchr(text, ':');
    word[strcspn(word, ":")] = '\0';
    const struct generator *generator = generator_find(word);
    free(word);
    *items = colon ? colon + 1 : NULL;
    return generator;
}

/* `text` is cut up. */
static enum status read_first(const struct spec_origin *origin, char *text, bool has_second, enum nonfinite nonfinite,
                              struct data_spec **specs, size_t *count)
{
    char *items;
    const struct generator *generator = spec_generator(text, &items);
    if (generator)
        return spec_read_family(origin, generator, items, specs, count);
    if (has_second)
        TRY(spec_no_such_file(origin));
    TRY(spec_read_file(origin, text, nonfinite, specs));
    *count = 1;
    return OK;
}

enum status data_specs_read(const char *text, const char *where, enum nonfinite nonfinite, struct data_spec **specs,
                            size_t *count)
{
    const struct spec_origin origin = {where, text};
    const size_t length = data_text_first(text);
    const char *second = text[length] != '\0' ? text + length + strlen(SPEC_BETWEEN) : NULL;
    OWNED char *first = text_made("%.*s", (int)length, text);
    *specs = NULL;
    *count = 0;
    enum status status = read_first(&origin, first, second, nonfinite, specs, count);
    if (status == OK && second)
        status = spec_read_seconds(&origin, second, nonfinite, *specs, *count);
    if (status != OK) {
        data_specs_free(*specs, *count);
        *specs = NULL;
        *count = 0;
    }
    return status;
}

struct data_spec *data_spec_of_standard_input(enum nonfinite nonfinite)
{
    struct data_spec *spec = memory_cleared(1, sizeof *spec);
    *spec = (struct data_spec){.text = memory_copy("-"), .path = memory_copy("-"), .options.nonfinite = nonfinite};
    return spec;
}

void data_specs_free(struct data_spec *specs, size_t count)
{
    for (size_t i = 0; specs && i < count; i++) {
        free_all(specs[i].text, specs[i].path, specs[i].options.array, specs[i].options.column);
        data_specs_free(specs[i].second, 1);
    }
    free(specs);
}

bool data_spec_is_random(const struct data_spec *spec)
{
    return (spec->generator && spec->generator->random) || axis_is_given(&spec->options) ||
           (spec->second && data_spec_is_random(spec->second));
}

bool data_spec_permutes(const struct data_spec *spec)
{
    return !data_spec_is_random(spec) && spec->ordering.kind == GIVEN;
}

bool data_spec_is_formula(const struct data_spec *spec, uint64_t trial)
{
    const bool permuted = trial > 0 && data_spec_permutes(spec);
    if (spec->second || spec->kind != ONE_VECTOR)
        return false;
    return spec->generator && spec->generator->elements && spec->ordering.kind == GIVEN && !permuted;
}
