#include "condition_errors.h"

#include <math.h>

/* ---- measuring ---- */

static void see(const struct lesson_sum *sum, size_t method, size_t at, struct condition_errors *errors)
{
    errors->relative[method][at] = fmax(errors->relative[method][at], sum->metric[METRIC_relative_error]);
    errors->backward[method][at] = fmax(errors->backward[method][at], sum->metric[METRIC_backward_error]);
    errors->ulps[method][at] = fmax(errors->ulps[method][at], sum->metric[METRIC_ulp_error]);
}

static enum status add_set(int exponent, uint64_t seed, size_t at, struct condition_errors *errors)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    char spec[64];
    snprintf(spec, sizeof spec, "gensum:n=%d,cond=1e%d", CONDITION_N, exponent);
    TRY(lesson_data_made(spec, seed, &data));
    errors->condition[at] = fmax(errors->condition[at], data.exact.condition);
    for (size_t m = 0; m < errors->of.method_count; m++) {
        TRY(lesson_add(errors->of.methods[m], one_thread, &data, &sum));
        see(&sum, m, at, errors);
    }
    return OK;
}

enum status condition_errors_measure(const struct condition_request *request, struct condition_errors *errors)
{
    *errors = (struct condition_errors){.of = *request};
    for (int e = request->first; e <= request->last && errors->count < CONDITIONS_MOST; e += request->step) {
        for (uint64_t seed = 1; seed <= CONDITION_SETS; seed++)
            TRY(add_set(e, seed, errors->count, errors));
        errors->count++;
    }
    return OK;
}

int digits_right(double relative_error)
{
    if (relative_error == 0)
        return DBL_DIG; /* more than any format that is looked at shows */
    return relative_error < 1 ? (int)floor(-log10(relative_error)) : 0;
}

/* ---- the picture ---- */

/* Exact sums, which have no place on a logarithmic axis, are at its foot. */
static const double LEAST = 1e-9;

static void draw_method(const struct condition_errors *errors, size_t method, struct chart_panel *panel)
{
    static const enum colour colours[] = {COLOUR_BAD, COLOUR_UNKNOWN, COLOUR_SECOND, COLOUR_MAIN, COLOUR_MAIN};
    const bool last = method == errors->of.method_count - 1;
    struct chart_mark *mark =
        chart_mark(panel, MARK_LINE, errors->of.methods[method], last ? COLOUR_GOOD : colours[method]);
    mark->dashed = !last && method == 4; /* of one colour with the one before */
    mark->rank = (unsigned)method;
    for (size_t i = 0; i < errors->count; i++)
        chart_point(mark, errors->condition[i], fmax(errors->relative[method][i], LEAST), NAN, NULL);
}

static double largest_error(const struct condition_errors *errors, double unit)
{
    double most = unit * errors->condition[errors->count - 1];
    for (size_t m = 0; m < errors->of.method_count; m++)
        for (size_t i = 0; i < errors->count; i++)
            most = fmax(most, errors->relative[m][i]);
    return most;
}

void condition_errors_draw(const struct condition_errors *errors, double unit, const char *theory, struct chart *chart)
{
    struct chart_panel *panel = chart_panel(chart, "");
    struct chart_mark *line = chart_mark(panel, MARK_LINE, theory, COLOUR_THEORY);
    struct chart_mark *one = chart_mark(panel, MARK_RULE_Y, "no correct digit above", COLOUR_QUIET);
    const double most = pow(10, ceil(log10(largest_error(errors, unit))));
    lesson_axis(&chart->x, "condition number", SCALE_LOG10, 1, errors->condition[errors->count - 1] * 1.01);
    lesson_axis(&chart->y, "relative error, the largest of ten sums", SCALE_LOG10, LEAST, most);
    line->dashed = true;
    line->rank = one->rank = (unsigned)errors->of.method_count;
    one->off_the_table = true;
    chart_point(one, NAN, 1, NAN, NULL);
    for (size_t i = 0; i < errors->count; i++)
        if (unit * errors->condition[i] >= LEAST)
            chart_point(line, errors->condition[i], unit * errors->condition[i], NAN, NULL);
    for (size_t m = 0; m < errors->of.method_count; m++)
        draw_method(errors, m, panel);
}
