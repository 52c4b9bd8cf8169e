/* ulpscope run: measures methods on data. */
#include "src/run/run.h"
#include "data_arguments.h"
#include "src/files/output.h"
#include "src/gate/diagnosis/black_boxes.h"
#include "src/ranks/ranks.h"

#include <sys/param.h>
#include <unistd.h>

enum { DEFAULT_TRIALS = 100 };

enum key { DATA = 'd', STUDY = 256 };

struct arguments {
    struct globals *globals;
    const char *study_path;
    struct words data;
    const char *trials, *trial, *permutations, *across;
    const char *format, *accumulate, *operation, *nonfinite;
    struct outputs outputs;
    bool replay_beside, slow, verify_reference, convert;
};

static const struct argp_option fixed_options[] = {
    {NULL, 0, NULL, 0, "What to measure:", 1},
    {"study", STUDY, "FILE", 0, "A study file, whatever its name; - for standard input", 1},
    {"method", 'm', "GLOB", 0, "Methods, like kahan/*,naive; !GLOB excludes; repeatable", 1},
    {"data", DATA, "SPEC", 0, "Data: a spec like uniform:n=1Mi, a file, or \"all\" for every family; repeatable", 1},
    {"format", TEXT_KEY(format), "FORMAT", 0,
     "Formats of data and results, with commas between them: binary64, binary32, binary16, bfloat16, e4m3, e5m2 "
     "(default "
     "that of the data: binary32 but for files); see `ulpscope list formats`",
     1},
    {"operation", TEXT_KEY(operation), "OPERATION", 0,
     "What is computed: sum, dot, dot_exact, dot_fma, sumsq, norm2; see `ulpscope list operations`", 2},
    {"accumulate", TEXT_KEY(accumulate), "FORMAT", 0,
     "Format that numbers are added in (default binary32 for formats of 16 and 8 bits, else the format itself)", 1},
    {"convert", FLAG_KEY(convert), NULL, 0,
     "Round files in another format than --format to it; the report says what that costs", 1},
    {"trials", TEXT_KEY(trials), "N", 0, "Trials of each random data set (default 100 with -d, else the study's)", 1},
    {"permutations", TEXT_KEY(permutations), "N", 0,
     "Also sum data that do not depend on the seed, such as a file, in N other orders (default 100; beyond a million "
     "numbers fewer, 10 at least; 0: none)",
     1},
    {"across", TEXT_KEY(across), "AXES", 0,
     "When the sums are done, vary what should not change any bit, one axis at a time: repeat, batch ..., or all; see "
     "docs/determinism.md",
     1},
    {"trial", TEXT_KEY(trial), "K", 0, "Only trial K: the rerun of a reported case", 1},
    {"seed", SETTING_KEY + SETTING_SEED, "N", 0, "Seed of all random data and permutations (default 1)", 1},
    {"nonfinite", TEXT_KEY(nonfinite), "refuse|ieee|skip", 0, "NaN, Inf and missing values in files (default refuse)",
     1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"blocks", SETTING_KEY + SETTING_BLOCKS, "B", 0, "Blocks of the launch, or a sweep (default 120)", 2},
    {"threads", SETTING_KEY + SETTING_THREADS, "T", 0, "Threads in a block, or a sweep (default 256)", 2},
    {"device", SETTING_KEY + SETTING_DEVICE, "auto|host|cuda:N,...|cuda:all", 0,
     "Where (default auto: a GPU if there is one); GPUs of one machine share the data sets", 2},
    {"repeats", SETTING_KEY + SETTING_REPEATS, "R", 0, "Runs of each case on a GPU (default 1)", 2},
    {"replay", FLAG_KEY(replay_beside), NULL, 0,
     "On a GPU: replay on the host too, and compare the bits (exit 1 if any differ)", 2},
    {"slow", FLAG_KEY(slow), NULL, 0,
     "On a GPU: also run methods beyond the n at which they take seconds because their additions wait for each other; "
     "without it they are skipped there, and reported with that n",
     2},
    {"verify-reference", FLAG_KEY(verify_reference), NULL, 0,
     "Sum each data set with one mpfr_add per number as well, about 100 times as slow as the exact sum (exit 3 if they "
     "differ)",
     2},
    {"jobs", JOBS_KEY, "N", 0,
     "Threads that work on cases (default: one per core; of each rank under mpirun, its share)", 2},
    {"speed", SETTING_KEY + SETTING_SPEED, "N", 0,
     "Time each method on N numbers too (default 256Ki on the host, 256Mi on a GPU; 0: none)", 2},
    {NULL, 0, NULL, 0, "Where to:", 3},
    {0},
};

static const struct outputs_help outputs_help = {
    .output = "Write run.db and all reports there; - for results.csv on stdout",
    .overwrite = "Replace the run in DIR once the new one is complete, and files there that are not ulpscope's",
    .has_resume = true,
    .group = 3,
    .target_group = 3,
};

static void take_study(struct arguments *arguments, const char *name)
{
    if (arguments->study_path)
        command_usage("\"%s\": a second study file; expected one", name);
    arguments->study_path = name;
}

/* Studies and data, once plug-ins have said which methods they have. */
static void sort_words(struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->globals->bare.count; i++) {
        char *word = arguments->globals->bare.word[i];
        if (argument_kind(word) == ARGUMENT_STUDY)
            take_study(arguments, word);
        else if (argument_expect_data(word, "run") == OK)
            command_add_word(&arguments->data, word);
        else
            exit(argp_err_exit_status);
    }
}

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (outputs_set(&arguments->outputs, key, value))
        return 0;
    if (key == DATA)
        command_add_word(&arguments->data, value); /* a spec has commas of its own */
    else if (key == STUDY)
        take_study(arguments, value);
    else
        return command_take_with_plugins(key, value, state);
    return 0;
}

static const char documentation[] =
    "Measures methods on data and reports the error of each.\v"
    "Examples:\n"
    "  ulpscope run                                     the built-in study\n"
    "  ulpscope run study.yaml -o out/                  reports in out/\n"
    "  ulpscope run -m 'kahan/*' -d gensum:n=4096,cond=1e2..1e14*100\n"
    "  ulpscope run x.npy                               the same as -d x.npy\n"
    "  ulpscope run co2.csv:column=2 --nonfinite skip\n"
    "  ulpscope run -d harmonic --format bfloat16 --accumulate binary32,bfloat16\n"
    "  ulpscope run -m naive -d uniform:n=1Mi --trial 17    one reported case again\n"
    "  ulpscope run --plugin ./libmine.so               your own sum\n"
    "  ulpscope run --python mysum.py:my_sum -d gensum:n=4096,cond=1e6\n"
    "  mpirun -n 8 ulpscope run study.yaml -o out/      on many machines\n\n"
    "Without -d the study's data are used, without -m its methods; with neither study nor flags the built-in study.  "
    "The classic four are also called naive, tree, kahan and double.  One of --json and its like may be \"-\", for "
    "stdout.";

/* ---- the study ---- */

static enum status apply_data(const struct arguments *arguments, struct study *study)
{
    uint64_t trials = DEFAULT_TRIALS;
    if (arguments->trials && arguments->trial)
        return bad_input("--trial runs one trial, --trials so many from the first; give one of them");
    TRY(command_read_count(arguments->trials, "--trials", 1, TRIALS_MOST, &trials));
    if (arguments->data.count > 0)
        study_clear_data(study);
    for (size_t i = 0; i < arguments->data.count; i++) {
        TRY(argument_expect_data(arguments->data.word[i], "run"));
        TRY(study_add_data(study, arguments->data.word[i], trials, "--data", study->nonfinite));
    }
    for (size_t i = 0; i < study->entry_count; i++) {
        struct study_entry *entry = &study->entries[i];
        if (arguments->trials && data_spec_is_random(&entry->specs[0]))
            entry->trials = entry->sums > 0 && entry->sums < trials ? entry->sums : trials;
        else if (entry->sums > 0 && arguments->data.count > 0)
            entry->trials = entry->sums;
    }
    return OK;
}

static enum status apply_launch(const struct config *config, struct study *study)
{
    const char *source = NULL;
    const char *blocks = config_override(config, SETTING_BLOCKS, &source);
    const char *threads = config_override(config, SETTING_THREADS, &source);
    if (!blocks && !threads)
        return OK;
    if (study->launch_count > 1 && (!blocks || !threads))
        return bad_input("%s: the study sweeps its launches; give both --blocks and --threads", source);
    char own_blocks[16], own_threads[16];
    snprintf(own_blocks, sizeof own_blocks, "%u", study->launches[0].blocks);
    snprintf(own_threads, sizeof own_threads, "%u", study->launches[0].threads);
    return study_set_launches(study, blocks ? blocks : own_blocks, threads ? threads : own_threads, source);
}

static enum status apply_count(const struct config *config, enum setting setting, uint64_t least, uint64_t most,
                               uint64_t *value)
{
    const char *source;
    const char *text = config_override(config, setting, &source);
    return command_read_count(text, source, least, most, value);
}

/* The built-in study keeps its title only as it is. */
static void entitle(const struct arguments *arguments, struct study *study)
{
    struct text title = {0};
    if (arguments->data.count == 0 && arguments->globals->methods.count == 0)
        return;
    const bool is_all = arguments->data.count == 1 && strcmp(arguments->data.word[0], "all") == 0;
    for (size_t i = 0; i < arguments->data.count; i++)
        text_append(&title, "%s%s",
                    i        ? ", "
                    : is_all ? ""
                             : quantity_table[operation_table[study_operation(study)].of].title,
                    is_all ? "All data families" : arguments->data.word[i]);
    if (arguments->data.count == 0)
        text_append(&title, "%s: chosen methods", study->title);
    free(study->title);
    OWNED char *raw = text_take(&title);
    study->title = clean_text(raw);
}

/* Without -m plug-ins stand beside the study's methods: those that compute the same, or they alone. */
static void add_plugins(struct study *study)
{
    size_t plugin_count, method_count;
    struct plugin *const *plugins = plugins_loaded(&plugin_count);
    const enum operation operation = study_operation(study);
    for (int alone = 0; alone < 2; alone++) {
        const size_t before = study->method_count = alone ? 0 : study->method_count;
        for (size_t p = 0; p < plugin_count; p++) {
            const struct method *const *methods = plugin_methods(plugins[p], &method_count);
            for (size_t m = 0; m < method_count; m++) {
                study->methods = memory_resized(study->methods, (study->method_count + 1) * sizeof *study->methods);
                if (!plugin_is_variant(methods[m]) && (alone || methods[m]->operation == operation))
                    study->methods[study->method_count++] = methods[m];
            }
        }
        if (study->method_count > before || plugin_count == 0)
            return;
    }
}

/* The study, as the study file and then the flags say. */
static enum status build_study(const struct arguments *arguments, struct study *study)
{
    const struct config *config = &arguments->globals->config;
    enum nonfinite nonfinite;
    if (arguments->nonfinite)
        TRY(nonfinite_read(arguments->nonfinite, "--nonfinite", &nonfinite));
    TRY(study_read(arguments->study_path, arguments->nonfinite ? &nonfinite : NULL, study));
    if (arguments->globals->methods.count > 0)
        TRY(study_select_methods(study, arguments->globals->methods.word, arguments->globals->methods.count,
                                 "--method"));
    else if (!arguments->study_path)
        add_plugins(study);
    plugins_tell_idle(study, "-m ", arguments->globals->quiet);
    TRY(apply_data(arguments, study));
    if (arguments->operation)
        TRY(study_read_operations(study, arguments->operation, "--operation"));
    if (arguments->format || arguments->accumulate)
        TRY(study_read_formats(study, arguments->format, arguments->accumulate, "--format"));
    TRY(study_apply_formats(study, arguments->convert, arguments->globals->quiet));
    TRY(study_set_vectors(study));
    if (!arguments->study_path)
        entitle(arguments, study);
    TRY(apply_launch(config, study));
    TRY(apply_count(config, SETTING_SEED, 0, INT64_MAX, &study->seed));
    TRY(apply_count(config, SETTING_REPEATS, 1, REPEATS_MOST, &study->repeats));
    TRY(command_read_count(arguments->permutations, "--permutations", 0, TRIALS_MOST - 1, &study->permutations));
    if (arguments->across)
        TRY(axes_read(arguments->across, "--across", &study->across));
    if (study->across)
        TRY(command_expect_no_windows(study_operation(study), study->methods[0]->id, "--across"));
    study_permute(study);
    if (arguments->trial) {
        uint64_t trial;
        TRY(command_read_count(arguments->trial, "--trial", 0, TRIALS_MOST, &trial));
        study_set_trial(study, trial);
    }
    return study_hash_files(study);
}

/* ---- the run ---- */

/* Where nothing is written, what is printed in the end scrolls away; the usual --top keeps it short. */
static void say_how_much_is_printed(const struct arguments *arguments, const struct study *study)
{
    enum { ROWS_READ = 150 };
    const struct outputs *outputs = &arguments->outputs;
    size_t rows = 0;
    for (size_t i = 0; i < study->entry_count; i++)
        rows += study->entries[i].spec_count * study->launch_count;
    rows = outputs->top > 0 && outputs->top < rows ? outputs->top : rows;
    if (rows > ROWS_READ && !outputs->directory && !arguments->globals->quiet)
        fprintf(stderr,
                "tables of up to %zu rows each will be printed; -o DIR keeps them as a page, --top N prints fewer\n",
                rows);
}

/* What plug-ins are, behind the tables, unless those are for a script. */
static enum status tell_black_boxes(const struct arguments *arguments, const struct results *results, unsigned jobs)
{
    struct black_box_sentences sentences;
    size_t plugin_count;
    plugins_loaded(&plugin_count);
    for (int i = 0; i < OUTPUTS_MOST; i++)
        if (output_is_stdout(arguments->outputs.exports[i]))
            return OK;
    if (plugin_count == 0)
        return OK;
    const enum status status = diagnose_black_boxes(results, BLACK_BOX_ADDITIONS, jobs, &sentences);
    if (status == OK && sentences.count > 0)
        puts("\nwhat the bits say");
    for (size_t i = 0; i < sentences.count && status == OK; i++)
        clean_line(stdout, "  %s", sentences.list[i]);
    black_box_sentences_free(&sentences);
    return status;
}

static enum status measure(const struct arguments *arguments, const struct study *study, struct output_folder *folder)
{
    const struct globals *globals = arguments->globals;
    const char *source;
    struct run_options options = {
        .directory = arguments->outputs.directory,
        .mode = outputs_mode(&arguments->outputs),
        .device = config_value(&globals->config, SETTING_DEVICE, &source),
        .replay_beside = arguments->replay_beside,
        .slow = arguments->slow,
        .verify_reference = arguments->verify_reference,
        .quiet = globals->quiet || ranks_follows(),
        .command_line = globals->command_line,
    };
    struct store *store = NULL;
    struct results results = {0};
    TRY(command_read_jobs(&globals->config, &options.jobs));
    const char *speed = config_override(&globals->config, SETTING_SPEED, &source);
    options.speed_n = SPEED_N_DEFAULT;
    TRY(command_read_count(speed, source, 0, MOST_N, &options.speed_n));
    say_how_much_is_printed(arguments, study);
    enum status measured = run_study(study, &options, &store);
    enum status status = OK;
    if (store) {
        status = outputs_write_run(&arguments->outputs, folder, store, &results);
        if (status == OK)
            status = tell_black_boxes(arguments, &results, options.jobs);
        if (bounds_check(&results) != OK && measured == OK)
            measured = LIMIT_BROKEN;
        results_free(&results);
    }
    const enum status closed = store_close(store);
    if (status == OK)
        status = closed;
    return status == OK ? measured : status;
}

/* The folder is ours alone from the question whether it holds a run to the last report. */
static enum status measure_alone(const struct arguments *arguments, const struct study *study)
{
    FREED_BY(outputs_leave) struct output_folder folder = {0};
    if (ranks_follows()) /* which has no folder */
        return measure(arguments, study, NULL);
    TRY(outputs_enter(&arguments->outputs, &folder));
    return measure(arguments, study, &folder);
}

enum status command_run(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals, .outputs.makes_run = true};
    OWNED struct argp_option *options = outputs_options(fixed_options, &outputs_help);
    FREED_BY(study_free) struct study study = {0};
    const struct argp parser = {options, parse_key, "[STUDY.yaml] [FILE|SPEC]...", documentation, plugin_parsers,
                                NULL,    NULL};
    TRY(command_parse(&parser, argc, argv, &arguments));
    sort_words(&arguments);
    TRY(outputs_check(&arguments.outputs));
    TRY(build_study(&arguments, &study));
    return measure_alone(&arguments, &study);
}
