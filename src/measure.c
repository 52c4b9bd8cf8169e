#include "measure.h"

#include "rerun.h"

#include "../datasets/dataset.h"

#include <inttypes.h>
#include <stdlib.h>

struct case_in_hand {
    const struct measuring *measuring;
    struct study_case place;
    const struct data_spec *spec;
    struct dataset data;
    struct exact_sum exact;
    struct finished_case *finished;
    size_t capacity;
    float *kernels; /* see kernel_result(); NULL on the host */
};

static enum status append(struct case_in_hand *hand, struct measured row)
{
    struct finished_case *finished = hand->finished;
    if (finished->row_count == hand->capacity) {
        hand->capacity = hand->capacity ? 2 * hand->capacity : 16;
        struct measured *grown = realloc(finished->rows, hand->capacity * sizeof *grown);
        if (!grown)
            return out_of_memory("the rows of a case");
        finished->rows = grown;
    }
    finished->rows[finished->row_count++] = row;
    return OK;
}

static enum status judge(struct case_in_hand *hand, struct measured row, float computed)
{
    const struct study *study = hand->measuring->study;
    const struct exact_sum *exact = &hand->exact;
    row.computed = (double)computed;
    row.computed_bits = float_bits(computed);
    const struct magnitudes magnitudes = {exact->abs_above, exact->sum_abs_above, exact->max_abs};
    row.bound = study->methods[row.method]->bound(hand->data.n, study->launches[row.launch], &magnitudes);
    row.class = classify(exact, row.computed);
    const struct judged judged = {.exact = exact, .computed = row.computed, .bound = row.bound};
    for (int m = 0; m < METRICS; m++)
        row.metrics[m] = metric_table[m].measure(&judged);
    return append(hand, row);
}

static void compare(const struct case_in_hand *hand, const struct measured *row, float kernel, float replay)
{
    const struct measuring *measuring = hand->measuring;
    const struct study *study = measuring->study;
    const struct method *method = study->methods[row->method];
    if (method->determinism != DETERMINISTIC || float_same(kernel, replay))
        return;
    const struct witness witness = {
        .study = study,
        .method = method->id,
        .entry = hand->place.entry,
        .spec = hand->place.spec,
        .trial = hand->place.trial,
        .launch = study->launches[row->launch],
        .device = device_facts(measuring->device)->word,
        .replay_beside = true,
    };
    char *command = rerun_command(&witness);
    complain("%s: kernel and replay differ on %s, trial %" PRIu64 ": kernel %a, replay %a; rerun: %s", method->id,
             hand->spec->text, hand->place.trial, (double)kernel, (double)replay, command ? command : "");
    free(command);
}

/* ---- on the device: all kernels first, so that it is held no longer than they take ---- */

/* The results of (launch, method, repeat). */
static float *kernel_result(const struct case_in_hand *hand, size_t launch, size_t method, uint64_t repeat)
{
    const struct study *study = hand->measuring->study;
    return &hand->kernels[(launch * study->method_count + method) * study->repeats + repeat];
}

static enum status run_kernels(const struct case_in_hand *hand)
{
    const struct study *study = hand->measuring->study;
    struct device *device = hand->measuring->device;
    char why[REASON_SIZE];
    TRY(device_upload(device, hand->data.x, hand->data.n, hand->data.format->bytes));
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++)
            for (uint64_t k = 0; k < study->repeats && study->methods[m]->can_do(study->launches[l], why); k++)
                TRY(device_run(device, study->methods[m], hand->data.n, study->launches[l],
                               kernel_result(hand, l, m, k)));
    return OK;
}

static enum status use_device(struct case_in_hand *hand)
{
    const struct study *study = hand->measuring->study;
    hand->kernels = calloc(study->launch_count * study->method_count, study->repeats * sizeof *hand->kernels);
    if (!hand->kernels)
        return out_of_memory("the results of a GPU");
    device_lock(hand->measuring->device);
    const enum status status = run_kernels(hand);
    device_unlock(hand->measuring->device);
    return status;
}

/* ---- on the host ---- */

/* One method at one launch: the rows of its kernel's results, and of its replay. */
static enum status measure_method(struct case_in_hand *hand, size_t launch, size_t method)
{
    const struct measuring *measuring = hand->measuring;
    const struct study *study = measuring->study;
    struct measured row = {.launch = launch, .method = method};
    const bool replays = !measuring->device || measuring->replay_beside;
    char why[REASON_SIZE];
    float replay = 0;
    if (!study->methods[method]->can_do(study->launches[launch], why))
        return OK;
    if (replays) {
        TRY(study->methods[method]->replay(hand->data.x, hand->data.n, study->launches[launch],
                                           measuring->replay_workers, &replay));
        TRY(judge(hand, row, replay));
    }
    row.on_device = true;
    for (; measuring->device && row.repeat < study->repeats; row.repeat++) {
        const float kernel = *kernel_result(hand, launch, method, row.repeat);
        TRY(judge(hand, row, kernel));
        if (replays)
            compare(hand, &row, kernel, replay);
    }
    return OK;
}

static enum status measure_methods(struct case_in_hand *hand)
{
    const struct study *study = hand->measuring->study;
    if (hand->measuring->device)
        TRY(use_device(hand));
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++)
            TRY(measure_method(hand, l, m));
    return OK;
}

static enum status sum_exactly(struct case_in_hand *hand)
{
    struct finished_case *finished = hand->finished;
    TRY(exact_sum(hand->data.format, hand->data.x, hand->data.n, &hand->exact));
    finished->n = hand->data.n;
    finished->nearest_bits = float_bits((float)hand->exact.nearest);
    finished->condition = hand->exact.condition;
    finished->exact = exact_hex(hand->exact.sum);
    if (finished->exact)
        return OK;
    exact_free(&hand->exact);
    return out_of_memory("the exact sum");
}

enum status measure_case(const struct measuring *measuring, uint64_t index, struct finished_case *finished)
{
    const struct study *study = measuring->study;
    const struct study_case place = study_case_at(study, index);
    struct case_in_hand hand = {
        .measuring = measuring,
        .place = place,
        .spec = &study->entries[place.entry].specs[place.spec],
        .finished = finished,
    };
    *finished = (struct finished_case){.index = index};
    TRY(dataset_make(hand.spec, study->seed, place.trial, &hand.data));
    enum status status = sum_exactly(&hand);
    if (status == OK) {
        status = measure_methods(&hand);
        exact_free(&hand.exact);
    }
    free(hand.kernels);
    dataset_free(&hand.data);
    return status;
}

void finished_case_free(struct finished_case *finished)
{
    free((char *)finished->exact);
    free(finished->rows);
    *finished = (struct finished_case){0};
}
