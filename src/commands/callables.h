/* Functions of a project that may be sums or dot products, by a simple reading of its sources: nothing is compiled,
 * imported or run.  Of C, C++ and CUDA those whose prototype ulpscope can call (src/plugins/prototype.h), of Python
 * those of one parameter or two whose name speaks of a sum. */
#pragma once

#include "src/plugins/prototype.h"

#include <stdbool.h>
#include <stddef.h>

enum language { LANGUAGE_C, LANGUAGE_CPP, LANGUAGE_CUDA, LANGUAGE_PYTHON, LANGUAGES };

struct callable {
    enum language language;
    char *file; /* relative to the project: "src/mysum.c" */
    size_t line;
    char *text;          /* as it stands there, on one line: "float mysum(const float *x, size_t n)" */
    char *why;           /* it cannot be measured as it is, the end of "found ..."; NULL: it can */
    struct prototype of; /* of Python: name and is_dot */
    bool is_likely;      /* of Python: its name speaks of a sum */
    bool on_host;        /* of CUDA: it copies its arrays to the GPU itself */
    bool is_atomic;      /* of CUDA: its file has atomicAdd */
    const char *arrays;  /* of Python: what its file imports, "numpy", or "list" */
};

struct callables {
    struct callable *list;
    size_t count, capacity;
};

/* Appends those of a file; one that cannot be read has none. */
void callables_read(struct callables *to, const char *folder, const char *file, enum language language);

/* Whether it is listed: it can be measured, and in Python it is likely. */
bool callable_is_fit(const struct callable *callable);

void callables_free(struct callables *callables);
