#include "method.h"

#include <pthread.h>
#include <string.h>

enum {
#define ORDER(id, determinism, slow_above, rows, claim) ORDER_##id,
#include "orders.def"
    ORDERS,
#define ACCUMULATOR(id, role, claim) ACCUMULATOR_##id,
#include "accumulators.def"
    ACCUMULATORS_END,
    ACCUMULATORS = ACCUMULATORS_END - ORDERS - 1,
};

enum {
#define BLACK_BOX(library, name, determinism, slow_above, bound, claim) BLACK_BOX_##library##_##name,
#include "black_boxes.def"
    BLACK_BOXES,
    METHODS = ACCUMULATORS * ORDERS + BLACK_BOXES,
};

#define ACCUMULATOR(id, role, claim) extern const struct method id##_binary32_sum_methods[];
#include "accumulators.def"

extern const struct method black_box_methods[];

static struct method table[METHODS];

static void append(struct method **next, const struct method *methods, enum accumulator_role role, const char *claim)
{
    for (int order = 0; order < ORDERS; order++) {
        **next = methods[order];
        (*next)->role = role;
        (*next)->accumulator_claim = claim;
        ++*next;
    }
}

static void fill_table(void)
{
    struct method *next = table;
#define ACCUMULATOR(id, role, claim) append(&next, id##_binary32_sum_methods, role, claim);
#include "accumulators.def"
    memcpy(next, black_box_methods, BLACK_BOXES * sizeof *next);
}

const struct method *method_table(size_t *count)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_table);
    *count = METHODS;
    return table;
}

static const struct method_alias aliases[] = {
    {"naive", "plain/serial"},
    {"tree", "plain/tree_two_pass"},
    {"kahan", "kahan/tree_two_pass"},
    {"double", "binary64/tree_two_pass"},
};

const struct method_alias *method_aliases(size_t *count)
{
    *count = sizeof aliases / sizeof *aliases;
    return aliases;
}

const char *method_unalias(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(name, aliases[i].alias) == 0)
            return aliases[i].id;
    return name;
}

const struct method *method_find(const char *name)
{
    size_t count;
    const struct method *methods = method_table(&count);
    const char *id = method_unalias(name);
    for (size_t i = 0; i < count; i++)
        if (strcmp(methods[i].id, id) == 0)
            return &methods[i];
    return NULL;
}

const struct method *method_serial(const struct method *method)
{
    size_t count;
    const struct method *methods = method_table(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(methods[i].accumulator, method->accumulator) == 0 && methods[i].order_traits->joins == NEVER_MERGES)
            return &methods[i];
    return NULL;
}
