/* ulpscope init: what a project needs to hold its sums to limits. */
#include "command.h"
#include "project.h"
#include "src/gate/limits/limits.h"

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

static const struct argp parser = {
    .options = options,
    .parser = command_take,
    .args_doc = "[DIR]",
    .doc =
        "Writes what the project in DIR (default: here) needs to hold its sums to limits: study.yaml, limits.yaml, "
        "baselines/, and a file for its CI.\n\n"
        "Examples:\n"
        "  ulpscope init\n"
        "  ulpscope init ../solver --overwrite\v"
        "It looks at what is there: a plug-in made by `ulpscope plugin new`, whose study it keeps; a Python "
        "project; sources in CUDA, C or C++; .npy files.  It neither builds nor runs anything: what is no plug-in gets "
        "a study of ulpscope's own sums.  The CI file is .github/workflows/ulpscope.yml where there is a folder "
        ".github or the git remote "
        "is GitHub, ulpscope.gitlab-ci.yml where there is a .gitlab-ci.yml, else ulpscope.sh.  All files are written, "
        "or none; a file of other text is replaced with --overwrite alone.  docs/ten-minutes.md shows it at work.\n\n"
        "Exit: 0 fine; 2 usage, or a file of other text is there; 3 it could not be written.",
};

/* ---- which files ---- */

static const char *const kind_names[] = {
    [PROJECT_PLUGIN] = "a plug-in",       [PROJECT_PYTHON] = "a Python project",
    [PROJECT_CUDA] = "a project in CUDA", [PROJECT_C] = "a project in C or C++",
    [PROJECT_DATA] = "a folder of data",  [PROJECT_EMPTY] = "a folder without sources",
};

/* What is to be written, and what of it is said. */
struct plan {
    const char *folder;
    const struct project *project;
    bool keeps_baseline; /* a rule asks for one */
    char *builds;
};

/* Names that a YAML file has in quotes as they are. */
static enum status add_data_study(struct new_files *files, const struct project *project)
{
    struct text names = {0};
    for (size_t i = 0; i < project->data_count; i++)
        if (!strpbrk(project->data[i], "\"\\") && is_clean_text(project->data[i]))
            text_append(&names, "%s\n", project->data[i]);
    OWNED char *data = text_take(&names);
    const struct filling fillings[] = {{"@data@", data}, {0}};
    return template_add_filled(files, "init", "init/study_data.yaml", "study.yaml", fillings);
}

static enum status add_study(struct new_files *files, struct plan *plan)
{
    const enum project_kind kind = plan->project->kind;
    if (kind == PROJECT_PLUGIN) {
        plan->builds = project_builds(plan->folder);
        return OK;
    }
    plan->builds = memory_copy("");
    if (kind == PROJECT_DATA)
        return add_data_study(files, plan->project);
    if (kind == PROJECT_PYTHON) {
        TRY(template_add_filled(files, "init", "plugins/python/study.yaml", "study.yaml", NULL));
        return template_add_filled(files, "init", "plugins/python/mysum.py", "mysum.py", NULL);
    }
    return template_add_filled(files, "init", kind == PROJECT_CUDA ? "init/study_cuda.yaml" : "init/study.yaml",
                               "study.yaml", NULL);
}

/* Of a plug-in its own stay. */
static enum status add_limits(struct new_files *files, struct plan *plan)
{
    plan->keeps_baseline = true;
    if (plan->project->kind != PROJECT_PLUGIN || !project_has(plan->folder, "limits.yaml"))
        return template_add_filled(files, "init", "init/limits.yaml", "limits.yaml", NULL);
    struct limits limits = {0};
    OWNED char *path = text_made("%s/limits.yaml", plan->folder);
    const enum status status = limits_read(path, &limits);
    plan->keeps_baseline = status == OK && limits_need_baseline(&limits);
    limits_free(&limits);
    return status;
}

static enum status add_ci(struct new_files *files, const struct plan *plan)
{
    const char *folder = plan->folder;
    const bool on_github = project_is_on_github(folder), on_gitlab = project_is_on_gitlab(folder);
    const enum project_kind kind = plan->project->kind;
    const bool on_gpu = strstr(plan->builds, "nvcc ") != NULL;
    const struct filling fillings[] = {
        {"@what@", kind == PROJECT_PLUGIN   ? "the sums of this project"
                   : kind == PROJECT_PYTHON ? "the sums of mysum.py"
                   : kind == PROJECT_DATA   ? "ulpscope's own sums of these data, no code of this project,"
                                            : "ulpscope's own sums, none of this project,"},
        {"@limits@", plan->keeps_baseline ? "--limits limits.yaml --baseline main" : "--limits limits.yaml"},
        {"@build@", plan->builds},
        {"@runner@", on_gpu ? "[self-hosted, gpu]" : "ubuntu-24.04"},
        {"@tag@", on_gpu ? "gpu\n" : ""},
        {0}};
    if (on_github)
        TRY(template_add_filled(files, "init", "init/ci/github.yml", ".github/workflows/ulpscope.yml", fillings));
    if (on_gitlab)
        TRY(template_add_filled(files, "init", "init/ci/gitlab.yml", "ulpscope.gitlab-ci.yml", fillings));
    if (!on_github && !on_gitlab)
        TRY(template_add_filled(files, "init", "init/ci/ulpscope.sh", "ulpscope.sh", fillings));
    return OK;
}

static enum status add_all(struct new_files *files, struct plan *plan)
{
    TRY(add_study(files, plan));
    TRY(add_limits(files, plan));
    TRY(template_add_filled(files, "init", "init/baselines/README.md", "baselines/README.md", NULL));
    return add_ci(files, plan);
}

/* ---- what is said ---- */

static const char *meaning_of(const char *name, const struct plan *plan)
{
    static const struct {
        const char *name, *meaning;
    } files[] = {
        {"study.yaml", "which sums are measured, on which data"},
        {"limits.yaml", "what may not happen"},
        {"mysum.py", "an example of two sums: put your own in their place"},
        {"baselines/README.md", "beside what a run was, for later ones"},
        {".github/workflows/ulpscope.yml", "measures and checks that, for every push"},
        {"ulpscope.gitlab-ci.yml", "measures and checks that; include it in .gitlab-ci.yml"},
        {"ulpscope.sh", "measures and checks that, for any CI"},
    };
    if (strcmp(name, "study.yaml") == 0 && plan->project->kind != PROJECT_PYTHON)
        return plan->project->kind == PROJECT_DATA ? "your data, and ulpscope's own sums"
                                                   : "ulpscope's own sums, none of yours";
    size_t i = 0;
    while (strcmp(files[i].name, name) != 0)
        i++;
    return files[i].meaning;
}

/* CI would be green whatever breaks. */
static void print_what_is_not_measured(const struct plan *plan)
{
    if (plan->project->kind != PROJECT_PLUGIN)
        puts("\nNo code of yours is measured: CI stays green whatever breaks in it.  Under plugins: study.yaml takes\n"
             "functions as they are, {plugin: \"./libx.so:float f(const float *, size_t)\"}, {python: \"x.py:f\"};\n"
             "`ulpscope plugin new mine` begins a wrapper of any other.");
}

static void print_next(const struct plan *plan)
{
    puts("\nNext:");
    if (strcmp(plan->folder, ".") != 0) {
        struct text word = {0};
        text_append_shell_word(&word, plan->folder);
        OWNED char *text = text_take(&word);
        printf("  cd %s\n", text);
    }
    for (const char *build = plan->builds; *build; build += strcspn(build, "\n") + 1)
        printf("  %.*s\n", (int)strcspn(build, "\n"), build);
    printf("  ulpscope run study.yaml -o out%s\n", project_has(plan->folder, "out/run.db") ? " --overwrite" : "");
    if (plan->keeps_baseline)
        printf("  ulpscope baseline save main out%s\n"
               "  ulpscope check out --limits limits.yaml --baseline main\n"
               "\nPut baselines/main.json into git: CI holds every push to it.\n",
               !project_has(plan->folder, "baselines/main.json") ? "" : " --update");
    else
        puts("  ulpscope check out --limits limits.yaml\n"
             "\nNo rule of limits.yaml holds a sum to what it was: one that gets worse within its limits\n"
             "passes.  docs/ci.md has the rule.");
}

static void print(const struct new_files *files, const struct plan *plan)
{
    clean_line(stdout, "%s is %s; written there:", plan->folder, kind_names[plan->project->kind]);
    for (size_t i = 0; i < files->count; i++)
        printf("  %-30s  %s\n", files->files[i].name, meaning_of(files->files[i].name, plan));
    print_what_is_not_measured(plan);
    print_next(plan);
}

static enum status write_project(const struct arguments *arguments, const struct project *project)
{
    FREED_BY(new_files_free) struct new_files files = {0};
    struct plan plan = {.folder = arguments->folder, .project = project};
    enum status status = add_all(&files, &plan);
    if (status == OK)
        status = new_files_write(&files, "init", arguments->folder, arguments->overwrite);
    if (status == OK)
        print(&files, &plan);
    free(plan.builds);
    return status;
}

enum status command_init(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    struct project project;
    globals->wanted = (struct bare_wanted){1, "a word too many", NULL};
    TRY(command_parse(&parser, argc, argv, &arguments));
    arguments.folder = globals->bare.count > 0 ? globals->bare.word[0] : ".";
    project_read(arguments.folder, &project);
    const enum status status = write_project(&arguments, &project);
    project_free(&project);
    return status;
}
