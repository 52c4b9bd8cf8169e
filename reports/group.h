/* The series that belong into one table: of one entry, launch and device.  By data spec and method. */
#pragma once

#include "src/results/results.h"

struct group {
    size_t entry;
    const struct backend *backend;
    const char *device;
    struct launch launch;
    bool other_launches,
        other_backends;          /* the entry has groups of them too: what is made of this one must say its own */
    const struct format *format; /* of the data */
    const char **data;           /* the specs, in the order of the study */
    size_t data_count;
    const char **methods; /* likewise */
    size_t method_count;
    const struct series **cells; /* data_count x method_count; NULL: no such series */
};

/* The group of the series `first`, of all that are like it. */
void group_make(const struct results *results, size_t first, struct group *group);
void group_free(struct group *group);

/* Whether an earlier series is of the same group. */
bool group_was_before(const struct results *results, size_t index);

const struct series *group_series(const struct group *group, size_t data, size_t method);

/* One of the series on a data spec; there always is one. */
const struct series *group_any_series(const struct group *group, size_t data);

/* The range of the series' counts of sums. */
void group_count_range(const struct group *group, uint64_t *least, uint64_t *most);

/* "120 blocks of 256 threads" */
enum { LAUNCH_TEXT = 64 };
void launch_text(struct launch launch, char text[LAUNCH_TEXT]);

/* Whether equal data gave different bits. */
bool group_bits_differ(const struct group *group);
