#pragma once

#include "src/files/new_files.h"

/* All files of the folder "plugins/c" of examples/, and below it, in whose names and texts each "mysum" is `name`.
 * `what` begins the message of a failure. */
enum status template_add(struct new_files *files, const char *what, const char *folder, const char *name);
