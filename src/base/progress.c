#include "progress.h"

#include "clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

void progress_start(struct progress *progress, uint64_t total, uint64_t done_before, int silent)
{
    *progress = (struct progress){
        .total = total,
        .done_before = done_before,
        .started = clock_of_wall(),
        .silent = silent,
        .on_terminal = isatty(STDERR_FILENO),
    };
    progress->last = progress->started;
}

void progress_update(struct progress *progress, uint64_t done)
{
    const double time = clock_of_wall();
    if (progress->silent || time - progress->last < (progress->on_terminal ? 0.1 : 30))
        return;
    progress->last = time;
    const double rate = (double)(done - progress->done_before) / (time - progress->started);
    const double left = (double)(progress->total - done) / rate;
    fprintf(stderr, "%s%" PRIu64 " of %" PRIu64 " cases, %.1f a second, %.0f s left%s",
            progress->on_terminal ? "\r" : "", done, progress->total, rate, left,
            progress->on_terminal ? "\033[K" : "\n");
    progress->line_is_open = progress->on_terminal;
}

void progress_end(struct progress *progress)
{
    if (progress->line_is_open)
        fputs("\r\033[K", stderr);
    progress->line_is_open = 0;
}
