#include "bench_session.h"

#include "src/base/workers.h"
#include "src/device/device_timing.h"
#include "src/measure/operation.h"

double bench_rate(const struct bench_line *line)
{
    return (double)line->bytes / (1000 * line->time.min);
}

static bool was_timed(const struct bench_line *line)
{
    return line->rounds > 0 && !line->failed;
}

bool bench_alike(const struct bench_line *a, const struct bench_line *b)
{
    return a->time.min <= b->time.p50 && b->time.min <= a->time.p50;
}

double bench_share(const struct bench_line *line, const struct bench_line *of)
{
    return of ? bench_rate(line) / bench_rate(of) : (double)NAN;
}

/* ---- data ---- */

static const char *row_on_host(const struct session *session, uint64_t row)
{
    return session->x + row * session->n % session->period * format_held(session->format)->bytes;
}

/* Repeats the period as far as some reader on the host goes: a replay reads n elements, the exact sum one period, both
 * from the start of any row. */
static enum status lay_out(struct session *session, const void *period)
{
    const size_t bytes = format_held(session->format)->bytes;
    const bool replays = !session->bench->device || bench_compares(session->bench, session->n);
    uint64_t length = replays && session->n > session->period ? session->n : session->period;
    if (session->bench->rows > 1)
        length += session->period;
    session->x = malloc(length * bytes);
    TRY(session->x ? OK : out_of_memory("the data"));
    for (uint64_t i = 0; i < length; i += session->period) {
        const uint64_t more = session->period < length - i ? session->period : length - i;
        memcpy(session->x + i * bytes, period, more * bytes);
    }
    return OK;
}

static void sum_some_rows(void *context, unsigned worker)
{
    const struct session *session = context;
    for (uint64_t r = worker; r < session->bench->rows; r += bench_row_workers(session->bench))
        session->sums[r].known =
            operation_exact_repeated(study_operation(session->bench->study), session->format, row_on_host(session, r),
                                     session->period, session->n, &session->sums[r].exact) == OK;
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

static enum status sum_rows(struct session *session)
{
    session->sums = calloc(session->bench->rows, sizeof *session->sums);
    if (!session->sums)
        return out_of_memory("the exact sums");
    if (operation_is_per_number(study_operation(session->bench->study))) /* whose elements are not judged here */
        return OK;
    workers_run(bench_row_workers(session->bench), sum_some_rows, session);
    for (uint64_t r = 0; r < session->bench->rows; r++)
        if (!session->sums[r].known)
            return NOT_MEASURED;
    return OK;
}

/* ---- kernel against replay ---- */

void bench_fold(const struct method *method, uint64_t *bits, uint64_t rows, uint64_t n)
{
    for (uint64_t r = 0; r < rows && operation_is_per_number(method->operation); r++)
        bits[r] = format_hash(method->format, bits + r * n, n);
}

/* True, once it is reported, when one of the calls gave the row other bits. */
static bool row_differs(const struct bench_line *line, uint64_t row, uint64_t replay)
{
    for (size_t i = 0; i < line->outcome_count; i++) {
        const struct format *format = line->method->format;
        const uint64_t kernel = line->outcomes[i * line->rows + row];
        const bool is_hash = operation_is_per_number(line->method->operation);
        if (is_hash ? kernel == replay : format_same(format, kernel, replay))
            continue;
        if (is_hash) {
            complain("%s at n=%" PRIu64 ", %u x %u: kernel and replay differ in row %" PRIu64, line->method->id,
                     line->n, line->launch.blocks, line->launch.threads, row);
            return true;
        }
        complain("%s at n=%" PRIu64 ", %u x %u: kernel and replay differ in row %" PRIu64 ": kernel %a, replay %a",
                 line->method->id, line->n, line->launch.blocks, line->launch.threads, row,
                 format_value(format, kernel), format_value(format, replay));
        return true;
    }
    return false;
}

/* What the replay gives for each row, and how each worker ended. */
struct replays {
    const struct session *session;
    const struct bench_line *line;
    uint64_t *bits;
    enum status *ends;
};

static void replay_some_rows(void *context, unsigned worker)
{
    const struct replays *replays = context;
    const struct bench *bench = replays->session->bench;
    const struct bench_line *line = replays->line;
    const unsigned workers = bench_row_workers(bench);
    const uint64_t results = operation_results(line->method->operation, shape_of_one(line->n));
    OWNED uint64_t *bits = memory_cleared(results + 1, sizeof *bits);
    for (uint64_t r = worker; r < line->rows && replays->ends[worker] == OK; r += workers) {
        const struct operands of = operation_on_itself(line->method->operation, replays->session->format,
                                                       row_on_host(replays->session, r), line->n);
        replays->ends[worker] = method_replay(line->method, &of, line->launch, bench->jobs / workers, bits);
        bench_fold(line->method, bits, 1, line->n);
        replays->bits[r] = bits[0];
    }
}

static enum status compare_line(const struct session *session, struct bench_line *line)
{
    const struct method *method = line->method;
    const unsigned workers = bench_row_workers(session->bench);
    enum status status = OK;
    bool differs = false;
    if (!method || !method->replay || method->determinism != DETERMINISTIC)
        return OK;
    struct replays replays = {.session = session,
                              .line = line,
                              .bits = memory_cleared(line->rows, sizeof *replays.bits),
                              .ends = memory_cleared(workers, sizeof *replays.ends)};
    workers_run(workers, replay_some_rows, &replays);
    for (unsigned w = 0; w < workers; w++)
        status = status == OK ? replays.ends[w] : status;
    for (uint64_t r = 0; status == OK && r < line->rows && !differs; r++)
        differs = row_differs(line, r, replays.bits[r]);
    if (status == OK)
        line->bits = differs ? UNLIKE_REPLAY : SAME_AS_REPLAY;
    free_all(replays.bits, replays.ends);
    return status;
}

static enum status compare(const struct session *session, size_t from, size_t end)
{
    enum status status = OK;
    for (size_t i = from; i < end; i++) {
        struct bench_line *line = session->results->lines[i];
        if (line->failed || !bench_compares(session->bench, session->n))
            continue;
        TRY(compare_line(session, line));
        if (line->bits == UNLIKE_REPLAY)
            status = LIMIT_BROKEN;
    }
    return status;
}

/* ---- one launch ---- */

static const struct bench_line *timed_line(const struct session *session, const struct method *method)
{
    for (size_t i = session->first; i < session->end; i++)
        if (session->results->lines[i]->method == method && was_timed(session->results->lines[i]))
            return session->results->lines[i];
    return NULL;
}

/* What each line is compared with stands before it. */
static void link_lines(const struct session *session, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++) {
        struct bench_line *line = session->results->lines[i];
        const struct method *baseline = line->method ? bench_baseline(session->bench, line->method) : NULL;
        line->copy = timed_line(session, NULL);
        line->baseline = baseline ? timed_line(session, baseline) : NULL;
    }
}

static bool is_selected(const struct bench_line *line)
{
    return line->method && !line->hidden;
}

/* Rows that wait are shown with the next one that was asked for: the copy alone is no answer. */
static void show_rows(const struct session *session, size_t *shown, size_t end)
{
    bool any = false;
    for (size_t i = *shown; i < end; i++)
        any |= is_selected(session->results->lines[i]) && was_timed(session->results->lines[i]);
    if (!any)
        return;
    progress_end(&session->course->progress);
    for (; *shown < end; ++*shown)
        if (session->bench->table && was_timed(session->results->lines[*shown]) &&
            !session->results->lines[*shown]->hidden)
            bench_table_row(session->bench->table, session->results->lines[*shown]);
}

static enum status measure_launch(struct session *session)
{
    enum status status = OK;
    size_t shown = session->first, end;
    for (size_t from = session->first; from < session->end; from = end) {
        TRY(bench_time_rounds(session, from, &end));
        link_lines(session, from, end);
        const enum status compared = compare(session, from, end);
        if (compared != OK && compared != LIMIT_BROKEN)
            return compared;
        status = compared == OK ? status : compared;
        show_rows(session, &shown, end);
    }
    return status;
}

/* ---- one n ---- */

static enum status measure_launches(struct session *session)
{
    const struct bench_results *results = session->results;
    enum status status = OK;
    for (session->first = session->end; session->first < results->count; session->first = session->end) {
        session->launch = results->lines[session->first]->launch;
        if (results->lines[session->first]->n != session->n)
            break;
        do
            session->end++; /* a launch begins with its copy */
        while (session->end < results->count && results->lines[session->end]->method);
        const enum status one = measure_launch(session);
        if (one != OK && one != LIMIT_BROKEN)
            return one;
        status = one == OK ? status : one;
    }
    return status;
}

uint64_t bench_new_data(void)
{
    static uint64_t last;
    return ++last;
}

static enum status prepare(struct session *session, const void *period)
{
    const struct bench *bench = session->bench;
    const uint64_t copied = session->results->lines[session->end]->bytes / 2;
    TRY(lay_out(session, period));
    session->bits = calloc(operation_results(study_operation(bench->study), (struct shape){session->n, bench->rows, 0}),
                           sizeof *session->bits);
    session->copy = bench->device ? NULL : malloc(copied);
    if (!session->bits || (!bench->device && !session->copy))
        return out_of_memory("the results");
    session->course->data = bench_new_data();
    TRY(sum_rows(session));
    return bench->device ? device_upload_repeated(bench->device, session->format, period, session->period,
                                                  session->n * bench->rows,
                                                  study_operation(bench->study) == OPERATION_sum ? 1 : 2)
                         : OK;
}

static void session_free(struct session *session)
{
    for (uint64_t r = 0; session->sums && r < session->bench->rows; r++)
        if (session->sums[r].known)
            exact_free(&session->sums[r].exact);
    free_all(session->sums, session->bits, session->copy, session->x);
}

/* Measures the lines of one n, from *next on; *next is then the line after them. */
static enum status measure_n(struct course *course, const struct dataset *data, size_t *next)
{
    struct session session = {.course = course,
                              .bench = course->bench,
                              .results = course->results,
                              .format = data->format,
                              .period = data->n,
                              .n = course->results->lines[*next]->n,
                              .end = *next};
    device_lock(course->bench->device);
    enum status status = prepare(&session, data->x);
    if (status == OK)
        status = measure_launches(&session);
    device_unlock(course->bench->device);
    session_free(&session);
    *next = session.end;
    return status;
}

/* ---- the whole ---- */

void bench_line_free(struct bench_line *line)
{
    free_all(line->times, line->outcomes, line);
}

/* Whether, of the lines of one n and launch, which begin at `first` with the copy, one that was asked for was timed. */
static bool any_timed(const struct bench_results *results, size_t first)
{
    for (size_t i = first; i < results->count && (i == first || results->lines[i]->method); i++)
        if (is_selected(results->lines[i]) && was_timed(results->lines[i]))
            return true;
    return false;
}

/* Leaves the lines that were timed; without one that was asked for, the copy and the baselines go too. */
static void drop_lines(struct bench_results *results)
{
    size_t kept = 0;
    bool any = false;
    for (size_t i = 0; i < results->count; i++) {
        struct bench_line *line = results->lines[i];
        any = line->method ? any : any_timed(results, i);
        line->dropped = !any || !was_timed(line);
    }
    for (size_t i = 0; i < results->count; i++)
        if (results->lines[i]->dropped)
            bench_line_free(results->lines[i]);
        else
            results->lines[kept++] = results->lines[i];
    results->count = kept;
}

static enum status measure_all(struct course *course, const struct dataset *data)
{
    const struct bench *bench = course->bench;
    enum status status = OK;
    if (bench->table)
        bench_table_begin(bench->table, bench, course->results);
    progress_start(&course->progress, course->results->planned, 0, bench->quiet);
    for (size_t next = 0; next < course->results->count && (status == OK || status == LIMIT_BROKEN);) {
        const enum status one = measure_n(course, data, &next);
        status = one == OK ? status : one;
    }
    progress_end(&course->progress);
    return status;
}

static enum status plan_and_measure(const struct bench *bench, const struct dataset *data,
                                    struct bench_results *results)
{
    struct course course = {.bench = bench, .results = results};
    TRY(bench_plan(bench, results));
    const enum status status = measure_all(&course, data);
    results->interrupted = status == INTERRUPTED;
    drop_lines(results);
    return status;
}

enum status bench_measure(const struct bench *bench, struct bench_results *results)
{
    const struct data_spec *spec = &bench->study->entries[0].specs[0];
    FREED_BY(dataset_free) struct dataset data = {0};
    *results = (struct bench_results){0};
    TRY(dataset_make(spec, bench->study->seed, 0, &data));
    results->data = spec->text;
    results->period = data.n;
    results->format = data.format;
    enum status status = BAD_INPUT;
    if (data.n == 0)
        complain("--data: %s has no numbers to repeat; expected at least one", spec->text);
    else
        status = plan_and_measure(bench, &data, results);
    return results->incomplete && status != INTERRUPTED ? NOT_MEASURED : status;
}

void bench_results_free(struct bench_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        bench_line_free(results->lines[i]);
    free(results->lines);
    *results = (struct bench_results){0};
}
