/* ulpscope init: what a project needs to hold its sums to limits. */
#include "command.h"
#include "project.h"
#include "src/gate/limits/limits.h"

#include <unistd.h>

struct arguments {
    struct globals *globals;
    const char *folder, *wrap;
    bool overwrite;
};

static const struct argp_option options[] = {
    {"wrap", TEXT_KEY(wrap), "NAME", 0,
     "Measure this function of the project's sources; FILE:NAME or FILE:LINE where several have the name", 0},
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
        "  ulpscope init                    and lists what could be measured\n"
        "  ulpscope init --wrap mysum       and measures one function\n"
        "  ulpscope init ../solver --overwrite\v"
        "It looks at what is there: a plug-in made by `ulpscope plugin new`, whose study it keeps; a Python "
        "project; sources in CUDA, C or C++; .npy files.  It reads the sources for functions like float f(const float "
        "*, size_t), or def total(x), and neither builds nor runs anything: a study without --wrap has ulpscope's own "
        "sums alone.  The CI file is .github/workflows/ulpscope.yml where there is a folder .github or the git remote "
        "is GitHub, ulpscope.gitlab-ci.yml where there is a .gitlab-ci.yml, else ulpscope.sh.  All files are written, "
        "or none; a file of other text is replaced with --overwrite alone, unless it is one of init without --wrap.  "
        "docs/ten-minutes.md shows it at work.\n\n"
        "Exit: 0 fine; 2 usage, no such function, or a file of other text is there; 3 it could not be written.",
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
    const struct callable *wrapped; /* NULL: none */
    size_t fit;                     /* callables to be listed */
    bool has_example;               /* mysum.py, where a Python project has none */
    bool keeps_baseline;            /* a rule asks for one */
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
    if (plan->wrapped)
        return wrapper_add(files, plan->folder, plan->wrapped, &plan->builds);
    if (kind == PROJECT_PLUGIN) {
        plan->builds = project_builds(plan->folder);
        return OK;
    }
    plan->builds = memory_copy("");
    if (kind == PROJECT_DATA)
        return add_data_study(files, plan->project);
    if (plan->has_example) {
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
    if (plan->wrapped || plan->project->kind != PROJECT_PLUGIN || !project_has(plan->folder, "limits.yaml"))
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
    const bool has_own = plan->wrapped || plan->project->kind == PROJECT_PLUGIN;
    const bool on_gpu = strstr(plan->builds, "nvcc ") != NULL;
    const struct filling fillings[] = {
        {"@what@", has_own                               ? "the sums of this project"
                   : plan->has_example                   ? "the sums of mysum.py"
                   : plan->project->kind == PROJECT_DATA ? "ulpscope's own sums of these data, no code of this project,"
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
        {"ulpscope/plugin.h", "what the wrapper includes"},
        {"baselines/README.md", "beside what a run was, for later ones"},
        {".github/workflows/ulpscope.yml", "measures and checks that, for every push"},
        {"ulpscope.gitlab-ci.yml", "measures and checks that; include it in .gitlab-ci.yml"},
        {"ulpscope.sh", "measures and checks that, for any CI"},
    };
    if (strcmp(name, "study.yaml") == 0 && !plan->wrapped && !plan->has_example)
        return plan->project->kind == PROJECT_DATA ? "your data, and ulpscope's own sums"
                                                   : "ulpscope's own sums, none of yours";
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i].name, name) == 0)
            return files[i].meaning;
    return "the wrapper that calls your function";
}

/* Two lines each: where it is, and what to type. */
static void print_callables(const struct plan *plan)
{
    enum { LISTED_MOST = 20 };
    size_t listed = 0;
    for (size_t i = 0; i < plan->project->callables.count; i++) {
        const struct callable *callable = &plan->project->callables.list[i];
        if (!callable_is_fit(callable) || listed++ >= LISTED_MOST)
            continue;
        OWNED char *word = wrapper_word(plan->project, callable);
        struct text shell = {0};
        if (strcmp(plan->folder, ".") != 0) {
            text_append_shell_word(&shell, plan->folder);
            text_append(&shell, " ");
        }
        text_append(&shell, "--wrap ");
        text_append_shell_word(&shell, word);
        char *command = text_take(&shell);
        clean_line(stdout, "  %s:%zu: %s", callable->file, callable->line, callable->text);
        clean_line(stdout, "      ulpscope init %s", command);
        free(command);
    }
    if (listed > LISTED_MOST)
        printf("  and %zu more\n", listed - LISTED_MOST);
}

/* CI would be green whatever breaks. */
static void print_what_is_not_measured(const struct plan *plan)
{
    const enum project_kind kind = plan->project->kind;
    if (plan->wrapped || kind == PROJECT_PLUGIN)
        return;
    puts("\nNo code of yours is measured: CI stays green whatever breaks in it.");
    if (plan->fit > 0) {
        puts("These functions of yours could be:");
        print_callables(plan);
    } else {
        printf("No function like %s was found; `ulpscope plugin new mine%s` begins\na wrapper of any other.\n",
               kind == PROJECT_PYTHON ? "def total(x)" : "float f(const float *, size_t)",
               kind == PROJECT_PYTHON ? " --python"
               : kind == PROJECT_CUDA ? " --cuda"
                                      : "");
    }
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
               !project_has(plan->folder, "baselines/main.json") ? ""
               : plan->wrapped && plan->project->kind != PROJECT_PLUGIN
                   ? " --update --accept-worse" /* of another study */
                   : " --update");
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
    if (plan->wrapped) {
        putchar('\n');
        clean_line(stdout, "Measured: %s of %s:%zu.", plan->wrapped->of.name, plan->wrapped->file, plan->wrapped->line);
    }
    print_what_is_not_measured(plan);
    print_next(plan);
}

static struct plan plan_of(const char *folder, const struct project *project, const struct callable *wrapped)
{
    struct plan plan = {.folder = folder, .project = project, .wrapped = wrapped};
    for (size_t i = 0; i < project->callables.count; i++)
        plan.fit += callable_is_fit(&project->callables.list[i]);
    plan.has_example = !wrapped && project->kind == PROJECT_PYTHON && plan.fit == 0;
    return plan;
}

static enum status write_project(const struct arguments *arguments, const struct project *project)
{
    struct new_files files = {0}, unwrapped = {0};
    const struct callable *wrapped = NULL;
    enum status status = OK;
    if (arguments->wrap)
        TRY(wrapper_find(project, arguments->wrap, &wrapped));
    struct plan plan = plan_of(arguments->folder, project, wrapped), plain = plan_of(arguments->folder, project, NULL);
    TRY_DONE(add_all(&files, &plan));
    if (wrapped && project->kind != PROJECT_PLUGIN)
        TRY_DONE(add_all(&unwrapped, &plain));
    TRY_DONE(new_files_write(&files, &unwrapped, "init", arguments->folder, arguments->overwrite));
    print(&files, &plan);
done:
    new_files_free(&files);
    new_files_free(&unwrapped);
    free(plan.builds);
    free(plain.builds);
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
