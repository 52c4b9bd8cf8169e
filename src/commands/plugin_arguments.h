/* --plugin, --python, --pipe and --results, --timeout and --memory: a part (an argp child) of the commands that take
 * methods.  A plug-in is loaded where it is named, so that all that follows knows its methods. */
#ifndef ULPSCOPE_PLUGIN_ARGUMENTS_H
#define ULPSCOPE_PLUGIN_ARGUMENTS_H

#include "command.h"

extern const struct argp plugin_parser;

/* The children of a command that has no others, and what its parser ends with in place of command_take. */
extern const struct argp_child plugin_parsers[];
error_t command_take_with_plugins(int key, char *value, struct argp_state *state);

#endif
