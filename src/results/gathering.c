#include "gathering.h"

#include "src/measure/judge.h"

void gathering_begin(struct gathering *gathering, const struct series *series)
{
    gathering->series = *series;
    gathering->bits.count = gathering->case_results = 0;
    gathering->is_weighted = false;
    gathering->series.signed_error = 0; /* the sum, until the end */
    memset(gathering->value_count, 0, sizeof gathering->value_count);
    sha256_init(&gathering->hash);
}

void gathering_free(struct gathering *gathering)
{
    for (int l = 0; l < GATHERED_LISTS; l++)
        free_all(gathering->values[l], gathering->means[l], gathering->weights[l]);
    free(gathering->bits.bits);
    free((char *)gathering->series.worst_exact); /* of a series that was not handed over */
    free(gathering->series.map);
}

/* ---- a row ---- */

static enum status more_rows(struct gathering *gathering)
{
    if (gathering->value_count[GATHERED_CONDITIONS] < gathering->capacity)
        return OK;
    const size_t capacity = gathering->capacity ? 2 * gathering->capacity : 64;
    for (int l = 0; l < GATHERED_LISTS; l++) {
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
        return !isinf(row->bound) && !isnan(row->metrics[METRIC_bound_ratio]);
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

/* The first one has a row of its own (src/measure/element_tally.c). */
static void note_first_of_no_digit(struct series *series, const struct result *row)
{
    const double error = row->metrics[METRIC_relative_error];
    if (!operation_is_per_number(series->operation) || !(error >= 1) || !isfinite(error) ||
        row->class == CLASS_ZERO_SUM)
        return;
    if (series->first_of_no_digit == 0 || row->i < series->first_of_no_digit)
        series->first_of_no_digit = row->i + 1;
}

static enum histogram_kind histogram_kind_of(enum result_class class)
{
    static const enum histogram_kind kinds[CLASSES] = {
        [CLASS_EXACT] = ERROR_DEFINED,      [CLASS_FINITE] = ERROR_DEFINED,         [CLASS_ZERO_SUM] = ERROR_UNDEFINED,
        [CLASS_OVERFLOW] = ERROR_NONFINITE, [CLASS_OUT_OF_RANGE] = ERROR_NONFINITE, [CLASS_NAN] = ERROR_NONFINITE,
        [CLASS_INF] = ERROR_NONFINITE,      [CLASS_NEGATIVE] = ERROR_DEFINED,
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

/* sum |x_i|, which no row has, from what was divided by it; NaN: of a sum that is right and 0. */
static void note_magnitudes(struct series *series, const struct result *row, double s)
{
    const double sum_abs =
        s == 0 ? row->metrics[METRIC_abs_error] / row->metrics[METRIC_backward_error] : fabs(s) * row->condition;
    if (!(sum_abs > 0))
        return;
    series->least_sum_abs = fmin(series->least_sum_abs, sum_abs * (1 - 0x1p-40));
    series->most_sum_abs = fmax(series->most_sum_abs, sum_abs * (1 + 0x1p-40));
}

/* A bound in ulp(s), and as a share of |s|, unless that is 0 or was rounded to few bits; fmax passes over NaN. */
static void note_bounds(struct series *series, const struct result *row, double s, double ulp)
{
    const bool claims = is_defined(METRIC_bound_ratio, row);
    if (claims)
        series->ulp_bound = fmax(series->ulp_bound, row->bound / ulp);
    series->no_claim += !claims && !isinf(row->bound) ? row->weight : 0;
    series->zeros_within += claims && s != 0 && row->bound >= fabs(s) ? row->weight : 0;
    if (isfinite(s))
        note_magnitudes(series, row, s);
    if (!isfinite(s) || fabs(s) < DBL_MIN)
        return;
    if (claims) {
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
static enum status note_bits(struct gathering *gathering, const struct result *row)
{
    char line[96];
    char *const end = line + sizeof line, *next = end;
    *--next = '\n';
    if (row->weight != 1) {
        next = put_count(next, row->weight);
        *--next = ' ';
    }
    const uint64_t bits = bits_of(row);
    for (unsigned digit = 0; digit < 2 * row->format->bytes; digit++)
        *--next = "0123456789abcdef"[(bits >> (4 * digit)) & 15];
    *--next = ' ';
    next = put_count(next, row->repeat);
    *--next = ' ';
    next = put_count(next, row->trial);
    sha256_update(&gathering->hash, (size_t)(end - next), (const uint8_t *)next);
    gathering->case_results += row->weight;
    return case_bits_add(&gathering->bits, &bits, 1);
}

/* The worse of two letters of a map. */
static char worse_letter(char a, char b)
{
    return a == '!' || b == '!' ? '!' : a > b ? a : b;
}

/* "trial repeat digest\n", in the one row that has the map of a matrix product. */
static enum status note_product(struct gathering *gathering, const struct result *row)
{
    struct series *series = &gathering->series;
    if (!*row->map)
        return OK;
    char *line = text_made("%" PRIu64 " %" PRIu64 " %s\n", row->trial, row->repeat, row->digest);
    sha256_update(&gathering->hash, strlen(line), (const uint8_t *)line);
    free(line);
    gathering->case_results++;
    series->products++;
    if (!series->map)
        series->map = memory_copy(row->map);
    for (char *letter = series->map, *other = (char *)row->map; *letter && *other; letter++, other++)
        *letter = worse_letter(*letter, *other);
    const uint64_t bits = digest_bits(row->digest);
    return case_bits_add(&gathering->bits, &bits, 1);
}

/* Every element that a row of a matrix product stands for errs to one side, unless it is correctly rounded. */
static void note_sign(struct series *series, const struct result *row)
{
    const double nearest = fabs(format_value(row->format, row->nearest_bits)), computed = fabs(row->computed);
    if (is_defined(METRIC_relative_error, row) && computed != nearest)
        series->signed_error += (double)row->weight * row->means[METRIC_relative_error] * (computed < nearest ? -1 : 1);
}

bool gathering_takes(const struct result *row)
{
    return histogram_kind_of(row->class) != ERROR_DEFINED || row->metrics[METRIC_relative_error] >= 0;
}

enum status gathering_add(struct gathering *gathering, const struct result *row, double s)
{
    struct series *series = &gathering->series;
    TRY(more_rows(gathering));
    for (int m = 0; m < METRICS; m++)
        if (is_defined((enum metric)m, row)) {
            if (series->defined[m] == 0 || error_order(row->metrics[m], gathering->largest[m]) > 0) {
                gathering->largest[m] = row->metrics[m];
                gathering->largest_trial[m] = row->trial;
            }
            add_value(gathering, m, row->metrics[m], row->means[m], row->weight);
            series->defined[m] += row->weight;
        }
    add_value(gathering, GATHERED_CONDITIONS, row->condition, row->condition, row->weight);
    gathering->is_weighted |= row->weight > 1;
    gathering->ulp = ulp_of(row->format, row->exact);
    TRY((row->digest && *row->digest ? note_product : note_bits)(gathering, row));
    note_bounds(series, row, s, gathering->ulp);
    note_sign(series, row);
    const bool right_nonfinite = is_right_nonfinite(row);
    series->count += row->weight;
    const bool is_nearest = format_equal(row->format, row->computed_bits, row->nearest_bits);
    series->not_nearest += is_nearest || right_nonfinite ? 0 : row->weight;
    series->classes[row->class] += row->weight;
    series->right_nonfinite += right_nonfinite ? row->weight : 0;
    histogram_count(&series->histogram, histogram_kind_of(row->class), row->metrics[METRIC_relative_error],
                    row->weight);
    note_first_of_no_digit(series, row);
    return note_worst(series, row);
}

/* ---- the end of a case, and of the series ---- */

uint64_t gathering_end_case(struct gathering *gathering)
{
    struct series *series = &gathering->series;
    const uint64_t distinct = case_bits_distinct(&gathering->bits);
    const bool has_spread = distinct > 1 && !series->map, is_repeated = gathering->case_results > 1;
    const double spread = has_spread ? case_bits_spread(&gathering->bits, series->format, gathering->ulp) : 0;
    if (error_order(spread, series->spread) > 0)
        series->spread = spread;
    if (distinct > series->distinct_bits)
        series->distinct_bits = distinct;
    series->repeated += is_repeated;
    gathering->bits.count = gathering->case_results = 0;
    return is_repeated ? distinct : 0;
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

void gathering_end(struct gathering *gathering, uint64_t repeats)
{
    struct series *series = &gathering->series;
    for (int m = 0; m < METRICS; m++)
        if (metric_table[m].summarised)
            series->statistics[m] = statistics_of_list(gathering, m);
    series->p50 = series->p99 = (struct interval){NAN, NAN};
    series->signed_error = series->map ? series->signed_error / (double)series->defined[METRIC_relative_error] : NAN;
    if (!series->map && !gathering->is_weighted) { /* their values are sorted now */
        const double *errors = gathering->values[METRIC_relative_error];
        const size_t count = gathering->value_count[METRIC_relative_error];
        series->p50 = statistics_interval(errors, count, repeats, 50);
        series->p99 = statistics_interval(errors, count, repeats, 99);
    }
    series->median_condition = statistics_of_list(gathering, GATHERED_CONDITIONS).p50;
    hash_text(&gathering->hash, series->bits_hash);
}

/* ---- the bits of a case ---- */

enum status case_bits_add(struct case_bits *to, const uint64_t *bits, size_t count)
{
    const size_t wanted = to->count + count;
    if (wanted > to->capacity) {
        const size_t capacity = wanted < 16 ? 16 : 2 * wanted;
        uint64_t *grown = reallocarray(to->bits, capacity, sizeof *grown);
        if (!grown)
            return out_of_memory("the statistics");
        to->bits = grown;
        to->capacity = capacity;
    }
    memcpy(to->bits + to->count, bits, count * sizeof *bits);
    to->count = wanted;
    return OK;
}

static int by_bits(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

uint64_t case_bits_distinct(struct case_bits *of)
{
    uint64_t distinct = 0;
    qsort(of->bits, of->count, sizeof *of->bits, by_bits);
    for (size_t i = 0; i < of->count; i++)
        distinct += i == 0 || of->bits[i] != of->bits[i - 1];
    return distinct;
}

double case_bits_spread(const struct case_bits *of, const struct format *format, double ulp)
{
    double least = format_value(format, of->bits[0]), largest = least;
    for (size_t i = 0; i < of->count; i++) {
        const double value = format_value(format, of->bits[i]);
        if (isnan(value))
            return NAN;
        least = fmin(least, value);
        largest = fmax(largest, value);
    }
    return largest / ulp - least / ulp; /* their difference may be out of range */
}
