#include "measure.h"

#include "condense.h"
#include "judge.h"
#include "operation.h"
#include "src/base/format.h"
#include "src/base/list.h"
#include "src/study/rerun.h"
#include "src/study/study_formats.h"

#include "datasets/dataset.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the kernel of one (launch, method) gave: its results, of which there are fewer than the study's repeats after a
 * failure. */
struct kernel_results {
    uint64_t count;
    uint64_t *bits;
};

struct case_in_hand {
    const struct measuring *measuring;
    struct study_case place;
    const struct data_spec *spec;
    struct dataset data;
    struct exact_sum exact;
    const struct shelved *shelved; /* whose sum `exact` is; NULL: it is the case's own */
    struct finished_case *finished;
    size_t capacity;
    struct kernel_results *kernels; /* see results_of(); NULL on the host */
    uint64_t *kernel_bits;          /* what they point to */
};

bool measure_can_do(const struct method *method, struct launch launch, const struct device *device,
                    char why[REASON_SIZE])
{
    if (!method_can_do(method, launch, why))
        return false;
    if (device || method->replay)
        return true;
    snprintf(why, REASON_SIZE, "a black box without replay, which needs a GPU");
    return false;
}

/* ---- methods that take too long ---- */

/* Only on a GPU, which needs seconds for additions that wait for each other, and the host no longer than for others.
 * The check stands here because only now is it known how many numbers a file has. */
static bool is_too_slow(const struct case_in_hand *hand, size_t method)
{
    const struct measuring *measuring = hand->measuring;
    const struct method *asked = measuring->study->methods[method];
    return measuring->device && !measuring->slow && device_has_kernel(asked) && hand->data.n > asked->slow_above;
}

static void say_too_slow(const struct case_in_hand *hand, size_t method)
{
    const struct measuring *measuring = hand->measuring;
    const struct method *slow = measuring->study->methods[method];
    if (!measuring->told_slow || atomic_exchange(&measuring->told_slow[method], true))
        return;
    complain("skipping %s at n = %" PRIu64 " and other n beyond %" PRIu64 ": its additions wait for each other, which "
             "takes seconds on a GPU; give --slow to run it all the same, or --device host",
             slow->id, hand->data.n, slow->slow_above);
}

static bool is_measured(const struct case_in_hand *hand, size_t launch, size_t method)
{
    char why[REASON_SIZE];
    const struct study *study = hand->measuring->study;
    return method_takes(study->methods[method], hand->data.format) &&
           measure_can_do(study->methods[method], study->launches[launch], hand->measuring->device, why) &&
           !is_too_slow(hand, method);
}

/* ---- rows ---- */

static enum status append(struct case_in_hand *hand, struct measured row)
{
    struct finished_case *finished = hand->finished;
    struct measured *rows = list_with_room(finished->rows, finished->row_count, &hand->capacity, sizeof *rows);
    if (!rows)
        return out_of_memory("the rows of a case");
    finished->rows = rows;
    rows[finished->row_count++] = row;
    return OK;
}

static enum status judge(struct case_in_hand *hand, struct measured row, uint64_t bits)
{
    const struct study *study = hand->measuring->study;
    const struct promise promise = promise_of(study->methods[row.method], study->launches[row.launch], &hand->exact);
    judge_sum(&hand->exact, study->methods[row.method]->format, &promise, bits, &row);
    return append(hand, row);
}

/* The command that runs a method again on this case, allocated. */
static char *rerun(const struct case_in_hand *hand, size_t launch, size_t method)
{
    const struct measuring *measuring = hand->measuring;
    const struct study *study = measuring->study;
    const struct device_facts *device = device_facts(measuring->device);
    char *arguments = rerun_data(hand->spec);
    const struct witness witness = {
        .method = study->methods[method]->id,
        .data_arguments = arguments,
        .seed = study->seed,
        .trial = hand->place.trial,
        .launch = study->launches[launch],
        .device = device ? device->word : "host",
        .replay_beside = measuring->replay_beside,
        .slow = device && hand->data.n > study->methods[method]->slow_above,
    };
    char *command = rerun_command(&witness);
    free(arguments);
    return command;
}

static void compare(const struct case_in_hand *hand, const struct measured *row, uint64_t kernel, uint64_t replay)
{
    const struct method *method = hand->measuring->study->methods[row->method];
    if (method->determinism != DETERMINISTIC || format_same(method->format, kernel, replay))
        return;
    char *command = rerun(hand, row->launch, row->method);
    complain("%s: kernel and replay differ on %s, trial %" PRIu64 ": kernel %a, replay %a; rerun: %s", method->id,
             hand->spec->text, hand->place.trial, format_value(method->format, kernel),
             format_value(method->format, replay), command);
    free(command);
}

/* The case lacks a sum; the cause was said where it was known. */
static void note_failure(const struct case_in_hand *hand, size_t launch, size_t method, const char *what)
{
    const struct study *study = hand->measuring->study;
    char *command = rerun(hand, launch, method);
    complain("%s at %u x %u on %s, trial %" PRIu64 ": the %s failed, as said above; the other sums are kept; "
             "rerun: %s",
             study->methods[method]->id, study->launches[launch].blocks, study->launches[launch].threads,
             hand->spec->text, hand->place.trial, what, command);
    free(command);
    hand->finished->unfinished = true;
}

/* ---- on the device: all kernels first, so that it is held no longer than they take ---- */

static struct kernel_results *results_of(const struct case_in_hand *hand, size_t launch, size_t method)
{
    return &hand->kernels[launch * hand->measuring->study->method_count + method];
}

/* A method that fails leaves the device to the others, unless it took it with it. */
static void run_kernel(const struct case_in_hand *hand, size_t launch, size_t method)
{
    const struct study *study = hand->measuring->study;
    struct device *device = hand->measuring->device;
    struct kernel_results *kernel = results_of(hand, launch, method);
    for (; device_has_kernel(study->methods[method]) && kernel->count < study->repeats; kernel->count++)
        if (device_run(device, study->methods[method], hand->data.n, study->launches[launch],
                       &kernel->bits[kernel->count]) != OK) {
            note_failure(hand, launch, method, "kernel");
            return;
        }
}

/* Formulas are computed over there, with the same bits; everything else goes over the bus. */
static enum status bring_data(const struct case_in_hand *hand)
{
    const struct data_spec *spec = hand->spec;
    struct device *device = hand->measuring->device;
    struct generator_call call;
    if (hand->data.y)
        TRY(device_upload_second(device, hand->data.format, hand->data.y, hand->data.n));
    if (!data_spec_is_formula(spec, hand->place.trial) || !generator_on_device(spec->generator, spec->format))
        return device_upload(device, hand->data.format, hand->data.x, hand->data.n);
    TRY(dataset_call(spec, hand->measuring->study->seed, hand->place.trial, &call));
    return device_generate(device, spec->generator, &call);
}

static void upload(const struct case_in_hand *hand)
{
    if (bring_data(hand) == OK)
        return;
    complain("%s, trial %" PRIu64 ": the data could not be brought to the GPU, as said above; no kernel is run on them",
             hand->spec->text, hand->place.trial);
    hand->finished->unfinished = true;
}

/* What measures on the host has none. */
static bool has_kernels(const struct case_in_hand *hand)
{
    const struct study *study = hand->measuring->study;
    for (size_t m = 0; m < study->method_count; m++)
        if (device_has_kernel(study->methods[m]) && method_takes(study->methods[m], hand->data.format))
            return true;
    return false;
}

/* A device that was lost has been complained about; what it did not do is unfinished. */
static void run_kernels(const struct case_in_hand *hand)
{
    const struct study *study = hand->measuring->study;
    const struct device *device = hand->measuring->device;
    if (!has_kernels(hand))
        return;
    if (!device_is_lost(device))
        upload(hand);
    const bool uploaded = !hand->finished->unfinished;
    for (size_t l = 0; uploaded && l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count && !device_is_lost(device); m++)
            if (is_measured(hand, l, m))
                run_kernel(hand, l, m);
    hand->finished->device_lost = device_is_lost(device);
    hand->finished->unfinished |= hand->finished->device_lost;
}

static enum status use_device(struct case_in_hand *hand)
{
    const struct study *study = hand->measuring->study;
    const size_t kernels = study->launch_count * study->method_count;
    hand->kernels = calloc(kernels, sizeof *hand->kernels);
    hand->kernel_bits = calloc(kernels, study->repeats * sizeof *hand->kernel_bits);
    if (!hand->kernels || !hand->kernel_bits)
        return out_of_memory("the results of a GPU");
    for (size_t k = 0; k < kernels; k++)
        hand->kernels[k].bits = hand->kernel_bits + k * study->repeats;
    device_lock(hand->measuring->device);
    run_kernels(hand);
    device_unlock(hand->measuring->device);
    return OK;
}

/* ---- on the host ---- */

/* One method at one launch: the rows of its kernel's results, and of its replay. */
static enum status measure_method(struct case_in_hand *hand, size_t launch, size_t method)
{
    const struct measuring *measuring = hand->measuring;
    const struct study *study = measuring->study;
    struct measured row = {.launch = launch, .method = method};
    bool replays = study->methods[method]->replay &&
                   (!measuring->device || measuring->replay_beside || !device_has_kernel(study->methods[method]));
    uint64_t replay = 0;
    const struct operands of = operation_operands(study->methods[method]->operation, &hand->data);
    if (replays &&
        method_replay(study->methods[method], &of, study->launches[launch], measuring->case_workers, &replay) != OK) {
        note_failure(hand, launch, method, "replay");
        replays = false;
    }
    if (replays)
        TRY(judge(hand, row, replay));
    const uint64_t kernels = hand->kernels ? results_of(hand, launch, method)->count : 0;
    const size_t first = hand->finished->row_count;
    row.backend = BACKEND_cuda;
    for (; row.repeat < kernels; row.repeat++) {
        const uint64_t kernel = results_of(hand, launch, method)->bits[row.repeat];
        TRY(judge(hand, row, kernel));
        if (replays)
            compare(hand, &row, kernel, replay);
    }
    hand->finished->row_count = first + condense_rows(hand->finished->rows + first, hand->finished->row_count - first);
    return OK;
}

static enum status measure_methods(struct case_in_hand *hand)
{
    const struct study *study = hand->measuring->study;
    for (size_t m = 0; m < study->method_count; m++)
        if (method_takes(study->methods[m], hand->data.format) && is_too_slow(hand, m))
            say_too_slow(hand, m);
    if (hand->measuring->device)
        TRY(use_device(hand));
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++)
            if (is_measured(hand, l, m))
                TRY(measure_method(hand, l, m));
    return OK;
}

/* ---- the numbers and their exact sum ---- */

/* To verify the reference is to add the numbers of every trial. */
static bool shares_numbers(const struct case_in_hand *hand)
{
    const struct measuring *measuring = hand->measuring;
    return measuring->study->entries[hand->place.entry].trials > 1 && !data_spec_is_random(hand->spec) &&
           !measuring->verify_reference;
}

/* The exact result of one is that of all. */
static enum operation operation_in_hand(const struct case_in_hand *hand)
{
    return hand->measuring->study->methods[0]->operation;
}

static enum status make_own(struct case_in_hand *hand)
{
    const struct measuring *measuring = hand->measuring;
    const struct exact_how how = {.workers = measuring->case_workers, .verify = measuring->verify_reference};
    TRY(dataset_make(hand->spec, measuring->study->seed, hand->place.trial, &hand->data));
    const enum status status = operation_exact(operation_in_hand(hand), &hand->data, how, &hand->exact);
    if (status != OK)
        dataset_free(&hand->data);
    return status;
}

/* Of n numbers; *to is NULL where there is no such vector. */
static enum status copy_vector(const struct dataset *of, const void *vector, void **to)
{
    const size_t bytes = of->n * format_held(of->format)->bytes;
    *to = NULL;
    if (!vector)
        return OK;
    *to = malloc(bytes > 0 ? bytes : 1);
    if (!*to)
        return out_of_memory("the numbers of a trial");
    memcpy(*to, vector, bytes);
    return OK;
}

static enum status copy_shared(struct case_in_hand *hand)
{
    const struct measuring *measuring = hand->measuring;
    TRY(shelf_take(measuring->shelf, hand->spec, operation_in_hand(hand), measuring->case_workers, &hand->shelved));
    const struct dataset *base = &hand->shelved->data;
    hand->data = *base;
    hand->data.y = NULL;
    enum status status = copy_vector(base, base->x, &hand->data.x);
    if (status == OK)
        status = copy_vector(base, base->y, &hand->data.y);
    if (status == OK)
        status = dataset_arrange(hand->spec, measuring->study->seed, hand->place.trial, &hand->data);
    hand->exact = hand->shelved->exact;
    if (status != OK) {
        dataset_free(&hand->data);
        shelf_give_back(measuring->shelf, hand->shelved);
    }
    return status;
}

static void put_away(struct case_in_hand *hand)
{
    dataset_free(&hand->data);
    if (hand->shelved)
        shelf_give_back(hand->measuring->shelf, hand->shelved);
    else
        exact_free(&hand->exact);
}

static void describe_sum(struct case_in_hand *hand)
{
    struct finished_case *finished = hand->finished;
    finished->n = hand->data.n;
    finished->condition = hand->exact.condition;
    finished->exact = exact_hex(hand->exact.sum);
    finished->conversion = hand->data.conversion;
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
    TRY((shares_numbers(&hand) ? copy_shared : make_own)(&hand));
    describe_sum(&hand);
    enum status status = measure_methods(&hand);
    free(hand.kernels);
    free(hand.kernel_bits);
    put_away(&hand);
    return status;
}

void finished_case_free(struct finished_case *finished)
{
    free((char *)finished->exact);
    free(finished->rows);
    *finished = (struct finished_case){0};
}
