/* Text for a place with little room. */
#pragma once

#include <stddef.h>

/* A text of at most `most` bytes, the end of a longer one replaced by "…"; valid UTF-8 stays so.  Allocated. */
char *cut_text(const char *text, size_t most);
