/* The largest error that the search had found, against the calls that it had spent. */
#include "attack_result.h"

#include "reports/chart/chart_svg.h"

#include <math.h>

static const char how_to_read[] =
    "The largest error that had been found after so many sums, and at each point what found it. The dashed line is the "
    "proven bound, where the error is a share of it: no sum lies above.";

/* The first that is not 0; the steps rise. */
static double least_of(const struct attack_find *find)
{
    for (size_t s = 0; s < find->step_count; s++)
        if (find->steps[s].value > 0)
            return find->steps[s].value;
    return find->value;
}

static void set_axes(struct chart *chart, const struct attack_result *attacked)
{
    const struct attack_find *find = &attacked->find;
    const bool is_share = attacked->request.climbs == ATTACK_BOUND;
    chart_set(&chart->x.label, "calls");
    chart->x.scale = SCALE_LOG10;
    chart->x.least = 1;
    chart->x.most = 10 * (double)find->calls;
    chart_set(&chart->y.label, is_share ? "share of the bound" : "error in ulp");
    chart->y.most = is_share ? fmax(1.05, find->value) : 2 * find->value;
    if (is_share)
        return;
    chart->y.scale = SCALE_LOG10; /* errors in ulp have no end */
    chart->y.least = least_of(find) / 2;
}

static void add_point(struct chart_mark *mark, double calls, double value, const char *by)
{
    if (value > 0)
        chart_point(mark, calls, value, NAN, by);
}

static void add_curve(struct chart_panel *panel, const struct attack_find *find)
{
    struct chart_mark *line = chart_mark(panel, MARK_LINE, "largest error", COLOUR_MAIN);
    double before = NAN;
    for (size_t s = 0; s < find->step_count; s++) {
        const struct attack_step *step = &find->steps[s];
        if (!isnan(before))
            add_point(line, (double)step->calls, before, NULL);
        add_point(line, (double)step->calls, step->value, NULL);
        before = step->value;
    }
    add_point(line, (double)find->calls, before, NULL);
}

static void add_makers(struct chart_panel *panel, const struct attack_find *find)
{
    struct chart_mark *points = chart_mark(panel, MARK_POINTS, "found by", COLOUR_MAIN);
    points->labelled = true;
    points->off_the_table = true;
    for (size_t s = SIZE_MAX; attack_result_next_told(find, &s);)
        add_point(points, (double)find->steps[s].calls, find->steps[s].value, find->steps[s].by);
}

enum status attack_result_write_svg(const struct attack_result *attacked, const char *path)
{
    const struct attack_request *request = &attacked->request;
    FREED_BY(chart_free) struct chart chart = {0};
    chart_begin(&chart, "attack");
    chart_set(&chart.title, "%s", request->method->id);
    chart_set(&chart.subtitle, "%" PRIu64 " numbers, %u x %u, seed %" PRIu64, request->n, request->launch.blocks,
              request->launch.threads, request->seed);
    chart_set(&chart.caption, "%s", how_to_read);
    chart.reading = sizeof how_to_read - 1;
    chart.columns = 1;
    chart.panel_height = 260;
    set_axes(&chart, attacked);
    struct chart_panel *panel = chart_panel(&chart, request->method->id);
    add_curve(panel, &attacked->find);
    add_makers(panel, &attacked->find);
    if (request->climbs == ATTACK_BOUND) {
        struct chart_mark *rule = chart_mark(panel, MARK_RULE_Y, "proven bound", COLOUR_THEORY);
        rule->dashed = true;
        rule->off_the_table = true;
        chart_point(rule, NAN, 1, NAN, NULL);
    }
    if (!isfinite(attacked->find.value) || !(attacked->find.value > 0))
        chart_set(&chart.missing, "no finite error was found");
    return chart_svg_write(&chart, path);
}
