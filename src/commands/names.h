/* What there is to choose from, by name: the tables behind `ulpscope list SUBJECT` and the completion of a shell. */
#pragma once

#include "src/base/base.h"

struct name {
    const char *id, *prefix, *text; /* prefix: what its text begins with */
};

/* The name at i, if there is one. */
typedef bool read_name(size_t i, struct name *name);

/* Those of a subject of `ulpscope list` ("orders"), or of "axes"; NULL: it has no such table. */
read_name *names_of(const char *subject);
