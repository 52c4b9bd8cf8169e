/* A product rounds, too: what exact additions of products lose, and how the rest of a product is kept. */
#include "src/teach/tools/lesson_tools.h"

enum { PLAIN, FUSED, PAIRS, EXACT_SUM, DOT2, METHODS_TRIED };
static const struct way {
    const char *method;
    enum colour colour;
} ways[METHODS_TRIED] = {
    {"dot:plain/serial", COLOUR_BAD},         {"dot_fma:plain/serial", COLOUR_UNKNOWN},
    {"dot_exact:plain/serial", COLOUR_QUIET}, {"dot:superacc/serial", COLOUR_SECOND},
    {"dot_exact:sum2/serial", COLOUR_GOOD},
};

static const float x = 1 + 0x1p-12f;

static enum status tell_one(struct sheet *sheet)
{
    static const char name[] = "a square and what its rounding took";
    const float square = x * x, rest = fmaf(x, x, -square);
    TRY(lesson_claim(sheet, (double)square + (double)rest == (double)x * (double)x && rest != 0,
                     "a rounded product and its rest are the product"));
    say_heading("One product");
    say("The product of two numbers of 24 bits has up to 48. binary32 keeps the first 24 of them, and the others are a "
        "number of binary32 themselves, unless they underflow:");
    bits_head(sheet, name, &FORMAT_BINARY32);
    bits_line(sheet, name, "x = 1 + 2^-12", (double)x, &FORMAT_BINARY32);
    bits_line(sheet, name, "p = x * x, rounded", (double)square, &FORMAT_BINARY32);
    bits_line(sheet, name, "e = fmaf(x, x, -p)", (double)rest, &FORMAT_BINARY32);
    say("This is TwoProduct: two operations, and p + e = x * x exactly. A dot product may add both, p and e, or p "
        "alone.");
    return OK;
}

enum { ORDERS = 2, TERMS = 2 };
static const float first[ORDERS][TERMS] = {{1 + 0x1p-12f, 1}, {1, 1 + 0x1p-12f}};
static const float second[ORDERS][TERMS] = {{1 + 0x1p-12f, -1 - 0x1p-11f}, {-1 - 0x1p-11f, 1 + 0x1p-12f}};

static enum status two_in_order(int order, struct lesson_sum sums[METHODS_TRIED])
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    TRY(lesson_data_of_pairs(first[order], second[order], TERMS, &data));
    for (int m = 0; m < METHODS_TRIED; m++)
        TRY(lesson_add(ways[m].method, one_thread, &data, &sums[m]));
    return OK;
}

static enum status tell_two(struct sheet *sheet)
{
    struct lesson_sum sums[ORDERS][METHODS_TRIED];
    for (int order = 0; order < ORDERS; order++)
        TRY(two_in_order(order, sums[order]));
    TRY(lesson_claim(sheet, sums[0][FUSED].computed == 0 && sums[1][FUSED].computed == 0x1p-24f,
                     "a fused dot product depends on which product comes first"));
    TRY(lesson_claim(sheet, sums[0][EXACT_SUM].computed == 0 && sums[0][DOT2].metric[METRIC_ulp_error] == 0,
                     "an exact sum of rounded products loses what Dot2 keeps"));
    say_heading("Two products");
    say("x * x - (1 + 2^-11) * 1 is 2^-24 exactly, as a dot product of two terms in either order:");
    struct grid *grid =
        sheet_table(sheet, "x * x - (1 + 2^-11), five dot products", 1, "method | > x*x first | > x*x last");
    for (int m = 0; m < METHODS_TRIED; m++) {
        grid_row(grid);
        grid_set(grid, 0, TONE_PLAIN, "%s", ways[m].method);
        for (int order = 0; order < ORDERS; order++)
            grid_set(grid, 1 + (size_t)order, sums[order][m].metric[METRIC_ulp_error] == 0 ? TONE_GOOD : TONE_BAD, "%a",
                     (double)sums[order][m].computed);
    }
    predict((double)sums[0][PLAIN].computed, "What is left of $x * x - (1 + 2^-11)$ in binary32, the product rounded?",
            "$x^2 = 1 + 2^-11 + 2^-24$ has 25 digits.", "The product is rounded to $1 + 2^-11$.");
    say("`dot` rounds each product: the bit is gone before anything is added, and `superacc`, which adds without "
        "rounding, cannot find it. `dot_fma` does not round the product, but the partial sum that the product is added "
        "to: it has the bit if the other product is there to cancel. This is what contraction changes: a compiler that "
        "makes `dot_fma` of `dot` prints other bits. `dot_exact` adds p and e, and `plain` loses e in its own "
        "roundings. Both are needed: `dot_exact:sum2` is Dot2.");
    return OK;
}

enum { N = 256, DECADES = 7, SETS = 12, DOTS = DECADES * SETS };

/* y less its part along x, but for a share of 10^-decade of it: the dot product falls, its terms do not. */
static void take_off(const float *of, float *y, int decade)
{
    double xy = 0, xx = 0;
    for (int i = 0; i < N; i++) {
        xy += (double)of[i] * (double)y[i];
        xx += (double)of[i] * (double)of[i];
    }
    for (int i = 0; i < N; i++)
        y[i] = (float)((double)y[i] - xy / xx * (1 - pow(10, -decade)) * (double)of[i]);
}

struct errors {
    double condition[DOTS], relative[METHODS_TRIED][DOTS];
    double ulps[METHODS_TRIED]; /* the largest */
    uint64_t right[METHODS_TRIED];
};

static enum status measure_dot(const struct lesson_data *vectors, int dot, struct errors *errors)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    take_off(vectors->x, vectors->x + N, dot / SETS);
    TRY(lesson_data_of_pairs(vectors->x, vectors->x + N, N, &data));
    errors->condition[dot] = data.exact.condition;
    for (int m = 0; m < METHODS_TRIED; m++) {
        TRY(lesson_add(ways[m].method, one_thread, &data, &sum));
        errors->relative[m][dot] = sum.metric[METRIC_relative_error];
        errors->right[m] += (double)sum.computed == data.exact.nearest;
        errors->ulps[m] = fmax(errors->ulps[m], sum.metric[METRIC_ulp_error]);
    }
    return OK;
}

static enum status measure(struct errors *errors)
{
    *errors = (struct errors){0};
    for (int dot = 0; dot < DOTS; dot++) {
        FREED_BY(lesson_data_free) struct lesson_data vectors = {0};
        TRY(lesson_data_made("uniform:n=512,low=-1", (uint64_t)dot + 1, &vectors));
        TRY(measure_dot(&vectors, dot, errors));
    }
    return OK;
}

/* Exact results, which have no place on a logarithmic axis, are at its foot. */
static const double LEAST = 1e-10;

static void draw(struct sheet *sheet, const struct errors *errors)
{
    static const int drawn[] = {PLAIN, EXACT_SUM, DOT2};
    struct chart *chart = sheet_chart(sheet, "Error over the condition number, dot products of 256 terms", 240);
    struct chart_panel *panel = chart_panel(chart, "");
    lesson_axis(&chart->x, "condition number", SCALE_LOG10, 1, 1e8);
    lesson_axis(&chart->y, "relative error", SCALE_LOG10, LEAST, 1e2);
    for (size_t d = 0; d < sizeof drawn / sizeof *drawn; d++) {
        struct chart_mark *points = chart_mark(panel, MARK_POINTS, ways[drawn[d]].method, ways[drawn[d]].colour);
        for (int dot = 0; dot < DOTS; dot++)
            chart_point(points, errors->condition[dot], fmax(errors->relative[drawn[d]][dot], LEAST), NAN, NULL);
    }
    chart_set(&chart->caption, "Each of %d pairs of vectors is a point of each colour.", DOTS);
}

static enum status tell_vectors(struct sheet *sheet)
{
    struct errors errors;
    TRY(measure(&errors));
    TRY(lesson_claim(sheet, errors.ulps[EXACT_SUM] > 0.01 * errors.ulps[PLAIN] && errors.ulps[DOT2] < 16,
                     "an exact sum of rounded products loses most digits, and Dot2 few"));
    for (int dot = 0; dot < DOTS; dot++)
        TRY(lesson_claim(sheet, errors.condition[dot] > 0x1p24 || errors.relative[DOT2][dot] <= 0x1p-23,
                         "up to a condition number of 1 / u Dot2 is right to 2 u"));
    say_heading("Are two vectors orthogonal?");
    say("Take a random vector y, take off some of its part along x, nothing at first, all but a millionth at last, and "
        "ask for the dot product of x with what is left. The products stay as large as they were, and cancel: the "
        "condition number, $sum |x_i y_i| / |sum x_i y_i|$, grows.");
    struct grid *grid = sheet_table(sheet, "Dot products of nearly orthogonal vectors", 1,
                                    "method | > correctly rounded | > largest error, ulp");
    for (int m = 0; m < METHODS_TRIED; m++)
        grid_add(grid, cell_text("%s", ways[m].method), cell_count(errors.right[m]), cell_error(errors.ulps[m]));
    draw(sheet, &errors);
    say("Exact additions divide the largest error by %.0f here, but it still grows with the condition number: what the "
        "products lost before the first addition no accumulator can take back. With rests and TwoSum the result is as "
        "good as the format allows until the condition number passes 1 / u, 1.7e7.",
        errors.ulps[PLAIN] / errors.ulps[EXACT_SUM]);
    return OK;
}

static enum status tell_exercise(struct sheet *sheet)
{
    enum { NORMS = 1000, FACTORS = 64 };
    double most = 0;
    for (uint64_t seed = 1; seed <= NORMS; seed++) {
        FREED_BY(lesson_data_free) struct lesson_data numbers = {0};
        FREED_BY(lesson_data_free) struct lesson_data squares = {0};
        struct lesson_sum sum;
        TRY(lesson_data_made("uniform:n=64,low=-1", seed, &numbers));
        TRY(lesson_data_of_pairs(numbers.x, numbers.x, FACTORS, &squares));
        TRY(lesson_add(ways[EXACT_SUM].method, one_thread, &squares, &sum));
        most = fmax(most, sum.metric[METRIC_ulp_error]);
    }
    TRY(lesson_claim(sheet, most > 0.5 && most < 1.5, "rounded squares cost a norm less than an ulp"));
    say_exercise("The squares of a norm round, too. Let a method add rounded squares exactly, and round the sum once: "
                 "how many ulps may it be wrong?");
    say_answer("Fewer than 1.5: squares do not cancel, all their roundings together are at most u times the sum, less "
               "than an ulp, and the last rounding is half of one. The largest error of %s random vectors is %s ulp. "
               "The condition number of a norm is 1, so `dot_exact` gains little there.",
               grouped_text(NORMS), error_text(most));
    return OK;
}

enum status lesson_products(struct sheet *sheet)
{
    say_question("`dot:superacc/serial` adds products without any rounding error and rounds once, at the end. Is a dot "
                 "product correctly rounded, then?");
    say_prediction("Let x be 1 + 2^-12. Work out x * x by hand, and round it to 24 bits. What is left of x * x - (1 + "
                   "2^-11) in binary32?");
    TRY(tell_one(sheet));
    TRY(tell_two(sheet));
    TRY(tell_vectors(sheet));
    say_theorem(
        "Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005) 1955; docs/bounds.md, Products",
        "However rounded products are added, they are wrong by up to $u sum |x_i y_i|$. Dot2 adds each product "
        "and its rest by TwoSum: $|computed - s| <= u |s| + g^2 sum |x_i y_i|$, g about n u: it is as if the dot "
        "product had been computed with twice the bits, and rounded once.");
    TRY(tell_exercise(sheet));
    say("Go on: `ulpscope exact normal:n=1000::normal` has an exact dot product, and `ulpscope run --operation "
        "dot,dot_fma,dot_exact -m 'plain/serial,sum2/serial' -d normal:n=1000::normal` the errors of methods.");
    return OK;
}
