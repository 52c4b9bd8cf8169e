/* The calls of `bench`, and the rounds that they are made in. */
#include "bench_session.h"

#include "src/base/clock.h"
#include "src/base/interrupts.h"
#include "src/base/workers.h"
#include "src/device/device_timing.h"
#include "src/measure/canary.h"
#include "src/measure/metric.h"
#include "src/measure/operation.h"

/* Rows appear so often, or one by one where one takes longer.  The rounds of so many lines are interleaved, so that a
 * drift of the machine hits all alike. */
static const double SECONDS_BETWEEN_ROWS = 2;

/* A thread alone is timed by its own clock.  Several end when the last one does: by wall clock. */
static double seconds_so_far(const struct session *session)
{
    return session->bench->jobs == 1 ? clock_of_thread() : clock_of_wall();
}

static uint64_t copied_bytes(const struct session *session)
{
    return session->results->lines[session->first]->bytes / 2;
}

/* Below half a MiB a thread costs more than it saves, as in a replay. */
static unsigned copying_threads(const struct session *session)
{
    return copied_bytes(session) < 1 << 19 ? 1 : session->bench->jobs;
}

/* Worker w copies its part of the data. */
static void copy_part(void *context, unsigned worker)
{
    const struct session *session = context;
    const uint64_t bytes = copied_bytes(session), jobs = copying_threads(session);
    const uint64_t part = bytes / jobs + 1, first = worker * part;
    if (first < bytes)
        memcpy(session->copy + first, session->x + first, part < bytes - first ? part : bytes - first);
}

/* It knows what it took, without the way there. */
static enum status ask(const struct session *session, const struct bench_line *line, uint64_t n,
                       const struct plugin_timing *timing, double *microseconds)
{
    double seconds = 0;
    struct operands of = operation_on_itself(line->method->operation, session->format, session->x, n);
    of.shape.rows = line->rows;
    const enum status status = plugin_time(line->method, &of, line->launch, timing, session->bits, &seconds);
    *microseconds = 1e6 * seconds;
    return status;
}

static enum status tell_failure(const struct bench_line *line, enum status status)
{
    if (status != OK && status != INTERRUPTED)
        complain("%s: %s", line->method->id, plugin_failure());
    return status;
}

static enum status call_on_host(struct session *session, struct bench_line *line, double *microseconds)
{
    enum status status = OK;
    const double start = seconds_so_far(session);
    const struct operands of = operation_on_itself(line->method ? line->method->operation : OPERATION_sum,
                                                   session->format, session->x, line->n);
    if (line->method && line->method->ask)
        return tell_failure(line, ask(session, line, line->n, &(struct plugin_timing){0}, microseconds));
    if (line->method)
        status = method_replay(line->method, &of, line->launch, session->bench->jobs, session->bits);
    else
        workers_run(copying_threads(session), copy_part, session);
    *microseconds = 1e6 * (seconds_so_far(session) - start);
    return status;
}

/* Its process has a copy of the data on the device, which stays until they are moved. */
static enum status call_plugin_on_device(const struct session *session, const struct bench_line *line,
                                         double *microseconds)
{
    const uint64_t all = line->n * line->rows;
    const struct plugin_timing timing = {.data = session->course->data,
                                         .period = session->period < all ? session->period : all,
                                         .is_queued = !session->bench->idle};
    return tell_failure(line, ask(session, line, line->n, &timing, microseconds));
}

static enum status call_on_device(struct session *session, const struct bench_line *line, double *microseconds)
{
    struct device *device = session->bench->device;
    if (line->method && line->method->ask)
        return call_plugin_on_device(session, line, microseconds);
    if (!line->method)
        return device_time_copy(device, copied_bytes(session), !session->bench->idle, microseconds);
    const struct timed_call call = {
        line->method, {.terms = line->n, .rows = line->rows}, line->launch, !session->bench->idle};
    return device_time(device, &call, microseconds, session->bits);
}

/* NaN is worse than anything. */
static double worse(double a, double b)
{
    return isnan(a) || a > b ? a : b;
}

/* The largest error of the rows of each worker. */
struct errors {
    const struct session *session;
    const struct format *format;
    double *largest;
};

static void judge_some_rows(void *context, unsigned worker)
{
    const struct errors *errors = context;
    const struct session *session = errors->session;
    for (uint64_t r = worker; r < session->bench->rows; r += bench_row_workers(session->bench)) {
        const struct judged judged = {.exact = &session->sums[r].exact,
                                      .format = errors->format,
                                      .computed = format_value(errors->format, session->bits[r]),
                                      .bound = (double)INFINITY};
        errors->largest[worker] = worse(errors->largest[worker], metric_table[METRIC_ulp_error].measure(&judged));
    }
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

static double largest_ulp_error(const struct session *session, const struct format *format)
{
    const unsigned workers = bench_row_workers(session->bench);
    struct errors errors = {session, format, memory_cleared(workers, sizeof *errors.largest)};
    double largest = 0;
    if (operation_is_per_number(study_operation(session->bench->study)))
        return NAN;
    workers_run(workers, judge_some_rows, &errors);
    for (unsigned w = 0; w < workers; w++)
        largest = worse(largest, errors.largest[w]);
    free(errors.largest);
    return largest;
}

/* Keeps and judges a result that no call has given yet. */
static enum status note_outcome(const struct session *session, struct bench_line *line)
{
    const size_t rows = line->rows;
    for (size_t i = 0; i < line->outcome_count; i++)
        if (memcmp(line->outcomes + i * rows, session->bits, rows * sizeof *line->outcomes) == 0)
            return OK;
    uint64_t *grown = reallocarray(line->outcomes, line->outcome_count + 1, rows * sizeof *grown);
    TRY(grown ? OK : out_of_memory("the results"));
    line->outcomes = grown;
    memcpy(line->outcomes + line->outcome_count++ * rows, session->bits, rows * sizeof *grown);
    line->ulp_error = worse(line->ulp_error, largest_ulp_error(session, line->method->format));
    return OK;
}

static enum status call(struct session *session, struct bench_line *line, double *microseconds)
{
    TRY(session->bench->device ? call_on_device(session, line, microseconds)
                               : call_on_host(session, line, microseconds));
    if (!line->method)
        return OK;
    bench_fold(line->method, session->bits, line->rows, line->n);
    return note_outcome(session, line);
}

/* A failure costs its own line, which is not called again; all others too when the device is lost by it. */
static enum status call_unless_failed(struct session *session, struct bench_line *line, double *microseconds)
{
    if (line->failed)
        return OK;
    const enum status status = call(session, line, microseconds);
    if (status == OK || status == INTERRUPTED)
        return status;
    line->failed = session->results->incomplete = true;
    complain("%s is not timed at n=%" PRIu64 ", %u x %u, as said above", line->method ? line->method->id : "the copy",
             line->n, line->launch.blocks, line->launch.threads);
    return device_is_lost(session->bench->device) ? status : OK;
}

static enum status call_in_turn(struct session *session, struct bench_line *line, double *microseconds)
{
    struct course *course = session->course;
    TRY(call_unless_failed(session, line, microseconds));
    progress_update(&course->progress, course->results->timed, "rows");
    return interrupted() ? INTERRUPTED : OK;
}

/* Calls the lines from `from` on for the first times, until their rounds will take so long that it is time for rows. */
static enum status warm_up(struct session *session, size_t from, uint64_t rounds, size_t *end)
{
    const int times = session->bench->device ? WARM_UP_ON_DEVICE : WARM_UP_ON_HOST;
    const double start = clock_of_wall();
    double unused;
    *end = from;
    do {
        for (int i = 0; i < times; i++)
            TRY(call_in_turn(session, session->results->lines[*end], &unused));
        ++*end;
    } while (*end < session->end &&
             !(session->bench->table && (clock_of_wall() - start) / times * (double)rounds > SECONDS_BETWEEN_ROWS));
    return OK;
}

static enum status sum_up(struct bench_line *line, uint64_t rounds)
{
    OWNED double *sorted = calloc(rounds, sizeof *sorted);
    TRY(sorted ? OK : out_of_memory("the times"));
    memcpy(sorted, line->times, rounds * sizeof *sorted);
    line->time = statistics_of(sorted, NULL, rounds);
    line->rounds = rounds;
    return OK;
}

/* Data that fit in a cache are as fast as the place where they lie lets them be: some seven places, each for three
 * rounds or more.  The first calls there are not counted. */
static enum status move_data(struct session *session, size_t from, size_t end, uint64_t round)
{
    enum { PLACES = 7, ROUNDS_AT_A_PLACE = 3, BYTES_MOVED_MOST = 1 << 26 };
    const uint64_t share = session->bench->study->repeats / PLACES;
    const uint64_t stay = share > ROUNDS_AT_A_PLACE ? share : ROUNDS_AT_A_PLACE;
    double unused;
    if (!session->bench->device || round == 0 || round % stay != 0 || copied_bytes(session) > BYTES_MOVED_MOST)
        return OK;
    session->course->data = bench_new_data();
    TRY(device_move(session->bench->device));
    for (size_t i = from; i < end; i++)
        TRY(call_unless_failed(session, session->results->lines[i], &unused));
    return OK;
}

enum status bench_time_rounds(struct session *session, size_t from, size_t *end)
{
    struct course *course = session->course;
    struct bench_line **lines = session->results->lines;
    const uint64_t rounds = session->bench->study->repeats;
    TRY(warm_up(session, from, rounds, end));
    for (uint64_t r = 0; r < rounds; r++) {
        TRY(move_data(session, from, *end, r));
        for (size_t i = from; i < *end; i++)
            TRY(call_in_turn(session, lines[i], &lines[i]->times[r]));
    }
    TRY(canary_check_mode());
    for (size_t i = from; i < *end; i++)
        if (!lines[i]->failed)
            TRY(sum_up(lines[i], rounds));
    course->results->timed += *end - from;
    return OK;
}
