/* ulpscope report: the reports of runs that were kept, alone or held against each other. */
#include "command.h"
#include "outputs.h"
#include "src/base/output.h"
#include "src/results/open_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key { OUTPUT = 'o', TARGET = 256 };

struct arguments {
    struct globals *globals;
    struct words runs;
    struct outputs outputs;
    struct target target;
};

/* ---- the command line ---- */

static const struct argp_option fixed_options[] = {
    {"target", TARGET, "ERROR", 0,
     "The error you can live with: 2ulp, or 1e-6 of the sum; the report names who stays "
     "within",
     1},
    {NULL, 0, NULL, 0, "Where to:", 2},
    {"output", OUTPUT, "DIR", 0, "Write all reports there; - for results.csv on stdout", 2},
    {0},
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (outputs_set(&arguments->outputs, key, value))
        return 0;
    switch (key) {
    case OUTPUT:
        arguments->outputs.directory = value;
        return 0;
    case TARGET:
        if (target_read(value, "--target", &arguments->target) != OK)
            exit(argp_err_exit_status);
        return 0;
    case ARGP_KEY_ARG:
        command_add_word(&arguments->runs, value, state);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no run was named; expected the folder that `ulpscope run -o` wrote");
        return 0;
    default:
        return command_take(key, value, state);
    }
}

static const char documentation[] =
    "Reports what runs measured: which method may be used on which data, what it costs, where it breaks.\v"
    "Examples:\n"
    "  ulpscope report out/                                 the verdict\n"
    "  ulpscope report out/ --html report.html --svg pictures/\n"
    "  ulpscope report out/ --target 2ulp --markdown -      for a pull request\n"
    "  ulpscope report before/ after/ --html changes.html   what changed\n\n"
    "A run is the folder that `ulpscope run -o DIR` wrote, or its run.db.  Several runs are held against the first: "
    "what "
    "changed bits, what got better or worse, what is new or missing.";

/* ---- the runs ---- */

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

/* ---- the whole ---- */

static enum status report_runs(const struct arguments *arguments, struct opened *opened)
{
    for (size_t i = 0; i < arguments->runs.count; i++)
        TRY(open_run(arguments->runs.word[i], opened));
    const struct report report = {opened->runs, (const char *const *)arguments->runs.word, opened->count,
                                  arguments->target, arguments->outputs.top};
    bool made;
    if (arguments->outputs.directory)
        TRY(output_make_folder(arguments->outputs.directory, &made));
    return outputs_write(&arguments->outputs, &report);
}

enum status command_report(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    struct argp_option *options = outputs_options(fixed_options, 2);
    struct opened *opened = calloc(1, sizeof *opened);
    enum status status;
    if (!options || !opened)
        TRY_DONE(out_of_memory("the options"));
    const struct argp parser = {options, parse_key, "RUN...", documentation, NULL, NULL, NULL};
    TRY_DONE(command_parse(&parser, argc, argv, &arguments));
    TRY_DONE(outputs_check(&arguments.outputs));
    TRY_DONE(report_runs(&arguments, opened));
done:
    if (opened)
        close_runs(opened);
    free(opened);
    free(options);
    return status;
}
