/* fp8 in long chains loses a part of the sum that grows with K; parts of 128 in a register lose the same at every K. */
#include "src/teach/tools/lesson_matrices.h"

enum { SIDE = 8, ORDERS = 4, SIZES = 5, CHAIN = 0, EVERY_128 = 2, KAHAN = 3 };
static const struct {
    const char *method, *name;
    enum colour colour;
} orders[ORDERS] = {
    {"matmul:hopper_wgmma/chain@e4m3", "never promoted", COLOUR_BAD},
    {"matmul:hopper_wgmma/promoted_16@e4m3", "every 512", COLOUR_UNKNOWN},
    {"matmul:hopper_wgmma/promoted_4@e4m3", "every 128", COLOUR_GOOD},
    {"matmul:hopper_wgmma/promoted_4_kahan@e4m3", "every 128, Kahan", COLOUR_SECOND},
};

struct losses {
    double of[ORDERS][SIZES]; /* the mean of (c - s) / s */
};

static uint64_t terms_of(int size)
{
    return UINT64_C(256) << 2 * size;
}

static enum status measure(struct losses *losses)
{
    for (int size = 0; size < SIZES; size++) {
        FREED_BY(lesson_matrices_free) struct lesson_matrices of = {0};
        TRY(lesson_matrices_made("tc:first=0", &FORMAT_E4M3, SIDE, terms_of(size), SIDE, &of));
        for (int order = 0; order < ORDERS; order++)
            TRY(lesson_signed_error(orders[order].method, &of, &losses->of[order][size]));
    }
    return OK;
}

static enum status check(struct sheet *sheet, const struct losses *losses)
{
    const double *chain = losses->of[CHAIN], *every_128 = losses->of[EVERY_128], *kahan = losses->of[KAHAN];
    for (int size = 0; size < SIZES; size++) {
        TRY(lesson_claim(sheet, chain[size] < 0 && every_128[size] < 0, "truncation makes sums too small"));
        TRY(lesson_claim(sheet, fabs(every_128[size]) < 0.001, "a promoted sum loses the same at every K"));
        TRY(lesson_claim(sheet, fabs(kahan[size] - every_128[size]) < 1e-5, "Kahan finds nothing to keep"));
    }
    return lesson_claim(sheet, chain[SIZES - 1] < -0.5 && fabs(chain[2] + 0.066) < 0.005,
                        "a chain loses 6.6 % at 4,096 and half of the sum at 65,536");
}

static void show(struct sheet *sheet, const struct losses *losses)
{
    struct grid *grid = sheet_table(sheet, "Mean of (c - s) / s, uniform numbers in e4m3", 1,
                                    "> K | > never promoted | > every 512 | > every 128 | > every 128, Kahan");
    struct chart *chart = sheet_chart(sheet, "What a sum is short of, over K", 220);
    struct chart_panel *panel = chart_panel(chart, "");
    for (int size = 0; size < SIZES; size++) {
        grid_row(grid);
        grid_set(grid, 0, TONE_PLAIN, "%s", grouped_text(terms_of(size)));
        for (int order = 0; order < ORDERS; order++)
            grid_set(grid, 1 + (size_t)order, losses->of[order][size] < -0.01 ? TONE_BAD : TONE_PLAIN, "%.3f %%",
                     100 * losses->of[order][size]);
    }
    for (int order = 0; order <= EVERY_128; order++) {
        struct chart_mark *line = chart_mark(panel, MARK_LINE, orders[order].name, orders[order].colour);
        for (int size = 0; size < SIZES; size++)
            chart_point(line, (double)terms_of(size), 100 * losses->of[order][size], NAN, NULL);
    }
    lesson_axis(&chart->x, "K", SCALE_LOG2, 256, 65536);
    lesson_axis(&chart->y, "mean signed error, %", SCALE_LINEAR, -60, 0);
    chart_set(&chart->caption,
              "%d elements of each product. Signed, so that errors to both sides would cancel: these "
              "do not.",
              SIDE * SIDE);
}

enum status lesson_promotion(struct sheet *sheet)
{
    struct losses losses;
    TRY(measure(&losses));
    TRY(check(sheet, &losses));
    say_question("Libraries offer \"fast accumulation\" for products in fp8, and training code avoids it: it moves the "
                 "sum of every 128 products to a register of binary32. What for?");
    say_prediction(
        "A sum of K products between 0 and 1 keeps 13 places behind its first. By how many percent is it too "
        "small at K = 256, at 4,096, at 65,536?");
    say_heading("Longer and longer sums");
    say("wgmma drops what lies below its 13 places (the lesson `tensor_cores`). As the sum grows, so does the place, "
        "and each product loses about half of it, always toward 0:");
    for (int size = 0; size < SIZES; size += 2) {
        const double percent = -100 * losses.of[CHAIN][size];
        OWNED char *prompt =
            text_made("By how many percent is it too small at K = %s, about?", grouped_text(terms_of(size)));
        predict_within(2, percent, prompt, "$0.18 K 2^-13$, as long as the sum grows", "By %s %%.",
                       rounded_text(percent));
    }
    show(sheet, &losses);
    say("A chain loses more the longer it is, since late products meet a large sum. A part of 128 products meets a sum "
        "of 32 at most, and the register rounds to nearest in 24 bits: what is lost is that of a part, at every K.");
    say_theorem(
        "docs/bounds.md, Fused blocks; kernels/fused_law.c",
        "Products of mean mu, cut at $q = 2^(E - F)$ below a sum A: $dA/dk = mu - lam(q(A))$, where lam(q) is the "
        "mean of x mod q, about q/2. As long as q is below the products, the relative error is about $-0.18 K "
        "2^-F$; promoted, K is the period.");
    say_exercise("Somebody adds the parts of 128 by Kahan's method. How much better is the product?");
    say_answer(
        "Not at all: %.3f %% instead of %.3f %% at K = 65,536. What is lost is lost inside the parts, before the "
        "register sees it; in a register of 24 bits plain additions lose a ten-thousandth of that. A shorter "
        "period helps, and costs time.",
        100 * losses.of[KAHAN][SIZES - 1], 100 * losses.of[EVERY_128][SIZES - 1]);
    say("Go on: `ulpscope run datasets/studies/tensor_cores.yaml` draws it for cuBLASLt on a GPU, beside the law, and "
        "`ulpscope grade --arithmetic %s` finds the period, as it does of any product.",
        orders[EVERY_128].method);
    return OK;
}
