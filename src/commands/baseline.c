/* ulpscope baseline: what series once were is kept, and replaced by what they are. */
#include "src/gate/baseline/baseline.h"
#include "command.h"
#include "outputs.h"
#include "src/results/results_load.h"

#include <errno.h>
#include <unistd.h>

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

static void say_saved(const struct request *request, const char *what)
{
    if (!request->arguments->globals->quiet)
        clean_line(stdout, "%s: %s", request->path, what);
}

static enum status save_new(struct request *request)
{
    if (access(request->path, F_OK) == 0)
        return bad_input("%s: there is such a baseline already; expected a new name; give --update to replace it",
                         request->path);
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
    TRY(baseline_update(&request->baseline, &request->results, request->arguments->accept_worse, &found));
    OWNED char *sentence = baseline_diff_sentence(&found);
    say_saved(request, sentence);
    return OK;
}

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
    .args_doc = "save NAME RUN",
    .doc =
        "Keeps the results of a run, one line per series, so that later runs can be compared with them.\n\n"
        "Examples:\n"
        "  ulpscope baseline save main out/             writes baselines/main.json\n"
        "  ulpscope baseline save main out/ --update    unless something got worse\v"
        "A run is the folder that `ulpscope run -o DIR` wrote, or its run.db.  NAME "
        "is letters, digits, - and _; with a / or a . it is a file.  docs/ci.md explains it.  `ulpscope check` holds "
        "a later run to it.\n\n"
        "Exit: 0 fine; 2 usage or bad file, or the baseline was not replaced; 3 not written.",
};

static enum status check_arguments(const struct arguments *arguments)
{
    const struct words *bare = &arguments->globals->bare;
    if (strcmp(bare->word[0], "save") != 0)
        return bad_input(
            "baseline: \"%s\" is nothing to do with a baseline; expected save; see `ulpscope help baseline`",
            bare->word[0]);
    if (arguments->accept_worse && !arguments->update)
        return bad_input("baseline save: --accept-worse belongs to `ulpscope baseline save --update`; leave it out");
    if (bare->count == 3)
        return OK;
    return bad_input("baseline save: %zu %s given; expected `ulpscope baseline save NAME RUN`", bare->count - 1,
                     bare->count == 2 ? "word was" : "words were");
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

/* From the question whether there is such a baseline until it is written. */
static enum status save(struct request *request)
{
    struct folder_lock lock = {0};
    TRY(folder_lock_take_of(&lock, request->path));
    const enum status status = request->arguments->update ? save_again(request) : save_new(request);
    folder_lock_release(&lock);
    return status;
}

enum status command_baseline(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    struct request request;
    globals->wanted.none = "nothing was asked for; expected save";
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(check_arguments(&arguments));
    TRY(make_request(&arguments, &request));
    const enum status status = save(&request);
    results_free(&request.results);
    (void)store_close(request.store); /* which was only read */
    baseline_free(&request.baseline);
    free(request.path);
    return status;
}
