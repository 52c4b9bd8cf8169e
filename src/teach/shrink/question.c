#include "question.h"

#include "src/base/workers.h"
#include "src/plugins/plugin.h"

#include <stdatomic.h>

/* How many numbers an element has: as many as there are vectors. */
static uint64_t width_of(const struct question *question)
{
    return (uint64_t)operation_table[question->methods[0]->operation].vectors;
}

/* Of some plug-ins the lengths are a list. */
static bool all_take(const struct question *question, uint64_t n)
{
    bool do_take = true;
    for (int m = 0; m < question->method_count; m++)
        do_take &= !question->methods[m]->plugin || plugin_takes(question->methods[m], n);
    return do_take;
}

enum status question_sum(const struct question *question, int method, const void *const vectors[], uint64_t n,
                         uint64_t *bits)
{
    const struct method *of = question->methods[method];
    const struct operands operands = {question->format, of->operation, {vectors[0], vectors[1]}, shape_of_one(n)};
    return method_compute(of, &operands, question->launch, question->workers, bits);
}

/* ---- a batch of candidates, spread over threads ---- */

enum { BATCH_MOST = 1024, WORTH_THREADS = 1 << 18 };

struct answer {
    enum status status;
    uint64_t n;
    bool yes;
};

struct batch {
    const struct question *question;
    const struct candidates *candidates;
    uint64_t first, count;
    atomic_ullong next;   /* candidates are handed out in their order, */
    atomic_ullong enough; /* and none beyond the first yes */
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
    const uint64_t width = width_of(batch->question);
    struct question alone = *batch->question;
    struct answer answer = {.n = batch->candidates->make(batch->candidates->from, batch->first + k, x)};
    if (answer.n != CANDIDATE_SKIPPED && !all_take(batch->question, answer.n))
        answer.n = CANDIDATE_SKIPPED;
    if (answer.n == CANDIDATE_SKIPPED || !onlooker_goes_on(batch->question->onlooker, 1)) {
        answer.n = CANDIDATE_SKIPPED;
        return answer;
    }
    alone.workers = 1;
    double *const vectors[ARRAYS_MOST] = {room, room + answer.n}; /* what is held is no longer than a double */
    for (uint64_t i = 0; i < width * answer.n; i++)
        held_set(alone.format, vectors[i % width], i / width, x[i]);
    answer.status = alone.ask(&alone, (const void *const[]){vectors[0], vectors[1]}, answer.n, &answer.yes);
    return answer;
}

/* Every candidate up to the first yes, or fails, has an answer afterwards. */
static void ask_some(void *context, unsigned worker)
{
    struct batch *batch = context;
    const uint64_t numbers = width_of(batch->question) * batch->candidates->most_n + 1;
    OWNED double *x = malloc(2 * numbers * sizeof *x);
    const enum status memory = x ? OK : out_of_memory("the numbers of a smaller data set");
    (void)worker;
    for (unsigned long long k;
         (k = atomic_fetch_add(&batch->next, 1)) < batch->count && k <= atomic_load(&batch->enough);) {
        batch->answers[k] = x ? ask(batch, k, x, x + numbers) : (struct answer){.status = memory};
        if (batch->answers[k].yes || batch->answers[k].status != OK)
            lower(&batch->enough, k);
    }
}

static uint64_t additions_of(const struct question *question, uint64_t n)
{
    return (uint64_t)question->method_count * (n + (uint64_t)question->launch.blocks * question->launch.threads);
}

/* Below this a thread costs more than it saves. */
static unsigned workers_for(const struct batch *batch)
{
    const struct question *question = batch->question;
    const uint64_t work = batch->count * additions_of(question, batch->candidates->most_n);
    if (work < WORTH_THREADS || question->workers < 1)
        return 1;
    return batch->count < question->workers ? (unsigned)batch->count : question->workers;
}

/* Counts what one thread would have asked.  The index of the first yes; `count`: none. */
static enum status count_answers(const struct batch *batch, struct question *question, uint64_t *found)
{
    for (*found = 0; *found < batch->count; ++*found) {
        const struct answer *answer = &batch->answers[*found];
        if (answer->n == CANDIDATE_SKIPPED)
            continue;
        if (question->additions >= question->most_additions) {
            question->spent = true;
            *found = batch->count;
            return OK;
        }
        if (answer->status != OK)
            return answer->status;
        question->evaluations++;
        question->additions += additions_of(question, answer->n);
        if (answer->yes)
            return OK;
    }
    return OK;
}

enum status question_first(struct question *question, const struct candidates *candidates, uint64_t *found)
{
    struct batch batch = {.question = question, .candidates = candidates};
    *found = candidates->count;
    for (; batch.first < candidates->count && !question->spent; batch.first += batch.count) {
        const uint64_t left = candidates->count - batch.first;
        uint64_t at;
        batch.count = left < BATCH_MOST ? left : BATCH_MOST;
        atomic_store(&batch.next, 0);
        atomic_store(&batch.enough, BATCH_MOST);
        workers_run(workers_for(&batch), ask_some, &batch);
        question->spent = !onlooker_goes_on(question->onlooker, 0);
        TRY(count_answers(&batch, question, &at));
        if (at < batch.count) {
            *found = batch.first + at;
            return OK;
        }
    }
    return OK;
}
