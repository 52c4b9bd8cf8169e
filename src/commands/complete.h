/* The completion of a command line.  The script of a shell (`ulpscope completion bash`) asks:
 *
 *   ulpscope --complete WORD... LAST      the words behind "ulpscope"; what the last may be is printed
 *
 * Commands, options and arguments are those of their --help, so that nothing is to be kept up here for a new one.
 */
#pragma once

#include <stddef.h>

/* The words behind a command, the last of which is open.  Then the command is called: command_parse has its options,
 * and ends the program when all is printed. */
void complete_words(int count, char **words);

/* What a word of a command line may be, one candidate a line, as a shell asks for it:
 *
 *   kahan/tree_two_pass<tab>what it means
 *   :files<tab>--json=                      and names of files, behind what stands there
 *
 * What ends in one of : = / @ goes on, without a blank behind it.
 */

struct asked {
    const char *word;    /* as far as it was typed */
    size_t from;         /* what stands before is settled: of "--format=bf" 9 */
    const char *subject; /* the command's first argument, or "" */
};

/* Prints text and ending if they begin as the word goes on. */
void complete_offer(struct asked asked, const char *text, const char *ending, const char *meaning);
