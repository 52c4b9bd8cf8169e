/* Batches of 1 to 4,096 rows: has each row, wherever it stands, the bits that it has alone?  A batch is the beginning
 * of the largest.  The first 61 rows are all different and then come again in an order that is drawn:
 *
 *   x  y1  y2 ... y60  y17  x  y3 ...     those of y are drawn from numbers of x; of a product, rows of A as far as
 *                                         there are some
 */
#include "datasets/splitmix64.h"
#include "src/base/interrupts.h"
#include "src/determinism/vary.h"
#include "src/plugins/plugin.h"

/* Rows beyond the first few double, as far as so many elements reach. */
enum { DIFFERENT = 61 };
static const uint64_t rows_most = 4096, elements_most = UINT64_C(1) << 26, results_most = UINT64_C(1) << 20;
static const uint64_t first_counts[] = {1, 2, 3, 4, 7, 8};
enum { FIRST_COUNTS = sizeof first_counts / sizeof *first_counts };

struct batch {
    struct vary *vary;
    struct operands of;        /* of the largest batch that is asked for */
    void *arrays[ARRAYS_MOST]; /* what it has of its own */
    uint64_t *bits;
    uint64_t width;  /* results of a row */
    uint64_t *alone; /* those of the rows that are different, each asked for alone */
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

/* Which of the different rows stands at a place. */
static uint64_t row_at(const struct batch *batch, uint64_t place)
{
    return place < DIFFERENT ? place : splitmix64(batch->vary->of->seed ^ place) % DIFFERENT;
}

/* A row of the numbers themselves, or any of them, the first of which are 0: so rows of equal numbers differ, too. */
static void make_row(const struct batch *batch, int array, uint64_t row, char *to)
{
    const struct operands *from = &batch->vary->of->of;
    const size_t size = format_held(from->format)->bytes;
    const uint64_t n = from->shape.terms, zeros = row % (n + 1);
    const char *numbers = from->arrays[array];
    if (row < from->shape.rows) {
        memcpy(to, numbers + row * n * size, n * size);
        return;
    }
    memset(to, 0, zeros * size);
    for (uint64_t i = zeros; i < n; i++)
        memcpy(to + i * size, numbers + splitmix64(splitmix64(batch->vary->of->seed + row) + i) % n * size, size);
}

static enum status make(struct batch *batch, uint64_t rows)
{
    const struct operands *from = &batch->vary->of->of;
    const bool is_product = from->shape.columns > 0;
    const size_t bytes = from->shape.terms * format_held(from->format)->bytes;
    batch->of = *from;
    batch->width = operation_results(from->operation, from->shape) / (is_product ? from->shape.rows : 1);
    for (int array = 0; array < (is_product ? 1 : ARRAYS_MOST) && from->arrays[array]; array++) {
        char *own = batch->arrays[array] = malloc(rows * bytes + 1);
        batch->of.arrays[array] = own;
        TRY(own ? OK : out_of_memory("rows of a batch"));
        for (uint64_t r = 0; r < rows; r++)
            if (r < DIFFERENT)
                make_row(batch, array, r, own + r * bytes);
            else
                memcpy(own + r * bytes, own + row_at(batch, r) * bytes, bytes);
    }
    batch->bits = malloc(rows * batch->width * sizeof *batch->bits);
    batch->alone = malloc(DIFFERENT * batch->width * sizeof *batch->alone);
    return batch->bits && batch->alone ? OK : out_of_memory("the results of a batch");
}

static void drop(struct batch *batch)
{
    for (int array = 0; array < ARRAYS_MOST; array++)
        free(batch->arrays[array]);
    free_all(batch->bits, batch->alone);
}

static struct operands alone(const struct batch *batch, uint64_t row)
{
    struct operands of = batch->of;
    of.shape.rows = 1;
    for (int array = 0; array < ARRAYS_MOST && batch->arrays[array]; array++)
        of.arrays[array] = (const char *)batch->arrays[array] + row * of.shape.terms * format_held(of.format)->bytes;
    return of;
}

static enum tried add_alone(struct batch *batch, uint64_t rows)
{
    enum tried tried = COMPUTED;
    for (uint64_t r = 0; r < rows && tried == COMPUTED; r++) {
        const struct operands of = alone(batch, r);
        tried = vary_try(batch->vary, &of, NULL, batch->alone + r * batch->width, "a row alone");
    }
    return tried == FAILED ? HOPELESS : tried;
}

/* Each row is held against itself alone. */
static enum status note_rows(struct batch *batch, const char *order)
{
    struct vary *vary = batch->vary;
    const struct format *format = vary->of->method->format;
    const struct shape shape = batch->of.shape;
    const uint64_t width = batch->width;
    for (uint64_t r = 0; r < shape.rows; r++) {
        const struct operands of = alone(batch, r);
        const uint64_t *const base = batch->alone + row_at(batch, r) * width, *const bits = batch->bits + r * width;
        double ulp = (double)NAN;
        if (results_word(format, bits, width) != results_word(format, base, width))
            TRY(terms_ulp(&of, format, &ulp));
        TRY(vary_begin(vary, &of, shape, base, width, ulp));
        variation_note(vary, bits, "row %" PRIu64 " of %" PRIu64 "%s", r + 1, shape.rows, order);
    }
    return OK;
}

static uint64_t most_rows(const struct varied *varied)
{
    const struct device_facts *facts = device_facts(varied->device);
    const struct shape shape = varied->of.shape;
    const uint64_t row = shape.terms + shape.columns;
    uint64_t elements = operation_is_per_number(varied->of.operation) ? results_most : elements_most;
    if (facts && facts->memory_bytes / (8 * sizeof(double)) < elements)
        elements = facts->memory_bytes / (8 * sizeof(double));
    const uint64_t most = elements / row < rows_most ? elements / row : rows_most;
    return most > 0 ? most : 1;
}

static enum tried add_batches(struct batch *batch, const char *order)
{
    const uint64_t most = most_rows(batch->vary->of);
    char variant[48];
    if (make(batch, most) != OK)
        return STOPPED;
    enum tried tried = add_alone(batch, most < DIFFERENT ? most : DIFFERENT);
    for (uint64_t r = 0, rows = 1; tried < HOPELESS && !interrupted(); r++) {
        rows = r < FIRST_COUNTS ? first_counts[r] : 2 * rows;
        if (rows > most)
            break;
        batch->of.shape.rows = rows;
        snprintf(variant, sizeof variant, "%" PRIu64 " rows", rows);
        tried = vary_try(batch->vary, &batch->of, NULL, batch->bits, variant);
        if (tried == COMPUTED && note_rows(batch, order) != OK)
            return STOPPED;
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
