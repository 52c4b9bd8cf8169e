/* The store of a run, a SQLite file: run.db.  A case is there with all its rows or not at all, so that a killed run
 * resumes.
 *
 *   sqlite3 out/run.db "select method, max(ulp_error) from results group by method"
 */
#pragma once

#include "src/measure/row.h"
#include "src/study/study.h"
#include "src/study/study_record.h"

struct store;

enum store_mode {
    STORE_NEW,       /* refuses a folder that holds a run */
    STORE_RESUME,    /* continues the run there, which must be of the same study; a new one if there is none */
    STORE_OVERWRITE, /* makes a new one beside the run there, in .ulpscope/, until it is put in its place */
};

/* `directory` NULL: in memory; else its lock is held (src/files/folder_lock.h).  `identity` is a text that is equal for
 * equal studies on equal devices; device: the name for rows of a backend without a name of its own.  BAD_INPUT when the
 * folder holds another run. */
enum status store_open(const char *directory, enum store_mode mode, const struct study *study, const char *identity,
                       const char *device, struct store **store);

/* Opens the store of a run to be read, by its folder or its file; it is not changed.  BAD_INPUT for everything that is
 * no such store, or one of another version, or being written, or not as it was written (store_verify.c). */
enum status store_open_to_read(const char *path, struct store **store);
enum status store_close(struct store *store);

/* Whether it is to replace a run that is still in its place: whoever does so (src/files/folder_swap.h) settles it
 * first.
 */
bool store_waits(const struct store *store);

/* All that was stored is in the one file, and on the disk; what follows is read. */
enum status store_settle(struct store *store);

/* Copies a store that is in memory into a new folder here, and names it: ulpscope-interrupted, ulpscope-interrupted-2,
 * ... */
#define KEPT_FOLDER "ulpscope-interrupted"
enum { KEPT_NAME = sizeof KEPT_FOLDER + 8 };
enum status store_keep(struct store *store, char folder[KEPT_NAME]);

/* The study as it was recorded when the store was made. */
enum status store_get_study(struct store *store, struct study_record *record);

/* Whether the case has been stored; cases are looked up in a table that was read when the store was opened. */
bool store_has_case(const struct store *store, uint64_t index);

/* Stores the rows, which it puts in order, in place of those that the case had.  An unfinished one counts as not
 * stored: its rows are read, but store_has_case() is false for it the next time, so that a --resume does it again; it
 * never takes the place of more rows. */
enum status store_put_case(struct store *store, struct finished_case *finished);

/* Cases, facts, speeds and variations that are put between these two are put together or not at all; others, each for
 * itself.  When one cannot be put all are taken back, and of a store that failed nothing is asked but to be closed. */
enum status store_begin(struct store *store);
enum status store_end(struct store *store);
enum status store_put_fact(struct store *store, const char *topic, const char *name, const char *value);
enum status store_drop_fact(struct store *store, const char *topic, const char *name);

/* A row as it was stored, and where it stands. */
struct stored {
    struct result result;
    size_t entry, spec, launch, backend, method;
};

/* Visits all rows in the order case, launch, backend, method, repeat; the texts live until the visit returns. */
enum status store_each(struct store *store, enum status (*visit)(void *context, const struct stored *row),
                       void *context);

/* Visits the bits of all rows in the same order. */
enum status store_each_bits(struct store *store, enum status (*visit)(void *context, const struct result_bits *row),
                            void *context);

/* How many kernel results the store holds beside their replays, and how many have other bits; methods whose order is
 * that of arrival are left out. */
struct replay_comparison {
    uint64_t compared, differ;
};
enum status store_compare(struct store *store, struct replay_comparison *comparison);

/* Speeds are put one by one; each replaces that of the same method, launch and backend. */
struct stored_speed {
    size_t method, launch, backend;
    uint64_t n, bytes, rounds;
    double microseconds, median; /* of the fastest round; of the one in the middle */
};
bool store_has_speeds(struct store *store);
enum status store_put_speed(struct store *store, const struct stored_speed *speed);
enum status store_each_speed(struct store *store, enum status (*visit)(void *context, const struct stored_speed *speed),
                             void *context);

/* What came of one axis that was varied (src/determinism/variation.c): of one method, on trial 0 of one data set, at
 * one launch.  One that is put replaces that of the same place and axis. */
struct stored_variation {
    size_t entry, spec, launch, backend, method;
    enum axis axis;
    uint64_t variants, results;
    double spread;
    const char *first, *why; /* of one that is visited they live until the visit returns */
    uint64_t base, bits;
};

/* Whether what these places and the axis say is stored; the rest is not looked at. */
enum status store_has_variation(struct store *store, const struct stored_variation *variation, bool *has);
enum status store_put_variation(struct store *store, const struct stored_variation *variation);

/* Visits all of them in the order entry, spec, launch, backend, method; of one method axes have any order. */
enum status store_each_variation(struct store *store,
                                 enum status (*visit)(void *context, const struct stored_variation *variation),
                                 void *context);

/* How often data sets that differ in their order alone gave different results, method by method. */
struct stored_permutations {
    size_t method, backend;
    uint64_t sets, differing, most; /* sets of permutations; those with more than one result; the most results */
};
enum status store_each_permutation(struct store *store,
                                   enum status (*visit)(void *context, const struct stored_permutations *found),
                                   void *context);

/* Finished cases that are stored now. */
uint64_t store_case_count(const struct store *store);

/* Whether the store holds any row, of a finished case or another. */
bool store_has_rows(const struct store *store);

enum status store_each_fact(struct store *store,
                            enum status (*visit)(void *context, const char *topic, const char *name, const char *value),
                            void *context);
