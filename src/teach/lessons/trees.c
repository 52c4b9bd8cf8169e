#include "datasets/sum_tree.h"
#include "src/teach/tools/lesson_tools.h"
#include "src/teach/tree/tree_drawing.h"

static const char two_pass[] = "plain/tree_two_pass";

static struct launch one_block(uint32_t threads)
{
    return (struct launch){1, threads};
}

/* One thread merges nothing and has no kernel of its own: it is the loop of the CPU. */
static enum status add(const struct lesson_data *data, uint32_t threads, struct lesson_sum *sum)
{
    return lesson_add(threads == 1 ? "plain/serial" : two_pass, one_block(threads), data, sum);
}

/* What `draw` writes, as a text that the caller frees. */
static enum status drawn(enum status (*draw)(const struct tree_drawing *drawing, FILE *to),
                         const struct tree_drawing *drawing, char **text)
{
    size_t length;
    FILE *to = text_stream(text, &length);
    const enum status status = draw(drawing, to);
    fclose(to);
    return status;
}

static enum status draw_tree(struct sheet *sheet, uint64_t n, uint32_t threads)
{
    const struct tree_request request = {"lesson", method_find(two_pass), n, one_block(threads)};
    FREED_BY(sum_tree_free) struct sum_tree tree = {0};
    OWNED char *svg = NULL, *lines = NULL;
    char title[96], caption[160];
    TRY(sum_tree_make(&request, &tree));
    snprintf(title, sizeof title, "%s, n = %llu, 1 x %u", two_pass, (unsigned long long)n, threads);
    snprintf(caption, sizeof caption, "%u threads: %llu numbers each, then %.0f %s of merging. Height %llu.", threads,
             (unsigned long long)(n / threads), log2(threads), threads == 2 ? "level" : "levels",
             (unsigned long long)sum_tree_height(&tree));
    const struct tree_drawing drawing = {.tree = &tree, .title = title};
    TRY(drawn(tree_draw_svg, &drawing, &svg));
    TRY(drawn(tree_draw_lines, &drawing, &lines));
    sheet_picture(sheet, caption, svg, lines);
    svg = lines = NULL; /* the sheet's now */
    return OK;
}

enum { SUM_N = 1 << 16, LAST_THREADS_POWER = 10, LAUNCHES = LAST_THREADS_POWER + 1 };

static void show_launches(struct sheet *sheet, const struct lesson_sum sums[LAUNCHES])
{
    struct grid *grid = sheet_table(sheet, "one block of T threads", 1,
                                    "> threads T | > height | > computed | > error in ulp | > share of its bound");
    for (int i = 0; i < LAUNCHES; i++) {
        const uint32_t threads = UINT32_C(1) << i;
        grid_add(grid, cell_text(i == 0 ? "%u (the loop)" : "%u", threads),
                 cell_count(method_height(sums[i].method, SUM_N, one_block(threads))),
                 cell_text("%a", (double)sums[i].computed), cell_number(sums[i].metric[METRIC_ulp_error]),
                 cell_number(sums[i].metric[METRIC_bound_ratio]));
    }
}

/* Kernels with the tree of tree_two_pass, from 2^6 threads on: the launches of the question.  tree_unrolled needs whole
 * warps. */
enum { LEAST_OTHERS = 6 };

static enum status compare_kernels(const struct lesson_data *data, const struct lesson_sum sums[LAUNCHES], bool *same)
{
    static const char *const others[] = {"plain/tree_unrolled", "plain/tree_last_block"};
    *same = true;
    for (int i = LEAST_OTHERS; i < LAUNCHES; i++)
        for (size_t m = 0; m < sizeof others / sizeof *others; m++) {
            struct lesson_sum other;
            TRY(lesson_add(others[m], one_block(UINT32_C(1) << i), data, &other));
            *same &= float_same(other.computed, sums[i].computed);
        }
    return OK;
}

static enum status tell_launches(struct sheet *sheet)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sums[LAUNCHES];
    bool bounded = true, same;
    TRY(lesson_data_made("uniform:n=64Ki", 1, &data));
    for (int i = 0; i < LAUNCHES; i++) {
        TRY(add(&data, UINT32_C(1) << i, &sums[i]));
        bounded &= sums[i].metric[METRIC_bound_ratio] <= 1;
    }
    TRY(compare_kernels(&data, sums, &same));
    TRY(lesson_claim(sheet,
                     bounded && same && lesson_distinct(sums, LAUNCHES) > 1 &&
                         sums[0].metric[METRIC_ulp_error] < sums[1].metric[METRIC_ulp_error] &&
                         !float_same(sums[LEAST_OTHERS].computed, sums[LEAST_OTHERS + 1].computed),
                     "launches have different sums, and kernels with one tree the same"));
    show_launches(sheet, sums);
    predict_within(1.5, lesson_distinct(sums, LAUNCHES), "About how many different sums will there be?",
                   "How many different trees are there? May two of them have one sum?",
                   "%d launches are as many trees, some of which round alike.", LAUNCHES);
    say("%d launches, %d different sums of the same %d numbers (`uniform:n=64Ki`, seed 1). None is wrong: each is "
        "within the bound of its own tree. The GPU did not compute another way than the CPU; it added the same numbers "
        "with the same rounding, in another tree. So the launch is a part of the result, and `ulpscope` writes it down "
        "with every sum.",
        LAUNCHES, lesson_distinct(sums, LAUNCHES), SUM_N);
    say("The tree decides, not the kernel: `plain/tree_unrolled` and `plain/tree_last_block` are other programs with "
        "the same tree, and for %d threads and more each gave the same bits as `plain/tree_two_pass`.",
        1 << LEAST_OTHERS);
    return OK;
}

enum { SETS = 30, CHART_N = 1 << 14 };

struct errors {
    double most[LAUNCHES], rms[LAUNCHES], bound[LAUNCHES]; /* in ulp of each sum */
};

static enum status add_set(uint64_t seed, struct errors *errors)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    TRY(lesson_data_made("uniform:n=16Ki", seed, &data));
    for (int i = 0; i < LAUNCHES; i++) {
        TRY(add(&data, UINT32_C(1) << i, &sum));
        const double error = sum.metric[METRIC_ulp_error];
        errors->most[i] = fmax(errors->most[i], error);
        errors->rms[i] += error * error / SETS;
        errors->bound[i] = fmax(errors->bound[i], sum.bound / data.exact.ulp);
    }
    return OK;
}

static void line(struct chart_panel *panel, const char *name, enum colour colour, const double *errors)
{
    struct chart_mark *mark = chart_mark(panel, MARK_LINE, name, colour);
    mark->dashed = colour == COLOUR_THEORY;
    for (int i = 0; i < LAUNCHES; i++)
        chart_point(mark, ldexp(1, i), errors[i], NAN, NULL);
}

static enum status tell_errors(struct sheet *sheet)
{
    struct errors errors = {{0}, {0}, {0}};
    for (uint64_t seed = 1; seed <= SETS; seed++)
        TRY(add_set(seed, &errors));
    for (int i = 0; i < LAUNCHES; i++)
        errors.rms[i] = sqrt(errors.rms[i]);
    TRY(lesson_claim(sheet, errors.rms[0] > 4 * errors.rms[LAUNCHES - 1], "flat trees have smaller errors"));
    struct chart *chart = sheet_chart(sheet, "trees-threads", 240);
    struct chart_panel *panel = chart_panel(chart, "");
    chart_set(&chart->title, "Error against T, %d sets of %d uniform numbers", SETS, CHART_N);
    chart_set(&chart->caption, "T = 1 is the loop of the CPU. The bound is that of the tree, docs/bounds.md, P1.");
    lesson_axis(&chart->x, "threads T in one block", SCALE_LOG2, 1, ldexp(1, LAUNCHES - 1));
    lesson_axis(&chart->y, "error in ulp", SCALE_LOG10, 0.1, 1e5);
    line(panel, "bound", COLOUR_THEORY, errors.bound);
    line(panel, "largest of the sets", COLOUR_SECOND, errors.most);
    line(panel, "root mean square", COLOUR_MAIN, errors.rms);
    say("More threads make a flatter tree, and in the mean a smaller error: from %s ulp with the loop to %s ulp with "
        "%d threads. For a single sum luck may say otherwise: in the table the loop was better than two threads. And "
        "where the height hardly falls any more, the error does not either: the last rounding alone is up to half an "
        "ulp.",
        rounded_text(errors.rms[0]), rounded_text(errors.rms[LAUNCHES - 1]), 1 << LAST_THREADS_POWER);
    return OK;
}

static enum status ask(struct sheet *sheet)
{
    const uint64_t n = SUM_N;
    uint64_t best = n, best_free = n, threads = 0, free_first = 0, free_last = 0;
    bool formula = true;
    for (uint64_t t = 2, log = 1; t <= n; t *= 2, log++) {
        const uint64_t height = n / t + log;
        if (t <= LAUNCH_THREADS_MOST) {
            formula &= height == method_height(method_find(two_pass), n, one_block((uint32_t)t));
            threads = height < best ? t : threads;
            best = height < best ? height : best;
        }
        free_first = height < best_free ? t : free_first;
        free_last = height <= best_free ? t : free_last;
        best_free = height < best_free ? height : best_free;
    }
    TRY(lesson_claim(sheet, formula, "the height is n/T + log2 T"));
    say_exercise("One block of T threads, T a power of two: each thread adds n/T numbers, then come log2 T levels of "
                 "merging. So the height is n/T + log2 T. For n = 2^16, which T has the flattest tree, if a block may "
                 "have %d threads? And if it might have any number?",
                 LAUNCH_THREADS_MOST);
    say_answer("T = %llu, height %llu. Without a limit T = %llu and T = %llu share the least height, %llu: doubling T "
               "takes n/(2T) off the first part and adds 1 to the second, which is worth it while n/(2T) > 1. (Several "
               "blocks get there: that is what they are for.)",
               (unsigned long long)threads, (unsigned long long)best, (unsigned long long)free_first,
               (unsigned long long)free_last, (unsigned long long)best_free);
    return OK;
}

enum status lesson_trees(struct sheet *sheet)
{
    say_question("The same kernel adds the same numbers on the same GPU, once with 64 threads and once with 128. The "
                 "sums differ in the last digits. Is one of them wrong?");
    say_prediction("2^16 numbers, launches of 1 thread, 2, 4, ... up to 1024: how many different sums will there be? "
                   "Which launch comes nearest to the exact one, and which is farthest?");
    say_heading("Who meets whom");
    say("Thread t adds the numbers t, t + T, t + 2T, ..., T being the number of threads. Then thread 0 merges its sum "
        "with that of thread T/2, and so on, until one is left. T is in every step: another T, another tree. A tree's "
        "height says in how many additions a number takes part at most, 0 + x being the first. Here are eight "
        "numbers.");
    TRY(draw_tree(sheet, 8, 2));
    TRY(draw_tree(sheet, 8, 4));
    say_heading("The run");
    TRY(tell_launches(sheet));
    say_heading("Does a flat tree help?");
    TRY(tell_errors(sheet));
    say_theorem("docs/bounds.md, P1; the form with n - 1 also Rump 2012, Jeannerod and Rump 2013",
                "Of a tree of height h, $k = h - 1$: $|computed - s| <= min((n - 1)u, (1 + u/(1+u))^k - 1) sum |x_i|$, "
                "about $k u sum |x_i|$. What counts is how many roundings lie above a number, not how many there are.");
    TRY(ask(sheet));
    say("Go on: `ulpscope tree plain/tree_two_pass -n 37 --blocks 2 --threads 4` draws any tree, and `ulpscope explain "
        "plain/serial plain/tree_two_pass --data uniform:n=64Ki --blocks 1 --threads 128` says why the loop and 128 "
        "threads differ, and on how few numbers they still do.");
    return OK;
}
