/* The stores of shards, while they are merged. */
#pragma once

#include "store_file.h"

struct part {
    const char *path;
    struct store *store;
    struct shard shard;
    char *identity; /* of the whole */
    char *whole;    /* its command (store.h); NULL: it is no shard's */
    uint64_t cases; /* of the study */
    bool ended;
};

/* By their numbers. */
struct parts {
    struct part *list;
    size_t count;
    uint64_t shards;  /* that there should be */
    uint64_t lacking; /* cases */
};

/* Opens and verifies all, and sees that they belong together; what lacks is reported.  Close them also after a failure.
 */
enum status parts_open(struct parts *parts, const struct merge *merge);
void parts_close(struct parts *parts);

/* Puts into the store what they say beside cases: once where all say the same; where machines and dates differ, that of
 * the first, and beside it which. */
enum status parts_put_facts(const struct parts *parts, const char *directory, struct store *store);
