/* Worst on random data, and worst on data that were sought against a method: what a promise that random data keep is
 * worth.
 *
 *   method        random  attacked  times  of its bound  attacked  times
 *   kahan/serial   0.501      1.37   2.73        0.22 %    91.2 %    415
 *
 *   kahan/serial: within 1 ulp on random data alone; 1.37 ulp on attacked:n=64,method=kahan/serial
 */
#pragma once

#include "reports/report.h"

/* A method that was measured on both. */
struct attacked_line {
    const char *method;
    const struct backend *backend;
    struct outcome random, attacked;
    const struct series *worst; /* of those that are attacked */
};

struct attacked {
    struct attacked_line *lines; /* by method, as in the study */
    size_t count;
};

void attacked_make(const struct results *results, struct attacked *attacked);
void attacked_free(struct attacked *attacked);

#define ATTACKED_LEGEND                                                                                                \
    "The worst sum on random data, and on data that were sought against a method;"                                     \
    " its error, its share of the bound, and how many times as large."

struct grid attacked_grid(const struct attacked *attacked);

/* A line for each method that stays within the target, 1 ulp or 4 ulp on random data alone: within the least of them.
 * One that says that there is none, where that is so.  Allocated. */
char *attacked_sentences(const struct attacked *attacked, const struct target *target);
