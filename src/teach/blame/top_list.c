#include "blame.h"

void top_list_start(size_t most, struct top_list *list)
{
    *list = (struct top_list){.entries = memory_resized(NULL, (most + 1) * sizeof *list->entries), .most = most};
}

static bool before(const struct top_entry *a, const struct top_entry *b)
{
    return a->size > b->size || (a->size == b->size && a->index < b->index);
}

/* Until it is ended the list is a heap whose first entry is the one that goes next. */
static void sink(struct top_list *list, size_t at)
{
    const struct top_entry moved = list->entries[at];
    for (size_t child; (child = 2 * at + 1) < list->count; at = child) {
        if (child + 1 < list->count && before(&list->entries[child], &list->entries[child + 1]))
            child++;
        if (!before(&moved, &list->entries[child]))
            break;
        list->entries[at] = list->entries[child];
    }
    list->entries[at] = moved;
}

static void rise(struct top_list *list, size_t at)
{
    const struct top_entry moved = list->entries[at];
    for (; at > 0 && before(&list->entries[(at - 1) / 2], &moved); at = (at - 1) / 2)
        list->entries[at] = list->entries[(at - 1) / 2];
    list->entries[at] = moved;
}

void top_list_offer(struct top_list *list, double size, uint64_t index)
{
    const struct top_entry entry = {size, index};
    if (!(size > 0) || list->most == 0)
        return;
    if (list->count < list->most) {
        list->entries[list->count++] = entry;
        rise(list, list->count - 1);
    } else if (before(&entry, &list->entries[0])) {
        list->entries[0] = entry;
        sink(list, 0);
    }
}

static int by_size(const void *left, const void *right)
{
    const struct top_entry *a = left, *b = right;
    return before(b, a) - before(a, b);
}

void top_list_end(struct top_list *list)
{
    qsort(list->entries, list->count, sizeof *list->entries, by_size);
}

void top_list_free(struct top_list *list)
{
    free(list->entries);
    *list = (struct top_list){0};
}
