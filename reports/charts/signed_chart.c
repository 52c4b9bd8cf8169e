#include "charts.h"

#include "src/results/law.h"

static bool has_sign(const struct series *series)
{
    return series && !is_scan(series->operation) &&
           fabs(series->signed_error) > 0.9 * series->statistics[METRIC_relative_error].mean;
}

bool signed_chart_applies(const struct group *group)
{
    bool found = false;
    for (size_t d = 0; d < group->data_count && !found; d++)
        for (size_t m = 0; m < group->method_count && !found; m++)
            found = has_sign(group_series(group, d, m));
    return found && error_chart_applies(group, AGAINST_N);
}

struct signed_curves {
    const struct results *results;
    const struct group *group;
    struct chart *chart;
    const struct series *worst; /* the largest error to one side */
    bool has_law;
};

static void add_point(struct signed_curves *curves, struct chart_mark *mark, const struct series *series, double error)
{
    struct chart *chart = curves->chart;
    if (!isfinite(error))
        return;
    chart_point(mark, (double)series->n, 100 * error, NAN, NULL);
    chart->x.least = fmin(chart->x.least, (double)series->n / 1.5);
    chart->x.most = fmax(chart->x.most, (double)series->n * 1.5);
    chart->y.least = fmin(chart->y.least, 105 * error);
    chart->y.most = fmax(chart->y.most, 105 * error);
}

/* In the order of n, which is that of the study's sweep. */
static void add_method(struct signed_curves *curves, struct chart_panel *panel, size_t method, enum colour colour)
{
    const struct group *group = curves->group;
    struct chart_mark *line =
        chart_mark(panel, MARK_LINE, results_label(curves->results, group->methods[method]), colour);
    struct chart_mark *law = chart_mark(panel, MARK_POINTS, "law of truncation", COLOUR_THEORY);
    chart_set(&line->of, "%s", group->methods[method]);
    chart_set(&law->of, "%s", group->methods[method]);
    law->rank = 1;
    for (size_t d = 0; d < group->data_count; d++) {
        const struct series *series = group_series(group, d, method);
        if (!series)
            continue;
        const double expected = law_of_series(curves->results, series);
        add_point(curves, line, series, series->signed_error);
        add_point(curves, law, series, expected);
        curves->has_law |= isfinite(expected);
        if (has_sign(series) && (!curves->worst || fabs(series->signed_error) > fabs(curves->worst->signed_error)))
            curves->worst = series;
    }
}

static void write_caption(const struct signed_curves *curves, FILE *out)
{
    fputs(
        "The mean of (|computed| - |s|) / |s| against n, in percent: below 0 products are too small, as sums that are "
        "truncated are; rounding to nearest stays near 0. Correctly rounded elements count as 0.",
        out);
    if (curves->has_law)
        fputs(" Dots are the law of truncation, computed from the products of these data and the model of the unit.",
              out);
    curves->chart->reading = (size_t)ftell(out);
    if (curves->worst)
        fprintf(out, " %s is off by %s %% in the mean at n = %" PRIu64 ".", curves->worst->method,
                rounded_text(100 * curves->worst->signed_error), curves->worst->n);
}

void signed_chart(const struct results *results, const struct group *group, struct chart *chart)
{
    struct signed_curves curves = {.results = results, .group = group, .chart = chart};
    size_t drawn[HUES];
    char context[GROUP_CONTEXT];
    group_chart_begin(chart, "signed-n", results, group);
    const size_t count = panel_methods(group->methods, group->method_count, HUES, drawn);
    chart->x.scale = SCALE_LOG2;
    chart->x.least = INFINITY;
    chart->columns = 1;
    chart->panel_height = 260;
    struct chart_panel *panel = chart_panel(chart, "");
    for (size_t p = 0; p < count; p++)
        add_method(&curves, panel, drawn[p], COLOUR_HUE + (enum colour)p);
    chart_set(&chart->x.label, "n");
    chart_set(&chart->y.label, "mean signed relative error in percent");
    chart_set(&chart->y.unit, "%%");
    group_context(group, context);
    chart_set(&chart->subtitle, "%smean signed relative error against n", context);
    FILE *out = chart_words(chart);
    write_caption(&curves, out);
    panel_methods_say(group->methods, group->method_count, count, out);
    fclose(out);
}
