/* A series that only the run has, and a line that only the baseline has, may be the same sums but for one fact.  Then
 * that fact is the news, not that one is new and the other missing. */
#include "baseline.h"

static bool has_name_of(const struct series *series, const struct baseline_series *line)
{
    return series->backend == line->backend && same_launch(series->launch, line->launch) &&
           strcmp(series->method, line->method) == 0 && strcmp(series->data, line->data) == 0;
}

/* "n=1024,cond" of "gensum:n=1024,cond=1e6": up to what differs, back to where a parameter begins. */
static size_t start_of_difference(const char *a, const char *b)
{
    size_t at = 0;
    while (a[at] && a[at] == b[at])
        at++;
    while (at > 0 && a[at - 1] != ',' && a[at - 1] != ':')
        at--;
    return at;
}

/* "n 1024 against 2048": of one family the value of one parameter. */
static bool differ_in_parameter(const char *then, const char *now, char why[REASON_SIZE])
{
    const size_t start = start_of_difference(then, now);
    const char *a = then + start, *b = now + start;
    const int key = (int)strcspn(a, "=,"), of_a = (int)strcspn(a, ","), of_b = (int)strcspn(b, ",");
    if (start == 0 || a[key] != '=' || strncmp(a, b, (size_t)key + 1) != 0 || strcmp(a + of_a, b + of_b) != 0)
        return false;
    snprintf(why, REASON_SIZE, "%.*s %.*s against %.*s", key, a, of_a - key - 1, a + key + 1, of_b - key - 1,
             b + key + 1);
    return true;
}

static bool differ_in_file(const struct baseline_series *line, const struct results *results,
                           const struct series *series, char why[REASON_SIZE])
{
    char file[FILE_HASH_TEXT];
    results_data_file(results, series->data, file);
    if (!*file || !*line->file)
        return false;
    snprintf(why, REASON_SIZE, "file %.70s against %.70s", line->data, series->data);
    return true;
}

static bool differ_in_one_fact(const struct baseline_series *line, const struct results *results,
                               const struct series *series, char why[REASON_SIZE])
{
    const bool of_launch = same_launch(line->launch, series->launch), of_data = strcmp(line->data, series->data) == 0;
    if (line->backend != series->backend || strcmp(line->method, series->method) != 0 || of_launch == of_data)
        return false;
    if (of_launch)
        return differ_in_parameter(line->data, series->data, why) || differ_in_file(line, results, series, why);
    snprintf(why, REASON_SIZE, "launch %" PRIu32 "x%" PRIu32 " against %" PRIu32 "x%" PRIu32, line->launch.blocks,
             line->launch.threads, series->launch.blocks, series->launch.threads);
    return true;
}

static bool is_missing(const struct results *results, const struct baseline_series *line)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (has_name_of(&results->series[i], line))
            return false;
    return true;
}

static bool is_new(const struct baseline *baseline, const struct series *series)
{
    for (size_t i = 0; i < baseline->count; i++)
        if (has_name_of(series, &baseline->series[i]))
            return false;
    return true;
}

/* The only missing line that differs from the series in one fact; NULL: none, or several. */
static const struct baseline_series *only_line(const struct baseline *baseline, const struct results *results,
                                               const struct series *series, char why[REASON_SIZE])
{
    const struct baseline_series *only = NULL;
    char other[REASON_SIZE];
    for (size_t i = 0; i < baseline->count; i++) {
        const struct baseline_series *line = &baseline->series[i];
        if (!differ_in_one_fact(line, results, series, other) || !is_missing(results, line))
            continue;
        if (only)
            return NULL;
        only = line;
        memcpy(why, other, sizeof other);
    }
    return only;
}

/* The only new series that differs from the line in one fact. */
static const struct series *only_series(const struct baseline *baseline, const struct results *results,
                                        const struct baseline_series *line)
{
    const struct series *only = NULL;
    char why[REASON_SIZE];
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        if (!differ_in_one_fact(line, results, series, why) || !is_new(baseline, series))
            continue;
        if (only)
            return NULL;
        only = series;
    }
    return only;
}

const struct baseline_series *baseline_counterpart(const struct baseline *baseline, const struct results *results,
                                                   const struct series *series, char why[REASON_SIZE])
{
    const struct baseline_series *line = is_new(baseline, series) ? only_line(baseline, results, series, why) : NULL;
    return line && only_series(baseline, results, line) == series ? line : NULL;
}

const struct series *baseline_counterpart_of(const struct baseline *baseline, const struct results *results,
                                             const struct baseline_series *line)
{
    char why[REASON_SIZE];
    const struct series *series = is_missing(results, line) ? only_series(baseline, results, line) : NULL;
    return series && only_line(baseline, results, series, why) == line ? series : NULL;
}
