#include "crew.h"
#include "src/base/interrupts.h"
#include "src/base/list.h"
#include "src/base/workers.h"
#include "src/ranks/case_bytes.h"

struct following {
    struct measuring *measuring;
    const struct ranks *ranks;
    unsigned jobs;
    pthread_mutex_t mutex; /* of all that follows */
    pthread_cond_t changed;
    uint64_t *cases; /* given, from `first` on */
    size_t first, count, capacity;
    bool stops;
};

static size_t take(struct following *following, uint64_t indices[CASES_AT_ONCE])
{
    size_t taken = 0;
    pthread_mutex_lock(&following->mutex);
    while (!following->stops && following->first == following->count)
        pthread_cond_wait(&following->changed, &following->mutex);
    if (!following->stops) {
        const size_t share = 1 + (following->count - following->first) / (2 * (size_t)following->jobs),
                     together = measure_at_once(following->measuring, following->cases[following->first]);
        do
            indices[taken++] = following->cases[following->first++];
        while (taken < CASES_AT_ONCE && taken < share && taken < together && following->first < following->count &&
               measure_together(following->measuring, indices[0], following->cases[following->first]));
    }
    pthread_mutex_unlock(&following->mutex);
    return taken;
}

static void stop(struct following *following)
{
    pthread_mutex_lock(&following->mutex);
    following->stops = true;
    pthread_cond_broadcast(&following->changed);
    pthread_mutex_unlock(&following->mutex);
}

static void hand_in(void *context, enum status status, struct finished_case *finished)
{
    struct following *following = context;
    const struct case_bytes all = case_to_bytes(finished);
    unsigned char *bytes = memory_resized(NULL, sizeof status + all.count);
    memcpy(bytes, &status, sizeof status);
    memcpy(bytes + sizeof status, all.bytes, all.count);
    post_send(following->ranks->post, 0, CASE, bytes, sizeof status + all.count);
    free_all(bytes, all.bytes);
    if (status != OK || finished->device_lost)
        stop(following);
}

static void measure(void *context, unsigned worker)
{
    struct following *following = context;
    uint64_t indices[CASES_AT_ONCE];
    (void)worker;
    for (size_t taken; (taken = take(following, indices)) > 0;)
        crew_measure(following->measuring, indices, taken, hand_in, following);
    mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
}

static void take_given(struct following *following, const struct message *message)
{
    pthread_mutex_lock(&following->mutex);
    if (following->first == following->count)
        following->first = following->count = 0;
    for (size_t i = 0; i + sizeof(uint64_t) <= message->count; i += sizeof(uint64_t)) {
        following->cases =
            list_short(following->cases, following->count, &following->capacity, sizeof *following->cases);
        memcpy(&following->cases[following->count++], message->bytes + i, sizeof(uint64_t));
    }
    pthread_cond_broadcast(&following->changed);
    pthread_mutex_unlock(&following->mutex);
}

static bool is_stopped(struct following *following)
{
    pthread_mutex_lock(&following->mutex);
    const bool is = following->stops;
    pthread_mutex_unlock(&following->mutex);
    return is;
}

/* What comes behind STOP is for whatever waits for the end (ranks.c). */
static void *listen(void *context)
{
    struct following *following = context;
    const struct ranks *ranks = following->ranks;
    while (!is_stopped(following)) {
        OWNED struct message *message = post_take(ranks->post);
        if (message && message->kind == GIVES)
            take_given(following, message);
        else if (message || interrupted() || ranks_miss(ranks, 0))
            stop(following);
    }
    return NULL;
}

static void join(const struct following *following, const char *identity)
{
    const size_t size = sizeof(struct joins) + strlen(identity) + 1;
    OWNED struct joins *joins = memory_cleared(1, size);
    joins->jobs = following->jobs;
    strcpy(joins->identity, identity);
    ranks_join(following->ranks, joins, size);
}

enum status follow(struct measuring *measuring, const struct ranks *ranks, const char *identity, unsigned jobs)
{
    struct following following = {
        .measuring = measuring,
        .ranks = ranks,
        .jobs = jobs,
        .mutex = PTHREAD_MUTEX_INITIALIZER,
        .changed = PTHREAD_COND_INITIALIZER,
    };
    pthread_t listener;
    if (pthread_create(&listener, NULL, listen, &following) != 0)
        return out_of_memory("a thread that listens to rank 0");
    join(&following, identity);
    workers_run(jobs, measure, &following);
    pthread_join(listener, NULL);
    post_send(ranks->post, 0, LEAVES, NULL, 0);
    free(following.cases);
    return OK;
}
