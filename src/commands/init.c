/* ulpscope init: what a project needs to hold its sums to limits. */
#include "command.h"
#include "project.h"
#include "src/base/clean_text.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "templates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct arguments {
    struct globals *globals;
    const char *folder;
    bool overwrite;
};

static const struct argp_option options[] = {
    {"overwrite", FLAG_KEY(overwrite), NULL, 0, "Replace files that are there already", 0},
    {0},
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (key == ARGP_KEY_ARG && state->arg_num == 0)
        arguments->folder = value;
    else if (key == ARGP_KEY_ARG)
        command_usage(state, "\"%s\": a word too many", value);
    else
        return command_take(key, value, state);
    return 0;
}

static const struct argp parser = {
    .options = options,
    .parser = parse_key,
    .args_doc = "[DIR]",
    .doc = "Writes what the project in DIR (default: here) needs to hold its sums to limits: study.yaml, limits.yaml, "
           "baselines/, and a file for its CI.\n\n"
           "Examples:\n"
           "  ulpscope init\n"
           "  ulpscope init ../solver --overwrite\v"
           "It looks at what is there: a plug-in made by `ulpscope plugin new`, whose study it keeps; a Python "
           "project; sources in CUDA, C or C++.  The CI file is .github/workflows/ulpscope.yml where there is a folder "
           ".github or the git remote is GitHub, ulpscope.gitlab-ci.yml where there is a .gitlab-ci.yml, else "
           "ulpscope.sh.  All files are written, or none; a file of other text is replaced with --overwrite "
           "alone.  docs/ten-minutes.md shows it at work.\n\n"
           "Exit: 0 fine; 2 usage, or a file of other text is there; 3 it could not be written.",
};

/* ---- which files ---- */

struct example {
    const char *name, *file; /* below examples/, and as it is called in the project */
};
static const struct example of_any[] = {{"init/study.yaml", "study.yaml"}, {"init/limits.yaml", "limits.yaml"}, {0}};
static const struct example of_cuda[] = {
    {"init/study_cuda.yaml", "study.yaml"}, {"init/limits.yaml", "limits.yaml"}, {0}};
static const struct example of_python[] = {{"plugins/python/study.yaml", "study.yaml"},
                                           {"plugins/python/limits.yaml", "limits.yaml"},
                                           {"plugins/python/mysum.py", "mysum.py"},
                                           {0}};

static const struct project_row {
    const char *name;
    const struct example *examples;
} project_table[] = {
    [PROJECT_PLUGIN] = {"a plug-in", of_any},
    [PROJECT_PYTHON] = {"a Python project", of_python},
    [PROJECT_CUDA] = {"a project in CUDA", of_cuda},
    [PROJECT_C] = {"a project in C or C++", of_any},
    [PROJECT_EMPTY] = {"a folder without sources", of_any},
};

static bool is_there(const char *folder, const char *name)
{
    char *path = text_made("%s/%s", folder, name);
    const bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

/* Of a plug-in, what it lacks. */
static enum status choose_study(struct new_files *files, enum project_kind kind, const char *folder)
{
    for (const struct example *example = project_table[kind].examples; example->name; example++)
        if (kind != PROJECT_PLUGIN || !is_there(folder, example->file))
            TRY(template_add_built(files, "init", example->name, example->file, ""));
    return OK;
}

static enum status choose_ci(struct new_files *files, const char *folder, const char *builds)
{
    const bool on_github = project_is_on_github(folder), on_gitlab = project_is_on_gitlab(folder);
    if (on_github)
        TRY(template_add_built(files, "init", "init/ci/github.yml", ".github/workflows/ulpscope.yml", builds));
    if (on_gitlab)
        TRY(template_add_built(files, "init", "init/ci/gitlab.yml", "ulpscope.gitlab-ci.yml", builds));
    if (!on_github && !on_gitlab)
        TRY(template_add_built(files, "init", "init/ci/ulpscope.sh", "ulpscope.sh", builds));
    return OK;
}

/* ---- what is said ---- */

static const char *meaning_of(const char *name)
{
    static const struct {
        const char *name, *meaning;
    } files[] = {
        {"study.yaml", "which sums are measured, on which data"},
        {"limits.yaml", "what may not happen"},
        {"mysum.py", "two sums to begin with: put your own in their place"},
        {"baselines/README.md", "beside what a run was, for later ones"},
        {".github/workflows/ulpscope.yml", "measures and checks, for every push"},
        {"ulpscope.gitlab-ci.yml", "measures and checks; include it in .gitlab-ci.yml"},
        {"ulpscope.sh", "measures and checks, for any CI"},
    };
    size_t i = 0;
    while (strcmp(files[i].name, name) != 0)
        i++;
    return files[i].meaning;
}

static void print(const struct new_files *files, enum project_kind kind, const char *folder, const char *builds)
{
    clean_line(stdout, "%s is %s; written there:", folder, project_table[kind].name);
    for (size_t i = 0; i < files->count; i++)
        printf("  %-30s  %s\n", files->files[i].name, meaning_of(files->files[i].name));
    puts("\nNext:");
    if (strcmp(folder, ".") != 0) {
        struct text word = {0};
        text_append_shell_word(&word, folder);
        char *text = text_take(&word);
        printf("  cd %s\n", text);
        free(text);
    }
    for (const char *build = builds; *build; build += strcspn(build, "\n") + 1)
        printf("  %.*s\n", (int)strcspn(build, "\n"), build);
    puts("  ulpscope run study.yaml -o out\n"
         "  ulpscope check out --limits limits.yaml\n"
         "  ulpscope baseline save main out");
}

enum status command_init(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals, .folder = "."};
    struct new_files files = {0};
    enum status status;
    TRY(command_parse(&parser, argc, argv, &arguments));
    const enum project_kind kind = project_kind(arguments.folder);
    char *builds = kind == PROJECT_PLUGIN ? project_builds(arguments.folder) : memory_copy("");
    TRY_DONE(choose_study(&files, kind, arguments.folder));
    TRY_DONE(template_add_built(&files, "init", "init/baselines/README.md", "baselines/README.md", ""));
    TRY_DONE(choose_ci(&files, arguments.folder, builds));
    TRY_DONE(new_files_write(&files, "init", arguments.folder, arguments.overwrite));
    print(&files, kind, arguments.folder, builds);
done:
    new_files_free(&files);
    free(builds);
    return status;
}
