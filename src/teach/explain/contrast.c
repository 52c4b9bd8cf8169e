#include "contrast.h"

#include "src/base/format.h"
#include "src/base/workers.h"
#include "src/plugins/plugin.h"

#include <stdatomic.h>
#include <stdlib.h>

uint64_t contrast_width(const struct contrast *contrast)
{
    return (uint64_t)operation_table[contrast->method[0]->operation].vectors;
}

/* Whether both take so many; of some plug-ins the lengths are a list. */
static bool both_take(const struct contrast *contrast, uint64_t n)
{
    bool do_take = true;
    for (int m = 0; m < 2; m++)
        do_take &= !contrast->method[m]->plugin || plugin_takes(contrast->method[m], n);
    return do_take;
}

/* Of n elements of the vectors x and y, as format_held() has the numbers.  NOT_MEASURED when memory is short. */
static enum status both_sums(const struct contrast *contrast, const void *x, const void *y, uint64_t n, double sums[2])
{
    for (int m = 0; m < 2; m++) {
        const struct operands of = {contrast->format, contrast->method[m]->operation, {x, y}, shape_of_one(n)};
        uint64_t bits;
        TRY(method_compute(contrast->method[m], &of, contrast->launch, contrast->workers, &bits));
        sums[m] = format_value(contrast->method[m]->format, bits);
    }
    return OK;
}

bool contrast_same(const double sums[2])
{
    return format_same(&FORMAT_BINARY64, double_bits(sums[0]), double_bits(sums[1]));
}

/* ---- a batch of candidates, spread over threads ---- */

enum { BATCH_MOST = 1024, WORTH_THREADS = 1 << 18 };

struct answer {
    enum status status;
    uint64_t n;
    bool differs;
};

struct batch {
    const struct contrast *contrast;
    const struct candidates *candidates;
    uint64_t first, count;
    atomic_ullong next;   /* candidates are handed out in their order, */
    atomic_ullong enough; /* and none beyond the first that differs */
    struct answer answers[BATCH_MOST];
};

static void lower(atomic_ullong *value, unsigned long long to)
{
    unsigned long long seen = atomic_load(value);
    while (to < seen && !atomic_compare_exchange_weak(value, &seen, to))
        ;
}

/* `room` is for as many numbers as x. */
static struct answer ask(const struct batch *batch, uint64_t k, double *x, double *room)
{
    const uint64_t width = contrast_width(batch->contrast);
    struct contrast alone = *batch->contrast;
    struct answer answer = {.n = batch->candidates->make(batch->candidates->from, batch->first + k, x)};
    double sums[2];
    if (answer.n != CANDIDATE_SKIPPED && !both_take(batch->contrast, answer.n))
        answer.n = CANDIDATE_SKIPPED;
    if (answer.n == CANDIDATE_SKIPPED)
        return answer;
    alone.workers = 1;
    double *const vectors[ARRAYS_MOST] = {room, room + answer.n}; /* what is held is no longer than a double */
    for (uint64_t i = 0; i < width * answer.n; i++)
        held_set(alone.format, vectors[i % width], i / width, x[i]);
    answer.status = both_sums(&alone, vectors[0], vectors[1], answer.n, sums);
    answer.differs = answer.status == OK && !contrast_same(sums);
    return answer;
}

/* Every candidate up to the first that differs, or fails, has an answer afterwards. */
static void ask_some(void *context, unsigned worker)
{
    struct batch *batch = context;
    const uint64_t numbers = contrast_width(batch->contrast) * batch->candidates->most_n + 1;
    double *x = malloc(2 * numbers * sizeof *x);
    const enum status memory = x ? OK : out_of_memory("the numbers of a smaller data set");
    (void)worker;
    for (unsigned long long k;
         (k = atomic_fetch_add(&batch->next, 1)) < batch->count && k <= atomic_load(&batch->enough);) {
        batch->answers[k] = x ? ask(batch, k, x, x + numbers) : (struct answer){.status = memory};
        if (batch->answers[k].differs || batch->answers[k].status != OK)
            lower(&batch->enough, k);
    }
    free(x);
}

static uint64_t additions_of(const struct contrast *contrast, uint64_t n)
{
    return 2 * (n + (uint64_t)contrast->launch.blocks * contrast->launch.threads);
}

/* Below this a thread costs more than it saves. */
static unsigned workers_for(const struct batch *batch)
{
    const struct contrast *contrast = batch->contrast;
    const uint64_t work = batch->count * additions_of(contrast, batch->candidates->most_n);
    if (work < WORTH_THREADS || contrast->workers < 1)
        return 1;
    return batch->count < contrast->workers ? (unsigned)batch->count : contrast->workers;
}

/* Counts what one thread would have asked.  The index of the first that differs; `count`: none. */
static enum status count_answers(const struct batch *batch, struct contrast *contrast, uint64_t *found)
{
    for (*found = 0; *found < batch->count; ++*found) {
        const struct answer *answer = &batch->answers[*found];
        if (answer->n == CANDIDATE_SKIPPED)
            continue;
        if (contrast->additions >= contrast->most_additions) {
            contrast->spent = true;
            *found = batch->count;
            return OK;
        }
        if (answer->status != OK)
            return answer->status;
        contrast->evaluations++;
        contrast->additions += additions_of(contrast, answer->n);
        if (answer->differs)
            return OK;
    }
    return OK;
}

enum status contrast_first(struct contrast *contrast, const struct candidates *candidates, uint64_t *found)
{
    struct batch batch = {.contrast = contrast, .candidates = candidates};
    *found = candidates->count;
    for (; batch.first < candidates->count && !contrast->spent; batch.first += batch.count) {
        const uint64_t left = candidates->count - batch.first;
        uint64_t at;
        batch.count = left < BATCH_MOST ? left : BATCH_MOST;
        atomic_store(&batch.next, 0);
        atomic_store(&batch.enough, BATCH_MOST);
        workers_run(workers_for(&batch), ask_some, &batch);
        TRY(count_answers(&batch, contrast, &at));
        if (at < batch.count) {
            *found = batch.first + at;
            return OK;
        }
    }
    return OK;
}
