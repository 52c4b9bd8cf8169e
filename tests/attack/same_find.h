/* Whether two attacks have found the same, on the same way. */
#ifndef TESTS_ATTACK_SAME_FIND_H
#define TESTS_ATTACK_SAME_FIND_H

#include "datasets/attack/attack.h"
#include "src/base/format.h"

#include <string.h>

static inline bool same_find(const struct attack_find *a, const struct attack_find *b)
{
    bool same = a->n == b->n && a->value == b->value && a->computed == b->computed && a->calls == b->calls &&
                a->step_count == b->step_count && memcmp(a->x, b->x, a->n * format_held(a->format)->bytes) == 0;
    for (size_t i = 0; same && i < a->step_count; i++)
        same = a->steps[i].calls == b->steps[i].calls && a->steps[i].value == b->steps[i].value &&
               strcmp(a->steps[i].by, b->steps[i].by) == 0;
    return same;
}

#endif
