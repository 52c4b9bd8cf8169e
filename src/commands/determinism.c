/* ulpscope determinism: what must be held fixed for the same bits?  A study whose sums are few, and whose axes are all
 * (src/study/axes.def). */
#include "data_arguments.h"
#include "reports/axes/axis_matrix.h"
#include "src/run/run.h"

struct arguments {
    struct globals *globals;
    struct words methods, data;
    const char *across, *nonfinite;
    struct outputs outputs;
};

static const struct argp_option fixed_options[] = {
    {"across", TEXT_KEY(across), "AXES", 0, "What is varied: repeat, batch ... (default all); see docs/determinism.md",
     1},
    {"nonfinite", TEXT_KEY(nonfinite), "refuse|ieee|skip", 0, "NaN, Inf and missing values in files (default refuse)",
     1},
    {"blocks", SETTING_KEY + SETTING_BLOCKS, "B", 0, "Blocks of the launch (default 120)", 1},
    {"threads", SETTING_KEY + SETTING_THREADS, "T", 0, "Threads in a block (default 256)", 1},
    {"seed", SETTING_KEY + SETTING_SEED, "S", 0, "Seed of data and permutations (default 1)", 1},
    {"device", SETTING_KEY + SETTING_DEVICE, "auto|host|cuda:N", 0, "Where (default auto: a GPU if there is one)", 1},
    {"jobs", JOBS_KEY, "N", 0, "Threads (default: one per core)", 1},
    {0},
};

static const struct outputs_help outputs_help = {
    .output = "Write run.db and all reports there, for `report` and `check`",
    .overwrite = "Replace the run in DIR",
    .has_resume = true,
    .group = 3,
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    return outputs_set(&arguments->outputs, key, value) ? 0 : command_take_with_plugins(key, value, state);
}

static const char documentation[] =
    "Varies one thing at a time, in calls that should give the same bits, and reports which of them change bits: asked "
    "again, in a fresh process, with another launch, among zeros, in another order ...\v"
    "Examples:\n"
    "  ulpscope determinism plain/serial plain/tree_two_pass\n"
    "  ulpscope determinism kahan/pairwise gensum:n=1e5,cond=1e6 --across launch\n"
    "  ulpscope determinism --python mysum.py:my_sum mysum/my_sum -o out/\n"
    "\n"
    "METHOD is a method or a glob; data are two sets of 4096 numbers unless a spec or a file is named.  "
    "docs/determinism.md says what each axis varies.\n\n"
    "Exit: 0 whatever changes; 1 a method that claims to be deterministic differs in a second call or a fresh process, "
    "or a result is farther from the exact one than its bound; 2 usage; 3 not "
    "measured; 4 no such device.";

/* ---- words ---- */

static enum status sort_words(struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->globals->bare.count; i++) {
        char *word = arguments->globals->bare.word[i];
        const enum argument_kind kind = argument_kind(word);
        if (kind == ARGUMENT_STUDY)
            return bad_input("determinism: \"%s\" is a study; expected methods and data; `ulpscope run %s --across "
                             "all` varies those of a study",
                             word, word);
        struct words *to = kind == ARGUMENT_METHOD ? &arguments->methods : &arguments->data;
        to->word[to->count++] = word; /* there is room: so many words came */
    }
    return OK;
}

/* ---- the study ---- */

static enum status select_methods(const struct arguments *arguments, struct study *study)
{
    const struct method *method;
    if (arguments->methods.count > 0) {
        TRY(study_select_methods(study, arguments->methods.word, arguments->methods.count, "determinism"));
        for (size_t m = 0; m < study->method_count; m++)
            TRY(command_expect_no_windows(study->methods[m]->operation, study->methods[m]->id, "determinism"));
        return OK;
    }
    if (arguments->data.count > 0)
        TRY(study_method_named(arguments->data.word[0], "determinism", &method)); /* it may be mistyped */
    return bad_input(
        "determinism: no method; expected one at least, like plain/tree_two_pass; see `ulpscope list methods`");
}

static enum status add_data(const struct arguments *arguments, struct study *study)
{
    const struct quantity_row *of = &quantity_table[operation_table[study_operation(study)].of];
    study_clear_data(study);
    if (arguments->nonfinite)
        TRY(nonfinite_read(arguments->nonfinite, "--nonfinite", &study->nonfinite));
    for (size_t i = 0; i < arguments->data.count; i++)
        TRY(study_add_data(study, arguments->data.word[i], 1, "determinism", study->nonfinite));
    const char *const texts[] = {of->usual, of->hard};
    for (size_t i = 0; i < 2 && texts[i] && arguments->data.count == 0; i++)
        TRY(study_add_data(study, texts[i], 1, "determinism", study->nonfinite));
    return OK;
}

/* What a study has beside its data. */
static enum status set_up(const struct arguments *arguments, struct study *study)
{
    const struct config *config = &arguments->globals->config;
    TRY(study_read(NULL, NULL, study));
    TRY(command_read_setting(config, SETTING_SEED, 0, INT64_MAX, &study->seed));
    study->launch_count = 1;
    return command_read_launch(config, &study->launches[0]);
}

static enum status build_study(const struct arguments *arguments, struct study *study)
{
    TRY(set_up(arguments, study));
    TRY(select_methods(arguments, study));
    plugins_tell_idle(study, "", arguments->globals->quiet);
    TRY(add_data(arguments, study));
    TRY(study_apply_formats(study, false, arguments->globals->quiet));
    TRY(study_set_vectors(study));
    TRY(axes_read(arguments->across ? arguments->across : "all", "--across", &study->across));
    study->permutations = 0;
    study_permute(study);
    free(study->title);
    study->title = memory_copy("What changes the bits");
    return study_hash_files(study);
}

/* ---- the matrix ---- */

/* One process should give one result, and so should the next. */
struct claims {
    const struct study *study;
    uint64_t varied;
    bool is_broken;
};

static enum status check_claim(void *context, const struct stored_variation *varied)
{
    struct claims *claims = context;
    const struct method *method = claims->study->methods[varied->method];
    claims->varied++;
    if (varied->results < 2 || (varied->axis != AXIS_repeat && varied->axis != AXIS_process) ||
        method->determinism != DETERMINISTIC)
        return OK;
    complain("%s claims to be deterministic; expected the same bits of every call, found %" PRIu64
             " results: %s; say that it is not, or mend it",
             method->id, varied->results, axis_table[varied->axis].varied);
    claims->is_broken = true;
    return OK;
}

/* `measured`: what became of the run, which said so. */
static enum status report_axes(const struct arguments *arguments, const struct study *study, enum status measured,
                               struct output_folder *folder, struct store *store)
{
    struct claims claims = {.study = study};
    FREED_BY(results_free) struct results results = {0};
    enum status status;
    TRY(outputs_write_run(&arguments->outputs, folder, store, &results));
    TRY(store_each_variation(store, check_claim, &claims));
    status = bounds_check(&results);
    status = claims.is_broken ? LIMIT_BROKEN : status;
    if (claims.varied == 0 && measured == OK)
        return bad_input(
            "nothing was varied: none of these methods takes the data; expected one that does; see `ulpscope list "
            "methods`");
    return status;
}

static enum status vary_axes(const struct arguments *arguments, const struct study *study, struct output_folder *folder)
{
    const struct globals *globals = arguments->globals;
    const char *source;
    struct store *store = NULL;
    struct run_options options = {
        .directory = arguments->outputs.directory,
        .mode = outputs_mode(&arguments->outputs),
        .device = config_value(&globals->config, SETTING_DEVICE, &source),
        .quiet = globals->quiet,
        .command_line = globals->command_line,
    };
    TRY(command_read_jobs(&globals->config, &options.jobs));
    const enum status measured = run_study(study, &options, &store);
    const enum status reported = store ? report_axes(arguments, study, measured, folder, store) : OK;
    const enum status closed = store_close(store);
    return measured != OK ? measured : reported != OK ? reported : closed;
}

enum status command_determinism(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals, .outputs = {.print = axes_write, .makes_run = true}};
    OWNED struct argp_option *options = outputs_options(fixed_options, &outputs_help);
    const struct argp parser = {options, parse_key, "METHOD... [FILE|SPEC]...", documentation, plugin_parsers,
                                NULL,    NULL};
    FREED_BY(study_free) struct study study = {0};
    FREED_BY(outputs_leave) struct output_folder folder = {0};
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(sort_words(&arguments));
    TRY(outputs_check(&arguments.outputs));
    TRY(build_study(&arguments, &study));
    TRY(outputs_enter(&arguments.outputs, &folder));
    return vary_axes(&arguments, &study, &folder);
}
