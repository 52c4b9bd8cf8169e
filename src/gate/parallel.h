/* Work that falls into independent items, spread over threads. */
#pragma once

#include "src/base/base.h"

/* Calls work(context, i) for each i < count.  All are done, whatever one returns; the status is that of the first i
 * that is not OK, so that it does not depend on the threads. */
enum status parallel_each(unsigned workers, size_t count, enum status (*work)(void *context, size_t i), void *context);
