/* The plug-in: a shared library, loaded, held to include/ulpscope/plugin.h and opened. */
#pragma once

#include "include/ulpscope/plugin.h"

#include <stdbool.h>

/* A method, and what its arrays have in them. */
struct library_method {
    struct ulpscope_method of;
    DLDataType stored, result;
    const struct ulpscope_accumulator *adds; /* NULL: it runs by itself */
    int order;                               /* of orders.def, in which it adds */
};

struct library {
    struct ulpscope_plugin of;
    struct library_method *methods; /* its own, and of each accumulator the orders */
    size_t method_count;
    struct ulpscope_accumulator *accumulators;
    void *state; /* what `open` made */
};

/* Loads and checks it, and says what it has as the text of READY, without the end; gives up where it cannot be used.
 * bare: NULL, or the words about a function that it has in place of plugin.h's entry; what cannot be checked of it. */
const char *library_load(struct library *library, const char *file, char *const *bare);

/* Appends "returned status 3", and what the plug-in says that this means. */
void say_status(const struct library *library, int status);
