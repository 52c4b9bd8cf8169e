/* E[x^2] - E[x]^2 takes two numbers from each other that agree in their first bits: what is left may be negative. */
#include "src/teach/tools/lesson_tools.h"

#include <math.h>

static const float readings[] = {10001, 10002, 10003, 10004};
enum { READINGS = sizeof readings / sizeof *readings };

/* ---- four readings ---- */

/* Each operation in binary32, beside the same without rounding: of so few digits all of binary64 are exact. */
static enum status write_operations(struct sheet *sheet)
{
    enum { A, B, M, Q, E, V, STEPS };
    static const char *const names[STEPS] = {"A(x)",      "A(x * x)",         "m = A(x) / n",
                                             "q = m * m", "e = A(x * x) / n", "v = e - q"};
    float makes[STEPS] = {0};
    double exactly[STEPS] = {0};
    for (int i = 0; i < READINGS; i++) {
        makes[A] += readings[i];
        makes[B] += readings[i] * readings[i];
        exactly[A] += (double)readings[i];
        exactly[B] += (double)readings[i] * (double)readings[i];
    }
    makes[M] = makes[A] / READINGS;
    makes[Q] = makes[M] * makes[M];
    makes[E] = makes[B] / READINGS;
    makes[V] = makes[E] - makes[Q];
    exactly[M] = exactly[A] / READINGS;
    exactly[Q] = exactly[M] * exactly[M];
    exactly[E] = exactly[B] / READINGS;
    exactly[V] = exactly[E] - exactly[Q];
    struct grid *grid = sheet_table(sheet, "E[x^2] - E[x]^2", 1, "step | > makes | > without rounding");
    for (int i = 0; i < STEPS; i++)
        grid_add(
            grid, cell_text("%s", names[i]),
            cell_toned((double)makes[i] == exactly[i] ? TONE_PLAIN : TONE_BAD, "%s", plainly_text((double)makes[i])),
            cell_text("%s", double_text(exactly[i])));
    return lesson_claim(sheet, makes[V] == -8, "the last subtraction gives -8");
}

static enum status tell_readings(struct sheet *sheet)
{
    static const char *const methods[] = {"variance.textbook:plain/serial", "std.textbook:plain/serial",
                                          "variance.two_pass:plain/serial", "variance.welford:plain/serial"};
    enum { TEXTBOOK, ROOT, TWO_PASS, WELFORD, METHODS };
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sums[METHODS];
    say_heading("Four readings");
    TRY(lesson_data_of(readings, READINGS, &data));
    for (int m = 0; m < METHODS; m++)
        TRY(lesson_add(methods[m], one_thread, &data, &sums[m]));
    say("In binary32 the mean of the squares less the square of the mean is %s, and its root is %s. A is the sum, "
        "added from left to right:",
        format_text(&FORMAT_BINARY32, (double)sums[TEXTBOOK].computed),
        isnan(sums[ROOT].computed) ? "not a number" : format_text(&FORMAT_BINARY32, (double)sums[ROOT].computed));
    TRY(write_operations(sheet));
    say("e and q are near 10^8, where binary32 has a spacing of 8, and the variance is 1.25. The last subtraction is "
        "exact, as in the lesson `cancellation`: it shows what was lost before. Computed otherwise nothing is: two "
        "passes, which square the numbers less their mean, -1.5 to 1.5, give %s, and Welford's single pass, which "
        "carries the mean along, %s.",
        format_text(&FORMAT_BINARY32, (double)sums[TWO_PASS].computed),
        format_text(&FORMAT_BINARY32, (double)sums[WELFORD].computed));
    return lesson_claim(
        sheet, isnan(sums[ROOT].computed) && sums[TWO_PASS].class == CLASS_EXACT && sums[WELFORD].class == CLASS_EXACT,
        "the root is NaN, and two passes and Welford's are exact");
}

/* ---- farther and farther from 0 ---- */

enum { ALGORITHMS = 5, OFFSETS = 10, SETS = 10, N = 1000 };
enum { BY_BOOK = 0, BY_WELFORDS = 1, BY_SHIFT = 2, BY_PASSES = 3 };
static const struct {
    const char *method, *name;
    enum colour colour;
} algorithms[ALGORITHMS] = {
    {"variance.textbook:plain/serial", "textbook", COLOUR_BAD},
    {"variance.welford:plain/serial", "welford", COLOUR_UNKNOWN},
    {"variance.shifted:plain/serial", "shifted", COLOUR_SECOND},
    {"variance.two_pass:plain/serial", "two_pass", COLOUR_GOOD},
    {"variance.two_pass_corrected:plain/serial", "corrected", COLOUR_MAIN},
};

struct offsets {
    double relative[ALGORITHMS][OFFSETS]; /* the largest of the sets */
    int negative[OFFSETS];                /* of textbook */
};

static enum status measure(struct offsets *offsets)
{
    for (int k = 0; k < OFFSETS; k++)
        for (uint64_t seed = 1; seed <= SETS; seed++) {
            FREED_BY(lesson_data_free) struct lesson_data data = {0};
            char spec[64];
            snprintf(spec, sizeof spec, "spread:n=%d,kappa=0x1p%d", N, 2 * k);
            TRY(lesson_data_made(spec, seed, &data));
            for (int a = 0; a < ALGORITHMS; a++) {
                struct lesson_sum sum;
                TRY(lesson_add(algorithms[a].method, one_thread, &data, &sum));
                offsets->relative[a][k] = fmax(offsets->relative[a][k], sum.metric[METRIC_relative_error]);
                offsets->negative[k] += a == BY_BOOK && sum.class == CLASS_NEGATIVE;
            }
        }
    return OK;
}

static int first_lost(const struct offsets *offsets, int algorithm)
{
    int k = 0;
    while (k < OFFSETS && offsets->relative[algorithm][k] < 1)
        k++;
    return 2 * k;
}

static void show(struct sheet *sheet, const struct offsets *offsets)
{
    struct grid *grid =
        sheet_table(sheet, "The largest relative error of ten variances", 1,
                    "> mean / sd | > textbook | > negative | > welford | > shifted | > two_pass | > corrected");
    struct chart *chart = sheet_chart(sheet, "Relative error of a variance over the mean in standard deviations", 240);
    struct chart_panel *panel = chart_panel(chart, "");
    for (int k = 0; k < OFFSETS; k++) {
        grid_row(grid);
        grid_set(grid, 0, TONE_PLAIN, "2^%d", 2 * k);
        grid_set(grid, 2, offsets->negative[k] ? TONE_BAD : TONE_PLAIN, "%d", offsets->negative[k]);
        for (int a = 0; a < ALGORITHMS; a++)
            grid_number(grid, (size_t)(a == 0 ? 1 : a + 2), offsets->relative[a][k]);
    }
    for (int a = 0; a < ALGORITHMS; a++) {
        struct chart_mark *line = chart_mark(panel, MARK_LINE, algorithms[a].name, algorithms[a].colour);
        for (int k = 0; k < OFFSETS; k++)
            chart_point(line, ldexp(1, 2 * k), fmax(offsets->relative[a][k], 1e-9), NAN, NULL);
    }
    lesson_axis(&chart->x, "mean / standard deviation", SCALE_LOG2, 1, ldexp(1, 2 * OFFSETS - 2));
    lesson_axis(&chart->y, "largest relative error", SCALE_LOG10, 1e-9, 1e9);
    chart_set(&chart->caption, "%d numbers of binary32, %d data sets each; from 1 on no digit is right.", N, SETS);
}

static enum status tell_offsets(struct sheet *sheet)
{
    struct offsets offsets = {0};
    say_heading("Farther and farther from 0");
    TRY(measure(&offsets));
    say("The family `spread` makes numbers whose mean is kappa standard deviations from 0:");
    show(sheet, &offsets);
    const int book = first_lost(&offsets, BY_BOOK);
    predict_within(
        4, ldexp(1, book), "At how many standard deviations from 0 has $E[x^2] - E[x]^2$ no correct digit any more?",
        "The variance is a share of $1/kappa^2$ of the squares, which are rounded to a share of u.", "$2^%d$.", book);
    say("From 2^%d on $E[x^2] - E[x]^2$ has no correct digit. The variance is a share of $1/kappa^2$ of the squares, "
        "and these are rounded to a share of u: once the two are alike, what is left is noise, of either sign. "
        "Welford's errors grow with kappa alone. Two passes pay for the rounding of the mean, squared, which the "
        "corrected ones take off again. To subtract the first number before the textbook's formula helps as much, as "
        "long as it is near the others.",
        book);
    TRY(lesson_claim(sheet, book > 4 && book <= 12 && offsets.negative[book / 2] > 0,
                     "the textbook formula has lost all digits at 2^12, and is negative"));
    return lesson_claim(
        sheet, first_lost(&offsets, BY_PASSES) == 2 * OFFSETS && first_lost(&offsets, BY_WELFORDS) == 2 * OFFSETS,
        "two passes and Welford have digits left at 2^18");
}

static enum status tell_exercise(struct sheet *sheet)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum shifted, passes;
    say_exercise(
        "Subtract the first number from all, then take $E[x^2] - E[x]^2$. Which first number is the worst one, and "
        "how large is kappa of the differences then? Try `spread:n=1000,shape=outlier,kappa=64`.");
    TRY(lesson_data_made("spread:n=1000,shape=outlier,kappa=64", 1, &data));
    TRY(lesson_add(algorithms[BY_SHIFT].method, one_thread, &data, &shifted));
    TRY(lesson_add(algorithms[BY_PASSES].method, one_thread, &data, &passes));
    say_answer(
        "One that lies at a distance d from all others, which are alike: the squares are d^2 then, the variance "
        "$d^2 / n$, and kappa is the root of n, whatever d. Of the 1,000 numbers of the hint it has a relative error "
        "of %s, two passes %s: better than without it, and not good.",
        rounded_text(shifted.metric[METRIC_relative_error]), rounded_text(passes.metric[METRIC_relative_error]));
    return lesson_claim(sheet, shifted.metric[METRIC_relative_error] > 100 * passes.metric[METRIC_relative_error],
                        "a first number far from all others costs digits");
}

/* ---- the sheet ---- */

enum status lesson_variance(struct sheet *sheet)
{
    say_question(
        "A variance is a mean of squares, so it is never below 0. A program prints -8 for that of 10001, 10002, "
        "10003 and 10004, and NaN for the standard deviation. How?");
    say_prediction(
        "The formula is $E[x^2] - E[x]^2$, in binary32. How far from 0, in standard deviations, may numbers lie "
        "until it has no correct digit? And Welford's formula, and two passes?");
    TRY(tell_readings(sheet));
    TRY(tell_offsets(sheet));
    say_heading("What programs do");
    say("NumPy takes two passes, PyTorch Welford's states, merged in a tree. Layers of Flax take $E[x^2] - E[x]^2$ "
        "unless use_fast_variance=False says otherwise, and clip what is negative to 0: then no NaN warns that no "
        "digit is right. It is faster, since it needs one pass and no division, and harmless where means are near 0.");
    say_theorem(
        "Chan, Golub & LeVeque, The American Statistician 37(3) (1983) 242; docs/bounds.md, Means and variances",
        "With $kappa = ||x|| / ||x - mean||$, relative errors are about $n u kappa^2$ by $E[x^2] - E[x]^2$, $n u "
        "kappa$ by Welford's formula and $n u + (n u kappa)^2$ by two passes. docs/bounds.md has what is proven of "
        "each, with constants.");
    TRY(tell_exercise(sheet));
    say("Go on: `ulpscope run -m 'variance.*' -d spread:n=1000` compares the algorithms, and "
        "`ulpscope attack variance.welford:plain/serial --budget 1e4` finds the offset at which a method breaks.");
    return OK;
}
