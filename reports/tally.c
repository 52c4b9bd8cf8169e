#include "tally.h"

#include "group.h"

#include <stdlib.h>
#include <string.h>

const char *const tally_apart_names[TALLY_APART] = {"exact", "no digit right", "not finite", "undefined"};

uint64_t tally_apart(const struct histogram *histogram, int which)
{
    const uint64_t counts[TALLY_APART] = {histogram->exact, histogram->no_digit, histogram->nonfinite,
                                          histogram->undefined};
    return counts[which];
}

static void add(struct histogram *total, const struct histogram *histogram)
{
    for (int i = 0; i < -HISTOGRAM_LEAST; i++)
        total->bin[i] += histogram->bin[i];
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

enum status tally_of_entry(const struct results *results, size_t entry, struct tally *tally)
{
    *tally = (struct tally){0};
    TRY(methods_of_entry(results, entry, &tally->methods, &tally->count));
    tally->histograms = calloc(tally->count + 1, sizeof *tally->histograms);
    if (!tally->histograms) {
        tally_free(tally);
        return out_of_memory("a report");
    }
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        for (size_t m = 0; series->entry == entry && m < tally->count; m++)
            if (strcmp(series->method, tally->methods[m]) == 0)
                add(&tally->histograms[m], &series->histogram);
    }
    for (size_t m = 0; m < tally->count; m++)
        widen(tally, &tally->histograms[m]);
    return OK;
}

void tally_free(struct tally *tally)
{
    free(tally->methods);
    free(tally->histograms);
    *tally = (struct tally){0};
}
