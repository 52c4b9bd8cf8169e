/* How large can the error be, how large is it probably, and how large is it: three answers, and data for each. */
#include "src/teach/tools/lesson_tools.h"

enum { SIZES = 6, SETS = 10, ORDERS = 2 };

static const uint64_t sizes[SIZES] = {1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18};

/* The orders, and the data that are worst for each. */
static const struct order {
    const char *method;
    struct launch launch;
    const char *family, *options; /* of the data: what stands before n, and behind it */
} orders[ORDERS] = {
    {"plain/serial", {1, 1}, "tie", ""},
    {"plain/pairwise_1", {1, 32}, "path", ",method=plain/pairwise_1,blocks=1,threads=32"},
};

/* All in units of u times the sum of |x|. */
struct errors {
    double proven[SIZES], probable[SIZES], seen[SIZES], constant[SIZES], worst[SIZES];
};

static double u(void)
{
    return ldexp(1, -FORMAT_BINARY32.precision);
}

struct error {
    double seen, proven, probable;
};

static enum status error_of(const char *spec, uint64_t n, uint64_t seed, const struct order *order, struct error *error)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    TRY(lesson_data_made(spec, seed, &data));
    TRY(lesson_add(order->method, order->launch, &data, &sum));
    const struct exact_sum *exact = &data.exact;
    const struct magnitudes magnitudes = {exact->abs_above, exact->sum_abs_above, exact->max_abs, NULL};
    const double unit = u() * exact->sum_abs_above;
    error->seen = sum.metric[METRIC_backward_error] / u();
    error->proven = sum.bound / unit;
    error->probable = method_probabilistic_bound(sum.method, n, order->launch, &magnitudes) / unit;
    return OK;
}

static enum status measure_size(const struct order *order, size_t at, struct errors *errors)
{
    const uint64_t n = sizes[at];
    struct error error;
    char spec[128];
    errors->seen[at] = 0;
    snprintf(spec, sizeof spec, "uniform:n=%" PRIu64, n);
    for (uint64_t seed = 1; seed <= SETS; seed++) {
        TRY(error_of(spec, n, seed, order, &error));
        errors->seen[at] = fmax(errors->seen[at], error.seen);
    }
    errors->proven[at] = error.proven;
    errors->probable[at] = error.probable;
    snprintf(spec, sizeof spec, "const:n=%" PRIu64 ",value=0.1", n);
    TRY(error_of(spec, n, 1, order, &error));
    errors->constant[at] = error.seen;
    snprintf(spec, sizeof spec, "%s:n=%" PRIu64 "%s", order->family, n, order->options);
    TRY(error_of(spec, n, 1, order, &error));
    errors->worst[at] = error.seen;
    return OK;
}

static enum status claim_order(const struct sheet *sheet, const struct errors *errors)
{
    const size_t last = SIZES - 1;
    bool below_model = true, below_bound = true;
    for (size_t i = 0; i < SIZES; i++) {
        below_model &= errors->seen[i] <= errors->probable[i];
        below_bound &= fmax(errors->seen[i], fmax(errors->constant[i], errors->worst[i])) <= errors->proven[i];
    }
    TRY(lesson_claim(sheet, below_bound, "every error is below the proven bound"));
    TRY(lesson_claim(sheet, below_model, "errors of random numbers are below the model"));
    return lesson_claim(sheet, errors->worst[last] > 0.9 * errors->proven[last],
                        "data made for the order use nearly all of its bound");
}

static void draw_line(struct chart_panel *panel, const char *name, enum colour colour, const double values[SIZES],
                      unsigned rank)
{
    struct chart_mark *mark = chart_mark(panel, MARK_LINE, name, colour);
    mark->rank = rank;
    mark->dashed = colour == COLOUR_THEORY || colour == COLOUR_MODEL;
    for (size_t i = 0; i < SIZES; i++)
        if (values[i] > 0)
            chart_point(mark, (double)sizes[i], values[i], NAN, NULL);
}

static void draw(struct sheet *sheet, const struct errors errors[ORDERS])
{
    struct chart *chart = sheet_chart(sheet, "Error over n", 170);
    lesson_axis(&chart->x, "n", SCALE_LOG2, (double)sizes[0], (double)sizes[SIZES - 1]);
    lesson_axis(&chart->y, "error in u times the sum of |x|", SCALE_LOG2, 0x1p-4, 0x1p18);
    for (size_t o = 0; o < ORDERS; o++) {
        struct chart_panel *panel = chart_panel(chart, orders[o].method);
        draw_line(panel, "worst case, proven", COLOUR_THEORY, errors[o].proven, 0);
        draw_line(panel, "made for this order", COLOUR_BAD, errors[o].worst, 1);
        draw_line(panel, "0.1 again and again", COLOUR_UNKNOWN, errors[o].constant, 2);
        draw_line(panel, "model of random roundings", COLOUR_MODEL, errors[o].probable, 3);
        draw_line(panel, "random numbers, largest of 10", COLOUR_MAIN, errors[o].seen, 4);
    }
    chart_set(&chart->caption, "Both axes are logarithmic: a line that climbs as steeply as the proven one of "
                               "plain/serial grows like n, one that climbs half as steeply like the square root of n.");
}

static void write_grid(struct sheet *sheet, const struct errors errors[ORDERS])
{
    struct grid *grid =
        sheet_table(sheet, "errors of the largest n", 1,
                    "method | > worst case | > model | > random | > 0.1 | > made for it | > of the bound");
    const size_t last = SIZES - 1;
    for (size_t o = 0; o < ORDERS; o++)
        grid_add(grid, cell_text("%s", orders[o].method), cell_number(errors[o].proven[last]),
                 cell_number(errors[o].probable[last]), cell_number(errors[o].seen[last]),
                 cell_number(errors[o].constant[last]), cell_number(errors[o].worst[last]),
                 cell_text("%.1f %%", 100 * errors[o].worst[last] / errors[o].proven[last]));
}

static void explain(struct sheet *sheet, const struct errors errors[ORDERS])
{
    const size_t last = SIZES - 1;
    say("The last step to the right multiplies n by four. The worst case of the loop then is %s times as large, its "
        "error with random numbers %s times; of the tree the worst case grows by %s, which is added and not "
        "multiplied. For n = %s, in units of u times the sum of |x|:",
        rounded_text(errors[0].proven[last] / errors[0].proven[last - 1]),
        rounded_text(errors[0].seen[last] / errors[0].seen[last - 1]),
        rounded_text(errors[1].proven[last] - errors[1].proven[last - 1]), grouped_text(sizes[last]));
    const double loop = errors[0].proven[last] / errors[0].proven[last - 1];
    const double tree = errors[1].proven[last] - errors[1].proven[last - 1];
    predict_within(1.1, loop, "n is multiplied by four. By which factor does the bound of a loop grow?",
                   "$(n-1) u sum |x_i|$", "It was %s.", rounded_text(loop));
    predict_within(1.1, tree, "And how many u are added to that of a balanced tree?", "$k u sum |x_i|$, $k = log2 n$",
                   "%s: two more levels.", rounded_text(tree));
    write_grid(sheet, errors);
    say("Random numbers use %s %% of the worst case of `plain/serial`: roundings up and down cancel. Treat each "
        "rounding as a coin and $sqrt(n)$ of them remain, which is the model. But roundings are not coins. Add 0.1 "
        "again and again and all roundings between two powers of two go the same way: the error grows like n and is %s "
        "times what the model allows. (In halves 0.1 meets its equal: doubling is exact.)",
        rounded_text(100 * errors[0].seen[last] / errors[0].proven[last]),
        rounded_text(errors[0].constant[last] / errors[0].probable[last]));
    say("And the worst case is not pessimism. `tie` is 1 and then 2^-24 for ever: each addition is a tie, each goes to "
        "the even 1, each loses all. `path` does the same along the longest path of a tree: there the path is short, "
        "and so is the damage. A bound tells what can happen to some data; that is why a tree is the safer order even "
        "where you measure no difference.");
}

/* The least n for which a limit on the error is the whole sum, for numbers of one sign that add up to 1. */
static uint64_t hopeless(const struct method *method, bound_function *limit)
{
    const struct magnitudes one = {1, 1, 1, NULL};
    uint64_t below = 1, above = UINT64_C(1) << 60;
    while (above - below > 1) {
        const uint64_t n = below + (above - below) / 2;
        if (limit(method, shape_of_one(n), one_thread, &one) < 1)
            below = n;
        else
            above = n;
    }
    return above;
}

static enum status tell_exercise(struct sheet *sheet)
{
    const struct method *serial = method_find("plain/serial");
    const uint64_t proven = hopeless(serial, serial->bound), probable = hopeless(serial, serial->probabilistic_bound);
    say_exercise("From which n on does the worst case of `plain/serial` allow an error as large as the sum of positive "
                 "numbers itself? And from which n on does the model? Do you believe the second?");
    TRY(lesson_claim(sheet, proven == (UINT64_C(1) << FORMAT_BINARY32.precision) + 1 && probable > proven,
                     "(n-1) u reaches 1 at n = 2^24 + 1, and the model later"));
    say_answer("The worst case: $(n-1) u = 1$ for n = %s, which is 2^24 + 1. The model: n = %s; not far more, because "
               "its factor $(1+u)^(n-2)$ grows too. Do not believe it: once the partial sum is 2^24 times as large as "
               "the numbers, each of them is lost whole, always down, and the sum stands still (lesson `absorption`). "
               "Then nothing is random any more.",
               grouped_text(proven), rounded_text((double)probable));
    return OK;
}

enum status lesson_bounds(struct sheet *sheet)
{
    struct errors errors[ORDERS];
    say_question("A theorem says that the error of a sum may be $(n-1) u$. You add a quarter of a million numbers and "
                 "see far less. Is the theorem useless?");
    say_prediction("Multiply n by four. By how much does the worst-case bound of a loop grow, by how much the error of "
                   "random numbers, and by how much the bound of a balanced tree?");
    say_heading("Three answers");
    for (size_t o = 0; o < ORDERS; o++) {
        for (size_t i = 0; i < SIZES; i++)
            TRY(measure_size(&orders[o], i, &errors[o]));
        TRY(claim_order(sheet, &errors[o]));
    }
    TRY(lesson_claim(sheet, errors[0].constant[SIZES - 1] > errors[0].probable[SIZES - 1],
                     "a constant, added in a row, breaks the model of random roundings"));
    TRY(lesson_claim(sheet, errors[1].constant[SIZES - 1] == 0,
                     "equal numbers, 2^k of them, add up exactly in halves"));
    say("How large the error can be is proven: `bound`. How large it probably is, were roundings random, is a model: "
        "`probable_bound`, which 1 sum in 1,000 may pass. How large it is, one can see: random numbers between 0 and "
        "1, the largest error of %d sets; the number 0.1 n times; and data made against the order.",
        SETS);
    draw(sheet, errors);
    explain(sheet, errors);
    say_theorem(
        "Higham 2002, section 4.2, to first order; Rump 2012, Jeannerod and Rump 2013; docs/bounds.md, P1",
        "With S the sum of all |x|: in any order $|computed - s| <= (n-1) u S$, and in a tree of height h $<= ((1 "
        "+ u/(1+u))^(h-1) - 1) S$, about $(h-1) u S$. A loop has $h = n$, halving $h = 1 + log2 n$, rounded up.");
    say_theorem(
        "docs/bounds.md, \"Probabilistic bounds\"; the idea: Higham and Mary, SIAM J. Sci. Comput. 41 (2019)",
        "If the roundings are random with mean 0, given those before them, then with $k = h - 1$: $|computed - s| "
        "<= L sqrt(k) u (1+u)^(k-1) S$, with a probability of at least $1 - 2 exp(-L^2/2)$; here L = %g. Rounding "
        "is deterministic: this is a model.",
        LAMBDA);
    TRY(tell_exercise(sheet));
    say("Go on: `ulpscope run -d uniform:n=1000 -m plain/serial --trials 1000` shows how much of the bound 1000 sums "
        "use, "
        "and `ulpscope blame plain/serial tie:n=64 --top 5` shows data that reach the worst case.");
    return OK;
}
