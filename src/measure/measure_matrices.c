/* One case of products of matrices: both matrices are made once; each computed C is held, element by element, against
 * the exact one, and becomes few rows (element_tally.h). */
#include "case_in_hand.h"

#include "element_tally.h"
#include "exact_product.h"
#include "judge.h"
#include "src/base/format.h"
#include "src/base/memory.h"

#include "reference/exact.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Elements whose exact values are in memory at a time, but at least a row of C; a GPU has less to do beside them where
 * they are many. */
enum { ELEMENTS_AT_ONCE = 1 << 18, ELEMENTS_OF_A_GPU = 1 << 22 };

struct matrices_in_hand {
    struct case_in_hand *of;
    uint64_t *bits; /* of one product */
    void *computed; /* the same, as format_held() has them */
    struct exact_element *exact;
    uint64_t rows_at_once;
};

static struct shape shape_of(const struct dataset *data)
{
    return (struct shape){.terms = data->n, .rows = data->rows, .columns = data->columns};
}

/* ---- exact elements ---- */

static struct matrix_product product_of(const struct matrices_in_hand *hand, const struct method *method)
{
    const struct dataset *data = &hand->of->data;
    return (struct matrix_product){
        .format = data->format,
        .result = method->format,
        .rows = data->rows,
        .inner = data->n,
        .columns = data->columns,
        .a = {data->x, data->n, 1},
        .b = {data->y, data->columns, 1},
        .computed = {hand->computed, data->columns, 1},
    };
}

/* Rows first .. first + count of C. */
static enum status exact_rows(const struct matrices_in_hand *hand, const struct method *method, uint64_t first,
                              uint64_t count)
{
    const struct measuring *measuring = hand->of->measuring;
    struct matrix_product product = product_of(hand, method);
    product.rows = count;
    product.a.numbers = (const char *)product.a.numbers + first * product.inner * format_held(product.format)->bytes;
    product.computed.numbers =
        (const char *)hand->computed + first * product.columns * format_held(product.result)->bytes;
    return exact_product(&product, measuring->device, measuring->study->seed, measuring->case_workers, hand->exact);
}

static enum status sum_element(const struct matrices_in_hand *hand, const struct method *method, uint64_t i, uint64_t j,
                               struct exact_sum *exact)
{
    const struct matrix_product product = product_of(hand, method);
    return exact_product_element(&product, (struct exact_how){.verify = hand->of->measuring->verify_reference}, i, j,
                                 exact);
}

/* Element e of the product; of those whose exact values are in memory it is element `at`. */
static enum status judge_element(const struct matrices_in_hand *hand, const struct measured *row, uint64_t e,
                                 uint64_t at, struct measured *element)
{
    const struct study *study = hand->of->measuring->study;
    const struct method *method = study->methods[row->method];
    const struct dataset *data = &hand->of->data;
    const struct exact_element *exact = &hand->exact[at];
    const struct magnitudes magnitudes = {.abs_s = exact->abs_above, .sum_abs = exact->sum_abs_above};
    const struct launch launch = study->launches[row->launch];
    double bound = method->bound(method, shape_of(data), launch, &magnitudes);
    if (isinf(bound) && isfinite(format_value(method->format, hand->bits[e])))
        bound = bound_of_finite(method, shape_of(data), launch, &magnitudes, bound);
    if (element_judge(exact, method->format, hand->bits[e], bound, element))
        return OK;
    struct exact_sum sum;
    TRY(sum_element(hand, method, e / data->columns, e % data->columns, &sum));
    const struct promise promise = {.bound = bound, .bound_if_finite = bound};
    judge_sum(&sum, method->format, &promise, hand->bits[e], element);
    exact_free(&sum);
    return OK;
}

static enum status tally_rows(const struct matrices_in_hand *hand, const struct measured *row,
                              struct element_tally *tally, uint64_t first, uint64_t count)
{
    const uint64_t columns = hand->of->data.columns;
    TRY(exact_rows(hand, hand->of->measuring->study->methods[row->method], first, count));
    struct measured element = *row;
    for (uint64_t at = 0; at < count * columns; at++) {
        TRY(judge_element(hand, row, first * columns + at, at, &element));
        TRY(element_tally_add(tally, &element));
    }
    return OK;
}

/* ---- rows of the store ---- */

/* The exact value of an element in full, and its condition: those of a dot product, which must agree. */
static enum status complete(struct matrices_in_hand *hand, struct measured *row)
{
    const struct method *method = hand->of->measuring->study->methods[row->method];
    struct exact_sum exact;
    TRY(sum_element(hand, method, row->i, row->j, &exact));
    const uint64_t nearest_bits = format_bits(method->format, exact_round(exact.sum, method->format));
    const bool agrees = format_same(method->format, row->nearest_bits, nearest_bits);
    row->exact = case_keep_text(hand->of, exact_hex(exact.sum));
    row->condition = exact.condition;
    exact_free(&exact);
    if (agrees)
        return OK;
    complain("%s, trial %" PRIu64 ": the exact element (%" PRIu64 ", %" PRIu64
             ") of the product is another as a dot product; this is a bug in the reference",
             hand->of->spec->text, hand->of->place.trial, row->i, row->j);
    return NOT_MEASURED;
}

static enum status append_rows(struct matrices_in_hand *hand, struct measured row, struct element_tally *tally)
{
    const size_t count = element_tally_rows(tally);
    row.digest = case_keep_text(hand->of, memory_copy(element_tally_digest(tally)));
    for (size_t r = 0; r < count; r++) {
        row.map = r == 0 ? case_keep_text(hand->of, memory_copy(element_tally_map(tally))) : NULL;
        element_tally_row(tally, r, &row);
        TRY(complete(hand, &row));
        TRY(case_append(hand->of, row));
    }
    return OK;
}

/* One computed C, whose bits are in hand. */
static enum status judge_product(struct matrices_in_hand *hand, struct measured row)
{
    const struct study *study = hand->of->measuring->study;
    const struct method *method = study->methods[row.method];
    const struct dataset *data = &hand->of->data;
    struct element_tally *tally = element_tally_new(method->format, data->rows, data->columns);
    enum status status = tally ? OK : out_of_memory("a matrix product");
    for (uint64_t e = 0; e < data->rows * data->columns; e++)
        held_set(method->format, hand->computed, e, format_value(method->format, hand->bits[e]));
    for (uint64_t first = 0; first < data->rows && status == OK; first += hand->rows_at_once) {
        const uint64_t left = data->rows - first;
        status = tally_rows(hand, &row, tally, first, left < hand->rows_at_once ? left : hand->rows_at_once);
    }
    row.height = method->height ? method->height(method, shape_of(data), study->launches[row.launch]) : 0;
    row.probabilistic_bound = (double)NAN;
    if (status == OK)
        status = append_rows(hand, row, tally);
    element_tally_free(tally);
    return status;
}

/* ---- methods ---- */

static const char *last_digest(const struct matrices_in_hand *hand)
{
    const struct finished_case *finished = hand->of->finished;
    return finished->row_count > 0 ? finished->rows[finished->row_count - 1].digest : "";
}

static enum status run_replay(struct matrices_in_hand *hand, struct measured row, const char **digest)
{
    const struct dataset *data = &hand->of->data;
    const struct study *study = hand->of->measuring->study;
    const struct method *method = study->methods[row.method];
    const struct operands of = {data->format, method->operation, {data->x, data->y}, shape_of(data)};
    if (method->replay(method, &of, study->launches[row.launch], hand->of->measuring->case_workers, hand->bits) != OK) {
        case_note_failure(hand->of, row.launch, row.method, "replay");
        return OK;
    }
    TRY(judge_product(hand, row));
    *digest = last_digest(hand);
    return OK;
}

static enum status run_kernel(struct matrices_in_hand *hand, struct measured row, const char *of_replay)
{
    const struct measuring *measuring = hand->of->measuring;
    const struct study *study = measuring->study;
    const struct method *method = study->methods[row.method];
    row.backend = BACKEND_cuda;
    for (; row.repeat < study->repeats; row.repeat++) {
        if (device_run(measuring->device, method, shape_of(&hand->of->data), study->launches[row.launch], hand->bits) !=
            OK) {
            case_note_failure(hand->of, row.launch, row.method, "kernel");
            return OK;
        }
        TRY(judge_product(hand, row));
        if (of_replay && strcmp(last_digest(hand), of_replay) != 0)
            case_tell_difference(hand->of, &row, last_digest(hand), of_replay);
    }
    return OK;
}

static enum status take_of_plugin(void *context, struct measured row, const uint64_t *bits)
{
    (void)bits; /* they are in hand */
    return judge_product(context, row);
}

static enum status measure_method(struct matrices_in_hand *hand, size_t launch, size_t method, bool runs_kernels)
{
    const struct measured row = {.launch = launch, .method = method};
    const char *of_replay = NULL;
    const struct dataset *data = &hand->of->data;
    const struct method *of = hand->of->measuring->study->methods[method];
    const struct operands operands = {data->format, of->operation, {data->x, data->y}, shape_of(data)};
    if (of->ask)
        return case_ask_plugin(hand->of, row, &operands, hand->bits, take_of_plugin, hand);
    if (case_replays(hand->of, method))
        TRY(run_replay(hand, row, &of_replay));
    if (runs_kernels && device_has_kernel(hand->of->measuring->study->methods[method]))
        TRY(run_kernel(hand, row, of_replay));
    return OK;
}

static bool upload(const struct case_in_hand *hand)
{
    const struct dataset *data = &hand->data;
    struct device *device = hand->measuring->device;
    if (device_upload_second(device, data->format, data->y, dataset_count(data, true)) == OK &&
        device_upload(device, data->format, data->x, dataset_count(data, false)) == OK)
        return true;
    complain("%s, trial %" PRIu64 ": the data could not be brought to the GPU, as said above; no kernel is run on them",
             hand->spec->text, hand->place.trial);
    hand->finished->unfinished = true;
    return false;
}

/* The device is held for the whole case: data go there once. */
static enum status measure_methods(struct matrices_in_hand *hand)
{
    const struct measuring *measuring = hand->of->measuring;
    const struct study *study = measuring->study;
    struct finished_case *finished = hand->of->finished;
    enum status status = OK;
    device_lock(measuring->device);
    const bool uploaded = measuring->device && !device_is_lost(measuring->device) && upload(hand->of);
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count && status == OK; m++)
            if (case_is_left(hand->of))
                status = INTERRUPTED;
            else if (case_measures(hand->of, l, m))
                status = measure_method(hand, l, m, uploaded && !device_is_lost(measuring->device));
    finished->device_lost = device_is_lost(measuring->device);
    finished->unfinished |= finished->device_lost;
    device_unlock(measuring->device);
    return status;
}

enum status measure_matrices(struct case_in_hand *of)
{
    struct matrices_in_hand hand = {.of = of};
    TRY(case_take_data(of));
    const struct dataset *data = &of->data;
    const uint64_t elements = data->rows * data->columns;
    const uint64_t most = of->measuring->device ? ELEMENTS_OF_A_GPU : ELEMENTS_AT_ONCE;
    hand.rows_at_once = data->columns < most ? most / data->columns : 1;
    const uint64_t at_once = (hand.rows_at_once < data->rows ? hand.rows_at_once : data->rows) * data->columns;
    hand.bits = malloc(elements * sizeof *hand.bits);
    hand.computed = malloc(elements * sizeof(double));
    hand.exact = malloc(at_once * sizeof *hand.exact);
    const bool has_room = hand.bits && hand.computed && hand.exact;
    const enum status status = has_room ? measure_methods(&hand) : out_of_memory("a matrix product");
    free(hand.bits);
    free(hand.computed);
    free(hand.exact);
    case_put_data_away(of);
    return status;
}
