/* The cases that a run has still to measure, and how long they will take. */
#pragma once

#include "src/base/forecast.h"
#include "src/base/progress.h"
#include "src/store/store.h"

struct workload {
    const struct study *study;
    struct forecast forecast; /* of a kind for each spec of the study */
};

/* Of what is measured here, all that the store lacks. */
void workload_count(struct workload *workload, const struct study *study, const struct store *store);
void workload_free(struct workload *workload);

/* A case is begun, and it is done or given up. */
void workload_begin(struct workload *workload, uint64_t index);
void workload_end(struct workload *workload, uint64_t index);

/* It is to be begun once more. */
void workload_give_back(struct workload *workload, uint64_t index);

/* "shard 3/16: 12 of 192 cases, 3.4 a second, 53 s left"; `name` puts the shard there. */
void workload_name(const struct workload *workload, struct progress *progress);
void workload_tell(const struct workload *workload, struct progress *progress, uint64_t done);
