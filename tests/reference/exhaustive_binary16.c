/* Every pair of finite binary16 numbers, either sign: the exact sum, rounded to binary16, is what the definition says.
 *
 * a + b and b + a are one exact number, so each pair is taken in one order: 63,488 63,489 / 2 = 2,015,394,816 pairs.
 * That is the only symmetry used: both signs are rounded, and a sum that several pairs have is rounded for each.  Takes
 * half a minute on two cores; tests/reference/test_rounding.c takes all numbers with a chosen few, and shows that a
 * wrong rounding is found.
 */
#include "binary16.h"

#include "src/base/workers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 2 * BINARY16_FINITE };

struct pairs {
    double *numbers;
    unsigned workers;
    struct tally {
        uint64_t pairs, missed;
    } * tallies; /* one of each worker */
};

/* Rows w, w + workers, ...: of the longer and of the shorter ones as many for each. */
static void check_rows(void *context, unsigned worker)
{
    const struct pairs *pairs = context;
    struct tally tally = {0};
    mpfr_t sum;
    mpfr_init2(sum, 53);
    for (size_t row = worker; row < NUMBERS; row += pairs->workers) {
        tally.pairs += row + 1;
        tally.missed += binary16_sums_missed(pairs->numbers[row], pairs->numbers, row + 1, exact_round, sum);
    }
    mpfr_clear(sum);
    pairs->tallies[worker] = tally;
}

int main(void)
{
    struct pairs pairs = {.workers = workers_cores()};
    pairs.numbers = malloc(NUMBERS * sizeof *pairs.numbers);
    pairs.tallies = calloc(pairs.workers, sizeof *pairs.tallies);
    if (!pairs.numbers || !pairs.tallies)
        return EXIT_FAILURE;
    for (unsigned i = 0; i < BINARY16_FINITE; i++) {
        pairs.numbers[2 * i] = binary16_value(i);
        pairs.numbers[2 * i + 1] = binary16_value(i | BINARY16_SIGN);
    }
    workers_run(pairs.workers, check_rows, &pairs);
    struct tally all = {0};
    for (unsigned w = 0; w < pairs.workers; w++) {
        all.pairs += pairs.tallies[w].pairs;
        all.missed += pairs.tallies[w].missed;
    }
    free(pairs.numbers);
    free(pairs.tallies);
    printf("%" PRIu64 " pairs, %" PRIu64 " sums not rounded as the definition says\n", all.pairs, all.missed);
    return all.missed == 0 && all.pairs == UINT64_C(2015394816) ? EXIT_SUCCESS : EXIT_FAILURE;
}
