/* A transport in memory, between threads of one process; and what may go wrong on the way.
 *
 *   struct network network = {.size = 3, .fault = FAULT_DIES, .faulty = 2};
 *   struct post *post = post_start(network_start, &(struct place){&network, rank}); */
#ifndef ULPSCOPE_TESTS_MEMORY_TRANSPORT_H
#define ULPSCOPE_TESTS_MEMORY_TRANSPORT_H

#include "src/ranks/ranks.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 8, MESSAGES_MOST = 1 << 14 };

enum fault {
    FAULT_NONE,
    FAULT_DIES,    /* after its first case nothing of what it sends arrives */
    FAULT_FOREIGN, /* its second case is its first one again */
    FAULT_DEVICE,  /* it has lost its GPU, and says so */
};

struct parcel {
    unsigned from, to;
    unsigned char *bytes;
    size_t count;
};

struct network {
    unsigned size, faulty;
    enum fault fault;
    pthread_mutex_t mutex;
    struct parcel parcels[MESSAGES_MOST];
    size_t count, cases, stops; /* cases: of the faulty rank; stops: sent by rank 0 */
    struct parcel first;        /* its first case */
};

struct place {
    struct network *network;
    unsigned rank;
    struct transport transport;
};

static inline void *copy_of(const void *bytes, size_t count)
{
    void *copy = malloc(count);
    return copy ? memcpy(copy, bytes, count) : NULL;
}

/* False: it does not arrive. */
static inline bool do_wrong(struct network *network, struct parcel *parcel)
{
    const bool is_case = parcel->bytes[0] == CASE;
    network->cases += is_case;
    if (network->fault == FAULT_DIES && network->cases > 1)
        return false;
    if (!is_case)
        return true;
    if (network->fault != FAULT_FOREIGN)
        return true;
    if (network->cases == 1) {
        network->first = *parcel;
        network->first.bytes = copy_of(parcel->bytes, parcel->count);
    } else if (network->cases == 2) {
        free(parcel->bytes);
        *parcel = network->first;
    }
    return true;
}

static inline void network_send(void *context, unsigned to, void *bytes, size_t count)
{
    struct place *place = context;
    struct network *network = place->network;
    struct parcel parcel = {place->rank, to, bytes, count};
    pthread_mutex_lock(&network->mutex);
    network->stops += place->rank == 0 && parcel.bytes[0] == STOP;
    const bool arrives = place->rank == 0 || place->rank != network->faulty || do_wrong(network, &parcel);
    if (arrives && network->count < MESSAGES_MOST)
        network->parcels[network->count++] = parcel;
    else
        free(parcel.bytes);
    pthread_mutex_unlock(&network->mutex);
}

static inline bool network_has_sent(void *context)
{
    (void)context;
    return true;
}

/* The oldest. */
static inline bool network_receive(void *context, unsigned *from, void **bytes, size_t *count)
{
    struct place *place = context;
    struct network *network = place->network;
    bool found = false;
    pthread_mutex_lock(&network->mutex);
    for (size_t i = 0; i < network->count && !found; i++) {
        if (network->parcels[i].to != place->rank)
            continue;
        found = true;
        *from = network->parcels[i].from;
        *bytes = network->parcels[i].bytes;
        *count = network->parcels[i].count;
        network->count--;
        memmove(&network->parcels[i], &network->parcels[i + 1], (network->count - i) * sizeof *network->parcels);
    }
    pthread_mutex_unlock(&network->mutex);
    return found;
}

static inline void network_end(void *context)
{
    (void)context;
}

static inline const struct transport *network_start(void *context)
{
    struct place *place = context;
    place->transport = (struct transport){
        .rank = place->rank,
        .size = place->network->size,
        .local_rank = place->rank,
        .local_size = place->network->size,
        .library = "memory",
        .context = place,
        .send = network_send,
        .has_sent = network_has_sent,
        .receive = network_receive,
        .end = network_end,
    };
    return &place->transport;
}

static inline void network_empty(struct network *network)
{
    for (size_t i = 0; i < network->count; i++)
        free(network->parcels[i].bytes);
    network->count = 0;
}

#endif
