/* A finished case as bytes, for another process of the same program. */
#pragma once

#include "src/measure/row.h"

struct case_bytes {
    unsigned char *bytes; /* allocated */
    size_t count;
};

struct case_bytes case_to_bytes(const struct finished_case *finished);

/* False: that is none, cut short or more.  What is made is freed as measure_case()'s. */
bool case_from_bytes(const unsigned char *bytes, size_t count, struct finished_case *finished);
