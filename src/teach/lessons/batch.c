/* A row of a batch: kernels that share their blocks among the rows give it other bits in another batch. */
#include "src/teach/tools/lesson_tools.h"

/* A GPU of 132 multiprocessors with room for 8 blocks each. */
enum { BLOCKS = 1056, THREADS = 256, FIXED_BLOCKS = 8, LAST_POWER = 10, BATCHES = LAST_POWER + 1, ROW_N = 1 << 16 };

static const char row_spec[] = "uniform:n=64Ki,low=-1";

/* Ways to give a row its blocks. */
enum way { SHARED, FIXED, EXACT, WAYS };
static const struct {
    const char *name, *method;
    bool is_shared;
    enum colour colour;
} ways[WAYS] = {
    [SHARED] = {"plain, a share", "plain/vector_two_pass", true, COLOUR_SECOND},
    [FIXED] = {"plain, 8 blocks", "plain/vector_two_pass", false, COLOUR_MAIN},
    [EXACT] = {"superacc, a share", "superacc/vector_two_pass", true, COLOUR_THEORY},
};

static uint32_t share_of(uint32_t rows)
{
    return rows < BLOCKS ? BLOCKS / rows : 1;
}

/* A row's sum in a batch of 2^power. */
static enum status add(enum way way, int power, const struct lesson_data *data, struct lesson_sum *sum)
{
    const struct launch launch = {ways[way].is_shared ? share_of(UINT32_C(1) << power) : FIXED_BLOCKS, THREADS};
    return lesson_add(ways[way].method, launch, data, sum);
}

/* Whether the row has the same bits alone and as each of eight rows that are added in one call. */
static enum status same_at_each_place(const struct lesson_data *data, struct launch launch, bool *same)
{
    enum { ROWS = 8 };
    const struct method *method = method_find(ways[FIXED].method);
    const struct lesson_data *row = data;
    OWNED float *rows = malloc(ROWS * ROW_N * sizeof *rows);
    uint64_t bits[ROWS], alone;
    TRY(rows ? OK : out_of_memory("a batch"));
    for (int r = 0; r < ROWS; r++)
        memcpy(rows + (size_t)r * ROW_N, row->x, ROW_N * sizeof *rows);
    const struct operands batch = {&FORMAT_BINARY32, OPERATION_sum, {rows, NULL}, {.terms = ROW_N, .rows = ROWS}},
                          one = {&FORMAT_BINARY32, OPERATION_sum, {row->x, NULL}, shape_of_one(ROW_N)};
    TRY(method_replay(method, &one, launch, 1, &alone));
    TRY(method_replay(method, &batch, launch, 1, bits));
    *same = true;
    for (int r = 0; r < ROWS; r++)
        *same &= bits[r] == alone;
    return OK;
}

static void show(struct sheet *sheet, struct lesson_sum sums[WAYS][BATCHES])
{
    struct grid *grid =
        sheet_table(sheet, "The same row, in eleven batches", 2,
                    "> rows in the batch | > blocks per row | plain, a share | plain, 8 blocks | superacc, a share");
    for (int i = 0; i < BATCHES; i++) {
        grid_add(grid, cell_count(UINT64_C(1) << i), cell_count(share_of(UINT32_C(1) << i)));
        for (int w = 0; w < WAYS; w++)
            grid_set(grid, 2 + (size_t)w, TONE_PLAIN, "%a", (double)sums[w][i].computed);
    }
}

static enum status tell_row(struct sheet *sheet, int *sums_of_shares)
{
    FREED_BY(lesson_data_free) struct lesson_data data = {0};
    struct lesson_sum sums[WAYS][BATCHES];
    bool bounded = true, same = false;
    TRY(lesson_data_made(row_spec, 1, &data));
    for (int w = 0; w < WAYS; w++)
        for (int i = 0; i < BATCHES; i++) {
            TRY(add((enum way)w, i, &data, &sums[w][i]));
            bounded &= sums[w][i].metric[METRIC_bound_ratio] <= 1;
        }
    *sums_of_shares = lesson_distinct(sums[SHARED], BATCHES);
    TRY(same_at_each_place(&data, (struct launch){FIXED_BLOCKS, THREADS}, &same));
    TRY(lesson_claim(sheet,
                     bounded && same && *sums_of_shares > 1 && lesson_distinct(sums[FIXED], BATCHES) == 1 &&
                         lesson_distinct(sums[EXACT], BATCHES) == 1,
                     "a share of the blocks changes the bits; a fixed number of blocks, and exact sums, do not"));
    show(sheet, sums);
    predict_within(2, *sums_of_shares, "About how many different sums will the row have?",
                   "How many blocks has it in each batch? May two trees have one sum?",
                   "%d batches are as many trees, some of which round alike.", BATCHES);
    say("%d batches, %d different sums of one row of %d numbers (`%s`, seed 1). No number moved and no other row "
        "took "
        "part: the kernel has %d blocks, and each row gets its share of them. The fewer rows there are, the more "
        "blocks add one of them, and the blocks decide who is added to whom.",
        BATCHES, *sums_of_shares, ROW_N, row_spec, BLOCKS);
    say("With %d blocks for every row, whatever the batch, the row had the same bits at each of eight places of a "
        "batch as alone: this is called batch invariance. superacc has it with any share, because it rounds once, and "
        "exact sums have no order.",
        FIXED_BLOCKS);
    return OK;
}

enum { SETS = 20 };

static enum status tell_errors(struct sheet *sheet)
{
    double rms[WAYS][BATCHES] = {{0}};
    for (uint64_t seed = 1; seed <= SETS; seed++) {
        FREED_BY(lesson_data_free) struct lesson_data data = {0};
        struct lesson_sum sum;
        TRY(lesson_data_made("uniform:n=64Ki", seed, &data));
        for (int w = 0; w < WAYS; w++)
            for (int i = 0; i < BATCHES; i++) {
                TRY(add((enum way)w, i, &data, &sum));
                rms[w][i] += pow(sum.metric[METRIC_ulp_error], 2) / SETS;
            }
    }
    for (int w = 0; w < WAYS; w++)
        for (int i = 0; i < BATCHES; i++)
            rms[w][i] = sqrt(rms[w][i]);
    TRY(lesson_claim(sheet, rms[SHARED][0] < 1 && rms[FIXED][0] < 1 && rms[EXACT][0] <= 0.5,
                     "none of the ways is inaccurate"));
    struct chart *chart = sheet_chart(sheet, "batch-rows", 200);
    struct chart_panel *panel = chart_panel(chart, "");
    chart_set(&chart->title, "Error against the rows of the batch, %d rows", SETS);
    chart_set(&chart->caption, "Root mean square of the errors of %d rows of uniform numbers between 0 and 1.", SETS);
    lesson_axis(&chart->x, "rows in the batch", SCALE_LOG2, 1, ldexp(1, LAST_POWER));
    lesson_axis(&chart->y, "error in ulp", SCALE_LINEAR, 0, 1);
    for (int w = 0; w < WAYS; w++) {
        struct chart_mark *mark = chart_mark(panel, MARK_LINE, ways[w].name, ways[w].colour);
        for (int i = 0; i < BATCHES; i++)
            chart_point(mark, ldexp(1, i), rms[w][i], NAN, NULL);
    }
    say("This is no matter of accuracy: a batch does not make a sum bad, it makes it another one. A program that "
        "compares, caches or signs results, or that feeds them to a branch, cares all the same.");
    return OK;
}

static void ask(struct sheet *sheet, int sums_of_shares)
{
    say_exercise(
        "A server fills its batches up to 1, 2, 4, ... or 1024 rows. How many different answers can the row above get, "
        "if each row has a share of %d blocks? And if each has %d blocks? What does that cost where there is one row?",
        BLOCKS, FIXED_BLOCKS);
    say_answer("%d, and 1. With one row %d of %d blocks have work: it takes as long as %d rows together. Fixed parts "
               "cost nothing where batches are large; for small ones choose more parts, once and for all.",
               sums_of_shares, FIXED_BLOCKS, BLOCKS, BLOCKS / FIXED_BLOCKS);
}

enum status lesson_batch(struct sheet *sheet)
{
    int sums_of_shares = 0;
    say_question("A server adds up the numbers of each request, a row, on a GPU; requests that arrive together are one "
                 "batch. The same request gets another sum at night. Why?");
    say_prediction(
        "A row of 2^16 numbers, alone, and in batches of 2, 4, ... 1024 rows: how many different sums will it have?");
    say_heading("The run");
    TRY(tell_row(sheet, &sums_of_shares));
    say_heading("Is one of them worse?");
    TRY(tell_errors(sheet));
    say_theorem("docs/bounds.md, P1",
                "Let h1 and h2 be the heights of the trees in two batches. Each sum is within its bound of the exact "
                "one, so that the two differ by at most the sum of both bounds, about $(h1 + h2 - 2) u sum |x_i|$. One "
                "tree for all batches, or a sum that is rounded once, differs by 0.");
    ask(sheet, sums_of_shares);
    say("Go on: `ulpscope determinism plain/tree_rows plain/vector_two_pass --across batch,launch` tries batches; it "
        "takes methods of matrices and plug-ins, too.");
    return OK;
}
