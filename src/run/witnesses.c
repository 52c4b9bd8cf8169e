#include "witnesses.h"

#include "src/base/interrupts.h"
#include "src/results/results_load.h"

#include <stdlib.h>
#include <string.h>

/* The case of a series' worst row. */
static uint64_t case_of(const struct study *study, const struct series *series)
{
    uint64_t index = 0;
    const struct study_entry *entry = &study->entries[series->entry];
    size_t spec = 0;
    for (size_t e = 0; e < series->entry; e++)
        index += study->entries[e].spec_count * study->entries[e].trials;
    while (strcmp(entry->specs[spec].text, series->data) != 0)
        spec++;
    return index + spec * entry->trials + (series->worst_trial - study->first_trial);
}

struct witnessed {
    uint64_t index;
    const char *exact;
};

static int by_index(const void *a, const void *b)
{
    const struct witnessed *left = a, *right = b;
    return (left->index > right->index) - (left->index < right->index);
}

/* Each case once. */
static enum status check_all(const struct measuring *measuring, const struct witnessed *cases, size_t count,
                             uint64_t *checked)
{
    for (size_t c = 0; c < count && !interrupted(); c++) {
        bool is_checked = false;
        if (c == 0 || cases[c].index != cases[c - 1].index)
            TRY(measure_check_again(measuring, cases[c].index, cases[c].exact, &is_checked));
        *checked += is_checked;
    }
    return OK;
}

enum status witnesses_check(const struct measuring *measuring, struct store *store, uint64_t *checked)
{
    struct results results = {0};
    *checked = 0;
    TRY(results_load(store, &results));
    struct witnessed *cases = calloc(results.series_count + 1, sizeof *cases);
    for (size_t s = 0; s < results.series_count && cases; s++) {
        const struct series *series = &results.series[s];
        cases[s] = (struct witnessed){case_of(measuring->study, series), series->worst_exact};
    }
    if (cases)
        qsort(cases, results.series_count, sizeof *cases, by_index);
    const enum status status =
        cases ? check_all(measuring, cases, results.series_count, checked) : out_of_memory("witnesses");
    free(cases);
    results_free(&results);
    return status;
}
