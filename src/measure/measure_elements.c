/* One case of many results, a matrix product or an operation with one for each number: data are made once; each
 * computed result is held, element by element, against the exact one, and all become few rows (element_tally.h). */
#include "case_in_hand.h"

#include "element_tally.h"
#include "judge.h"
#include "operation.h"
#include "src/base/workers.h"

#include "kernels/scan.h"
#include "reference/exact.h"
#include "reference/matrix_device.h"

#include <sys/param.h>

/* Elements whose exact values are in memory at a time, but at least a row of C; a GPU has less to do beside them where
 * they are many. */
enum { ELEMENTS_AT_ONCE = 1 << 18, ELEMENTS_OF_A_GPU = 1 << 21 };

/* Elements that a thread judges at a time, but at least a row of C: 15 ms. */
enum { ELEMENTS_OF_A_BAND = 1 << 16 };

struct elements_in_hand {
    struct case_in_hand *of;
    uint64_t *bits;                 /* of all elements */
    void *computed;                 /* the same, as format_held() has them; of a row those that are judged */
    uint64_t rows, columns;         /* of elements: of an operation that gives one for each number n and 1 */
    struct exact_element *exact[2]; /* of rows that are judged, and of the next ones */
    uint64_t rows_at_once, rows_of_band;
    struct exact_row *row;           /* NULL: a matrix product */
    bool replays;                    /* bits come while they are judged, ELEMENTS_AT_ONCE at a time */
    enum status of_replay;           /* then */
    double bound_of_0, bound_growth; /* of the method in hand, see row_bound(); INFINITY: each element has its own */
    struct matrix_kept *kept;        /* B on the GPU that makes exact elements; NULL: the host does */
};

/* A computed C on its way to rows of the store. */
struct judging {
    struct elements_in_hand *hand;
    const struct measured *row;
    struct element_tally *tally, **bands; /* of all elements; of some rows each, to be joined in their order */
    uint64_t first, count;                /* the rows that are judged, whose exact elements are exact[turn] */
    unsigned turn, threads;
    atomic_uint_fast64_t next_band;
    atomic_int status;
    enum status of_next;        /* what came of the exact elements of the next rows */
    struct matrix_check *check; /* of those of a GPU; else NULL */
    enum status of_check, of_all;
    struct digest *digesting; /* of bits that come in pieces */
    enum status of_pieces;
    char digest[DIGEST_TEXT];
};

static struct shape shape_of(const struct elements_in_hand *hand)
{
    const struct dataset *data = &hand->of->data;
    return hand->row ? (struct shape){data->n, 1, data->window} : (struct shape){data->n, data->rows, data->columns};
}

static struct operands operands_of(const struct elements_in_hand *hand, size_t method)
{
    const struct dataset *data = &hand->of->data;
    return (struct operands){
        data->format, hand->of->measuring->study->methods[method]->operation, {data->x, data->y}, shape_of(hand)};
}

/* ---- exact elements ---- */

static struct matrix_product product_of(const struct elements_in_hand *hand, size_t method)
{
    const struct dataset *data = &hand->of->data;
    return (struct matrix_product){
        .format = data->format,
        .result = hand->of->measuring->study->methods[method]->format,
        .rows = data->rows,
        .inner = data->n,
        .columns = data->columns,
        .a = {data->x, data->n, 1},
        .b = {data->y, data->columns, 1},
        .computed = {hand->computed, data->columns, 1},
        .kept = hand->kept,
    };
}

/* As many rows as are in memory at a time, from the first on. */
static enum status exact_rows(const struct judging *judging, uint64_t first, struct exact_element *elements)
{
    const struct elements_in_hand *hand = judging->hand;
    if (hand->row) {
        const struct format *format = hand->of->measuring->study->methods[judging->row->method]->format;
        const uint64_t count = MIN(hand->rows - first, hand->rows_at_once);
        for (uint64_t e = 0; e < count; e++)
            held_set(format, hand->computed, e, format_value(format, hand->bits[e + (hand->replays ? 0 : first)]));
        return exact_row_elements(hand->row, format, hand->computed, first, count, hand->of->measuring->case_workers,
                                  elements);
    }
    struct matrix_product product = product_of(hand, judging->row->method);
    product.rows = MIN(product.rows - first, hand->rows_at_once);
    product.a = matrix_from(product.a, product.format, first, 0);
    product.computed = matrix_from(product.computed, product.result, first, 0);
    if (!judging->check)
        return exact_matrix(&product, hand->of->measuring->case_workers, elements);
    TRY(exact_matrix_on_device(&product, elements));
    matrix_check_note(judging->check, first, product.rows, elements);
    return OK;
}

static enum status sum_element(const struct elements_in_hand *hand, size_t method, uint64_t i, uint64_t j,
                               struct exact_sum *exact)
{
    if (hand->row)
        return exact_row_element(hand->row, i, exact);
    const struct matrix_product product = product_of(hand, method);
    return exact_product_element(&product, (struct exact_how){.verify = hand->of->measuring->verify_reference}, i, j,
                                 exact);
}

static double bound_of(const struct elements_in_hand *hand, const struct measured *row, const struct magnitudes *of)
{
    const struct study *study = hand->of->measuring->study;
    return study->methods[row->method]->bound(study->methods[row->method], shape_of(hand), study->launches[row->launch],
                                              of);
}

/* Of a norm a bound is a + b |s|, but for 20 roundings up of 2^-50: known where it is known of s = 0 and of the largest
 * that there is, root(n). */
static void set_row_bound(struct elements_in_hand *hand, const struct measured *row)
{
    const enum quantity of = operation_table[study_operation(hand->of->measuring->study)].of;
    hand->bound_growth = INFINITY;
    if (of != LAYER_NORM && of != RMS_NORM)
        return;
    const double most = sqrt((double)hand->rows) + 1;
    const struct magnitudes none = {.moments = exact_row_moments(hand->row)},
                            all = {.abs_s = most, .moments = none.moments};
    hand->bound_of_0 = bound_of(hand, row, &none);
    hand->bound_growth = (bound_of(hand, row, &all) - hand->bound_of_0) / most;
}

static double row_bound(const struct elements_in_hand *hand, const struct measured *row, const struct magnitudes *of)
{
    return isfinite(hand->bound_growth) ? (hand->bound_of_0 + hand->bound_growth * of->abs_s) * (1 + 0x1p-40)
                                        : bound_of(hand, row, of);
}

/* Element e of them. */
static enum status judge_element(const struct elements_in_hand *hand, const struct measured *row, uint64_t e,
                                 uint64_t bits, const struct exact_element *exact, struct measured *element)
{
    const struct study *study = hand->of->measuring->study;
    const struct method *method = study->methods[row->method];
    struct magnitudes magnitudes = {.abs_s = exact->abs_above,
                                    .sum_abs = exact->sum_abs_above,
                                    .moments = hand->row ? exact_row_moments(hand->row) : NULL};
    struct moments of_prefix;
    if (is_scan(method->operation)) {
        of_prefix = *magnitudes.moments;
        of_prefix.prefix = (double)(e + 1);
        of_prefix.history = exact_row_history(hand->row, e);
        magnitudes.moments = &of_prefix;
        magnitudes.max_abs = of_prefix.max_abs;
    }
    const struct launch launch = study->launches[row->launch];
    double bound = hand->row ? row_bound(hand, row, &magnitudes) : bound_of(hand, row, &magnitudes);
    if (isinf(bound) && isfinite(format_value(method->format, bits)))
        bound = bound_of_finite(method, shape_of(hand), launch, &magnitudes, bound);
    if (element_judge(exact, method->format, bits, bound, element))
        return OK;
    FREED_BY(exact_free) struct exact_sum sum = {0};
    TRY(sum_element(hand, row->method, e / hand->columns, e % hand->columns, &sum));
    const struct promise promise = {.bound = bound, .bound_if_finite = bound};
    judge_sum(&sum, method->format, &promise, bits, element);
    return OK;
}

/* A band of rows `from` .. `to` of those that are judged. */
static enum status judge_band(const struct judging *judging, uint64_t from, uint64_t to, struct element_tally *tally)
{
    const struct elements_in_hand *hand = judging->hand;
    const uint64_t columns = hand->columns;
    struct measured element = *judging->row;
    if (!tally)
        return out_of_memory("elements");
    for (uint64_t at = from * columns; at < to * columns; at++) {
        const uint64_t first = judging->first * columns;
        TRY(judge_element(hand, judging->row, first + at, hand->bits[at + (hand->replays ? 0 : first)],
                          &hand->exact[judging->turn][at], &element));
        TRY(element_tally_add(tally, &element));
    }
    return OK;
}

static uint64_t bands_of(const struct judging *judging)
{
    const uint64_t rows = judging->hand->rows_of_band;
    return (judging->count + rows - 1) / rows;
}

/* Beyond the threads that judge: the exact elements of the next rows, on the GPU. */
static void judge_some(void *context, unsigned worker)
{
    struct judging *judging = context;
    const struct elements_in_hand *hand = judging->hand;
    if (worker == judging->threads) {
        judging->of_next = exact_rows(judging, judging->first + judging->count, hand->exact[1 - judging->turn]);
        return;
    }
    for (uint64_t b; (b = atomic_fetch_add(&judging->next_band, 1)) < bands_of(judging);) {
        const uint64_t from = b * hand->rows_of_band, to = MIN(from + hand->rows_of_band, judging->count);
        judging->bands[b] = element_tally_part(judging->tally, judging->first + from);
        const enum status status = judge_band(judging, from, to, judging->bands[b]);
        if (status != OK)
            atomic_store(&judging->status, (int)status);
    }
}

static enum status join_bands(struct judging *judging)
{
    enum status status = (enum status)atomic_load(&judging->status);
    for (uint64_t b = 0; b < bands_of(judging); b++) {
        if (status == OK)
            status = element_tally_join(judging->tally, judging->bands[b]);
        element_tally_free(judging->bands[b]);
    }
    return status;
}

/* The rows whose exact elements are there; makes those of the next ones, while these are judged if a GPU does. */
static enum status judge_rows(struct judging *judging)
{
    const struct elements_in_hand *hand = judging->hand;
    const bool has_next = !hand->replays && judging->first + judging->count < hand->rows,
               is_beside = has_next && judging->check;
    judging->threads = (unsigned)MIN(hand->of->measuring->case_workers, bands_of(judging));
    judging->of_next = OK;
    atomic_store(&judging->next_band, 0);
    workers_run(judging->threads + is_beside, judge_some, judging);
    if (has_next && !is_beside)
        judge_some(judging, judging->threads);
    TRY(join_bands(judging));
    return judging->of_next;
}

/* Those of a replay that has just made them. */
static void judge_piece(void *context, uint64_t first, uint64_t count)
{
    struct judging *judging = context;
    const struct elements_in_hand *hand = judging->hand;
    if (judging->of_pieces != OK)
        return;
    judging->first = first;
    judging->count = count;
    judging->of_pieces = exact_rows(judging, first, hand->exact[0]);
    if (judging->of_pieces == OK)
        judging->of_pieces = judge_rows(judging);
    digest_add(judging->digesting, hand->of->measuring->study->methods[judging->row->method]->format, hand->bits,
               count);
}

/* A scan of 2^28 numbers has one array beside them, or none: its results would be two more. */
static enum status replay_in_pieces(struct judging *judging)
{
    struct elements_in_hand *hand = judging->hand;
    const struct study *study = hand->of->measuring->study;
    const struct operands of = operands_of(hand, judging->row->method);
    const struct scan_pieces pieces = {ELEMENTS_AT_ONCE, judge_piece, judging};
    judging->digesting = digest_new();
    TRY(judging->digesting ? OK : out_of_memory("elements"));
    hand->of_replay = scan_replay(study->methods[judging->row->method], &of, study->launches[judging->row->launch],
                                  &pieces, hand->bits);
    digest_end(judging->digesting, judging->digest);
    return judging->of_pieces;
}

static enum status judge_all(struct judging *judging)
{
    const struct elements_in_hand *hand = judging->hand;
    const uint64_t rows = hand->rows;
    if (hand->replays)
        return replay_in_pieces(judging);
    TRY(exact_rows(judging, 0, hand->exact[0]));
    for (; judging->first < rows; judging->first += judging->count, judging->turn = 1 - judging->turn) {
        judging->count = MIN(rows - judging->first, hand->rows_at_once);
        TRY(judge_rows(judging));
    }
    return OK;
}

/* A share of the rows of what was computed, as exact_matrix() wants them. */
static void hold_some(void *context, unsigned worker)
{
    const struct judging *judging = context;
    const struct elements_in_hand *hand = judging->hand;
    const struct format *format = hand->of->measuring->study->methods[judging->row->method]->format;
    const uint64_t rows = hand->rows, columns = hand->columns;
    for (uint64_t e = rows * worker / judging->threads * columns; e < rows * (worker + 1) / judging->threads * columns;
         e++)
        held_set(format, hand->computed, e, format_value(format, hand->bits[e]));
}

/* The last of two judges all elements; the other one does what needs no tally, the digest, and what the host says of
 * some of a GPU's exact elements. */
static void judge_or_check(void *context, unsigned worker)
{
    struct judging *judging = context;
    const struct elements_in_hand *hand = judging->hand;
    const struct measuring *measuring = hand->of->measuring;
    if (worker == 1) {
        judging->of_all = judge_all(judging);
        return;
    }
    if (judging->check)
        judging->of_check = matrix_check_multiply(judging->check, measuring->case_workers);
    if (!hand->replays)
        digest_of(measuring->study->methods[judging->row->method]->format, hand->bits, hand->rows * hand->columns,
                  judging->digest);
}

static enum status judge_and_check(struct judging *judging)
{
    const struct measuring *measuring = judging->hand->of->measuring;
    const struct matrix_product product = product_of(judging->hand, judging->row->method);
    if (!judging->hand->row && exact_product_is_of_gpu(&product, measuring->device)) {
        judging->check = matrix_check_new(&product, measuring->study->seed);
        if (!judging->check)
            return out_of_memory("rows and columns of an exact matrix product");
    }
    if (judging->check) {
        workers_run(2, judge_or_check, judging);
    } else {
        judge_or_check(judging, 0);
        judge_or_check(judging, 1);
    }
    enum status status = judging->of_all == OK ? judging->of_check : judging->of_all;
    if (status == OK && judging->check)
        status = matrix_check_compare(judging->check);
    matrix_check_free(judging->check);
    return status;
}

/* ---- rows of the store ---- */

/* The exact value of an element in full, and its condition; of a product those of a dot product, which must agree. */
static enum status complete(struct elements_in_hand *hand, struct measured *row)
{
    const struct method *method = hand->of->measuring->study->methods[row->method];
    struct exact_sum exact;
    TRY(sum_element(hand, row->method, row->i, row->j, &exact));
    const uint64_t nearest_bits = format_bits(method->format, exact_round(exact.sum, method->format));
    const bool agrees = format_same(method->format, row->nearest_bits, nearest_bits);
    row->exact = case_keep_text(hand->of, exact_hex(exact.sum));
    row->condition = exact.condition;
    exact_free(&exact);
    if (agrees)
        return OK;
    return not_measured("%s, trial %" PRIu64 ": the exact element (%" PRIu64 ", %" PRIu64
                        ") is another in full; this is a bug in the reference",
                        hand->of->spec->text, hand->of->place.trial, row->i, row->j);
}

static enum status append_rows(struct elements_in_hand *hand, struct measured row, const char *digest,
                               struct element_tally *tally)
{
    const size_t count = element_tally_rows(tally);
    row.digest = case_keep_text(hand->of, memory_copy(digest));
    for (size_t r = 0; r < count; r++) {
        row.map = r == 0 ? case_keep_text(hand->of, memory_copy(element_tally_map(tally))) : NULL;
        element_tally_row(tally, r, &row);
        TRY(complete(hand, &row));
        TRY(case_append(hand->of, row));
    }
    return OK;
}

/* One computed result, whose bits are in hand. */
static enum status judge_elements(struct elements_in_hand *hand, struct measured row)
{
    const struct study *study = hand->of->measuring->study;
    const struct method *method = study->methods[row.method];
    const uint64_t bands = (hand->rows_at_once + hand->rows_of_band - 1) / hand->rows_of_band;
    struct judging judging = {.hand = hand,
                              .row = &row,
                              .tally = element_tally_new(method->format, hand->rows, hand->columns),
                              .bands = malloc(bands * sizeof *judging.bands)};
    if (hand->row)
        set_row_bound(hand, &row);
    enum status status = judging.tally && judging.bands ? OK : out_of_memory("elements");
    judging.threads =
        (unsigned)MIN(hand->of->measuring->case_workers, hand->rows * hand->columns / ELEMENTS_OF_A_BAND + 1);
    if (!hand->row)
        workers_run(judging.threads, hold_some, &judging);
    if (status == OK)
        status = judge_and_check(&judging);
    row.height = method->height ? method->height(method, shape_of(hand), study->launches[row.launch]) : 0;
    row.probabilistic_bound = (double)NAN;
    if (status == OK && hand->of_replay == OK)
        status = append_rows(hand, row, judging.digest, judging.tally);
    element_tally_free(judging.tally);
    free(judging.bands);
    return status;
}

/* ---- methods ---- */

static const char *last_digest(const struct elements_in_hand *hand)
{
    const struct finished_case *finished = hand->of->finished;
    return finished->row_count > 0 ? finished->rows[finished->row_count - 1].digest : "";
}

static enum status run_replay(struct elements_in_hand *hand, struct measured row, const char **digest)
{
    const struct study *study = hand->of->measuring->study;
    const struct method *method = study->methods[row.method];
    const struct operands of = operands_of(hand, row.method);
    hand->replays = is_scan(method->operation);
    if (!hand->replays)
        hand->of_replay =
            method->replay(method, &of, study->launches[row.launch], hand->of->measuring->case_workers, hand->bits);
    const enum status status = hand->replays || hand->of_replay == OK ? judge_elements(hand, row) : OK;
    const bool has_failed = hand->of_replay != OK;
    hand->replays = false;
    hand->of_replay = OK;
    if (has_failed)
        case_note_failure(hand->of, row.launch, row.method, "replay");
    if (has_failed || status != OK)
        return status;
    *digest = last_digest(hand);
    return OK;
}

static enum status run_kernel(struct elements_in_hand *hand, struct measured row, const char *of_replay)
{
    const struct measuring *measuring = hand->of->measuring;
    const struct study *study = measuring->study;
    const struct method *method = study->methods[row.method];
    row.backend = BACKEND_cuda;
    for (; row.repeat < study->repeats; row.repeat++) {
        if (device_run(measuring->device, method, shape_of(hand), study->launches[row.launch], hand->bits) != OK) {
            hand->of->finished->device_failed = true;
            case_note_failure(hand->of, row.launch, row.method, "kernel");
            return OK;
        }
        TRY(judge_elements(hand, row));
        if (of_replay && method->determinism == DETERMINISTIC && strcmp(last_digest(hand), of_replay) != 0)
            case_tell_difference(hand->of, &row, last_digest(hand), of_replay);
    }
    return OK;
}

static enum status take_of_plugin(void *context, struct measured row, const uint64_t *bits)
{
    (void)bits; /* they are in hand */
    return judge_elements(context, row);
}

static enum status measure_method(struct elements_in_hand *hand, size_t launch, size_t method, bool runs_kernels)
{
    const struct measured row = {.launch = launch, .method = method};
    const char *of_replay = NULL;
    const struct method *of = hand->of->measuring->study->methods[method];
    const struct operands operands = operands_of(hand, method);
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
    if ((!data->y || device_upload_second(device, data->format, data->y, dataset_count(data, true)) == OK) &&
        device_upload(device, data->format, data->x, dataset_count(data, false)) == OK)
        return true;
    complain("%s, trial %" PRIu64 ": the data could not be brought to the GPU, as said above; no kernel is run on them",
             hand->spec->text, hand->place.trial);
    hand->finished->unfinished = hand->finished->device_failed = true;
    return false;
}

/* The device is held for the whole case: data go there once. */
static enum status measure_methods(struct elements_in_hand *hand)
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

/* What all exact elements have in common, once for all methods. */
static enum status take_row(struct elements_in_hand *hand)
{
    const struct measuring *measuring = hand->of->measuring;
    const struct dataset *data = &hand->of->data;
    const enum operation operation = study_operation(measuring->study);
    if (!operation_is_per_number(operation))
        return OK;
    hand->rows = data->n;
    hand->columns = 1;
    return operation_exact_row(operation, data,
                               (struct exact_how){measuring->case_workers, measuring->verify_reference}, &hand->row);
}

static enum status take_room(struct elements_in_hand *hand)
{
    const uint64_t most = hand->of->measuring->device && !hand->row ? ELEMENTS_OF_A_GPU : ELEMENTS_AT_ONCE;
    hand->rows_at_once = MIN(hand->rows, hand->columns < most ? most / hand->columns : 1);
    hand->rows_of_band = hand->columns < ELEMENTS_OF_A_BAND ? ELEMENTS_OF_A_BAND / hand->columns : 1;
    hand->bits = malloc(hand->rows * hand->columns * sizeof *hand->bits);
    hand->computed = malloc((hand->row ? hand->rows_at_once : hand->rows) * hand->columns * sizeof(double));
    bool has_room = hand->bits && hand->computed;
    for (int turn = 0; turn < 2; turn++) {
        hand->exact[turn] = malloc(hand->rows_at_once * hand->columns * sizeof *hand->exact[turn]);
        has_room = has_room && hand->exact[turn];
    }
    return has_room ? OK : out_of_memory("elements");
}

enum status measure_elements(struct case_in_hand *of)
{
    struct matrix_kept kept = {0};
    TRY(case_take_data(of));
    struct elements_in_hand hand = {
        .of = of, .rows = of->data.rows, .columns = of->data.columns, .kept = of->measuring->device ? &kept : NULL};
    enum status status = take_row(&hand);
    if (status == OK)
        status = take_room(&hand);
    if (status == OK)
        status = measure_methods(&hand);
    matrix_forget(&kept);
    exact_row_free(hand.row);
    free_all(hand.bits, hand.computed, hand.exact[0], hand.exact[1]);
    case_put_data_away(of);
    return status;
}
