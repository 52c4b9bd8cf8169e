/* The command of the run that a shard is a part of, or of an attack that the clock does not end. */
#pragma once

#include "command.h"

/* The command line without two options, and with STORE_FOLDER for what -o names (store.h).  `without`, `folder`:
 * the values of the options, in the words of the command line; or NULL.  Allocated. */
char *whole_command(const struct globals *globals, const char *const without[2], const char *folder);
