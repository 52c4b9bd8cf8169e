#include "report.h"

#include <string.h>

bool report_colour;

#define FORMAT(id) extern const struct report_format report_##id;
#include "formats.def"
#undef FORMAT

enum {
#define FORMAT(id) FORMAT_##id,
#include "formats.def"
#undef FORMAT
    FORMATS
};

/* The rows live in files of their own, and C has no constant that copies them; so the table is filled at first use. */
const struct report_format *report_formats(size_t *count)
{
    static struct report_format table[FORMATS];
    if (!table[0].id) {
#define FORMAT(id) table[FORMAT_##id] = report_##id;
#include "formats.def"
#undef FORMAT
    }
    *count = FORMATS;
    return table;
}

const struct report_format *report_find(const char *id)
{
    size_t count;
    const struct report_format *formats = report_formats(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(formats[i].id, id) == 0)
            return &formats[i];
    return NULL;
}

bool report_is_folder(const struct report_format *format)
{
    return format->file_name && format->file_name[strlen(format->file_name) - 1] == '/';
}
