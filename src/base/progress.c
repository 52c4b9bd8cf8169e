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

void progress_duration(double seconds, char text[DURATION_TEXT])
{
    if (seconds < 100)
        snprintf(text, DURATION_TEXT, "%.0f s", seconds);
    else if (seconds < 100 * 60)
        snprintf(text, DURATION_TEXT, "%.0f min", seconds / 60);
    else
        snprintf(text, DURATION_TEXT, "%.0f h", seconds / 3600);
}

static bool is_due(const struct progress *progress, bool may_be_first)
{
    const bool is_first = progress->last == progress->started && may_be_first;
    return !progress->silent && clock_of_wall() - progress->last >= (progress->on_terminal ? 0.1 : is_first ? 1 : 30);
}

bool progress_is_due(const struct progress *progress)
{
    return is_due(progress, true);
}

void progress_say(struct progress *progress, uint64_t done, const char *what, double seconds_left)
{
    char left[DURATION_TEXT];
    if (!is_due(progress, isfinite(seconds_left) && seconds_left > WORTH_SAYING))
        return;
    progress->last = clock_of_wall();
    progress_duration(seconds_left, left);
    fprintf(stderr, "%s%" PRIu64 " of %" PRIu64 " %s%s%s%s%s", progress->on_terminal ? "\r" : "", done, progress->total,
            what, isfinite(seconds_left) ? ", " : "", isfinite(seconds_left) ? left : "",
            isfinite(seconds_left) ? " left" : "", progress->on_terminal ? "\033[K" : "\n");
    progress->line_is_open = progress->on_terminal;
}

void progress_update(struct progress *progress, uint64_t done)
{
    const double seconds = clock_of_wall() - progress->started;
    const double rate = (double)(done - progress->done_before) / seconds;
    char what[64];
    snprintf(what, sizeof what, "cases, %.1f a second", rate);
    progress_say(progress, done, what, (double)(progress->total - done) / rate);
}

void progress_end(struct progress *progress)
{
    if (progress->line_is_open)
        fputs("\r\033[K", stderr);
    progress->line_is_open = 0;
}
