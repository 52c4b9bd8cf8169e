#include "axis.h"
#include "src/base/suggest.h"

const struct axis_row axis_table[AXES] = {
#define AXIS(id, varied, fixed) {#id, varied, fixed},
#include "axes.def"
};

enum axis axis_find(const char *id)
{
    int axis = 0;
    while (axis < AXES && strcmp(axis_table[axis].id, id) != 0)
        axis++;
    return (enum axis)axis;
}

static enum status unknown_axis(const char *where, const char *word)
{
    const char *known[AXES + 1] = {"all"};
    for (int axis = 0; axis < AXES; axis++)
        known[axis + 1] = axis_table[axis].id;
    return refuse_unknown(where, "axis", word, known, AXES + 1);
}

enum status axes_read(const char *words, const char *where, uint32_t *axes)
{
    OWNED char *copy = memory_copy(words);
    char *rest = NULL;
    *axes = 0;
    for (char *word = strtok_r(copy, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
        const enum axis axis = axis_find(word);
        if (strcmp(word, "all") == 0)
            *axes = (UINT32_C(1) << AXES) - 1;
        else if (axis < AXES)
            *axes |= UINT32_C(1) << axis;
        else
            TRY(unknown_axis(where, word));
    }
    if (*axes == 0)
        TRY(unknown_axis(where, words));
    return OK;
}

char *axes_text(uint32_t axes)
{
    struct text text = {0};
    for (int axis = 0; axis < AXES; axis++)
        if (axes >> axis & 1)
            text_append(&text, "%s%s", text.length > 0 ? "," : "", axis_table[axis].id);
    return text_take(&text);
}
