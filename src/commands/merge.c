/* ulpscope merge: one run of the shards of a study, as if it had never been parted. */
#include "command.h"
#include "outputs.h"

struct arguments {
    struct globals *globals;
    char **parts;
    size_t part_count;
    struct outputs outputs;
};

static const struct argp_option fixed_options[] = {
    {NULL, 0, NULL, 0, "Where to:", 2},
    {0},
};

static const struct outputs_help outputs_help = {
    .output = "Write run.db and all reports there; - for results.csv on stdout",
    .overwrite = "Replace the run in DIR, and files there that are not ulpscope's",
    .group = 2,
    .target_group = 1,
};

/* Of a large array of jobs there are more parts than a list of words has room for. */
static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (outputs_set(&arguments->outputs, key, value))
        return 0;
    switch (key) {
    case ARGP_KEY_ARG:
        return ARGP_ERR_UNKNOWN; /* argp then hands over all at once */
    case ARGP_KEY_ARGS:
        arguments->parts = state->argv + state->next;
        arguments->part_count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return command_take(key, value, state);
    }
}

static const char documentation[] =
    "Merges the shards of a study into one run, identical to an unsharded one.\v"
    "Examples:\n"
    "  ulpscope run study.yaml --shard 1/2 -o part1   the first half\n"
    "  ulpscope run study.yaml --shard 2/2 -o part2   on another machine\n"
    "  ulpscope merge part1 part2 -o out/             both\n\n"
    "A part is the folder that `ulpscope run --shard K/N -o DIR` wrote, or its run.db.  All must have the same study, "
    "device, version and N; their order does not matter.\n"
    "Exit: 0 fine, 1 a bound is broken, or a kernel differs from its replay, 2 parts that do not belong together, one "
    "of them twice, 3 shards or cases are missing.";

/* As an unsharded run would have ended. */
static enum status conclude(const struct arguments *arguments, struct store *store, const struct results *results)
{
    struct replay_comparison comparison;
    bool is_broken = bounds_check(results) != OK;
    TRY(store_compare(store, &comparison));
    if (comparison.compared > 0 && !arguments->globals->quiet)
        fprintf(stderr, "compared %" PRIu64 " kernel results with their replays: %" PRIu64 " differ\n",
                comparison.compared, comparison.differ);
    for (size_t i = 0; i < results->fact_count; i++)
        is_broken = is_broken || strcmp(results->facts[i].topic, "broken plug-in") == 0;
    return is_broken || comparison.differ > 0 ? LIMIT_BROKEN : OK;
}

static enum status report(const struct arguments *arguments, struct output_folder *folder, struct store *store)
{
    FREED_BY(results_free) struct results results = {0};
    TRY(outputs_write_run(&arguments->outputs, folder, store, &results));
    return conclude(arguments, store, &results);
}

static enum status merge(const struct arguments *arguments, struct output_folder *folder)
{
    const struct merge wish = {
        .parts = (const char *const *)arguments->parts,
        .count = arguments->part_count,
        .directory = arguments->outputs.directory,
        .mode = outputs_mode(&arguments->outputs),
    };
    struct store *store = NULL;
    TRY(store_merge(&wish, &store));
    const enum status reported = report(arguments, folder, store), closed = store_close(store);
    return reported == OK ? closed : reported;
}

enum status command_merge(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals, .outputs.makes_run = true};
    OWNED struct argp_option *options = outputs_options(fixed_options, &outputs_help);
    const struct argp parser = {options, parse_key, "PART...", documentation, NULL, NULL, NULL};
    globals->wanted.none = "no part was named; expected the folders that `ulpscope run --shard K/N -o` wrote";
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(outputs_check(&arguments.outputs));
    FREED_BY(outputs_leave) struct output_folder folder = {0};
    TRY(outputs_enter(&arguments.outputs, &folder)); /* ours alone until the last report is written */
    return merge(&arguments, &folder);
}
