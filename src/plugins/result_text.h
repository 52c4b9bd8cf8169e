/* The bits of a result as text: "0x3f800000". */
#pragma once

#include "src/base/fp.h"

/* NULL, or what is wrong with the text as the end of a sentence. */
const char *result_read_bits(const char *text, const struct format *result, uint64_t *bits);
