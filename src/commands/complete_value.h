/* What a word of a command line may be, one candidate a line, as a shell asks for it (complete.h):
 *
 *   kahan/tree_two_pass<tab>what it means
 *   :files<tab>--json=                      and names of files, behind what stands there
 *
 * What ends in one of : = / @ goes on, without a blank behind it.
 */
#pragma once

#include <stddef.h>

struct asked {
    const char *word;    /* as far as it was typed */
    size_t from;         /* what stands before is settled: of "--format=bf" 9 */
    const char *subject; /* the command's first argument, or "" */
};

/* Prints text and ending if they begin as the word goes on. */
void complete_offer(struct asked asked, const char *text, const char *ending, const char *meaning);

/* Prints what an argument may be that --help names `what`: "METHOD", "FILE|SPEC", "always|never", "[LESSON]...". */
void complete_value(struct asked asked, const char *what);
