/* Progress on stderr: on a terminal one line, at most 10 times a second; otherwise a line every 30 seconds. */
#ifndef ULPSCOPE_PROGRESS_H
#define ULPSCOPE_PROGRESS_H

#include <stdint.h>

struct progress {
    uint64_t total, done_before; /* cases; done_before: found in the store */
    double started, last;        /* seconds of a monotonic clock */
    int silent, on_terminal, line_is_open;
};

void progress_start(struct progress *progress, uint64_t total, uint64_t done_before, int silent);
void progress_update(struct progress *progress, uint64_t done);

/* Removes the line from the terminal. */
void progress_end(struct progress *progress);

#endif
