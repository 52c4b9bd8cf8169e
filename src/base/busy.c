#include "busy.h"

#include "base.h"
#include "workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { PER_CORE = 2, WORDS = 1 << 18, NUMBERS_APART = 8 /* a line of the cache */ };

struct busy {
    atomic_bool is_over;
    atomic_uint started;
    unsigned count;
    pthread_t *threads;
};

/* Through 2 MiB, more than a core keeps close. */
static void *keep_busy(void *argument)
{
    struct busy *busy = argument;
    OWNED uint64_t *words = memory_cleared(WORDS, sizeof *words);
    atomic_fetch_add(&busy->started, 1);
    for (uint64_t i = 0; !atomic_load_explicit(&busy->is_over, memory_order_relaxed); i = (i + NUMBERS_APART) % WORDS)
        words[i] = words[(i + WORDS / 2) % WORDS] + i;
    return NULL;
}

struct busy *busy_begin(void)
{
    const unsigned wanted = PER_CORE * workers_cores();
    struct busy *busy = memory_cleared(1, sizeof *busy);
    busy->threads = memory_cleared(wanted, sizeof *busy->threads);
    while (busy->count < wanted && pthread_create(&busy->threads[busy->count], NULL, keep_busy, busy) == 0)
        busy->count++;
    while (atomic_load(&busy->started) < busy->count)
        sched_yield();
    return busy;
}

void busy_end(struct busy *busy)
{
    if (!busy)
        return;
    atomic_store(&busy->is_over, true);
    for (unsigned t = 0; t < busy->count; t++)
        pthread_join(busy->threads[t], NULL);
    free_all(busy->threads, busy);
}
