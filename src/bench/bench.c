#include "bench_session.h"

#include "src/base/format.h"
#include "src/base/progress.h"
#include "src/base/workers.h"
#include "src/device/device_timing.h"
#include "src/measure/refusals.h"

#include "datasets/dataset.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to here the replay costs less than a second, so that kernels are always compared. */
#define COMPARED_UP_TO (UINT64_C(1) << 26)

/* On the host a launch is that of a small GPU: 120 blocks of 256 threads, as in the built-in study. */
enum { HOST_MULTIPROCESSORS = 15 };

/* A copy of 4 GiB is as fast as one of 400, and leaves room for the data. */
#define COPIED_MOST (UINT64_C(1) << 32)

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
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
    const uint64_t one_each = least_of(multiprocessors, blocks_for(n, threads, ELEMENTS_AT_LEAST));
    const uint64_t several_each = least_of(multiprocessors * each, blocks_for(n, threads, ELEMENTS_BESIDE_OTHERS));
    const uint64_t blocks = several_each > one_each ? several_each : one_each;
    return blocks > 0 ? (uint32_t)blocks : 1;
}

double bench_rate(const struct bench_line *line)
{
    return (double)line->bytes / (1000 * line->time.min);
}

double bench_share(const struct bench_line *line, const struct bench_line *of)
{
    return of ? bench_rate(line) / bench_rate(of) : (double)NAN;
}

/* ---- data ---- */

static const char *row_on_host(const struct session *session, uint64_t row)
{
    return session->x + row * session->n % session->period * session->format->bytes;
}

static bool compares(const struct session *session)
{
    const struct bench *bench = session->bench;
    return bench->device && (bench->compare_all || session->n * bench->rows <= COMPARED_UP_TO);
}

/* Repeats the period as far as some reader on the host goes: a replay reads n elements, the exact sum one period, both
 * from the start of any row. */
static enum status lay_out(struct session *session, const void *period)
{
    const size_t bytes = session->format->bytes;
    const bool replays = !session->bench->device || compares(session);
    uint64_t length = replays && session->n > session->period ? session->n : session->period;
    if (session->bench->rows > 1)
        length += session->period;
    session->x = malloc(length * bytes);
    if (!session->x)
        return out_of_memory("the data");
    for (uint64_t i = 0; i < length; i += session->period) {
        const uint64_t more = session->period < length - i ? session->period : length - i;
        memcpy(session->x + i * bytes, period, more * bytes);
    }
    return OK;
}

/* Worker w sums every so many-th row. */
static void sum_some_rows(void *context, unsigned worker)
{
    const struct session *session = context;
    for (uint64_t r = worker; r < session->bench->rows; r += session->bench->jobs)
        session->sums[r].known = exact_sum_repeated(session->format, row_on_host(session, r), session->period,
                                                    session->n, &session->sums[r].exact) == OK;
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

static enum status sum_rows(struct session *session)
{
    session->sums = calloc(session->bench->rows, sizeof *session->sums);
    if (!session->sums)
        return out_of_memory("the exact sums");
    workers_run(session->bench->jobs, sum_some_rows, session);
    for (uint64_t r = 0; r < session->bench->rows; r++)
        if (!session->sums[r].known)
            return NOT_MEASURED;
    return OK;
}

/* ---- lines ---- */

static struct bench_line *find_line(const struct session *session, const struct method *method)
{
    for (size_t i = session->first; i < session->results->count; i++)
        if (session->results->lines[i]->method == method)
            return session->results->lines[i];
    return NULL;
}

/* Appends a line for the method, NULL for the copy, unless there is one. */
static enum status add_line(struct session *session, const struct method *method, bool hidden)
{
    const struct bench *bench = session->bench;
    struct bench_results *results = session->results;
    struct bench_line *line = find_line(session, method);
    if (line) {
        line->hidden = line->hidden && hidden;
        return OK;
    }
    struct bench_line **grown = realloc(results->lines, (results->count + 1) * sizeof *grown);
    if (grown)
        results->lines = grown;
    line = calloc(1, sizeof *line);
    double *times = calloc(bench->study->repeats, sizeof *times);
    if (!grown || !line || !times) {
        free(line);
        free(times);
        return out_of_memory("the times");
    }
    *line = (struct bench_line){.method = method,
                                .n = session->n,
                                .rows = bench->rows,
                                .launch = session->launch,
                                .bytes = session->n * bench->rows * session->format->bytes,
                                .times = times,
                                .hidden = hidden};
    if (!method) {
        line->bytes = line->bytes < COPIED_MOST ? line->bytes : COPIED_MOST;
        line->bytes *= 2;
    }
    results->lines[results->count++] = line;
    return OK;
}

/* True, with the reason in `why`, for what cannot or should not be timed. */
static bool is_left_out(const struct session *session, const struct method *method, char why[REASON_SIZE])
{
    const struct bench *bench = session->bench;
    if (!bench->device && !method->replay)
        snprintf(why, REASON_SIZE, "it is a black box without a replay; it needs a GPU");
    else if (!method_can_do(method, session->launch, why))
        return true;
    else if (bench->rows > 1 && !device_takes_rows(method))
        snprintf(why, REASON_SIZE, "it adds one row per launch; see --rows");
    else if (bench->device && !bench->slow && session->n > method->slow_above)
        snprintf(why, REASON_SIZE,
                 "it takes seconds, because its additions wait for each other, above n=%" PRIu64 "; --slow times it",
                 method->slow_above);
    else
        return false;
    return true;
}

/* What the method is measured against. */
static const struct method *baseline_of(const struct session *session, const struct method *method)
{
    return session->bench->device ? method_find(BENCH_BASELINE) : method_serial(method);
}

static enum status add_method(struct session *session, const struct method *method, struct refusals *refusals)
{
    char why[REASON_SIZE];
    if (is_left_out(session, method, why))
        return refusals_add(refusals, method->id, why);
    const struct method *baseline = baseline_of(session, method);
    if (baseline && !is_left_out(session, baseline, why))
        TRY(add_line(session, baseline, !session->bench->device));
    return add_line(session, method, false);
}

/* The copy, and what is not left out; where nothing is left, the reasons are told, quiet or not. */
static enum status take_methods(struct session *session)
{
    const struct study *study = session->bench->study;
    struct refusals refusals = {0};
    char place[64];
    session->first = session->results->count;
    enum status status = add_line(session, NULL, false);
    for (size_t m = 0; m < study->method_count && status == OK; m++)
        status = add_method(session, study->methods[m], &refusals);
    snprintf(place, sizeof place, " at n=%" PRIu64 ", %u x %u", session->n, session->launch.blocks,
             session->launch.threads);
    const bool any_left = session->results->count > session->first + 1; /* more than the copy */
    refusals_tell(&refusals, "leaving out", place, session->bench->quiet && any_left);
    return status;
}

/* What each line is compared with, of those that have been timed. */
static void link_lines(const struct session *session)
{
    for (size_t i = session->first; i < session->results->count; i++) {
        struct bench_line *line = session->results->lines[i];
        const struct method *baseline = line->method ? baseline_of(session, line->method) : NULL;
        line->copy = find_line(session, NULL);
        line->baseline = baseline ? find_line(session, baseline) : NULL;
    }
}

/* ---- kernel against replay ---- */

/* True, once it is told, when one of the calls gave the row other bits. */
static bool row_differs(const struct bench_line *line, uint64_t row, uint64_t replay)
{
    for (size_t i = 0; i < line->outcome_count; i++) {
        const struct format *format = line->method->format;
        const uint64_t kernel = line->outcomes[i * line->rows + row];
        if (format_same(format, kernel, replay))
            continue;
        complain("%s at n=%" PRIu64 ", %u x %u: kernel and replay differ in row %" PRIu64 ": kernel %a, replay %a",
                 line->method->id, line->n, line->launch.blocks, line->launch.threads, row,
                 format_value(format, kernel), format_value(format, replay));
        return true;
    }
    return false;
}

static enum status compare_line(const struct session *session, struct bench_line *line)
{
    const struct method *method = line->method;
    bool differs = false;
    if (!method || !method->replay || method->determinism != DETERMINISTIC)
        return OK;
    for (uint64_t r = 0; r < line->rows && !differs; r++) {
        uint64_t replay;
        const struct operands of = operands_of_sum(session->format, row_on_host(session, r), line->n);
        TRY(method_replay(method, &of, line->launch, session->bench->jobs, &replay));
        differs = row_differs(line, r, replay);
    }
    line->bits = differs ? UNLIKE_REPLAY : SAME_AS_REPLAY;
    return OK;
}

static enum status compare(const struct session *session)
{
    enum status status = OK;
    if (!compares(session))
        return OK;
    for (size_t i = session->first; i < session->results->count; i++) {
        struct bench_line *line = session->results->lines[i];
        TRY(compare_line(session, line));
        if (line->bits == UNLIKE_REPLAY)
            status = LIMIT_BROKEN;
    }
    return status;
}

/* ---- one n ---- */

static void free_line(struct bench_line *line)
{
    free(line->times);
    free(line->outcomes);
    free(line);
}

/* Takes back the lines of a launch. */
static void drop_lines(const struct session *session)
{
    while (session->results->count > session->first)
        free_line(session->results->lines[--session->results->count]);
}

static void drop_failed_lines(const struct session *session)
{
    struct bench_results *results = session->results;
    const size_t count = results->count;
    results->count = session->first;
    for (size_t i = session->first; i < count; i++)
        if (results->lines[i]->failed)
            free_line(results->lines[i]);
        else
            results->lines[results->count++] = results->lines[i];
}

/* Nobody asked for the copy or a hidden baseline alone. */
static void drop_lines_unless_selected(const struct session *session)
{
    const struct bench_results *results = session->results;
    bool selected = false;
    for (size_t i = session->first; i < results->count; i++)
        selected |= results->lines[i]->method && !results->lines[i]->hidden;
    if (!selected)
        drop_lines(session);
}

static enum status time_lines(struct session *session)
{
    TRY(take_methods(session));
    drop_lines_unless_selected(session);
    TRY(bench_time_rounds(session));
    drop_failed_lines(session);
    drop_lines_unless_selected(session);
    link_lines(session);
    return bench_sum_up(session);
}

static enum status measure_launch(struct session *session)
{
    const enum status status = time_lines(session);
    if (status == OK)
        return compare(session);
    drop_lines(session);
    return status;
}

static struct launch launch_at(const struct session *session, size_t index)
{
    const struct bench *bench = session->bench;
    struct launch launch = bench->study->launches[index];
    if (bench->fill_device)
        launch.blocks =
            bench_blocks(bench->device ? device_facts(bench->device)->multiprocessors : HOST_MULTIPROCESSORS,
                         launch.threads, session->n * bench->rows);
    return launch;
}

static enum status measure_launches(struct session *session, struct progress *progress, uint64_t *done)
{
    enum status status = OK;
    for (size_t l = 0; l < session->bench->study->launch_count; l++) {
        session->launch = launch_at(session, l);
        const enum status one = measure_launch(session);
        if (one != OK && one != LIMIT_BROKEN)
            return one;
        status = one == OK ? status : one;
        progress_update(progress, ++*done);
    }
    return status;
}

static enum status prepare(struct session *session, const void *period)
{
    const struct bench *bench = session->bench;
    const uint64_t bytes = session->n * session->format->bytes;
    TRY(lay_out(session, period));
    session->bits = calloc(bench->rows, sizeof *session->bits);
    session->copy = bench->device ? NULL : malloc(bytes < COPIED_MOST ? bytes : COPIED_MOST);
    if (!session->bits || (!bench->device && !session->copy))
        return out_of_memory("the results");
    TRY(sum_rows(session));
    return bench->device ? device_upload_repeated(bench->device, period, session->period, session->n * bench->rows,
                                                  session->format->bytes)
                         : OK;
}

static void session_free(struct session *session)
{
    for (uint64_t r = 0; session->sums && r < session->bench->rows; r++)
        if (session->sums[r].known)
            exact_free(&session->sums[r].exact);
    free(session->sums);
    free(session->bits);
    free(session->copy);
    free(session->x);
}

static enum status measure_n(const struct bench *bench, uint64_t n, const struct dataset *data,
                             struct bench_results *results, struct progress *progress, uint64_t *done)
{
    struct session session = {.bench = bench, .results = results, .format = data->format, .period = data->n, .n = n};
    device_lock(bench->device);
    enum status status = prepare(&session, data->x);
    if (status == OK)
        status = measure_launches(&session, progress, done);
    device_unlock(bench->device);
    session_free(&session);
    return status;
}

static enum status measure_all(const struct bench *bench, const struct dataset *data, struct bench_results *results)
{
    struct progress progress;
    enum status status = OK;
    uint64_t done = 0;
    progress_start(&progress, bench->n_count * bench->study->launch_count, 0, bench->quiet);
    for (size_t i = 0; i < bench->n_count && (status == OK || status == LIMIT_BROKEN); i++) {
        const enum status one = measure_n(bench, bench->n[i], data, results, &progress, &done);
        status = one == OK ? status : one;
    }
    progress_end(&progress);
    return status;
}

enum status bench_measure(const struct bench *bench, struct bench_results *results)
{
    const struct data_spec *spec = &bench->study->entries[0].specs[0];
    struct dataset data;
    *results = (struct bench_results){0};
    TRY(dataset_make(spec, bench->study->seed, 0, &data));
    results->data = spec->text;
    results->period = data.n;
    enum status status = BAD_INPUT;
    if (data.n == 0)
        complain("--data: %s has no numbers to repeat; expected at least one", spec->text);
    else
        status = measure_all(bench, &data, results);
    dataset_free(&data);
    if (results->incomplete)
        return NOT_MEASURED;
    if (status == OK && results->count == 0) {
        complain("every selected method was left out; choose others; see `ulpscope list methods`");
        status = BAD_INPUT;
    }
    return status;
}

void bench_results_free(struct bench_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        free_line(results->lines[i]);
    free(results->lines);
    *results = (struct bench_results){0};
}
