#include "report.h"

bool report_colour;

#define FORMAT(id) extern const struct report_format report_##id;
#include "formats.def"

static const struct report_format *const table[] = {
#define FORMAT(id) &report_##id,
#include "formats.def"
};
enum { FORMATS = sizeof table / sizeof *table };

const struct report_format *const *report_formats(size_t *count)
{
    *count = FORMATS;
    return table;
}

const struct report_format *report_find(const char *id)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(table[i]->id, id) == 0)
            return table[i];
    return NULL;
}
