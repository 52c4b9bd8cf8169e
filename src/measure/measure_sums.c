#include "case_in_hand.h"

#include "condense.h"
#include "judge.h"
#include "operation.h"
#include "src/base/format.h"
#include "src/base/text.h"
#include "src/study/study_formats.h"

#include <stdlib.h>
#include <string.h>

/* What the kernel of one (launch, method) gave: its results, of which there are fewer than the study's repeats after a
 * failure. */
struct kernel_results {
    uint64_t count;
    uint64_t *bits;
};

struct sums_in_hand {
    struct case_in_hand *of;
    struct exact_sum exact; /* the case's own, or that of what is shelved */
    const char *exact_text;
    struct kernel_results *kernels; /* see results_of(); NULL on the host */
    uint64_t *kernel_bits;          /* what they point to */
};

/* ---- rows ---- */

static enum status judge(struct sums_in_hand *hand, struct measured row, uint64_t bits)
{
    const struct study *study = hand->of->measuring->study;
    const struct promise promise = promise_of(study->methods[row.method], study->launches[row.launch], &hand->exact);
    judge_sum(&hand->exact, study->methods[row.method]->format, &promise, bits, &row);
    row.exact = hand->exact_text;
    row.condition = hand->exact.condition;
    return case_append(hand->of, row);
}

static void compare(const struct sums_in_hand *hand, const struct measured *row, uint64_t kernel, uint64_t replay)
{
    const struct method *method = hand->of->measuring->study->methods[row->method];
    if (method->determinism != DETERMINISTIC || format_same(method->format, kernel, replay))
        return;
    char *of_kernel = text_made("%a", format_value(method->format, kernel)),
         *of_replay = text_made("%a", format_value(method->format, replay));
    case_tell_difference(hand->of, row, of_kernel, of_replay);
    free(of_kernel);
    free(of_replay);
}

/* ---- on the device: all kernels first, so that it is held no longer than they take ---- */

static struct kernel_results *results_of(const struct sums_in_hand *hand, size_t launch, size_t method)
{
    return &hand->kernels[launch * hand->of->measuring->study->method_count + method];
}

/* A method that fails leaves the device to the others, unless it took it with it. */
static void run_kernel(const struct sums_in_hand *hand, size_t launch, size_t method)
{
    const struct study *study = hand->of->measuring->study;
    struct device *device = hand->of->measuring->device;
    struct kernel_results *kernel = results_of(hand, launch, method);
    for (; device_has_kernel(study->methods[method]) && kernel->count < study->repeats; kernel->count++)
        if (device_run(device, study->methods[method], shape_of_one(hand->of->data.n), study->launches[launch],
                       &kernel->bits[kernel->count]) != OK) {
            case_note_failure(hand->of, launch, method, "kernel");
            return;
        }
}

/* What measures on the host has none. */
static bool has_kernels(const struct sums_in_hand *hand)
{
    const struct study *study = hand->of->measuring->study;
    for (size_t m = 0; m < study->method_count; m++)
        if (device_has_kernel(study->methods[m]) && method_takes(study->methods[m], hand->of->data.format))
            return true;
    return false;
}

/* A device that was lost has been complained about; what it did not do is unfinished. */
static void run_kernels(const struct sums_in_hand *hand)
{
    const struct study *study = hand->of->measuring->study;
    const struct device *device = hand->of->measuring->device;
    if (!has_kernels(hand))
        return;
    if (!device_is_lost(device))
        case_upload(hand->of);
    const bool uploaded = !hand->of->finished->unfinished;
    for (size_t l = 0; uploaded && l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count && !device_is_lost(device); m++)
            if (case_measures(hand->of, l, m))
                run_kernel(hand, l, m);
    hand->of->finished->device_lost = device_is_lost(device);
    hand->of->finished->unfinished |= hand->of->finished->device_lost;
}

static enum status use_device(struct sums_in_hand *hand)
{
    const struct study *study = hand->of->measuring->study;
    const size_t kernels = study->launch_count * study->method_count;
    hand->kernels = calloc(kernels, sizeof *hand->kernels);
    hand->kernel_bits = calloc(kernels, study->repeats * sizeof *hand->kernel_bits);
    if (!hand->kernels || !hand->kernel_bits)
        return out_of_memory("the results of a GPU");
    for (size_t k = 0; k < kernels; k++)
        hand->kernels[k].bits = hand->kernel_bits + k * study->repeats;
    device_lock(hand->of->measuring->device);
    run_kernels(hand);
    device_unlock(hand->of->measuring->device);
    return OK;
}

/* ---- on the host ---- */

/* The rows of what a kernel or a plug-in gave, from one on. */
static void condense(const struct sums_in_hand *hand, size_t first)
{
    struct finished_case *finished = hand->of->finished;
    finished->row_count = first + condense_rows(finished->rows + first, finished->row_count - first);
}

static enum status take_of_plugin(void *context, struct measured row, const uint64_t *bits)
{
    return judge(context, row, *bits);
}

static enum status measure_plugin(struct sums_in_hand *hand, struct measured row)
{
    uint64_t bits;
    const size_t first = hand->of->finished->row_count;
    const struct operands of =
        operation_operands(hand->of->measuring->study->methods[row.method]->operation, &hand->of->data);
    TRY(case_ask_plugin(hand->of, row, &of, &bits, take_of_plugin, hand));
    condense(hand, first);
    return OK;
}

/* One method at one launch: the rows of its kernel's results, and of its replay. */
static enum status measure_method(struct sums_in_hand *hand, size_t launch, size_t method)
{
    const struct measuring *measuring = hand->of->measuring;
    const struct study *study = measuring->study;
    struct measured row = {.launch = launch, .method = method};
    bool replays = case_replays(hand->of, method);
    uint64_t replay = 0;
    const struct operands of = operation_operands(study->methods[method]->operation, &hand->of->data);
    if (study->methods[method]->ask)
        return measure_plugin(hand, row);
    if (replays &&
        method_replay(study->methods[method], &of, study->launches[launch], measuring->case_workers, &replay) != OK) {
        case_note_failure(hand->of, launch, method, "replay");
        replays = false;
    }
    if (replays)
        TRY(judge(hand, row, replay));
    const uint64_t kernels = hand->kernels ? results_of(hand, launch, method)->count : 0;
    const size_t first = hand->of->finished->row_count;
    row.backend = BACKEND_cuda;
    for (; row.repeat < kernels; row.repeat++) {
        const uint64_t kernel = results_of(hand, launch, method)->bits[row.repeat];
        TRY(judge(hand, row, kernel));
        if (replays)
            compare(hand, &row, kernel, replay);
    }
    condense(hand, first);
    return OK;
}

static enum status measure_methods(struct sums_in_hand *hand)
{
    const struct study *study = hand->of->measuring->study;
    for (size_t m = 0; m < study->method_count; m++)
        case_tell_too_slow(hand->of, m);
    if (hand->of->measuring->device)
        TRY(use_device(hand));
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++)
            if (case_measures(hand->of, l, m))
                TRY(measure_method(hand, l, m));
    return OK;
}

/* ---- the numbers and their exact sum ---- */

/* That of numbers which trials share is theirs. */
static enum status take(struct sums_in_hand *hand)
{
    const struct measuring *measuring = hand->of->measuring;
    const struct exact_how how = {.workers = measuring->case_workers, .verify = measuring->verify_reference};
    TRY(case_take_data(hand->of));
    if (hand->of->shelved) {
        hand->exact = hand->of->shelved->exact;
        return OK;
    }
    const enum status status =
        operation_exact(measuring->study->methods[0]->operation, &hand->of->data, how, &hand->exact);
    if (status != OK)
        case_put_data_away(hand->of);
    return status;
}

enum status measure_sums(struct case_in_hand *of)
{
    struct sums_in_hand hand = {.of = of};
    TRY(take(&hand));
    hand.exact_text = case_keep_text(of, exact_hex(hand.exact.sum));
    const enum status status = measure_methods(&hand);
    free(hand.kernels);
    free(hand.kernel_bits);
    if (!of->shelved)
        exact_free(&hand.exact);
    case_put_data_away(of);
    return status;
}
