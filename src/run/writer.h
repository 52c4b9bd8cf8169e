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
#pragma once

#include "src/store/store.h"

enum { WRITER_AT_ONCE = 1 << 12, WRITER_ROWS = 1 << 14 };

struct writer;

struct writer *writer_start(struct store *store, const struct study *study);

/* Takes all of the case, which is empty afterwards; waits while too many rows do.  Not OK: something could not be
 * stored, which was complained about, and neither will be what comes. */
enum status writer_take(struct writer *writer, struct finished_case *finished);

/* When all that was taken is stored. */
enum status writer_end(struct writer *writer);
