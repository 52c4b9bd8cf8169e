/* Rows are read ahead: while the caller's thread has some in hand, another reads the next from the store, which nobody
 * else may use meanwhile. */
#pragma once

#include "store.h"

typedef enum status row_visit(void *context, const struct stored *row);

/* Calls read(reader, put, context), which puts row after row, on a thread of its own, and visit for each of them, in
 * the same order, on this one, until one is not OK.  Where the system has no thread for it, all is done on this one. */
enum status read_ahead(enum status (*read)(void *reader, row_visit *put, void *context), void *reader, row_visit *visit,
                       void *context);
