/* The rows of one series, added up as they come. */
#pragma once

#include "results.h"

#include <nettle/sha2.h>

/* The results that equal data gave, as bits: how many are different, and how far they are apart. */

struct case_bits {
    uint64_t *bits; /* all 0 at first; whoever has it frees them */
    size_t count, capacity;
};

enum status case_bits_add(struct case_bits *to, const uint64_t *bits, size_t count);

/* Sorts them. */
uint64_t case_bits_distinct(struct case_bits *of);

/* The largest less the least of several results, in ulp(s); NaN where one is a NaN. */
double case_bits_spread(const struct case_bits *of, const struct format *format, double ulp);

/* Of each metric the values of the rows in which it is defined, and of all rows their conditions. */
enum { GATHERED_CONDITIONS = METRICS, GATHERED_LISTS };

struct gathering {
    struct series series;
    struct sha256_ctx hash;
    double *values[GATHERED_LISTS], *means[GATHERED_LISTS]; /* of each row, and of the results that it stands for */
    uint64_t *weights[GATHERED_LISTS];                      /* how many those are */
    size_t value_count[GATHERED_LISTS], capacity;
    double largest[METRICS];
    uint64_t largest_trial[METRICS];
    bool is_weighted;      /* one of them is of several */
    struct case_bits bits; /* of the case that is being read: one for each repeat */
    uint64_t case_results; /* that these rows stand for */
    double ulp;            /* of s of that case */
};

/* A store that somebody changed may hold what no sum gives. */
bool gathering_takes(const struct result *row);

/* The first row of a series is about to be added; what is known of all of them. */
void gathering_begin(struct gathering *gathering, const struct series *series);
enum status gathering_add(struct gathering *gathering, const struct result *row, double s); /* s: the exact sum */

/* The end of a case: how many different results equal data gave; 0: they were summed once. */
uint64_t gathering_end_case(struct gathering *gathering);

/* The end of the series, each trial of which was summed so often; it has its statistics and its hash then. */
void gathering_end(struct gathering *gathering, uint64_t repeats);
void gathering_free(struct gathering *gathering);
