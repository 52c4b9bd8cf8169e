/* A tensor core adds a block of products at once, as integers: what lies below its grid is dropped, not rounded. */
#include "src/teach/tools/lesson_matrices.h"

#define WGMMA_FP8 "matmul:hopper_wgmma/chain@e4m3"
#define MMA_FP8 "matmul:hopper_mma/chain@e4m3"

/* first * first + small * small, of one element. */
static enum status two_products(const char *method, float first, float small, float *sum)
{
    const float x[] = {first, small};
    FREED_BY(lesson_matrices_free)
    struct lesson_matrices of = {.rows = 1, .inner = 2, .columns = 1, .a_leading = 2};
    TRY(lesson_data_in(&FORMAT_E4M3, x, 2, &of.a));
    TRY(lesson_data_in(&FORMAT_E4M3, x, 2, &of.b));
    return lesson_multiply(method, &of, sum);
}

static enum status tell_block(struct sheet *sheet)
{
    static const float smalls[] = {1, 0.75f, 0.5f};
    static const char name[] = "128 * 128 and one more product";
    float sum;
    say_heading("One block");
    say("An instruction does not add one product to the next. It aligns all products of a block, and the sum so far, "
        "to the largest exponent among them, drops what lies below the last place that it has, and adds integers. "
        "wgmma in fp8 has 13 places behind the first:");
    struct grid *grid =
        sheet_table(sheet, "128 * 128 + x * x, both factors in e4m3", 1, "> x * x | > exact | > wgmma | > mma.sync");
    for (size_t i = 0; i < sizeof smalls / sizeof *smalls; i++) {
        const float product = 4 * smalls[i] * smalls[i];
        float by_mma;
        TRY(two_products(WGMMA_FP8, 128, 2 * smalls[i], &sum));
        TRY(two_products(MMA_FP8, 128, 2 * smalls[i], &by_mma));
        TRY(lesson_claim(sheet, sum == 16384 + 2 * floorf(product / 2) && by_mma == 16384 + product,
                         "wgmma drops what is below 2^(14 - 13), and mma.sync keeps it"));
        grid_add(grid, cell_text("%g", (double)product), cell_text("%.9g", 16384 + (double)product),
                 cell_toned(sum == 16384 + product ? TONE_GOOD : TONE_BAD, "%.9g", (double)sum),
                 cell_toned(TONE_GOOD, "%.9g", (double)by_mma));
    }
    TRY(two_products(WGMMA_FP8, 128, 1.5f, &sum));
    bits_head(sheet, name, &FORMAT_BINARY32);
    bits_line(sheet, name, "exact, 16386.25", 16384 + 2.25, &FORMAT_BINARY32);
    bits_line(sheet, name, "wgmma", (double)sum, &FORMAT_BINARY32);
    say("Nothing is rounded to nearest: 2.25 counts as 2 and 1 as nothing. On the same GPU mma.sync, which older "
        "kernels use, makes two products of binary16 of it and keeps 23 places.");
    return OK;
}

/* Where it is shown: a row, and a point of each instruction's line. */
struct ones_shown {
    struct grid *grid;
    struct chart_mark *by_wgmma, *by_mma;
};

static enum status ones_row(struct sheet *sheet, const struct ones_shown *shown, uint64_t terms)
{
    struct grid *grid = shown->grid;
    FREED_BY(lesson_matrices_free) struct lesson_matrices ones = {0};
    float by_wgmma, by_mma;
    TRY(lesson_matrices_made("const:value=1", &FORMAT_E4M3, 1, terms, 1, &ones));
    TRY(lesson_multiply(WGMMA_FP8, &ones, &by_wgmma));
    TRY(lesson_multiply(MMA_FP8, &ones, &by_mma));
    TRY(lesson_claim(sheet, by_wgmma == (float)(terms < 16384 ? terms : 16384) && by_mma == (float)terms,
                     "a sum of ones stops at 2^14 in wgmma, and not yet in mma.sync"));
    if (terms == 65536)
        predict((double)by_wgmma, "What does an H100 print for 65,536 ones?",
                "13 places are kept behind the first. When is 1 below?",
                "At $2^14$ the last place is 2, and each 1 is cut off.");
    grid_add(grid, cell_text("%s", grouped_text(terms)),
             cell_toned((uint64_t)by_wgmma == terms ? TONE_GOOD : TONE_BAD, "%.9g", (double)by_wgmma),
             cell_toned(TONE_GOOD, "%.9g", (double)by_mma));
    chart_point(shown->by_wgmma, (double)terms, (double)by_wgmma, NAN, NULL);
    chart_point(shown->by_mma, (double)terms, (double)by_mma, NAN, NULL);
    return OK;
}

static enum status tell_ones(struct sheet *sheet)
{
    say_heading("A sum that stops");
    say("The sum so far is a term of the next block. Once it is 2^14, the last place is 2, and a one is nothing, be it "
        "32 of them in a block: each is cut off before they meet.");
    struct grid *grid = sheet_table(sheet, "Ones by ones in e4m3", 1, "> K | > wgmma | > mma.sync");
    struct chart *chart = sheet_chart(sheet, "What a sum of K ones comes to", 220);
    struct chart_panel *panel = chart_panel(chart, "");
    const struct ones_shown shown = {grid, chart_mark(panel, MARK_LINE, "wgmma", COLOUR_BAD),
                                     chart_mark(panel, MARK_LINE, "mma.sync", COLOUR_GOOD)};
    lesson_axis(&chart->x, "K", SCALE_LOG2, 4096, 65536);
    lesson_axis(&chart->y, "sum", SCALE_LOG2, 4096, 65536);
    chart_set(&chart->caption, "One element of each product. wgmma's stops at 2^14, mma.sync's does not yet.");
    for (uint64_t terms = 4096; terms <= 65536; terms *= 2)
        TRY(ones_row(sheet, &shown, terms));
    return OK;
}

/* first * first and 15 ones in bfloat16, one block. */
static enum status first_and_ones(float first, float *sum)
{
    enum { BLOCK = 16 };
    float x[BLOCK];
    FREED_BY(lesson_matrices_free)
    struct lesson_matrices of = {.rows = 1, .inner = BLOCK, .columns = 1, .a_leading = BLOCK};
    for (int i = 0; i < BLOCK; i++)
        x[i] = i == 0 ? first : 1;
    TRY(lesson_data_in(&FORMAT_BFLOAT16, x, BLOCK, &of.a));
    TRY(lesson_data_in(&FORMAT_BFLOAT16, x, BLOCK, &of.b));
    return lesson_multiply("matmul:hopper_wgmma/chain@bfloat16_to_binary32", &of, sum);
}

static enum status tell_exercise(struct sheet *sheet)
{
    float stopped, grows;
    TRY(first_and_ones(0x1p13f, &stopped));
    TRY(first_and_ones(0x1p12f, &grows));
    TRY(lesson_claim(sheet, stopped == 0x1p26f && grows == 0x1p24f + 14, "ones are lost beside 2^26, not beside 2^24"));
    say_exercise("In bfloat16 wgmma keeps 25 places of the terms. At which value does a sum of ones stop there?");
    say_answer(
        "At 2^26: there the last place is 2^(26 - 25) = 2. In fp8 it is 2^(13 + 1), of binary32 added one by one "
        "2^24, where a tie goes back to the even sum.");
    return OK;
}

enum status lesson_tensor_cores(struct sheet *sheet)
{
    say_question("A tensor core multiplies numbers of 8 bits and adds the products \"in binary32\". Does it?");
    say_prediction("A and B hold 65,536 ones in e4m3, so that an element of the product is 65,536. What does an H100 "
                   "print with fast accumulation?");
    TRY(tell_block(sheet));
    TRY(tell_ones(sheet));
    say_theorem(
        "Fasi, Higham, Mikaitis and Pranesh, PeerJ CS 7:e330 (2021); docs/bounds.md, Fused blocks",
        "Let E be the largest exponent in a block of n products and the sum so far, and F the places that are "
        "kept behind it. Each of the others loses less than $2^(E - F)$, toward 0, and nothing of the largest is "
        "lost: $|computed - s| <= n 2^-F S / (1 + n 2^-F)$ before the result is cut, $S = sum |x_i y_i|$.");
    TRY(tell_exercise(sheet));
    say("Go on: `ulpscope grade --arithmetic %s` finds block and places from results alone, and so it does for a "
        "library on your GPU. What becomes of long sums is the lesson `promotion`.",
        WGMMA_FP8);
    return OK;
}
