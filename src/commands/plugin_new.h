/* A plug-in to begin with: a copy of a folder of examples/plugins. */
#ifndef ULPSCOPE_PLUGIN_NEW_H
#define ULPSCOPE_PLUGIN_NEW_H

#include "src/base/status.h"

/* kind: "c", "cuda", "python", "pipe".  Makes the folder, which must not be there yet, and says what to do next. */
enum status plugin_new(const char *kind, const char *folder);

#endif
