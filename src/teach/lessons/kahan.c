#include "src/teach/tools/lesson_steps.h"

static const float grains[] = {0x1p24f, 1, 1, 1, 1};
enum { GRAINS = sizeof grains / sizeof *grains };

static void show_steps(struct sheet *sheet, const struct lesson_step *plain, const struct lesson_step *kahan)
{
    struct grid *grid = sheet_table(sheet, "plain and Kahan, addition by addition", 1,
                                    "> x | > plain: sum | > kahan: sum | > excess | > sum - excess");
    for (size_t i = 0; i < GRAINS; i++)
        grid_add(grid, cell_short(kahan[i].x), cell_text("%.0f", plain[i].sum), cell_text("%.0f", kahan[i].sum),
                 cell_short(-kahan[i].rest),
                 cell_text("%.0f", kahan[i].sum + kahan[i].rest)); /* below 2^53: exact in binary64 */
}

static void show_bits(struct sheet *sheet, const struct lesson_step *plain, const struct lesson_step *kahan)
{
    static const char name[] = "the last sums, as they are stored";
    bits_head(sheet, name, &FORMAT_BINARY32);
    bits_line(sheet, name, "plain: sum", plain[GRAINS - 1].sum, &FORMAT_BINARY32);
    bits_line(sheet, name, "kahan: sum", kahan[GRAINS - 1].sum, &FORMAT_BINARY32);
    bits_line(sheet, name, "after three ones", kahan[3].sum, &FORMAT_BINARY32);
    bits_line(sheet, name, "  and the excess", -kahan[3].rest, &FORMAT_BINARY32);
}

static enum status step_by_step(struct sheet *sheet)
{
    struct lesson_step plain[GRAINS], kahan[GRAINS];
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    double plain_lost = 0, kahan_lost = 0;
    TRY(lesson_data_of(grains, GRAINS, &data));
    TRY(lesson_steps("plain/serial", &data, plain));
    TRY(lesson_steps("kahan/serial", &data, kahan));
    for (size_t i = 0; i < GRAINS; i++) {
        plain_lost += plain[i].lost;
        kahan_lost += fabs(kahan[i].lost);
    }
    TRY(lesson_claim(sheet, plain_lost == -4 && kahan_lost == 0, "plain loses four ones and Kahan none"));
    TRY(lesson_claim(sheet, kahan[1].rest == 1 && kahan[2].rest == 0 && kahan[3].rest == -1, "the excess is -1, 0, 1"));
    show_steps(sheet, plain, kahan);
    predict(-kahan[1].rest, "What is `excess` after the first 1 was added to $2^24$?",
            "t is $2^24$. What is t - sum, and y?", "t stayed where it was: (t - sum) - y is 0 - 1.");
    predict(kahan[GRAINS - 1].sum, "And the sum after all four ones?", "What does y become when excess is -1?",
            "Two ones together fit, so that none is lost.");
    say("The column `excess` is a small box beside the sum. The first 1 does not fit, t stays where it was, and (t - "
        "sum) - y says what went wrong: %.0f, one too little. The next 1 takes it along, y = 1 + 1 = 2, and 2 does "
        "fit. The third 1 is halfway between two neighbours again; this tie, to even, goes up, and the excess is %.0f. "
        "The last column is what both numbers are worth together: it never loses anything here, while plain lost %.0f "
        "in all.",
        -kahan[1].rest, -kahan[3].rest, -plain_lost);
    show_bits(sheet, plain, kahan);
    return OK;
}

enum { FIRST_POWER = 6, LAST_POWER = 18, SEEDS = 10, PLACES = (LAST_POWER - FIRST_POWER) / 2 + 1 };

/* |computed - s| in units of u sum |x_i|: the largest of ten sums. */
struct errors {
    double n[PLACES], plain[PLACES], kahan[PLACES];
};

static enum status measure_one(uint64_t n, uint64_t seed, double *plain, double *kahan)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    char spec[64];
    snprintf(spec, sizeof spec, "uniform:n=%llu", (unsigned long long)n);
    TRY(lesson_data_made(spec, seed, &data));
    TRY(lesson_add("plain/serial", one_thread, &data, &sum));
    *plain = fmax(*plain, sum.metric[METRIC_backward_error] * 0x1p24);
    TRY(lesson_add("kahan/serial", one_thread, &data, &sum));
    *kahan = fmax(*kahan, sum.metric[METRIC_backward_error] * 0x1p24);
    return OK;
}

static enum status measure(struct errors *errors)
{
    *errors = (struct errors){0};
    for (size_t i = 0; i < PLACES; i++) {
        const uint64_t n = UINT64_C(1) << (FIRST_POWER + 2 * i);
        errors->n[i] = (double)n;
        for (uint64_t seed = 1; seed <= SEEDS; seed++)
            TRY(measure_one(n, seed, &errors->plain[i], &errors->kahan[i]));
    }
    return OK;
}

/* Exact sums, which have no place on a logarithmic axis, are its foot. */
static const double LEAST = 0.1;

static void line(struct chart_panel *panel, const char *name, enum colour colour, const double *x, const double *y)
{
    struct chart_mark *mark = chart_mark(panel, MARK_LINE, name, colour);
    for (size_t i = 0; i < PLACES; i++)
        chart_point(mark, x[i], fmax(y[i], LEAST), NAN, NULL);
}

static void draw(struct sheet *sheet, const struct errors *errors)
{
    struct chart *chart = sheet_chart(sheet, "kahan-error-n", 240);
    struct chart_panel *panel = chart_panel(chart, "");
    double worst[PLACES];
    for (size_t i = 0; i < PLACES; i++)
        worst[i] = errors->n[i] - 1;
    chart_set(&chart->title, "Error against n, numbers between 0 and 1");
    chart_set(&chart->caption,
              "The largest error of %d sums, in units of u sum |x_i|. The dashed line is the worst case of plain "
              "summation, n - 1.",
              SEEDS);
    lesson_axis(&chart->x, "n", SCALE_LOG2, errors->n[0], errors->n[PLACES - 1]);
    lesson_axis(&chart->y, "error in u sum |x_i|", SCALE_LOG10, LEAST, 1e6);
    line(panel, "plain/serial", COLOUR_BAD, errors->n, errors->plain);
    line(panel, "kahan/serial", COLOUR_MAIN, errors->n, errors->kahan);
    line(panel, "n - 1", COLOUR_THEORY, errors->n, worst);
    panel->marks[2]->dashed = true;
}

static enum status error_against_n(struct sheet *sheet)
{
    struct errors errors;
    double kahan_most = 0;
    TRY(measure(&errors));
    for (size_t i = 0; i < PLACES; i++)
        kahan_most = fmax(kahan_most, errors.kahan[i]);
    TRY(lesson_claim(sheet, kahan_most <= 2 && errors.plain[PLACES - 1] > 4 * errors.plain[0],
                     "plain's error grows with n and Kahan's does not"));
    draw(sheet, &errors);
    say("For n = 2^%d plain's error reached %s units of $u sum |x_i|$; Kahan's was never above %s, for any n here. "
        "That is the point: the error no longer knows how many numbers there are.",
        LAST_POWER, rounded_text(errors.plain[PLACES - 1]), rounded_text(kahan_most));
    return OK;
}

static enum status small_print(struct sheet *sheet)
{
    static const float five[] = {0x1.000002p26f, 0x1p50f, -0x1.bffffep27f, 0x1.000006p50f, -0x1p2f};
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    TRY(lesson_data_of(five, 5, &data));
    TRY(lesson_add("kahan/serial", one_thread, &data, &sum));
    const double units = sum.metric[METRIC_backward_error] * 0x1p24;
    TRY(lesson_claim(sheet, units > 2 && sum.metric[METRIC_bound_ratio] <= 1, "2u is exceeded and P4 is not"));
    say_theorem("Higham 2002, section 4.3; the algorithm: Kahan, CACM 8 (1965) 40",
                "$|computed - s| <= (2u + O(n u^2)) sum |x_i|$: n is in the small second-order term alone. Plain "
                "summation has $(n - 1)u$ there.");
    say_theorem("docs/bounds.md, P4",
                "In numbers, nothing hidden in an O: $|computed - s| <= u/(1+u) |s| + (1+u) [(1 + 2u + 2u^2)(1 + "
                "5u^2)^k - 1] sum |x_i|$, $k = n - 1$ from left to right; about $u |s| + 2u sum |x_i|$.");
    say("Do not read the first line as `at most 2u`. These five numbers, added from left to right by `kahan/serial`, "
        "have an error of %s $u sum |x_i|$; P4 allows them %s:",
        rounded_text(units), rounded_text(sum.bound / data.exact.sum_abs_above * 0x1p24));
    for (size_t i = 0; i < 5; i++)
        sheet_line(sheet, "five numbers", "%a", (double)five[i]);
    return OK;
}

static enum status ask(struct sheet *sheet)
{
    float back[GRAINS + 1];
    struct lesson_step plain[GRAINS + 1], kahan[GRAINS + 1];
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    memcpy(back, grains, sizeof grains);
    back[GRAINS] = -0x1p24f;
    TRY(lesson_data_of(back, GRAINS + 1, &data));
    TRY(lesson_steps("plain/serial", &data, plain));
    TRY(lesson_steps("kahan/serial", &data, kahan));
    TRY(lesson_claim(sheet, kahan[GRAINS].sum == 4 && plain[GRAINS].sum == 0, "four ones are left"));
    say_exercise("Go on with the table by hand: the next x is -2^24. What are y, t and the new excess, and what has "
                 "plain summation?");
    say_answer("The excess is %.0f, so y = -2^24, t = %.0f, and (t - sum) - y = %.0f: Kahan has %.0f, the ones are all "
               "there. Plain has %.0f.",
               -kahan[GRAINS - 1].rest + 0.0, kahan[GRAINS].sum, -kahan[GRAINS].rest + 0.0, kahan[GRAINS].sum,
               plain[GRAINS].sum);
    return OK;
}

enum status lesson_kahan(struct sheet *sheet)
{
    static const char name[] = "Kahan's addition of x";
    say_question("2^24 + 1 + 1 + 1 + 1: plain summation in binary32 stands still at 2^24. Can we keep the ones with "
                 "binary32 alone, without a wider format?");
    say_prediction(
        "Kahan keeps a second number, `excess`, that says by how much the sum is too large. It starts at 0. Go through "
        "these four lines for each of the five numbers, and write down sum and excess after each:");
    sheet_line(sheet, name, "y = x - excess;");
    sheet_line(sheet, name, "t = sum + y;               rounds: the low bits of y may get lost");
    sheet_line(sheet, name, "excess = (t - sum) - y;    what was added, less what should have been");
    sheet_line(sheet, name, "sum = t;");
    say_heading("The run");
    TRY(step_by_step(sheet));
    say_heading("Longer sums");
    TRY(error_against_n(sheet));
    TRY(small_print(sheet));
    TRY(ask(sheet));
    say("Go on: `ulpscope explain plain/serial kahan/serial --data uniform:n=1e4` finds the fewest numbers on which "
        "plain summation and Kahan still differ.");
    return OK;
}
