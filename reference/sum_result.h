/* Exact sums of the words that a GPU made of rows (sum_digits.h). */
#pragma once

#include "statistic.h"
#include "sum_digits.h"

struct sum_layout sum_layout_of_format(const struct format *format, bool products);

/* Words of rows, one row after the other, each the sum of so many terms, become exact sums, spread over so many
 * threads.  After a failure all are empty. */
enum status sum_results(const struct format *format, bool products, const uint64_t *words, uint64_t rows,
                        uint64_t terms, unsigned workers, struct exact_sum *sums);

/* Of the words of sum_ends_kernel(). */
struct exact_ends sum_ends(const struct format *format, const uint64_t words[SUM_ENDS]);
