/* This process as one of the ranks that mpirun started.  Rank 0 leads: it alone has the store, writes reports, and says
 * what there is to be said.  The others follow: they measure the cases that it gives them.
 *
 * Until it joins, what a follower says on stderr is kept: all ranks would complain of the same wrong flag.  What made
 * it end it tells rank 0, which waits for nobody who has not joined. */
#pragma once

#include "post.h"
#include "src/base/status.h"

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
