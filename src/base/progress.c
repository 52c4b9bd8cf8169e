#include "progress.h"

#include "base.h"
#include "clock.h"

#include <math.h>
#include <unistd.h>

enum { WORTH_SAYING = 10 }; /* seconds */

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

static void put_duration(double seconds)
{
    if (seconds < 100)
        fprintf(stderr, ", %.0f s left", seconds);
    else if (seconds < 100 * 60)
        fprintf(stderr, ", %.0f min left", seconds / 60);
    else
        fprintf(stderr, ", %.0f h left", seconds / 3600);
}

void progress_update(struct progress *progress, uint64_t done, const char *what)
{
    const double now = clock_of_wall();
    const double each = (now - progress->started) / (double)(done - progress->done_before);
    const double left = done > progress->done_before ? each * (double)(progress->total - done) : (double)INFINITY;
    const bool is_first = progress->last == progress->started && isfinite(left) && left > WORTH_SAYING;
    if (progress->silent || now - progress->last < (progress->on_terminal ? 0.1 : is_first ? 1 : 30))
        return;
    progress->last = now;
    fprintf(stderr, "%s%" PRIu64 " of %" PRIu64 " %s", progress->on_terminal ? "\r" : "", done, progress->total, what);
    if (isfinite(left))
        put_duration(left);
    fputs(progress->on_terminal ? "\033[K" : "\n", stderr);
    progress->line_is_open = progress->on_terminal;
}

void progress_end(struct progress *progress)
{
    if (progress->line_is_open)
        fputs("\r\033[K", stderr);
    progress->line_is_open = 0;
}
