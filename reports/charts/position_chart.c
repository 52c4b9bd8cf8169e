#include "charts.h"

enum { PANELS_MOST = 12 };

bool position_chart_applies(const struct group *group)
{
    for (size_t d = 0; d < group->data_count; d++)
        for (size_t m = 0; m < group->method_count; m++)
            if (group_series(group, d, m) && group_series(group, d, m)->map &&
                is_scan(group_series(group, d, m)->operation))
                return true;
    return false;
}

/* At least the errors that the letter stands for, in u (src/measure/element_tally.h); 0 and what is no number: none. */
static double error_of_letter(char letter)
{
    return letter == '0' || letter == '!' ? (double)NAN : ldexp(1, letter - 'a' - 12);
}

/* The letters of all results, with blanks between them: a point in the middle of the numbers of each. */
static void add_line(struct chart *chart, struct chart_panel *panel, const struct results *results,
                     const struct series *series, enum colour colour)
{
    struct chart_mark *line = chart_mark(panel, MARK_LINE, results_label(results, series->method), colour);
    const size_t cells = (strlen(series->map) + 1) / 2;
    chart_set(&line->of, "%s", series->method);
    for (size_t cell = 0; cell < cells; cell++) {
        const double error = error_of_letter(series->map[2 * cell]);
        if (isnan(error))
            continue;
        chart_point(line, 100 * ((double)cell + 0.5) / (double)cells, error, NAN, NULL);
        chart->y.least = fmin(chart->y.least, error / 2);
        chart->y.most = fmax(chart->y.most, error * 2);
    }
}

/* The scan that loses its digits first. */
static const struct series *first_lost(const struct group *group)
{
    const struct series *first = NULL;
    for (size_t d = 0; d < group->data_count; d++)
        for (size_t m = 0; m < group->method_count; m++) {
            const struct series *series = group_series(group, d, m);
            if (series && series->first_of_no_digit > 0 &&
                (!first || series->first_of_no_digit < first->first_of_no_digit))
                first = series;
        }
    return first;
}

static void write_caption(struct chart *chart, const struct group *group, FILE *out)
{
    const struct series *first = first_lost(group);
    fputs(
        "The largest error of the results in each 32nd part of the data, over the sum of the magnitudes that are added "
        "in it, in u of the format, rounded up to a power of two; parts without an error have no point.",
        out);
    chart->reading = (size_t)ftell(out);
    if (first)
        fprintf(out, " The first result without a correct digit is number %" PRIu64 " of %s, by %s.",
                first->first_of_no_digit, first->data, first->method);
    else
        fputs(" Each result has a correct digit.", out);
}

void position_chart(const struct results *results, const struct group *group, struct chart *chart)
{
    size_t drawn[HUES];
    char context[GROUP_CONTEXT];
    group_chart_begin(chart, "position", results, group);
    const size_t count = panel_methods(group->methods, group->method_count, HUES, drawn);
    chart->x.most = 100;
    chart->y.scale = SCALE_LOG2;
    chart->y.least = INFINITY;
    chart->y.most = 0;
    chart->y.errors = true;
    chart->columns = 1;
    chart->panel_height = 260;
    for (size_t d = 0; d < group->data_count && d < PANELS_MOST; d++) {
        struct chart_panel *panel = chart_panel(chart, group->data[d]);
        for (size_t p = 0; p < count; p++) {
            const struct series *series = group_series(group, d, drawn[p]);
            if (series && series->map && is_scan(series->operation))
                add_line(chart, panel, results, series, COLOUR_HUE + (enum colour)p);
        }
    }
    if (isinf(chart->y.least))
        chart_set(&chart->missing, "all results are exact");
    chart_set(&chart->x.label, "position in percent of n");
    chart_set(&chart->x.unit, "%%");
    chart_set(&chart->y.label, "largest error in u of the sum of magnitudes");
    chart_set(&chart->y.unit, "u");
    group_context(group, context);
    chart_set(&chart->subtitle, "%slargest error against position", context);
    FILE *out = chart_words(chart);
    write_caption(chart, group, out);
    panel_methods_say(group->methods, group->method_count, count, out);
    fclose(out);
}
