#include "grade_method.h"

#include "planted.h"

#include "kernels/matmul.h"
#include "src/base/list.h"
#include "src/base/suggest.h"
#include "src/base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- methods ---- */

static enum status replay(const struct graded *graded, uint64_t n, unsigned workers, const void *a, const void *b,
                          void *c)
{
    const struct matmul_call call = {
        .a = matmul_row_major((void *)a, n, n, n), /* read only */
        .b = matmul_row_major((void *)b, n, n, n),
        .c = matmul_row_major(c, n, n, n),
        .alpha = 1,
    };
    return matmul_replay(graded->context, &call, workers);
}

/* ---- planted products ---- */

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

/* ---- names ---- */

/* Ids of planted products, and of products of matrices in each format; the caller frees the list. */
static const char **known_names(size_t *count)
{
    size_t capacity = 0, planted_count, methods;
    const struct planted *const planted = planted_table(&planted_count);
    const char **names = NULL;
    *count = 0;
    for (size_t p = 0; p < planted_count; p++) {
        names = list_short(names, *count, &capacity, sizeof *names);
        names[(*count)++] = planted[p].id;
    }
    for (int operation = 0; operation < OPERATIONS; operation++)
        for (int f = 0; f < SUM_FORMATS; f++) {
            const struct matmul_method *const table = matmul_table((enum operation)operation, sum_formats[f], &methods);
            for (size_t m = 0; m < methods; m++) {
                names = list_short(names, *count, &capacity, sizeof *names);
                names[(*count)++] = table[m].id;
            }
        }
    return names;
}

static enum status refuse_method(const char *name)
{
    size_t count;
    const char **const known = known_names(&count);
    const char *const near = suggest(name, known, count);
    complain(
        "grade: method \"%s\" is unknown; expected planted/none, strassen, fixed, strassen_fixed or truncating, or a "
        "product of matrices like matmul:plain/naive%s%s%s",
        name, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    free(known);
    return BAD_INPUT;
}

enum status grade_method(const char *name, struct graded *graded)
{
    const struct matmul_method *const method = matmul_find(name);
    const struct sum_format *const formats = sum_format_of_method(name);
    char *const id = text_made("%.*s", (int)strcspn(name, "@"), name);
    const struct planted *const planted = planted_find(id);
    free(id);
    if (method)
        *graded = (struct graded){name, method->sum_format, method, replay};
    else if (!planted)
        return refuse_method(name);
    else if (!formats)
        return refuse_format(name);
    else
        *graded = (struct graded){name, formats, NULL, planted->product};
    return OK;
}
