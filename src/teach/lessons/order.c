#include "datasets/ordering.h"
#include "src/teach/additions.h"
#include "src/teach/tools/lesson_tools.h"

/* pairwise_1 needs an even number of threads, for its kernels; serial takes any. */
static const struct launch launch = {1, 2};

/* ---- one sum, with what the theorem looks at ---- */

struct seen {
    struct lesson_sum sum;
    double bound;           /* u times the sum of the partial sums' magnitudes, as they are computed */
    double ulp, abs_s;      /* of the exact sum */
    uint64_t inexact;       /* additions that rounded */
    double largest_rounded; /* the largest |sum| that one of them made */
};

static enum status see(const char *method, const struct lesson_data *data, struct seen *seen)
{
    FREED_BY(additions_free) struct additions additions = {0};
    *seen = (struct seen){.ulp = data->exact.ulp, .abs_s = data->exact.abs_above};
    TRY(lesson_add(method, launch, data, &seen->sum));
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, data->x, data->n);
    TRY(additions_make(&(struct tree_request){"lesson", seen->sum.method, data->n, launch}, &elements, &additions));
    for (uint64_t k = 1; k <= additions.tree.count; k++)
        if (additions.tree.place[k].leaves > 1) {
            seen->bound += 0x1p-24 * fabs(additions.value[k]);
            if (additions.error[k] != 0)
                seen->largest_rounded = fmax(seen->largest_rounded, fabs(additions.value[k]));
        }
    seen->inexact = additions.inexact;
    return OK;
}

/* The sum alone: a hundred times as fast. */
static enum status add(const char *method, const struct lesson_data *data, struct seen *seen)
{
    return lesson_add(method, launch, data, &seen->sum);
}

/* "harmonic" in an order. */
static enum status made(const char *family, uint64_t n, const char *order, uint64_t seed, struct lesson_data *data)
{
    char spec[96];
    snprintf(spec, sizeof spec, "%s:n=%llu,order=%s", family, (unsigned long long)n, order);
    return lesson_data_made(spec, seed, data);
}

static const struct way {
    const char *name, *order, *method;
} ways[] = {
    {"largest first", "magnitude_descending", "plain/serial"},
    {"in no order", "shuffled:1", "plain/serial"},
    {"smallest first", "magnitude", "plain/serial"},
    {"in pairs, largest first", "magnitude_descending", "plain/pairwise_1"},
};
enum { LARGEST, IN_NO_ORDER, SMALLEST, PAIRS, WAYS };

typedef enum status looker(const char *method, const struct lesson_data *data, struct seen *seen);

static enum status see_ways(const char *family, uint64_t n, uint64_t seed, looker *look, struct seen seen[WAYS])
{
    for (size_t w = 0; w < WAYS; w++) {
        FREED_BY(lesson_data_free) struct lesson_data data = {0};
        TRY(made(family, n, ways[w].order, seed, &data));
        TRY(look(ways[w].method, &data, &seen[w]));
    }
    return OK;
}

static double ulps(const struct seen *seen)
{
    return seen->sum.metric[METRIC_ulp_error];
}

static size_t nearest(const struct seen *seen, size_t count)
{
    size_t best = 0;
    for (size_t w = 1; w < count; w++)
        best = ulps(&seen[w]) < ulps(&seen[best]) ? w : best;
    return best;
}

/* ---- 1 + 1/2 + 1/3 + ... ---- */

enum { FIRST_POWER = 8, LAST_POWER = 16, PLACES = LAST_POWER - FIRST_POWER + 1 };

static void show_harmonic(struct sheet *sheet, const struct seen seen[WAYS])
{
    struct grid *grid = sheet_table(sheet, "1 + 1/2 + 1/3 + ... in four orders", 1,
                                    "order | > computed | > error in ulp | > first theorem's bound, ulp");
    for (size_t w = 0; w < WAYS; w++)
        grid_add(grid, cell_text("%s", ways[w].name), cell_text("%a", (double)seen[w].sum.computed),
                 cell_number(ulps(&seen[w])), cell_number(seen[w].bound / seen[w].ulp));
}

/* Exact sums, which have no place on a logarithmic axis, are its foot. */
static const double LEAST = 0.1;

static void draw_harmonic(struct sheet *sheet, struct seen seen[PLACES][WAYS])
{
    static const enum colour colours[WAYS] = {COLOUR_BAD, COLOUR_QUIET, COLOUR_MODEL, COLOUR_MAIN};
    struct chart *chart = sheet_chart(sheet, "order-harmonic", 240);
    struct chart_panel *panel = chart_panel(chart, "");
    chart_set(&chart->title, "Error against n, of 1 + 1/2 + ... + 1/n");
    chart_set(&chart->caption,
              "One sum for each point: a dip is luck, roundings up and down that made up for each other. What is below "
              "%g ulp lies on the axis.",
              LEAST);
    lesson_axis(&chart->x, "n", SCALE_LOG2, ldexp(1, FIRST_POWER), ldexp(1, LAST_POWER));
    lesson_axis(&chart->y, "error in ulp", SCALE_LOG10, LEAST, 1e3);
    for (size_t w = 0; w < WAYS; w++) {
        struct chart_mark *mark = chart_mark(panel, MARK_LINE, ways[w].name, colours[w]);
        for (int i = 0; i < PLACES; i++)
            chart_point(mark, ldexp(1, FIRST_POWER + i), fmax(ulps(&seen[i][w]), LEAST), NAN, NULL);
    }
}

/* With some room: the bound is added up in binary64, and rounds on its way. */
static bool theorem_holds(const struct seen *seen)
{
    return ulps(seen) * seen->ulp <= seen->bound * (1 + 0x1p-20);
}

static enum status tell_harmonic(struct sheet *sheet)
{
    struct seen seen[PLACES][WAYS];
    bool holds = true;
    for (int i = 0; i < PLACES; i++) {
        TRY(see_ways("harmonic", UINT64_C(1) << (FIRST_POWER + i), 1, see, seen[i]));
        for (size_t w = 0; w < WAYS; w++)
            holds &= theorem_holds(&seen[i][w]);
    }
    const struct seen *last = seen[PLACES - 1];
    TRY(lesson_claim(sheet, holds, "the theorem holds"));
    TRY(lesson_claim(sheet,
                     ulps(&last[LARGEST]) > 10 * ulps(&last[SMALLEST]) && ulps(&last[SMALLEST]) > ulps(&last[PAIRS]) &&
                         last[SMALLEST].bound < last[IN_NO_ORDER].bound &&
                         last[IN_NO_ORDER].bound < last[LARGEST].bound,
                     "smallest first is better than largest first, and pairs are better still"));
    show_harmonic(sheet, last);
    predict_choice(nearest(last, WAYS), "Which order is best for $1 + 1/2 + 1/3 + ...$?",
                   "In which are the partial sums small, or few above each term?",
                   CHOICES(ways[0].name, ways[1].name, ways[2].name, ways[3].name), "It is wrong by %s ulp.",
                   rounded_text(ulps(&last[nearest(last, WAYS)])));
    say("n = 2^%d. Largest first, the sum is large at once, and from then on every small number is cut to the spacing "
        "of a large sum: %s ulp. Smallest first, the partial sums stay small as long as they can: %s ulp. Pairs do not "
        "care about the order at all, even with the largest first: a number takes part in %llu additions at most "
        "instead of %llu (0 + x is the first of them), and the error is %s ulp.",
        LAST_POWER, rounded_text(ulps(&last[LARGEST])), rounded_text(ulps(&last[SMALLEST])),
        (unsigned long long)method_height(last[PAIRS].sum.method, UINT64_C(1) << LAST_POWER, launch),
        (unsigned long long)method_height(last[SMALLEST].sum.method, UINT64_C(1) << LAST_POWER, launch),
        rounded_text(ulps(&last[PAIRS])));
    draw_harmonic(sheet, seen);
    return OK;
}

/* ---- is it always so? ---- */

enum { SETS = 200, SET_N = 1024 };

struct tally {
    double mean[WAYS], most[WAYS];
    int best[WAYS]; /* sets in which no other left-to-right order had a smaller error */
};

static enum status count_sets(struct tally *tally)
{
    *tally = (struct tally){0};
    for (uint64_t seed = 1; seed <= SETS; seed++) {
        struct seen seen[WAYS];
        TRY(see_ways("lognormal", SET_N, seed, add, seen));
        const double least = fmin(fmin(ulps(&seen[LARGEST]), ulps(&seen[IN_NO_ORDER])), ulps(&seen[SMALLEST]));
        for (size_t w = 0; w < WAYS; w++) {
            tally->mean[w] += ulps(&seen[w]) / SETS;
            tally->most[w] = fmax(tally->most[w], ulps(&seen[w]));
            tally->best[w] += w != PAIRS && ulps(&seen[w]) == least;
        }
    }
    return OK;
}

static enum status tell_always(struct sheet *sheet)
{
    struct tally tally;
    TRY(count_sets(&tally));
    TRY(lesson_claim(sheet,
                     tally.best[SMALLEST] < SETS && tally.mean[SMALLEST] < tally.mean[LARGEST] &&
                         tally.mean[PAIRS] < tally.mean[SMALLEST],
                     "smallest first is better in the mean, and not always"));
    struct grid *grid =
        sheet_table(sheet, "random sets", 1, "order | > mean error, ulp | > largest, ulp | > best of three, ties too");
    for (size_t w = 0; w < WAYS; w++) {
        grid_add(grid, cell_text("%s", ways[w].name), cell_number(tally.mean[w]), cell_number(tally.most[w]));
        if (w != PAIRS)
            grid_set(grid, 3, TONE_PLAIN, "%d of %d", tally.best[w], SETS);
    }
    say("%d sets of %d positive random numbers (`lognormal`). Smallest first is not a law: it was best of the three in "
        "%d sets, and in the others luck was with another order. It has the smallest bound, and the smaller mean. It "
        "must be sorted for; pairs need no sorting, and their mean is smaller still.",
        SETS, SET_N, tally.best[SMALLEST]);
    return OK;
}

/* ---- terms of e^-x ---- */

enum { TERMS_MOST = 128, SIGN_WAYS = 5 };

static const struct sign_way {
    const char *name;
    enum ordering_kind kind;
    const char *method;
} sign_ways[SIGN_WAYS] = {
    {"smallest first", MAGNITUDE, "plain/serial"},         {"as they come", GIVEN, "plain/serial"},
    {"smallest partial sum first", PSUM, "plain/serial"},  {"largest first", MAGNITUDE_DESCENDING, "plain/serial"},
    {"in pairs, as they come", GIVEN, "plain/pairwise_1"},
};
enum { SIGNS_SMALLEST, SIGNS_GIVEN, SIGNS_PSUM, SIGNS_LARGEST };

/* 1, -x, x^2/2, ...: made in binary64, each rounded to binary32; up to those that no sum would notice. */
static uint64_t terms_of(double x, float terms[TERMS_MOST])
{
    uint64_t n = 0;
    for (double term = 1; n < TERMS_MOST && fabs(term) > 1e-25; n++, term *= -x / (double)n)
        terms[n] = (float)term;
    return n;
}

static enum status see_signs(double x, struct seen seen[SIGN_WAYS])
{
    float terms[TERMS_MOST];
    for (size_t w = 0; w < SIGN_WAYS; w++) {
        FREED_BY(lesson_data_free) struct lesson_data data = {0};
        const uint64_t n = terms_of(x, terms);
        TRY(ordering_apply((struct ordering){.kind = sign_ways[w].kind}, &FORMAT_BINARY32, terms, n));
        TRY(lesson_data_of(terms, n, &data));
        TRY(see(sign_ways[w].method, &data, &seen[w]));
    }
    return OK;
}

static double relative(const struct seen *seen)
{
    return seen->sum.metric[METRIC_relative_error];
}

/* Of x = 4, 4.5, ... 16. */
static enum status count_x(int *largest_wins, int *tried)
{
    *largest_wins = *tried = 0;
    for (double x = 4; x <= 16; x += 0.5) {
        struct seen seen[SIGN_WAYS];
        bool best = true;
        TRY(see_signs(x, seen));
        for (size_t w = 0; w < SIGN_WAYS; w++)
            best &= relative(&seen[SIGNS_LARGEST]) <= relative(&seen[w]);
        *largest_wins += best;
        ++*tried;
    }
    return OK;
}

static enum status claim_signs(const struct sheet *sheet, const struct seen seen[SIGN_WAYS], int wins, int tried)
{
    bool holds = true, alike = true;
    for (size_t w = 0; w < SIGN_WAYS; w++) {
        holds &= theorem_holds(&seen[w]);
        alike &= seen[w].bound < 2 * seen[SIGNS_LARGEST].bound;
    }
    TRY(lesson_claim(sheet, holds, "the theorem holds"));
    TRY(lesson_claim(sheet, alike && seen[SIGNS_LARGEST].inexact >= seen[SIGNS_SMALLEST].inexact,
                     "neither the bound nor the count of roundings tells the orders apart"));
    return lesson_claim(sheet,
                        relative(&seen[SIGNS_LARGEST]) * 1000 < relative(&seen[SIGNS_SMALLEST]) && 2 * wins > tried &&
                            10 * seen[SIGNS_LARGEST].largest_rounded < seen[SIGNS_SMALLEST].largest_rounded,
                        "largest first is mostly best for the terms of e^-x");
}

static void show_signs(struct sheet *sheet, const struct seen seen[SIGN_WAYS])
{
    struct grid *grid =
        sheet_table(sheet, "the terms of e^-8", 1,
                    "order | > computed | > relative error | > roundings | > largest rounded | > bound/|s|");
    for (size_t w = 0; w < SIGN_WAYS; w++)
        grid_add(grid, cell_text("%s", sign_ways[w].name),
                 cell_text("%s", format_text(&FORMAT_BINARY32, (double)seen[w].sum.computed)),
                 cell_number(relative(&seen[w])), cell_count(seen[w].inexact), cell_number(seen[w].largest_rounded),
                 cell_number(seen[w].bound / seen[w].abs_s));
}

static enum status tell_signs(struct sheet *sheet)
{
    struct seen seen[SIGN_WAYS];
    char small[NUMBER_TEXT], rounded[2][NUMBER_TEXT];
    int wins, tried;
    TRY(see_signs(8, seen));
    TRY(count_x(&wins, &tried));
    TRY(claim_signs(sheet, seen, wins, tried));
    show_signs(sheet, seen);
    predict_choice(
        nearest(seen, SIGN_WAYS), "Which order is best for the terms of $e^-8$?",
        "Large terms of both signs cancel. When is that exact?",
        CHOICES(sign_ways[0].name, sign_ways[1].name, sign_ways[2].name, sign_ways[3].name, sign_ways[4].name),
        "Large terms cancel each other exactly before small ones come.");
    write_rounded(relative(&seen[SIGNS_SMALLEST]), small);
    write_rounded(seen[SIGNS_SMALLEST].largest_rounded, rounded[0]);
    write_rounded(seen[SIGNS_LARGEST].largest_rounded, rounded[1]);
    say("Now the rule turns round: smallest first is wrong by %s of the sum, largest first by %s. Large terms meet "
        "large terms of the other sign: both are whole multiples of about the same power of two, and cancel with no "
        "rounding. Look at the column of roundings: largest first has a good many of them, but the largest sum that it "
        "rounded is %s, and smallest first it is %s. Of %d values of x from 4 to 16 largest first was the best in %d. "
        "The theorem does not see this: its bound is much the same in every row, as it cannot know which additions "
        "will be exact.",
        small, rounded_text(relative(&seen[SIGNS_LARGEST])), rounded[1], rounded[0], tried, wins);
    write_rounded(fabs(seen[0].abs_s - exp(-8)) / exp(-8), small);
    say("No order gives you e^-8 itself. The terms were rounded before anything was added, and their exact sum is "
        "already wrong by %s of e^-8.",
        small);
    return OK;
}

static enum status ask(struct sheet *sheet)
{
    static const float numbers[] = {1, 0x1p30f, 0x1p31f, -0x1.8p31f};
    struct seen seen[SIGN_WAYS];
    for (size_t w = 0; w < SIGN_WAYS; w++) {
        float x[4];
        FREED_BY(lesson_data_free) struct lesson_data data = {0};
        memcpy(x, numbers, sizeof x);
        TRY(ordering_apply((struct ordering){.kind = sign_ways[w].kind}, &FORMAT_BINARY32, x, 4));
        TRY(lesson_data_of(x, 4, &data));
        TRY(see(sign_ways[w].method, &data, &seen[w]));
    }
    TRY(lesson_claim(sheet, ulps(&seen[SIGNS_LARGEST]) == 0 && ulps(&seen[SIGNS_SMALLEST]) > 0,
                     "only largest first has 1"));
    say_exercise("(Higham 2002, section 4.2.) The numbers are 1, M, 2M and -3M, with M = 2^30, so large that 1 + M "
                 "rounds to M. Their sum is 1. What do you get smallest magnitude first, with the smallest partial sum "
                 "first, and largest magnitude first?");
    say_answer("Smallest first %g, smallest partial sum first %g, largest first %g. The 1 is lost as soon as it meets "
               "M; only largest first has cancelled all the M before it comes.",
               (double)seen[SIGNS_SMALLEST].sum.computed, (double)seen[SIGNS_PSUM].sum.computed,
               (double)seen[SIGNS_LARGEST].sum.computed);
    return OK;
}

enum status lesson_order(struct sheet *sheet)
{
    say_question("A sum can be added smallest number first, largest first, in no order, or in pairs. Does it matter, "
                 "and if so, which one is best, for all numbers?");
    say_prediction(
        "Rank the four, the best first, for $1 + 1/2 + 1/3 + ...$ Then do it for the terms of $e^-8 = 1 - 8 + "
        "8^2/2! - 8^3/3! + ...$, whose signs alternate.");
    say_heading("One sign: 1 + 1/2 + 1/3 + ...");
    TRY(tell_harmonic(sheet));
    say_heading("Is smallest first always better?");
    TRY(tell_always(sheet));
    say_heading("Both signs: the terms of e^-8");
    TRY(tell_signs(sheet));
    say_theorem(
        "Higham 2002, section 4.2",
        "From left to right, and in fact in any order, $|computed - s| <= u (|T_1| + ... + |T_(n-1)|)$, $T_i$ the "
        "computed partial sums. For numbers of one sign smallest first makes the partial sums smallest, and "
        "this bound with them. The sums of the first and of the last table were held to it.");
    say_theorem(
        "docs/bounds.md, P1",
        "Let no number take part in more than h additions, 0 + x being the first: h is the height of the tree "
        "of additions. With $k = h - 1$, $|computed - s| <= min((n - 1)u, (1 + u/(1+u))^k - 1) sum |x_i|$. From "
        "left to right h is n, in pairs it is $1 + log2 n$, rounded up.");
    TRY(ask(sheet));
    say("Go on: `ulpscope determinism plain/serial plain/pairwise lognormal:n=1024 --across permutation` adds the same "
        "numbers in 20 random orders, and `ulpscope blame plain/serial lognormal:n=1024 --top 5` says which additions "
        "lost most.");
    return OK;
}
