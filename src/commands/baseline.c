/* ulpscope baseline: what series once were is kept, held against a run, and replaced by one. */
#include "src/gate/baseline/baseline.h"
#include "command.h"
#include "outputs.h"
#include "reports/terminal.h"
#include "src/results/results_load.h"

#include <errno.h>
#include <unistd.h>

enum { CHANGES_ON_A_SCREEN = 40 };

struct arguments {
    struct globals *globals;
    bool update, accept_worse;
};

/* What an action works on. */
struct request {
    const struct arguments *arguments;
    const char *name, *run;
    char *path; /* of the baseline */
    struct baseline baseline;
    struct store *store;
    struct results results;
};

/* ---- save ---- */

static void say_saved(const struct request *request, const char *what)
{
    if (!request->arguments->globals->quiet)
        clean_line(stdout, "%s: %s", request->path, what);
}

static enum status save_new(struct request *request)
{
    if (access(request->path, F_OK) == 0)
        return bad_input("%s: there is such a baseline already; expected a new name; see what changed with `ulpscope "
                         "baseline diff %s %s`, or give --update to replace it",
                         request->path, request->name, request->run);
    if (errno != ENOENT && errno != ENOTDIR) {
        const int cause = errno;
        return caused_by(cause, "%s: cannot be looked at: %s; expected no such baseline yet; nothing was changed",
                         request->path, strerror(cause));
    }
    TRY(opened_run(request->run, &request->store, &request->results));
    TRY(baseline_of(&request->results, &request->baseline));
    TRY(baseline_write(&request->baseline, request->path));
    OWNED char *heading = baseline_heading(&request->baseline);
    say_saved(request, heading);
    if (bounds_check(&request->results) != OK)
        complain("%s: was saved all the same, so that what is wrong there is what later runs are held to",
                 request->path);
    return OK;
}

static enum status save_again(struct request *request)
{
    FREED_BY(baseline_diff_free) struct baseline_diff found = {0};
    TRY(baseline_read(request->path, &request->baseline));
    TRY(opened_run(request->run, &request->store, &request->results));
    TRY(baseline_update(&request->baseline, &request->results, request->arguments->accept_worse));
    baseline_compare(&request->baseline, &request->results, &found);
    OWNED char *sentence = baseline_diff_sentence(&found);
    say_saved(request, sentence);
    return OK;
}

static enum status save(struct request *request)
{
    return request->arguments->update ? save_again(request) : save_new(request);
}

/* ---- diff ---- */

static void print_diff(const struct request *request, const struct baseline_diff *found)
{
    const struct terminal terminal = terminal_of(stdout, report_colour);
    const size_t rows = baseline_diff_rows(found);
    struct grid grid = baseline_diff_grid(found, CHANGES_ON_A_SCREEN);
    OWNED char *sentence = baseline_diff_sentence(found), *reasons = baseline_diff_reasons(found);
    OWNED char *heading = text_made("%s against %s, %s", request->run, request->name, sentence);
    terminal_bold(&terminal, heading);
    if (*reasons)
        terminal_faint(&terminal, reasons);
    if (grid.rows > 1) {
        terminal_faint(&terminal, "then, now: of what decided, else the largest ulp_error");
        terminal_grid(&terminal, &grid);
    }
    grid_free(&grid);
    if (rows > CHANGES_ON_A_SCREEN) {
        OWNED char *more = text_made("and %zu more", rows - CHANGES_ON_A_SCREEN);
        terminal_faint(&terminal, more);
    }
}

static enum status diff(struct request *request)
{
    FREED_BY(baseline_diff_free) struct baseline_diff found = {0};
    TRY(baseline_read(request->path, &request->baseline));
    TRY(opened_run(request->run, &request->store, &request->results));
    baseline_compare(&request->baseline, &request->results, &found);
    print_diff(request, &found);
    return OK;
}

static const struct action {
    const char *name;
    bool writes;
    enum status (*run)(struct request *request);
} actions[] = {{"save", true, save}, {"diff", false, diff}};
enum { ACTIONS = sizeof actions / sizeof *actions };

static const struct argp_option options[] = {
    {"baselines", SETTING_KEY + SETTING_BASELINES, "DIR", 0, "Folder of the baselines (default baselines)", 0},
    {"update", FLAG_KEY(update), NULL, 0,
     "save: replace the baseline, unless something got worse, is missing or of another study or device; never where "
     "CI=true",
     0},
    {"accept-worse", FLAG_KEY(accept_worse), NULL, 0, "save --update: even if something got worse", 0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = command_take,
    .args_doc = "save NAME RUN\ndiff NAME RUN",
    .doc = "Keeps the results of a run, one line per series, so that later runs can be compared with them.\n\n"
           "Examples:\n"
           "  ulpscope baseline save main out/             writes baselines/main.json\n"
           "  ulpscope baseline diff main out/             what became better or worse\n"
           "  ulpscope baseline save main out/ --update    unless something got worse\v"
           "A run is the folder that `ulpscope run -o DIR` wrote, or its run.db.  NAME "
           "is letters, digits, - and _; with a / or a . it is a file.  `diff` informs and exits with 0 whatever it "
           "finds; `ulpscope check` is the gate.  docs/ci.md explains the file and the words.\n\n"
           "Exit: 0 fine; 2 usage or bad file, or the baseline was not replaced; 3 not written.",
};

static enum status find_action(const struct arguments *arguments, const struct action **found)
{
    const char *word = arguments->globals->bare.word[0];
    for (size_t i = 0; i < ACTIONS; i++)
        if (strcmp(actions[i].name, word) == 0) {
            *found = &actions[i];
            return OK;
        }
    return bad_input("baseline: \"%s\" is nothing to do with a baseline; expected save or diff; see `ulpscope help "
                     "baseline`",
                     word);
}

static enum status check_arguments(const struct arguments *arguments, const struct action *action)
{
    const struct {
        bool wrong;
        const char *option, *place;
    } options_elsewhere[] = {
        {arguments->update && !action->writes, "--update", "save"},
        {arguments->accept_worse && !arguments->update, "--accept-worse", "save --update"},
    };
    for (size_t i = 0; i < sizeof options_elsewhere / sizeof *options_elsewhere; i++)
        if (options_elsewhere[i].wrong)
            return bad_input("baseline %s: %s belongs to `ulpscope baseline %s`; leave it out", action->name,
                             options_elsewhere[i].option, options_elsewhere[i].place);
    const size_t given = arguments->globals->bare.count - 1;
    if (given == 2)
        return OK;
    return bad_input("baseline %s: %zu %s given; expected `ulpscope baseline %s NAME RUN`", action->name, given,
                     given == 1 ? "word was" : "words were", action->name);
}

static enum status make_request(const struct arguments *arguments, struct request *request)
{
    const char *source;
    char *const *words = arguments->globals->bare.word;
    *request = (struct request){.arguments = arguments, .name = words[1], .run = words[2]};
    TRY(baseline_check_name(request->name));
    request->path = baseline_path(request->name, config_value(&arguments->globals->config, SETTING_BASELINES, &source));
    return OK;
}

/* From the question whether there is such a baseline until it is written or removed. */
static enum status act(const struct action *action, struct request *request)
{
    struct folder_lock lock = {0};
    if (action->writes)
        TRY(folder_lock_take_of(&lock, request->path));
    const enum status status = action->run(request);
    folder_lock_release(&lock);
    return status;
}

enum status command_baseline(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    const struct action *action;
    struct request request;
    globals->wanted.none = "nothing was asked for; expected save or diff";
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(find_action(&arguments, &action));
    TRY(check_arguments(&arguments, action));
    TRY(make_request(&arguments, &request));
    const enum status status = act(action, &request);
    results_free(&request.results);
    (void)store_close(request.store); /* which was only read */
    baseline_free(&request.baseline);
    free(request.path);
    return status;
}
