/* The series that belong into one table: of one entry, launch and device.  By data spec and method. */
#ifndef ULPSCOPE_GROUP_H
#define ULPSCOPE_GROUP_H

#include "../src/results.h"

struct group {
    size_t entry;
    const char *backend, *device;
    struct launch launch;
    const char **data; /* the specs, in the order of the study */
    size_t data_count;
    const char **methods; /* likewise */
    size_t method_count;
    const struct series **cells; /* data_count x method_count; NULL: no such series */
};

/* The group of the series `first`, of all that are like it. */
enum status group_make(const struct results *results, size_t first, struct group *group);
void group_free(struct group *group);

/* Whether an earlier series is of the same group. */
bool group_was_before(const struct results *results, size_t index);

const struct series *group_series(const struct group *group, size_t data, size_t method);

/* The methods that have series in an entry, in the order of the study.  Allocated. */
enum status methods_of_entry(const struct results *results, size_t entry, const char ***methods, size_t *count);

#endif
