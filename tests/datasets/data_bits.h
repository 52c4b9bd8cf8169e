/* What a family of data is, bit for bit, on every compiler and on the GPU: the SHA-256 of its showcase.
 *
 *   swamp 0123...            64 hexadecimal digits
 *   swamp@bfloat16 0123...
 *
 * of all elements of the specs that the family shows itself with, up to DATA_BITS_N elements, seed 1, trial 0, and of a
 * random family trial 1 too, each as its format stores it, least significant byte first.  Of a format that is not
 * binary32 the spec is swamp:format=bfloat16.  Of a family of matrices all numbers of A, then of B.
 */
#ifndef ULPSCOPE_TESTS_DATA_BITS_H
#define ULPSCOPE_TESTS_DATA_BITS_H

#include "datasets/dataset.h"

enum { DATA_BITS_N = 1 << 20, DATA_BITS_TEXT = 65 };

/* Makes one data set, as the host has it, of matrices both, one behind the other; the caller frees *x. */
typedef enum status make_data(void *context, const struct data_spec *spec, uint64_t trial, void **x);

enum status data_bits(const struct generator *generator, const struct format *format, make_data *make, void *context,
                      char text[DATA_BITS_TEXT]);

#endif
