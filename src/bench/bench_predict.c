/* What the lines of a bench will cost, before the first is timed: good to a factor, which the pace then corrects. */
#include "bench_session.h"

#include "src/base/clock.h"
#include "src/measure/operation.h"

/* So few numbers cost a method a tenth of a millisecond. */
enum { LITTLE = 1 << 14 };

/* Bytes a second of a copy on the host, and of a kernel, which also takes some microseconds to start. */
static const double COPIED_BY_HOST = 5e9, READ_BY_DEVICE = 2e12, LAUNCH_SECONDS = 20e-6;

/* From here on a replay uses its threads. */
#define THREADS_FROM (UINT64_C(1) << 17)

/* As many numbers per thread as in the launch, so that the share of its merges is the same. */
static struct launch launch_for(const struct bench_line *line, uint64_t n)
{
    struct launch launch = line->launch;
    launch.blocks = (uint32_t)((double)launch.blocks * (double)n / (double)line->n);
    launch.blocks = launch.blocks > 0 ? launch.blocks : 1;
    return launch;
}

/* Seconds of one replay of a row. */
static enum status predict_replay(const struct bench *bench, const struct bench_line *line, const void *x,
                                  double *seconds)
{
    const struct method *method = line->method;
    const uint64_t n = line->n < LITTLE ? line->n : LITTLE;
    const struct operands of = operation_on_itself(method->operation, method->sum_format->stored, x, n);
    const unsigned cores = line->n < THREADS_FROM ? 1 : bench->jobs;
    struct launch launch = launch_for(line, n);
    char why[REASON_SIZE];
    OWNED uint64_t *bits = memory_cleared(operation_results(method->operation, of.shape) + 1, sizeof *bits);
    if (!method_can_do(method, launch, why))
        launch = line->launch;
    const double start = clock_of_wall();
    TRY(method_compute(method, &of, launch, 1, bits));
    *seconds = (clock_of_wall() - start) * (double)line->n / (double)n / cores;
    return OK;
}

/* Seconds of the fastest of some calls of a plug-in on the first n numbers; not finite where it fails, which is
 * reported when it is timed. */
static double ask_a_few_times(const struct bench_line *line, const void *x, uint64_t n)
{
    enum { TIMES = 3 };
    const struct operands of = operation_on_itself(line->method->operation, line->method->sum_format->stored, x, n);
    double fastest = (double)INFINITY, seconds;
    OWNED uint64_t *bits = memory_cleared(operation_results(of.operation, of.shape) + 1, sizeof *bits);
    for (int i = 0; i < TIMES; i++) {
        if (plugin_time(line->method, &of, line->launch, &(struct plugin_timing){0}, bits, &seconds) != OK)
            return (double)INFINITY;
        fastest = fmin(fastest, seconds);
    }
    return fastest;
}

/* By what little data take it beyond what a call does; 0: nothing is known.  What takes less than twice as long on 2^14
 * numbers as on few is taken for a kernel that uses all of a GPU. */
static double predict_plugin(const struct bench *bench, const struct bench_line *line, const void *x)
{
    const uint64_t few = bench_fewest(line->method), n = line->n < LITTLE ? line->n : LITTLE;
    if (few >= n || !plugin_takes(line->method, n))
        return 0;
    const double call = ask_a_few_times(line, x, few), all = isfinite(call) ? ask_a_few_times(line, x, n) : call;
    if (!isfinite(all) || (bench->device && all < 2 * call))
        return 0;
    return call + fmax(all - call, 0) / (double)(n - few) * (double)(line->n - few) * line->rows;
}

static enum status predict_line(const struct bench *bench, struct bench_line *line, const void *x)
{
    double replay = 0;
    if (line->method && line->method->ask)
        replay = predict_plugin(bench, line, x);
    else if (line->method && method_is_on_host(line->method) && (!bench->device || bench_compares(bench, line->n)))
        TRY(predict_replay(bench, line, x, &replay));
    if (bench->device) {
        const bool is_plugin = line->method && line->method->ask;
        line->seconds = LAUNCH_SECONDS + (double)line->bytes / READ_BY_DEVICE + (is_plugin ? replay : 0);
        line->seconds_to_compare = is_plugin ? 0 : line->rows * replay;
    } else {
        line->seconds = line->method ? replay : (double)line->bytes / COPIED_BY_HOST / bench->jobs;
    }
    return OK;
}

enum status bench_predict(struct course *course, const struct dataset *data)
{
    const struct bench *bench = course->bench;
    const size_t bytes = format_held(data->format)->bytes;
    const double calls = (double)bench->study->repeats + (bench->device ? WARM_UP_ON_DEVICE : WARM_UP_ON_HOST);
    OWNED char *x = malloc(LITTLE * bytes);
    enum status status = x ? OK : out_of_memory("the data");
    for (uint64_t i = 0; x && i < LITTLE; i++)
        memcpy(x + i * bytes, (const char *)data->x + i % data->n * bytes, bytes);
    for (size_t i = 0; i < course->results->count && status == OK; i++) {
        struct bench_line *line = course->results->lines[i];
        status = predict_line(bench, line, x);
        course->pace.left += calls * line->seconds + line->seconds_to_compare;
    }
    return status;
}

static const double WEIGHT = 0.01;

void pace_step(struct pace *pace, double predicted, double took)
{
    pace->left = fmax(pace->left - predicted, 0);
    pace->done += predicted;
    pace->took += took;
}

double pace_slowness(const struct pace *pace)
{
    const double prior = WEIGHT * (pace->left + pace->done);
    return prior > 0 ? (pace->took + prior) / (pace->done + prior) : 1;
}

double pace_seconds_left(const struct pace *pace)
{
    return pace->left * pace_slowness(pace);
}

uint64_t pace_rounds(const struct pace *pace, double seconds, double round, double once, uint64_t most)
{
    const double fitting = (seconds / pace_slowness(pace) - once) / round;
    return !(fitting < (double)most) ? most : fitting > 1 ? (uint64_t)fitting : 1;
}
