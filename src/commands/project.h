/* What stands in the folder of a project. */
#pragma once

#include "src/files/new_files.h"

bool project_has(const char *folder, const char *name); /* a file or a folder */

/* Whether its study.yaml names plug-ins, as that of `plugin new` does. */
bool project_has_plugin(const char *folder);

/* Where its CI may be: GitHub has a folder .github there, or the remote of its repository; GitLab a file. */
bool project_is_on_github(const char *folder);
bool project_is_on_gitlab(const char *folder);

/* The commands that build its plug-in, each with a '\n' behind it: those of the ci.yml of `plugin new` that are not
 * ulpscope's, and what the study says behind "# build:".  Allocated; "": none. */
char *project_builds(const char *folder);

/* The files of a folder of examples/, to be written elsewhere: by `plugin new` and by `init`. */

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
