/* What stands in the folder of a project. */
#ifndef ULPSCOPE_PROJECT_H
#define ULPSCOPE_PROJECT_H

#include "callables.h"

#include <stdbool.h>

enum project_kind { PROJECT_PLUGIN, PROJECT_PYTHON, PROJECT_CUDA, PROJECT_C, PROJECT_DATA, PROJECT_EMPTY };

struct project {
    /* PLUGIN: its study.yaml names plug-ins, as that of `plugin new` does; PYTHON: it has a pyproject.toml or its like,
     * or sources in Python alone; DATA: .npy files and no sources. */
    enum project_kind kind;
    struct callables callables; /* in the order of files' names */
    char **data;                /* .npy files in it, likewise */
    size_t data_count, data_room;
    size_t files;
};

bool project_has(const char *folder, const char *name); /* a file or a folder */

/* Reads files up to three folders deep, but for those of builds and tools; opens no link. */
void project_read(const char *folder, struct project *project);
void project_free(struct project *project);

/* Where its CI may be: GitHub has a folder .github there, or the remote of its repository; GitLab a file. */
bool project_is_on_github(const char *folder);
bool project_is_on_gitlab(const char *folder);

/* The commands that build its plug-in, each with a '\n' behind it: those of the ci.yml of `plugin new` that are not
 * ulpscope's, and what a study of `init --wrap` says.  Allocated; "": none. */
char *project_builds(const char *folder);

#endif
