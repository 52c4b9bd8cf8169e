/* The name of a series in a baseline, and the order of names: method, data, launch, backend and, of several series that
 * have these in common, which of them.
 *
 *   "kahan/serial uniform:n=1024 120x256 replay"     "kahan/serial uniform:n=1024 120x256 replay #2"
 */
#pragma once

#include "baseline.h"

/* Allocated. */
char *baseline_name(const struct baseline_series *line);

/* Sets what a name is made of.  false: the text is no name as baseline_name() gives it. */
bool baseline_name_read(const char *name, struct baseline_series *line);

/* By name; the launch by its numbers. */
int baseline_name_order(const void *left, const void *right);

/* A series of a run beside its name. */
struct named {
    const struct series *series;
    struct baseline_series name; /* its name alone; the data are allocated, the other texts are those of the series */
};

/* All series of a run, in the order of names. */
struct names {
    struct named *list;
    size_t count;
};
struct names baseline_names_of(const struct results *results);
void baseline_names_free(struct names *names);
