/* ulpscope check: a run held to limits and a baseline. */
#include "command.h"
#include "src/files/output.h"
#include "src/gate/check_output.h"
#include "src/gate/diagnosis/diagnosis.h"
#include "src/results/results_load.h"

enum key { TODAY = 256, OUTPUT_KEY = 2048 /* + its index */ };
enum { CHECK_OUTPUTS_MOST = 16 };

struct arguments {
    struct globals *globals;
    const char *limits, *baseline;
    bool verbose;
    struct date today;
    const char *paths[CHECK_OUTPUTS_MOST]; /* of each output; NULL: not asked for */
};

static const struct argp_option fixed_options[] = {
    {NULL, 0, NULL, 0, "What the run is held to:", 1},
    {"limits", TEXT_KEY(limits), "FILE", 0, "The rules, and what is allowed to break them (docs/ci.md)", 1},
    {"baseline", TEXT_KEY(baseline), "NAME", 0, "What `ulpscope baseline save NAME` kept, or a file", 1},
    {"baselines", SETTING_KEY + SETTING_BASELINES, "DIR", 0, "Where baselines are kept (default baselines)", 1},
    {"today", TODAY, "DATE", 0, "The day on which allowances are judged, 2027-03-01 (default: the clock's)", 1},
    {NULL, 0, NULL, 0, "What else:", 2},
    {"jobs", JOBS_KEY, "N", 0, "Threads that look for the cause of failures (default: one per core)", 2},
    {"verbose", 'v', NULL, 0, "Also what passes: each comparison", 2},
    {NULL, 0, NULL, 0, "Where to:", 3},
    {0},
};

/* The fixed options, and one for each output that has a flag.  Allocated. */
static struct argp_option *all_options(void)
{
    size_t outputs, count = sizeof fixed_options / sizeof *fixed_options - 1;
    const struct check_output *const *output = check_outputs(&outputs);
    struct argp_option *options = memory_cleared(count + outputs + 1, sizeof *options);
    memcpy(options, fixed_options, count * sizeof *options);
    for (size_t i = 0; i < outputs; i++)
        if (output[i]->option)
            options[count++] = (struct argp_option){.name = output[i]->option,
                                                    .key = OUTPUT_KEY + (int)i,
                                                    .arg = output[i]->argument,
                                                    .doc = output[i]->summary,
                                                    .group = 3};
    return options;
}

static bool set_output(struct arguments *arguments, int key, const char *value)
{
    size_t outputs;
    (void)check_outputs(&outputs);
    if (key < OUTPUT_KEY || key >= OUTPUT_KEY + (int)outputs)
        return false;
    arguments->paths[key - OUTPUT_KEY] = value ? value : "-";
    return true;
}

static void read_today(struct arguments *arguments, const char *text)
{
    if (date_read(text, &arguments->today))
        return;
    complain("--today: \"%s\" is not a date; expected one like 2027-03-01", text);
    exit(argp_err_exit_status);
}

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (set_output(arguments, key, value))
        return 0;
    if (key == TODAY)
        read_today(arguments, value);
    else if (key == 'v')
        arguments->verbose = true;
    else
        return command_take(key, value, state);
    return 0;
}

static const char documentation[] =
    "Holds a run to limits and a baseline, for CI: exit 1 if one is broken.\v"
    "Examples:\n"
    "  ulpscope check out/ --limits limits.yaml --baseline main\n"
    "  ulpscope check out/ --limits limits.yaml --baseline main --junit junit.xml\n\n"
    "A limits file:\n"
    "  schema: ulpscope-limits/1\n"
    "  rules:\n"
    "    - {method: \"*\", data: \"*\", metric: bound_ratio, limit: auto}\n"
    "    - {method: \"kahan/*\", data: \"uniform*\", metric: ulp_error, limit: 1.5ulp}\n"
    "    - {method: \"*\", data: \"*\", metric: bits, same: baseline}\n\n"
    "Each failure names the known fault that gives the same bits, if any, and the command that reruns the worst case.\n"
    "Exit: 0 all hold, 1 a limit is broken, an allowance expired, zeros pass every rule about a series, 2 a wrong file "
    "or a rule that is about nothing, 3 the run is not complete, or an output could not be "
    "written.";

/* ---- before the run is read ---- */

/* "--json FILE", and where --github also writes. */
static enum status check_output_path(const struct check_output *output, const char *path)
{
    char flag[32];
    const char *also = output->variable ? getenv(output->variable) : NULL;
    snprintf(flag, sizeof flag, "--%s", output->option);
    TRY(output_check(flag, path));
    return also && *also ? output_check(output->variable, also) : OK;
}

static enum status check_arguments(const struct arguments *arguments)
{
    size_t outputs, on_stdout = 0;
    const struct check_output *const *output = check_outputs(&outputs);
    if (!arguments->limits)
        return bad_input("no limits were given; expected --limits FILE; see `ulpscope help check`");
    for (size_t i = 0; i < outputs; i++) {
        if (!arguments->paths[i])
            continue;
        on_stdout += strcmp(arguments->paths[i], "-") == 0;
        TRY(check_output_path(output[i], arguments->paths[i]));
    }
    if (on_stdout <= 1)
        return OK;
    return bad_input(
        "%zu outputs to standard output (\"-\", --github); expected at most one there; give the others a file",
        on_stdout);
}

/* ---- what the run is held to ---- */

/* Everything that is read; free it also after a failure. */
struct gate {
    struct limits limits;
    struct baseline baseline;
    struct store *store;
    struct results results;
    struct check check;
};

/* That a baseline is given where a rule asks for one, and nowhere else. */
static enum status check_need(const struct arguments *arguments, const struct rule *needs, const char *limits)
{
    if (!needs == !arguments->baseline)
        return OK;
    if (needs)
        complain(
            "%s:%zu: the rule asks for a baseline; expected --baseline NAME; `ulpscope baseline save main %s` makes "
            "one named main",
            limits, needs->line, arguments->globals->bare.word[0]);
    else
        complain("%s: no rule asks for the baseline; add one, {method: \"*\", data: \"*\", metric: bits, same: "
                 "baseline}, or leave --baseline out",
                 limits);
    return BAD_INPUT;
}

static enum status read_baseline(const struct arguments *arguments, struct gate *gate)
{
    const char *source;
    TRY(check_need(arguments, limits_need_baseline(&gate->limits), gate->limits.path));
    if (!arguments->baseline)
        return OK;
    OWNED char *path =
        baseline_path(arguments->baseline, config_value(&arguments->globals->config, SETTING_BASELINES, &source));
    return baseline_read(path, &gate->baseline);
}

/* ---- the check ---- */

static enum status write_outputs(const struct arguments *arguments, const struct gate *gate)
{
    const struct checked checked = {
        .check = &gate->check, .run = arguments->globals->bare.word[0], .verbose = arguments->verbose};
    size_t outputs;
    bool stdout_is_taken = false;
    const struct check_output *const *output = check_outputs(&outputs);
    for (size_t i = 0; i < outputs; i++)
        stdout_is_taken |= output[i]->argument && arguments->paths[i] && strcmp(arguments->paths[i], "-") == 0;
    for (size_t i = 0; i < outputs; i++) {
        const bool is_terminal = !output[i]->option;
        if (is_terminal ? !stdout_is_taken : arguments->paths[i] != NULL)
            TRY(output[i]->write(&checked, is_terminal ? "-" : arguments->paths[i]));
    }
    return OK;
}

/* What a case lacks was held to nothing, and what it has may fail for what it lacks: fewer sums than the baseline's. */
static enum status refuse_incomplete(const struct arguments *arguments, const struct check *check)
{
    const struct results *results = check->results;
    if (check_is_complete(check))
        return OK;
    return not_measured(
        "%s: %llu of %llu cases are complete, and %zu series lack sums; expected all of them, since the others "
        "were not held to the limits; run the study again%s",
        arguments->globals->bare.word[0], (unsigned long long)results->cases, (unsigned long long)results->study.cases,
        check->partial, results->cases < results->study.cases ? " with --resume" : "");
}

/* The limits hold them apart from each other, and the replays may be right. */
static void tell_unlike_kernels(const struct arguments *arguments, const struct check *check)
{
    if (check->kernels_differ > 0)
        complain("%s: %llu of %llu results of kernels have other bits than their replays; expected the same bits; run "
                 "the study again with --replay, which names them",
                 arguments->globals->bare.word[0], (unsigned long long)check->kernels_differ,
                 (unsigned long long)check->kernels_compared);
}

/* Whose sums of integers were wrong, at a length where its other errors may be within their limits. */
static bool tell_broken_plugins(const struct arguments *arguments, const struct results *results)
{
    bool some_are = false;
    for (size_t i = 0; i < results->fact_count; i++) {
        const bool is_broken = strcmp(results->facts[i].topic, "broken plug-in") == 0;
        some_are |= is_broken;
        if (is_broken)
            complain("%s: %s is broken, as the run found: %s", arguments->globals->bare.word[0], results->facts[i].name,
                     results->facts[i].value);
    }
    return some_are;
}

static enum status conclude(const struct arguments *arguments, const struct gate *gate, enum status judged)
{
    TRY(judged);
    TRY(refuse_incomplete(arguments, &gate->check));
    if (tell_broken_plugins(arguments, &gate->results) || !check_passes(&gate->check))
        return LIMIT_BROKEN;
    return OK;
}

static enum status compare_kernels(struct gate *gate)
{
    struct replay_comparison comparison;
    TRY(store_compare(gate->store, &comparison));
    gate->check.kernels_compared = comparison.compared;
    gate->check.kernels_differ = comparison.differ;
    return OK;
}

/* Rules that hold nothing are reported, and everything else too. */
static enum status check_run(const struct arguments *arguments, struct gate *gate)
{
    unsigned jobs;
    TRY(command_read_jobs(&arguments->globals->config, &jobs));
    TRY(limits_read(arguments->limits, &gate->limits));
    TRY(opened_run(arguments->globals->bare.word[0], &gate->store, &gate->results));
    TRY(read_baseline(arguments, gate));
    gate->check = (struct check){.results = &gate->results,
                                 .limits = &gate->limits,
                                 .baseline = arguments->baseline ? &gate->baseline : NULL,
                                 .today = arguments->today};
    TRY(compare_kernels(gate));
    const enum status judged = check_make(&gate->check);
    if (judged != OK && judged != BAD_INPUT)
        return judged;
    TRY(diagnose(&gate->check, jobs));
    TRY(write_outputs(arguments, gate));
    tell_unlike_kernels(arguments, &gate->check);
    return conclude(arguments, gate, judged);
}

static void free_gate(struct gate *gate)
{
    check_free(&gate->check);
    baseline_free(&gate->baseline);
    limits_free(&gate->limits);
    results_free(&gate->results);
    (void)store_close(gate->store); /* which was only read */
}

enum status command_check(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals, .today = date_today()};
    OWNED struct argp_option *options = all_options();
    FREED_BY(free_gate) struct gate gate = {0};
    const struct argp parser = {options, parse_key, "RUN", documentation, NULL, NULL, NULL};
    globals->wanted = (struct bare_wanted){1, "a second run; expected one",
                                           "no run was named; expected the folder that `ulpscope run -o` wrote"};
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(check_arguments(&arguments));
    return check_run(&arguments, &gate);
}
