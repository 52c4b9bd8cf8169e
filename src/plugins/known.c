#include "known.h"
#include "kernels/statistic.h"
#include "src/base/base.h"

#include <math.h>
#include <sys/param.h>

enum { LARGE = 4, SPARE_BITS = 4 /* of products: clever ones add elements before they multiply */ };

/* xorshift64 */
static uint64_t random_below(struct known *known, uint64_t most)
{
    known->state ^= known->state << 13;
    known->state ^= known->state >> 7;
    known->state ^= known->state << 17;
    return (known->state >> 11) % most;
}

static uint64_t square_root(uint64_t of)
{
    uint64_t root = (uint64_t)sqrt((double)of);
    root -= root * root > of;
    return root;
}

/* What the magnitudes of the terms may add up to, as a power of two: beyond it integers are no longer all numbers of
 * the format. */
static int room(const struct method *method)
{
    const int added = method->sum_format->added->precision, result = method->format->precision;
    const int bits = added < result ? added : result;
    return operation_table[method->operation].of == MATRICES ? bits - SPARE_BITS : bits;
}

static bool is_of_squares(const struct known *known)
{
    const enum operation operation = known->method->operation;
    const enum quantity of = operation_table[operation].of;
    return known->content == ONE_ARRAY_TWICE || of == SQUARES || of == ROOT_OF_SQUARES ||
           (is_statistic(operation) && of != MEAN && of != MEAN_WEIGHTED);
}

/* The power of two of which numbers are multiples. */
static int unit(const struct known *known)
{
    const struct sum_format *in = known->method->sum_format;
    const struct format *const formats[] = {in->stored, in->added, in->result};
    int lowest = in->stored->least_exponent, highest = in->stored->overflow_exponent;
    for (int f = 1; f < 3; f++) {
        lowest = formats[f]->least_exponent > lowest ? formats[f]->least_exponent : lowest;
        highest = formats[f]->overflow_exponent < highest ? formats[f]->overflow_exponent : highest;
    }
    const int power = known->content == TINY        ? lowest + (is_of_squares(known) && lowest % 2 != 0)
                      : known->content == HUGE_ONES ? highest - 1 - room(known->method)
                                                    : 0;
    return is_of_squares(known) ? power / 2 - (power < 0 && power % 2 != 0) : power;
}

/* Where there are too many terms for each to be other than 0: those at both ends are, and of the others one in so many,
 * an odd number, since kernels take steps that are even.  The next after i that is not 0; the first after UINT64_MAX.
 */
static uint64_t next_other(uint64_t i, uint64_t n, uint64_t others)
{
    const uint64_t edge = others / 4, middle = n - 2 * edge, next = i + 1;
    if (others == n || next < edge || next >= n - edge)
        return next;
    const uint64_t step = (middle / (others - 2 * edge) + 1) | 1, far = i < edge || i > n ? edge : i + step;
    return far < n - edge ? far : n - edge;
}

/* Sets the magnitude of so many random terms that are 1. */
static void set_ones(struct known *known, uint64_t row, uint64_t count, double magnitude)
{
    const struct format *stored = known->method->sum_format->stored;
    while (count > 0) {
        const uint64_t at = row * known->shape.terms + random_below(known, known->shape.terms);
        if (held_number(stored, known->x, at) != 1)
            continue;
        held_set(stored, known->x, at, magnitude);
        count--;
    }
}

/* Ones, and some twos and threes in place of them, so that the root of the sum of squares is a whole number; where
 * there is no room for that, zeros. */
static void fill_row_with_root(struct known *known, uint64_t row, uint64_t most)
{
    const struct format *stored = known->method->sum_format->stored;
    const uint64_t n = known->shape.terms, fewest = MIN(n, most);
    for (uint64_t i = next_other(UINT64_MAX, n, fewest); i < n; i = next_other(i, n, fewest))
        held_set(stored, known->x, row * n + i, 1);
    for (uint64_t root = square_root(fewest); fewest == n && root * root <= most && root < 2 * n + 2; root++) {
        const uint64_t more = root * root - n, threes = more % 3 == 0 ? 0 : more % 3 == 2 ? 1 : 2;
        if (root * root < n || more < 8 * threes || threes + (more - 8 * threes) / 3 > n)
            continue;
        set_ones(known, row, threes, 3);
        set_ones(known, row, (more - 8 * threes) / 3, 2);
        return;
    }
    uint64_t ones = 0;
    for (uint64_t i = 0; i < n; i++)
        ones += held_number(stored, known->x, row * n + i) == 1;
    set_ones(known, row, ones - square_root(ones) * square_root(ones), 0);
}

/* A half of the room is for the large ones, a half for the others, of which as many as fit are not 0. */
static void fill_row(struct known *known, uint64_t row)
{
    const struct format *stored = known->method->sum_format->stored;
    const uint64_t n = known->shape.terms, half = UINT64_C(1) << (room(known->method) - 1), others = MIN(n, half);
    const uint64_t digits = UINT64_C(1) << stored->precision, large = MIN(half / LARGE, digits);
    const uint64_t most = MIN(is_of_squares(known) ? square_root(half / others) : half / others, digits);
    for (uint64_t i = next_other(UINT64_MAX, n, others); i < n; i = next_other(i, n, others)) {
        const double magnitude = 1 + (double)(most > 1 ? random_below(known, most) : 0);
        held_set(stored, known->x, row * n + i, random_below(known, 2) ? magnitude : -magnitude);
    }
    for (int k = 0; k < LARGE && !is_of_squares(known); k++) {
        const double magnitude = (double)(large - random_below(known, 1 + large / 4));
        held_set(stored, known->x, row * n + random_below(known, n), random_below(known, 4) ? magnitude : -magnitude);
    }
    if (n > 2)
        held_set(stored, known->x, row * n + 1 + random_below(known, n - 2), -0.0);
    if (known->is_turned)
        held_set(stored, known->x, row * n + n - 1, -held_number(stored, known->x, row * n + n - 1));
}

/* What algorithms of a statistic may differ by: each rounds some terms and sums of the size that is left where nothing
 * cancels, which is `scale`. */
enum { ROUNDINGS = 16 /* of each term, at most */ };

/* Of row e: the exact value, of a root its square; *scale. */
static double statistic_of_row(const struct known *known, uint64_t e, double *scale)
{
    const struct format *stored = known->method->sum_format->stored;
    const enum quantity of = operation_table[known->method->operation].of;
    const double n = (double)known->shape.terms, left = n - (of == SAMPLE_VARIANCE || of == SAMPLE_STD);
    double x_sum = 0, x_abs = 0, xx = 0, y_sum = 0, yy = 0, xy = 0;
    for (uint64_t i = e * known->shape.terms; i < (e + 1) * known->shape.terms; i++) {
        const double x = held_number(stored, known->x, i), y = known->y ? held_number(stored, known->y, i) : 0;
        x_sum += x, x_abs += fabs(x), xx += x * x, y_sum += y, yy += y * y, xy += x * y;
    }
    *scale = of == COSINE ? 1 : of == MEAN ? x_abs / n : of == MEAN_WEIGHTED ? 2 * x_abs / y_sum : xx / left;
    return of == MEAN                       ? x_sum / n
           : of == MEAN_WEIGHTED            ? xy / y_sum
           : of == COSINE                   ? xy / (sqrt(xx) * sqrt(yy))
           : of == MEAN_SQUARE || of == RMS ? xx / n
                                            : (xx - x_sum * (x_sum / n)) / left;
}

/* Norms, (x - m) f, are exact but for a few roundings of each.  By those of v, the variance or the mean of squares, y
 * moves by `of_v` of itself; where v is not certain, nothing is.  Of other results for each number nothing is known. */
static void normalize_row(struct known *known, uint64_t row)
{
    const struct format *stored = known->method->sum_format->stored;
    const enum quantity of = operation_table[known->method->operation].of;
    const uint64_t first = row * known->shape.terms, end = first + known->shape.terms;
    const double n = (double)known->shape.terms, roundings = ROUNDINGS * n * double_power(-room(known->method));
    double sum = 0, squares = 0;
    for (uint64_t i = first; i < end; i++) {
        const double x = held_number(stored, known->x, i);
        sum += x, squares += x * x;
    }
    const double mean = of == LAYER_NORM ? sum / n : 0, v = (squares - sum * mean) / n, off = roundings * squares / n;
    const double factor = 1 / sqrt(v + NORMALIZATION_EPS);
    const double of_v = off < v && (of == LAYER_NORM || of == RMS_NORM) ? off / (v - off) : INFINITY;
    for (uint64_t i = first; i < end; i++) {
        const double x = held_number(stored, known->x, i);
        known->results[i] = (x - mean) * factor;
        known->allowed[i] = of_v * fabs(known->results[i]) + roundings * (fabs(x) + fabs(mean)) * factor;
    }
}

/* Numbers that no algorithm's exponentials overflow or vanish of, and the results; each is off by a few roundings of
 * terms that the log and the largest number are among. */
static void make_exponentials(struct known *known, uint64_t row)
{
    enum { LARGEST = 4 };
    const struct format *stored = known->method->sum_format->stored;
    const enum quantity of = operation_table[known->method->operation].of;
    const uint64_t n = known->shape.terms, first = row * n;
    const double roundings = ROUNDINGS * (double)n * double_power(-room(known->method));
    double sum = 0, y_sum = 0, y_abs = 0, xy = 0;
    for (uint64_t i = first; i < first + n; i++) {
        const double x = (double)random_below(known, 2 * LARGEST + 1) - LARGEST;
        held_set(stored, known->x, i, x);
        const double y = known->y ? held_number(stored, known->y, i) : 0;
        sum += exp(x), y_sum += y, y_abs += fabs(y), xy += x * y;
    }
    const double lse = log(sum), size = fabs(lse) + LARGEST;
    for (uint64_t i = first; i < first + n && of != LOGSUMEXP && of != CROSS_ENTROPY; i++) {
        const double log_p = held_number(stored, known->x, i) - lse;
        known->results[i] = of == SOFTMAX ? exp(log_p) : log_p;
        known->allowed[i] =
            roundings * size * (of == SOFTMAX ? known->results[i] : 1) + double_power(-room(known->method));
    }
    if (of == LOGSUMEXP || of == CROSS_ENTROPY) {
        known->results[row] = of == LOGSUMEXP ? lse : lse * y_sum - xy;
        known->allowed[row] = roundings * size * (of == LOGSUMEXP ? 1 : y_abs + 1);
    }
}

/* Of windows, too.  Each is exact, as what they are sums of are integers that all add up to less than there is room
 * for. */
static void make_prefixes(struct known *known, uint64_t row, int scale)
{
    const struct format *stored = known->method->sum_format->stored;
    const uint64_t first = row * known->shape.terms, window = known->shape.columns;
    double sum = 0;
    for (uint64_t i = first; i < first + known->shape.terms; i++) {
        sum += held_number(stored, known->x, i);
        sum -= window > 0 && i >= first + window ? held_number(stored, known->x, i - window) : 0;
        known->results[i] = double_scaled(sum, scale);
    }
}

static bool has_root(enum quantity of)
{
    return of == RMS || of == STD || of == SAMPLE_STD;
}

bool known_is_right(const struct known *known, uint64_t e, double value)
{
    const enum operation operation = known->method->operation;
    if (!is_statistic(operation))
        return value == known->results[e];
    if (operation_is_per_number(operation) || is_of_exponentials(operation))
        return !isfinite(known->allowed[e]) || fabs(value - known->results[e]) <= known->allowed[e];
    const bool is_root = has_root(operation_table[operation].of);
    double scale;
    const double exact = statistic_of_row(known, e, &scale);
    const double allowed = ROUNDINGS * (double)known->shape.terms * double_power(-room(known->method)) * scale;
    if (!isfinite(exact) || (is_root && isnan(value) && exact <= allowed)) /* 0 of 0, and less than 0 by rounding */
        return true;
    return !(is_root && value < 0) && fabs((is_root ? value * value : value) - exact) <= allowed;
}

/* Result e. */
static double result_of(const struct known *known, uint64_t e)
{
    const struct format *stored = known->method->sum_format->stored;
    const enum operation operation = known->method->operation;
    const struct shape shape = known->shape;
    double scale;
    if (is_statistic(operation)) {
        const double value = statistic_of_row(known, e, &scale);
        return has_root(operation_table[operation].of) ? sqrt(value) : value;
    }
    const uint64_t row = shape.columns > 0 ? e / shape.columns : e;
    double exact = 0;
    for (uint64_t i = 0; i < shape.terms; i++) {
        const uint64_t at = shape.columns > 0 ? i * shape.columns + e % shape.columns : row * shape.terms + i;
        const double x = held_number(stored, known->x, row * shape.terms + i);
        exact += operation == OPERATION_sum                ? x
                 : operation_table[operation].vectors == 2 ? x * held_number(stored, known->y, at)
                                                           : x * x;
    }
    return operation_table[operation].of == ROOT_OF_SQUARES ? sqrt(exact) : exact; /* a whole number */
}

static void fill_with_reals(struct known *known, void *numbers, uint64_t count)
{
    const struct format *stored = known->method->sum_format->stored;
    for (uint64_t i = 0; i < count; i++)
        held_set(stored, numbers, i, rounded_to((double)random_below(known, UINT64_C(1) << 53) * 0x1p-52 - 1, stored));
}

/* What is not an integer is put among them, once the results are known. */
static void spoil(struct known *known)
{
    const struct sum_format *in = known->method->sum_format;
    const uint64_t n = known->shape.terms, at = random_below(known, n);
    const double largest =
        fmin(format_largest(in->added), fmin(format_largest(in->stored), format_largest(in->result)));
    const double spacing = double_power(in->stored->overflow_exponent - in->stored->precision);
    if (known->content == WITH_NAN || known->content == WITH_INFINITY)
        held_set(in->stored, known->x, at, known->content == WITH_NAN ? NAN : INFINITY);
    for (uint64_t i = 0; i < n && known->content == OVERFLOWING; i++)
        held_set(in->stored, known->x, i,
                 i == 1   ? largest
                 : n > 3  ? (i == 0 ? -1.5 * spacing : 1)
                 : i == 0 ? largest
                          : -largest);
}

static void fill(struct known *known)
{
    const struct format *stored = known->method->sum_format->stored;
    const struct shape shape = known->shape;
    const uint64_t x_count = shape.terms * shape.rows;
    const uint64_t y_count = shape.terms * (shape.columns > 0 ? shape.columns : shape.rows);
    const bool is_norm = operation_table[known->method->operation].of == ROOT_OF_SQUARES;
    const bool is_weighted = operation_table[known->method->operation].of == MEAN_WEIGHTED;
    const bool has_exponentials = is_of_exponentials(known->method->operation);
    const bool is_per_number = operation_is_per_number(known->method->operation) || has_exponentials;
    const int scale = unit(known), of_result = is_norm || !is_of_squares(known) ? scale : 2 * scale;
    for (uint64_t r = 0; r < shape.rows && is_norm; r++)
        fill_row_with_root(known, r, UINT64_C(1) << (room(known->method) - 1));
    for (uint64_t r = 0; r < shape.rows && !is_norm; r++)
        fill_row(known, r);
    for (uint64_t i = 0; i < y_count && known->y != known->x && known->y; i++)
        held_set(stored, known->y, i, random_below(known, 2) ? 1 : is_weighted ? 2 : -1);
    for (uint64_t r = 0; r < shape.rows && is_per_number; r++)
        if (has_exponentials)
            make_exponentials(known, r);
        else if (is_scan(known->method->operation))
            make_prefixes(known, r, scale);
        else
            normalize_row(known, r);
    for (uint64_t e = 0; e < shape_results(shape) && !is_per_number; e++)
        known->results[e] = double_scaled(result_of(known, e), of_result);
    for (uint64_t i = 0; i < x_count && scale != 0; i++)
        held_set(stored, known->x, i, double_scaled(held_number(stored, known->x, i), scale));
    spoil(known);
}

bool known_is_there(const struct method *method, enum content content)
{
    const struct operation_row *row = &operation_table[method->operation];
    switch (content) {
    case ONE_ARRAY_TWICE: /* weights may add up to 0 */
        return row->vectors == 2 && row->of != MEAN_WEIGHTED;
    case TINY:
        return !is_statistic(method->operation);
    case HUGE_ONES: /* the error of a product may overflow where the product does not */
        return row->vectors == 1 && !is_statistic(method->operation) &&
               unit(&(struct known){.method = method, .content = content}) > 0;
    case OVERFLOWING:
        return method->operation == OPERATION_sum;
    case WITH_NAN: /* which the prefixes before it lack */
        return row->of != MATRICES && !is_scan(method->operation);
    case WITH_INFINITY:
        return row->of != MATRICES && !is_scan(method->operation) && !is_of_exponentials(method->operation) &&
               row->of != RMS_NORM && /* which divides by it */
               !method->sum_format->stored->finite_only && !sum_format_saturates(method->sum_format);
    default:
        return true;
    }
}

enum status known_make(struct known *known)
{
    const struct shape shape = known->shape;
    const bool has_two = operation_table[known->method->operation].vectors == 2;
    const uint64_t results = operation_results(known->method->operation, shape);
    const uint64_t y_count = shape.terms * (shape.columns > 0 ? shape.columns : shape.rows);
    known->state *= UINT64_C(0x9e3779b97f4a7c15);
    known->x = calloc(shape.terms * shape.rows, sizeof(double));
    known->y = !has_two ? NULL : known->content == ONE_ARRAY_TWICE ? known->x : malloc(y_count * sizeof(double));
    known->results = calloc(results, sizeof *known->results);
    known->allowed = calloc(results, sizeof *known->allowed);
    if (!known->x || (has_two && !known->y) || !known->results || !known->allowed)
        return out_of_memory("sums of integers");
    if (known->content != RANDOM_REALS) {
        fill(known);
        return OK;
    }
    fill_with_reals(known, known->x, shape.terms * shape.rows);
    if (has_two)
        fill_with_reals(known, known->y, y_count);
    return OK;
}

void known_free(struct known *known)
{
    if (known->y != known->x)
        free(known->y);
    free_all(known->x, known->results, known->allowed);
    known->x = known->y = known->results = known->allowed = NULL;
}
