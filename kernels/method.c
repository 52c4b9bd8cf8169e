#include "method.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const char *const operation_names[OPERATIONS] = {[SUM] = "sum"};

enum operation operation_named(const char *name)
{
    int operation = 0;
    while (operation < OPERATIONS && strcmp(operation_names[operation], name) != 0)
        operation++;
    return (enum operation)operation;
}

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

static struct method ours[METHODS];
static const struct method *table_of_ours[METHODS], **table = table_of_ours;
static size_t table_count;

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
    struct method *next = ours;
#define ACCUMULATOR(id, role, claim) append(&next, id##_binary32_sum_methods, role, claim);
#include "accumulators.def"
    memcpy(next, black_box_methods, BLACK_BOXES * sizeof *next);
    for (table_count = 0; table_count < METHODS; table_count++)
        table[table_count] = &ours[table_count];
}

const struct method *const *method_table(size_t *count)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_table);
    *count = table_count;
    return table;
}

size_t method_index(const struct method *method)
{
    size_t count;
    const struct method *const *methods = method_table(&count);
    for (size_t i = 0; i < count; i++)
        if (methods[i] == method)
            return i;
    return SIZE_MAX;
}

enum status method_add(const struct method *method)
{
    if (method_find(method->id)) {
        complain("method %s: expected an id that is not taken, found one that is; choose another", method->id);
        return BAD_INPUT;
    }
    const struct method **grown = malloc((table_count + 1) * sizeof *grown);
    if (!grown)
        return out_of_memory("the table of methods");
    memcpy(grown, table, table_count * sizeof *grown);
    if (table != table_of_ours)
        free(table);
    table = grown;
    table[table_count++] = method;
    return OK;
}

enum status method_sum(const struct method *method, const float *x, uint64_t n, struct launch launch, unsigned workers,
                       float *sum)
{
    const struct operands of = operands_of_sum(&FORMAT_BINARY32, x, n);
    uint64_t bits;
    assert(method->operation == SUM && method->format->bytes == sizeof *sum);
    TRY(method->replay(method, &of, launch, workers, &bits));
    *sum = float_from_bits((uint32_t)bits);
    return OK;
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
    const struct method *const *methods = method_table(&count);
    const char *id = method_unalias(name);
    for (size_t i = 0; i < count; i++)
        if (strcmp(methods[i]->id, id) == 0)
            return methods[i];
    return NULL;
}

const struct method *method_serial(const struct method *method)
{
    size_t count;
    const struct method *const *methods = method_table(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(methods[i]->accumulator, method->accumulator) == 0 && methods[i]->order_traits->joins == NEVER_MERGES)
            return methods[i];
    return NULL;
}
