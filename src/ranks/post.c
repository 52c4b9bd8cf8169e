#include "ranks.h"

#include "src/base/clock.h"

#include <pthread.h>
#include <time.h>

static const double often = 1e-4, seldom = 2e-3; /* seconds between two looks */
static const double beat = 1, last_words = 5, listening = 0.1;

enum { BEAT = 0 };

struct outgoing {
    struct outgoing *next;
    unsigned to;
    size_t count;
    unsigned char *bytes;
};

struct post {
    const struct transport *(*start)(void *context);
    void *context;
    const struct transport *transport;
    pthread_t thread;
    pthread_mutex_t mutex;     /* of all that follows */
    pthread_cond_t sent, came; /* something is to be sent; something has come, or it has started */
    struct outgoing *first_out, **last_out;
    struct message *first_in, **last_in;
    double *heard; /* of each rank; clock_of_wall() */
    bool *is_forgotten;
    bool has_started, is_ending, is_orderly;
};

/* ---- bytes ---- */

/* The kind stands before them. */
static struct outgoing *outgoing_make(unsigned to, int kind, const void *bytes, size_t count)
{
    struct outgoing *out = memory_cleared(1, sizeof *out);
    *out = (struct outgoing){.to = to, .count = 1 + count, .bytes = memory_resized(NULL, 1 + count)};
    out->bytes[0] = (unsigned char)kind;
    if (count > 0)
        memcpy(out->bytes + 1, bytes, count);
    return out;
}

static struct message *message_make(unsigned from, const unsigned char *bytes, size_t count)
{
    const size_t length = count > 0 ? count - 1 : 0;
    struct message *message = memory_cleared(1, sizeof *message + length + 1);
    message->from = from;
    message->kind = count > 0 ? bytes[0] : BEAT;
    message->count = length;
    memcpy(message->bytes, bytes + 1, length);
    return message;
}

/* ---- its thread ---- */

static struct timespec in(double seconds)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    const double whole = (double)time.tv_nsec * 1e-9 + seconds;
    time.tv_sec += (time_t)whole;
    time.tv_nsec = (long)((whole - (double)(time_t)whole) * 1e9);
    return time;
}

static bool send_next(struct post *post)
{
    pthread_mutex_lock(&post->mutex);
    struct outgoing *out = post->first_out;
    if (out && !(post->first_out = out->next))
        post->last_out = &post->first_out;
    const bool is_wanted = out && !post->is_forgotten[out->to];
    pthread_mutex_unlock(&post->mutex);
    if (is_wanted)
        post->transport->send(post->transport->context, out->to, out->bytes, out->count);
    else if (out)
        free(out->bytes);
    free(out);
    return out;
}

static bool take_in(struct post *post)
{
    unsigned from;
    void *bytes;
    size_t count;
    if (!post->transport->receive(post->transport->context, &from, &bytes, &count))
        return false;
    struct message *message = message_make(from, bytes, count);
    free(bytes);
    pthread_mutex_lock(&post->mutex);
    post->heard[from] = clock_of_wall();
    if (message->kind == BEAT || post->is_forgotten[from]) {
        free(message);
    } else {
        *post->last_in = message;
        post->last_in = &message->next;
        pthread_cond_broadcast(&post->came);
    }
    pthread_mutex_unlock(&post->mutex);
    return true;
}

static void send_beats(struct post *post, double *next)
{
    if (clock_of_wall() < *next)
        return;
    *next = clock_of_wall() + beat;
    const struct transport *transport = post->transport;
    for (unsigned to = transport->rank == 0; to < (transport->rank == 0 ? transport->size : 1); to++)
        post_send(post, to, BEAT, NULL, 0);
}

/* False when it is to end. */
static bool rest(struct post *post, double seconds)
{
    const struct timespec until = in(seconds);
    pthread_mutex_lock(&post->mutex);
    if (!post->first_out && !post->is_ending)
        pthread_cond_timedwait(&post->sent, &post->mutex, &until);
    const bool goes_on = !post->is_ending || post->first_out;
    pthread_mutex_unlock(&post->mutex);
    return goes_on;
}

static void begin(struct post *post)
{
    const struct transport *transport = post->start(post->context);
    const unsigned size = transport ? transport->size : 1;
    pthread_mutex_lock(&post->mutex);
    post->transport = transport;
    post->heard = memory_cleared(size, sizeof *post->heard);
    post->is_forgotten = memory_cleared(size, sizeof *post->is_forgotten);
    for (unsigned rank = 0; rank < size; rank++)
        post->heard[rank] = clock_of_wall();
    post->has_started = true;
    pthread_cond_broadcast(&post->came);
    pthread_mutex_unlock(&post->mutex);
}

static void say_last_words(struct post *post)
{
    const double until = clock_of_wall() + last_words;
    while (!post->transport->has_sent(post->transport->context) && clock_of_wall() < until)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void *carry(void *argument)
{
    struct post *post = argument;
    double pause = often, next_beat = 0;
    begin(post);
    if (!post->transport)
        return NULL;
    do {
        bool is_busy = false;
        send_beats(post, &next_beat);
        while (send_next(post))
            is_busy = true;
        while (take_in(post))
            is_busy = true;
        pause = is_busy ? often : pause < seldom ? 1.2 * pause : seldom;
    } while (rest(post, pause));
    say_last_words(post);
    if (post->is_orderly)
        post->transport->end(post->transport->context);
    return NULL;
}

/* ---- everyone else ---- */

static void discard(struct post *post)
{
    for (struct message *next; post->first_in; post->first_in = next) {
        next = post->first_in->next;
        free(post->first_in);
    }
    free_all(post->heard, post->is_forgotten);
    pthread_cond_destroy(&post->sent);
    pthread_cond_destroy(&post->came);
    pthread_mutex_destroy(&post->mutex);
    free(post);
}

struct post *post_start(const struct transport *(*start)(void *context), void *context)
{
    struct post *post = memory_cleared(1, sizeof *post);
    pthread_condattr_t monotonic;
    *post = (struct post){.start = start, .context = context, .mutex = PTHREAD_MUTEX_INITIALIZER};
    post->last_out = &post->first_out;
    post->last_in = &post->first_in;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&post->sent, &monotonic);
    pthread_cond_init(&post->came, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&post->thread, NULL, carry, post) != 0) {
        discard(post);
        return NULL;
    }
    pthread_mutex_lock(&post->mutex);
    while (!post->has_started)
        pthread_cond_wait(&post->came, &post->mutex);
    pthread_mutex_unlock(&post->mutex);
    if (post->transport)
        return post;
    pthread_join(post->thread, NULL);
    discard(post);
    return NULL;
}

const struct transport *post_transport(const struct post *post)
{
    return post->transport;
}

void post_send(struct post *post, unsigned to, int kind, const void *bytes, size_t count)
{
    struct outgoing *out = outgoing_make(to, kind, bytes, count);
    pthread_mutex_lock(&post->mutex);
    *post->last_out = out;
    post->last_out = &out->next;
    pthread_cond_signal(&post->sent);
    pthread_mutex_unlock(&post->mutex);
}

struct message *post_take(struct post *post)
{
    const struct timespec until = in(listening);
    pthread_mutex_lock(&post->mutex);
    while (!post->first_in && pthread_cond_timedwait(&post->came, &post->mutex, &until) == 0)
        ;
    struct message *message = post->first_in;
    if (message && !(post->first_in = message->next))
        post->last_in = &post->first_in;
    pthread_mutex_unlock(&post->mutex);
    return message;
}

double post_silence(struct post *post, unsigned rank)
{
    pthread_mutex_lock(&post->mutex);
    const double seconds = clock_of_wall() - post->heard[rank];
    pthread_mutex_unlock(&post->mutex);
    return seconds;
}

void post_forget(struct post *post, unsigned rank)
{
    pthread_mutex_lock(&post->mutex);
    post->is_forgotten[rank] = true;
    pthread_mutex_unlock(&post->mutex);
}

void post_end(struct post *post, bool orderly)
{
    pthread_mutex_lock(&post->mutex);
    post->is_ending = true;
    post->is_orderly = orderly;
    pthread_cond_signal(&post->sent);
    pthread_mutex_unlock(&post->mutex);
    pthread_join(post->thread, NULL);
    discard(post);
}
