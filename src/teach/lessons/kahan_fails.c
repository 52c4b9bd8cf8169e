#include "src/teach/tools/lesson_steps.h"

static const float four[] = {1, 0x1p60f, 1, -0x1p60f};
enum { FOUR = sizeof four / sizeof *four };

static enum status add(const char *method, const float *x, uint64_t n, struct lesson_sum *sum)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    TRY(lesson_data_of(x, n, &data));
    return lesson_add(method, one_thread, &data, sum);
}

static void show_steps(struct sheet *sheet, const struct lesson_step *steps)
{
    struct grid *grid = sheet_table(sheet, "Kahan, addition by addition", 1,
                                    "> x | > y | > t, the new sum | > excess | > lost for good");
    for (size_t i = 0; i < FOUR; i++) {
        const float excess = i == 0 ? 0 : -(float)steps[i - 1].rest; /* a number of binary32, as it was */
        grid_add(grid, cell_short(steps[i].x), cell_short((double)((float)steps[i].x - excess)),
                 cell_short(steps[i].sum), cell_short(-steps[i].rest), cell_short(-steps[i].lost));
    }
}

static enum status step_by_step(struct sheet *sheet)
{
    struct lesson_step steps[FOUR];
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum kahan, two_sum, neumaier;
    TRY(lesson_data_of(four, FOUR, &data));
    TRY(lesson_steps("kahan/serial", &data, steps));
    TRY(lesson_add("kahan/serial", one_thread, &data, &kahan));
    TRY(lesson_add("kahan_two_sum/serial", one_thread, &data, &two_sum));
    TRY(lesson_add("neumaier/serial", one_thread, &data, &neumaier));
    TRY(lesson_claim(sheet, steps[1].lost == -1 && steps[2].rest == 1 && steps[3].lost == -1,
                     "two ones are lost, one when the large number comes and one when it goes"));
    TRY(lesson_claim(sheet, two_sum.computed != 2 && neumaier.computed == 2, "Neumaier saves both"));
    show_steps(sheet, steps);
    predict((double)kahan.computed, "How many of the two ones survive?", "What is y in each line, rounded?",
            "One goes when $2^60$ comes, and one when it leaves.");
    say("Kahan has %g instead of 2, and the two ones went for two reasons. The first when 2^60 came: (t - sum) - y is "
        "sure to be the rounding error only while the sum is the larger of the two; here t - sum was itself rounded, "
        "and the excess is %.0f. Small before large is Kahan's blind spot. The second 1 was kept, the excess says so; "
        "but it must travel with the next number, and y = -2^60 + 1 has no room for it.",
        (double)kahan.computed, -steps[1].rest + 0.0);
    say("Would an exact error cure it? `kahan_two_sum` is Kahan with one, in any order of size: it has %g. The cure is "
        "not to push the correction into the next number at all, but to add the corrections up apart: `neumaier` has "
        "%g.",
        (double)two_sum.computed, (double)neumaier.computed);
    return OK;
}

enum { FIRST_EXPONENT = 16, LAST_EXPONENT = 40, EXPONENTS = LAST_EXPONENT - FIRST_EXPONENT + 1 };

static const struct rival {
    const char *method;
    enum colour colour;
} rivals[] = {{"plain/serial", COLOUR_BAD}, {"kahan/serial", COLOUR_MAIN}, {"neumaier/serial", COLOUR_GOOD}};
enum { PLAIN, KAHAN, NEUMAIER, RIVALS };

/* What each makes of 1 + 2^e + 1 - 2^e. */
static enum status sweep_sizes(struct lesson_sum sums[EXPONENTS][RIVALS])
{
    for (int i = 0; i < EXPONENTS; i++) {
        const float big = ldexpf(1, FIRST_EXPONENT + i), x[] = {1, big, 1, -big};
        for (size_t m = 0; m < RIVALS; m++)
            TRY(add(rivals[m].method, x, 4, &sums[i][m]));
    }
    return OK;
}

static void draw_sizes(struct sheet *sheet, struct lesson_sum sums[EXPONENTS][RIVALS])
{
    struct chart *chart = sheet_chart(sheet, "kahan-fails-size", 170);
    struct chart_panel *panel = chart_panel(chart, "");
    chart_set(&chart->title, "1 + B + 1 - B, computed");
    chart_set(&chart->caption, "The exact sum is 2 for every B.");
    lesson_axis(&chart->x, "B", SCALE_LOG2, ldexp(1, FIRST_EXPONENT), ldexp(1, LAST_EXPONENT));
    lesson_axis(&chart->y, "computed sum", SCALE_LINEAR, -0.5, 3);
    for (size_t m = 0; m < RIVALS; m++) {
        struct chart_mark *mark = chart_mark(panel, MARK_LINE, rivals[m].method, rivals[m].colour);
        for (int i = 0; i < EXPONENTS; i++)
            chart_point(mark, ldexp(1, FIRST_EXPONENT + i), (double)sums[i][m].computed, NAN, NULL);
    }
}

static enum status tell_sizes(struct sheet *sheet)
{
    struct lesson_sum sums[EXPONENTS][RIVALS];
    int right = 0, gone = EXPONENTS; /* so many are right; from there on all are 0 */
    bool neumaier = true;
    TRY(sweep_sizes(sums));
    while (right < EXPONENTS && sums[right][KAHAN].computed == 2)
        right++;
    while (gone > 0 && sums[gone - 1][KAHAN].computed == 0)
        gone--;
    for (int i = 0; i < EXPONENTS; i++)
        neumaier &= sums[i][NEUMAIER].computed == 2;
    TRY(lesson_claim(sheet, right > 0 && right <= gone && gone < EXPONENTS && neumaier,
                     "Kahan fails where B is large"));
    draw_sizes(sheet, sums);
    say("It need not be 2^60. Up to B = 2^%d Kahan is right; from 2^%d on nothing is left. What counts is the "
        "condition number, $sum |x_i| / |s|$, here about B: once 2u times it reaches 1, at 2^23, theory promises Kahan "
        "no digit.",
        FIRST_EXPONENT + right - 1, FIRST_EXPONENT + gone);
    return OK;
}

static enum status overflow(struct sheet *sheet)
{
    static const float x[] = {0x1.fffffep127f, 0x1.8p102f, 0x1.8p102f, -0x1.8p103f};
    static const char *const methods[] = {"plain/serial", "kahan/serial", "neumaier/serial", "superacc/serial"};
    struct lesson_sum sums[4];
    static const char name[] = "sums near the largest number";
    for (size_t m = 0; m < 4; m++)
        TRY(add(methods[m], x, 4, &sums[m]));
    TRY(lesson_claim(sheet, isfinite(sums[0].computed) && isinf(sums[1].computed) && sums[3].computed == x[0],
                     "Kahan overflows where plain does not"));
    say("At the end of the range keeping more can hurt. The largest binary32, then twice 1.5 x 2^102, which is less "
        "than half an ulp, then both off again:");
    for (size_t m = 0; m < 4; m++)
        sheet_line(sheet, name, "%-16s %a", methods[m], (double)sums[m].computed);
    say("Plain forgets the small ones, stays finite and is %s ulp off. Kahan collects them until the sum overflows, "
        "and there is no way back from infinity. The exact sum is the last line.",
        rounded_text(sums[0].metric[METRIC_ulp_error]));
    return OK;
}

static enum status fast_math(struct sheet *sheet)
{
    static const float x[] = {0x1p24f, 1, 1, 1, 1};
    const struct method *removed = broken_find("kahan_unused", "serial");
    struct lesson_sum plain, kahan;
    float computed;
    TRY(add("plain/serial", x, 5, &plain));
    TRY(add("kahan/serial", x, 5, &kahan));
    TRY(method_sum(removed, x, 5, one_thread, 1, &computed));
    TRY(lesson_claim(sheet, computed == plain.computed && kahan.computed != plain.computed,
                     "Kahan without its correction is plain"));
    say("And a compiler may take the correction away. In real numbers (t - sum) - y, with t = sum + y, is 0; "
        "`-ffast-math` allows gcc to calculate like that, and then Kahan is plain summation that looks like Kahan. We "
        "cannot show it with the flag, as `ulpscope` refuses to be built with it. But `kahan_unused`, one of the "
        "broken sums that its tests use, computes the correction and ignores it: 2^24 + 1 + 1 + 1 + 1 is %.0f with it, "
        "%.0f with `plain`, %.0f with `kahan`.",
        (double)computed, (double)plain.computed, (double)kahan.computed);
    return OK;
}

static enum status theorem(struct sheet *sheet)
{
    struct lesson_sum kahan;
    TRY(add("kahan/serial", four, FOUR, &kahan));
    TRY(lesson_claim(sheet, kahan.metric[METRIC_bound_ratio] <= 1 && kahan.bound > 2,
                     "the bound holds and is of no use"));
    say_theorem(
        "docs/bounds.md, P4; to first order Higham 2002, section 4.3",
        "$|computed - s|$ is at most about $u |s| + 2u sum |x_i|$, so that the relative error is at most about $u + "
        "2u$ times the condition number. For 1 + 2^60 + 1 - 2^60 the bound is %s: the theorem holds, and "
        "promises nothing. Kahan's method did not break its word.",
        rounded_text(kahan.bound));
    return OK;
}

/* The next of all orders of the places 0 to 3; false after the last. */
static bool next_order(int place[4])
{
    int i = 2, j = 3;
    while (i >= 0 && place[i] > place[i + 1])
        i--;
    if (i < 0)
        return false;
    while (place[j] < place[i])
        j--;
    const int swapped = place[i];
    place[i] = place[j], place[j] = swapped;
    for (int a = i + 1, b = 3; a < b; a++, b--) {
        const int other = place[a];
        place[a] = place[b], place[b] = other;
    }
    return true;
}

static enum status ask(struct sheet *sheet)
{
    int place[4] = {0, 1, 2, 3}, right[RIVALS] = {0}, orders = 0;
    bool as_said = true; /* plain and Kahan are right just where both large numbers come first */
    do {
        const float x[4] = {four[place[0]], four[place[1]], four[place[2]], four[place[3]]};
        const bool large_first = x[0] + x[1] == 0;
        for (size_t m = 0; m < RIVALS; m++) {
            struct lesson_sum sum;
            TRY(add(rivals[m].method, x, 4, &sum));
            right[m] += sum.computed == 2;
            as_said &= m == NEUMAIER || large_first == (sum.computed == 2);
        }
        orders++;
    } while (next_order(place));
    TRY(lesson_claim(sheet, right[NEUMAIER] == orders && as_said, "only Neumaier is right in every order"));
    say_exercise("1, 2^60, 1 and -2^60 have %d orders (with the two ones told apart). In how many of them does plain "
                 "summation find 2? And Kahan, and Neumaier? Which orders are they?",
                 orders);
    say_answer("Plain %d, Kahan %d, Neumaier %d of %d. Plain and Kahan need both large numbers first: a 1 that comes "
               "before or between them is lost, and here Kahan is no better than plain.",
               right[PLAIN], right[KAHAN], right[NEUMAIER], orders);
    return OK;
}

enum status lesson_kahan_fails(struct sheet *sheet)
{
    say_question("1 + 2^60 + 1 - 2^60 is 2. What does Kahan's method say?");
    say_prediction("Go through the four lines of the lesson `kahan` by hand: y, t, excess, sum. (2^60 + 1 and 2^60 - 1 "
                   "round to 2^60.) How many of the two ones survive, and where do the others go?");
    say_heading("The run");
    TRY(step_by_step(sheet));
    say_heading("How large is too large?");
    TRY(tell_sizes(sheet));
    TRY(theorem(sheet));
    say_heading("Two more ways to fail");
    TRY(overflow(sheet));
    TRY(fast_math(sheet));
    TRY(ask(sheet));
    say("Go on: `ulpscope blame kahan/serial kahan_killer:n=64 --top 5` shows where Kahan's bits go on data made "
        "against him, and `ulpscope explain kahan/serial neumaier/serial --data kahan_killer:n=64` what the next "
        "lesson's method does there.");
    return OK;
}
