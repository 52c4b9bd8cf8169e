#include "project.h"

#include "src/base/memory.h"
#include "src/base/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has(const char *folder, const char *name)
{
    char *path = text_made("%s/%s", folder, name);
    const bool is_there = access(path, F_OK) == 0;
    free(path);
    return is_there;
}

/* Whether a line of the file, of blanks at its beginning or not, begins so; `rest` gets what follows of each, if it is
 * given. */
static bool has_line(const char *folder, const char *name, const char *beginning, struct text *rest)
{
    char *path = text_made("%s/%s", folder, name), *line = NULL;
    FILE *file = fopen(path, "re");
    size_t room = 0;
    bool found = false;
    while (file && getline(&line, &room, file) >= 0) {
        const char *text = line + strspn(line, " \t");
        if (strncmp(text, beginning, strlen(beginning)) != 0)
            continue;
        found = true;
        if (rest)
            text_append(rest, "%s", text + strlen(beginning));
    }
    if (file)
        fclose(file);
    free(line);
    free(path);
    return found;
}

/* ---- sources ---- */

enum { DEPTH_MOST = 3 };

static enum project_kind kind_of_source(const char *name)
{
    static const struct {
        const char *ending;
        enum project_kind kind;
    } endings[] = {{".cu", PROJECT_CUDA}, {".cuh", PROJECT_CUDA}, {".c", PROJECT_C},   {".h", PROJECT_C},
                   {".cc", PROJECT_C},    {".cpp", PROJECT_C},    {".cxx", PROJECT_C}, {".hpp", PROJECT_C}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i].ending) == 0)
            return endings[i].kind;
    return strcmp(name, "CMakeLists.txt") == 0 ? PROJECT_C : PROJECT_EMPTY;
}

/* CUDA where there is any, then C. */
static enum project_kind kind_of_sources(const char *name, int depth)
{
    enum project_kind kind = PROJECT_EMPTY;
    DIR *folder = opendir(name);
    for (struct dirent *entry; folder && kind != PROJECT_CUDA && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        char *path = text_made("%s/%s", name, entry->d_name);
        struct stat facts;
        const bool is_folder = lstat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
        const enum project_kind found = !is_folder           ? kind_of_source(entry->d_name)
                                        : depth < DEPTH_MOST ? kind_of_sources(path, depth + 1)
                                                             : PROJECT_EMPTY;
        kind = found < kind ? found : kind;
        free(path);
    }
    if (folder)
        closedir(folder);
    return kind;
}

enum project_kind project_kind(const char *folder)
{
    if (has_line(folder, "study.yaml", "plugins:", NULL))
        return PROJECT_PLUGIN;
    if (has(folder, "pyproject.toml") || has(folder, "setup.py") || has(folder, "setup.cfg"))
        return PROJECT_PYTHON;
    return kind_of_sources(folder, 1);
}

/* ---- its CI ---- */

bool project_is_on_github(const char *folder)
{
    struct text remotes = {0};
    has_line(folder, ".git/config", "url = ", &remotes);
    char *urls = text_take(&remotes);
    const bool is_remote = strstr(urls, "github.com") != NULL;
    free(urls);
    return is_remote || has(folder, ".github");
}

bool project_is_on_gitlab(const char *folder)
{
    return has(folder, ".gitlab-ci.yml");
}

char *project_builds(const char *folder)
{
    struct text commands = {0}, builds = {0};
    has_line(folder, "ci.yml", "- run: ", &commands);
    char *all = text_take(&commands), *rest = all;
    for (char *command; (command = strsep(&rest, "\n"));)
        if (*command && strncmp(command, "ulpscope ", strlen("ulpscope ")) != 0)
            text_append(&builds, "%s\n", command);
    free(all);
    return text_take(&builds);
}
