/* The files of a folder of examples/, to be written elsewhere: by `plugin new` and by `init`. */
#pragma once

#include "src/files/new_files.h"

/* All files of the folder "plugins/c", and below it, in whose names and texts each "mysum" is `name`.  `what` begins
 * the message of a failure. */
enum status template_add(struct new_files *files, const char *what, const char *folder, const char *name);

/* What stands in a file where it says "@build@". */
struct filling {
    const char *mark, *text;
};

/* One of them, "init/ci/github.yml", as the file `as`.  fillings: the last has no mark.  Where a text is lines, which
 * end in '\n', the file's line is there once for each of them: of none, "", not at all. */
enum status template_add_filled(struct new_files *files, const char *what, const char *name, const char *as,
                                const struct filling *fillings);
