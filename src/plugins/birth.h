/* A new process between fork and exec, where nothing but system calls are safe. */
#pragma once

#include "process.h"

#include <sys/types.h>

struct birth {
    const struct process_wish *wish;
    char **environment;
    int descriptors[PROCESS_DESCRIPTORS_MOST];
    int failure; /* an errno is written there */
    pid_t parent;
};

/* Becomes the program of the wish, with its descriptors and no others; where that fails an errno is written to
 * `failure`. */
_Noreturn void birth(struct birth *birth);
