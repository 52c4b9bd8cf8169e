#include "measure.h"

#include "../datasets/dataset.h"

#include <inttypes.h>
#include <stdlib.h>

/* The case in hand. */
struct bench {
    const struct measuring *measuring;
    struct study_case place;
    const struct data_spec *spec;
    struct dataset data;
    struct exact_sum exact;
    struct finished_case *finished;
    size_t capacity;
    struct comparison *comparison;
};

static enum status append(struct bench *bench, struct measured row)
{
    struct finished_case *finished = bench->finished;
    if (finished->row_count == bench->capacity) {
        bench->capacity = bench->capacity ? 2 * bench->capacity : 16;
        struct measured *grown = realloc(finished->rows, bench->capacity * sizeof *grown);
        if (!grown)
            return out_of_memory("the rows of a case");
        finished->rows = grown;
    }
    finished->rows[finished->row_count++] = row;
    return OK;
}

static enum status judge(struct bench *bench, struct measured row, float computed)
{
    const struct study *study = bench->measuring->study;
    const struct exact_sum *exact = &bench->exact;
    row.computed = (double)computed;
    row.computed_bits = float_bits(computed);
    row.bound = study->methods[row.method]->bound(bench->data.n, study->launches[row.launch], exact->abs_above,
                                                  exact->sum_abs_above);
    row.class = classify(exact, row.computed);
    const struct judged judged = {.exact = exact, .computed = row.computed, .bound = row.bound};
    for (int m = 0; m < METRICS; m++)
        row.metrics[m] = metric_table[m].measure(&judged);
    return append(bench, row);
}

static void compare(struct bench *bench, const struct method *method, struct launch launch, float kernel, float replay)
{
    if (method->determinism != DETERMINISTIC)
        return;
    bench->comparison->compared++;
    if (float_same(kernel, replay))
        return;
    bench->comparison->differ++;
    complain("%s: kernel and replay differ on %s, trial %" PRIu64
             ", %u x %u: kernel %a, replay %a; rerun: ulpscope run -m "
             "%s -d '%s' --seed %" PRIu64 " --trial %" PRIu64 " --blocks %u --threads %u --replay",
             method->id, bench->spec->text, bench->place.trial, launch.blocks, launch.threads, (double)kernel,
             (double)replay, method->id, bench->spec->text, bench->measuring->study->seed, bench->place.trial,
             launch.blocks, launch.threads);
}

/* One method at one launch: on the device `repeats` times, on the host once. */
static enum status measure_method(struct bench *bench, size_t launch_index, size_t method_index)
{
    const struct measuring *measuring = bench->measuring;
    const struct method *method = measuring->study->methods[method_index];
    const struct launch launch = measuring->study->launches[launch_index];
    struct measured row = {.launch = launch_index, .method = method_index};
    const bool replays = !measuring->device || measuring->replay_beside;
    char why[REASON_SIZE];
    float replay = 0;
    if (!method->can_do(launch, why))
        return OK;
    if (replays) {
        TRY(method->replay(bench->data.x, bench->data.n, launch, &replay));
        TRY(judge(bench, row, replay));
    }
    row.on_device = true;
    for (; measuring->device && row.repeat < measuring->study->repeats; row.repeat++) {
        float kernel;
        TRY(device_run(measuring->device, method, bench->data.n, launch, &kernel));
        TRY(judge(bench, row, kernel));
        if (replays)
            compare(bench, method, launch, kernel, replay);
    }
    return OK;
}

static enum status measure_methods(struct bench *bench)
{
    const struct measuring *measuring = bench->measuring;
    enum status status = OK;
    device_lock(measuring->device);
    if (measuring->device)
        status = device_upload(measuring->device, bench->data.x, bench->data.n, bench->data.format->bytes);
    for (size_t l = 0; l < measuring->study->launch_count; l++)
        for (size_t m = 0; m < measuring->study->method_count && status == OK; m++)
            status = measure_method(bench, l, m);
    device_unlock(measuring->device);
    return status;
}

static enum status sum_exactly(struct bench *bench)
{
    struct finished_case *finished = bench->finished;
    TRY(exact_sum(bench->data.format, bench->data.x, bench->data.n, &bench->exact));
    finished->n = bench->data.n;
    finished->nearest_bits = float_bits((float)bench->exact.nearest);
    finished->condition = bench->exact.condition;
    finished->exact = exact_hex(bench->exact.sum);
    if (finished->exact)
        return OK;
    exact_free(&bench->exact);
    return out_of_memory("the exact sum");
}

enum status measure_case(const struct measuring *measuring, uint64_t index, struct finished_case *finished,
                         struct comparison *comparison)
{
    const struct study *study = measuring->study;
    const struct study_case place = study_case_at(study, index);
    struct bench bench = {
        .measuring = measuring,
        .place = place,
        .spec = &study->entries[place.entry].specs[place.spec],
        .finished = finished,
        .comparison = comparison,
    };
    *finished = (struct finished_case){.index = index};
    TRY(dataset_make(bench.spec, study->seed, place.trial, &bench.data));
    enum status status = sum_exactly(&bench);
    if (status == OK) {
        status = measure_methods(&bench);
        exact_free(&bench.exact);
    }
    dataset_free(&bench.data);
    return status;
}

void finished_case_free(struct finished_case *finished)
{
    free((char *)finished->exact);
    free(finished->rows);
    *finished = (struct finished_case){0};
}
