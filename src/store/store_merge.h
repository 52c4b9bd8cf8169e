/* Merges the stores of the shards of a study into that of an unsharded run. */
#pragma once

#include "store.h"

struct merge {
    const char *const *parts; /* folders or their run.db, in any order */
    size_t count;
    const char *directory; /* of the new store; NULL: in memory */
    enum store_mode mode;  /* STORE_NEW or STORE_OVERWRITE */
    bool partial;          /* shards and cases may lack */
};

/* BAD_INPUT: they are no shards of one study, device and version, or one of them is there twice.  NOT_MEASURED: some
 * lack, and without `partial` nothing is made; with it *store is open all the same. */
enum status store_merge(const struct merge *merge, struct store **store);
