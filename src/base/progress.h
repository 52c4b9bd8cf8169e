/* Progress on stderr: on a terminal one line, at most 10 times a second; otherwise a line every 30 seconds, and the
 * first after one when there are more than ten to go: how long it will take. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
    uint64_t total, done_before; /* of what is counted; done_before: found in the store */
    double started, last;        /* seconds of a monotonic clock */
    int silent, on_terminal, line_is_open;
};

void progress_start(struct progress *progress, uint64_t total, uint64_t done_before, int silent);
/* "14 of 254 rows, 20 s left", if those to come take as long as those that are done. */
void progress_update(struct progress *progress, uint64_t done, const char *what);

/* Removes the line from the terminal. */
void progress_end(struct progress *progress);
