#include "matmul.h"

#include "compiled.h"
#include "fused.h"

#include <pthread.h>
#include <stdio.h>

/* ---- what is compiled ---- */

/* The rows of a table are numbered in its order. */
enum {
#define MATMUL_ACCUMULATOR(id) MATMUL_##id,
#include "matmul_accumulators.def"
    MATMUL_ACCUMULATORS
};
enum {
#define MATMUL_ORDER(id, kernel, parts, between, claim) MATMUL_ORDER_##id,
#include "matmul_orders.def"
    MATMUL_ORDERS
};

static const char *const accumulators[] = {
#define MATMUL_ACCUMULATOR(id) #id,
#include "matmul_accumulators.def"
};

static const struct compiled *compiled_for(enum operation operation, const struct sum_format *sum_format, int a)
{
    return compiled_find(operation_table[operation].terms, sum_format, accumulators[a]);
}

const char *matmul_absent(enum operation operation, const struct sum_format *sum_format, const char *accumulator)
{
    for (int a = 0; a < MATMUL_ACCUMULATORS; a++)
        if (strcmp(accumulators[a], accumulator) == 0)
            return compiled_for(operation, sum_format, a)->absent;
    return "matrix products are added by those of kernels/matmul_accumulators.def alone";
}

/* ---- the tables ---- */

enum { ID_SIZE = 96 };

static struct table {
    struct matmul_method methods[MATMUL_ACCUMULATORS * MATMUL_ORDERS];
    char ids[MATMUL_ACCUMULATORS * MATMUL_ORDERS][ID_SIZE];
    size_t count;
} tables[OPERATIONS][SUM_FORMATS]; /* those of matrices are filled */

static const struct matmul_method orders[] = {
#define MATMUL_ORDER(id, kernel_, parts_, between_, claim)                                                             \
    {.order = #id, .order_claim = claim, .kernel = kernel_, .parts = parts_, .between = between_},
#include "matmul_orders.def"
};

/* "matmul_exact:kahan/naive@bfloat16": the format unless it is binary32. */
static void append(struct table *table, int order, const struct verbs *verbs, enum operation operation,
                   const struct sum_format *sum_format)
{
    struct matmul_method *method = &table->methods[table->count];
    const bool is_binary32 = sum_format == &sum_format_binary32;
    char *id = table->ids[table->count++];
    snprintf(id, ID_SIZE, "%s:%s/%s%s%s", operation_table[operation].id, verbs->accumulator, orders[order].order,
             is_binary32 ? "" : "@", is_binary32 ? "" : sum_format->id);
    *method = orders[order];
    method->id = id;
    method->accumulator = verbs->accumulator;
    method->operation = operation;
    method->sum_format = sum_format;
    method->verbs = verbs;
}

static void fill_tables(void)
{
    for (int o = VECTOR_OPERATIONS; o < OPERATIONS; o++)
        for (int f = 0; f < SUM_FORMATS; f++)
            for (int a = 0; a < MATMUL_ACCUMULATORS; a++) {
                const struct compiled *compiled = compiled_for((enum operation)o, sum_formats[f], a);
                for (int order = 0; order < MATMUL_ORDERS && compiled && !compiled->absent; order++)
                    append(&tables[o][f], order, compiled->verbs, (enum operation)o, sum_formats[f]);
            }
}

const struct matmul_method *matmul_table(enum operation operation, const struct sum_format *sum_format, size_t *count)
{
    static pthread_once_t filled = PTHREAD_ONCE_INIT;
    int f = 0;
    pthread_once(&filled, fill_tables);
    while (sum_formats[f] != sum_format)
        f++;
    *count = tables[operation][f].count;
    return tables[operation][f].methods;
}

const struct matmul_method *matmul_find(const char *id)
{
    const struct method *method = method_find(id);
    const bool is_ours = method && operation_table[method->operation].of == MATRICES && method->replay;
    return is_ours && !fused_of(method) ? method->own : NULL;
}

/* ---- a call ---- */

#define ULL(n) ((unsigned long long)(n))

static enum status check_places(const char *name, const struct matmul_matrix *m)
{
    const bool by_rows = m->column_step > 0 && m->columns > 0 && m->row_step / m->columns >= m->column_step;
    const bool by_columns = m->row_step > 0 && m->rows > 0 && m->column_step / m->rows >= m->row_step;
    if (m->rows == 0 || m->columns == 0 || by_rows || by_columns)
        return OK;
    return bad_input(
        "%s: expected %llu x %llu elements at as many places, found the steps %llu, %llu; give a row-major matrix a "
        "leading dimension of its columns or more, a column-major one of its rows or more",
        name, ULL(m->rows), ULL(m->columns), ULL(m->row_step), ULL(m->column_step));
}

enum status matmul_check(const struct matmul_method *method, const struct matmul_call *call)
{
    const struct matmul_matrix *a = &call->a, *b = &call->b, *c = &call->c;
    const struct format *added = method->sum_format->added;
    if (a->columns != b->rows)
        return bad_input("expected B with the %llu columns of A as its rows, found %llu; give matrices that match, or "
                         "the transposed",
                         ULL(a->columns), ULL(b->rows));
    if (c->rows != a->rows || c->columns != b->columns)
        return bad_input("expected C of %llu x %llu, found %llu x %llu; give it the rows of A and the columns of B",
                         ULL(a->rows), ULL(b->columns), ULL(c->rows), ULL(c->columns));
    TRY(check_places("A", a));
    TRY(check_places("B", b));
    TRY(check_places("C", c));
    if (call->alpha - call->alpha != 0 || rounded_to(call->alpha, added) != call->alpha)
        return bad_input("expected alpha in %s, found %a; round it to that", added->name, call->alpha);
    if (call->beta != 0 && call->beta != 1)
        return bad_input("expected beta 0 or 1, found %d; scale C before, or add it afterwards", call->beta);
    return OK;
}
