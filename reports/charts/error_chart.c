#include "error_curves.h"

#include "panel_methods.h"
#include "src/base/memory.h"
#include "src/base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct against kinds[] = {
    [AGAINST_N] = {"error-n", "n", "n = ", "n", SCALE_LOG2, 1, 1.5},
    [AGAINST_CONDITION] = {"error-condition", "the condition number", "condition ", "condition number", SCALE_LOG10,
                           1.01, 2},
};

/* ---- x ---- */

static double x_of_spec(const struct group *group, size_t spec, enum error_against against)
{
    const struct series *series = group_any_series(group, spec);
    const double x = against == AGAINST_N ? (double)series->n : series->median_condition;
    return isfinite(x) && x > 0 ? x : NAN;
}

static int by_value(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* The different values in rising order; of those that are alike, the first. */
static size_t find_xs(const struct group *group, enum error_against against, double *xs)
{
    size_t all = 0, kept = 0;
    for (size_t d = 0; d < group->data_count; d++) {
        const double x = x_of_spec(group, d, against);
        if (!isnan(x))
            xs[all++] = x;
    }
    qsort(xs, all, sizeof *xs, by_value);
    for (size_t i = 0; i < all; i++)
        if (kept == 0 || xs[i] > kinds[against].alike * xs[kept - 1])
            xs[kept++] = xs[i];
    return kept;
}

bool error_chart_applies(const struct group *group, enum error_against against)
{
    double *xs = memory_cleared(group->data_count, sizeof *xs);
    const size_t count = find_xs(group, against, xs);
    free(xs);
    return count > 1;
}

static void take_xs(struct curves *curves, enum error_against against)
{
    const struct group *group = curves->group;
    curves->xs = memory_cleared(group->data_count, sizeof *curves->xs);
    curves->x_of = memory_cleared(group->data_count, sizeof *curves->x_of);
    curves->x_count = find_xs(group, against, curves->xs);
    for (size_t d = 0; d < group->data_count; d++) {
        const double x = x_of_spec(group, d, against);
        curves->x_of[d] = NO_PLACE;
        for (size_t i = 0; i < curves->x_count && !isnan(x) && x >= curves->xs[i]; i++)
            curves->x_of[d] = (int)i;
        curves->without_x += curves->x_of[d] == NO_PLACE;
    }
}

/* ---- values ---- */

/* Sums of which no relative error is defined, or in question. */
static uint64_t undefined_sums(const struct series *series)
{
    return series->classes[CLASS_ZERO_SUM] + series->right_nonfinite;
}

/* A statistic is NaN where there is no value, or where one is NaN: a sum that is no number has no correct digit, unless
 * it is the one that IEEE 754 gives for such data. */
static double error_of(const struct series *series, double statistic)
{
    const uint64_t nonfinite = series->classes[CLASS_OVERFLOW] + series->classes[CLASS_OUT_OF_RANGE] +
                               series->classes[CLASS_NAN] + series->classes[CLASS_INF];
    return isnan(statistic) && nonfinite > series->right_nonfinite ? (double)INFINITY : statistic;
}

static void add_series(struct curves *curves, size_t method, const struct series *series, int x)
{
    const struct statistics *errors = &series->statistics[METRIC_relative_error];
    const double found[CURVES] = {error_of(series, errors->p50), error_of(series, errors->p99),
                                  error_of(series, errors->max), series->relative_bound,
                                  series->relative_probabilistic_bound};
    for (int c = 0; c < CURVES; c++) {
        double *value = &values_of(curves, method, (enum curve)c)[x];
        *value = fmax(*value, found[c]);
    }
    curves->inexact |= found[LARGEST] > 0;
    curves->sums += series->count;
    curves->undefined += undefined_sums(series);
}

/* A probabilistic bound that is not below the proven one says nothing, and its line would lie on the other; so would
 * two that are beyond the scale. */
static void forget_needless(struct curves *curves)
{
    for (size_t p = 0; p < curves->count; p++)
        for (size_t i = 0; i < curves->x_count; i++) {
            const double proven = fmin(values_of(curves, curves->drawn[p], PROVEN)[i], curves->y.limit);
            double *probable = &values_of(curves, curves->drawn[p], PROBABLE)[i];
            if (*probable >= proven)
                *probable = NAN;
            curves->probable |= !isnan(*probable);
        }
}

static void take_values(struct curves *curves)
{
    const struct group *group = curves->group;
    const size_t of_method = CURVES * curves->x_count, count = group->method_count * of_method;
    curves->values = memory_cleared(count, sizeof *curves->values);
    for (size_t i = 0; i < count; i++)
        curves->values[i] = NAN;
    for (size_t m = 0; m < group->method_count; m++)
        for (size_t d = 0; d < group->data_count; d++) {
            const struct series *series = group_series(group, d, m);
            if (series && curves->x_of[d] != NO_PLACE)
                add_series(curves, m, series, curves->x_of[d]);
        }
    for (size_t p = 0; p < curves->count; p++)
        for (size_t i = 0; i < of_method; i++)
            apart_axis_see(&curves->y, values_of(curves, curves->drawn[p], 0)[i]);
    forget_needless(curves);
}

/* ---- a panel ---- */

/* In the legend and the table. */
enum rank { RANK_MEDIAN, RANK_P99, RANK_MAX, RANK_BAND, RANK_PROVEN, RANK_PROBABLE, RANK_OTHERS, RANK_U };

static void add_line(struct curves *curves, struct chart_mark *mark, size_t method, enum curve curve)
{
    const double *values = values_of(curves, method, curve);
    char x[NUMBER_TEXT];
    for (size_t i = 0; i < curves->x_count; i++) {
        const double y = apart_axis_place(&curves->y, values[i]);
        write_rounded(curves->xs[i], x);
        if (!isnan(y))
            chart_point(mark, curves->xs[i], y, NAN, curves->against->scale == SCALE_LOG10 ? x : NULL);
    }
}

static void add_others(struct curves *curves, struct chart_panel *panel, size_t own)
{
    for (size_t p = 0; p < curves->count; p++) {
        if (curves->drawn[p] == own)
            continue;
        struct chart_mark *other = chart_mark(panel, MARK_LINE, "max of another method", COLOUR_QUIET);
        other->off_the_table = true;
        other->rank = RANK_OTHERS;
        add_line(curves, other, curves->drawn[p], LARGEST);
    }
}

static void add_band(struct curves *curves, struct chart_panel *panel, size_t own)
{
    struct chart_mark *band = chart_mark(panel, MARK_BAND, "median to max", COLOUR_MAIN);
    const double *medians = values_of(curves, own, MEDIAN), *largest = values_of(curves, own, LARGEST);
    band->off_the_table = true;
    band->rank = RANK_BAND;
    for (size_t i = 0; i < curves->x_count; i++)
        if (!isnan(medians[i]))
            chart_point(band, curves->xs[i], apart_axis_place(&curves->y, medians[i]),
                        apart_axis_place(&curves->y, largest[i]), NULL);
}

static void add_u(struct curves *curves, struct chart_panel *panel)
{
    struct chart_mark *rule = chart_mark(panel, MARK_RULE_Y, "u", COLOUR_QUIET);
    rule->dashed = rule->off_the_table = true;
    rule->rank = RANK_U;
    chart_point(rule, NAN, ldexp(1, -curves->group->format->precision), NAN, NULL);
}

static bool is_known(const struct curves *curves, size_t method, enum curve curve)
{
    const double *values = values_of(curves, method, curve);
    for (size_t i = 0; i < curves->x_count; i++)
        if (!isnan(values[i]))
            return true;
    return false;
}

/* What is drawn first lies lowest. */
static void add_panel(struct curves *curves, size_t own)
{
    static const struct {
        enum curve curve;
        const char *name;
        enum colour colour;
        bool dashed;
        enum rank rank;
    } lines[] = {
        {PROVEN, "proven bound", COLOUR_THEORY, false, RANK_PROVEN},
        {PROBABLE, "probabilistic bound", COLOUR_MODEL, true, RANK_PROBABLE},
        {LARGEST, "max", COLOUR_MAIN, false, RANK_MAX},
        {P99, "p99", COLOUR_MAIN, true, RANK_P99},
        {MEDIAN, "median", COLOUR_SECOND, false, RANK_MEDIAN},
    };
    struct chart_panel *panel = chart_panel(curves->chart, curves->group->methods[own]);
    add_band(curves, panel, own);
    add_others(curves, panel, own);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!is_known(curves, own, lines[i].curve))
            continue;
        struct chart_mark *mark = chart_mark(panel, MARK_LINE, lines[i].name, lines[i].colour);
        mark->dashed = lines[i].dashed;
        mark->rank = lines[i].rank;
        add_line(curves, mark, own, lines[i].curve);
    }
    add_u(curves, panel);
}

/* ---- the words ---- */

static void say_if_nothing(struct curves *curves)
{
    struct chart *chart = curves->chart;
    if (curves->inexact)
        return;
    if (curves->undefined == curves->sums)
        chart_set(&chart->missing,
                  "the exact sums are 0 or not finite in all data, where no relative error is defined");
    else if (curves->undefined > 0)
        chart_set(&chart->missing,
                  "all sums that have a relative error are exact; of %" PRIu64 " of %" PRIu64
                  " sums none is defined, because the exact sum is 0 or not finite",
                  curves->undefined, curves->sums);
    else
        chart_set(&chart->missing, "all sums are exact");
}

static void set_words(struct curves *curves)
{
    struct chart *chart = curves->chart;
    char context[GROUP_CONTEXT];
    struct chart_words words;
    chart_words_open(&words);
    error_caption(curves, words.file);
    chart_words_close(&words, chart);
    group_context(curves->group, context);
    chart_set(&chart->subtitle, "%srelative error against %s; one panel per method", context, curves->against->name);
    say_if_nothing(curves);
}

/* ---- the chart ---- */

static void set_axes(struct curves *curves)
{
    struct chart *chart = curves->chart;
    chart_set(&chart->x.label, "%s", curves->against->label);
    chart->x.scale = curves->against->scale;
    chart->x.least = curves->x_count ? curves->xs[0] / curves->against->room : 1;
    chart->x.most = curves->x_count ? curves->xs[curves->x_count - 1] * curves->against->room : 2;
    chart_set(&chart->y.label, "relative error");
    chart->y.errors = true;
    apart_axis_see(&curves->y, ldexp(1, -curves->group->format->precision));
    apart_axis_settle(&curves->y, &chart->y);
}

static size_t columns_for(size_t panels)
{
    return panels == 1 ? 1 : panels == 3 || panels > 4 ? 3 : 2;
}

void error_chart(const struct results *results, const struct group *group, enum error_against against,
                 struct chart *chart)
{
    struct curves curves = {
        .chart = chart,
        .group = group,
        .against = &kinds[against],
        .y = apart_axis_of("exact", "no digit", 1),
    };
    group_chart_begin(chart, kinds[against].what, results, group);
    curves.count = panel_methods(group->methods, group->method_count, ERROR_PANELS, curves.drawn);
    take_xs(&curves, against);
    take_values(&curves);
    chart->columns = columns_for(curves.count);
    chart->panel_height = curves.count == 1 ? 260 : 170;
    set_axes(&curves);
    set_words(&curves);
    for (size_t p = 0; p < curves.count && !chart->missing; p++)
        add_panel(&curves, curves.drawn[p]);
    free(curves.xs);
    free(curves.x_of);
    free(curves.values);
}
