/* Where the replays of the broken accumulators are found: what verbs.c makes of broken.def, in every order. */
#include "compiled.h"
#include "replay.h"

#include <pthread.h>
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

enum { BROKEN_ONES = sizeof broken / sizeof *broken };

static struct {
    struct method method;
    struct cell cell;
} methods[BROKEN_ONES][ORDERS];

static void fill(void)
{
    for (size_t i = 0; i < BROKEN_ONES; i++)
        for (int order = 0; order < ORDERS; order++)
            methods[i][order].method = replay_method(&methods[i][order].cell, broken[i].compiled->verbs, order);
}

const struct method *broken_find(const char *id, const char *order)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill);
    for (size_t i = 0; i < BROKEN_ONES; i++)
        for (int o = 0; strcmp(broken[i].id, id) == 0 && o < ORDERS; o++)
            if (strcmp(methods[i][o].method.order, order) == 0)
                return &methods[i][o].method;
    return NULL;
}
