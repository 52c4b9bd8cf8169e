/* What a file looks like: only ever to refuse it, never to read it as that. */
#pragma once

#include "file_formats.h"

/* BAD_INPUT where the file begins like another kind than the ending of its name says: a gzip called x.csv. */
enum status check_beginning(const struct input *in, const char *ending);

/* At the first of `bytes` bytes of binary numbers of which nobody said what they are: BAD_INPUT where they look like
 * another format than binary32. */
enum status check_unnamed(const struct input *in, uint64_t bytes);
