#include "project.h"

#include <unistd.h>

bool project_has(const char *folder, const char *name)
{
    OWNED char *path = text_made("%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/* Whether a line of the file, of blanks at its beginning or not, begins so; `rest` gets what follows of each, if it is
 * given. */
static bool has_line(const char *folder, const char *name, const char *beginning, struct text *rest)
{
    OWNED char *path = text_made("%s/%s", folder, name), *line = NULL;
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
    return found;
}

bool project_has_plugin(const char *folder)
{
    return has_line(folder, "study.yaml", "plugins:", NULL);
}

bool project_is_on_github(const char *folder)
{
    struct text remotes = {0};
    has_line(folder, ".git/config", "url = ", &remotes);
    OWNED char *urls = text_take(&remotes);
    const bool is_remote = strstr(urls, "github.com") != NULL;
    return is_remote || project_has(folder, ".github");
}

bool project_is_on_gitlab(const char *folder)
{
    return project_has(folder, ".gitlab-ci.yml");
}

char *project_builds(const char *folder)
{
    struct text commands = {0}, builds = {0};
    has_line(folder, "ci.yml", "- run: ", &commands);
    has_line(folder, "study.yaml", "# build: ", &commands);
    char *all = text_take(&commands), *rest = all;
    for (char *command; (command = strsep(&rest, "\n"));)
        if (*command && strncmp(command, "ulpscope ", strlen("ulpscope ")) != 0)
            text_append(&builds, "%s\n", command);
    free(all);
    return text_take(&builds);
}
