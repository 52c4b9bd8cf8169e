#include "determinism.h"

#include "datasets/dataset.h"
#include "src/base/clock.h"
#include "src/base/interrupts.h"
#include "src/base/progress.h"
#include "src/measure/measure.h"
#include "src/plugins/plugin.h"
#include "src/study/rerun.h"
#include "src/study/study_formats.h"
#include "terms.h"
#include "variation.h"

#include <stdlib.h>

/* A data set of the study, on which each of its methods is varied. */
struct varying {
    struct store *store;
    const struct study *study;
    struct device *device;
    const struct determinism_how *how;
    size_t entry, spec;
    struct dataset data;
    struct progress progress;
    uint64_t done;      /* of all axes of all methods on all data, those that cannot be varied included */
    enum status failed; /* some base could not be computed */
};

static const struct data_spec *spec_of(const struct varying *varying)
{
    return &varying->study->entries[varying->entry].specs[varying->spec];
}

static struct device *device_of(const struct varying *varying, const struct method *method)
{
    return method->ask || !device_has_kernel(method) ? NULL : varying->device;
}

/* Whether a run measures it there; what was computed elsewhere cannot be varied. */
static bool can_be_varied(const struct varying *varying, const struct method *method)
{
    char why[REASON_SIZE];
    const uint64_t n = varying->data.n;
    if (method->plugin && (!plugin_computes(method) || plugin_is_left_out(method) || !plugin_takes(method, n)))
        return false;
    return method_takes(method, varying->data.format) &&
           measure_can_do(method, varying->study->launches[0], varying->device, why) &&
           (!device_of(varying, method) || n <= method->slow_above);
}

static enum status vary(struct varying *varying, const struct varied *varied, struct stored_variation *stored)
{
    struct variation variation;
    const enum status status = variation_measure(varied, stored->axis, &variation);
    if (interrupted())
        return INTERRUPTED; /* it may be half of it */
    if (status != OK) {
        varying->failed = status;
        return OK;
    }
    stored->variants = variation.variants;
    stored->results = variation.results;
    stored->spread = variation.spread;
    stored->first = variation.first;
    stored->why = variation.why;
    stored->base = variation.base;
    stored->bits = variation.bits;
    TRY(store_begin(varying->store));
    TRY(store_put_variation(varying->store, stored));
    return store_end(varying->store);
}

static void tell_progress(struct varying *varying, uint64_t done)
{
    struct progress *progress = &varying->progress;
    const double seconds = clock_of_wall() - progress->started;
    if (done > 0)
        progress_say(progress, done, "variations", seconds / (double)done * (double)(progress->total - done));
}

static enum status vary_axes(struct varying *varying, const struct varied *varied, size_t method)
{
    struct stored_variation stored = {
        .entry = varying->entry,
        .spec = varying->spec,
        .method = method,
        .backend = varied->method->ask ? BACKEND_plugin
                   : varied->device    ? BACKEND_cuda
                                       : BACKEND_replay,
    };
    for (int axis = 0; axis < AXES; axis++) {
        bool is_stored = false;
        stored.axis = (enum axis)axis;
        tell_progress(varying, varying->done + (uint64_t)axis);
        if (!(varying->study->across >> axis & 1))
            continue;
        TRY(store_has_variation(varying->store, &stored, &is_stored));
        if (is_stored)
            continue;
        if (varied->method->plugin && plugin_is_left_out(varied->method))
            break;
        if (interrupted() || device_is_lost(varied->device))
            return interrupted() ? INTERRUPTED : NOT_MEASURED;
        TRY(vary(varying, varied, &stored));
    }
    return OK;
}

/* The command that a fresh process runs. */
static char *rerun(const struct varying *varying, const struct varied *varied)
{
    const struct study *study = varying->study;
    char *arguments = rerun_data(spec_of(varying));
    const struct witness witness = {
        .method = varied->method->id,
        .data_arguments = arguments,
        .seed = study->seed,
        .trial = study->first_trial,
        .launch = varied->launch,
        .device = varied->device ? device_facts(varied->device)->word : "host",
    };
    char *command = rerun_command(&witness);
    free(arguments);
    return command;
}

static enum status vary_method(struct varying *varying, size_t index)
{
    const struct study *study = varying->study;
    const struct dataset *data = &varying->data;
    const struct method *method = study->methods[index];
    struct varied varied = {
        .method = method,
        .of = {data->format, method->operation, {data->x, data->y}, {data->n, data->rows, data->columns}},
        .launch = study->launches[0],
        .device = device_of(varying, method),
        .workers = varying->how->workers,
        .others = varying->how->others,
        .other_count = varying->how->other_count,
        .seed = study->seed,
    };
    if (data->rows == 0)
        varied.of.shape = shape_of_one(data->n);
    TRY(terms_ulp(&varied.of, method->format, &varied.ulp));
    char *again = rerun(varying, &varied);
    varied.again = again;
    const enum status status = vary_axes(varying, &varied, index);
    free(again);
    return status;
}

/* Methods on data are dealt out to shards as cases are. */
static bool is_of_shard(const struct varying *varying, size_t method)
{
    return shard_has(varying->study->shard, varying->done / AXES + method);
}

static enum status vary_spec(struct varying *varying)
{
    const struct study *study = varying->study;
    const struct data_spec *spec = spec_of(varying);
    enum status status = OK;
    bool has_any = false;
    for (size_t m = 0; m < study->method_count; m++)
        has_any = has_any || is_of_shard(varying, m);
    if (!has_any)
        varying->done += AXES * study->method_count;
    if (!has_any)
        return OK;
    TRY(dataset_make(spec, study->seed, study->first_trial, &varying->data));
    for (size_t m = 0; m < study->method_count && status == OK; m++, varying->done += AXES)
        if (is_of_shard(varying, 0) && can_be_varied(varying, study->methods[m]))
            status = vary_method(varying, m);
    dataset_free(&varying->data);
    return status;
}

enum status determinism_measure(struct store *store, const struct study *study, struct device *device,
                                const struct determinism_how *how)
{
    struct varying varying = {.store = store, .study = study, .device = device, .how = how};
    uint64_t specs = 0;
    enum status status = OK;
    for (size_t e = 0; e < study->entry_count; e++)
        specs += study->entries[e].spec_count;
    progress_start(&varying.progress, specs * study->method_count * AXES, 0, how->quiet);
    for (; varying.entry < study->entry_count && status == OK; varying.entry++)
        for (varying.spec = 0; varying.spec < study->entries[varying.entry].spec_count && status == OK; varying.spec++)
            status = vary_spec(&varying);
    progress_end(&varying.progress);
    return status == OK ? varying.failed : status;
}
