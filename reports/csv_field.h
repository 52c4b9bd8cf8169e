/* Fields of a CSV file by RFC 4180: quoted when they must be, a quote doubled, lines end with a line feed.
 *
 *   gensum:n=4096,cond=1e8    "gensum:n=4096,cond=1e8"
 *   say "so"                  "say ""so"""
 */
#pragma once

#include "src/results/results.h"

/* Names are made visible (clean_text.h), and one that begins as a formula gets a ' in front.
 *
 * Each but the first of a line begins with its comma: csv_text(file, "," , ...) or csv_text(file, "", ...). */
void csv_text(FILE *file, const char *before, const char *text);
void csv_count(FILE *file, const char *before, uint64_t count);
void csv_double(FILE *file, const char *before, double value); /* shortest round-trip; nan, inf, -inf */
void csv_bits(FILE *file, const char *before, const struct format *format, uint64_t bits); /* 0x3f800000 */

/* A line of results.csv.  The columns are a contract: they are only added to, at the end, where every metric stands
 * that metrics.def has beyond the contract's. */

/* `more`: columns after the others, up to a NULL; NULL: none. */
void csv_write_header(FILE *file, const char *const *more);
void csv_write_row(FILE *file, const struct result *row, const char *const *more);
