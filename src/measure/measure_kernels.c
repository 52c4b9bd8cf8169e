#include "measure_kernels.h"

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
    free(kernels->places);
    free(kernels->sums);
    free(kernels->bits);
    *kernels = (struct kernels){0};
}

/* ---- what is run ---- */

/* Numbers that the host has anyway are sooner copied than computed again: a launch takes as long as copying 2^14. */
enum { FEW_NUMBERS = 1 << 14 };

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

/* Formulas are computed over there, with the same bits, unless the host has the numbers and they are few. */
static enum status place_data(const struct case_in_hand *hand, struct device_set *set)
{
    const struct data_spec *spec = hand->spec;
    *set = (struct device_set){.x = hand->data.x, .y = hand->data.y};
    if (set->x && hand->data.n < FEW_NUMBERS)
        return OK;
    if (!data_spec_is_formula(spec, hand->place.trial) || !generator_on_device(spec->generator, spec->format))
        return OK;
    *set = (struct device_set){.generator = spec->generator};
    return dataset_call(spec, hand->measuring->study->seed, hand->place.trial, &set->call);
}

static void note_lost_data(struct case_in_hand *hands, size_t count)
{
    complain("%s, trial %" PRIu64 "%s: the data could not be brought to the GPU, as said above; no kernel is run on "
             "them",
             hands[0].spec->text, hands[0].place.trial, count > 1 ? " and others" : "");
    for (size_t c = 0; c < count; c++)
        hands[c].finished->unfinished = true;
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
                hands[c].finished->unfinished = true;
            case_note_failure(&hands[0], l, m, "kernel");
            told = true;
        }
}

static enum status run(struct case_in_hand *hands, size_t count, const struct kernels *kernels, struct device_set *sets)
{
    const struct measuring *measuring = hands[0].measuring;
    const struct device_batch batch = {
        .format = hands[0].data.format,
        .n = hands[0].data.n,
        .sets = sets,
        .set_count = count,
        .repeats = measuring->study->repeats,
        .sums = kernels->sums,
        .sums_count = kernels->sums_count,
    };
    for (size_t c = 0; c < count; c++)
        TRY(place_data(&hands[c], &sets[c]));
    device_lock(measuring->device);
    const bool was_lost = device_is_lost(measuring->device);
    if (!was_lost && device_run_batch(measuring->device, &batch) != OK)
        note_lost_data(hands, count);
    else if (!was_lost)
        note_failures(hands, count, kernels);
    for (size_t c = 0; c < count; c++) {
        hands[c].finished->device_lost = device_is_lost(measuring->device);
        hands[c].finished->unfinished |= hands[c].finished->device_lost;
    }
    device_unlock(measuring->device);
    return OK;
}

enum status kernels_run(struct case_in_hand *hands, size_t count, struct kernels *kernels)
{
    TRY(plan(&hands[0], count, kernels));
    if (kernels->sums_count == 0) /* what measures on the host has none */
        return OK;
    struct device_set *sets = calloc(count, sizeof *sets);
    const enum status status = sets ? run(hands, count, kernels, sets) : out_of_memory("the data of a GPU");
    free(sets);
    return status;
}
