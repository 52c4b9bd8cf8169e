/* The files of a folder of examples/, to be written elsewhere: by `plugin new` and by `init`. */
#ifndef ULPSCOPE_TEMPLATES_H
#define ULPSCOPE_TEMPLATES_H

#include "src/files/new_files.h"

/* All files of the folder "plugins/c", and below it.  `what` begins the message of a failure. */
enum status template_add(struct new_files *files, const char *what, const char *name);

/* One of them, "init/ci/github.yml", as the file `as`.  A line that has @build@ is there once for each of `builds`,
 * lines that end in '\n', and has that in its place. */
enum status template_add_built(struct new_files *files, const char *what, const char *name, const char *as,
                               const char *builds);

#endif
