#include "speeds.h"

#include "bench.h"
#include "src/measure/measure.h"

/* What is timed together: the sums, or the others, for data of a format, of kernels, plug-ins' too, or replays; or, on
 * the host, of plug-ins beside kernels. */
struct part {
    const struct format *stored;
    bool sums, plugins_alone;
    bool is_usual; /* the n is that of kernels, and nobody asked for it */
};

/* Far more numbers than a study asks a plug-in for may take it minutes, and say nothing of the study's. */
static bool is_unlike_its_data(const struct part *part, const struct method *method, uint64_t n)
{
    return part->is_usual && n > plugin_most_terms(method);
}

static void tell_unlike(const struct part *part, const struct method *method, uint64_t n)
{
    if (is_unlike_its_data(part, method, n))
        complain("%s: not timed: kernels are timed on %" PRIu64 " numbers, and it was asked for at most %" PRIu64
                 "; --speed N times all on N",
                 method->id, n, plugin_most_terms(method));
}

/* The place of a line's method and launch in the study; false when it was only a baseline. */
static bool find_place(const struct study *study, const struct bench_line *line, struct stored_speed *speed)
{
    while (speed->method < study->method_count && study->methods[speed->method] != line->method)
        speed->method++;
    while (speed->launch < study->launch_count && !same_launch(study->launches[speed->launch], line->launch))
        speed->launch++;
    return speed->method < study->method_count && speed->launch < study->launch_count;
}

/* Times of plug-ins are stored under the backend beside which they stand. */
static enum status store_lines(struct store *store, const struct study *study, const struct bench *bench,
                               const struct bench_results *results, bool beside_kernels)
{
    TRY(store_begin(store));
    for (size_t i = 0; i < results->count; i++) {
        const struct bench_line *line = results->lines[i];
        struct stored_speed speed = {0};
        if (line->hidden || !find_place(study, line, &speed))
            continue;
        speed.backend = bench->device || beside_kernels ? BACKEND_cuda : BACKEND_replay;
        speed.n = line->n;
        speed.bytes = line->bytes;
        speed.rounds = bench->study->repeats;
        speed.microseconds = line->time.min;
        speed.median = line->time.p50;
        TRY(store_put_speed(store, &speed));
    }
    return store_end(store);
}

/* One thread on the host: what an addition costs, not how many cores there are. */
static enum status measure(struct store *store, const struct study *study, const struct study *timing,
                           const struct part *part, struct device *device, uint64_t n)
{
    const struct bench bench = {
        .study = timing, .n = &n, .n_count = 1, .rows = 1, .jobs = 1, .alone = true, .quiet = true, .device = device};
    FREED_BY(bench_results_free) struct bench_results results = {0};
    const enum status measured = bench_measure(&bench, &results);
    const enum status stored = store_lines(store, study, &bench, &results, part->plugins_alone);
    return stored == OK ? measured : stored;
}

static bool can_be_timed(const struct method *method, struct launch launch, const struct device *device, uint64_t n)
{
    char why[REASON_SIZE];
    if (method->plugin && (plugin_is_left_out(method) || !plugin_takes(method, n)))
        return false;
    return (!device || method->plugin || device_has_kernel(method)) && measure_can_do(method, launch, device, why) &&
           (!device || n <= method->slow_above);
}

/* A plug-in whose kernels have a GPU's clock is timed among kernels, others beside them. */
static bool is_of_place(const struct part *part, const struct method *method, const struct device *device)
{
    if (!method->plugin)
        return !part->plugins_alone;
    return part->plugins_alone ? !plugin_has_events(method) : !device || plugin_has_events(method);
}

/* What of it can be timed at some launch, and the launches at which some method can. */
static void select_what_can_be_timed(struct study *timing, const struct part *part, const struct device *device,
                                     uint64_t n)
{
    size_t methods = 0, launches = 0;
    for (size_t m = 0; m < timing->method_count; m++) {
        bool can = false;
        if (!method_takes(timing->methods[m], part->stored) ||
            (timing->methods[m]->operation == OPERATION_sum) != part->sums ||
            !is_of_place(part, timing->methods[m], device))
            continue;
        if (timing->methods[m]->plugin)
            tell_unlike(part, timing->methods[m], n);
        for (size_t l = 0; l < timing->launch_count; l++)
            can = can || can_be_timed(timing->methods[m], timing->launches[l], device, n);
        if (can && !(timing->methods[m]->plugin && is_unlike_its_data(part, timing->methods[m], n)))
            timing->methods[methods++] = timing->methods[m];
    }
    timing->method_count = methods;
    for (size_t l = 0; l < timing->launch_count; l++) {
        bool can = false;
        for (size_t m = 0; m < methods; m++)
            can = can || can_be_timed(timing->methods[m], timing->launches[l], device, n);
        if (can)
            timing->launches[launches++] = timing->launches[l];
    }
    timing->launch_count = launches;
}

static enum status measure_part(struct store *store, const struct study *study, const struct part *part,
                                struct device *device, uint64_t n)
{
    struct study timing = *study;
    char data[64];
    if (generator_refuses(generator_find(BENCH_FAMILY), part->stored))
        return OK;
    enum status status = OK;
    timing.entries = NULL;
    timing.entry_count = 0;
    timing.first_trial = 0;
    timing.repeats = BENCH_ROUNDS;
    timing.methods = calloc(study->method_count + 1, sizeof *timing.methods);
    TRY(timing.methods ? OK : out_of_memory("the methods of a study"));
    memcpy(timing.methods, study->methods, study->method_count * sizeof *timing.methods);
    select_what_can_be_timed(&timing, part, device, n);
    snprintf(data, sizeof data, BENCH_DATA ",n=%d,format=%s", BENCH_PERIOD, part->stored->name);
    if (timing.method_count > 0)
        TRY_DONE(study_add_data(&timing, data, 1, "the data for speed", NONFINITE_REFUSE));
    if (timing.method_count > 0)
        TRY_DONE(measure(store, study, &timing, part, device, n));
done:
    study_clear_data(&timing);
    free(timing.methods);
    return status;
}

enum status speeds_measure(struct store *store, const struct study *study, struct device *device, uint64_t n,
                           bool is_usual)
{
    for (int f = 0; f < STORED_FORMAT_COUNT; f++)
        for (int sums = 0; sums < 2; sums++) {
            TRY(measure_part(store, study, &(struct part){NUMBER_FORMATS[f], sums, false, is_usual && device}, device,
                             n));
            if (device)
                TRY(measure_part(store, study, &(struct part){NUMBER_FORMATS[f], sums, true, is_usual}, NULL, n));
        }
    return OK;
}
