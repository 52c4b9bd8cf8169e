#include "shuffle_chart.h"

#include "error_bins.h"

#include "../../reports/charts/panel_methods.h"
#include "../../src/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char how_to_read[] =
    "How often an error occurred: each bar counts the orders whose sum lies so many ulp from the exact one, at 0; "
    "narrower is better. The curve is what a model expects of these data in random orders; the broken "
    "lines are what 1 of 1,000 sums exceeds by the probabilistic bound, which grows with the square root of the "
    "height, "
    "and the full ones the bound that is proven; a line that is not there lies outside the picture, or there is none. "
    "The orange line is the order as given.";

/* Lines of theory that lie farther away would leave nothing of the bars. */
static const double FAR = 6;

enum { PANELS_MOST = 8, ONE_COLUMN = 4, BINS_MOST = 61, CURVE_POINTS = 121 };

struct drawn {
    struct chart *chart;
    const struct shuffled *shuffled;
    size_t methods[PANELS_MOST], count;
    double reach; /* the axis goes from -reach to reach */
    double width; /* of a bin */
};

/* ---- who and how far ---- */

static enum status choose_methods(struct drawn *drawn, size_t method)
{
    const size_t count = drawn->shuffled->request->method_count;
    if (method != SIZE_MAX) {
        drawn->methods[0] = method;
        drawn->count = 1;
        return OK;
    }
    const char **ids = calloc(count + 1, sizeof *ids);
    if (!ids)
        return out_of_memory("a picture");
    for (size_t m = 0; m < count; m++)
        ids[m] = drawn->shuffled->methods[m].method->id;
    drawn->count = panel_methods(ids, count, PANELS_MOST, drawn->methods);
    free(ids);
    return OK;
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
    for (size_t i = 0; i < drawn->count && drawn->count == 1; i++) {
        const struct shuffle_theory *theory = &method_at(drawn, i)->theory;
        const double lines[] = {theory->bound, theory->probable, fabs(theory->mean) + 3.5 * theory->sigma};
        for (size_t l = 0; l < sizeof lines / sizeof *lines; l++)
            if (lines[l] <= near)
                reach = fmax(reach, lines[l]);
    }
    drawn->width = most >= least ? error_bins_width(least, most, BINS_MOST) : 1;
    drawn->reach = 1.04 * reach + drawn->width / 2;
}

/* ---- a panel ---- */

static enum status add_bars(const struct drawn *drawn, struct chart_panel *panel, const struct shuffled_method *of,
                            double *highest)
{
    struct chart_mark *bars = chart_mark(drawn->chart, panel, MARK_BARS, "orders", COLOUR_MAIN);
    struct error_bins bins;
    TRY(error_bins_make(of, drawn->width, &bins));
    bars->width = 0.86 * bins.width;
    for (size_t i = 0; i < bins.count; i++) {
        if (bins.counts[i] > 0)
            chart_point(drawn->chart, bars, (bins.first + (double)i) * bins.width, (double)bins.counts[i], NAN, NULL);
        *highest = fmax(*highest, (double)bins.counts[i]);
    }
    error_bins_free(&bins);
    return OK;
}

/* The density of the normal distribution, in orders a bin. */
static void add_curve(const struct drawn *drawn, struct chart_panel *panel, const struct shuffled_method *of,
                      double *highest)
{
    static const double one_over_root_2_pi = 0x1.9884533d43651p-2;
    const double sigma = of->theory.sigma;
    if (!(sigma > 0))
        return;
    struct chart_mark *curve = chart_mark(drawn->chart, panel, MARK_LINE, "model of these data", COLOUR_MODEL);
    curve->off_the_table = true;
    for (int i = 0; i < CURVE_POINTS; i++) {
        const double z = 8.0 * i / (CURVE_POINTS - 1) - 4;
        const double y = (double)of->finite * drawn->width / sigma * one_over_root_2_pi * exp(-z * z / 2);
        const double x = of->theory.mean + z * sigma;
        if (fabs(x) <= drawn->reach)
            chart_point(drawn->chart, curve, x, y, NAN, NULL);
        *highest = fmax(*highest, y);
    }
}

static struct chart_mark *add_rules(const struct drawn *drawn, struct chart_panel *panel, const char *name,
                                    enum chart_colour colour, const double *at, size_t count)
{
    struct chart_mark *rules = chart_mark(drawn->chart, panel, MARK_RULE_X, name, colour);
    rules->off_the_table = true;
    for (size_t i = 0; i < count; i++)
        if (fabs(at[i]) <= drawn->reach)
            chart_point(drawn->chart, rules, at[i], NAN, NAN, NULL);
    return rules;
}

static enum status add_panel(const struct drawn *drawn, size_t i, double *highest)
{
    const struct shuffled_method *of = method_at(drawn, i);
    struct chart_panel *panel = chart_panel(drawn->chart, of->method->id);
    const double probable[] = {-of->theory.probable, of->theory.probable}, zero = 0;
    const double bound[] = {-of->theory.bound, of->theory.bound};
    chart_set(drawn->chart, &panel->note, "%zu different sum%s", of->distinct, of->distinct == 1 ? "" : "s");
    TRY(add_bars(drawn, panel, of, highest));
    add_curve(drawn, panel, of, highest);
    add_rules(drawn, panel, "probable bound, \u221an", COLOUR_MODEL, probable, 2)->dashed = true;
    add_rules(drawn, panel, "proven bound", COLOUR_THEORY, bound, 2);
    add_rules(drawn, panel, "exact sum", COLOUR_GOOD, &zero, 1)->dashed = true;
    add_rules(drawn, panel, "order as given", COLOUR_SECOND, &of->given.error, isfinite(of->given.error) ? 1 : 0);
    return OK;
}

/* ---- the chart ---- */

/* "plain/serial" in a file name: "plain-serial". */
static void set_name(struct drawn *drawn, size_t method)
{
    chart_set(drawn->chart, &drawn->chart->name, "shuffle");
    if (method == SIZE_MAX)
        return;
    chart_set(drawn->chart, &drawn->chart->name, "shuffle-%s", method_at(drawn, 0)->method->id);
    for (char *c = drawn->chart->name; c && *c; c++)
        *c = *c == '/' ? '-' : *c;
}

static void set_words(struct drawn *drawn)
{
    const struct shuffle_request *request = drawn->shuffled->request;
    struct chart *chart = drawn->chart;
    char unit[NUMBER_TEXT];
    write_hex(drawn->shuffled->unit, unit);
    chart_set(chart, &chart->title, "%s", request->spec->text);
    chart_set(chart, &chart->subtitle,
              "%" PRIu64 " numbers in %" PRIu64 " orders, seed %" PRIu64 ", %u x %u; one bar "
              "%g ulp",
              drawn->shuffled->exact.n, request->permutations, request->seed, request->launch.blocks,
              request->launch.threads, drawn->width);
    chart_set(chart, &chart->caption, "%s", how_to_read);
    chart->reading = strlen(how_to_read);
    chart_set(chart, &chart->x.label, "error computed - s, in ulp of %s (%s)",
              drawn->shuffled->unit_is_of_s ? "s" : "the largest |x|", unit);
    chart_set(chart, &chart->x.name, "error");
    chart_set(chart, &chart->x.unit, "ulp");
    chart_set(chart, &chart->y.label, "orders");
}

enum status shuffle_chart(const struct shuffled *shuffled, size_t method, struct chart *chart)
{
    struct drawn drawn = {.chart = chart, .shuffled = shuffled};
    double highest = 1;
    chart_begin(chart, "shuffle");
    TRY(choose_methods(&drawn, method));
    choose_reach(&drawn);
    set_name(&drawn, method);
    set_words(&drawn);
    chart->columns = drawn.count > ONE_COLUMN ? 2 : 1;
    chart->x.least = -drawn.reach;
    chart->x.most = drawn.reach;
    for (size_t i = 0; i < drawn.count; i++)
        TRY(add_panel(&drawn, i, &highest));
    chart->y.most = 1.1 * highest;
    if (shuffled->exact.kind != EXACT_FINITE)
        chart_set(chart, &chart->missing, "the exact sum is not finite");
    return chart->failed ? out_of_memory("a picture") : OK;
}
