#include "method.h"

#include "compiled.h"
#include "fused.h"
#include "matmul.h"
#include "replay.h"
#include "scan.h"
#include "src/base/memory.h"
#include "statistic.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is compiled ---- */

static int number_of(const struct sum_format *sum_format)
{
    int f = 0;
    while (sum_formats[f] != sum_format)
        f++;
    return f;
}

#define OPERATION(id, vectors, terms, of, claim) COMPILED_##terms(id)
#define COMPILED_NUMBERS(id)
#define COMPILED_OWN(id) extern const struct compiled_row id##_rows[];
extern const struct compiled_row sum_rows[];
#include "operations.def"

/* The rows of an operation of vectors: those of sums where its terms are numbers. */
static const struct compiled_row *const rows_table[VECTOR_OPERATIONS] = {
#define ROWS_NUMBERS(id) sum_rows
#define ROWS_OWN(id) id##_rows
#define OPERATION(id, vectors, terms, of, claim) ROWS_##terms(id),
#include "operations.def"
#define SCAN_OPERATION(id, of, claim) sum_rows,
#include "scan_operations.def"
#define STATISTIC(id, name, vectors, of, algorithm, claim) sum_rows,
#include "statistics.def"
};

enum {
#define MATMUL_BLACK_BOX(library, name, claim) MATMUL_##library##_##name,
#include "matmul_black_boxes.def"
    MATMUL_BLACK_BOXES
};

enum {
    BOXES = BLACK_BOXES + MATMUL_BLACK_BOXES,
    METHODS = ACCUMULATORS * ORDERS + BOXES,
};

static const enum real_format real_formats[SUM_FORMATS] = {
#define SUM_FORMAT(id, stored, added, result, claim) REAL_##added,
#include "formats.def"
};

/* NULL: there is nothing.  What measures a tree adds nothing up. */
static const struct compiled *compiled_for(enum operation operation, const struct compiled_row *row, int sum_format)
{
    if (row->role == MOMENTS || ((is_statistic(operation) || is_scan(operation)) && row->role != SUMS))
        return NULL;
    if (row->role > INTEGER_SUMS)
        return operation == OPERATION_sum ? row->in[REAL_binary32] : NULL;
    const struct compiled *const compiled = row->in[real_formats[sum_format]];
    return operation != OPERATION_sum && compiled && compiled->others_absent ? NULL : compiled;
}

const struct compiled *compiled_find(enum operation operation, const struct sum_format *sum_format,
                                     const char *accumulator)
{
    const struct compiled_row *row = rows_table[operation];
    for (int a = 0; a < ACCUMULATORS; a++, row++)
        if (strcmp(row->id, accumulator) == 0)
            return compiled_for(operation, row, number_of(sum_format));
    return NULL;
}

/* Why a format has one accumulator and sums alone; NULL: it has more. */
static const char *others_absent(int sum_format)
{
    const char *why = NULL;
    for (int a = 0; a < ACCUMULATORS && !why; a++) {
        const struct compiled *compiled = sum_rows[a].in[real_formats[sum_format]];
        why = compiled ? compiled->others_absent : NULL;
    }
    return why;
}

const char *method_absent(enum operation operation, const struct sum_format *sum_format, const char *accumulator)
{
    const char *others = others_absent(number_of(sum_format));
    if (operation >= VECTOR_OPERATIONS)
        return others ? others : matmul_absent(operation, sum_format, accumulator);
    const struct compiled *compiled = compiled_find(operation, sum_format, accumulator);
    if (compiled)
        return compiled->absent;
    size_t count;
    const struct method *const *methods = method_table_for(operation, sum_format, &count);
    for (size_t m = 0; m < count; m++)
        if (strcmp(methods[m]->accumulator, accumulator) == 0)
            return NULL;
    return others                       ? others
           : operation == OPERATION_sum ? "black boxes add in the format that the numbers are stored in, and return it"
                                        : "it is there for sums alone";
}

/* ---- the tables ---- */

extern const struct method binary64_black_box_methods[], binary32_black_box_methods[], binary16_black_box_methods[],
    bfloat16_black_box_methods[];

enum { ID_SIZE = 96 };

/* The methods of an operation and a format; more than METHODS where some were added. */
struct table {
    struct method ours[METHODS];
    union {
        struct cell of_replay;
        struct statistic_method of_statistic;
        struct scan_method of_scan;
    } cells[METHODS];
    char ids[METHODS][ID_SIZE];
    const struct method *list_of_ours[METHODS], **list;
    size_t count;
};
static struct table *_Atomic tables[OPERATIONS][SUM_FORMATS]; /* NULL: nobody asked for it */

/* "dot:kahan/serial@bfloat16": an id says the operation and the format, unless they are sum and binary32. */
static void append_method(struct table *table, const struct method *method, enum operation operation, int sum_format)
{
    struct method *ours = &table->ours[table->count];
    char *id = table->ids[table->count];
    const bool is_sum = operation == OPERATION_sum, is_binary32 = sum_format == SUM_FORMAT_binary32;
    *ours = *method;
    ours->operation = operation;
    ours->sum_format = sum_formats[sum_format];
    ours->format = method_adds(ours) ? ours->sum_format->result : ours->format;
    snprintf(id, ID_SIZE, "%s%s%s%s%s", is_sum ? "" : operation_table[operation].id, is_sum ? "" : ":", method->id,
             is_binary32 ? "" : "@", is_binary32 ? "" : ours->sum_format->id);
    ours->id = id;
    table->list_of_ours[table->count++] = ours;
}

/* What rounding took from a product is added like a number. */
static double additions_of(const struct compiled_row *row, enum operation operation, bool merges_alone)
{
    return (merges_alone ? row->of_merge : row->additions) *
           (operation_table[operation].terms == OPERATION_dot_exact ? 2 : 1);
}

static void append_row(struct table *table, enum operation operation, const struct compiled_row *row, int sum_format)
{
    const struct compiled *compiled = compiled_for(operation, row, sum_format);
    for (int order = 0; order < ORDERS && compiled && !compiled->absent; order++) {
        struct method method = replay_method(&table->cells[table->count].of_replay, compiled->verbs, order);
        method.role = row->role;
        method.accumulator_claim = row->claim;
        method.additions = additions_of(row, operation, method.order_traits->joins == NEVER_ADDS);
        if (row->role > INTEGER_SUMS && sum_formats[sum_format]->stored->bytes > method.format->bytes)
            method.device = NULL; /* the kernels of binary32 read what is as narrow, or narrower */
        append_method(table, &method, operation, sum_format);
    }
}

/* Of accumulators of sums; those of moments are plain additions with more to them. */
static void append_statistics(struct table *table, enum operation operation, int sum_format)
{
    const struct statistic *statistic = statistic_of(operation);
    const char *moments = statistic_moments(statistic->algorithm);
    const struct compiled *running = NULL;
    for (const struct compiled_row *row = sum_rows; row < sum_rows + ACCUMULATORS && !running; row++)
        running = strcmp(row->id, "running") == 0 ? row->in[real_formats[sum_format]] : NULL;
    for (const struct compiled_row *row = sum_rows; row < sum_rows + ACCUMULATORS; row++) {
        const struct compiled *compiled = moments && strcmp(row->id, moments) == 0 ? row->in[real_formats[sum_format]]
                                          : moments                                ? NULL
                                                    : compiled_for(operation, row, sum_format);
        for (int order = 0; order < ORDERS && running && compiled && !compiled->absent && !others_absent(sum_format);
             order++) {
            struct method method;
            if (!statistic_method_make(&table->cells[table->count].of_statistic, statistic, compiled->verbs,
                                       running->verbs, order, sum_formats[sum_format], &method))
                continue;
            method.accumulator_claim = row->claim;
            method.additions = statistic_additions(statistic, row->additions);
            append_method(table, &method, operation, sum_format);
        }
    }
}

static void append_scans(struct table *table, enum operation operation, const struct compiled_row *row, int sum_format)
{
    const struct compiled *compiled = compiled_for(operation, row, sum_format);
    for (int order = 0; order < SCAN_ORDERS && compiled && !compiled->absent; order++) {
        struct method method;
        if (!scan_method_make(&table->cells[table->count].of_scan, operation, compiled->verbs, (enum scan_order)order,
                              sum_formats[sum_format], &method))
            continue;
        method.accumulator_claim = row->claim;
        method.additions = row->additions;
        append_method(table, &method, operation, sum_format);
    }
}

/* Sums of black boxes add in what is stored, and return it.  Matrix products may add 16 bits and fewer in binary32, and
 * return either. */
static bool has_black_boxes(enum operation operation, const struct sum_format *in)
{
    if (operation >= VECTOR_OPERATIONS)
        return in->stored == in->added || is_format(format_held(in->stored), in->added);
    return in->stored == in->added && in->added == in->result;
}

/* All of those that add in a format; NULL: there is none. */
static const struct method *black_boxes_for(enum operation operation, int sum_format)
{
    if (!has_black_boxes(operation, sum_formats[sum_format]))
        return NULL;
    static const struct method *const boxes[REALS] = {binary64_black_box_methods, binary32_black_box_methods,
                                                      binary16_black_box_methods, bfloat16_black_box_methods};
    return boxes[real_formats[sum_format]];
}

/* What an accumulator says of itself it says where it adds numbers. */
static void append_matmul(struct table *table, enum operation operation, int sum_format)
{
    size_t count;
    const struct matmul_method *products = matmul_table(operation, sum_formats[sum_format], &count);
    for (size_t m = 0; m < count; m++) {
        const struct compiled_row *row = sum_rows;
        struct method *ours = &table->ours[table->count];
        while (strcmp(row->id, products[m].accumulator) != 0)
            row++;
        *ours = matmul_as_method(&products[m]);
        ours->accumulator_claim = row->claim;
        ours->additions = additions_of(row, operation, false);
        table->list_of_ours[table->count++] = ours;
    }
}

/* What tensor cores compute is a matrix product, and rounds nothing before the additions. */
static void append_fused(struct table *table, int sum_format)
{
    for (size_t left = fused_methods(sum_formats[sum_format], &table->ours[table->count]); left > 0; left--) {
        table->list_of_ours[table->count] = &table->ours[table->count];
        table->count++;
    }
}

static void fill_table(struct table *table, enum operation operation, int sum_format)
{
    const struct method *boxes = black_boxes_for(operation, sum_format);
    for (int a = 0; a < ACCUMULATORS && operation < FIRST_STATISTIC; a++)
        (is_scan(operation) ? append_scans : append_row)(table, operation, &rows_table[operation][a], sum_format);
    if (is_statistic(operation))
        append_statistics(table, operation, sum_format);
    if (operation >= VECTOR_OPERATIONS)
        append_matmul(table, operation, sum_format);
    if (operation == OPERATION_matmul)
        append_fused(table, sum_format);
    for (int b = 0; b < BOXES && boxes; b++)
        if (boxes[b].operation == operation)
            append_method(table, &boxes[b], operation, sum_format);
    table->list = table->list_of_ours;
}

static struct table *table_of(enum operation operation, int sum_format)
{
    static pthread_mutex_t filling = PTHREAD_MUTEX_INITIALIZER;
    struct table *table = atomic_load(&tables[operation][sum_format]);
    if (table)
        return table;
    pthread_mutex_lock(&filling);
    table = atomic_load(&tables[operation][sum_format]);
    if (!table) {
        table = memory_cleared(1, sizeof *table);
        fill_table(table, operation, sum_format);
        atomic_store(&tables[operation][sum_format], table);
    }
    pthread_mutex_unlock(&filling);
    return table;
}

const struct method *const *method_table_for(enum operation operation, const struct sum_format *sum_format,
                                             size_t *count)
{
    const struct table *table = table_of(operation, number_of(sum_format));
    *count = table->count;
    return table->list;
}

const struct method *const *method_table_of(const struct sum_format *sum_format, size_t *count)
{
    return method_table_for(OPERATION_sum, sum_format, count);
}

const struct method *const *method_table(size_t *count)
{
    return method_table_of(&sum_format_binary32, count);
}

/* A number is the place in a table, and 2^16 for each table before it. */
enum { PLACES = 1 << 16 };

size_t method_index(const struct method *method)
{
    const int f = method && method->sum_format ? number_of(method->sum_format) : SUM_FORMAT_binary32;
    const struct table *table = method ? table_of(method->operation, f) : NULL;
    for (size_t m = 0; table && m < table->count; m++)
        if (table->list[m] == method)
            return ((size_t)method->operation * SUM_FORMATS + (size_t)f) * PLACES + m;
    return SIZE_MAX;
}

const struct method *method_numbered(size_t index)
{
    const size_t number = index / PLACES, place = index % PLACES;
    if (number >= (size_t)OPERATIONS * SUM_FORMATS)
        return NULL;
    const struct table *table = table_of((enum operation)(number / SUM_FORMATS), (int)(number % SUM_FORMATS));
    return place < table->count ? table->list[place] : NULL;
}

enum status method_add(const struct method *method)
{
    if (method_find(method->id))
        return bad_input("method %s: expected an id that is not taken, found one that is; choose another", method->id);
    struct table *table = table_of(method->operation, number_of(method->sum_format));
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
    assert(method->operation == OPERATION_sum && method->format->bytes == sizeof *sum);
    TRY(method_compute(method, &of, launch, workers, &bits));
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

/* Where an id begins behind its operation: all of it for a sum. */
static const char *behind_operation(const char *id)
{
    const char *colon = strchr(id, ':');
    return colon ? colon + 1 : id;
}

const char *method_unalias(const char *name, char room[UNALIAS_SIZE])
{
    const char *word = behind_operation(name), *behind = word + strcspn(word, "@"), *id = NULL;
    const struct sum_format *in = *behind ? sum_format_find(behind + 1) : NULL;
    const int length = (int)(behind - word);
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases && !id; i++)
        if (strncmp(word, aliases[i].alias, (size_t)length) == 0 && aliases[i].alias[length] == '\0')
            id = aliases[i].id;
    const bool has_format = in && in != &sum_format_binary32;
    const char *format = has_format ? in->id : "", *at = has_format ? "@" : "";
    const int needed = snprintf(room, UNALIAS_SIZE, "%.*s%.*s%s%s", (int)(word - name), name,
                                id ? (int)strlen(id) : length, id ? id : word, in ? at : behind, format);
    return needed < UNALIAS_SIZE ? room : name;
}

enum operation operation_of_id(const char *id)
{
    char name[ID_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(id, ":"), id);
    return strchr(id, ':') ? operation_named(name) : OPERATION_sum;
}

/* What follows the @ is the format. */
const struct method *method_find(const char *name)
{
    char room[UNALIAS_SIZE];
    const char *id = method_unalias(name, room), *at = strchr(id, '@');
    const struct sum_format *sum_format = at ? sum_format_find(at + 1) : &sum_format_binary32;
    const enum operation operation = operation_of_id(id);
    if (!sum_format || operation == OPERATIONS)
        return NULL;
    const struct table *table = table_of(operation, number_of(sum_format));
    for (size_t m = 0; m < table->count; m++)
        if (strcmp(table->list[m]->id, id) == 0)
            return table->list[m];
    return NULL;
}

static const struct method *same_in(const struct method *method, enum operation operation,
                                    const struct sum_format *sum_format)
{
    const struct table *table = table_of(operation, number_of(sum_format));
    for (size_t m = 0; m < table->count; m++)
        if (strcmp(table->list[m]->accumulator, method->accumulator) == 0 &&
            strcmp(table->list[m]->order, method->order) == 0)
            return table->list[m];
    return NULL;
}

const struct method *method_in(const struct method *method, const struct sum_format *sum_format)
{
    return same_in(method, method->operation, sum_format);
}

const struct method *method_of_operation(const struct method *method, enum operation operation)
{
    const struct table *table = table_of(operation, number_of(method->sum_format));
    const struct method *same = same_in(method, operation, method->sum_format);
    for (size_t m = 0; m < table->count && !same && operation >= VECTOR_OPERATIONS; m++)
        if (strcmp(table->list[m]->accumulator, method->accumulator) == 0)
            same = table->list[m];
    return same;
}

const struct method *method_serial(const struct method *method)
{
    const struct table *table = table_of(method->operation, number_of(method->sum_format));
    for (size_t m = 0; m < table->count; m++)
        if (strcmp(table->list[m]->accumulator, method->accumulator) == 0 &&
            table->list[m]->order_traits->joins == NEVER_MERGES)
            return table->list[m];
    return NULL;
}
