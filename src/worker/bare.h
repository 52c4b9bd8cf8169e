/* A function of a library that knows nothing of plugin.h, as a plug-in of one method. */
#pragma once

#include "include/ulpscope/plugin.h"
#include "protocol.h"

/* The symbol is that of C or, mangled, that of C++, which is checked then: *is_checked.  NULL: neither is there. */
const struct ulpscope_plugin *bare_plugin(void *handle, char *const words[BARE_WORDS], int *is_checked);
