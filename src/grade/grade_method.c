#include "grade_method.h"

#include "planted.h"

#include "src/base/memory.h"
#include "src/base/suggest.h"
#include "src/base/text.h"

#include <stdlib.h>
#include <string.h>

static enum status refuse_format(const char *name)
{
    const char *known[SUM_FORMATS];
    for (int f = 0; f < SUM_FORMATS; f++)
        known[f] = sum_formats[f]->id;
    return refuse_unknown(name, "format", strchr(name, '@') + 1, known, SUM_FORMATS);
}

/* The planted product of that id, which ends at the @; NULL when there is none. */
static const struct planted *planted_find(const char *id)
{
    size_t count;
    const struct planted *const table = planted_table(&count);
    for (size_t p = 0; p < count; p++)
        if (strcmp(table[p].id, id) == 0)
            return &table[p];
    return NULL;
}

static enum status refuse_method(const char *id)
{
    size_t count;
    const struct planted *const table = planted_table(&count);
    const char **known = memory_cleared(count, sizeof *known);
    for (size_t p = 0; p < count; p++)
        known[p] = table[p].id;
    const enum status status = refuse_unknown("grade", "method", id, known, count);
    free(known);
    return status;
}

enum status grade_method(const char *name, struct graded *graded)
{
    const struct sum_format *const formats = sum_format_of_method(name);
    char *const id = text_made("%.*s", (int)strcspn(name, "@"), name);
    const struct planted *const planted = planted_find(id);
    enum status status = OK;
    if (!planted)
        status = refuse_method(id);
    else if (!formats)
        status = refuse_format(name);
    else
        *graded = (struct graded){.name = name, .formats = formats, .product = planted->product};
    free(id);
    return status;
}
