/* order=psum: each time the number that leaves the smallest |partial sum|. */
#pragma once

#include "src/base/format.h"
#include "src/base/status.h"

#include <stdint.h>

/* `sorted` by value, all finite, as format_held() has them; n log n steps.  Partial sums are of binary64.  Of two that
 * leave as much, the smaller comes first.  NOT_MEASURED when memory is short. */
enum status psum_order(const struct format *format, void *sorted, uint64_t n);
