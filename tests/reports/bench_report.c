/* The reports of a run of a million sums, and its check: seconds, the most memory, and bytes of each format.
 *
 *   ctest -L bench -V        or        build/default/tests/bench_report [ROWS]
 *
 * The sums are made up: 16 methods on four kinds of data, errors spread over 40 binades.  Each format is written by a
 * process of its own, which reads the store as `ulpscope report` does; so does the check, which holds all series to a
 * bound, limits and a baseline.  It prints and asserts nothing.
 */
#include "reports/report.h"
#include "src/base/fp.h"
#include "src/gate/check.h"
#include "src/results/results_load.h"
#include "src/store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { METHODS_MOST = 16, ENTRIES = 4, ROWS_BY_DEFAULT = 1000000 };

static char folder[] = "/tmp/bench_report.XXXXXX";

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* ---- the run ---- */

static enum status make_study(struct study *study, uint64_t rows)
{
    static const char *const data[ENTRIES] = {"uniform:n=1Ki..1Mi*32", "normal:n=4096",
                                              "gensum:n=4096,cond=1e2..1e14*100", "swamp:n=65536"};
    char every[] = "*/serial";
    char *const globs[] = {every};
    TRY(study_read(NULL, NULL, study));
    TRY(study_select_methods(study, globs, 1, "bench"));
    study->method_count = study->method_count < METHODS_MOST ? study->method_count : METHODS_MOST;
    study_clear_data(study);
    for (int i = 0; i < ENTRIES; i++)
        TRY(study_add_data(study, data[i], 1, "bench", NONFINITE_REFUSE));
    size_t specs = 0;
    for (size_t i = 0; i < study->entry_count; i++)
        specs += study->entries[i].spec_count;
    for (size_t i = 0; i < study->entry_count; i++)
        study->entries[i].trials = rows / (specs * study->method_count) + 1;
    return OK;
}

/* 1 + error, where the exact sum is 1. */
static struct measured made_up(size_t method, uint64_t index)
{
    const uint32_t steps = (uint32_t)((index * 2654435761u + method * 40503u) >> (index % 20)) & 0xfffff;
    struct measured row = {
        .method = method, .weight = 1, .computed_bits = 0x3f800000 + steps, .height = 1024, .class = CLASS_FINITE};
    row.computed = (double)float_from_bits((uint32_t)row.computed_bits);
    const double error = row.computed - 1;
    if (error == 0)
        row.class = CLASS_EXACT;
    row.exact = "0x1p+0";
    row.condition = 1;
    row.bound = 1;
    row.probabilistic_bound = NAN;
    const double metrics[METRICS] = {[METRIC_abs_error] = error,
                                     [METRIC_relative_error] = error,
                                     [METRIC_ulp_error] = error * 0x1p23,
                                     [METRIC_backward_error] = error,
                                     [METRIC_bound_ratio] = error / row.bound};
    memcpy(row.metrics, metrics, sizeof metrics);
    return row;
}

static enum status fill(struct store *store, const struct study *study)
{
    struct measured rows[METHODS_MOST];
    for (uint64_t i = 0; i < study_case_count(study); i++) {
        for (size_t m = 0; m < study->method_count; m++)
            rows[m] = made_up(m, i);
        const struct study_case place = study_case_at(study, i);
        struct finished_case finished = {.index = i,
                                         .n = study->entries[place.entry].specs[place.spec].n,
                                         .rows = rows,
                                         .row_count = study->method_count};
        TRY(store_put_case(store, &finished));
    }
    return OK;
}

static enum status make_run(uint64_t rows)
{
    struct study study = {0};
    struct store *store = NULL;
    enum status status;
    TRY_DONE(make_study(&study, rows));
    TRY_DONE(store_open(folder, STORE_NEW, &study, "bench", "host", &store));
    TRY_DONE(fill(store, &study));
done:
    if (store_close(store) != OK)
        status = NOT_MEASURED;
    study_free(&study);
    return status;
}

/* ---- what is timed: a process each, which reads the run and does something with it ---- */

struct task {
    const char *id;
    const struct report_format *format; /* NULL: none */
    enum status (*work)(const struct task *task, const struct results *results, const char *path);
};

static enum status read_alone(const struct task *task, const struct results *results, const char *path)
{
    (void)task, (void)path;
    return results->series_count > 0 ? OK : NOT_MEASURED;
}

static enum status write_format(const struct task *task, const struct results *results, const char *path)
{
    const char *const name = "bench";
    const struct report report = {results, &name, 1, {0}, 0};
    return task->format->write(&report, path);
}

static const char limits_text[] = "schema: ulpscope-limits/1\n"
                                  "rules:\n"
                                  "  - {method: \"*\", data: \"*\", metric: bound_ratio, limit: auto}\n"
                                  "  - {method: \"*\", data: \"*\", metric: ulp_error, statistic: p99, limit: 1e7ulp}\n"
                                  "  - {method: \"*\", data: \"*\", metric: relative_error, limit: baseline*1.1}\n"
                                  "  - {method: \"*\", data: \"*\", metric: nonfinite, limit: 0}\n"
                                  "  - {method: \"*\", data: \"*\", metric: bits, same: baseline}\n";

static enum status write_limits(const char *path)
{
    FILE *file = fopen(path, "w");
    const bool written = file && fputs(limits_text, file) >= 0;
    return file && fclose(file) == 0 && written ? OK : NOT_MEASURED;
}

static enum status hold(const struct task *task, const struct results *results, const char *path)
{
    struct limits limits = {0};
    struct baseline baseline = {0};
    struct check check = {.results = results, .limits = &limits, .baseline = &baseline, .today = {"2026-01-01"}};
    enum status status;
    (void)task;
    TRY_DONE(write_limits(path));
    TRY_DONE(limits_read(path, &limits));
    TRY_DONE(baseline_of(results, &baseline));
    TRY_DONE(check_make(&check));
    status = check_passes(&check) ? OK : LIMIT_BROKEN;
done:
    check_free(&check);
    baseline_free(&baseline);
    limits_free(&limits);
    return status;
}

static enum status read_and_work(const struct task *task, const char *path)
{
    struct store *store;
    struct results results;
    TRY(store_open_to_read(folder, &store));
    enum status status = results_load(store, &results);
    if (status == OK)
        status = task->work(task, &results, path);
    results_free(&results);
    (void)store_close(store);
    return status;
}

static void time_task(struct task task)
{
    char path[128];
    struct rusage used;
    struct stat facts = {0};
    int state;
    snprintf(path, sizeof path, "%s/%s", folder, task.id);
    fflush(stdout);
    const double start = now();
    const pid_t child = fork();
    if (child == 0)
        _exit(read_and_work(&task, path) == OK ? 0 : 1);
    if (child < 0 || wait4(child, &state, 0, &used) < 0 || state != 0) {
        printf("%-9s failed\n", task.id);
        return;
    }
    (void)stat(path, &facts);
    printf("%-9s %6.1f s %6.1f s of CPU %6ld MiB", task.id, now() - start,
           seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss / 1024);
    if (S_ISREG(facts.st_mode))
        printf(" %12lld bytes", (long long)facts.st_size);
    putchar('\n');
}

int main(int argc, char **argv)
{
    const uint64_t rows = argc > 1 ? strtoull(argv[1], NULL, 10) : ROWS_BY_DEFAULT;
    size_t formats;
    const struct report_format *const *format = report_formats(&formats);
    char *remove = NULL;
    if (!mkdtemp(folder) || make_run(rows) != OK)
        return 1;
    printf("at least %" PRIu64 " rows\n", rows);
    time_task((struct task){"reading", NULL, read_alone});
    time_task((struct task){"check", NULL, hold});
    for (size_t i = 0; i < formats; i++)
        time_task((struct task){format[i]->id, format[i], write_format});
    const int failed = asprintf(&remove, "rm -r %s", folder) < 0 || system(remove) != 0;
    free(remove);
    return failed;
}
