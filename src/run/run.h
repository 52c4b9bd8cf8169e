/* Runs a study: cases spread over threads, each stored as it ends. */
#pragma once

#include "src/device/device.h"
#include "src/store/store.h"

#define SPEED_N_DEFAULT UINT64_MAX

struct run_options {
    const char *directory; /* -o; NULL: keep nothing */
    enum store_mode mode;
    const char *device;       /* "auto", "host", "cuda:N", "cuda:0,2", "cuda:all" */
    unsigned jobs;            /* threads; at least 1 */
    bool replay_beside;       /* --replay */
    bool slow;                /* --slow */
    bool verify_reference;    /* --verify-reference */
    uint64_t speed_n;         /* --speed: n at which the methods are timed; 0: they are not; or SPEED_N_DEFAULT */
    bool are_plugins_checked; /* with more than a run asks */
    bool quiet;
    const char *command_line;
};

/* Measures what the store does not hold yet.  When there is something to report *store stays open and the caller closes
 * it, else it is NULL: it is open after OK, LIMIT_BROKEN (a kernel differed from its replay) and NOT_MEASURED when
 * kernels failed.  INTERRUPTED after SIGINT or SIGTERM, with all finished cases kept. */
enum status run_study(const struct study *study, const struct run_options *options, struct store **store);
