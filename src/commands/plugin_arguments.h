/* --plugin, --python and --pipe, --no-plugins, --timeout and --memory: a part (an argp child) of the
 * commands that take methods.  Plug-ins are loaded when all options are read, before a command's own ARGP_KEY_END. */
#pragma once

#include "command.h"
#include "outputs.h"

/* Of the command whose page documents them all: --timeout and --memory alone, since it names plug-ins in its own way.
 */
extern const struct argp_child plugin_page_parsers[];

/* The children of a command that has no others, and what its parser ends with in place of command_take. */
extern const struct argp_child plugin_parsers[];
error_t command_take_with_plugins(int key, char *value, struct argp_state *state);

/* Says of each plug-in of which the study has no method that it is not measured, unless `quiet`.  flag: "-m ", or "" of
 * a command whose methods have none. */
void plugins_tell_idle(const struct study *study, const char *flag, bool quiet);
