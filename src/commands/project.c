#include "project.h"
#include "src/base/list.h"

#include <dirent.h>
#include <sys/stat.h>
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

enum { DEPTH_MOST = 3, FILES_MOST = 5000 };

enum { OF_C, OF_CUDA, OF_PYTHON, OF_DATA, OF_NOTHING };

static int kind_of_file(const char *name)
{
    static const struct {
        const char *ending;
        int kind;
    } endings[] = {{".c", OF_C},   {".cc", OF_C},    {".cpp", OF_C},    {".cxx", OF_C},     {".h", OF_C},
                   {".hpp", OF_C}, {".cu", OF_CUDA}, {".cuh", OF_CUDA}, {".py", OF_PYTHON}, {".npy", OF_DATA}};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i].ending) == 0)
            return endings[i].kind;
    return strcmp(name, "CMakeLists.txt") == 0 ? OF_C : OF_NOTHING;
}

/* Hidden, and what `init` wrote; folders of tools, or of builds. */
static bool is_passed_over(const char *name, bool is_folder)
{
    static const char *const names[] = {"node_modules", "venv", "__pycache__", "third_party", "out"};
    bool is_one = *name == '.' || strncmp(name, "ulpscope", 8) == 0 || (is_folder && strncmp(name, "build", 5) == 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is_one |= is_folder && strcmp(name, names[i]) == 0;
    return is_one;
}

static void take_file(struct project *project, const char *file)
{
    const int kind = kind_of_file(file);
    const enum project_kind means = kind == OF_CUDA   ? PROJECT_CUDA
                                    : kind == OF_C    ? PROJECT_C
                                    : kind == OF_DATA ? PROJECT_DATA
                                                      : PROJECT_EMPTY;
    project->kind = means < project->kind ? means : project->kind;
    project->has_python |= kind == OF_PYTHON;
    if (kind == OF_DATA) {
        project->data = list_short(project->data, project->data_count, &project->data_room, sizeof *project->data);
        project->data[project->data_count++] = memory_copy(file);
    }
}

static void read_folder(struct project *project, const char *folder, const char *below, int depth)
{
    struct dirent **entries;
    OWNED char *path = text_made("%s/%s", folder, below);
    const int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        struct stat facts;
        char *file = text_made("%s%s%s", below, *below ? "/" : "", entries[i]->d_name);
        char *whole = text_made("%s/%s", folder, file);
        if (lstat(whole, &facts) == 0 && !is_passed_over(entries[i]->d_name, S_ISDIR(facts.st_mode)) &&
            project->files++ < FILES_MOST) {
            if (S_ISREG(facts.st_mode))
                take_file(project, file);
            else if (S_ISDIR(facts.st_mode) && depth < DEPTH_MOST)
                read_folder(project, folder, file, depth + 1);
        }
        free_all(whole, file, entries[i]);
    }
    if (count >= 0)
        free(entries);
}

void project_read(const char *folder, struct project *project)
{
    *project = (struct project){.kind = PROJECT_EMPTY};
    read_folder(project, folder, "", 0);
    if (has_line(folder, "study.yaml", "plugins:", NULL))
        project->kind = PROJECT_PLUGIN;
    else if (project_has(folder, "pyproject.toml") || project_has(folder, "setup.py") ||
             project_has(folder, "setup.cfg") || (project->kind >= PROJECT_DATA && project->has_python))
        project->kind = PROJECT_PYTHON;
}

void project_free(struct project *project)
{
    for (size_t i = 0; i < project->data_count; i++)
        free(project->data[i]);
    free(project->data);
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
