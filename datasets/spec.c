#include "spec.h"

#include "spec_items.h"
#include "src/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum status data_specs_read(const char *text, const char *where, enum nonfinite nonfinite, struct data_spec **specs,
                            size_t *count)
{
    const struct spec_origin origin = {where, text};
    char *copy = memory_copy(text), *word = memory_copy(text);
    const size_t word_length = strcspn(text, ":");
    word[word_length] = '\0';
    const struct generator *generator = generator_find(word);
    char *items = text[word_length] == ':' ? copy + word_length + 1 : NULL;
    *specs = NULL;
    *count = 0;
    const enum status status = generator ? spec_read_family(&origin, generator, items, specs, count)
                                         : spec_read_file(&origin, copy, nonfinite, specs);
    if (!generator && status == OK)
        *count = 1;
    free(copy);
    free(word);
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
