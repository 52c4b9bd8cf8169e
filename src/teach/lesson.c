#include "lesson.h"

static const struct lesson table[] = {
#define LESSON(id, title) {#id, title, lesson_##id},
#include "lessons.def"
};
enum { LESSONS = sizeof table / sizeof *table };

const struct lesson *lesson_table(size_t *count)
{
    *count = LESSONS;
    return table;
}

/* "3": digits and nothing else. */
static size_t place_of(const char *name)
{
    const size_t digits = strspn(name, "0123456789");
    return digits > 0 && digits < 4 && name[digits] == '\0' ? (size_t)atoi(name) : 0;
}

const struct lesson *lesson_find(const char *name)
{
    const size_t place = place_of(name);
    for (size_t i = 0; i < LESSONS; i++)
        if (strcmp(table[i].id, name) == 0 || place == i + 1)
            return &table[i];
    return NULL;
}
