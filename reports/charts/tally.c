#include "apart_axis.h"

const char *const tally_apart_names[TALLY_APART] = {"exact", "no correct digit", "not finite", "undefined"};

uint64_t tally_apart(const struct histogram *histogram, int which)
{
    const uint64_t counts[TALLY_APART] = {histogram->exact, histogram->no_digit, histogram->nonfinite,
                                          histogram->undefined};
    return counts[which];
}

static void add(struct histogram *total, const struct histogram *histogram)
{
    for (int k = HISTOGRAM_LEAST; k < 0; k++)
        total->bin[(k > TALLY_LEAST ? k : TALLY_LEAST) - HISTOGRAM_LEAST] += histogram->bin[k - HISTOGRAM_LEAST];
    total->exact += histogram->exact;
    total->no_digit += histogram->no_digit;
    total->nonfinite += histogram->nonfinite;
    total->undefined += histogram->undefined;
}

static void widen(struct tally *tally, const struct histogram *histogram)
{
    int least, most;
    if (!histogram_range(histogram, &least, &most))
        return;
    tally->least = tally->binned && tally->least < least ? tally->least : least;
    tally->most = tally->binned && tally->most > most ? tally->most : most;
    tally->binned = true;
}

void tally_of_group(const struct group *group, struct tally *tally)
{
    *tally = (struct tally){.count = group->method_count, .methods = group->methods};
    tally->histograms = memory_cleared(tally->count, sizeof *tally->histograms);
    tally->right_nonfinite = memory_cleared(tally->count, sizeof *tally->right_nonfinite);
    for (size_t m = 0; m < tally->count; m++) {
        for (size_t d = 0; d < group->data_count; d++)
            if (group_series(group, d, m)) {
                add(&tally->histograms[m], &group_series(group, d, m)->histogram);
                tally->right_nonfinite[m] += group_series(group, d, m)->right_nonfinite;
            }
        widen(tally, &tally->histograms[m]);
    }
}

void tally_free(struct tally *tally)
{
    free_all(tally->histograms, tally->right_nonfinite);
    *tally = (struct tally){0};
}
