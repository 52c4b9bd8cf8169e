#include "determinism.h"

#include "src/base/clock.h"
#include "src/base/interrupts.h"
#include "src/base/progress.h"
#include "src/measure/measure.h"
#include "vary.h"

/* What has begun, while others are asked in the same fresh processes. */
struct open {
    struct stored_variation stored;
    struct varied varied;
    struct variation variation;
    struct vary vary;
};

/* A data set of the study, on which each of its methods is varied.  A cell is a method on a data set. */
struct varying {
    struct store *store;
    const struct study *study;
    struct device *device;
    const struct determinism_how *how;
    size_t entry, spec;
    struct dataset data;
    uint64_t first, cells; /* the first cell on these data; all */
    struct open **open;    /* of a cell; NULL: none */
    uint64_t from, next;   /* cells that may begin; the first that did not, as too much had begun */
    uint64_t results;      /* of all that have begun */
    int process;           /* 0: the one that is there; then fresh ones */
    struct progress progress;
    uint64_t done;      /* of all axes of all cells, those that cannot be varied included */
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

/* Whether a run measures it there. */
static bool can_be_varied(const struct varying *varying, const struct method *method)
{
    char why[REASON_SIZE];
    const uint64_t n = varying->data.n;
    if (method->plugin && (plugin_is_left_out(method) || !plugin_takes(method, n)))
        return false;
    return method_takes(method, varying->data.format) &&
           measure_can_do(method, varying->study->launches[0], varying->device, why) &&
           (!device_of(varying, method) || n <= method->slow_above);
}

/* ---- how far it is ---- */

static void tell_progress(void *context)
{
    struct varying *varying = context;
    progress_update(&varying->progress, varying->done, "variations");
}

static void begin_progress(struct varying *varying)
{
    uint64_t total = 0;
    for (int axis = 0; axis < AXES; axis++)
        total += varying->study->across >> axis & 1 ? varying->cells : 0;
    progress_start(&varying->progress, total, 0, varying->how->quiet);
}

/* ---- a method on a data set ---- */

static enum status store_variation(struct varying *varying, const struct variation *variation,
                                   struct stored_variation *stored)
{
    stored->variants = variation->variants;
    stored->results = variation->results;
    stored->spread = variation->spread;
    stored->first = variation->first;
    stored->why = variation->why;
    stored->base = variation->base;
    stored->bits = variation->bits;
    TRY(store_begin(varying->store));
    TRY(store_put_variation(varying->store, stored));
    return store_end(varying->store);
}

static enum status vary(struct varying *varying, const struct varied *varied, struct stored_variation *stored)
{
    struct variation variation;
    const enum status status = variation_measure(varied, stored->axis, &variation);
    varying->done++;
    if (interrupted())
        return INTERRUPTED; /* it may be half of it */
    if (status != OK) {
        varying->failed = status;
        return OK;
    }
    return store_variation(varying, &variation, stored);
}

/* Of a plug-in the axis process is varied in fresh ones that all its methods on all data share. */
static bool is_varied_alone(const struct varying *varying, int axis, const struct method *method)
{
    return varying->study->across >> axis & 1 && !(axis == AXIS_process && method->plugin);
}

static enum status vary_axes(struct varying *varying, const struct varied *varied, struct stored_variation *stored)
{
    for (int axis = 0; axis < AXES; axis++) {
        bool is_stored = false;
        stored->axis = (enum axis)axis;
        if (!is_varied_alone(varying, axis, varied->method))
            continue;
        TRY(store_has_variation(varying->store, stored, &is_stored));
        if (is_stored || (varied->method->plugin && plugin_is_left_out(varied->method))) {
            varying->done++;
            continue;
        }
        if (interrupted() || device_is_lost(varied->device))
            return interrupted() ? INTERRUPTED : NOT_MEASURED;
        TRY(vary(varying, varied, stored));
    }
    return OK;
}

/* The command that a fresh process runs. */
static char *rerun(const struct varying *varying, const struct varied *varied)
{
    const struct study *study = varying->study;
    OWNED char *arguments = rerun_data(spec_of(varying));
    const struct witness witness = {
        .method = varied->method->id,
        .data_arguments = arguments,
        .seed = study->seed,
        .trial = study->first_trial,
        .launch = varied->launch,
        .device = varied->device ? device_facts(varied->device)->word : "host",
    };
    return rerun_command(&witness);
}

static struct operands operands_of(const struct varying *varying, const struct method *method)
{
    const struct dataset *data = &varying->data;
    const struct shape shape =
        data->rows == 0 ? shape_of_one(data->n) : (struct shape){data->n, data->rows, data->columns};
    return (struct operands){data->format, method->operation, {data->x, data->y}, shape};
}

/* All but the command. */
static enum status begin_method(struct varying *varying, size_t index, struct varied *varied,
                                struct stored_variation *stored)
{
    const struct study *study = varying->study;
    const struct method *method = study->methods[index];
    *varied = (struct varied){
        .method = method,
        .of = operands_of(varying, method),
        .launch = study->launches[0],
        .device = device_of(varying, method),
        .workers = varying->how->workers,
        .seed = study->seed,
        .tell = tell_progress,
        .context = varying,
    };
    *stored = (struct stored_variation){
        .entry = varying->entry,
        .spec = varying->spec,
        .method = index,
        .backend = method->ask      ? BACKEND_plugin
                   : varied->device ? BACKEND_cuda
                                    : BACKEND_replay,
    };
    return terms_ulp(&varied->of, method->format, &varied->ulp);
}

static enum status vary_method(struct varying *varying, size_t index)
{
    struct varied varied;
    struct stored_variation stored;
    const struct method *method = varying->study->methods[index];
    if (!can_be_varied(varying, method)) {
        for (int axis = 0; axis < AXES; axis++)
            if (is_varied_alone(varying, axis, method))
                varying->done++;
        return OK;
    }
    TRY(begin_method(varying, index, &varied, &stored));
    OWNED char *again = rerun(varying, &varied);
    varied.again = again;
    return vary_axes(varying, &varied, &stored);
}

/* ---- all methods on all data ---- */

typedef bool has_method(const struct varying *varying, size_t method);
typedef enum status visit_method(struct varying *varying, size_t method);

static bool is_any(const struct varying *varying, size_t method)
{
    (void)varying, (void)method;
    return true;
}

static enum status visit_spec(struct varying *varying, has_method *has, visit_method *visit)
{
    const struct study *study = varying->study;
    enum status status = OK;
    bool has_any = false;
    for (size_t m = 0; m < study->method_count; m++)
        has_any = has_any || has(varying, m);
    if (!has_any)
        return OK;
    TRY(dataset_make(spec_of(varying), study->seed, study->first_trial, &varying->data));
    for (size_t m = 0; m < study->method_count && status == OK; m++)
        if (has(varying, m))
            status = visit(varying, m);
    dataset_free(&varying->data);
    return status;
}

static enum status visit_all(struct varying *varying, has_method *has, visit_method *visit)
{
    const struct study *study = varying->study;
    varying->first = 0;
    for (varying->entry = 0; varying->entry < study->entry_count; varying->entry++)
        for (varying->spec = 0; varying->spec < study->entries[varying->entry].spec_count;
             varying->spec++, varying->first += study->method_count)
            TRY(visit_spec(varying, has, visit));
    return OK;
}

/* ---- fresh processes of plug-ins ---- */

/* Those that have begun have 128 MiB of results, or are one. */
enum { RESULTS_MOST = 1 << 22 };

static bool may_begin(const struct varying *varying, size_t method)
{
    return varying->study->methods[method]->plugin && varying->first + method >= varying->from &&
           varying->next == varying->cells;
}

static enum status try_to_begin(struct varying *varying, size_t index, struct open *open, bool *has_begun)
{
    bool is_stored = false;
    if (!can_be_varied(varying, varying->study->methods[index]))
        return OK;
    TRY(begin_method(varying, index, &open->varied, &open->stored));
    open->stored.axis = AXIS_process;
    TRY(store_has_variation(varying->store, &open->stored, &is_stored));
    if (is_stored)
        return OK;
    const enum status status = variation_begin(&open->varied, AXIS_process, &open->variation, &open->vary);
    *has_begun = status == OK;
    varying->failed = status == OK ? varying->failed : status;
    return OK;
}

static enum status begin_in_fresh(struct varying *varying, size_t index)
{
    struct open *open = memory_cleared(1, sizeof *open);
    bool has_begun = false;
    const enum status status = try_to_begin(varying, index, open, &has_begun);
    if (has_begun) {
        varying->open[varying->first + index] = open;
        varying->results += open->vary.count;
    } else {
        varying->done++;
        free(open);
    }
    if (varying->results > RESULTS_MOST)
        varying->next = varying->first + index + 1;
    return status;
}

static bool has_begun(const struct varying *varying, size_t method)
{
    return varying->open[varying->first + method];
}

static enum status ask_in_fresh(struct varying *varying, size_t index)
{
    struct open **open = &varying->open[varying->first + index], *of = *open;
    of->varied.of = operands_of(varying, of->varied.method); /* made once more */
    vary_in_fresh(&of->vary, varying->process);
    if (interrupted() || varying->process < PROCESSES)
        return interrupted() ? INTERRUPTED : OK;
    variation_end(&of->vary);
    const enum status status = interrupted() ? INTERRUPTED : store_variation(varying, &of->variation, &of->stored);
    varying->done++;
    free(of);
    *open = NULL;
    return status;
}

static enum status ask_fresh_process(struct varying *varying)
{
    const struct study *study = varying->study;
    for (size_t m = 0; m < study->method_count; m++)
        if (study->methods[m]->plugin)
            plugin_restart(study->methods[m]);
    return visit_all(varying, has_begun, ask_in_fresh);
}

static enum status vary_in_fresh_processes(struct varying *varying)
{
    enum status status = OK;
    varying->open = memory_cleared(varying->cells + 1, sizeof(struct open *));
    while (varying->from < varying->cells && status == OK) {
        varying->next = varying->cells;
        varying->results = 0;
        varying->process = 0;
        status = visit_all(varying, may_begin, begin_in_fresh);
        for (varying->process = 1; varying->process <= PROCESSES && varying->results > 0 && status == OK;
             varying->process++)
            status = ask_fresh_process(varying);
        varying->from = varying->next;
    }
    for (uint64_t cell = 0; cell < varying->cells; cell++)
        if (varying->open[cell]) {
            variation_forget(&varying->open[cell]->vary);
            free(varying->open[cell]);
        }
    free(varying->open);
    return status;
}

enum status determinism_measure(struct store *store, const struct study *study, struct device *device,
                                const struct determinism_how *how)
{
    struct varying varying = {.store = store, .study = study, .device = device, .how = how};
    for (size_t e = 0; e < study->entry_count; e++)
        varying.cells += study->entries[e].spec_count * study->method_count;
    begin_progress(&varying);
    enum status status = visit_all(&varying, is_any, vary_method);
    if (status == OK && study->across >> AXIS_process & 1) /* last: its results are stored when all are there */
        status = vary_in_fresh_processes(&varying);
    progress_end(&varying.progress);
    return status == OK ? varying.failed : status;
}
