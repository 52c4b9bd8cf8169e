#include "crew.h"
#include "src/base/interrupts.h"
#include "src/base/workers.h"
#include "src/results/results_load.h"

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

/* Each case once, the GPUs by turns. */
struct checking {
    const struct measuring *measuring;
    const struct devices *devices;
    const struct witnessed *cases;
    size_t count;
    atomic_size_t next, checked;
    atomic_int status; /* of one that failed, if any did */
};

static void check_some(void *context, unsigned worker)
{
    struct checking *checking = context;
    struct measuring measuring = *checking->measuring;
    measuring.device = checking->devices->at[worker];
    if (device_is_lost(measuring.device))
        return;
    for (size_t c; (c = atomic_fetch_add(&checking->next, 1)) < checking->count && !interrupted();) {
        const struct witnessed *of = &checking->cases[c];
        bool is_checked = false;
        const enum status status = c > 0 && of->index == of[-1].index
                                       ? OK
                                       : measure_check_again(&measuring, of->index, of->exact, &is_checked);
        checking->checked += is_checked;
        if (status != OK)
            atomic_store(&checking->status, (int)status);
    }
}

enum status witnesses_check(const struct measuring *measuring, const struct devices *devices, struct store *store,
                            uint64_t *checked)
{
    FREED_BY(results_free) struct results results = {0};
    *checked = 0;
    TRY(results_load(store, &results));
    OWNED struct witnessed *cases = calloc(results.series_count + 1, sizeof *cases);
    for (size_t s = 0; s < results.series_count && cases; s++) {
        const struct series *series = &results.series[s];
        cases[s] = (struct witnessed){case_of(measuring->study, series), series->worst_exact};
    }
    if (cases)
        qsort(cases, results.series_count, sizeof *cases, by_index);
    struct checking checking = {
        .measuring = measuring, .devices = devices, .cases = cases, .count = results.series_count};
    if (cases)
        workers_run((unsigned)devices->count, check_some, &checking);
    const enum status status = cases ? (enum status)atomic_load(&checking.status) : out_of_memory("witnesses");
    *checked = checking.checked;
    return status;
}
