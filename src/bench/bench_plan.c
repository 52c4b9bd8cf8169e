/* Which lines a bench has, before the first of them is timed. */
#include "bench_session.h"

#include "src/measure/refusals.h"

#include <sys/param.h>

/* Up to here the replay costs less than a second, so that kernels are always compared. */
#define COMPARED_UP_TO (UINT64_C(1) << 26)

/* On the host a launch is that of a small GPU: 120 blocks of 256 threads, as in the built-in study. */
enum { HOST_MULTIPROCESSORS = 15 };

/* A copy of 4 GiB is as fast as one of 400, and leaves room for the data. */
#define COPIED_MOST (UINT64_C(1) << 32)

/* The lines of one n and launch while they are collected. */
struct plan {
    const struct bench *bench;
    struct bench_results *results;
    uint64_t n;
    struct launch launch;
    size_t first; /* line of them */
};

bool bench_compares(const struct bench *bench, uint64_t n)
{
    return bench->device && (bench->compare_all || n * bench->rows <= COMPARED_UP_TO);
}

/* Blocks that leave each thread so many elements. */
static uint64_t blocks_for(uint64_t n, uint32_t threads, uint32_t elements)
{
    const uint64_t of_block = (uint64_t)threads * elements;
    return n / of_block + (n % of_block != 0);
}

uint32_t bench_blocks(unsigned multiprocessors, uint32_t threads, uint64_t n)
{
    enum { RESIDENT_THREADS = 2048, ELEMENTS_AT_LEAST = 16, ELEMENTS_BESIDE_OTHERS = 64 };
    const uint64_t each = threads < RESIDENT_THREADS ? RESIDENT_THREADS / threads : 1;
    const uint64_t one_each = MIN(multiprocessors, blocks_for(n, threads, ELEMENTS_AT_LEAST));
    const uint64_t several_each = MIN(multiprocessors * each, blocks_for(n, threads, ELEMENTS_BESIDE_OTHERS));
    const uint64_t blocks = several_each > one_each ? several_each : one_each;
    return blocks > 0 ? (uint32_t)blocks : 1;
}

/* All rows together fill the device, each with its share of the blocks: with one where rows are many. */
static struct launch launch_at(const struct bench *bench, uint64_t n, size_t index)
{
    struct launch launch = bench->study->launches[index];
    const unsigned multiprocessors =
        bench->device ? device_facts(bench->device)->multiprocessors : HOST_MULTIPROCESSORS;
    if (bench->fill_device)
        launch.blocks = 1 + (bench_blocks(multiprocessors, launch.threads, n * bench->rows) - 1) / bench->rows;
    return launch;
}

static struct bench_line *find_line(const struct plan *plan, const struct method *method)
{
    for (size_t i = plan->first; i < plan->results->count; i++)
        if (plan->results->lines[i]->method == method)
            return plan->results->lines[i];
    return NULL;
}

static void set_bytes(struct bench_line *line, size_t bytes)
{
    line->bytes = line->n * line->rows * bytes;
    if (line->method)
        line->bytes *= operation_is_per_number(line->method->operation)
                           ? 2 /* they are written, too */
                           : (uint64_t)operation_table[line->method->operation].vectors;
    else
        line->bytes = 2 * MIN(line->bytes, COPIED_MOST);
}

/* Appends a line for the method, NULL for the copy, unless there is one. */
static void add_line(struct plan *plan, const struct method *method, bool hidden)
{
    const struct bench *bench = plan->bench;
    struct bench_results *results = plan->results;
    struct bench_line *line = find_line(plan, method);
    if (line) {
        line->hidden = line->hidden && hidden;
        return;
    }
    results->lines = memory_resized(results->lines, (results->count + 1) * sizeof line);
    double *times = memory_cleared(bench->study->repeats, sizeof *times);
    line = memory_resized(NULL, sizeof *line);
    *line = (struct bench_line){
        .method = method, .n = plan->n, .rows = bench->rows, .launch = plan->launch, .times = times, .hidden = hidden};
    set_bytes(line, bench->device ? results->format->bytes : format_held(results->format)->bytes);
    results->lines[results->count++] = line;
}

/* True, with the reason in `why`, for what cannot or should not be timed. */
static bool is_left_out(const struct plan *plan, const struct method *method, char why[REASON_SIZE])
{
    const struct bench *bench = plan->bench;
    const struct format *stored = method->sum_format->stored;
    if (!method_takes(method, plan->results->format))
        snprintf(why, REASON_SIZE, "it takes numbers of %s, and the data are of %s; see --format", stored->name,
                 plan->results->format->name);
    else if (operation_table[method->operation].of == MATRICES)
        snprintf(why, REASON_SIZE, "it is a matrix product, and n numbers are none");
    else if (method->plugin && !plugin_takes(method, plan->n))
        snprintf(why, REASON_SIZE, "it takes other n");
    else if (method->plugin && bench->device && !plugin_has_events(method))
        snprintf(why, REASON_SIZE, "%s; --device host times it",
                 plugin_is_on_device(method) ? "only kernels of a library are timed by the GPU's clock"
                                             : "its arrays are in the host's memory");
    else if (bench->device && !method->plugin && !device_has_kernel(method))
        snprintf(why, REASON_SIZE, "it has no kernel in %s", method->sum_format->id);
    else if (!bench->device && !method_is_on_host(method))
        snprintf(why, REASON_SIZE, "it is a black box without a replay; it needs a GPU");
    else if (!method_can_do(method, plan->launch, why))
        return true;
    else if (bench->rows > 1 && !(method->plugin ? plugin_takes_rows(method) : device_takes_rows(method)))
        snprintf(why, REASON_SIZE, "it adds one row per launch; see --rows");
    else if (bench->device && !bench->slow && plan->n > method->slow_above)
        snprintf(why, REASON_SIZE,
                 "it takes seconds, because its additions wait for each other, above n=%" PRIu64 "; --slow times it",
                 method->slow_above);
    else
        return false;
    return true;
}

const struct method *bench_baseline(const struct bench *bench, const struct method *method)
{
    const char *of_libraries = method->operation == OPERATION_sum ? BENCH_BASELINE : BENCH_BASELINE_OF_PRODUCTS;
    if (bench->alone)
        return NULL;
    if (bench->device)
        return method_in(method_find(of_libraries), method->sum_format);
    return method->plugin
               ? method_in(method_of_operation(method_find("plain/serial"), method->operation), method->sum_format)
               : method_serial(method);
}

static void add_method(struct plan *plan, const struct method *method, struct refusals *refusals)
{
    char why[REASON_SIZE];
    if (is_left_out(plan, method, why)) {
        refusals_add(refusals, method->id, why);
        return;
    }
    const struct method *baseline = bench_baseline(plan->bench, method);
    if (baseline && !is_left_out(plan, baseline, why))
        add_line(plan, baseline, !plan->bench->device);
    add_line(plan, method, false);
}

/* The copy, and what is not left out; where nothing is left, the reasons are given, quiet or not, and nobody asked for
 * the copy alone. */
static void plan_launch(struct plan *plan)
{
    const struct study *study = plan->bench->study;
    struct refusals refusals = {0};
    char place[64];
    plan->first = plan->results->count;
    add_line(plan, NULL, false);
    for (size_t m = 0; m < study->method_count; m++)
        add_method(plan, study->methods[m], &refusals);
    snprintf(place, sizeof place, " at n=%" PRIu64 ", %u x %u", plan->n, plan->launch.blocks, plan->launch.threads);
    const bool any_left = plan->results->count > plan->first + 1; /* more than the copy */
    refusals_tell(&refusals, "leaving out", place, plan->bench->quiet && any_left);
    if (!any_left && plan->results->count > plan->first)
        bench_line_free(plan->results->lines[--plan->results->count]);
}

enum status bench_plan(const struct bench *bench, struct bench_results *results)
{
    struct plan plan = {.bench = bench, .results = results};
    for (size_t i = 0; i < bench->n_count; i++)
        for (size_t l = 0; l < bench->study->launch_count; l++) {
            plan.n = bench->n[i];
            plan.launch = launch_at(bench, plan.n, l);
            plan_launch(&plan);
        }
    results->planned = results->count;
    if (results->count > 0)
        return OK;
    return bad_input("every selected method was left out; choose others; see `ulpscope list methods`");
}
