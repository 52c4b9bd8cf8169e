#include "element_tally.h"

#include "statistics.h"

#include "src/base/list.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* Elements that one row stands for. */
struct group {
    uint64_t kind;
    struct measured worst; /* by relative error */
    uint64_t weight;
    double totals[METRICS];
};

/* The worst by each metric; and of one column the first of no digit, a relative error of 1 or more. */
enum { FIRST_OF_NO_DIGIT = METRICS, KEPT };

struct element_tally {
    const struct format *format;
    uint64_t rows, columns, next; /* of the whole; element */
    struct group *groups;
    size_t group_count, capacity;
    struct measured worst[KEPT]; /* they are in no group */
    bool has_worst[KEPT];
    double cells[MAP_SIDE * MAP_SIDE];
    char map[MAP_TEXT];
};

struct element_tally *element_tally_new(const struct format *format, uint64_t rows, uint64_t columns)
{
    struct element_tally *tally = calloc(1, sizeof *tally);
    if (!tally)
        return NULL;
    tally->format = format;
    tally->rows = rows;
    tally->columns = columns;
    return tally;
}

struct element_tally *element_tally_part(const struct element_tally *whole, uint64_t row)
{
    struct element_tally *part = element_tally_new(whole->format, whole->rows, whole->columns);
    if (part)
        part->next = row * whole->columns;
    return part;
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

/* It was rounded to 53 bits, and what a division leaves of it is no less than 2^-1074. */
static bool is_ordinary(double x)
{
    return x == 0 || (x >= 0x1p-960 && isfinite(x));
}

static void measure(const struct exact_element *exact, struct measured *element)
{
    double *metrics = element->metrics;
    const bool is_finite = exact->kind == EXACT_FINITE && isfinite(element->computed);
    const double error = is_finite                             ? fabs(exact->error)
                         : element->computed == exact->nearest ? 0
                                                               : fabs(element->computed - exact->nearest);
    const struct judged_element judged = {exact, element->computed, element->bound, error};
    for (int m = 0; m < METRICS; m++)
        metrics[m] = is_finite ? metric_table[m].of_element(&judged) : error;
    if (!is_finite && isnan(error))
        metrics[METRIC_bound_ratio] = INFINITY;
    if (isinf(element->bound))
        metrics[METRIC_bound_ratio] = NAN;
}

bool element_judge(const struct exact_element *exact, const struct format *format, uint64_t bits, double bound,
                   struct measured *row)
{
    row->computed = format_value(format, bits);
    row->computed_bits = bits;
    row->nearest_bits = format_bits(format, exact->nearest);
    row->bound = bound;
    row->class = class_of(exact, row->computed);
    measure(exact, row);
    bool has_53_bits = true;
    for (int m = 0; m < METRICS; m++)
        has_53_bits = has_53_bits && !(row->metrics[m] > 0 && row->metrics[m] < DBL_MIN);
    return exact->kind != EXACT_FINITE || !isfinite(row->computed) ||
           (has_53_bits && is_ordinary(exact->abs_above) && is_ordinary(exact->sum_abs_above) &&
            is_ordinary(fabs(exact->error)));
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

/* What one row can stand for is of one kind: whoever counts rows by what they say counts elements. */
static uint64_t kind_of(const struct format *format, const struct measured *of)
{
    const bool is_nan = of->class == CLASS_NAN && isnan(format_value(format, of->nearest_bits));
    const bool is_nearest = format_equal(format, of->computed_bits, of->nearest_bits);
    const bool is_toward_0 = fabs(of->computed) < fabs(format_value(format, of->nearest_bits));
    const unsigned said = (unsigned)of->class << 4 | (is_toward_0 ? 8U : 0U) |
                          (isnan(of->metrics[METRIC_bound_ratio]) ? 4U : 0U) | (is_nan ? 2U : 0U) | is_nearest;
    return (uint64_t)(uint32_t)quarter_of(of->metrics[METRIC_relative_error]) << 32 | said;
}

/* A new group that has room for one more; NULL: memory is short. */
static struct group *add_group(struct element_tally *tally, const struct measured *element)
{
    struct group *groups = list_with_room(tally->groups, tally->group_count, &tally->capacity, sizeof *groups);
    if (!groups)
        return NULL;
    tally->groups = groups;
    groups[tally->group_count] = (struct group){.kind = kind_of(tally->format, element), .worst = *element};
    return &groups[tally->group_count++];
}

static struct group *group_of(struct element_tally *tally, const struct measured *element)
{
    const uint64_t kind = kind_of(tally->format, element);
    for (size_t g = 0; g < tally->group_count; g++)
        if (tally->groups[g].kind == kind)
            return &tally->groups[g];
    return add_group(tally, element);
}

/* So many elements, of which this is the worst one. */
static enum status join(struct group *group, const struct measured *worst, uint64_t weight, const double *totals)
{
    if (!group)
        return out_of_memory("the elements of a matrix product");
    if (error_order(worst->metrics[METRIC_relative_error], group->worst.metrics[METRIC_relative_error]) > 0)
        group->worst = *worst;
    group->weight += weight;
    for (int m = 0; m < METRICS; m++)
        group->totals[m] += totals[m];
    return OK;
}

static enum status join_element(struct group *group, const struct measured *element)
{
    return join(group, element, 1, element->metrics);
}

static bool may_be_kept(const struct element_tally *tally, const struct measured *element, int metric)
{
    const double relative = element->metrics[METRIC_relative_error];
    return metric == FIRST_OF_NO_DIGIT ? tally->columns == 1 && relative >= 1 && isfinite(relative)
                                       : isfinite(element->metrics[metric]);
}

/* Of two that are as bad, the first one. */
static bool is_worse(const struct measured *a, const struct measured *b, int metric)
{
    const bool is_before = a->i < b->i || (a->i == b->i && a->j < b->j);
    if (metric == FIRST_OF_NO_DIGIT)
        return is_before;
    return a->metrics[metric] > b->metrics[metric] || (a->metrics[metric] == b->metrics[metric] && is_before);
}

static bool is_among(const struct element_tally *tally, int metrics, const struct measured *element)
{
    for (int m = 0; m < metrics; m++)
        if (tally->has_worst[m] && tally->worst[m].i == element->i && tally->worst[m].j == element->j)
            return true;
    return false;
}

/* The worst ones, and those alone, wait: what leaves a total again takes digits with it.  Of the finite ones: what is
 * not finite has a class, and so a row, of its own. */
static enum status take(struct element_tally *tally, const struct measured *element)
{
    for (int m = 0; m < KEPT; m++) {
        const bool had_worst = tally->has_worst[m];
        if (!may_be_kept(tally, element, m) || (had_worst && !is_worse(element, &tally->worst[m], m)))
            continue;
        const struct measured before = tally->worst[m];
        tally->worst[m] = *element;
        tally->has_worst[m] = true;
        if (had_worst && !is_among(tally, KEPT, &before))
            TRY(join_element(group_of(tally, &before), &before));
    }
    return is_among(tally, KEPT, element) ? OK : join_element(group_of(tally, element), element);
}

/* ---- where ---- */

static uint64_t cells_along(uint64_t length)
{
    return length < MAP_SIDE ? length : MAP_SIDE;
}

static void note_place(struct element_tally *tally, const struct measured *element)
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

enum status element_tally_add(struct element_tally *tally, struct measured *element)
{
    element->i = tally->next / tally->columns;
    element->j = tally->next % tally->columns;
    note_place(tally, element);
    tally->next++;
    return take(tally, element);
}

enum status element_tally_join(struct element_tally *whole, const struct element_tally *part)
{
    for (size_t g = 0; g < part->group_count; g++) {
        const struct group *group = &part->groups[g];
        TRY(join(group_of(whole, &group->worst), &group->worst, group->weight, group->totals));
    }
    for (int m = 0; m < KEPT; m++)
        if (part->has_worst[m] && !is_among(part, m, &part->worst[m]))
            TRY(take(whole, &part->worst[m]));
    for (size_t c = 0; c < sizeof whole->cells / sizeof *whole->cells; c++)
        if (error_order(part->cells[c], whole->cells[c]) > 0)
            whole->cells[c] = part->cells[c];
    return OK;
}

size_t element_tally_rows(struct element_tally *tally)
{
    for (int m = 0; m < KEPT; m++) {
        if (!tally->has_worst[m] || is_among(tally, m, &tally->worst[m]))
            continue;
        if (join_element(add_group(tally, &tally->worst[m]), &tally->worst[m]) != OK)
            memory_ran_out();
    }
    return tally->group_count;
}

void element_tally_row(const struct element_tally *tally, size_t index, struct measured *row)
{
    const struct group *group = &tally->groups[index];
    const struct measured *element = &group->worst;
    row->i = element->i;
    row->j = element->j;
    row->computed = element->computed;
    row->computed_bits = element->computed_bits;
    row->nearest_bits = element->nearest_bits;
    row->class = element->class;
    row->bound = element->bound;
    row->weight = group->weight;
    memcpy(row->metrics, element->metrics, sizeof row->metrics);
    for (int m = 0; m < METRICS; m++)
        row->means[m] = group->weight > 1 ? group->totals[m] / (double)group->weight : (double)NAN;
}
