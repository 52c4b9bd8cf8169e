/* What kind of project stands in a folder. */
#ifndef ULPSCOPE_PROJECT_H
#define ULPSCOPE_PROJECT_H

#include <stdbool.h>

enum project_kind { PROJECT_PLUGIN, PROJECT_PYTHON, PROJECT_CUDA, PROJECT_C, PROJECT_EMPTY };

/* PLUGIN: its study.yaml names plug-ins, as that of `plugin new` does. */
enum project_kind project_kind(const char *folder);

/* Where its CI may be: GitHub has a folder .github there, or the remote of its repository; GitLab a file. */
bool project_is_on_github(const char *folder);
bool project_is_on_gitlab(const char *folder);

/* The commands that build a plug-in of `plugin new`, each with a '\n' behind it: those of its ci.yml that are not
 * ulpscope's.  Allocated; "": none. */
char *project_builds(const char *folder);

#endif
