/* Below the smallest normal number: gradual underflow, and what is lost where a processor flushes to zero. */
#include "src/teach/tools/lesson_tools.h"

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

/* Subnormal operands and results count as 0, as with FTZ and DAZ of x86 and with -ftz=true on a GPU. */
static float flushed(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

static float by_rule(float a, float b)
{
    return flushed(flushed(a) + flushed(b));
}

/* The processor itself, in that mode for one addition, which volatile keeps between the two switches; elsewhere than on
 * x86 the rule. */
static float flushing(float a, float b)
{
#ifdef __SSE2__
    enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };
    const unsigned before = _mm_getcsr();
    volatile float left = a, right = b, sum;
    _mm_setcsr(before | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    sum = left + right;
    _mm_setcsr(before);
    return sum;
#else
    return by_rule(a, b);
#endif
}

static float gradual(float a, float b)
{
    return a + b;
}

typedef float addition(float a, float b);

static enum status tell_difference(struct sheet *sheet)
{
    const float x = 1.5f * FLT_MIN, y = FLT_MIN, kept = gradual(x, -y), gone = flushing(x, -y);
    say_heading("x is not y, and x - y is 0");
    bits_head(sheet, "a difference of small numbers", &FORMAT_BINARY32);
    bits_line(sheet, "a difference of small numbers", "x", (double)x, &FORMAT_BINARY32);
    bits_line(sheet, "a difference of small numbers", "y, least normal", (double)y, &FORMAT_BINARY32);
    bits_line(sheet, "a difference of small numbers", "x - y, IEEE 754", (double)kept, &FORMAT_BINARY32);
    bits_line(sheet, "a difference of small numbers", "x - y, flushed", (double)gone, &FORMAT_BINARY32);
    TRY(lesson_claim(sheet, x != y && kept != 0 && y + kept == x && gone == 0,
                     "a difference of normal numbers is subnormal, and 0 where it is flushed"));
    TRY(lesson_claim(sheet, float_same(flushing(x, -y), by_rule(x, -y)), "this processor flushes by the rule"));
    say("Numbers with the exponent field 0 are subnormal: their hidden bit is 0 instead of 1, and they fill the gap "
        "between 0 and the least normal number with the same spacing that holds just above it. That is gradual "
        "underflow. A processor that flushes to zero takes such operands and results as 0 to save work, and leaves the "
        "gap empty. Then a test like `if (x != y) z = 1 / (x - y)` divides by %s.",
        gone == 0 ? "0" : "something else");
    return OK;
}

enum { BINADES = 12, PAIRS = 4000 };

/* Pairs from [2^e, 2^(e+1)) that differ and whose difference is flushed. */
static enum status count_flushed(const struct sheet *sheet, int exponent, uint64_t *vanished, uint64_t *lost)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    char spec[96];
    bool alike = true;
    *vanished = *lost = 0;
    snprintf(spec, sizeof spec, "uniform:n=%d,low=0x1p%d,high=0x1p%d", 2 * PAIRS, exponent, exponent + 1);
    TRY(lesson_data_made(spec, 1, &data));
    for (int i = 0; i < PAIRS; i++) {
        const float x = data.x[2 * i], y = data.x[2 * i + 1];
        *vanished += x != y && flushing(x, -y) == 0;
        *lost += x != y && gradual(x, -y) == 0;
        alike &= float_same(flushing(x, -y), by_rule(x, -y)) != 0;
    }
    return lesson_claim(sheet, alike, "this processor flushes by the rule");
}

static enum status tell_how_often(struct sheet *sheet)
{
    struct chart *chart = sheet_chart(sheet, "Differences x - y that are flushed to 0, in % of the pairs", 130);
    struct chart_panel *panel = chart_panel(chart, "");
    struct chart_mark *bars = chart_mark(panel, MARK_BARS, "% of pairs", COLOUR_MAIN);
    const int least = FLT_MIN_EXP - 1;
    uint64_t lost_in_all = 0, vanished, lost, first = 0, last = 0;
    bars->width = 0.8;
    for (int e = 0; e < BINADES; e++) {
        char label[32];
        TRY(count_flushed(sheet, least + e, &vanished, &lost));
        snprintf(label, sizeof label, "2^%d", least + e);
        chart_point(bars, e, 100.0 * (double)vanished / PAIRS, NAN, label);
        snprintf(label, sizeof label, "2^{%d}", least + e);
        chart_tick(&chart->x, e, false, label);
        lost_in_all += lost;
        first = e == 0 ? vanished : first;
        last = vanished;
    }
    lesson_axis(&chart->x, "both numbers are between this and twice this", SCALE_LINEAR, -0.6, BINADES - 0.4);
    lesson_axis(&chart->y, "% of pairs", SCALE_LINEAR, 0, 105);
    TRY(lesson_claim(sheet, first > PAIRS * 9 / 10 && last < PAIRS / 100,
                     "flushing loses fewer differences of larger x"));
    TRY(lesson_claim(sheet, lost_in_all == 0, "x - y is not 0 where x is not y, with gradual underflow"));
    chart_set(&chart->caption,
              "%d pairs per row. In the binade of the least normal number the difference of %u pairs is flushed; "
              "farther up each binade has about half as many as the one below it. With gradual underflow it was %u "
              "pairs in all rows together.",
              PAIRS, (unsigned)first, (unsigned)lost_in_all);
    return OK;
}

static float kahan(const float *x, uint64_t n, addition *add)
{
    float sum = 0, excess = 0;
    for (uint64_t i = 0; i < n; i++) {
        const float y = add(x[i], -excess), t = add(sum, y);
        excess = add(add(t, -sum), -y);
        sum = t;
    }
    return sum;
}

static float plain(const float *x, uint64_t n, addition *add)
{
    float sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum = add(sum, x[i]);
    return sum;
}

static double ulps_off(const struct lesson_data *data, float computed)
{
    const struct judged judged = {.exact = &data->exact, .computed = (double)computed, .bound = INFINITY};
    return metric_table[METRIC_ulp_error].measure(&judged);
}

static void write_row(struct grid *grid, const struct lesson_data *data, const char *name, float ieee, float other)
{
    grid_add(grid, cell_text("%s", name), cell_number(ulps_off(data, ieee)), cell_number(ulps_off(data, other)));
}

static void write_sums(struct sheet *sheet, const struct lesson_data *data, const float sums[2][2])
{
    struct grid *grid = sheet_table(sheet, "errors in ulp", 1, "error in ulp | > IEEE 754 | > flushed to zero");
    write_row(grid, data, "plain, left to right", sums[0][0], sums[0][1]);
    write_row(grid, data, "kahan, left to right", sums[1][0], sums[1][1]);
}

static enum status tell_kahan(struct sheet *sheet)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum by_method;
    say_heading("Kahan's sum loses its corrections first");
    TRY(lesson_data_made("uniform:n=10000,low=0x1p-118,high=0x1p-117", 1, &data));
    const float sums[2][2] = {{plain(data.x, data.n, gradual), plain(data.x, data.n, flushing)},
                              {kahan(data.x, data.n, gradual), kahan(data.x, data.n, flushing)}};
    TRY(lesson_add("kahan/serial", one_thread, &data, &by_method));
    TRY(lesson_claim(sheet, float_same(by_method.computed, sums[1][0]),
                     "Kahan's loop, written out, has the bits of kahan/serial"));
    TRY(lesson_claim(sheet,
                     float_same(kahan(data.x, data.n, by_rule), sums[1][1]) &&
                         float_same(plain(data.x, data.n, by_rule), sums[0][1]),
                     "this processor flushes by the rule"));
    TRY(lesson_claim(sheet, float_same(sums[1][1], sums[0][1]) && !float_same(sums[1][0], sums[0][0]),
                     "Kahan's sum, flushed, has the bits of the plain one"));
    say("The numbers and the sum need not be subnormal. Here are %u numbers, all of them normal, the largest %s times "
        "as large as the least normal number, their sum %s times. But the rounding error of an addition is 24 bits or "
        "more below its sum: it is subnormal.",
        (unsigned)data.n, rounded_text(data.exact.max_abs / (double)FLT_MIN),
        rounded_text(data.exact.nearest / (double)FLT_MIN));
    write_sums(sheet, &data, sums);
    predict_choice(!float_same(sums[0][0], sums[0][1]) + 2U * !float_same(sums[1][0], sums[1][1]),
                   "All numbers and the sum are normal. Which sum does flushing change?",
                   "How large are the rounding errors of additions, and who computes with them?",
                   CHOICES("neither", "the plain one", "Kahan's", "both"), "Kahan's corrections are subnormal.");
    say("Flushed, each correction of Kahan is 0 and his sum has become the plain one, to the bit: %a. TwoSum, and all "
        "that is made with it, goes the same way. The plain sum did not notice the mode at all.",
        (double)sums[1][1]);
    return OK;
}

static enum status tell_exercise(struct sheet *sheet)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    say_exercise("The family `subnormal` holds nothing but subnormal numbers of both signs. What is the error of their "
                 "plain sum in IEEE 754, and what is the sum where additions are flushed? (`ulpscope run -d "
                 "subnormal:n=4096 -m 'plain/*'`)");
    TRY(lesson_data_made("subnormal:n=4096", 1, &data));
    TRY(lesson_add("plain/serial", one_thread, &data, &sum));
    const float gone = plain(data.x, data.n, flushing);
    const double nearest = data.exact.nearest;
    TRY(lesson_claim(sheet, sum.class == CLASS_EXACT && gone == 0 && nearest != 0,
                     "a sum of subnormal numbers is exact in IEEE 754, and 0 where it is flushed"));
    say_answer(
        "No error at all: s = %a and so is the sum. Subnormal numbers are multiples of 2^-149, and a sum of multiples "
        "of 2^-149 below 2^-125 is a number of binary32, so that nothing is rounded. Flushed, it is %s.",
        nearest, gone == 0 ? "0" : "something else");
    return OK;
}

enum status lesson_subnormals(struct sheet *sheet)
{
    say_question("x and y are different numbers. Can x - y be 0?");
    say_prediction("Some processors and many compiler flags \"flush subnormals to zero\". Does that change a sum of "
                   "numbers that are all normal, whose sum is normal, too? A plain sum? Kahan's?");
    TRY(tell_difference(sheet));
    TRY(tell_how_often(sheet));
    TRY(tell_kahan(sheet));
    say("\"Flushed\" is done here as the rule says: a subnormal operand or result counts as 0; and on an x86 the "
        "processor itself was put into that mode for each of these additions, and gave the bits of the rule.");
    say_heading("Who flushes?");
    say("nvcc with `-ftz=true`, which `--use_fast_math` implies; this program is built with `--ftz=false`. `atomicAdd` "
        "on floats in a GPU's global memory flushes whatever the flag says, and the bounds of atomic orders have a "
        "term for it. On a CPU, gcc's `-ffast-math` when a program or a library is linked can set the mode for the "
        "whole process: a library that you load can change your sums. `ulpscope` looks for that before every run and "
        "refuses to measure.");
    say_theorem(
        "Sterbenz, Floating-Point Computation, 1974; Hauser, ACM TOPLAS 18 (1996); docs/bounds.md, Conventions",
        "With gradual underflow a sum of two numbers of the format that is below twice the least normal number "
        "is exact. Hence x - y = 0 only if x = y; Sterbenz' theorem (x - y is exact for $y/2 <= x <= 2y$) holds "
        "down to 0; and no bound of a sum needs a term for underflow. Flushing breaks all three.");
    TRY(tell_exercise(sheet));
    say("Go on: with 0x1.8p-126 and -0x1p-126 in a file, a line each, `ulpscope tree plain/serial x.txt` shows x - y "
        "as "
        "IEEE 754 has it, a subnormal number.");
    return OK;
}
