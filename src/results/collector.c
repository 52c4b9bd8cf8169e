#include "collector.h"

#include "src/base/format.h"
#include "src/base/list.h"
#include "src/base/memory.h"
#include "src/base/number.h"
#include "src/base/text.h"
#include "src/measure/element_tally.h"
#include "src/study/rerun.h"

#include <inttypes.h>
#include <math.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

/* Of each metric the values of the rows in which it is defined, and of all rows their conditions. */
enum { CONDITIONS = METRICS, LISTS };

/* The rows of one series of the spec that is being read. */
struct gathering {
    struct series series;
    struct sha256_ctx hash;
    double *values[LISTS], *means[LISTS]; /* of each row, and of the results that it stands for */
    uint64_t *weights[LISTS];             /* how many those are */
    size_t value_count[LISTS], capacity;
    bool is_weighted; /* one of them is of several */
    uint64_t *bits;   /* of the case that is being read: one for each repeat */
    size_t bit_count, bit_capacity;
    uint64_t case_results; /* that these rows stand for */
    double ulp;            /* of s of that case */
};

struct collector {
    struct results *results;
    size_t series_capacity;
    struct gathering *gatherings; /* of the current spec: by launch, backend, method */
    size_t gathering_count;
    uint64_t *case_bits; /* scratch: of all launches of a method */
    size_t case_bit_capacity;
    bool started; /* a row was read */
    size_t entry, spec;
    uint64_t trial;
};

static struct gathering *gathering_at(const struct collector *collector, size_t launch, size_t backend, size_t method)
{
    const size_t methods = collector->results->study.method_count;
    return &collector->gatherings[(launch * BACKENDS + backend) * methods + method];
}

struct collector *collector_start(struct results *results)
{
    struct collector *collector = calloc(1, sizeof *collector);
    const size_t methods = results->study.method_count;
    if (!collector)
        return NULL;
    collector->results = results;
    collector->gathering_count = results->study.launch_count * BACKENDS * methods;
    collector->gatherings = calloc(collector->gathering_count + 1, sizeof *collector->gatherings);
    results->reproducibility = calloc(BACKENDS * methods + 1, sizeof *results->reproducibility);
    if (!collector->gatherings || !results->reproducibility) {
        collector_free(collector);
        return NULL;
    }
    results->reproducibility_count = BACKENDS * methods;
    for (size_t i = 0; i < results->reproducibility_count; i++)
        results->reproducibility[i] = (struct reproducibility){.method = results->study.methods[i % methods].id,
                                                               .backend = &backend_table[i / methods]};
    return collector;
}

void collector_free(struct collector *collector)
{
    if (!collector)
        return;
    for (size_t i = 0; collector->gatherings && i < collector->gathering_count; i++) {
        struct gathering *gathering = &collector->gatherings[i];
        for (int l = 0; l < LISTS; l++) {
            free(gathering->values[l]);
            free(gathering->means[l]);
            free(gathering->weights[l]);
        }
        free(gathering->bits);
        free((char *)gathering->series.worst_exact); /* of a series that was not handed over */
        free(gathering->series.map);
    }
    free(collector->gatherings);
    free(collector->case_bits);
    free(collector);
}

/* ---- a row ---- */

static enum status more_rows(struct gathering *gathering)
{
    if (gathering->value_count[CONDITIONS] < gathering->capacity)
        return OK;
    const size_t capacity = gathering->capacity ? 2 * gathering->capacity : 64;
    for (int l = 0; l < LISTS; l++) {
        double *values = reallocarray(gathering->values[l], capacity, sizeof *values);
        if (values)
            gathering->values[l] = values;
        double *means = reallocarray(gathering->means[l], capacity, sizeof *means);
        if (means)
            gathering->means[l] = means;
        uint64_t *weights = reallocarray(gathering->weights[l], capacity, sizeof *weights);
        if (weights)
            gathering->weights[l] = weights;
        if (!values || !means || !weights)
            return out_of_memory("the statistics");
    }
    gathering->capacity = capacity;
    return OK;
}

static void add_value(struct gathering *gathering, int list, double value, double mean, uint64_t weight)
{
    const size_t at = gathering->value_count[list]++;
    gathering->values[list][at] = value;
    gathering->means[list][at] = mean;
    gathering->weights[list][at] = weight;
}

static struct statistics statistics_of_list(const struct gathering *gathering, int list)
{
    const size_t count = gathering->value_count[list];
    if (!gathering->is_weighted || count == 0)
        return statistics_of(gathering->values[list], NULL, count);
    struct statistics statistics = statistics_of(gathering->values[list], gathering->weights[list], count);
    statistics.mean = statistics_weighted_mean(gathering->means[list], gathering->weights[list], count);
    return statistics;
}

/* The data hold a NaN or an infinity, and the sum is the one that IEEE 754 gives. */
static bool is_right_nonfinite(const struct result *row)
{
    if (row->class == CLASS_NAN)
        return isnan(row->computed) && strcmp(row->exact, "nan") == 0;
    return row->class == CLASS_INF && row->computed_bits == row->nearest_bits;
}

/* Whether a metric says something about a row: not of a NaN that is right, which has no error. */
static bool is_defined(enum metric metric, const struct result *row)
{
    if (row->class == CLASS_NAN && is_right_nonfinite(row))
        return false;
    if (metric == METRIC_relative_error)
        return row->class != CLASS_ZERO_SUM;
    if (metric == METRIC_bound_ratio)
        return !isinf(row->bound);
    return true;
}

static enum status note_worst(struct series *series, const struct result *row)
{
    const double error = is_right_nonfinite(row) ? 0 : row->metrics[METRIC_ulp_error];
    if (series->worst_exact && error_order(error, series->worst_ulp_error) <= 0)
        return OK;
    free((char *)series->worst_exact);
    series->worst_exact = strdup(row->exact);
    series->worst_ulp_error = error;
    series->worst_trial = row->trial;
    series->worst_repeat = row->repeat;
    series->worst_i = row->i;
    series->worst_j = row->j;
    series->worst_bits = row->computed_bits;
    return series->worst_exact ? OK : out_of_memory("a witness");
}

static enum histogram_kind histogram_kind_of(enum result_class class)
{
    static const enum histogram_kind kinds[CLASSES] = {
        [CLASS_EXACT] = ERROR_DEFINED,      [CLASS_FINITE] = ERROR_DEFINED,         [CLASS_ZERO_SUM] = ERROR_UNDEFINED,
        [CLASS_OVERFLOW] = ERROR_NONFINITE, [CLASS_OUT_OF_RANGE] = ERROR_NONFINITE, [CLASS_NAN] = ERROR_NONFINITE,
        [CLASS_INF] = ERROR_NONFINITE,
    };
    return kinds[class];
}

/* ulp(s) in the format, from the exponent of the hex-float, which is that of s itself; NaN where s is no number. */
static double ulp_of(const struct format *format, const char *exact)
{
    const char *p = strchr(exact, 'p');
    if (!p)
        return NAN;
    const bool is_zero = p - exact >= 3 && strncmp(p - 3, "0x0", 3) == 0;
    const long last_bit = strtol(p + 1, NULL, 10) - (format->precision - 1);
    return ldexp(1, is_zero || last_bit < format->least_exponent ? format->least_exponent : (int)last_bit);
}

/* A bound in ulp(s), and as a share of |s|; fmax passes over NaN. */
static void note_bounds(struct series *series, const struct result *row, double ulp)
{
    double s;
    if (!isinf(row->bound))
        series->ulp_bound = fmax(series->ulp_bound, row->bound / ulp);
    if (read_real(row->exact, &s) || !isfinite(s) || s == 0)
        return;
    if (!isinf(row->bound)) {
        series->relative_bound = fmax(series->relative_bound, row->bound / fabs(s));
        series->relatively_bound += row->weight;
    }
    if (!isinf(row->probabilistic_bound))
        series->relative_probabilistic_bound =
            fmax(series->relative_probabilistic_bound, row->probabilistic_bound / fabs(s));
}

/* All NaN are one pattern. */
static uint64_t bits_of(const struct result *row)
{
    return isnan(row->computed) ? format_bits(row->format, NAN) : row->computed_bits;
}

/* The decimal digits of a count, written to the front of what stands at `end`; printf would take a tenth of all time.
 */
static char *put_count(char *end, uint64_t count)
{
    do
        *--end = (char)('0' + count % 10);
    while ((count /= 10) > 0);
    return end;
}

/* "trial repeat bits\n", the bits as hexadecimal digits, two for each byte of the format; " weight" behind them where
 * it is not 1. */
static void note_bits(struct gathering *gathering, const struct result *row)
{
    char line[96];
    char *const end = line + sizeof line, *next = end;
    *--next = '\n';
    if (row->weight != 1) {
        next = put_count(next, row->weight);
        *--next = ' ';
    }
    uint64_t bits = bits_of(row);
    for (unsigned digit = 0; digit < 2 * row->format->bytes; digit++, bits >>= 4)
        *--next = "0123456789abcdef"[bits & 15];
    *--next = ' ';
    next = put_count(next, row->repeat);
    *--next = ' ';
    next = put_count(next, row->trial);
    sha256_update(&gathering->hash, (size_t)(end - next), (const uint8_t *)next);
    gathering->bits[gathering->bit_count++] = bits_of(row);
    gathering->case_results += row->weight;
}

/* The worse of two letters of a map. */
static char worse_letter(char a, char b)
{
    return a == '!' || b == '!' ? '!' : a > b ? a : b;
}

/* "trial repeat digest\n", in the one row that has the map of a product of matrices. */
static void note_product(struct gathering *gathering, const struct result *row)
{
    struct series *series = &gathering->series;
    if (!*row->map)
        return;
    char *line = text_made("%" PRIu64 " %" PRIu64 " %s\n", row->trial, row->repeat, row->digest);
    sha256_update(&gathering->hash, strlen(line), (const uint8_t *)line);
    free(line);
    gathering->bits[gathering->bit_count++] = digest_bits(row->digest);
    gathering->case_results++;
    series->products++;
    if (!series->map)
        series->map = memory_copy(row->map);
    for (char *letter = series->map, *other = (char *)row->map; *letter && *other; letter++, other++)
        *letter = worse_letter(*letter, *other);
}

static enum status more_bits(uint64_t **bits, size_t count, size_t *capacity)
{
    if (count <= *capacity)
        return OK;
    const size_t wanted = count < 16 ? 16 : 2 * count;
    uint64_t *grown = reallocarray(*bits, wanted, sizeof *grown);
    if (!grown)
        return out_of_memory("the statistics");
    *bits = grown;
    *capacity = wanted;
    return OK;
}

static enum status add_row(struct gathering *gathering, const struct result *row)
{
    struct series *series = &gathering->series;
    TRY(more_rows(gathering));
    TRY(more_bits(&gathering->bits, gathering->bit_count + 1, &gathering->bit_capacity));
    for (int m = 0; m < METRICS; m++)
        if (is_defined((enum metric)m, row)) {
            add_value(gathering, m, row->metrics[m], row->means[m], row->weight);
            series->defined[m] += row->weight;
        }
    add_value(gathering, CONDITIONS, row->condition, row->condition, row->weight);
    gathering->is_weighted |= row->weight > 1;
    gathering->ulp = ulp_of(row->format, row->exact);
    (row->digest && *row->digest ? note_product : note_bits)(gathering, row);
    note_bounds(series, row, gathering->ulp);
    const bool right_nonfinite = is_right_nonfinite(row);
    series->count += row->weight;
    const bool is_nearest = format_equal(row->format, row->computed_bits, row->nearest_bits);
    series->not_nearest += is_nearest || right_nonfinite ? 0 : row->weight;
    series->classes[row->class] += row->weight;
    series->right_nonfinite += right_nonfinite ? row->weight : 0;
    histogram_count(&series->histogram, histogram_kind_of(row->class), row->metrics[METRIC_relative_error],
                    row->weight);
    return note_worst(series, row);
}

static void begin_series(const struct collector *collector, struct gathering *gathering, const struct stored *row)
{
    const struct study_record *study = &collector->results->study;
    const struct backend *backend = &backend_table[row->backend];
    gathering->series = (struct series){
        .entry = row->entry,
        .spec = row->spec,
        .method = study->methods[row->method].id,
        .data = study->entries[row->entry].specs[row->spec].text,
        .format = row->result.format,
        .operation = row->result.operation,
        .n = row->result.n,
        .backend = backend,
        .device = backend->device ? backend->device : results_fact(collector->results, "device", "name"),
        .launch = row->result.launch,
        .height = row->result.height,
        .relative_bound = NAN,
        .relative_probabilistic_bound = NAN,
        .ulp_bound = NAN,
    };
    gathering->bit_count = gathering->case_results = 0;
    gathering->is_weighted = false;
    memset(gathering->value_count, 0, sizeof gathering->value_count);
    sha256_init(&gathering->hash);
}

/* ---- the end of a case: how many different results equal data gave ---- */

static int by_bits(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Sorts them. */
static uint64_t count_distinct(uint64_t *bits, size_t count)
{
    uint64_t distinct = 0;
    qsort(bits, count, sizeof *bits, by_bits);
    for (size_t i = 0; i < count; i++)
        distinct += i == 0 || bits[i] != bits[i - 1];
    return distinct;
}

/* The largest less the least of several results, in ulp(s); NaN where one is a NaN. */
static double spread_of(const struct format *format, const uint64_t *bits, size_t count, double ulp)
{
    double least = format_value(format, bits[0]), largest = least;
    for (size_t i = 0; i < count; i++) {
        const double value = format_value(format, bits[i]);
        if (isnan(value))
            return NAN;
        least = fmin(least, value);
        largest = fmax(largest, value);
    }
    return (largest - least) / ulp;
}

static void note_results(struct gathering *gathering, uint64_t distinct)
{
    struct series *series = &gathering->series;
    const bool has_spread = distinct > 1 && !series->map;
    const double spread =
        has_spread ? spread_of(series->format, gathering->bits, gathering->bit_count, gathering->ulp) : 0;
    if (error_order(spread, series->spread) > 0)
        series->spread = spread;
    if (distinct > series->distinct_bits)
        series->distinct_bits = distinct;
}

static void note_spread(struct spread *spread, uint64_t distinct)
{
    spread->sets++;
    spread->differing += distinct > 1;
    if (distinct > spread->most)
        spread->most = distinct;
}

/* One method on one backend: its repeats at each launch, and all launches together. */
static enum status end_case_of(struct collector *collector, size_t backend, size_t method)
{
    const struct study_record *study = &collector->results->study;
    struct reproducibility *found = &collector->results->reproducibility[backend * study->method_count + method];
    size_t launches = 0, count = 0;
    for (size_t l = 0; l < study->launch_count; l++) {
        struct gathering *gathering = gathering_at(collector, l, backend, method);
        if (gathering->bit_count == 0)
            continue;
        TRY(more_bits(&collector->case_bits, count + gathering->bit_count, &collector->case_bit_capacity));
        memcpy(collector->case_bits + count, gathering->bits, gathering->bit_count * sizeof *gathering->bits);
        count += gathering->bit_count;
        const uint64_t distinct = count_distinct(gathering->bits, gathering->bit_count);
        note_results(gathering, distinct);
        gathering->series.repeated += gathering->case_results > 1;
        if (gathering->case_results > 1)
            note_spread(&found->repeats, distinct);
        gathering->bit_count = gathering->case_results = 0;
        launches++;
    }
    if (launches > 1)
        note_spread(&found->launches, count_distinct(collector->case_bits, count));
    return OK;
}

static enum status end_case(struct collector *collector)
{
    for (size_t b = 0; b < BACKENDS; b++)
        for (size_t m = 0; m < collector->results->study.method_count; m++)
            TRY(end_case_of(collector, b, m));
    return OK;
}

/* ---- the end of a spec ---- */

static char *witness_command(const struct collector *collector, const struct series *series, size_t method)
{
    const struct study_record *study = &collector->results->study;
    const bool kernels = series->backend == BACKEND_OF(cuda);
    const struct witness witness = {
        .method = series->method,
        .data_arguments = study->entries[collector->entry].specs[collector->spec].arguments,
        .seed = study->seed,
        .trial = series->worst_trial,
        .launch = series->launch,
        .device = kernels ? results_fact(collector->results, "device", "option") : "host",
        .slow = kernels && series->n > study->methods[method].slow_above,
        .plugin = {study->methods[method].plugin_flag, study->methods[method].plugin},
    };
    return rerun_command(&witness);
}

static enum status end_series(struct collector *collector, struct gathering *gathering, size_t method)
{
    struct results *results = collector->results;
    struct series *series = &gathering->series;
    struct series *list =
        list_with_room(results->series, results->series_count, &collector->series_capacity, sizeof *list);
    if (!list)
        return out_of_memory("the series");
    results->series = list;
    for (int m = 0; m < METRICS; m++)
        if (metric_table[m].summarised)
            series->statistics[m] = statistics_of_list(gathering, m);
    series->median_condition = statistics_of_list(gathering, CONDITIONS).p50;
    series->worst_command = witness_command(collector, series, method);
    if (series->map)
        series->witness_command = rerun_vectors(series->data, collector->results->study.seed, series->worst_trial,
                                                series->worst_i, series->worst_j);
    hash_text(&gathering->hash, series->bits_hash);
    results->series[results->series_count++] = *series;
    const bool complete = series->worst_command;
    gathering->series = (struct series){0};
    return complete ? OK : out_of_memory("a witness");
}

static enum status end_spec(struct collector *collector)
{
    const struct study_record *study = &collector->results->study;
    TRY(end_case(collector));
    for (size_t l = 0; l < study->launch_count; l++)
        for (size_t b = 0; b < BACKENDS; b++)
            for (size_t m = 0; m < study->method_count; m++)
                if (gathering_at(collector, l, b, m)->series.count > 0)
                    TRY(end_series(collector, gathering_at(collector, l, b, m), m));
    return OK;
}

/* ---- rows in turn ---- */

/* A store that somebody changed may hold what no sum gives. */
static bool is_possible(const struct result *row)
{
    const double error = row->metrics[METRIC_relative_error];
    return histogram_kind_of(row->class) != ERROR_DEFINED || (error >= 0 && (error == 0 || error >= HISTOGRAM_EDGE));
}

static bool is_of_study(const struct study_record *study, const struct stored *row)
{
    return row->method < study->method_count && row->backend < BACKENDS && row->launch < study->launch_count &&
           row->entry < study->entry_count && row->spec < study->entries[row->entry].spec_count;
}

enum status collector_take(struct collector *collector, const struct stored *row)
{
    if (!is_of_study(&collector->results->study, row)) {
        complain("the store has a row of method %zu, data %zu.%zu, which its study lacks; expected the run.db of an "
                 "ulpscope run; run the study again",
                 row->method, row->entry, row->spec);
        return BAD_INPUT;
    }
    if (!is_possible(&row->result)) {
        const struct study_record *study = &collector->results->study;
        complain("the store has a sum of %s on %s with the relative error %g; expected the run.db of an ulpscope run; "
                 "run the study again",
                 study->methods[row->method].id, study->entries[row->entry].specs[row->spec].text,
                 row->result.metrics[METRIC_relative_error]);
        return BAD_INPUT;
    }
    const bool same_spec = collector->started && row->entry == collector->entry && row->spec == collector->spec;
    if (collector->started && !same_spec)
        TRY(end_spec(collector));
    else if (collector->started && row->result.trial != collector->trial)
        TRY(end_case(collector));
    collector->started = true;
    collector->entry = row->entry;
    collector->spec = row->spec;
    collector->trial = row->result.trial;
    struct gathering *gathering = gathering_at(collector, row->launch, row->backend, row->method);
    if (gathering->series.count == 0)
        begin_series(collector, gathering, row);
    return add_row(gathering, &row->result);
}

enum status collector_end(struct collector *collector)
{
    return collector->started ? end_spec(collector) : OK;
}
