/* Whether a store is as it was written: before anything that it says is believed. */
#pragma once

#include "store_file.h"

/* Called after a file was opened and before anything is read: nothing in the file is executed, and reading its list of
 * tables takes a limited time.  That limit ends with store_verify(), or with store_unguard() for a file that is new. */
enum status store_guard(struct store *store);
void store_unguard(struct store *store);

/* Our tables and nothing else; pages that SQLite finds sound, as many as the file is long; seals that fit; and values
 * that a run writes, since anybody can compute seals anew.  BAD_INPUT, and a message that names the first thing that is
 * wrong. */
enum status store_verify(struct store *store);
