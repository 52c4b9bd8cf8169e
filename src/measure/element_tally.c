#include "element_tally.h"

#include "statistics.h"

#include "datasets/files/file_hash.h"
#include "src/base/format.h"
#include "src/base/list.h"

#include <endian.h>
#include <limits.h>
#include <math.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

struct element {
    uint64_t i, j, bits, nearest_bits;
    enum exact_kind kind;
    enum result_class class;
    double computed, metrics[METRICS], bound;
};

/* Elements that one row stands for. */
struct group {
    struct element worst; /* by relative error */
    uint64_t weight;
    double totals[METRICS];
};

struct element_tally {
    const struct format *format;
    uint64_t rows, columns, next; /* element */
    struct group *groups;
    size_t group_count, capacity;
    struct element worst[METRICS]; /* by each metric */
    bool has_worst[METRICS];
    double cells[MAP_SIDE * MAP_SIDE];
    struct sha256_ctx hash;
    char digest[FILE_HASH_TEXT], map[MAP_TEXT];
};

struct element_tally *element_tally_new(const struct format *format, uint64_t rows, uint64_t columns)
{
    struct element_tally *tally = calloc(1, sizeof *tally);
    if (!tally)
        return NULL;
    tally->format = format;
    tally->rows = rows;
    tally->columns = columns;
    sha256_init(&tally->hash);
    return tally;
}

void element_tally_free(struct element_tally *tally)
{
    if (tally)
        free(tally->groups);
    free(tally);
}

/* ---- how an element is ---- */

static enum result_class class_of(const struct exact_element *exact, double computed)
{
    if (isnan(computed) || exact->kind == EXACT_NAN)
        return CLASS_NAN;
    if (exact->kind == EXACT_INF)
        return CLASS_INF;
    if (isinf(computed))
        return computed == exact->nearest ? CLASS_OUT_OF_RANGE : CLASS_OVERFLOW;
    if (exact->error == 0)
        return CLASS_EXACT;
    return exact->abs_above == 0 ? CLASS_ZERO_SUM : CLASS_FINITE;
}

/* Rounded up; a denominator of 0 leaves a quotient undefined. */
static double quotient_up(double error, double denominator)
{
    const double least_sure = 0x1p-900; /* below it a residual may underflow */
    if (error == 0 || denominator == 0)
        return error == 0 ? 0 : (double)NAN;
    const double quotient = error / denominator;
    const bool is_below = fabs(quotient) < least_sure || error < least_sure || fma(quotient, denominator, -error) < 0;
    return is_below ? nextafter(quotient, INFINITY) : quotient;
}

/* The least that a number may be that was rounded up to `above`. */
static double below(double above)
{
    return above > 0 ? nextafter(above, 0) : 0;
}

static void measure(const struct exact_element *exact, struct element *element)
{
    double *metrics = element->metrics;
    const bool is_finite = exact->kind == EXACT_FINITE && isfinite(element->computed);
    const double error = is_finite                             ? fabs(exact->error)
                         : element->computed == exact->nearest ? 0
                                                               : fabs(element->computed - exact->nearest);
    for (int m = 0; m < METRICS; m++)
        metrics[m] = error;
    if (is_finite) {
        metrics[METRIC_relative_error] = quotient_up(error, below(exact->abs_above));
        metrics[METRIC_ulp_error] = quotient_up(error, exact->ulp);
        metrics[METRIC_backward_error] = quotient_up(error, below(exact->sum_abs_above));
        metrics[METRIC_bound_ratio] = quotient_up(error, element->bound);
    }
    if (isnan(metrics[METRIC_bound_ratio]))
        metrics[METRIC_bound_ratio] = INFINITY;
    if (isinf(element->bound))
        metrics[METRIC_bound_ratio] = NAN;
}

/* ---- groups ---- */

/* Four to a binade: the number of the quarter in which the error is. */
static int quarter_of(double error)
{
    if (!isfinite(error) || error == 0)
        return INT_MAX;
    int exponent;
    const double significand = frexp(error, &exponent); /* in [1/2, 1) */
    return 4 * exponent + (int)(8 * significand);
}

/* One row can stand for both: whoever counts rows by what they say counts elements. */
static bool are_alike(const struct format *format, const struct element *a, const struct element *b)
{
    return a->class == b->class && a->kind == b->kind && isinf(a->bound) == isinf(b->bound) &&
           quarter_of(a->metrics[METRIC_relative_error]) == quarter_of(b->metrics[METRIC_relative_error]) &&
           format_equal(format, a->bits, a->nearest_bits) == format_equal(format, b->bits, b->nearest_bits);
}

static struct group *group_of(struct element_tally *tally, const struct element *element)
{
    for (size_t g = 0; g < tally->group_count; g++)
        if (are_alike(tally->format, &tally->groups[g].worst, element))
            return &tally->groups[g];
    struct group *groups = list_with_room(tally->groups, tally->group_count, &tally->capacity, sizeof *groups);
    if (!groups)
        return NULL;
    tally->groups = groups;
    groups[tally->group_count] = (struct group){.worst = *element};
    return &groups[tally->group_count++];
}

static void join(struct group *group, const struct element *element)
{
    if (error_order(element->metrics[METRIC_relative_error], group->worst.metrics[METRIC_relative_error]) > 0)
        group->worst = *element;
    group->weight++;
    for (int m = 0; m < METRICS; m++)
        group->totals[m] += element->metrics[m];
}

/* Of the finite ones: what is not finite has a class, and so a row, of its own. */
static void note_worst(struct element_tally *tally, const struct element *element)
{
    for (int m = 0; m < METRICS; m++)
        if (isfinite(element->metrics[m]) &&
            (!tally->has_worst[m] || element->metrics[m] > tally->worst[m].metrics[m])) {
            tally->worst[m] = *element;
            tally->has_worst[m] = true;
        }
}

/* ---- where ---- */

static uint64_t cells_along(uint64_t length)
{
    return length < MAP_SIDE ? length : MAP_SIDE;
}

static void note_place(struct element_tally *tally, const struct element *element)
{
    const uint64_t down = cells_along(tally->rows), across = cells_along(tally->columns);
    double *cell = &tally->cells[element->i * down / tally->rows * MAP_SIDE + element->j * across / tally->columns];
    const double error = element->metrics[METRIC_backward_error];
    if (error_order(error, *cell) > 0)
        *cell = error;
}

static char letter_of(double error, int precision)
{
    if (error == 0)
        return '0';
    if (!isfinite(error))
        return '!';
    const int exponent = ilogb(error) + precision + 13;
    return (char)('a' + (exponent < 0 ? 0 : exponent > 25 ? 25 : exponent));
}

const char *element_tally_map(struct element_tally *tally)
{
    const uint64_t down = cells_along(tally->rows), across = cells_along(tally->columns);
    char *next = tally->map;
    for (uint64_t i = 0; i < down; i++) {
        for (uint64_t j = 0; j < across; j++)
            *next++ = letter_of(tally->cells[i * MAP_SIDE + j], tally->format->precision);
        *next++ = i + 1 < down ? ' ' : '\0';
    }
    return tally->map;
}

/* ---- all elements ---- */

enum status element_tally_add(struct element_tally *tally, uint64_t bits, const struct exact_element *exact,
                              double bound)
{
    struct element element = {
        .i = tally->next / tally->columns,
        .j = tally->next % tally->columns,
        .bits = bits,
        .nearest_bits = format_bits(tally->format, exact->nearest),
        .kind = exact->kind,
        .computed = format_value(tally->format, bits),
        .bound = bound,
    };
    const uint64_t hashed = htole64(isnan(element.computed) ? format_bits(tally->format, NAN) : bits);
    sha256_update(&tally->hash, tally->format->bytes, (const uint8_t *)&hashed);
    element.class = class_of(exact, element.computed);
    measure(exact, &element);
    struct group *group = group_of(tally, &element);
    if (!group)
        return out_of_memory("the elements of a product of matrices");
    join(group, &element);
    note_worst(tally, &element);
    note_place(tally, &element);
    tally->next++;
    return OK;
}

static bool is_same_place(const struct element *a, const struct element *b)
{
    return a->i == b->i && a->j == b->j;
}

/* A row of its own, unless it has one. */
static bool stands_alone(const struct element_tally *tally, const struct element *element)
{
    for (size_t g = 0; g < tally->group_count; g++)
        if (is_same_place(&tally->groups[g].worst, element))
            return true;
    return false;
}

/* The worst elements leave the groups that they are in. */
size_t element_tally_rows(struct element_tally *tally)
{
    for (int m = 0; m < METRICS; m++) {
        const struct element *worst = &tally->worst[m];
        if (!tally->has_worst[m] || stands_alone(tally, worst))
            continue;
        struct group *from = group_of(tally, worst);
        from->weight--;
        for (int t = 0; t < METRICS; t++)
            from->totals[t] -= worst->metrics[t];
        struct group *groups = list_with_room(tally->groups, tally->group_count, &tally->capacity, sizeof *groups);
        if (!groups)
            memory_ran_out();
        tally->groups = groups;
        groups[tally->group_count] = (struct group){.worst = *worst, .weight = 1};
        memcpy(groups[tally->group_count++].totals, worst->metrics, sizeof worst->metrics);
    }
    return tally->group_count;
}

void element_tally_row(const struct element_tally *tally, size_t index, struct measured *row)
{
    const struct group *group = &tally->groups[index];
    const struct element *element = &group->worst;
    row->i = element->i;
    row->j = element->j;
    row->computed = element->computed;
    row->computed_bits = element->bits;
    row->nearest_bits = element->nearest_bits;
    row->class = element->class;
    row->bound = element->bound;
    row->weight = group->weight;
    memcpy(row->metrics, element->metrics, sizeof row->metrics);
    for (int m = 0; m < METRICS; m++)
        row->means[m] = group->weight > 1 ? group->totals[m] / (double)group->weight : (double)NAN;
}

uint64_t digest_bits(const char *digest)
{
    char first[17];
    snprintf(first, sizeof first, "%s", digest);
    return strtoull(first, NULL, 16);
}

const char *element_tally_digest(struct element_tally *tally)
{
    if (!*tally->digest)
        hash_text(&tally->hash, tally->digest);
    return tally->digest;
}
