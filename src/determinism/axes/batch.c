/* The same row in batches of 1 to 4,096 rows, as the first of them, in the middle and as the last: has it the bits of
 * the row alone?  The other rows are of other numbers.
 *
 *   4 rows:  x  y  x  x     the rows at 0, 2 and 3 are those that are compared; those of y are drawn from numbers of x
 *
 * Of a product of matrices it is the first row of A. */
#include "src/base/format.h"
#include "src/base/interrupts.h"
#include "src/determinism/under.h"
#include "src/plugins/plugin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows beyond the first few double, as far as so many elements reach. */
enum { PLACES = 3 };
static const uint64_t rows_most = 4096, elements_most = UINT64_C(1) << 26;
static const uint64_t first_counts[] = {1, 2, 3, 4, 7, 8};
enum { FIRST_COUNTS = sizeof first_counts / sizeof *first_counts };

struct batch {
    struct vary *vary;
    struct operands of;        /* of the largest batch that is asked for */
    void *arrays[ARRAYS_MOST]; /* what it has of its own */
    uint64_t *bits;
    uint64_t width; /* results of a row */
};

/* Why no rows are asked for; NULL: they are. */
static const char *takes_no_rows(const struct varied *varied)
{
    const struct method *method = varied->method;
    if (operation_table[method->operation].of == MATRICES)
        return NULL;
    if (method->plugin)
        return plugin_takes_rows(method) ? NULL : "it takes one row in a call";
    if (varied->device)
        return device_takes_rows(method) ? NULL : "its kernels take no rows";
    return NULL; /* a replay adds rows one by one */
}

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* ---- rows ---- */

static const uint64_t *places(uint64_t rows)
{
    static _Thread_local uint64_t at[PLACES];
    at[0] = 0;
    at[1] = rows / 2;
    at[2] = rows - 1;
    return at;
}

/* Numbers of the row itself, any of them. */
static void draw_all(const struct batch *batch, int array, uint64_t rows)
{
    const struct operands *from = &batch->vary->of->of;
    const size_t size = format_held(from->format)->bytes;
    const uint64_t n = from->shape.terms;
    uint64_t state = batch->vary->of->seed + (uint64_t)array;
    for (uint64_t i = 0; i < rows * n; i++)
        memcpy((char *)batch->arrays[array] + i * size, (const char *)from->arrays[array] + draw(&state) % n * size,
               size);
}

/* Those of smaller batches stay where they are. */
static void place(const struct batch *batch, int array, uint64_t rows)
{
    const struct operands *from = &batch->vary->of->of;
    const size_t bytes = from->shape.terms * format_held(from->format)->bytes;
    for (int p = 0; p < PLACES; p++)
        memcpy((char *)batch->arrays[array] + places(rows)[p] * bytes, from->arrays[array], bytes);
}

static enum status make(struct batch *batch, uint64_t rows)
{
    const struct operands *from = &batch->vary->of->of;
    const bool is_product = from->shape.columns > 0;
    batch->of = *from;
    batch->width = is_product ? from->shape.columns : 1;
    for (int array = 0; array < (is_product ? 1 : ARRAYS_MOST) && from->arrays[array]; array++) {
        batch->arrays[array] = malloc(rows * from->shape.terms * format_held(from->format)->bytes + 1);
        batch->of.arrays[array] = batch->arrays[array];
        if (!batch->arrays[array])
            return out_of_memory("rows of a batch");
        draw_all(batch, array, rows);
    }
    batch->bits = malloc(rows * batch->width * sizeof *batch->bits);
    return batch->bits ? OK : out_of_memory("the results of a batch");
}

static void drop(struct batch *batch)
{
    for (int array = 0; array < ARRAYS_MOST; array++)
        free(batch->arrays[array]);
    free(batch->bits);
}

/* ---- batches ---- */

static enum tried add_rows(struct batch *batch, uint64_t rows, const char *order)
{
    char variant[48];
    batch->of.shape.rows = rows;
    for (int array = 0; array < ARRAYS_MOST; array++)
        if (batch->arrays[array])
            place(batch, array, rows);
    snprintf(variant, sizeof variant, "%" PRIu64 " rows", rows);
    const enum tried tried = vary_try(batch->vary, &batch->of, NULL, batch->bits, variant);
    for (int p = 0; p < PLACES && tried == COMPUTED; p++)
        if (p == 0 || places(rows)[p] > places(rows)[p - 1])
            variation_note(batch->vary, batch->bits + places(rows)[p] * batch->width,
                           "row %" PRIu64 " of %" PRIu64 "%s", places(rows)[p] + 1, rows, order);
    return tried;
}

/* The row alone is the base: of matrices another than that of the whole product. */
static enum status begin(struct batch *batch)
{
    batch->of.shape.rows = 1;
    place(batch, 0, 1);
    TRY(vary_compute(batch->vary, &batch->of, batch->vary->of->launch, NULL, batch->bits));
    return vary_begin(batch->vary, batch->bits, batch->width, batch->vary->of->ulp);
}

static uint64_t most_rows(const struct varied *varied)
{
    const struct device_facts *facts = device_facts(varied->device);
    const struct shape shape = varied->of.shape;
    const uint64_t row = shape.terms + shape.columns;
    uint64_t elements = elements_most;
    if (facts && facts->memory_bytes / (8 * sizeof(double)) < elements)
        elements = facts->memory_bytes / (8 * sizeof(double));
    const uint64_t most = elements / row < rows_most ? elements / row : rows_most;
    return most > 0 ? most : 1;
}

static enum tried add_batches(struct batch *batch, const char *order)
{
    const uint64_t most = most_rows(batch->vary->of);
    enum tried tried = COMPUTED;
    if (make(batch, most) != OK)
        return STOPPED;
    if (batch->vary->of->of.shape.columns > 0 && begin(batch) != OK) {
        if (vary_replays(batch->vary->of))
            return STOPPED;
        if (!*batch->vary->found->why)
            vary_leave_out(batch->vary, "the row alone failed, as said above");
        return HOPELESS;
    }
    for (uint64_t r = 0, rows = 1; tried < HOPELESS && !interrupted(); r++) {
        rows = r < FIRST_COUNTS ? first_counts[r] : 2 * rows;
        if (rows > most)
            break;
        tried = add_rows(batch, rows, order);
    }
    return tried;
}

static enum tried try_batches(struct vary *vary, const char *order)
{
    struct batch batch = {.vary = vary};
    const enum tried tried = add_batches(&batch, order);
    drop(&batch);
    return tried;
}

enum status batch_vary(struct vary *vary)
{
    const char *why = takes_no_rows(vary->of);
    if (!why && vary->of->of.shape.terms == 0)
        why = "there is no number";
    if (!why)
        return vary_in_orders(vary, try_batches);
    vary_leave_out(vary, "%s", why);
    return OK;
}
