/* a * b + c in one rounding or in two: the compiler may choose, and the bits with it. */
#include "src/base/memory.h"
#include "src/teach/tools/lesson_tools.h"

/* Both written out: this file is compiled with -ffp-contract=off, as all of the program. */
static float in_two_roundings(float a, float b, float c)
{
    const float product = a * b;
    return product + c;
}

static float in_one_rounding(float a, float b, float c)
{
    return fmaf(a, b, c);
}

typedef float multiply_add(float a, float b, float c);

static float dot(const float *x, const float *y, uint64_t n, multiply_add *step)
{
    float s = 0;
    for (uint64_t i = 0; i < n; i++)
        s = step(x[i], y[i], s);
    return s;
}

enum { TRIPLES = 10000 };

struct triples {
    uint64_t differ, one_closer, two_closer;
    float a, b, c; /* the first that differ */
};

/* The product of two binary32 is exact in binary64; its sum with c is exact in long arithmetic: the reference has it.
 */
static enum status distances(float a, float b, float c, double *one, double *two)
{
    const float x[] = {a, c}, y[] = {b, 1};
    FREED_BY(exact_free) struct exact_sum exact = {0};
    TRY(exact_dot(&FORMAT_BINARY32, (struct exact_how){0}, x, y, 2, &exact));
    struct judged judged = {.exact = &exact, .computed = (double)in_one_rounding(a, b, c), .bound = INFINITY};
    *one = metric_table[METRIC_abs_error].measure(&judged);
    judged.computed = (double)in_two_roundings(a, b, c);
    *two = metric_table[METRIC_abs_error].measure(&judged);
    return OK;
}

static enum status count_triples(const struct lesson_data *data, struct triples *count)
{
    double one, two;
    *count = (struct triples){0};
    for (uint64_t i = 0; i + 2 < data->n; i += 3) {
        const float a = data->x[i], b = data->x[i + 1], c = data->x[i + 2];
        if (float_same(in_one_rounding(a, b, c), in_two_roundings(a, b, c)))
            continue;
        TRY(distances(a, b, c, &one, &two));
        if (count->differ++ == 0) {
            count->a = a, count->b = b, count->c = c;
        }
        count->one_closer += one < two;
        count->two_closer += two < one;
    }
    return OK;
}

static void show_first(struct sheet *sheet, const struct triples *count)
{
    const float a = count->a, b = count->b, c = count->c;
    bits_head(sheet, "one of them", &FORMAT_BINARY32);
    bits_line(sheet, "one of them", "a", (double)a, &FORMAT_BINARY32);
    bits_line(sheet, "one of them", "b", (double)b, &FORMAT_BINARY32);
    bits_line(sheet, "one of them", "c", (double)c, &FORMAT_BINARY32);
    bits_line(sheet, "one of them", "a * b, rounded", (double)(a * b), &FORMAT_BINARY32);
    bits_line(sheet, "one of them", "  ... + c, rounded", (double)in_two_roundings(a, b, c), &FORMAT_BINARY32);
    bits_line(sheet, "one of them", "fmaf(a, b, c)", (double)in_one_rounding(a, b, c), &FORMAT_BINARY32);
}

static enum status tell_triples(struct sheet *sheet)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct triples count;
    say_heading("One multiplication, one addition");
    TRY(lesson_data_made("uniform:n=30000,low=-1", 1, &data));
    TRY(count_triples(&data, &count));
    TRY(lesson_claim(sheet, count.differ > TRIPLES / 10, "one and two roundings often differ"));
    TRY(lesson_claim(sheet, count.two_closer == 0, "two roundings are never closer to a*b + c than one"));
    say("Of %s random triples a, b, c between -1 and 1, %s have another result with the fused operation. In %s of "
        "these the fused one is closer to $a*b + c$, in %s the other. It must be so: the fused operation is the exact "
        "$a*b + c$ rounded once, and nothing of the format is closer.",
        grouped_text(TRIPLES), grouped_text(count.differ), grouped_text(count.one_closer),
        grouped_text(count.two_closer));
    show_first(sheet, &count);
    predict_within(1.5, 100.0 * (double)count.differ / TRIPLES,
                   "In how many of 100 results do one and two roundings differ, about?",
                   "The product is rounded by up to half an ulp of itself. How often does that move the sum?",
                   "%s of %s.", grouped_text(count.differ), grouped_text(TRIPLES));
    return OK;
}

enum { DOTS = 2000, DRAWN = 300, DOT_N = 256 };

struct dots {
    double one[DOTS], two[DOTS]; /* backward errors, in u */
    double sum_one, sum_two, most;
    uint64_t differ, one_closer, two_closer;
};

static enum status judge_dot(const float *x, const float *y, size_t at, struct dots *dots)
{
    const double u = ldexp(1, -FORMAT_BINARY32.precision);
    const float one = dot(x, y, DOT_N, in_one_rounding), two = dot(x, y, DOT_N, in_two_roundings);
    FREED_BY(exact_free) struct exact_sum exact = {0};
    TRY(exact_dot(&FORMAT_BINARY32, (struct exact_how){0}, x, y, DOT_N, &exact));
    struct judged judged = {.exact = &exact, .computed = (double)one, .bound = INFINITY};
    dots->one[at] = metric_table[METRIC_backward_error].measure(&judged) / u;
    judged.computed = (double)two;
    dots->two[at] = metric_table[METRIC_backward_error].measure(&judged) / u;
    dots->differ += !float_same(one, two);
    dots->one_closer += dots->one[at] < dots->two[at];
    dots->two_closer += dots->two[at] < dots->one[at];
    dots->sum_one += dots->one[at];
    dots->sum_two += dots->two[at];
    dots->most = fmax(dots->most, fmax(dots->one[at], dots->two[at]));
    return OK;
}

static enum status measure_dots(struct dots *dots)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    char spec[64];
    snprintf(spec, sizeof spec, "uniform:n=%d,low=-1", 2 * DOTS * DOT_N);
    TRY(lesson_data_made(spec, 2, &data));
    for (size_t i = 0; i < DOTS; i++)
        TRY(judge_dot(data.x + 2 * i * DOT_N, data.x + (2 * i + 1) * DOT_N, i, dots));
    return OK;
}

static void draw_dots(struct sheet *sheet, const struct dots *dots)
{
    struct chart *chart = sheet_chart(sheet, "The error of both dot products", 260);
    struct chart_panel *panel = chart_panel(chart, "");
    struct chart_mark *equal = chart_mark(panel, MARK_LINE, "equally far off", COLOUR_QUIET);
    struct chart_mark *points = chart_mark(panel, MARK_POINTS, "a dot product", COLOUR_MAIN);
    lesson_axis(&chart->x, "backward error in two roundings, u", SCALE_LINEAR, 0, dots->most * 1.02);
    lesson_axis(&chart->y, "backward error in one, u", SCALE_LINEAR, 0, dots->most * 1.02);
    equal->off_the_table = true;
    chart_point(equal, 0, 0, NAN, NULL);
    chart_point(equal, dots->most, dots->most, NAN, NULL);
    for (size_t i = 0; i < DRAWN; i++)
        chart_point(points, dots->two[i], dots->one[i], NAN, NULL);
    chart_set(&chart->caption,
              "Each of %d of these dot products is a point. Below the line the fused operation has the smaller error, "
              "above it the larger. The cloud lies on both sides of the line.",
              DRAWN);
}

static enum status tell_dots(struct sheet *sheet)
{
    OWNED struct dots *dots = memory_cleared(1, sizeof *dots);
    char mean[2][NUMBER_TEXT];
    say_heading("A dot product");
    TRY(measure_dots(dots));
    TRY(lesson_claim(sheet, dots->differ > DOTS / 2 && dots->two_closer > 0 && dots->one_closer > 0,
                     "either way of adding products is the closer one of some dot product"));
    write_rounded(dots->sum_one / DOTS, mean[0]);
    write_rounded(dots->sum_two / DOTS, mean[1]);
    say("Now `s = x[i] * y[i] + s` over %d random numbers, for %s pairs of vectors. The two loops end with different "
        "bits in %s dot products. The fused one is closer to the exact value in %s of them, the other in %s; the mean "
        "backward error is %s u fused and %s u otherwise. Are you surprised? Each single step is better, but the "
        "rounding of the partial sum, which both loops have, is the larger part of the error, and what is added to it "
        "may as well make it smaller.",
        DOT_N, grouped_text(DOTS), grouped_text(dots->differ), grouped_text(dots->one_closer),
        grouped_text(dots->two_closer), mean[0], mean[1]);
    draw_dots(sheet, dots);
    return OK;
}

static enum status tell_squares(struct sheet *sheet)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    uint64_t negative = 0, positive = 0, zero = 0;
    float shown = 0;
    say_heading("x*x - y*y, and x is y");
    TRY(lesson_data_made("uniform:n=10000", 3, &data));
    for (uint64_t i = 0; i < data.n; i++) {
        const float difference = in_one_rounding(data.x[i], data.x[i], -(data.x[i] * data.x[i]));
        negative += difference < 0;
        positive += difference > 0;
        zero += difference == 0;
        if (difference < 0 && shown == 0)
            shown = data.x[i];
    }
    TRY(lesson_claim(sheet, negative > 0 && positive > 0,
                     "x*x - x*x, fused, is negative for some x, positive for others"));
    predict_choice(negative > 0, "x is y, and x*x - y*y is fused. Is it at least 0?",
                   "One product is rounded and the other is not: up or down?",
                   CHOICES("yes, always", "no, it may be negative"),
                   "It is the rounding error of a product, which has either sign.");
    say("A compiler that fuses may make `fmaf(x, x, -(y * y))` of `x * x - y * y`: one product is rounded and the "
        "other is not. With y = x = %s the separate operations give %s, the fused one %s: the rounding error of x*x. "
        "Of %s random x between 0 and 1 it is negative for %s, positive for %s and 0 for %s. Take the square root of "
        "that, as for a discriminant b*b - 4*a*c that should be 0, and it is NaN for the negative ones.",
        hex_text((double)shown), hex_text((double)in_two_roundings(shown, shown, -(shown * shown))),
        hex_text((double)in_one_rounding(shown, shown, -(shown * shown))), grouped_text(data.n), grouped_text(negative),
        grouped_text(positive), grouped_text(zero));
    return OK;
}

static enum status tell_sums(struct sheet *sheet)
{
    enum { SETS = 100 };
    uint64_t differ = 0;
    say_heading("And a sum?");
    for (uint64_t seed = 1; seed <= SETS; seed++) {
        FREED_BY(lesson_data_free) struct lesson_data data = {0};
        struct lesson_sum sum;
        TRY(lesson_data_made("uniform:n=1000,low=-1", seed, &data));
        TRY(lesson_add("plain/serial", one_thread, &data, &sum));
        float s = 0;
        for (uint64_t i = 0; i < data.n; i++)
            s = in_one_rounding(1, data.x[i], s);
        differ += !float_same(s, sum.computed);
    }
    TRY(lesson_claim(sheet, differ == 0, "fusing 1 * x + s changes no bit of a sum"));
    say("A sum has no product to fuse. Even if you write one, fmaf(1, x, s), nothing changes, because 1 * x is exact: "
        "%u of %d sums of 1,000 numbers differ from `plain/serial`. So contraction is not why a CPU and a GPU disagree "
        "about a sum; order is. Of dot products, norms and variances it is the second reason.",
        (unsigned)differ, SETS);
    say("Who decides? gcc and clang fuse by default where the processor they compile for has the instruction (gcc does "
        "not with `-std=c11` and its like), nvcc always (`--fmad=true`). `-ffp-contract=off` and `--fmad=false` forbid "
        "it; this program is built with them. Where you want the fused operation, say so: `fmaf`.");
    return OK;
}

static enum status tell_exercise(struct sheet *sheet)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    uint64_t not_real = 0, kept = 0;
    say_exercise("The complex number z = x + iy times its conjugate is real: the imaginary part y*x - x*y is 0. Is it, "
                 "when the compiler fuses one of the products? And is there a use for what comes out?");
    TRY(lesson_data_made("uniform:n=20000,low=-1", 4, &data));
    for (uint64_t i = 0; i + 1 < data.n; i += 2) {
        const float x = data.x[i], y = data.x[i + 1], rounded = x * y, rest = in_one_rounding(y, x, -rounded);
        not_real += rest != 0;
        kept += (double)rounded + (double)rest == (double)x * (double)y; /* 48 bits: exact in binary64 */
    }
    const uint64_t all = data.n / 2;
    TRY(lesson_claim(sheet, not_real > all / 2 && kept == all, "the fused remainder of a product is its exact error"));
    say_answer(
        "For %s of %s random z the imaginary part is not 0: it is the rounding error of x*y, with all its bits. That "
        "is the use: p = x * y and e = fmaf(x, y, -p) give p + e = x*y exactly, in %s of these. Two operations, where "
        "Dekker's and Veltkamp's way without fma needs seventeen; it is how dot products are compensated.",
        grouped_text(not_real), grouped_text(all), grouped_text(kept));
    return OK;
}

enum status lesson_fma(struct sheet *sheet)
{
    say_question("`s = a * b + s`: one line of C, one processor, two compilers, two results. Who is right?");
    say_prediction("How often does rounding once, instead of after the product and again after the sum, change the "
                   "result: one time in a hundred, in ten, in two? And is x*x - y*y at least 0 when x = y?");
    TRY(tell_triples(sheet));
    TRY(tell_dots(sheet));
    TRY(tell_squares(sheet));
    TRY(tell_sums(sheet));
    say_theorem(
        "Higham 2002, chapter 2; IEEE 754-2008, fusedMultiplyAdd",
        "$fma(a, b, c)$ is $a*b + c$ rounded once: its relative error is at most u, whatever cancels, as long as "
        "nothing underflows. Two roundings give $(a*b)(1 + d) + c$ rounded, $|d| <= u$, which has no small "
        "relative error where a*b and c cancel. The error of a product, $a*b - RN(a*b)$, is a number of the "
        "format unless it underflows, so that $fma(a, b, -RN(a*b))$ is exact.");
    TRY(tell_exercise(sheet));
    say("Go on: order is the first reason why a CPU and a GPU disagree about a sum, and `ulpscope explain naive tree "
        "--data uniform:n=1e4` shows where.");
    return OK;
}
