/* ulpscope init: what a project needs to hold its sums to limits. */
#include "command.h"
#include "project.h"
#include "src/gate/limits/limits.h"

#include <unistd.h>

struct arguments {
    struct globals *globals;
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
        "The study of a plug-in, as `ulpscope plugin new` makes one, is kept; any other project gets one of ulpscope's "
        "own sums.  Nothing is built or run.  The CI file is .github/workflows/ulpscope.yml where there is a folder "
        ".github or the git remote "
        "is GitHub, ulpscope.gitlab-ci.yml where there is a .gitlab-ci.yml, else ulpscope.sh.  All files are written, "
        "or none; a file of other text is replaced with --overwrite alone.  docs/ten-minutes.md shows it at work.\n\n"
        "Exit: 0 fine; 2 usage, or a file of other text is there; 3 it could not be written.",
};

/* ---- which files ---- */

/* What is to be written, and what of it is said. */
struct plan {
    const char *folder;
    bool has_plugin;
    bool keeps_baseline; /* a rule asks for one */
    char *builds;
};

static enum status add_study(struct new_files *files, struct plan *plan)
{
    plan->builds = plan->has_plugin ? project_builds(plan->folder) : memory_copy("");
    return plan->has_plugin ? OK : template_add_filled(files, "init", "init/study.yaml", "study.yaml", NULL);
}

/* Of a plug-in its own stay. */
static enum status add_limits(struct new_files *files, struct plan *plan)
{
    plan->keeps_baseline = true;
    if (!plan->has_plugin || !project_has(plan->folder, "limits.yaml"))
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
    const bool on_gpu = strstr(plan->builds, "nvcc ") != NULL;
    const struct filling fillings[] = {
        {"@what@", plan->has_plugin ? "the sums of this project" : "ulpscope's own sums, none of this project,"},
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

static const char *meaning_of(const char *name)
{
    static const struct {
        const char *name, *meaning;
    } files[] = {
        {"study.yaml", "ulpscope's own sums, none of yours"},
        {"limits.yaml", "what may not happen"},
        {"baselines/README.md", "beside what a run was, for later ones"},
        {".github/workflows/ulpscope.yml", "measures and checks that, for every push"},
        {"ulpscope.gitlab-ci.yml", "measures and checks that; include it in .gitlab-ci.yml"},
        {"ulpscope.sh", "measures and checks that, for any CI"},
    };
    size_t i = 0;
    while (strcmp(files[i].name, name) != 0)
        i++;
    return files[i].meaning;
}

/* CI would be green whatever breaks. */
static void print_what_is_not_measured(const struct plan *plan)
{
    if (!plan->has_plugin)
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
    clean_line(stdout, "%s %s; written there:", plan->folder, plan->has_plugin ? "has a plug-in" : "has no plug-in");
    for (size_t i = 0; i < files->count; i++)
        printf("  %-30s  %s\n", files->files[i].name, meaning_of(files->files[i].name));
    print_what_is_not_measured(plan);
    print_next(plan);
}

enum status command_init(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    FREED_BY(new_files_free) struct new_files files = {0};
    globals->wanted = (struct bare_wanted){1, "a word too many", NULL};
    TRY(command_parse(&parser, argc, argv, &arguments));
    const char *folder = globals->bare.count > 0 ? globals->bare.word[0] : ".";
    struct plan plan = {.folder = folder, .has_plugin = project_has_plugin(folder)};
    enum status status = add_all(&files, &plan);
    if (status == OK)
        status = new_files_write(&files, "init", folder, arguments.overwrite);
    if (status == OK)
        print(&files, &plan);
    free(plan.builds);
    return status;
}
