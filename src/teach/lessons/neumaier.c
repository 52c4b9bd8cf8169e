#include "src/teach/tools/lesson_steps.h"

static const float four[] = {1, 0x1p60f, 1, -0x1p60f};
enum { FOUR = sizeof four / sizeof *four };

static void show_steps(struct sheet *sheet, const struct lesson_step steps[FOUR])
{
    struct grid *grid =
        sheet_table(sheet, "Neumaier, addition by addition", 1, "> x | > sum | > error of this addition | > lost");
    for (size_t i = 0; i < FOUR; i++)
        grid_add(grid, cell_short(steps[i].x), cell_short(steps[i].sum),
                 cell_short(steps[i].rest - (i > 0 ? steps[i - 1].rest : 0)), cell_short(steps[i].rest));
}

static enum status tell_steps(struct sheet *sheet)
{
    struct lesson_step steps[FOUR];
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum, kahan;
    TRY(lesson_data_of(four, FOUR, &data));
    TRY(lesson_steps("neumaier/serial", &data, steps));
    TRY(lesson_add("neumaier/serial", one_thread, &data, &sum));
    TRY(lesson_add("kahan/serial", one_thread, &data, &kahan));
    TRY(lesson_claim(sheet, sum.computed == 2 && kahan.computed == 0, "Neumaier saves what Kahan loses"));
    show_steps(sheet, steps);
    predict(steps[FOUR - 1].rest, "What is in `lost` after 1, $2^60$, 1, $-2^60$?",
            "Which additions round, and what do they lose?", "Both ones are, and no large number met them there.");
    say("`sum` goes its way as in plain summation and ends at %.0f. The errors wait in `lost`, where no large number "
        "meets them, and join once, at the end: %.0f + %.0f = %g. Kahan had %g.",
        steps[FOUR - 1].sum, steps[FOUR - 1].sum, steps[FOUR - 1].rest, (double)sum.computed, (double)kahan.computed);
    return OK;
}

/* 2^22, then 0.1 again and again: less than half the spacing of 2^22, so that the plain sum stands still. */
static const float head = 0x1p22f, grain = 0.1f;
enum { FIRST_POWER = 6, LAST_POWER = 20, PLACES = (LAST_POWER - FIRST_POWER) / 2 + 1, METHODS = 4 };

static const struct rival {
    const char *method;
    enum colour colour;
} rivals[METHODS] = {{"plain/serial", COLOUR_QUIET},
                     {"kahan/serial", COLOUR_MAIN},
                     {"neumaier/serial", COLOUR_BAD},
                     {"klein/serial", COLOUR_MODEL}};
enum { PLAIN, KAHAN, NEUMAIER, KLEIN };

static enum status grains_made(uint64_t n, struct lesson_data *data)
{
    OWNED float *x = malloc((n + 1) * sizeof *x);
    TRY(x ? OK : out_of_memory("the numbers of a lesson"));
    x[0] = head;
    for (uint64_t i = 1; i <= n; i++)
        x[i] = grain;
    return lesson_data_of(x, n + 1, data);
}

struct run {
    double ulps[PLACES][METHODS];
    float last[METHODS];    /* computed, of the longest */
    double plain_of_grains; /* and the error, in the same ulp, of adding only the grains plainly */
};

static enum status measure(int place, struct run *run)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    FREED_BY(lesson_data_free) struct lesson_data grains = {0};
    struct lesson_sum sum;
    TRY(grains_made(UINT64_C(1) << (FIRST_POWER + 2 * place), &data));
    for (size_t m = 0; m < METHODS; m++) {
        TRY(lesson_add(rivals[m].method, one_thread, &data, &sum));
        run->ulps[place][m] = sum.metric[METRIC_ulp_error];
        run->last[m] = sum.computed;
    }
    TRY(lesson_data_of(data.x + 1, data.n - 1, &grains));
    TRY(lesson_add("plain/serial", one_thread, &grains, &sum));
    run->plain_of_grains = sum.metric[METRIC_abs_error] / data.exact.ulp;
    return OK;
}

/* Exact sums, which have no place on a logarithmic axis, are its foot. */
static const double LEAST = 0.1;

static void draw(struct sheet *sheet, const struct run *run)
{
    struct chart *chart = sheet_chart(sheet, "neumaier-error-n", 240);
    struct chart_panel *panel = chart_panel(chart, "");
    chart_set(&chart->title, "2^22 + n times 0.1: error against n");
    chart_set(&chart->caption, "One sum for each point. Kahan's line lies under Klein's as far as that is flat.");
    lesson_axis(&chart->x, "n", SCALE_LOG2, ldexp(1, FIRST_POWER), ldexp(1, LAST_POWER));
    lesson_axis(&chart->y, "error in ulp", SCALE_LOG10, LEAST, 1e6);
    for (size_t m = 0; m < METHODS; m++) {
        struct chart_mark *mark = chart_mark(panel, MARK_LINE, rivals[m].method, rivals[m].colour);
        for (int i = 0; i < PLACES; i++)
            chart_point(mark, ldexp(1, FIRST_POWER + 2 * i), fmax(run->ulps[i][m], LEAST), NAN, NULL);
    }
}

static void show(struct sheet *sheet, const struct run *run)
{
    struct grid *grid = sheet_table(sheet, "2^22 + 0.1 + 0.1 + ...", 1, "method | > computed | > error in ulp");
    for (size_t m = 0; m < METHODS; m++)
        grid_add(grid, cell_text("%s", rivals[m].method), cell_text("%.9g", (double)run->last[m]),
                 cell_number(run->ulps[PLACES - 1][m]));
}

static enum status tell_worse(struct sheet *sheet)
{
    struct run run;
    for (int i = 0; i < PLACES; i++)
        TRY(measure(i, &run));
    const double *last = run.ulps[PLACES - 1];
    TRY(lesson_claim(sheet,
                     last[KAHAN] <= 1 && last[NEUMAIER] > 100 * last[KAHAN] && last[KLEIN] > 1 &&
                         last[KLEIN] < last[NEUMAIER] && run.last[PLAIN] == head,
                     "Neumaier is worse than Kahan"));
    TRY(lesson_claim(sheet, fabs(run.plain_of_grains - last[NEUMAIER]) <= 1, "lost is a plain sum of the grains"));
    say("You will read that Neumaier's method is always at least as accurate as Kahan's. Try 2^22, then %s times 0.1 "
        "(the binary32 next to it). Each 0.1 is less than half the spacing of 2^22, so that the sum never moves and "
        "every error is a whole 0.1:",
        grouped_text(UINT64_C(1) << LAST_POWER));
    show(sheet, &run);
    predict_choice(last[KAHAN] > last[NEUMAIER],
                   "And of $2^22$ and a million times 0.1, who is nearer to the exact sum?", "How is `lost` added up?",
                   CHOICES("Kahan's method", "Neumaier's method"), "Kahan is wrong by %s ulp, Neumaier by %s.",
                   rounded_text(last[KAHAN]), error_text(last[NEUMAIER]));
    say("Neumaier is wrong by %s ulp, Kahan by %s. Who keeps a second sum must add it up, and `lost` is added up "
        "plainly: here all of the grains go there, and it has the error that plain summation of 0.1 + 0.1 + ... has, "
        "to within an ulp. Kahan hands his correction back to the sum as soon as it is large enough to count, so that "
        "it stays small and loses next to nothing.",
        rounded_text(last[NEUMAIER]), rounded_text(last[KAHAN]));
    draw(sheet, &run);
    return OK;
}

/* The least n from which on Neumaier's bound is above Kahan's, for numbers of one sign that add up to 1. */
static uint64_t bounds_cross(void)
{
    const struct method *neumaier = method_find("neumaier/serial"), *kahan = method_find("kahan/serial");
    const struct magnitudes one = {1, 1, 1, NULL};
    uint64_t below = 2, above = UINT64_C(1) << 24;
    while (above - below > 1) {
        const uint64_t n = below + (above - below) / 2;
        if (method_bound(neumaier, n, one_thread, &one) > method_bound(kahan, n, one_thread, &one))
            above = n;
        else
            below = n;
    }
    return above;
}

static enum status tell_theory(struct sheet *sheet)
{
    const uint64_t cross = bounds_cross();
    TRY(lesson_claim(sheet, cross > 1000 && cross < 100000, "the bounds cross"));
    say_theorem(
        "docs/bounds.md, P2; the method: Neumaier, ZAMM 54 (1974) 39",
        "$|computed - s| <= u/(1+u) |s| + (1+u) D sum |x_i|$, $D = min((n-1)(n-2)u^2, ((1 + u/(1+u))^k - 1)^2)$, $k "
        "= n - 1$ from left to right. Kahan's is about $u |s| + 2u sum |x_i|$ (P4): no n, but a whole 2u.");
    say("So each has its own ground. Where numbers cancel, $sum |x_i|$ is far above |s|, and Neumaier's $n^2 u^2$ is "
        "far below Kahan's 2u as long as n is small. Where n is large the square grows: for numbers of one sign "
        "Neumaier's bound is above Kahan's from n = %s on. For shorter sums of one sign it is the better one. `klein` "
        "keeps the errors of `lost` as well, and begins to fail in the picture later.",
        grouped_text(cross));
    return OK;
}

static enum status ask(struct sheet *sheet)
{
    static const float x[] = {0x1p56f, 0x1p28f, 1, -0x1p56f, -0x1p28f};
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum neumaier, klein;
    TRY(lesson_data_of(x, 5, &data));
    TRY(lesson_add("neumaier/serial", one_thread, &data, &neumaier));
    TRY(lesson_add("klein/serial", one_thread, &data, &klein));
    TRY(lesson_claim(sheet, neumaier.computed == 0 && klein.computed == 1, "two boxes hold two sizes"));
    say_exercise("`sum` and `lost` are two boxes. Find five numbers whose sum is 1 and for which Neumaier finds 0. "
                 "(Think of three sizes.)");
    say_answer("M^2, M, 1, -M^2, -M, with M = 2^28: `sum` has M^2, `lost` has M, and 1 is rounded away where it meets "
               "M. Neumaier %g, Klein, who has a third box, %g. The family `compensation_chain` makes such numbers for "
               "any count of boxes.",
               (double)neumaier.computed, (double)klein.computed);
    return OK;
}

enum status lesson_neumaier(struct sheet *sheet)
{
    static const char name[] = "Neumaier's addition of x";
    say_question("Neumaier adds the rounding errors up apart. That saves what Kahan loses in 1 + 2^60 + 1 - 2^60. Is "
                 "it always the better method?");
    sheet_line(sheet, name, "t = sum + x;");
    sheet_line(sheet, name, "error = |sum| >= |x| ? (sum - t) + x : (x - t) + sum;    exact");
    sheet_line(sheet, name, "lost += error;                                           rounds");
    sheet_line(sheet, name, "sum = t;");
    sheet_line(sheet, name, "result: sum + lost");
    say_prediction("Go through 1, 2^60, 1, -2^60. Then think of 2^22 + 0.1 + 0.1 + ..., a million times 0.1: what is "
                   "in `lost` at the end, and how was it added up?");
    say_heading("What it saves");
    TRY(tell_steps(sheet));
    say_heading("Where Kahan is better");
    TRY(tell_worse(sheet));
    TRY(tell_theory(sheet));
    TRY(ask(sheet));
    say("Go on: `ulpscope explain neumaier/serial klein/serial --data compensation_chain:n=5` shows the five numbers "
        "of the answer.");
    return OK;
}
