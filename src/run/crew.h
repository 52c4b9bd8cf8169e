/* Who measures the cases of a run: threads of this process and, where there are ranks, other processes (lead.c).  All
 * take cases from here and hand them in here. */
#pragma once

#include "src/base/forecast.h"
#include "src/base/progress.h"
#include "src/measure/measure.h"
#include "src/ranks/ranks.h"
#include "src/store/store.h"

/* Rows are written behind: whoever measured a case hands it over and goes on, a thread of its own stores it.
 *
 *   struct writer *writer = writer_start(store, study);
 *   ... on any threads: writer_take(writer, &finished); ...
 *   status = writer_end(writer);
 *
 * In between nothing else is asked of the store but store_has_case() of cases that nobody measured yet.  A
 * transaction ends when no case waits or it has WRITER_AT_ONCE rows, and at most WRITER_ROWS rows wait for the next
 * one: that is what a killed run loses.  One that ends, also by an interrupt, stores all that it was given.
 */

enum { WRITER_AT_ONCE = 1 << 12, WRITER_ROWS = 1 << 14 };

struct writer;

struct writer *writer_start(struct store *store, const struct study *study);

/* Takes all of the case, which is empty afterwards; waits while too many rows do.  Not OK: something could not be
 * stored, which was complained about, and neither will be what comes. */
enum status writer_take(struct writer *writer, struct finished_case *finished);

/* When all that was taken is stored. */
enum status writer_end(struct writer *writer);

/* The cases that a run has still to measure, and how long they will take. */

struct workload {
    const struct study *study;
    struct forecast forecast; /* of a kind for each spec of the study */
};

/* Of what is measured here, all that the store lacks. */
void workload_count(struct workload *workload, const struct study *study, const struct store *store);
void workload_free(struct workload *workload);

/* A case is begun, and it is done or given up. */
void workload_begin(struct workload *workload, uint64_t index);
void workload_end(struct workload *workload, uint64_t index);

/* It is to be begun once more. */
void workload_give_back(struct workload *workload, uint64_t index);

void workload_tell(const struct workload *workload, struct progress *progress, uint64_t done);

enum { CASES_AT_ONCE = 1024 }; /* of a worker, at most */

/* A case to be taken again, but not by a GPU on which it failed; NULL: by any. */
struct returned {
    uint64_t index;
    const struct device *failed_on;
};

/* `mutex` guards all of it but the constant measuring, the devices and the writer. */
struct crew {
    struct measuring measuring;
    const struct devices *devices; /* GPUs that share the cases; measuring has the first */
    bool told[DEVICES_MOST];       /* that one failed */
    unsigned workers;              /* threads of this process that take cases; of them, those that still do: at_work */
    struct store *store;
    struct writer *writer;
    struct progress progress;
    struct workload workload;
    uint64_t next, end;               /* of the cases of the study */
    uint64_t total, done, unfinished; /* of those that are measured here */
    uint64_t numbers;                 /* of all their data */
    uint64_t in_hand;                 /* taken, and not handed in */
    unsigned at_work;
    struct returned *returned; /* taken by who is gone */
    uint64_t *blamed;          /* of those, which may be why */
    size_t returned_count, returned_capacity, blamed_count, blamed_capacity;
    bool has_others;    /* other processes, which can measure what this one cannot */
    bool device_lost;   /* all of them: then this process takes no more */
    enum status status; /* the first that was not OK; then everyone stops */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

/* The next cases that are not stored, one or some that are worth measuring together, for a device; waits while others
 * may give back theirs.  0 when there is none, or no reason to go on. */
size_t crew_take(struct crew *crew, const struct device *device, uint64_t indices[CASES_AT_ONCE]);

/* For another process: does not wait. */
bool crew_take_now(struct crew *crew, uint64_t *index);

/* Has it stored, and takes it, so that it is empty afterwards.  The device: where it was measured. */
void crew_hand_in(struct crew *crew, const struct device *device, enum status status, struct finished_case *finished);

/* The case was not measured, because who had it is gone.  `may_be_to_blame`: the case may be why, and the second time
 * it is given up, for --resume. */
void crew_give_back(struct crew *crew, uint64_t index, bool may_be_to_blame);

/* Measures cases, in the mode that the canary asks for, and hands in each of them; of those after a failure the first.
 */
typedef void case_hand_in(void *context, enum status status, struct finished_case *finished);
void crew_measure(const struct measuring *measuring, const uint64_t *indices, size_t count, case_hand_in *hand_in,
                  void *context);

/* The work of a thread, which has one of the devices: cases, until there are none. */
void crew_work(struct crew *crew, unsigned worker);

/* Cases that nobody has taken; about as many as are to be measured. */
uint64_t crew_left(struct crew *crew);

/* Whether nobody is to take any more; whether there is something to take or to wait for. */
bool crew_is_stopped(struct crew *crew);
bool crew_goes_on(struct crew *crew, bool others_are_there);

void crew_free(struct crew *crew);

/* Rank 0, beside its own work: cases for the other ranks, and what becomes of them.
 *
 * A follower is given as many cases at a time as it has threads, and a quarter of its share of what is left beyond
 * that, so that short cases are not waited for and long ones are spread to the end.  The cases of one that dies, or
 * loses its GPU, go to the others. */

/* Until all cases are done, or none can be.  `identity`: followers of another are refused. */
void lead(struct crew *crew, const struct ranks *ranks, const char *identity, unsigned own_jobs);

/* A rank other than 0: measures the cases that it is given. */

/* Until rank 0 says that it is enough. */
enum status follow(struct measuring *measuring, const struct ranks *ranks, const char *identity, unsigned jobs);

/* The worst sums of a run, which reports name: before they do, exact sums that a GPU made of them are made again and
 * checked by the host. */

/* On GPUs.  *checked: of how many cases.  NOT_MEASURED where one is not what was stored, or cannot be made again. */
enum status witnesses_check(const struct measuring *measuring, const struct devices *devices, struct store *store,
                            uint64_t *checked);
