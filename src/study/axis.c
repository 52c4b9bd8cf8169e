#include "axis.h"

#include <string.h>

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
