#include "plugin_new.h"

#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/plugins/plugin_kind.h" /* plugin_name_of */
#include "templates.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the files, or what a process that was killed leaves: its lock, and files that were not whole. */
static bool is_own(const struct new_files *files, const char *name)
{
    bool is_one =
        strncmp(name, ".ulpscope", strlen(".ulpscope")) == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    for (size_t i = 0; i < files->count && !is_one; i++) {
        const size_t length = strcspn(files->files[i].name, "/");
        is_one = strlen(name) == length && strncmp(name, files->files[i].name, length) == 0;
    }
    return is_one;
}

/* Whether there is nothing else in it. */
static enum status check_folder(const struct new_files *files, const char *what, const char *name)
{
    DIR *folder = opendir(name);
    const struct dirent *entry = NULL;
    if (!folder && errno == ENOENT)
        return OK;
    while (folder && (entry = readdir(folder)) && is_own(files, entry->d_name))
        continue;
    if (folder)
        closedir(folder);
    if (folder && !entry)
        return OK;
    return bad_input("%s: cannot make %s: %s; name another folder", what, name, strerror(EEXIST));
}

/* "solver" of "../solver/": what its files and methods are called; allocated.  A module "ulpscope" would hide ours. */
static char *name_of(const char *folder)
{
    char *whole = realpath(folder, NULL), *path = whole ? whole : memory_copy(folder);
    for (size_t length = strlen(path); length > 1 && path[length - 1] == '/'; length--)
        path[length - 1] = '\0';
    char *name = plugin_name_of(path);
    free(path);
    if (strlen(name) > PLUGIN_NAME_MOST)
        name[PLUGIN_NAME_MOST] = '\0';
    if (strcmp(name, "ulpscope") == 0)
        name[strlen("ulp")] = '\0';
    return name;
}

enum status plugin_new(const char *kind, const char *folder, bool overwrite)
{
    static const char what[] = "plugin new";
    FREED_BY(new_files_free) struct new_files files = {0};
    OWNED char *examples = text_made("plugins/%s", kind), *name = name_of(folder);
    TRY(template_add(&files, what, examples, name));
    TRY(check_folder(&files, what, folder));
    TRY(new_files_write(&files, NULL, what, folder, overwrite));
    printf("%s: begin with %s/README.md\n", folder, folder);
    return OK;
}
