#include "measure_kernels.h"

#include "exact_on_device.h"

#include "src/base/interrupts.h"
#include "src/study/study_formats.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- results ---- */

static const struct device_sums *sums_of(const struct kernels *kernels, size_t launch, size_t method)
{
    const size_t place = kernels->places ? kernels->places[launch * kernels->method_count + method] : 0;
    return place > 0 ? &kernels->sums[place - 1] : NULL;
}

uint64_t kernels_results(const struct kernels *kernels, size_t launch, size_t method)
{
    const struct device_sums *sums = sums_of(kernels, launch, method);
    return sums ? sums->done : 0;
}

uint64_t kernels_bits(const struct kernels *kernels, size_t launch, size_t method, uint64_t repeat, size_t set)
{
    return sums_of(kernels, launch, method)->bits[repeat * kernels->set_count + set];
}

void kernels_free(struct kernels *kernels)
{
    free_all(kernels->places, kernels->sums, kernels->bits);
    *kernels = (struct kernels){0};
}

/* ---- what is run ---- */

static enum status plan(const struct case_in_hand *hand, size_t sets, struct kernels *kernels)
{
    const struct study *study = hand->measuring->study;
    const size_t most = study->launch_count * study->method_count;
    *kernels = (struct kernels){.method_count = study->method_count, .set_count = sets};
    kernels->places = calloc(most, sizeof *kernels->places);
    kernels->sums = calloc(most, sizeof *kernels->sums);
    kernels->bits = calloc(most * sets, study->repeats * sizeof *kernels->bits);
    if (!kernels->places || !kernels->sums || !kernels->bits)
        return out_of_memory("the results of a GPU");
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++) {
            if (!device_has_kernel(study->methods[m]) || !case_measures(hand, l, m))
                continue;
            kernels->sums[kernels->sums_count] = (struct device_sums){
                .method = study->methods[m],
                .launch = study->launches[l],
                .bits = kernels->bits + kernels->sums_count * sets * study->repeats,
            };
            kernels->places[l * study->method_count + m] = ++kernels->sums_count;
        }
    return OK;
}

static void note_lost_data(struct case_in_hand *hands, size_t count)
{
    complain("%s, trial %" PRIu64
             "%s: the data could not be brought to the GPU, as said above; no kernel is run on them",
             hands[0].spec->text, hands[0].place.trial, count > 1 ? " and others" : "");
    for (size_t c = 0; c < count; c++)
        hands[c].finished->unfinished = hands[c].finished->device_failed = true;
}

/* A method that fails leaves the device to the others, unless it took it with it: then nothing is said of those that
 * were not run. */
static void note_failures(struct case_in_hand *hands, size_t count, const struct kernels *kernels)
{
    const struct study *study = hands[0].measuring->study;
    const bool is_lost = device_is_lost(hands[0].measuring->device);
    bool told = false;
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t m = 0; m < study->method_count; m++) {
            const struct device_sums *sums = sums_of(kernels, l, m);
            if (!sums || sums->done == study->repeats || (told && is_lost))
                continue;
            for (size_t c = 0; c < count; c++)
                hands[c].finished->unfinished = hands[c].finished->device_failed = true;
            case_note_failure(&hands[0], l, m, "kernel");
            told = true;
        }
}

/* The device is locked, and was not lost. */
static void run(struct case_in_hand *hands, const struct device_batch *batch, const struct kernels *kernels)
{
    if (device_run_batch(hands[0].measuring->device, batch) != OK)
        note_lost_data(hands, batch->set_count);
    else
        note_failures(hands, batch->set_count, kernels);
}

static enum status run_placed(struct case_in_hand *hands, const struct device_set *sets, struct device_exact *exact,
                              const struct kernels *kernels)
{
    const struct measuring *measuring = hands[0].measuring;
    const struct device_batch batch = {
        .format = hands[0].data.format,
        .n = hands[0].data.n,
        .sets = sets,
        .set_count = kernels->set_count,
        .repeats = measuring->study->repeats,
        .sums = kernels->sums,
        .sums_count = kernels->sums_count,
        .exact = exact,
    };
    device_lock(measuring->device);
    const bool was_lost = device_is_lost(measuring->device);
    const bool is_late = interrupted(); /* while others had the device */
    if (!was_lost && !is_late)
        run(hands, &batch, kernels);
    for (size_t c = 0; c < kernels->set_count; c++) {
        hands[c].finished->device_lost = device_is_lost(measuring->device);
        hands[c].finished->unfinished |= hands[c].finished->device_lost;
    }
    device_unlock(measuring->device);
    if (is_late)
        return INTERRUPTED;
    for (size_t c = 0; c < kernels->set_count; c++)
        if (sets[c].seen && !hands[c].finished->unfinished)
            TRY(case_check_seen(&hands[c], &sets[c]));
    return OK;
}

enum status kernels_run(struct case_in_hand *hands, size_t count, struct device_exact *exact, struct kernels *kernels)
{
    TRY(plan(&hands[0], count, kernels));
    if (kernels->sums_count == 0) /* what measures on the host has none */
        return OK;
    OWNED struct device_set *sets = calloc(count, sizeof *sets);
    float(*seen)[SEEN_MOST] = malloc(count * sizeof *seen);
    enum status status = sets && seen ? OK : out_of_memory("the data of a GPU");
    for (size_t c = 0; c < count && status == OK; c++)
        status = case_place_data(&hands[c], &sets[c], seen[c]);
    if (status == OK)
        status = run_placed(hands, sets, exact, kernels);
    free(seen);
    return status;
}
