/* Where the replays of the broken accumulators are found: the arrays that methods.c makes of broken.def. */
#include "compiled.h"

#include <string.h>

#define BROKEN(id, accumulator, whose, where, meaning) extern const struct compiled id##_binary32_sum_compiled;
#include "broken.def"

static const struct {
    const char *id;
    const struct compiled *compiled;
} broken[] = {
#define BROKEN(id, accumulator, whose, where, meaning) {#id, &id##_binary32_sum_compiled},
#include "broken.def"
};

const struct method *broken_find(const char *id, const char *order)
{
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (int o = 0; strcmp(broken[i].id, id) == 0 && o < ORDERS; o++)
            if (strcmp(broken[i].compiled->methods[o].order, order) == 0)
                return &broken[i].compiled->methods[o];
    return NULL;
}
