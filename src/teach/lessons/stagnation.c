/* A sum with few bits stands still soon: a harmonic series, a mean, and weights that are updated, in bfloat16. */
#include "src/teach/tools/lesson_tools.h"

#define NATIVE "plain/serial@bfloat16_in_bfloat16"
#define WIDER "plain/serial@bfloat16"

/* The first number that changes nothing, as none after it does: sums of positive numbers from left to right never
 * fall, so that it is found by halving. */
static enum status stands_still_at(const char *method, const struct lesson_data *data, uint64_t *at, float *sum)
{
    struct lesson_sum all, some;
    TRY(lesson_add(method, one_thread, data, &all));
    uint64_t low = 0, high = data->n; /* the sum of `high` numbers is that of all, that of `low` is not */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        TRY(lesson_add_first(method, one_thread, data, middle, &some));
        *(some.computed == all.computed ? &high : &low) = middle;
    }
    *at = high + 1;
    *sum = all.computed;
    return OK;
}

static const struct experiment {
    const char *method, *data;
} harmonic[] = {
    {NATIVE, "harmonic:n=4096,format=bfloat16"},
    {"plain/serial@binary16_in_binary16", "harmonic:n=4096,format=binary16"},
    {"plain/serial", "harmonic:n=2200000"},
};
enum { SERIES = sizeof harmonic / sizeof *harmonic };

/* Half the spacing at the sum, which a term has to exceed: 2^(e-p). */
static double half_ulp(double sum, const struct format *format)
{
    return ldexp(1, ilogb(sum) - format->precision);
}

static enum status harmonic_row(struct sheet *sheet, struct grid *grid, const struct experiment *by)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    uint64_t at = 0;
    float sum = 0;
    char printed[NUMBER_TEXT];
    TRY(lesson_data_made(by->data, 1, &data));
    const struct format *format = data.format;
    TRY(stands_still_at(by->method, &data, &at, &sum));
    const double half = half_ulp((double)sum, format);
    TRY(lesson_claim(sheet, 1 / (double)at <= half && 1 / (double)(at - 2) > half,
                     "the series stands still where a term is no more than half an ulp"));
    OWNED char *prompt =
        text_made("After about how many terms does it stand still in %s, of %d bits?", format->name, format->precision);
    predict_within(2, (double)at, prompt, "When is 1/n less than half the spacing of the sum?",
                   "Term %s is lost first.", grouped_text(at));
    snprintf(printed, sizeof printed, "%.9g", (double)sum);
    grid_add(grid, cell_text("%s", format->name), cell_text("%s", grouped_text(at)),
             cell_toned(TONE_BAD, "%s", printed), cell_text("2^%d", ilogb(half)));
    return OK;
}

static enum status show_harmonic(struct sheet *sheet)
{
    struct grid *grid = sheet_table(sheet, "Where 1 + 1/2 + 1/3 + ... stands still", 1,
                                    "format | > first term that is lost | > the sum, for ever | > half an ulp");
    for (int i = 0; i < SERIES; i++)
        TRY(harmonic_row(sheet, grid, &harmonic[i]));
    return OK;
}

enum { DOUBLINGS = 12 };

static enum status draw_line(struct chart_panel *panel, const char *name, enum colour colour,
                             const struct experiment *by)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    TRY(lesson_data_made(by->data, 1, &data));
    struct chart_mark *line = chart_mark(panel, MARK_LINE, name, colour);
    for (int k = 0; k <= DOUBLINGS; k++) {
        const uint64_t n = UINT64_C(1) << k;
        TRY(lesson_add_first(by->method, one_thread, &data, n, &sum));
        chart_point(line, (double)n, (double)sum.computed, NAN, NULL);
    }
    return OK;
}

static enum status draw_harmonic(struct sheet *sheet)
{
    struct chart *chart = sheet_chart(sheet, "Harmonic series in 16 bits", 220);
    struct chart_panel *panel = chart_panel(chart, "");
    TRY(draw_line(panel, "binary32", COLOUR_QUIET, &(struct experiment){"plain/serial", "harmonic:n=4096"}));
    TRY(draw_line(panel, "binary16", COLOUR_SECOND, &harmonic[1]));
    TRY(draw_line(panel, "bfloat16", COLOUR_BAD, &harmonic[0]));
    lesson_axis(&chart->x, "terms", SCALE_LOG2, 1, 1 << DOUBLINGS);
    lesson_axis(&chart->y, "sum", SCALE_LINEAR, 0, 10);
    chart_set(&chart->caption, "Each format goes along with the others until its spacing is twice the next term; from "
                               "there on its sum is a horizontal line.");
    return OK;
}

static enum status mean_of(const char *method, const struct lesson_data *data, uint64_t n, double *mean)
{
    struct lesson_sum sum;
    TRY(lesson_add_first(method, one_thread, data, n, &sum));
    *mean = (double)sum.computed / (double)n;
    return OK;
}

static enum status mean_row(struct grid *grid, const struct lesson_data *data, uint64_t n, double means[3])
{
    static const char *const methods[] = {"superacc/serial@bfloat16_to_binary32", NATIVE, WIDER};
    grid_row(grid);
    grid_set(grid, 0, TONE_PLAIN, "%s", grouped_text(n));
    for (size_t m = 0; m < 3; m++) {
        TRY(mean_of(methods[m], data, n, &means[m]));
        grid_set(grid, m + 1, TONE_PLAIN, "%.4f", means[m]);
    }
    return OK;
}

static enum status show_mean(struct sheet *sheet)
{
    struct grid *grid = sheet_table(sheet, "The mean of n losses between 0 and 1", 1,
                                    "> n | > exact | > added in bfloat16 | > in binary32, rounded once");
    FREED_BY(lesson_data_free) struct lesson_data losses = {0};
    double means[3] = {0, 0, 0};
    TRY(lesson_data_made("uniform:n=16384,format=bfloat16", 1, &losses));
    for (uint64_t n = 64; n <= losses.n; n *= 4)
        TRY(mean_row(grid, &losses, n, means));
    return lesson_claim(sheet, means[1] < 0.1 * means[0] && fabs(means[2] - means[0]) < 0x1p-8 * means[0],
                        "the mean falls towards 0 in bfloat16, and stays in binary32");
}

enum { UPDATES = 1000 };

static enum status weight_data(float step, struct lesson_data *data)
{
    float x[UPDATES + 1];
    for (int i = 0; i <= UPDATES; i++)
        x[i] = i == 0 ? 1 : (float)rounded_to((double)step, &FORMAT_BFLOAT16);
    return lesson_data_in(&FORMAT_BFLOAT16, x, UPDATES + 1, data);
}

static enum status weight_row(struct grid *grid, const char *method, const struct lesson_data *weight,
                              struct lesson_sum *sum)
{
    TRY(lesson_add(method, (struct launch){1, 64}, weight, sum));
    grid_add(grid, cell_text("%s", method),
             cell_toned(sum->metric[METRIC_ulp_error] > 1 ? TONE_BAD : TONE_GOOD, "%g", (double)sum->computed),
             cell_number(sum->metric[METRIC_ulp_error]));
    return OK;
}

static enum status show_weight(struct sheet *sheet)
{
    static const char *const methods[] = {NATIVE, "plain/pairwise@bfloat16_in_bfloat16",
                                          "kahan/serial@bfloat16_in_bfloat16", WIDER};
    struct grid *grid =
        sheet_table(sheet, "A weight of 1 after a thousand updates by 0.001", 1, "method | > weight | > error (ulp)");
    FREED_BY(lesson_data_free) struct lesson_data weight = {0};
    struct lesson_sum sums[4];
    TRY(weight_data(0.001f, &weight));
    for (int m = 0; m < 4; m++)
        TRY(weight_row(grid, methods[m], &weight, &sums[m]));
    TRY(lesson_claim(sheet, sums[0].computed == 1, "the weight never moves"));
    return lesson_claim(sheet, sums[2].metric[METRIC_ulp_error] <= 1 && sums[3].metric[METRIC_ulp_error] <= 0.5,
                        "Kahan and binary32 keep the updates");
}

static enum status ask_for_halves(struct sheet *sheet)
{
    FREED_BY(lesson_data_free) struct lesson_data halves = {0};
    uint64_t at = 0;
    float sum = 0;
    TRY(lesson_data_made("const:n=1000,value=0.5,format=bfloat16", 1, &halves));
    TRY(stands_still_at(NATIVE, &halves, &at, &sum));
    say_exercise(
        "A loop adds 0.5 in bfloat16, again and again. Where does it stand still, and after how many additions?");
    say_answer("At %g: there bfloat16 has a spacing of 1, 0.5 is half of it, and the tie goes back to the even %g. "
               "Addition %s is the first that is lost. That is 2^7: in units of the step it is 2^8, as for ones.",
               (double)sum, (double)sum, grouped_text(at));
    return OK;
}

static enum status ask_for_order(struct sheet *sheet)
{
    FREED_BY(lesson_data_free) struct lesson_data backward = {0}, forward = {0};
    struct lesson_sum sums[2];
    TRY(lesson_data_made("harmonic:n=4096,format=bfloat16", 1, &forward));
    TRY(lesson_add(NATIVE, one_thread, &forward, &sums[0]));
    TRY(lesson_data_made("harmonic:n=4096,format=bfloat16,order=reversed", 1, &backward));
    TRY(lesson_add(NATIVE, one_thread, &backward, &sums[1]));
    const double nearest = exact_round(backward.exact.sum, &FORMAT_BFLOAT16);
    TRY(lesson_claim(sheet, (double)sums[1].computed < nearest && sums[0].computed < sums[1].computed,
                     "smallest first helps, and not enough"));
    say_exercise("Add 4096 terms of the series in bfloat16, but the smallest first. Does it help?");
    say_answer("A little: %g instead of %g; right would be %g. The small terms meet each other first, but there are so "
               "many of them that their own sum stands still before the large ones come.",
               (double)sums[1].computed, (double)sums[0].computed, nearest);
    return OK;
}

static void open_with_series(struct sheet *sheet)
{
    say_question("A sum in bfloat16 adds positive numbers, again and again. How large does it get?");
    say_prediction("$1 + 1/2 + 1/3 + ...$ grows beyond every limit. After how many terms does it stand still in "
                   "bfloat16, which has 8 bits; in binary16, which has 11; in binary32, which has 24?");
    say_heading("A series that has no end");
    say("Each term is rounded to the format, and so is each addition, as the method `%s` has it:", NATIVE);
}

static void tell_theorem(struct sheet *sheet)
{
    say_theorem(
        "Muller et al., Handbook of Floating-Point Arithmetic, 2018, 2.2; on this series also Malone, Irish "
        "Math. Soc. Bulletin 71 (2013) 59",
        "Let a format have p bits, and let a sum s in it be at least 2^e and below $2^(e+1)$. A positive number "
        "below $2^(e-p)$, half the spacing at s, changes nothing, and one of $2^(e-p)$ changes nothing if the last "
        "bit of s is 0. So $1 + 1/2 + 1/3 + ...$ stands still near term $2^(p-e)$: e is 2 in both formats of 16 "
        "bits, and 3 in binary32.");
}

enum status lesson_stagnation(struct sheet *sheet)
{
    open_with_series(sheet);
    TRY(show_harmonic(sheet));
    say("A sum that stands still gives no sign: it is finite, it is plausible, and it is the same however many terms "
        "follow.");
    TRY(draw_harmonic(sheet));
    tell_theorem(sheet);
    say_heading("A mean that falls");
    say("A training loop adds up losses and divides by their number. The sum stops, the number does not:");
    TRY(show_mean(sheet));
    say_heading("A weight that does not learn");
    say("A weight of 1 gets a thousand updates of 0.001. Beside 1 bfloat16 has a spacing of 2^-7, and 0.001 is less "
        "than half of that:");
    TRY(show_weight(sheet));
    say("The first line is what a loop over bfloat16 weights does. Trees add updates to updates first, which helps "
        "only where all are at hand. Kahan keeps what was lost in a second number. The last line is the usual way: the "
        "weight is kept in binary32, and rounded when it is used. The lesson `wider` is about that.");
    TRY(ask_for_halves(sheet));
    TRY(ask_for_order(sheet));
    say("Go on: `ulpscope gen harmonic:n=8,format=bfloat16` shows the terms, and `ulpscope run -m plain/serial -d "
        "harmonic:n=64..4096*4 --format bfloat16 --accumulate binary32,bfloat16` the errors.");
    return OK;
}
