/* One method and its launch, for the commands that look at one sum: their --blocks and --threads are an argp child.
 *
 *   ulpscope tree kahan/shuffle_two_pass -n 37 --blocks 2 --threads 32
 */
#ifndef ULPSCOPE_COMMAND_METHOD_H
#define ULPSCOPE_COMMAND_METHOD_H

#include "command.h"
#include "method.h"

/* Its input is the struct globals. */
extern const struct argp launch_argument_parser;

/* The launch of --blocks and --threads, or their variables: one, not a sweep. */
enum status command_read_launch(const struct config *config, struct launch *launch);

/* The method of that id or alias.  Complains and returns BAD_INPUT for none, for a glob, and where it refuses the
 * launch; not for a black box. */
enum status command_read_method(const char *name, const char *where, struct launch launch,
                                const struct method **method);

#endif
