#include "method.h"

#include "compiled.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
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

/* ---- what is compiled ---- */

#define ACCUMULATOR(id, role, claim)                                                                                   \
    extern const struct compiled id##_binary64_sum_compiled, id##_binary32_sum_compiled, id##_binary16_sum_compiled,   \
        id##_bfloat16_sum_compiled;
#include "accumulators.def"

/* An accumulator, as it is compiled for what is added. */
static const struct row {
    const char *id, *claim;
    enum accumulator_role role;
    const struct compiled *binary64, *binary32, *binary16, *bfloat16;
} rows[ACCUMULATORS] = {
#define ACCUMULATOR(id, role, claim)                                                                                   \
    {#id,                                                                                                              \
     claim,                                                                                                            \
     role,                                                                                                             \
     &id##_binary64_sum_compiled,                                                                                      \
     &id##_binary32_sum_compiled,                                                                                      \
     &id##_binary16_sum_compiled,                                                                                      \
     &id##_bfloat16_sum_compiled},
#include "accumulators.def"
};

#define ADDED_binary64(row) (row)->binary64
#define ADDED_binary32(row) (row)->binary32
#define ADDED_binary16(row) (row)->binary16
#define ADDED_bfloat16(row) (row)->bfloat16

/* What measures a tree adds nothing up. */
static const struct compiled *compiled_for(const struct row *row, int sum_format)
{
    if (row->role != SUMS)
        return row->binary32;
    switch (sum_format) {
#define SUM_FORMAT(id, stored, added, result, claim)                                                                   \
    case SUM_FORMAT_##id:                                                                                              \
        return ADDED_##added(row);
#include "formats.def"
    }
    return NULL;
}

const char *method_absent(const struct sum_format *sum_format, const char *accumulator)
{
    for (int f = 0; f < SUM_FORMATS; f++)
        for (int a = 0; a < ACCUMULATORS && sum_formats[f] == sum_format; a++)
            if (strcmp(rows[a].id, accumulator) == 0)
                return compiled_for(&rows[a], f)->absent;
    size_t count;
    const struct method *const *methods = method_table_of(sum_format, &count);
    for (size_t m = 0; m < count; m++)
        if (strcmp(methods[m]->accumulator, accumulator) == 0)
            return NULL;
    return "black boxes add in the format that the numbers are stored in, and return it";
}

/* ---- the tables ---- */

extern const struct method binary64_black_box_methods[], binary32_black_box_methods[], binary16_black_box_methods[],
    bfloat16_black_box_methods[];

enum { ID_SIZE = 80 };

/* The methods of a format; more than METHODS where some were added. */
static struct table {
    struct method ours[METHODS];
    char ids[METHODS][ID_SIZE];
    const struct method *list_of_ours[METHODS], **list;
    size_t count;
} tables[SUM_FORMATS];

static void append(struct table *table, const struct row *row, int sum_format)
{
    const struct compiled *compiled = compiled_for(row, sum_format);
    for (int order = 0; order < ORDERS && !compiled->absent; order++) {
        struct method *method = &table->ours[table->count];
        *method = compiled->methods[order];
        method->role = row->role;
        method->accumulator_claim = row->claim;
        method->sum_format = sum_formats[sum_format];
        if (sum_format != SUM_FORMAT_binary32) {
            snprintf(table->ids[table->count], ID_SIZE, "%s@%s", method->id, sum_formats[sum_format]->id);
            method->id = table->ids[table->count];
            method->format = row->role == SUMS ? sum_formats[sum_format]->result : method->format;
            if (row->role != SUMS && sum_formats[sum_format]->stored->bytes > method->format->bytes)
                method->device = NULL; /* the kernels of binary32 read what is as narrow, or narrower */
        }
        table->count++;
    }
}

/* Those that add in what is stored, and return it; NULL: no black box does. */
static const struct method *black_boxes_for(int sum_format)
{
    const struct sum_format *in = sum_formats[sum_format];
    if (in->stored != in->added || in->added != in->result)
        return NULL;
    switch (sum_format) {
#define SUM_FORMAT(id, stored, added, result, claim)                                                                   \
    case SUM_FORMAT_##id:                                                                                              \
        return added##_black_box_methods;
#include "formats.def"
    }
    return NULL;
}

static void append_black_boxes(struct table *table, int sum_format)
{
    const struct method *boxes = black_boxes_for(sum_format);
    for (int b = 0; b < BLACK_BOXES && boxes; b++) {
        struct method *method = &table->ours[table->count];
        char *id = table->ids[table->count++];
        *method = boxes[b];
        method->sum_format = sum_formats[sum_format];
        method->format = method->sum_format->result;
        snprintf(id, ID_SIZE, "%s@%s", method->id, sum_formats[sum_format]->id);
        method->id = sum_format == SUM_FORMAT_binary32 ? method->id : id;
    }
}

static void fill_tables(void)
{
    for (int f = 0; f < SUM_FORMATS; f++) {
        struct table *table = &tables[f];
        for (int a = 0; a < ACCUMULATORS; a++)
            append(table, &rows[a], f);
        append_black_boxes(table, f);
        table->list = table->list_of_ours;
        for (size_t m = 0; m < table->count; m++)
            table->list[m] = &table->ours[m];
    }
}

static struct table *table_of(int sum_format)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_tables);
    return &tables[sum_format];
}

static int number_of(const struct sum_format *sum_format)
{
    int f = 0;
    while (sum_formats[f] != sum_format)
        f++;
    return f;
}

const struct method *const *method_table_of(const struct sum_format *sum_format, size_t *count)
{
    const struct table *table = table_of(number_of(sum_format));
    *count = table->count;
    return table->list;
}

const struct method *const *method_table(size_t *count)
{
    return method_table_of(&sum_format_binary32, count);
}

/* A number is the place in a table, and 2^16 for each table before it. */
enum { PLACES = 1 << 16 };

size_t method_index(const struct method *method)
{
    for (size_t f = 0; method && f < SUM_FORMATS; f++) {
        const struct table *table = table_of((int)f);
        for (size_t m = 0; m < table->count; m++)
            if (table->list[m] == method)
                return f * PLACES + m;
    }
    return SIZE_MAX;
}

const struct method *method_numbered(size_t index)
{
    const size_t f = index / PLACES, place = index % PLACES;
    return f < SUM_FORMATS && place < table_of((int)f)->count ? tables[f].list[place] : NULL;
}

enum status method_add(const struct method *method)
{
    if (method_find(method->id)) {
        complain("method %s: expected an id that is not taken, found one that is; choose another", method->id);
        return BAD_INPUT;
    }
    struct table *table = table_of(SUM_FORMAT_binary32);
    const struct method **grown = malloc((table->count + 1) * sizeof *grown);
    if (!grown)
        return out_of_memory("the table of methods");
    memcpy(grown, table->list, table->count * sizeof *grown);
    if (table->list != table->list_of_ours)
        free(table->list);
    table->list = grown;
    table->list[table->count++] = method;
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

const char *method_unalias(const char *name, char room[UNALIAS_SIZE])
{
    const size_t length = strcspn(name, "@");
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strncmp(name, aliases[i].alias, length) != 0 || aliases[i].alias[length] != '\0')
            continue;
        const int needed = snprintf(room, UNALIAS_SIZE, "%s%s", aliases[i].id, name + length);
        return needed < UNALIAS_SIZE ? room : name;
    }
    return name;
}

static const struct method *find_in(int sum_format, const char *id)
{
    const struct table *table = table_of(sum_format);
    for (size_t m = 0; m < table->count; m++)
        if (strcmp(table->list[m]->id, id) == 0)
            return table->list[m];
    return NULL;
}

/* What follows the @ is the format. */
const struct method *method_find(const char *name)
{
    char room[UNALIAS_SIZE];
    const char *id = method_unalias(name, room), *at = strchr(id, '@');
    const struct sum_format *sum_format = at ? sum_format_find(at + 1) : &sum_format_binary32;
    return sum_format ? find_in(number_of(sum_format), id) : NULL;
}

const struct method *method_in(const struct method *method, const struct sum_format *sum_format)
{
    const struct table *table = table_of(number_of(sum_format));
    for (size_t m = 0; m < table->count; m++)
        if (strcmp(table->list[m]->accumulator, method->accumulator) == 0 &&
            strcmp(table->list[m]->order, method->order) == 0)
            return table->list[m];
    return NULL;
}

const struct method *method_serial(const struct method *method)
{
    const struct table *table = table_of(number_of(method->sum_format));
    for (size_t m = 0; m < table->count; m++)
        if (strcmp(table->list[m]->accumulator, method->accumulator) == 0 &&
            table->list[m]->order_traits->joins == NEVER_MERGES)
            return table->list[m];
    return NULL;
}
