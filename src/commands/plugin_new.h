/* A plug-in to begin with: a copy of a folder of examples/plugins. */
#pragma once

#include "src/base/status.h"

#include <stdbool.h>

/* kind: "c", "cuda", "python", "pipe".  Makes the folder, which must not be there yet, names what is in it by it, and
 * says what to do next. overwrite: of the same kind it may, and files that were changed are replaced. */
enum status plugin_new(const char *kind, const char *folder, bool overwrite);
