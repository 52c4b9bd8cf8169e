/* The completion of a command line.  The script of a shell (`ulpscope completion bash`) asks:
 *
 *   ulpscope --complete WORD... LAST      the words behind "ulpscope"; what the last may be is printed
 * (complete_value.h)
 *
 * Commands, options and arguments are those of their --help, so that nothing is to be kept up here for a new one.
 */
#pragma once

/* The words behind a command, the last of which is open.  Then the command is called: command_parse has its options,
 * and ends the program when all is printed. */
void complete_words(int count, char **words);
