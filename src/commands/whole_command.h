/* The command of the run that a shard is a part of. */
#ifndef ULPSCOPE_WHOLE_COMMAND_H
#define ULPSCOPE_WHOLE_COMMAND_H

#include "command.h"

/* The command line without --shard, and with STORE_FOLDER for what -o names (store_shard.h).  `shard`, `folder`: the
 * values of the two options, in the words of the command line.  Allocated. */
char *whole_command(const struct globals *globals, const char *shard, const char *folder);

#endif
