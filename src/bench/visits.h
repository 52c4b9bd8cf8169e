/* Visits: `PROGRAM bench ... --json -` again and again, each a process of its own.  Two programs take turns, so that a
 * drift of the machine hits both alike. */
#pragma once

#include "shares.h"

#include <stdbool.h>

struct visits {
    const char *words;             /* the options of the bench, as a shell reads them */
    bool calls_are_given;          /* --calls is among them; else this program calls kernels as the other one does */
    const char *const *wholes;     /* whole commands of the program, timed by wall clock */
    size_t whole_count, count;     /* count: of the visits, 1 to 1000 */
    const char *other;             /* a program; NULL: none */
    const struct shares *files[2]; /* what `now` must be comparable with, and their names; NULL: nothing */
    const char *file_names[2];
    bool quiet;
};

/* `now` is of this program, `then` of the other.  A bench that fails costs everything: nothing is compared by halves.
 * Its own status, or NOT_MEASURED where it has none of ours. */
enum status visits_make(const struct visits *visits, struct shares *now, struct shares *then);
