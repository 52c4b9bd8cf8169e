#include "charts.h"

/* All on the axis is in percent.  Shares below LEAST are one place, none at all, all sums being exact, is another.  On
 * the right is room for the numbers at the dots. */
static const double LEAST = 1e-7, AT_LESS = 1.7782794100389228e-8, AT_EXACT = 5.623413251903491e-10, LEFT_END = 1e-10,
                    RIGHT_END = 3.1622776601683795e4; /* 10^-7.75, -9.25, -10 and 4.5 */

enum { ROW = 20, NAMES_MOST = 6 };

struct shares {
    struct chart *chart;
    const struct results *results;
    const struct setting *setting;
    const char **claims; /* the methods with a bound on some data, in the order of the study */
    size_t claim_count;
    const char **without; /* and those without */
    size_t without_count;
    size_t drawn[BOUND_ROWS], count; /* of the claims */
};

/* What a method used in an entry, over all its specs. */
struct share {
    double min, median, max; /* the median is the largest of a spec; NaN: no claim */
};

static bool has_claim(const struct series *series)
{
    return !isnan(series->statistics[METRIC_bound_ratio].max) || !isnan(series->statistics[METRIC_bound_ratio].min);
}

bool bound_chart_applies(const struct results *results, const struct setting *setting)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (setting_has(setting, &results->series[i]) && has_claim(&results->series[i]))
            return true;
    return false;
}

static bool is_bounded(const struct results *results, const struct setting *setting, size_t entry)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (results->series[i].entry == entry && setting_has(setting, &results->series[i]) &&
            has_claim(&results->series[i]))
            return true;
    return false;
}

void bound_chart_arrange(const struct results *results, struct setting *setting)
{
    size_t *arranged = memory_cleared(setting->entry_count, sizeof *arranged), count = 0;
    for (int bounded = 1; bounded >= 0; bounded--) {
        for (size_t i = 0; i < setting->entry_count; i++)
            if (is_bounded(results, setting, setting->entries[i]) == bounded)
                arranged[count++] = setting->entries[i];
        setting->shown = bounded ? count : setting->shown;
    }
    free(setting->entries);
    setting->entries = arranged;
}

/* *measured: it has series there. */
static bool claims_anything(const struct shares *shares, const char *method, bool *measured)
{
    *measured = false;
    for (size_t i = 0; i < shares->results->series_count; i++) {
        const struct series *series = &shares->results->series[i];
        if (!setting_has(shares->setting, series) || strcmp(series->method, method) != 0)
            continue;
        *measured = true;
        if (has_claim(series))
            return true;
    }
    return false;
}

static void choose_methods(struct shares *shares)
{
    const struct study_record *study = &shares->results->study;
    bool measured;
    shares->claims = memory_cleared(study->method_count, sizeof *shares->claims);
    shares->without = memory_cleared(study->method_count, sizeof *shares->without);
    for (size_t m = 0; m < study->method_count; m++) {
        const char *method = study->methods[m].id;
        if (claims_anything(shares, method, &measured))
            shares->claims[shares->claim_count++] = method;
        else if (measured)
            shares->without[shares->without_count++] = method;
    }
    shares->count = panel_methods(shares->claims, shares->claim_count, BOUND_ROWS, shares->drawn);
}

static const char *method_of(const struct shares *shares, size_t row)
{
    return shares->claims[shares->drawn[row]];
}

static struct share share_of(const struct shares *shares, size_t entry, const char *method)
{
    struct share share = {NAN, NAN, NAN};
    for (size_t i = 0; i < shares->results->series_count; i++) {
        const struct series *series = &shares->results->series[i];
        const struct statistics *ratio = &series->statistics[METRIC_bound_ratio];
        if (series->entry != entry || !setting_has(shares->setting, series) || strcmp(series->method, method) != 0 ||
            !has_claim(series))
            continue;
        share.min = fmin(share.min, ratio->min);
        share.median = fmax(share.median, ratio->p50);
        share.max = fmax(share.max, isnan(ratio->max) ? (double)INFINITY : ratio->max);
    }
    return share;
}

static double place(double share)
{
    return share == 0 ? AT_EXACT : 100 * share < LEAST ? AT_LESS : fmin(100 * share, RIGHT_END);
}

/* The first method is the topmost. */
static double row_at(const struct shares *shares, size_t row)
{
    return (double)(shares->count - row);
}

static void percent(double share, char text[NUMBER_TEXT])
{
    if (share > 0 && share < 1e-5) {
        strcpy(text, "< 0.001 %");
        return;
    }
    write_error(100 * share, text);
    strcat(text, " %");
}

/* The number stands at the dot; in the table the range has it. */
static void add_max(struct chart_mark *max, struct chart_mark *above, struct share share, double y)
{
    char text[NUMBER_TEXT];
    percent(share.max, text);
    chart_point(share.max > 1 ? above : max, place(share.max), y, NAN, text);
}

static struct chart_mark *points_of(struct chart_panel *panel, const char *name, enum colour colour)
{
    struct chart_mark *mark = chart_mark(panel, MARK_POINTS, name, colour);
    mark->labelled = mark->off_the_table = true;
    return mark;
}

static void add_panel(struct shares *shares, size_t entry)
{
    struct chart *chart = shares->chart;
    struct chart_panel *panel = chart_panel(chart, shares->results->study.entries[entry].text);
    struct chart_mark *ranges = chart_mark(panel, MARK_RANGE, "least to largest", COLOUR_MAIN);
    struct chart_mark *largest = points_of(panel, "largest", COLOUR_MAIN);
    struct chart_mark *above = points_of(panel, "above its bound", COLOUR_BAD);
    struct chart_mark *medians = chart_mark(panel, MARK_POINTS, "median", COLOUR_SECOND);
    struct chart_mark *exact = chart_mark(panel, MARK_POINTS, "exact wherever it has a bound", COLOUR_GOOD);
    struct chart_mark *whole = chart_mark(panel, MARK_RULE_X, "the whole bound", COLOUR_THEORY);
    exact->off_the_table = true;
    for (size_t row = 0; row < shares->count; row++) {
        const struct share share = share_of(shares, entry, method_of(shares, row));
        const double y = row_at(shares, row);
        if (isnan(share.max))
            continue;
        chart_point(ranges, place(share.min), y, place(share.max), NULL);
        chart_point(medians, place(share.median), y, NAN, NULL);
        if (share.max > 0)
            add_max(largest, above, share, y);
        else
            chart_point(exact, AT_EXACT, y, NAN, NULL); /* over the median */
    }
    chart_point(whole, 100, NAN, NAN, NULL);
}

/* "a, b and c", or "a, b and 7 more" */
static void say_names(FILE *out, const char *const *names, size_t count)
{
    const size_t said = count <= NAMES_MOST ? count : NAMES_MOST - 1;
    for (size_t i = 0; i < said; i++)
        fprintf(out, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", names[i]);
    if (said < count)
        fprintf(out, " and %zu more", count - said);
}

static bool is_drawn(const struct shares *shares, const struct series *series)
{
    for (size_t row = 0; row < shares->count; row++)
        if (strcmp(method_of(shares, row), series->method) == 0)
            return setting_has(shares->setting, series);
    return false;
}

/* Of all parts, not only this one. */
static void say_tightest(const struct shares *shares, FILE *out)
{
    const struct series *tightest = NULL;
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < shares->results->series_count; i++) {
        const struct series *series = &shares->results->series[i];
        const double max = series->statistics[METRIC_bound_ratio].max;
        if (is_drawn(shares, series) && max > 0 && (!tightest || max > tightest->statistics[METRIC_bound_ratio].max))
            tightest = series;
    }
    if (!tightest)
        return;
    percent(tightest->statistics[METRIC_bound_ratio].max, text);
    fprintf(out, " The tightest is that of %s, which reaches %s of its bound on %s.", tightest->method, text,
            tightest->data);
}

static void say_what_is_missing(const struct shares *shares, FILE *out)
{
    panel_methods_say(shares->claims, shares->claim_count, shares->count, " with a bound", out);
    if (shares->without_count > 0) {
        fputs(" No claim is made, and nothing drawn, for ", out);
        say_names(out, shares->without, shares->without_count);
        fputs(".", out);
    }
    const size_t left_out = shares->setting->entry_count - shares->setting->shown;
    if (left_out > 0)
        fprintf(out, " %zu entr%s of the study on which no method has a bound %s left out.", left_out,
                left_out == 1 ? "y" : "ies", left_out == 1 ? "is" : "are");
}

static void write_caption(const struct shares *shares, FILE *out)
{
    fputs("How much of its proven bound each method used: from the least to the largest share, with the largest median "
          "of a spec in orange. At 100 % the data reach what the theorem allows; far to the left it is pessimistic "
          "about these data; beyond the line it would be wrong.",
          out);
    shares->chart->reading = (size_t)ftell(out);
    say_tightest(shares, out);
    say_what_is_missing(shares, out);
}

static void set_words(struct shares *shares, size_t part)
{
    struct chart *chart = shares->chart;
    FILE *out = chart_words(chart);
    write_caption(shares, out);
    fclose(out);
    chart_set(&chart->title, "Share of the proven bound used");
    setting_subtitle(chart, shares->setting, part, "error as a share of its bound");
}

static void set_axes(struct shares *shares)
{
    const struct {
        double at;
        const char *text;
        bool apart;
    } ticks[] = {{AT_EXACT, "exact", true}, {AT_LESS, "less", true}, {1e-6, "10^{-6}", false}, {1e-4, "10^{-4}", false},
                 {0.01, "0.01", false},     {1, "1", false},         {100, "100", false}};
    struct chart *chart = shares->chart;
    chart_set(&chart->x.label, "share of the bound in percent");
    chart_set(&chart->x.unit, "%%");
    chart->x.scale = SCALE_LOG10;
    chart->x.errors = true;
    chart->x.least = LEFT_END;
    chart->x.most = RIGHT_END;
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++)
        chart_tick(&chart->x, ticks[i].at, ticks[i].apart, ticks[i].text);
    chart->y.least = 0.4;
    chart->y.most = (double)shares->count + 0.6;
    for (size_t row = 0; row < shares->count; row++)
        chart_tick(&chart->y, row_at(shares, row), false, results_label(shares->results, method_of(shares, row)));
}

void bound_chart(const struct results *results, const struct setting *setting, size_t part, struct chart *chart)
{
    struct shares shares = {.chart = chart, .results = results, .setting = setting};
    setting_chart_begin(chart, "bound-share", setting, part);
    choose_methods(&shares);
    set_words(&shares, part);
    set_axes(&shares);
    chart->columns = setting->shown > 1 ? 2 : 1;
    chart->panel_height = ROW * (double)shares.count;
    for (size_t i = part * SETTING_PANELS; i < setting->shown && i < (part + 1) * SETTING_PANELS; i++)
        add_panel(&shares, setting->entries[i]);
    if (shares.claim_count == 0)
        chart_set(&chart->missing, "no bound holds for any of these sums");
    free_all(shares.claims, shares.without);
}
