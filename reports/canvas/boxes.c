#include "canvas.h"

void boxes_add(struct boxes *boxes, struct box box)
{
    boxes->list = memory_resized(boxes->list, (boxes->count + 1) * sizeof *boxes->list);
    boxes->list[boxes->count++] = box;
}

bool boxes_clear(const struct boxes *boxes, struct box box)
{
    for (size_t i = 0; i < boxes->count; i++) {
        const struct box *other = &boxes->list[i];
        if (box.left < other->right && other->left < box.right && box.top < other->bottom && other->top < box.bottom)
            return false;
    }
    return true;
}

void boxes_free(struct boxes *boxes)
{
    free(boxes->list);
    *boxes = (struct boxes){0};
}
