/* Exact prefix sums, and exact sums of windows: of each number that of all up to it, or of the last w up to it.
 *
 *   {1, 2, -3, 4}   prefixes 1, 3, 0, 4     windows of 2: 1, 3, -1, 1
 *
 * A running sum is an integer of digits of 32 bits, as many as the exponents of the numbers need; what leaves a window
 * is taken off it, and nothing is rounded.  Every 4,096 numbers it is kept, so that elements can be asked for from
 * anywhere.  Each element is rounded from these digits; one in full is summed again by bins (exact.h).
 */
#pragma once

#include "exact_row.h"

/* Of x[0..n), as format_held() has numbers of the format, which have to outlive it; window 0: of all up to each.
 * Allocated; *row is NULL after a failure, NOT_MEASURED: memory is short.
 *
 * An element is the sum that exact_sum() gives of the same numbers; its sum_abs is theirs, too.  The moments have n,
 * max_abs and sum_abs of all. */
enum status exact_scan_row(uint64_t window, const struct format *format, struct exact_how how, const void *x,
                           uint64_t n, struct exact_row **row);
