/* ulpscope report: the reports of runs that were kept, alone or held against each other. */
#include "command.h"
#include "outputs.h"
#include "src/results/results_load.h"

#include <sys/stat.h>
#include <unistd.h>

struct arguments {
    struct globals *globals;
    struct outputs outputs;
};

static const struct argp_option fixed_options[] = {
    {NULL, 0, NULL, 0, "Where to:", 2},
    {0},
};

static const struct outputs_help outputs_help = {
    .output = "Write all reports there; - for results.csv on stdout",
    .overwrite = "Replace files in DIR that are not ulpscope's as well",
    .group = 2,
    .target_group = 1,
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    return outputs_set(&arguments->outputs, key, value) ? 0 : command_take(key, value, state);
}

static const char documentation[] =
    "Reports what runs measured: which method suits which data, what it costs, where it breaks.\v"
    "Examples:\n"
    "  ulpscope report out/                                 the verdict\n"
    "  ulpscope report out/ --html report.html --svg pictures/\n"
    "  ulpscope report out/ --target 2ulp          who stays within 2 ulp?\n"
    "  ulpscope report before/ after/ --html changes.html   what changed\n\n"
    "A run is the folder that `ulpscope run -o DIR` wrote, or its run.db.  Several runs are compared with the first: "
    "whose bits changed, what got better or worse, what is new or missing.";

/* Stores are open as long as results are used. */
struct opened {
    struct store *stores[WORDS_MOST];
    struct results runs[WORDS_MOST];
    size_t count;
};

static enum status open_run(const char *path, struct opened *opened)
{
    const size_t i = opened->count++; /* which is closed, however far it came */
    return opened_run(path, &opened->stores[i], &opened->runs[i]);
}

static void close_runs(struct opened *opened)
{
    for (size_t i = 0; i < opened->count; i++) {
        results_free(&opened->runs[i]);
        (void)store_close(opened->stores[i]); /* which was only read */
    }
}

static enum status report_runs(const struct arguments *arguments, struct output_folder *folder, struct opened *opened)
{
    for (size_t i = 0; i < arguments->globals->bare.count; i++)
        TRY(open_run(arguments->globals->bare.word[i], opened));
    const struct report report = {opened->runs, (const char *const *)arguments->globals->bare.word, opened->count,
                                  arguments->outputs.target, arguments->outputs.top};
    return outputs_write(&arguments->outputs, folder, &report, NULL);
}

/* Whether a run, its folder or its run.db, is that of a folder. */
static bool is_run_in(const char *run, const char *directory)
{
    struct stat of_run, there;
    const bool is_there = stat(run, &of_run) == 0;
    OWNED char *path = text_made("%s%s", directory, is_there && S_ISDIR(of_run.st_mode) ? "" : "/" FOLDER_RUN);
    return is_there && stat(path, &there) == 0 && there.st_dev == of_run.st_dev && there.st_ino == of_run.st_ino;
}

/* Else results.csv would be of another run than the run.db beside it. */
static enum status refuse_other_runs(const struct arguments *arguments)
{
    const struct outputs *outputs = &arguments->outputs;
    const struct words *runs = &arguments->globals->bare;
    OWNED char *run = outputs->directory ? text_made("%s/" FOLDER_RUN, outputs->directory) : NULL;
    if (!run || outputs->overwrite || access(run, F_OK) != 0 ||
        (runs->count == 1 && is_run_in(runs->word[0], outputs->directory)))
        return OK;
    return bad_input("%s: holds a run; expected a folder without one, or the reports of that run alone; name another "
                     "folder, or give --overwrite to replace its reports",
                     outputs->directory);
}

/* From before the runs are read: one of them may be in the folder. */
static enum status report_alone(const struct arguments *arguments, struct opened *opened)
{
    FREED_BY(outputs_leave) struct output_folder folder = {0};
    TRY(outputs_enter(&arguments->outputs, &folder));
    TRY(refuse_other_runs(arguments));
    return report_runs(arguments, &folder, opened);
}

enum status command_report(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    OWNED struct argp_option *options = outputs_options(fixed_options, &outputs_help);
    OWNED struct opened *opened = memory_cleared(1, sizeof *opened);
    enum status status;
    const struct argp parser = {options, parse_key, "RUN...", documentation, NULL, NULL, NULL};
    globals->wanted.none = "no run was named; expected the folder that `ulpscope run -o` wrote";
    TRY_DONE(command_parse(&parser, argc, argv, &arguments));
    TRY_DONE(outputs_check(&arguments.outputs));
    TRY_DONE(report_alone(&arguments, opened));
done:
    close_runs(opened);
    return status;
}
