/* What the store of a shard says beside its cases, for the merge (store_merge.h). */
#pragma once

#include "store.h"

/* The command of the whole, of which it is a part, as it was first called: without --shard, and with this character for
 * the folder of -o, which stands in no text that is quoted for a shell. */
#define STORE_FOLDER '\037'
enum status store_note_command(struct store *store, const char *whole);

/* All that was asked of the shard was done: its cases, axes and speeds.  Its store is kept, also one without a row. */
enum status store_note_end(struct store *store);
