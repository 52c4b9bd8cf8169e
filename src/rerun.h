/* The command that reruns one result: what makes a witness. */
#ifndef ULPSCOPE_RERUN_H
#define ULPSCOPE_RERUN_H

#include "study.h"

struct witness {
    const struct study *study;
    const char *method;
    size_t entry, spec; /* of the study's data */
    uint64_t trial;
    struct launch launch;
    const char *device; /* as --device takes it: "host", "cuda:0" */
    bool replay_beside, slow;
};

/* Allocated; a shell reads it back word by word.  NULL when memory is short. */
char *rerun_command(const struct witness *witness);

#endif
