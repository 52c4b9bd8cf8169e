#include "crew.h"
#include "src/base/clock.h"

#include <sys/stat.h>

/* Numbers of a vector; products of a matrix product.  Of a file as many as binary32 would be. */
static double size_of(const struct data_spec *spec)
{
    enum { BYTES_USUAL = 4 };
    struct stat facts;
    const double n = spec->n > 0                                   ? (double)spec->n
                     : spec->path && stat(spec->path, &facts) == 0 ? (double)facts.st_size / BYTES_USUAL
                                                                   : 0;
    if (spec->kind != TWO_MATRICES)
        return n;
    return n * (double)(spec->rows > 0 ? spec->rows : spec->n) * (double)(spec->columns > 0 ? spec->columns : spec->n);
}

/* In nanoseconds of a core, roughly: a sum takes 20,000 to be judged and stored, and 1 for each number; that number
 * took 10 to be made and to be summed exactly.  It only has to be right for what was not measured yet. */
static double cost_of(const struct study *study, const struct data_spec *spec)
{
    const double size = size_of(spec);
    double sums = 0;
    for (size_t m = 0; m < study->method_count; m++)
        sums += spec->path || method_takes(study->methods[m], spec->format) ? (double)study->launch_count : 0;
    return sums * (20000 + size) + 10 * size;
}

static size_t kind_of(const struct study *study, uint64_t index)
{
    const struct study_case place = study_case_at(study, index);
    size_t kind = place.spec;
    for (size_t e = 0; e < place.entry; e++)
        kind += study->entries[e].spec_count;
    return kind;
}

void workload_count(struct workload *workload, const struct study *study, const struct store *store)
{
    const uint64_t cases = study_case_count(study);
    size_t kinds = 0;
    for (size_t e = 0; e < study->entry_count; e++)
        kinds += study->entries[e].spec_count;
    struct forecast_kind *kind = memory_cleared(kinds + 1, sizeof *kind);
    *workload = (struct workload){.study = study, .forecast = {.kinds = kind, .kind_count = kinds}};
    for (size_t e = 0; e < study->entry_count; e++)
        for (size_t s = 0; s < study->entries[e].spec_count; s++)
            (kind++)->weight = cost_of(study, &study->entries[e].specs[s]);
    for (uint64_t i = 0; i < cases; i++)
        if (!store_has_case(store, i))
            workload->forecast.kinds[kind_of(study, i)].left++;
}

void workload_free(struct workload *workload)
{
    free(workload->forecast.kinds);
    forecast_free(&workload->forecast);
}

void workload_begin(struct workload *workload, uint64_t index)
{
    forecast_begin(&workload->forecast, index, kind_of(workload->study, index), clock_of_wall());
}

void workload_end(struct workload *workload, uint64_t index)
{
    forecast_end(&workload->forecast, index, clock_of_wall());
}

void workload_give_back(struct workload *workload, uint64_t index)
{
    forecast_give_back(&workload->forecast, index, kind_of(workload->study, index));
}

void workload_tell(const struct workload *workload, struct progress *progress, uint64_t done)
{
    char what[64];
    const double now = clock_of_wall();
    if (!progress_is_due(progress))
        return;
    snprintf(what, sizeof what, "cases, %.1f a second",
             (double)(done - progress->done_before) / (now - progress->started));
    progress_say(progress, done, what, forecast_left(&workload->forecast, now));
}
