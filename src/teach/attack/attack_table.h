/* Attacks on several methods, or with several n: a table, and a page that says which bounds are tight. */
#pragma once

#include "attack_result.h"

/* attacks[m * sizes + k]: of method m with the k-th n; where nothing was found yet, the request alone. */
struct attack_table {
    struct attack_result *attacks;
    size_t methods, sizes;
    double limit;        /* beyond which a search ended; INFINITY: none did */
    const char *command; /* that made it */
};

void attack_table_print(const struct attack_table *table, FILE *to, bool colour);

/* reports/samples/tight.md: shares of bounds by accumulator and by method, and what is known of bounds that are not
 * tight (known_bounds.def).  Attacks that climb the bound alone. */
enum status attack_table_write_page(const struct attack_table *table, const char *path);
