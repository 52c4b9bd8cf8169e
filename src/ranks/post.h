/* Messages between ranks.  One thread, which this starts, does all that the transport asks for: it begins it, sends,
 * looks for what has come, and ends it.  Everyone else puts messages into its hands, and takes them.
 *
 *   struct post *post = post_start(start, NULL);
 *   post_send(post, 0, JOINS, text, length);
 *   struct message *message = post_take(post);          NULL: none came within 0.1 s
 *   free(message);
 *   post_end(post, true);
 *
 * Each rank is heard once a second: rank 0 by all others, all others by rank 0.  So silence tells of a rank that died.
 * It looks for messages every 0.1 ms while there are some, and else every 2 ms, which costs 0.5 % of a core. */
#pragma once

#include "transport.h"

#include <stdint.h>

struct post;

struct message {
    struct message *next;
    unsigned from;
    int kind;
    bool is_damaged; /* not what was sent */
    size_t count;
    unsigned char bytes[]; /* and a 0 behind them */
};

/* NULL: the transport does not start, or there is no thread for it. */
struct post *post_start(const struct transport *(*start)(void *context), void *context);
const struct transport *post_transport(const struct post *post);

/* kind: 1 to 255. */
void post_send(struct post *post, unsigned to, int kind, const void *bytes, size_t count);
struct message *post_take(struct post *post);

/* Seconds since that rank was heard. */
double post_silence(struct post *post, unsigned rank);

/* Nothing is sent to it any more, nor taken from it. */
void post_forget(struct post *post, unsigned rank);

/* Sends what is still to be sent, for five seconds at most.  `orderly`: ends the transport, which may wait for all
 * other ranks; without, it is left as it is. */
void post_end(struct post *post, bool orderly);
