/* This process as one of the ranks that mpirun started.  Rank 0 leads: it alone has the store, writes reports, and says
 * what there is to be said.  The others follow: they measure the cases that it gives them.
 *
 * Until it joins, what a follower says on stderr is kept: all ranks would complain of the same wrong flag.  What made
 * it end it tells rank 0, which waits for nobody who has not joined. */
#pragma once

#include "src/base/base.h"

/* What carries messages between the processes of a run: an MPI library, through a module that was compiled with it
 * (mpi_module.c); in tests, memory.  One thread calls all of it. */

struct transport {
    unsigned rank, size;
    unsigned local_rank, local_size; /* among those of this machine */
    const char *library;             /* "Open MPI 4.1.4" */
    void *context;

    /* Takes allocated bytes, and frees them when they have gone.  Returns at once. */
    void (*send)(void *context, unsigned to, void *bytes, size_t count);

    /* Whether all that was sent has gone. */
    bool (*has_sent)(void *context);

    /* False: nothing has come.  *bytes are allocated. */
    bool (*receive)(void *context, unsigned *from, void **bytes, size_t *count);

    /* When nothing more is sent, on all ranks. */
    void (*end)(void *context);
};

/* What a module has.  NULL: the library cannot be started. */
#define TRANSPORT_FUNCTION "ulpscope_transport"
typedef const struct transport *transport_start(void);

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

struct post;

struct message {
    struct message *next;
    unsigned from;
    int kind;
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

/* What ranks say to each other; the bytes behind it. */
enum said {
    JOINS = 1, /* to rank 0: struct joins, and the identity of its run */
    CANNOT,    /* why it does not join: text */
    CASE,      /* enum status, and a case (case_bytes.h) */
    LEAVES,    /* it takes no more cases, and has none */
    GIVES,     /* from rank 0: indices of cases, uint64_t */
    STOP,      /* leave */
    READY,     /* from rank 0: is it? from another: it waits for the end */
    END,       /* all is written; true: end MPI in good order */
};

struct joins {
    unsigned jobs;
    char identity[]; /* src/run/run.c */
};

struct ranks {
    unsigned rank, size;
    unsigned local_rank, local_size; /* among those of this machine */
    const char *library;             /* "Open MPI 4.1.4" */
    struct post *post;
    double patience; /* seconds; ULPSCOPE_MPI_PATIENCE */
};

/* Before a command is started; `may` it be run by several?  BAD_INPUT, which rank 0 complains about, where it may not
 * or this build has no MPI.  One process alone is no rank: no library is loaded. */
enum status ranks_begin(const char *command, bool may);

/* NULL: there are no others. */
const struct ranks *ranks(void);
bool ranks_follows(void);

/* A share of what this machine has, for each of its ranks: at least 1. */
unsigned ranks_share(unsigned cores);

/* A follower's turn to speak, with its number before each complaint. */
void ranks_join(const struct ranks *ranks, const struct joins *joins, size_t size);

/* Whether that rank has been silent for longer than `patience`, and is taken for dead. */
bool ranks_miss(const struct ranks *ranks, unsigned rank);

/* Rank 0: somebody died, so that MPI cannot be ended in good order. */
void ranks_note_loss(void);
