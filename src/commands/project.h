/* What stands in the folder of a project. */
#pragma once

#include "src/files/new_files.h"

enum project_kind { PROJECT_PLUGIN, PROJECT_PYTHON, PROJECT_CUDA, PROJECT_C, PROJECT_DATA, PROJECT_EMPTY };

struct project {
    /* PLUGIN: its study.yaml names plug-ins, as that of `plugin new` does; PYTHON: it has a pyproject.toml or its like,
     * or sources in Python alone; DATA: .npy files and no sources. */
    enum project_kind kind;
    char **data; /* .npy files in it, in the order of files' names */
    size_t data_count, data_room;
    size_t files;
    bool has_python;
};

bool project_has(const char *folder, const char *name); /* a file or a folder */

/* Reads files up to three folders deep, but for those of builds and tools; opens no link. */
void project_read(const char *folder, struct project *project);
void project_free(struct project *project);

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
