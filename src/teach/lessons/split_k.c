/* The inner dimension of a matrix product in parts: other bits, often better ones; and parts that are rounded. */
#include "kernels/matmul.h"
#include "reference/matrix.h"
#include "src/teach/tools/lesson_matrices.h"

enum { SIDE = 16, INNER = 4096, ELEMENTS = SIDE * SIDE, PARTS_MOST = 8 };

struct product {
    float c[ELEMENTS];
    double error; /* the largest of an element, in ulp of the format of C */
};

static bool same_bits(const struct product *a, const struct product *b)
{
    return memcmp(a->c, b->c, sizeof a->c) == 0;
}

static enum status judge(const struct lesson_matrices *of, struct product *product)
{
    struct exact_element exact[ELEMENTS];
    const struct matrix_product request = {.format = of->a.format,
                                           .result = of->a.format,
                                           .rows = SIDE,
                                           .inner = INNER,
                                           .columns = SIDE,
                                           .a = {of->a.x, INNER, 1},
                                           .b = {of->b.x, SIDE, 1},
                                           .computed = {product->c, SIDE, 1}};
    TRY(exact_matrix(&request, 1, exact));
    product->error = 0;
    for (int i = 0; i < ELEMENTS; i++)
        product->error = fmax(product->error, fabs(exact[i].error) / exact[i].ulp);
    return OK;
}

/* "matmul:plain/split_4_rounded@bfloat16"; one part is naive. */
static enum status multiply(const char *accumulator, int parts, enum matmul_between between,
                            const struct lesson_matrices *of, struct product *product)
{
    char order[32] = "naive", at[32] = "", method[96];
    if (parts > 1)
        snprintf(order, sizeof order, "split_%d%s", parts, between == ROUNDED ? "_rounded" : "");
    if (of->a.format->precision != FORMAT_BINARY32.precision)
        snprintf(at, sizeof at, "@%s", of->a.format->name);
    snprintf(method, sizeof method, "%s/%s%s", accumulator, order, at);
    TRY(lesson_multiply(method, of, product->c));
    return judge(of, product);
}

/* By what is kept of a part, enum matmul_between, and the number of parts from 1 on. */
struct parts {
    struct product of[ROUNDED + 1][PARTS_MOST + 1];
};

static enum status measure(const char *accumulator, const struct format *format, struct parts *parts)
{
    FREED_BY(lesson_matrices_free) struct lesson_matrices of = {0};
    TRY(lesson_matrices_made("uniform:low=0", format, SIDE, INNER, SIDE, &of));
    for (int p = 1; p <= PARTS_MOST; p++)
        for (int between = STATES; between <= ROUNDED; between++)
            TRY(multiply(accumulator, p, (enum matmul_between)between, &of, &parts->of[between][p]));
    return OK;
}

static enum status check(struct sheet *sheet, const struct parts *binary32, const struct parts *bfloat16)
{
    const struct product *wide = binary32->of[STATES], *narrow = bfloat16->of[ROUNDED];
    for (int p = 1; p <= PARTS_MOST; p++) {
        TRY(lesson_claim(sheet, same_bits(&wide[p], &binary32->of[ROUNDED][p]), "binary32 rounds no state of plain"));
        TRY(lesson_claim(sheet, bfloat16->of[STATES][p].error < 0.51, "merged parts are rounded to bfloat16 once"));
    }
    TRY(lesson_claim(sheet, wide[PARTS_MOST].error < wide[1].error / 4, "parts make the error smaller"));
    return lesson_claim(sheet, narrow[2].error > 0.75 && narrow[PARTS_MOST].error > 2 * narrow[2].error,
                        "parts that are rounded make the error larger");
}

static void show(struct sheet *sheet, const struct parts *binary32, const struct parts *bfloat16)
{
    struct grid *grid = sheet_table(sheet, "Largest error of an element, in ulp of the format of C", 1,
                                    "> parts | > binary32 | > bfloat16 | > bfloat16, rounded between parts");
    for (int p = 1; p <= PARTS_MOST; p++)
        grid_add(grid, cell_count((uint64_t)p), cell_error(binary32->of[STATES][p].error),
                 cell_error(bfloat16->of[STATES][p].error), cell_error(bfloat16->of[ROUNDED][p].error));
}

static void draw_line(struct chart_panel *panel, const char *name, enum colour colour, const struct product *products)
{
    struct chart_mark *line = chart_mark(panel, MARK_LINE, name, colour);
    for (int p = 1; p <= PARTS_MOST; p++)
        chart_point(line, p, products[p].error, NAN, NULL);
}

static void draw(struct sheet *sheet, const struct parts *binary32, const struct parts *bfloat16)
{
    struct chart *chart = sheet_chart(sheet, "Error over the number of parts", 240);
    struct chart_panel *panel = chart_panel(chart, "");
    draw_line(panel, "binary32", COLOUR_SECOND, binary32->of[STATES]);
    draw_line(panel, "bfloat16, rounded between parts", COLOUR_BAD, bfloat16->of[ROUNDED]);
    draw_line(panel, "bfloat16", COLOUR_MAIN, bfloat16->of[STATES]);
    lesson_axis(&chart->x, "parts", SCALE_LINEAR, 1, PARTS_MOST);
    lesson_axis(&chart->y, "largest error, ulp of C", SCALE_LOG2, 0x1p-2, 0x1p6);
    for (int p = 1; p <= PARTS_MOST; p++)
        chart_tick(&chart->x, p, false, grouped_text((uint64_t)p));
    chart_set(&chart->caption, "Each line has its own ulp: one of bfloat16 is 65,536 of binary32. Half an ulp is the "
                               "best that one rounding allows.");
}

static enum status tell_parts(struct sheet *sheet)
{
    struct parts binary32, bfloat16;
    TRY(measure("matmul:plain", &FORMAT_BINARY32, &binary32));
    TRY(measure("matmul:plain", &FORMAT_BFLOAT16, &bfloat16));
    TRY(check(sheet, &binary32, &bfloat16));
    say_heading("One part to eight");
    say("A and B hold numbers between 0 and 1, and the %d elements of C are compared with the exact ones. A, B and C "
        "are in binary32, or in bfloat16 with additions in binary32. The parts are merged in binary32, as by "
        "`matmul:plain/split_4@bfloat16`, or each is added to C in bfloat16, as by `split_4_rounded`:",
        ELEMENTS);
    show(sheet, &binary32, &bfloat16);
    const struct product *wide = binary32.of[STATES], *narrow = bfloat16.of[ROUNDED];
    predict_choice((wide[PARTS_MOST].error < wide[1].error) + 2U * same_bits(&wide[1], &wide[PARTS_MOST]),
                   "Sums of 8 parts in binary32: is C better, worse or the same?",
                   "Through how many additions does a product go?", CHOICES("worse", "better", "the same"),
                   "Through fewer additions each.");
    predict_choice((narrow[PARTS_MOST].error < narrow[1].error) + 2U * same_bits(&narrow[1], &narrow[PARTS_MOST]),
                   "And in bfloat16, the parts added to C one after another?", "How often is C rounded to 8 bits?",
                   CHOICES("worse", "better", "the same"), "C is rounded to bfloat16 after each part.");
    draw(sheet, &binary32, &bfloat16);
    return OK;
}

static void tell_why(struct sheet *sheet)
{
    const struct matmul_method *naive = matmul_find("matmul:plain/naive"), *split = matmul_find("matmul:plain/split_8");
    say("In binary32 the parts help, if not every further one: a product goes through up to %s additions in one loop "
        "and %d in %d parts. (Rounding between parts changes nothing there: C is what is added in.) In bfloat16 a "
        "single rounding at the end leaves half an ulp, and the errors of binary32 are too small to be seen. If C is "
        "in bfloat16 between the parts, each of them adds a rounding of the whole sum so far.",
        grouped_text(matmul_height(naive, INNER)), (int)matmul_height(split, INNER), PARTS_MOST);
    say("That is how it happens: a kernel writes C in bfloat16, and is called for one part after another with beta = "
        "1. The remedy is to keep the parts in binary32 until they are merged. If parts arrive in any order, as with "
        "atomicAdd, C is not even the same in two runs: see the lesson `atomics`.");
    say_theorem("docs/bounds.md, Matrix products",
                "Let S be $sum |a_ik b_kj|$, p the parts, v the unit roundoff of the additions and u that of C. Parts "
                "that are merged: $|computed - s| <=$ about $(K/p + p) v S + u |s|$. Parts that are added to C: about "
                "$(K/p) v S + p u S$. The first falls with p up to the square root of K, and the second grows with p "
                "once p u is larger than $(K/p) v$.");
}

static enum status tell_exercise(struct sheet *sheet)
{
    struct parts parts;
    const struct product *merged = parts.of[STATES], *rounded = &parts.of[ROUNDED][PARTS_MOST];
    TRY(measure("matmul_exact:superacc", &FORMAT_BFLOAT16, &parts));
    for (int p = 1; p <= PARTS_MOST; p++)
        TRY(lesson_claim(sheet, same_bits(&merged[p], &merged[1]), "exact parts have the same bits, however many"));
    TRY(lesson_claim(sheet, merged[1].error <= 0.5 && rounded->error > 1,
                     "exact parts do not help where C is rounded between them"));
    say_exercise("Somebody replaces the accumulator of the kernel that is called %d times by an exact one, superacc. "
                 "How wrong is C now, in ulp of bfloat16?",
                 PARTS_MOST);
    say_answer("Up to %s ulp: every part is exact, and C is rounded %d times all the same. Merged, and rounded once, "
               "the exact parts have an error of at most %s ulp, the same bits for every number of parts.",
               error_text(rounded->error), PARTS_MOST, error_text(merged[1].error));
    return OK;
}

enum status lesson_split_k(struct sheet *sheet)
{
    say_question(
        "C has %d x %d elements of %s products each. That is work for one block of threads; the GPU has room for a "
        "hundred. So the products are split along K, and several blocks add a part each. What becomes of the error?",
        SIDE, SIDE, grouped_text(INNER));
    say_prediction("Sums of 8 parts instead of one: is C better, worse or the same? And if C is bfloat16, and the "
                   "parts are added to it one after another?");
    TRY(tell_parts(sheet));
    tell_why(sheet);
    TRY(tell_exercise(sheet));
    say("Go on: `ulpscope grade matmul:plain/split_8_rounded@bfloat16 --size-most 64` passes, because its error does "
        "not grow with n; compare it with that of `matmul:plain/split_8@bfloat16`.");
    return OK;
}
