#include "error_curves.h"

static const struct against kinds[] = {
    [AGAINST_N] = {"error-n", "overlay-n", "n", "n", SCALE_LOG2, 1, 1.5},
    [AGAINST_CONDITION] = {"error-condition", "overlay-condition", "the condition number", "condition number",
                           SCALE_LOG10, 1.01, 2},
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
    OWNED double *xs = memory_cleared(group->data_count, sizeof *xs);
    const size_t count = find_xs(group, against, xs);
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

/* That of the specs whose quantile is the largest. */
static void add_interval(struct curves *curves, size_t method, const struct interval *interval, double quantile, int x,
                         const enum curve ends[3])
{
    if (values_of(curves, method, ends[0])[x] >= quantile || isnan(quantile))
        return;
    values_of(curves, method, ends[1])[x] = interval->low;
    values_of(curves, method, ends[2])[x] = interval->high;
}

static void add_series(struct curves *curves, size_t method, const struct series *series, int x)
{
    static const enum curve medians[] = {MEDIAN, MEDIAN_LOW, MEDIAN_HIGH}, p99s[] = {P99, P99_LOW, P99_HIGH};
    const struct statistics *errors = &series->statistics[METRIC_relative_error];
    const double found[] = {error_of(series, errors->p50), error_of(series, errors->p99), error_of(series, errors->max),
                            series->relative_bound, series->relative_probabilistic_bound};
    if (series_is_random(curves->results, series)) {
        add_interval(curves, method, &series->p50, found[MEDIAN], x, medians);
        add_interval(curves, method, &series->p99, found[P99], x, p99s);
    }
    for (int c = 0; c <= PROBABLE; c++) {
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
            curves->interval |= !isnan(values_of(curves, curves->drawn[p], MEDIAN_HIGH)[i]);
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

static const char *label_of(const struct curves *curves, size_t method)
{
    return results_label(curves->results, curves->group->methods[method]);
}

/* In the legend and the table. */
enum rank {
    RANK_MEDIAN,
    RANK_P99,
    RANK_MAX,
    RANK_BAND,
    RANK_INTERVALS,
    RANK_PROVEN,
    RANK_PROBABLE,
    RANK_OTHERS,
    RANK_U
};

static void add_place(struct curves *curves, struct chart_mark *mark, size_t x, double y, double other)
{
    chart_point(mark, curves->xs[x], apart_axis_place(&curves->y, y), apart_axis_place(&curves->y, other),
                curves->against->scale == SCALE_LOG10 ? rounded_text(curves->xs[x]) : NULL);
}

static void add_line(struct curves *curves, struct chart_mark *mark, size_t method, enum curve curve)
{
    const double *values = values_of(curves, method, curve);
    for (size_t i = 0; i < curves->x_count; i++)
        if (!isnan(values[i]))
            add_place(curves, mark, i, values[i], NAN);
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

static struct chart_mark *add_band(struct curves *curves, struct chart_panel *panel, size_t own, enum curve from,
                                   enum curve to, const char *name)
{
    struct chart_mark *band = chart_mark(panel, MARK_BAND, name,
                                         from == MEDIAN_LOW ? COLOUR_SECOND
                                         : from == P99_LOW  ? COLOUR_HUE + 3
                                                            : COLOUR_MAIN);
    const double *low = values_of(curves, own, from), *high = values_of(curves, own, to);
    band->rank = from == MEDIAN ? RANK_BAND : RANK_INTERVALS;
    band->off_the_table = from == MEDIAN;
    for (size_t i = 0; i < curves->x_count; i++)
        if (!isnan(low[i]) && !isnan(high[i]))
            add_place(curves, band, i, low[i], high[i]);
    return band;
}

/* Where an error is u of the mean of squares, or of its root. */
static void add_u_of_squares(struct curves *curves, struct chart_panel *panel)
{
    const double u = ldexp(1, -curves->group->format->precision);
    struct chart_mark *line = chart_mark(panel, MARK_LINE, "u times the condition", COLOUR_QUIET);
    line->dashed = line->off_the_table = true;
    line->rank = RANK_U;
    for (size_t i = 0; i < curves->x_count && u * curves->xs[i] < 1; i++)
        add_place(curves, line, i, u * curves->xs[i], NAN);
}

static void add_u(struct curves *curves, struct chart_panel *panel)
{
    struct chart_mark *rule = chart_mark(panel, MARK_RULE_Y, "u", COLOUR_QUIET);
    rule->dashed = rule->off_the_table = true;
    rule->rank = RANK_U;
    chart_point(rule, NAN, ldexp(1, -curves->group->format->precision), NAN, NULL);
    if (curves->against->scale == SCALE_LOG10 && results_condition(curves->results))
        add_u_of_squares(curves, panel);
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
    struct chart_panel *panel = chart_panel(curves->chart, label_of(curves, own));
    add_band(curves, panel, own, MEDIAN, LARGEST, "median to max");
    if (is_known(curves, own, P99_HIGH))
        add_band(curves, panel, own, P99_LOW, P99_HIGH, "95 % interval of p99");
    if (is_known(curves, own, MEDIAN_HIGH))
        add_band(curves, panel, own, MEDIAN_LOW, MEDIAN_HIGH, "95 % interval of the median");
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

/* All methods in one: the largest error, and what the median may be. */
static void add_all(struct curves *curves)
{
    struct chart_panel *panel = chart_panel(curves->chart, "");
    for (size_t p = 0; p < curves->count; p++) {
        const char *method = label_of(curves, curves->drawn[p]);
        struct chart_mark *band =
            add_band(curves, panel, curves->drawn[p], MEDIAN_LOW, MEDIAN_HIGH, "95 % interval of the median");
        struct chart_mark *line = chart_mark(panel, MARK_LINE, method, COLOUR_HUE + (enum colour)p);
        band->colour = line->colour;
        band->off_the_table = true; /* which has no room for one of each method */
        chart_set(&band->of, "%s", method);
        chart_set(&line->of, "%s", method);
        line->dashed = p % 2; /* one that lies on another */
        add_line(curves, line, curves->drawn[p], LARGEST);
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
    FILE *out = chart_words(chart);
    (curves->together ? overlay_caption : error_caption)(curves, out);
    fclose(out);
    group_context(curves->group, context);
    chart_set(&chart->subtitle, "%srelative error against %s; %s", context, curves->against->name,
              curves->together ? "the largest of each method" : "one panel per method");
    say_if_nothing(curves);
}

/* ---- the chart ---- */

static void set_axes(struct curves *curves)
{
    struct chart *chart = curves->chart;
    const char *condition = curves->against->scale == SCALE_LOG10 ? results_condition(curves->results) : NULL;
    chart_set(&chart->x.label, "%s%s%s", curves->against->label, condition ? ", " : "", condition ? condition : "");
    chart->x.scale = curves->against->scale;
    chart->x.least = curves->x_count ? curves->xs[0] / curves->against->room : 1;
    chart->x.most = curves->x_count ? curves->xs[curves->x_count - 1] * curves->against->room : 2;
    chart_set(&chart->y.label, curves->together ? "largest relative error" : "relative error");
    chart->y.errors = true;
    apart_axis_see(&curves->y, ldexp(1, -curves->group->format->precision));
    apart_axis_settle(&curves->y, &chart->y);
}

static size_t columns_for(size_t panels)
{
    return panels == 1 ? 1 : panels == 3 || panels > 4 ? 3 : 2;
}

static void make(const struct results *results, const struct group *group, enum error_against against, bool together,
                 struct chart *chart)
{
    struct curves curves = {
        .chart = chart,
        .results = results,
        .group = group,
        .together = together,
        .against = &kinds[against],
        .y = apart_axis_of("exact", "no digit", 1),
    };
    group_chart_begin(chart, together ? kinds[against].overlay : kinds[against].what, results, group);
    curves.count = panel_methods(group->methods, group->method_count, together ? HUES : ERROR_PANELS, curves.drawn);
    take_xs(&curves, against);
    take_values(&curves);
    chart->columns = together ? 1 : columns_for(curves.count);
    chart->panel_height = together ? 200 : curves.count == 1 ? 260 : 170;
    set_axes(&curves);
    set_words(&curves);
    if (together && !chart->missing)
        add_all(&curves);
    for (size_t p = 0; p < curves.count && !together && !chart->missing; p++)
        add_panel(&curves, curves.drawn[p]);
    free_all(curves.xs, curves.x_of, curves.values);
}

void error_chart(const struct results *results, const struct group *group, enum error_against against,
                 struct chart *chart)
{
    make(results, group, against, false, chart);
}

void error_overlay(const struct results *results, const struct group *group, enum error_against against,
                   struct chart *chart)
{
    make(results, group, against, true, chart);
}
