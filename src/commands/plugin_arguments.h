/* --plugin, --python, --pipe and --results, --timeout and --memory: a part (an argp child) of the commands that take
 * methods.  A plug-in is loaded where it is named, so that all that follows knows its methods. */
#ifndef ULPSCOPE_PLUGIN_ARGUMENTS_H
#define ULPSCOPE_PLUGIN_ARGUMENTS_H

#include "command.h"

/* --timeout and --memory alone, of a command that names plug-ins in its own way. */
extern const struct argp_child plugin_limit_parsers[];

/* The children of a command that has no others, and what its parser ends with in place of command_take. */
extern const struct argp_child plugin_parsers[];
error_t command_take_with_plugins(int key, char *value, struct argp_state *state);

#endif
