#include "parallel.h"

#include "src/base/workers.h"

#include <mpfr.h>
#include <pthread.h>

struct crew {
    enum status (*work)(void *context, size_t i);
    void *context;
    size_t count, next;
    size_t failed; /* the least i that is not OK; count: none */
    enum status status;
    pthread_mutex_t mutex;
};

static size_t take(struct crew *crew)
{
    pthread_mutex_lock(&crew->mutex);
    const size_t i = crew->next < crew->count ? crew->next++ : crew->count;
    pthread_mutex_unlock(&crew->mutex);
    return i;
}

static void note_failure(struct crew *crew, size_t i, enum status status)
{
    pthread_mutex_lock(&crew->mutex);
    if (i < crew->failed) {
        crew->failed = i;
        crew->status = status;
    }
    pthread_mutex_unlock(&crew->mutex);
}

static void work_on(void *context, unsigned worker)
{
    struct crew *crew = context;
    (void)worker;
    for (size_t i; (i = take(crew)) < crew->count;) {
        const enum status status = crew->work(crew->context, i);
        if (status != OK)
            note_failure(crew, i, status);
    }
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

enum status parallel_each(unsigned workers, size_t count, enum status (*work)(void *context, size_t i), void *context)
{
    struct crew crew = {
        .work = work,
        .context = context,
        .count = count,
        .failed = count,
        .status = OK,
        .mutex = PTHREAD_MUTEX_INITIALIZER,
    };
    const unsigned most = count < workers ? (unsigned)count : workers;
    workers_run(most > 0 ? most : 1, work_on, &crew);
    return crew.status;
}
