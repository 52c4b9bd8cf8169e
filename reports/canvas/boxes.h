/* What is taken on a picture, in pixels, so that no text is put over another thing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct box {
    double left, top, right, bottom;
};

struct boxes {
    struct box *list;
    size_t count;
};

void boxes_add(struct boxes *boxes, struct box box);
bool boxes_clear(const struct boxes *boxes, struct box box); /* nothing there; edges may touch */
void boxes_free(struct boxes *boxes);
