#include "suspect.h"

#include "src/base/list.h"
#include "src/gate/parallel.h"

static const uint64_t NUMBERS_AT_ONCE = UINT64_C(1) << 25; /* 128 MiB, or one data set */

enum status round_add(struct round *round, struct suspect *suspect, struct hypothesis *hypothesis, size_t data)
{
    const bool of_before = hypothesis->kind == TRIAL_BEFORE;
    if ((of_before && data == 0) || (hypothesis->change.kind == FROM_ANOTHER && data < AROUND))
        return OK;
    struct job *jobs = list_with_room(round->jobs, round->count, &round->capacity, sizeof *jobs);
    TRY(jobs ? OK : out_of_memory("a diagnosis"));
    round->jobs = jobs;
    jobs[round->count++] =
        (struct job){.suspect = suspect, .hypothesis = hypothesis, .data = data - of_before, .rows = data};
    return OK;
}

void round_free(struct round *round)
{
    free(round->jobs);
    *round = (struct round){0};
}

/* What is in memory at a time: some data sets, and their jobs, which are neighbours. */
struct batch {
    const struct round *round;
    struct job *jobs;
    size_t job_count;
    size_t *data; /* of the group */
    size_t data_count;
    struct dataset *made;
    char (*whys)[WHY_SIZE];
};

static enum status make_data(void *context, size_t i)
{
    struct batch *batch = context;
    struct group *group = batch->round->group;
    const struct summed_data *then = &group->data[batch->data[i]];
    FREED_BY(exact_free) struct exact_sum exact = {0};
    TRY(again_make(&group->again, then, &batch->made[i], batch->whys[i]));
    if (!batch->round->verifies)
        return OK;
    TRY(again_sum(&group->again, then, &batch->made[i], &exact, batch->whys[i]));
    return OK;
}

static const struct dataset *data_of(const struct batch *batch, const struct job *job)
{
    size_t i = 0, end = batch->data_count;
    while (end - i > 1) {
        const size_t middle = i + (end - i) / 2;
        if (batch->data[middle] <= job->data)
            i = middle;
        else
            end = middle;
    }
    return &batch->made[i];
}

/* From one of the results around it that gives this one, if one does.  Of infinities each gives each. */
static enum status sum_from_another(const struct job *job, const struct dataset *data, size_t data_count,
                                    uint64_t *bits)
{
    const struct format *format = job->hypothesis->method->format;
    const size_t *first_row = job->suspect->first_row;
    const struct row_bits *rows = job->suspect->rows->rows, *computed = &rows[first_row[job->rows]];
    struct hypothesis from = *job->hypothesis;
    *bits = ~computed->bits;
    for (size_t d = job->rows < AROUND ? 0 : job->rows - AROUND; d <= job->rows + AROUND && d < data_count; d++) {
        uint64_t sum;
        from.start = first_row[d] < first_row[d + 1] ? format_value(format, rows[first_row[d]].bits) : (double)NAN;
        if (d == job->rows || !isfinite(from.start))
            continue;
        TRY(hypothesis_sum(&from, data, &sum));
        if (format_same(format, sum, computed->bits))
            *bits = sum;
    }
    return OK;
}

/* Every NaN is the same, in the rows as here. */
static void compare(struct job *job, const uint64_t *bits, uint64_t results)
{
    const struct suspect *suspect = job->suspect;
    for (size_t r = suspect->first_row[job->rows]; r < suspect->first_row[job->rows + 1]; r++) {
        const struct row_bits *row = &suspect->rows->rows[r];
        job->compared++;
        job->fitting +=
            row->element < results && format_same(suspect->claimed.method->format, row->bits, bits[row->element]);
    }
}

void round_note(const struct round *round)
{
    for (size_t j = 0; j < round->count; j++) {
        round->jobs[j].hypothesis->compared += round->jobs[j].compared;
        round->jobs[j].hypothesis->fitting += round->jobs[j].fitting;
    }
}

static enum status do_job(void *context, size_t i)
{
    const struct batch *batch = context;
    struct job *job = &batch->jobs[i];
    const struct dataset *data = data_of(batch, job);
    const uint64_t results = operation_results(job->hypothesis->method->operation, shape_of_one(data->n));
    OWNED uint64_t *bits = calloc(results + 1, sizeof *bits);
    TRY(bits ? OK : out_of_memory("a diagnosis"));
    TRY(job->hypothesis->change.kind == FROM_ANOTHER
            ? sum_from_another(job, data, batch->round->group->data_count, bits)
            : hypothesis_sum(job->hypothesis, data, bits));
    job->bits = *bits;
    compare(job, bits, results);
    return OK;
}

static enum status run_batch(struct batch *batch, char why[WHY_SIZE])
{
    const unsigned workers = batch->round->workers;
    batch->made = calloc(batch->data_count, sizeof *batch->made);
    batch->whys = calloc(batch->data_count, sizeof *batch->whys);
    enum status status = batch->made && batch->whys ? OK : out_of_memory("a diagnosis");
    if (status == OK)
        status = parallel_each(workers, batch->data_count, make_data, batch);
    for (size_t i = 0; status == BAD_INPUT && i < batch->data_count && !*why; i++)
        snprintf(why, WHY_SIZE, "%s", batch->whys[i]);
    if (status == OK)
        status = parallel_each(workers, batch->job_count, do_job, batch);
    for (size_t i = 0; batch->made && i < batch->data_count; i++)
        dataset_free(&batch->made[i]);
    free_all(batch->made, batch->whys);
    return status;
}

/* By data set; of one data set in the order in which they were added. */
static int by_data(const void *left, const void *right)
{
    const struct job *a = left, *b = right;
    if (a->data != b->data)
        return a->data < b->data ? -1 : 1;
    if (a->suspect != b->suspect)
        return a->suspect < b->suspect ? -1 : 1;
    return (a->hypothesis > b->hypothesis) - (a->hypothesis < b->hypothesis);
}

/* The data sets of the jobs from `first` on, as many as there is room for. */
static void fill_batch(const struct round *round, size_t first, size_t most, struct batch *batch)
{
    batch->jobs = round->jobs + first;
    batch->job_count = batch->data_count = 0;
    for (size_t i = first; i < round->count; i++) {
        const size_t data = round->jobs[i].data;
        if (batch->data_count == 0 || data != batch->data[batch->data_count - 1]) {
            if (batch->data_count == most)
                return;
            batch->data[batch->data_count++] = data;
        }
        batch->job_count++;
    }
}

enum status round_run(struct round *round, char why[WHY_SIZE])
{
    enum status status = OK;
    *why = '\0';
    if (round->count == 0)
        return OK;
    const uint64_t n = round->jobs->suspect->n;
    const uint64_t room = n < NUMBERS_AT_ONCE ? NUMBERS_AT_ONCE / (n + 1) : 1;
    const size_t most = room < round->group->data_count ? (size_t)room : round->group->data_count;
    struct batch batch = {.round = round, .data = calloc(most + 1, sizeof *batch.data)};
    TRY(batch.data ? OK : out_of_memory("a diagnosis"));
    qsort(round->jobs, round->count, sizeof *round->jobs, by_data);
    for (size_t first = 0; first < round->count && status == OK; first += batch.job_count) {
        fill_batch(round, first, most > 0 ? most : 1, &batch);
        status = run_batch(&batch, why);
    }
    free(batch.data);
    return status;
}
