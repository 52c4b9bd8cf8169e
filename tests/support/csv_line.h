/* Lines of results.csv. */
#ifndef ULPSCOPE_TESTS_CSV_LINE_H
#define ULPSCOPE_TESTS_CSV_LINE_H

#include "program.h"

/* Data of several families. */
#define SWEEP " -d 'uniform:n=100..1600*4' -d gensum:n=256,cond=1e8 -d specials:n=64 -d normal:n=333 --trials 7"

enum { N_COLUMN = 2, SEED_COLUMN = 5, TRIAL_COLUMN = 6, BLOCKS_COLUMN = 9, THREADS_COLUMN = 10, BITS_COLUMN = 13 };

/* A field of a line of a CSV file, counted from 0, with its quotes if it has any. */
static inline void field_of(const char *line, size_t column, char field[64])
{
    size_t length = 0;
    bool quoted = false;
    for (const char *c = line; *c != '\0' && *c != '\n'; c++) {
        quoted ^= *c == '"';
        if (*c == ',' && !quoted) {
            if (column-- == 0)
                break;
        } else if (column == 0 && length < 63) {
            field[length++] = *c;
        }
    }
    field[length] = '\0';
}

#endif
