#include "datasets/ordering.h"
#include "src/teach/tools/lesson_tools.h"

enum { THREADS = 256, BLOCKS_MOST = 256, ARRIVALS = 1000, SHOWN_BLOCKS = 64, EXACT_ARRIVALS = 20 };
static const char spec[] = "uniform:n=64Ki";

/* The numbers that block b of so many adds, in the order of its grid-stride loop; how many. */
static uint64_t numbers_of_block(const struct lesson_data *data, uint32_t block, uint32_t blocks, float *numbers)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < data->n; i++)
        if (i / THREADS % blocks == block)
            numbers[count++] = data->x[i];
    return count;
}

/* Each by the replay of tree_two_pass with one block, whose second pass has nothing to add. */
static enum status add_blocks(const struct lesson_data *data, uint32_t blocks, float *sums)
{
    const struct method *method = method_find("plain/tree_two_pass");
    OWNED float *numbers = malloc(data->n * sizeof *numbers);
    TRY(numbers ? OK : out_of_memory("the numbers of a block"));
    for (uint32_t b = 0; b < blocks; b++) {
        const uint64_t count = numbers_of_block(data, b, blocks, numbers);
        TRY(method_sum(method, numbers, count, (struct launch){1, THREADS}, 1, &sums[b]));
    }
    return OK;
}

/* What many runs gave: the different sums in rising order, and how often each came. */
struct outcomes {
    float sum[ARRIVALS];
    int times[ARRIVALS], count;
};

static void count_sum(struct outcomes *outcomes, float sum)
{
    int at = 0;
    while (at < outcomes->count && outcomes->sum[at] < sum)
        at++;
    if (at == outcomes->count || outcomes->sum[at] != sum) {
        memmove(&outcomes->sum[at + 1], &outcomes->sum[at], (size_t)(outcomes->count - at) * sizeof *outcomes->sum);
        memmove(&outcomes->times[at + 1], &outcomes->times[at],
                (size_t)(outcomes->count - at) * sizeof *outcomes->times);
        outcomes->sum[at] = sum;
        outcomes->times[at] = 0;
        outcomes->count++;
    }
    outcomes->times[at]++;
}

/* Block sums as they arrive: any order, all equally likely. */
static enum status arrive(const float *sums, uint32_t blocks, struct outcomes *outcomes)
{
    const struct method *serial = method_find("plain/serial");
    float arrived[BLOCKS_MOST], total;
    outcomes->count = 0;
    for (uint64_t run = 0; run < ARRIVALS; run++) {
        memcpy(arrived, sums, blocks * sizeof *sums);
        TRY(ordering_apply((struct ordering){.kind = SHUFFLED, .seed = run}, &FORMAT_BINARY32, arrived, blocks));
        TRY(method_sum(serial, arrived, blocks, one_thread, 1, &total));
        count_sum(outcomes, total);
    }
    return OK;
}

/* In the order 0, 1, 2, ... the simulation is the replay of the kernel, bit for bit. */
static enum status is_the_replay(const struct lesson_data *data, const float *sums, uint32_t blocks, bool *same)
{
    float total, replayed;
    TRY(method_sum(method_find("plain/serial"), sums, blocks, one_thread, 1, &total));
    TRY(method_sum(method_find("plain/tree_atomic"), data->x, data->n, (struct launch){blocks, THREADS}, 1, &replayed));
    *same = float_same(total, replayed);
    return OK;
}

static double error_in_ulps(float sum, const struct exact_sum *exact)
{
    return ((double)sum - mpfr_get_d(exact->sum, MPFR_RNDN)) / exact->ulp;
}

/* What theory allows two arrivals to differ: twice the bound of adding these block sums from left to right. */
static enum status allowed_in_ulps(const float *sums, uint32_t blocks, const struct exact_sum *exact, double *allowed)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sum;
    TRY(lesson_data_of(sums, blocks, &data));
    TRY(lesson_add("plain/serial", one_thread, &data, &sum));
    *allowed = 2 * sum.bound / exact->ulp;
    return OK;
}

static void draw(struct sheet *sheet, const struct outcomes *outcomes, const struct exact_sum *exact)
{
    struct chart *chart = sheet_chart(sheet, "atomics-arrivals", 170);
    struct chart_panel *panel = chart_panel(chart, "");
    struct chart_mark *bars = chart_mark(panel, MARK_BARS, "runs", COLOUR_MAIN);
    struct chart_mark *rule = chart_mark(panel, MARK_RULE_X, "the exact sum", COLOUR_GOOD);
    double most = 0;
    chart_set(&chart->title, "%d simulated runs with %d blocks", ARRIVALS, SHOWN_BLOCKS);
    chart_set(&chart->caption, "Each bar is one sum; its place is the sum's error. The exact sum is at 0.");
    bars->width = 0.8;
    rule->off_the_table = true;
    chart_point(rule, 0, NAN, NAN, NULL);
    for (int i = 0; i < outcomes->count; i++) {
        const double error = error_in_ulps(outcomes->sum[i], exact);
        char label[NUMBER_TEXT];
        snprintf(label, sizeof label, "%+.2f ulp", error);
        chart_point(bars, error, outcomes->times[i], NAN, label);
        most = fmax(most, outcomes->times[i]);
    }
    lesson_axis(&chart->x, "error in ulp", SCALE_LINEAR, fmin(0, floor(error_in_ulps(outcomes->sum[0], exact))) - 1,
                fmax(0, ceil(error_in_ulps(outcomes->sum[outcomes->count - 1], exact))) + 1);
    lesson_axis(&chart->y, "runs", SCALE_LINEAR, 0, 50 * ceil(most / 50));
}

static void row(struct grid *grid, uint32_t blocks, const struct outcomes *outcomes, double allowed,
                const struct exact_sum *exact)
{
    const double least = error_in_ulps(outcomes->sum[0], exact);
    const double most = error_in_ulps(outcomes->sum[outcomes->count - 1], exact);
    grid_add(grid, cell_count(blocks), cell_count((uint64_t)outcomes->count), cell_text("%+.2f", least),
             cell_text("%+.2f", most), cell_number(most - least), cell_number(allowed));
}

static enum status tell_run(struct sheet *sheet, const struct lesson_data *data)
{
    struct grid *grid =
        sheet_table(sheet, "sums in many orders of arrival", 1,
                    "> blocks | > different sums | > least error, ulp | > largest | > apart | > theory allows");
    struct outcomes outcomes, shown = {.count = 0};
    bool all_same = true, within = true;
    for (uint32_t blocks = 1; blocks <= BLOCKS_MOST; blocks *= blocks < 4 ? 2 : 4) {
        float sums[BLOCKS_MOST];
        bool same;
        double allowed;
        TRY(add_blocks(data, blocks, sums));
        TRY(is_the_replay(data, sums, blocks, &same));
        TRY(arrive(sums, blocks, &outcomes));
        TRY(allowed_in_ulps(sums, blocks, &data->exact, &allowed));
        all_same &= same;
        within &= (double)(outcomes.sum[outcomes.count - 1] - outcomes.sum[0]) <= allowed * data->exact.ulp;
        TRY(lesson_claim(sheet, blocks > 2 || outcomes.count == 1, "one or two blocks have one sum"));
        row(grid, blocks, &outcomes, allowed, &data->exact);
        if (blocks == SHOWN_BLOCKS)
            shown = outcomes;
    }
    TRY(lesson_claim(sheet, all_same && within && shown.count > 2,
                     "orders of arrival give different sums, within the bound"));
    predict_within(1.5, shown.count, "With 64 blocks, about how many different sums will 1000 runs give?",
                   "How far may two orders be apart, in ulp? There are no more sums than numbers in between.",
                   "The sums are neighbouring floats: there were %d.", shown.count);
    say("The data are `%s`, seed 1, %d threads in a block. With %d blocks, %d runs gave %d different sums. Nobody made "
        "a mistake: every one of these is a correct result of the same program on the same numbers.",
        spec, THREADS, SHOWN_BLOCKS, ARRIVALS, shown.count);
    draw(sheet, &shown, &data->exact);
    return OK;
}

/* The data with the parts of blocks exchanged: block b then has what block place[b] had.  n is a multiple of a round of
 * all blocks. */
static void exchange_blocks(const struct lesson_data *data, const float place[SHOWN_BLOCKS], float *moved)
{
    const uint64_t rounds = data->n / (SHOWN_BLOCKS * THREADS);
    for (uint64_t round = 0; round < rounds; round++)
        for (uint64_t b = 0; b < SHOWN_BLOCKS; b++)
            memcpy(moved + (round * SHOWN_BLOCKS + b) * THREADS,
                   data->x + (round * SHOWN_BLOCKS + (uint64_t)place[b]) * THREADS, THREADS * sizeof *moved);
}

/* How many of its further arrivals gave superacc other bits than the first: replays with the blocks exchanged. */
static enum status count_other_bits(const struct lesson_data *data, int *others)
{
    const struct method *method = method_find("superacc/tree_atomic");
    OWNED float *moved = malloc(data->n * sizeof *moved);
    float place[SHOWN_BLOCKS], first = 0, sum = 0;
    TRY(moved ? OK : out_of_memory("the numbers of blocks"));
    *others = 0;
    for (uint64_t run = 0; run < EXACT_ARRIVALS; run++) {
        for (int b = 0; b < SHOWN_BLOCKS; b++)
            place[b] = (float)b;
        TRY(ordering_apply((struct ordering){.kind = SHUFFLED, .seed = run}, &FORMAT_BINARY32, place, SHOWN_BLOCKS));
        exchange_blocks(data, place, moved);
        TRY(method_sum(method, moved, data->n, (struct launch){SHOWN_BLOCKS, THREADS}, 1, &sum));
        *others += run > 0 && !float_same(sum, first);
        first = run == 0 ? sum : first;
    }
    return OK;
}

static enum status tell_help(struct sheet *sheet, const struct lesson_data *data)
{
    char why[REASON_SIZE] = "";
    int others;
    const bool kahan = method_can_do(method_find("kahan/tree_atomic"), (struct launch){SHOWN_BLOCKS, THREADS}, why);
    TRY(count_other_bits(data, &others));
    TRY(lesson_claim(sheet,
                     !kahan && others == 0 && method_find("superacc/tree_atomic")->determinism == DETERMINISTIC &&
                         method_find("plain/tree_last_block")->determinism == DETERMINISTIC,
                     "fixed trees and exact sums have one result"));
    say("Two things help. Fix the tree: `plain/tree_last_block` also needs one kernel only, but its last block to "
        "arrive adds the block sums in the order of their numbers. Or make the order harmless: `superacc` is exact, "
        "and had the same bits in %d orders of arrival here (lesson `exact`). Kahan's method, of the next lesson, is "
        "not to be had in this order at all: `kahan/tree_atomic` says: %s.",
        EXACT_ARRIVALS, why);
    return OK;
}

/* Three sums, all six orders. */
static int sums_of_three(const float block[3])
{
    const struct method *serial = method_find("plain/serial");
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct outcomes outcomes = {.count = 0};
    for (int o = 0; o < 6; o++) {
        const float arrived[3] = {block[orders[o][0]], block[orders[o][1]], block[orders[o][2]]};
        float sum = 0;
        if (method_sum(serial, arrived, 3, one_thread, 1, &sum) == OK)
            count_sum(&outcomes, sum);
    }
    return outcomes.count;
}

static enum status ask(struct sheet *sheet)
{
    enum { SETS = 300 };
    int with[4] = {0};
    for (uint64_t seed = 1; seed <= SETS; seed++) {
        FREED_BY(lesson_data_free) struct lesson_data data = {0};
        TRY(lesson_data_made("uniform:n=3", seed, &data));
        with[sums_of_three(data.x)]++;
    }
    TRY(lesson_claim(sheet, with[3] > 0, "three blocks can give three sums"));
    say_exercise("How many different sums can two blocks give? And three, whose block sums are a, b and c?");
    say_answer("Two give one: a + b and b + a are rounded alike. Three give at most three: there are six orders, but "
               "the first two may change places, so that only the last to arrive counts: (a + b) + c, (a + c) + b, (b "
               "+ c) + a. Of %d random triples %d gave one sum, %d two and %d three.",
               SETS, with[1], with[2], with[3]);
    return OK;
}

enum status lesson_atomics(struct sheet *sheet)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    say_question("I ran the same program twice, on the same GPU, with the same numbers and the same launch. The sums "
                 "differ. How can that be?");
    say_prediction("A kernel lets every block add its own part, and then `atomicAdd` its block sum to the total. With "
                   "%d blocks, how many different sums will %d runs give? And with 1 block, 2 blocks, 4 blocks?",
                   SHOWN_BLOCKS, ARRIVALS);
    say("`atomicAdd` makes sure that no addition is lost. It does not say who comes first: that is up to the "
        "scheduler, the caches and chance, and is another order every time. Another order, another sum.");
    say_heading("The run, simulated");
    say("What is real and what is not: the block sums are those of the kernel, by its replay; each order of arrival is "
        "added by `plain/serial`, with real roundings; in the order 0, 1, 2, ... that was checked to be the replay of "
        "`plain/tree_atomic`, bit for bit. The orders themselves are drawn at random, each as likely. A real GPU has "
        "its habits and will show fewer sums, or others. On a GPU this shows the real thing: `ulpscope run --repeats "
        "1000 --blocks 64 -m plain/tree_atomic -d uniform:n=64Ki`.");
    TRY(lesson_data_made(spec, 1, &data));
    TRY(tell_run(sheet, &data));
    say_theorem("docs/bounds.md, P1", "The bound $(n - 1)u sum |x_i|$ holds for plain addition in any order, so that "
                                      "two orders of n numbers differ by twice that at most. The table applies it only "
                                      "to the additions whose order is open: those of the block sums.");
    say_heading("What helps");
    TRY(tell_help(sheet, &data));
    TRY(ask(sheet));
    say("Go on: `ulpscope determinism plain/serial superacc/serial uniform:n=1000 --across permutation` adds the same "
        "numbers in 20 other orders, plainly and exactly.");
    return OK;
}
