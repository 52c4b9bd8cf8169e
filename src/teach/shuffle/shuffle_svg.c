#include "shuffle.h"

#include "reports/chart/chart_svg.h"

#include <math.h>

/* The errors of P orders as a picture: bars around the exact sum, and what theory says of them.
 *
 *   bars, around 0    how many orders had such an error        red line   the data in the order as given
 *                                                              others     the bounds, where they are near
 */

static const char how_to_read[] =
    "How often an error occurred: each bar counts the orders whose sum lies so many ulp from the exact one, at 0; "
    "narrower is better. The broken green lines are "
    "what 1 of 1,000 sums exceeds by the probabilistic bound, which grows with the square root of the height, and none "
    "the proven bound; a line that is not there lies outside the picture, or there is none. The red line is the order "
    "as given. Where several methods stand together, the highest bar of each is as high.";

/* Lines of theory that lie farther away would leave nothing of the bars. */
static const double FAR = 6;

enum { PANELS_MOST = 8, ONE_COLUMN = 4, BINS_MOST = 61 };

struct drawn {
    struct chart *chart;
    const struct shuffled *shuffled;
    size_t methods[PANELS_MOST], count;
    bool alone;   /* else each panel is as high as its highest bar, and theory far away has no place */
    double reach; /* the axis goes from -reach to reach */
    double width; /* of a bin */
};

/* ---- who and how far ---- */

/* The widest ones (tally.c); the last panel is for one that no order can move, where they would take all. */
static void choose_methods(struct drawn *drawn)
{
    const struct shuffled *shuffled = drawn->shuffled;
    drawn->count = widest_methods(shuffled, PANELS_MOST, drawn->methods);
    drawn->alone = drawn->count == 1;
    if (drawn->count < PANELS_MOST || shuffled->methods[drawn->methods[PANELS_MOST - 1]].distinct == 1)
        return;
    for (size_t m = shuffled->request->method_count; m-- > 0;)
        if (shuffled->methods[m].distinct == 1)
            drawn->methods[PANELS_MOST - 1] = m;
}

static const struct shuffled_method *method_at(const struct drawn *drawn, size_t i)
{
    return &drawn->shuffled->methods[drawn->methods[i]];
}

/* The bars, the order as given, and of one method alone the theory that is not far away. */
static void choose_reach(struct drawn *drawn)
{
    double least = INFINITY, most = -INFINITY, reach = 1;
    for (size_t i = 0; i < drawn->count; i++) {
        const struct shuffled_method *of = method_at(drawn, i);
        double low, high;
        if (!error_range(of, &low, &high))
            continue;
        least = fmin(least, low), most = fmax(most, high);
        reach = fmax(reach, fmax(fabs(low), fabs(high)));
        if (isfinite(of->given.error) && fabs(of->given.error) < FAR * reach)
            reach = fmax(reach, fabs(of->given.error));
    }
    const double near = FAR * reach;
    for (size_t i = 0; i < drawn->count && drawn->alone; i++) {
        const struct shuffle_theory *theory = &method_at(drawn, i)->theory;
        const double lines[] = {theory->bound, theory->probable};
        for (size_t l = 0; l < sizeof lines / sizeof *lines; l++)
            if (lines[l] <= near)
                reach = fmax(reach, lines[l]);
    }
    drawn->width = most >= least ? error_bins_width(least, most, BINS_MOST) : 1;
    drawn->reach = 1.04 * reach + drawn->width / 2;
}

/* ---- a panel ---- */

static double highest(const struct error_bins *bins)
{
    double most = 1;
    for (size_t i = 0; i < bins->count; i++)
        most = fmax(most, (double)bins->counts[i]);
    return most;
}

static void add_bars(struct chart_panel *panel, const struct error_bins *bins, double scale)
{
    struct chart_mark *bars = chart_mark(panel, MARK_BARS, "orders", COLOUR_MAIN);
    bars->width = 0.86 * bins->width;
    for (size_t i = 0; i < bins->count; i++)
        if (bins->counts[i] > 0)
            chart_point(bars, (bins->first + (double)i) * bins->width, scale * (double)bins->counts[i], NAN, NULL);
}

static struct chart_mark *add_rules(const struct drawn *drawn, struct chart_panel *panel, const char *name,
                                    enum colour colour, const double *at, size_t count)
{
    struct chart_mark *rules = chart_mark(panel, MARK_RULE_X, name, colour);
    rules->off_the_table = true;
    for (size_t i = 0; i < count; i++)
        if (fabs(at[i]) <= drawn->reach)
            chart_point(rules, at[i], NAN, NAN, NULL);
    return rules;
}

/* Alone, with what may lie outside the picture. */
static void set_note(const struct drawn *drawn, struct chart_panel *panel, const struct shuffled_method *of)
{
    char bound[NUMBER_TEXT], sums[96];
    int length = snprintf(sums, sizeof sums, "%zu different sum%s", of->distinct, of->distinct == 1 ? "" : "s");
    if (of->overflowed > 0)
        snprintf(sums + length, sizeof sums - (size_t)length, "; overflow in %" PRIu64 " orders, not drawn",
                 of->overflowed);
    write_error(of->theory.bound, bound);
    if (!drawn->alone || isinf(of->theory.bound))
        chart_set(&panel->note, "%s", sums);
    else if (isnan(of->theory.probable))
        chart_set(&panel->note, "%s; bound: proven \u00b1%s ulp", sums, bound);
    else
        chart_set(&panel->note, "%s; bounds: probable \u00b1%s ulp, proven \u00b1%s ulp", sums,
                  error_text(of->theory.probable), bound);
}

static void add_panel(const struct drawn *drawn, size_t i)
{
    const struct shuffled_method *of = method_at(drawn, i);
    struct chart_panel *panel = chart_panel(drawn->chart, of->method->id);
    const double probable[] = {-of->theory.probable, of->theory.probable}, zero = 0;
    const double bound[] = {-of->theory.bound, of->theory.bound};
    FREED_BY(error_bins_free) struct error_bins bins = {0};
    set_note(drawn, panel, of);
    error_bins_make(of, drawn->width, &bins);
    const double most = highest(&bins), scale = drawn->alone ? 1 : 1 / most;
    drawn->chart->y.most = fmax(drawn->chart->y.most, 1.1 * scale * most);
    add_bars(panel, &bins, scale);
    add_rules(drawn, panel, "probabilistic bound, \u221an", COLOUR_MODEL, probable, 2)->dashed = true;
    add_rules(drawn, panel, "proven bound", COLOUR_THEORY, bound, 2);
    add_rules(drawn, panel, "exact sum", COLOUR_QUIET, &zero, 1)->dashed = true;
    add_rules(drawn, panel, "order as given", COLOUR_BAD, &of->given.error, isfinite(of->given.error) ? 1 : 0);
}

/* ---- the chart ---- */

static void set_words(struct drawn *drawn)
{
    const struct shuffle_request *request = drawn->shuffled->request;
    struct chart *chart = drawn->chart;
    chart_set(&chart->title, "%s", request->spec->text);
    chart_set(&chart->subtitle, "%" PRIu64 " numbers in %" PRIu64 " orders, seed %" PRIu64 ", %u x %u; one bar %g ulp",
              drawn->shuffled->exact.n, request->permutations, request->seed, request->launch.blocks,
              request->launch.threads, drawn->width);
    chart_set(&chart->caption, "%s", how_to_read);
    chart->reading = strlen(how_to_read);
    chart_set(&chart->x.label, "error computed - s, in ulp of %s (%s)",
              drawn->shuffled->unit_is_of_s ? "s" : "the largest |x|", hex_text(drawn->shuffled->unit));
    chart_set(&chart->x.name, "error");
    chart_set(&chart->x.unit, "ulp");
    chart_set(&chart->y.label, "orders");
}

enum status shuffled_write_svg(const struct shuffled *shuffled, const char *path)
{
    FREED_BY(chart_free) struct chart chart = {0};
    struct drawn drawn = {.chart = &chart, .shuffled = shuffled};
    if (shuffled->exact.kind != EXACT_FINITE)
        return bad_input("--svg %s: the exact sum is not finite, so that no sum has an error; expected finite data; "
                         "leave --svg out, or leave such numbers out with --nonfinite skip",
                         path);
    chart_begin(&chart, "shuffle");
    choose_methods(&drawn);
    choose_reach(&drawn);
    set_words(&drawn);
    chart.columns = drawn.count > ONE_COLUMN ? 2 : 1;
    chart.panel_height = drawn.alone ? 260 : 96;
    chart.y.hidden = !drawn.alone;
    chart.x.least = -drawn.reach;
    chart.x.most = drawn.reach;
    for (size_t i = 0; i < drawn.count; i++)
        add_panel(&drawn, i);
    return chart_svg_write(&chart, path);
}
