/* The worst plain sums of up to five binary16 numbers, of all there are: makes the rows of worst_sums.def, and fails
 * where the committed ones are others.
 *
 *   ctest -L slow -R exhaustive_sums -V        or        build/default/tests/exhaustive_sums
 *
 * 2^32 additions for each merge of each tree and each ratio that is tried: some ten minutes on two cores. */
#include "worst_sums.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const struct {
    const char *tree;
    int64_t error, sum_abs;
} committed[] = {
#define WORST_SUM(tree, error, sum_abs) {tree, error, sum_abs},
#include "worst_sums.def"
};

static bool is_committed(const char *tree, const struct worst *worst)
{
    for (size_t i = 0; i < sizeof committed / sizeof *committed; i++)
        if (strcmp(committed[i].tree, tree) == 0)
            return committed[i].error == worst->error && committed[i].sum_abs == worst->sum_abs;
    return false;
}

int main(void)
{
    struct grid_of grid = grid_make(&FORMAT_BINARY16);
    int others = 0;
    for (int shape = 1; shape < SHAPES; shape++) {
        const struct worst worst = worst_of(&grid, shape);
        printf("WORST_SUM(\"%s\", %" PRId64 ", %" PRId64 ") /*", shapes[shape].text, worst.error, worst.sum_abs);
        for (int i = 0; i < worst.count; i++)
            printf(" %a", ldexp((double)worst.numbers[i], FORMAT_BINARY16.least_exponent));
        printf(" */\n");
        fflush(stdout);
        others += !is_committed(shapes[shape].text, &worst);
    }
    free(grid.value);
    return others > 0;
}
