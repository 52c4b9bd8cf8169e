/* ulpscope bench: speed and accuracy together. */
#include "src/bench/bench.h"
#include "data_arguments.h"
#include "src/base/interrupts.h"
#include "src/files/output.h"

enum { ROUNDS_MOST = 10000, ROWS_MOST = 1 << 24 };

enum key { DATA = 'd', NONFINITE = 256 };

struct arguments {
    struct globals *globals;
    const char *data, *rows, *json, *format, *accumulate, *calls;
    enum nonfinite nonfinite;
    bool slow, check;
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What to time:", 1},
    {"method", 'm', "GLOB", 0, "Methods, like kahan/* or */serial,!plain/*; !GLOB excludes; repeatable (default all)",
     1},
    {"n", 'n', "SWEEP", 0, "Numbers in a sum, like 1Ki,1Mi..1Gi*4 (default 1Mi; on a GPU 1Mi..1Gi*32)", 1},
    {"rows", TEXT_KEY(rows), "R", 0, "On a GPU: R sums of n numbers each in one launch, where a method takes rows", 1},
    {"data", DATA, "SPEC", 0,
     "A spec or file, repeated to n numbers (default uniform:low=-1); without an n of its own it has 1000003 numbers",
     1},
    {"format", TEXT_KEY(format), "FORMAT", 0, "Format of the numbers and results (default that of the data: binary32)",
     1},
    {"accumulate", TEXT_KEY(accumulate), "FORMAT", 0, "Format that they are added in, as for `ulpscope run`", 1},
    {"nonfinite", NONFINITE, "refuse|ieee|skip", 0, "NaN, Inf and missing values in files (default refuse)", 1},
    {"seed", SETTING_KEY + SETTING_SEED, "N", 0, "Seed of the data (default 1)", 1},
    {"slow", FLAG_KEY(slow), NULL, 0,
     "On a GPU: also time methods that take seconds because their additions wait for each other", 1},
    {NULL, 0, NULL, 0, "How:", 2},
    {"blocks", SETTING_KEY + SETTING_BLOCKS, "B", 0,
     "Blocks of the launch, or a sweep (default: as many as fill the GPU)", 2},
    {"threads", SETTING_KEY + SETTING_THREADS, "T", 0, "Threads in a block, or a sweep (default 256)", 2},
    {"device", SETTING_KEY + SETTING_DEVICE, "auto|host|cuda:N", 0, "Where (default auto: a GPU if there is one)", 2},
    {"repeats", SETTING_KEY + SETTING_REPEATS, "R", 0, "Rounds, each of which times every method once (default 21)", 2},
    {"check", FLAG_KEY(check), NULL, 0, "Compare kernels with their replays above 64Mi numbers too", 2},
    {"jobs", JOBS_KEY, "N", 0,
     "Threads of a replay (default: 1 on the host, where several threads are timed by wall clock; beside a GPU one per "
     "core)",
     2},
    {"calls", TEXT_KEY(calls), "queued|idle", 0,
     "On a GPU: calls wait in its queue until the host has launched them (default), or find it idle", 2},
    {NULL, 0, NULL, 0, "Where to:", 3},
    {"json", TEXT_KEY(json), "FILE", 0, "Write one JSON object (schema ulpscope-bench/2) there; - for stdout", 3},
    {0},
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (key == NONFINITE && nonfinite_read(value, "--nonfinite", &arguments->nonfinite) != OK)
        exit(argp_err_exit_status);
    if (key != DATA && key != ARGP_KEY_ARG)
        return key == NONFINITE ? 0 : command_take_with_plugins(key, value, state);
    if (arguments->data)
        command_usage("\"%s\": a second data set; expected one", value);
    arguments->data = value;
    return 0;
}

static const struct argp parser = {
    .options = options,
    .parser = parse_key,
    .children = plugin_parsers,
    .args_doc = "[FILE|SPEC]",
    .doc = "Times methods and reports how accurate they are, in one Markdown table.\n\n"
           "Examples:\n"
           "  ulpscope bench -m '*/tree_two_pass,kahan/*' -n 64Ki..1Mi*4\n"
           "  ulpscope bench --device host -m 'kahan/*' -n 16Mi --repeats 5\n"
           "  ulpscope bench -m 'binary64/*' -n 1Gi -d gensum:cond=1e8 --json bench.json\v"
           "On a GPU the kernels are "
           "timed, between two events of the device, and compared with their replays and with CUB's DeviceReduce::Sum; "
           "on the host the replays are timed, and compared with the serial loop of the same accumulator.  Both are "
           "compared with a copy of the same data.  docs/bench.md explains every column.\n\n"
           "Exit: 0 fine, 1 a kernel differs from its replay, 2 usage or nothing was selected, 3 "
           "not measured (out of memory), 4 no such device, 130 interrupted; the rows that are known are kept.",
};

/* ---- what to time ---- */

/* "uniform:low=-1" -> "uniform:low=-1,n=1000003"; a spec with its own n, and a file, as they are.  Allocated. */
static char *with_period(const char *text)
{
    struct text spec = {0};
    char family[64];
    snprintf(family, sizeof family, "%.*s", (int)strcspn(text, ":"), text);
    const bool has_n = strstr(text, ":n=") || strstr(text, ",n=");
    text_append(&spec, "%s", text);
    if (generator_find(family) && !has_n)
        text_append(&spec, "%cn=%d", strchr(text, ':') ? ',' : ':', BENCH_PERIOD);
    return text_take(&spec);
}

static enum status choose_data(const struct arguments *arguments, struct study *study)
{
    if (arguments->data)
        TRY(argument_expect_data(arguments->data, "bench"));
    OWNED char *text = with_period(arguments->data ? arguments->data : BENCH_DATA);
    TRY(study_add_data(study, text, 1, "--data", arguments->nonfinite));
    if (study->entries[0].spec_count > 1)
        return bad_input("--data: \"%s\" is a sweep of %zu data sets; expected one; -n sweeps the sizes",
                         arguments->data, study->entries[0].spec_count);
    return OK;
}

static enum status choose_launches(const struct config *config, struct study *study, bool *fill_device)
{
    const char *source = NULL, *threads_source = "built in";
    const char *threads = config_override(config, SETTING_THREADS, &threads_source);
    const char *blocks = config_override(config, SETTING_BLOCKS, &source);
    char fallback[16];
    snprintf(fallback, sizeof fallback, "%d", BENCH_THREADS);
    *fill_device = !blocks;
    return study_set_launches(study, blocks ? blocks : "1", threads ? threads : fallback,
                              blocks ? source : threads_source);
}

static enum status choose_study(const struct arguments *arguments, struct study *study, bool *fill_device)
{
    const struct config *config = &arguments->globals->config;
    const char *source;
    TRY(command_read_setting(config, SETTING_SEED, 0, INT64_MAX, &study->seed));
    study->repeats = BENCH_ROUNDS;
    const char *rounds = config_override(config, SETTING_REPEATS, &source);
    TRY(command_read_count(rounds, source, 1, ROUNDS_MOST, &study->repeats));
    TRY(study_select_methods(study, arguments->globals->methods.word, arguments->globals->methods.count, "--method"));
    plugins_tell_idle(study, "-m ", arguments->globals->quiet);
    for (size_t m = 1; m < study->method_count; m++)
        if ((study->methods[m]->operation == OPERATION_sum) != (study_operation(study) == OPERATION_sum))
            return bad_input(
                "--method: expected sums alone or products alone, found %s and %s; time them one after the other",
                study->methods[0]->id, study->methods[m]->id);
    TRY(choose_launches(config, study, fill_device));
    TRY(choose_data(arguments, study));
    if (arguments->format || arguments->accumulate)
        TRY(study_read_formats(study, arguments->format, arguments->accumulate, "--format"));
    TRY(study_apply_formats(study, false, arguments->globals->quiet));
    TRY(data_spec_set_kind(&study->entries[0].specs[0], ONE_VECTOR, "--data"));
    if (study->entry_count == 1)
        return study_hash_files(study);
    return bad_input("--format: found %zu formats of data; expected one; time them one after the other",
                     study->entry_count);
}

/* So many rows of each n fit in 64 bits of bytes, and in no memory yet. */
static enum status read_sweep(const char *text, uint32_t rows, uint64_t **n, size_t *count)
{
    const char *wrong = read_size_sweep(text, n, count);
    if (wrong)
        return bad_input("-n \"%s\" %s; expected a count like 1Mi or a sweep like 1Mi..1Gi*4", text, wrong);
    for (size_t i = 0; i < *count; i++)
        if ((*n)[i] < 1 || (*n)[i] > MOST_N / rows)
            return bad_input("-n %" PRIu64 " is out of range; expected 1 to %" PRIu64 "%s", (*n)[i], MOST_N / rows,
                             rows > 1 ? ", with so many --rows" : "");
    return OK;
}

/* Sweeps between commas, one after the other. */
static enum status read_sizes(const char *text, uint32_t rows, uint64_t **n, size_t *count)
{
    OWNED char *words = memory_copy(text);
    char *rest = words;
    enum status status = OK;
    for (char *word; (word = strsep(&rest, ","));) {
        OWNED uint64_t *more = NULL;
        size_t more_count = 0;
        status = read_sweep(word, rows, &more, &more_count);
        if (status != OK)
            break;
        *n = memory_resized(*n, (*count + more_count) * sizeof **n);
        memcpy(*n + *count, more, more_count * sizeof **n);
        *count += more_count;
    }
    return status;
}

/* ---- the bench ---- */

static void say_what_is_timed(const struct bench *bench, const char *why)
{
    const struct study *study = bench->study;
    if (bench->quiet)
        return;
    fprintf(stderr, "device: %s%s%s%s\n", bench->device ? device_facts(bench->device)->name : "host",
            *why ? " replay (" : "", why, *why ? ")" : "");
    fprintf(stderr, "data: %s repeated, seed %" PRIu64 "; %" PRIu64 " round%s", study->entries[0].specs[0].text,
            study->seed, study->repeats, study->repeats == 1 ? "" : "s");
    fprintf(stderr, bench->device ? "\n" : "; %u thread%s\n", bench->jobs, bench->jobs == 1 ? "" : "s");
}

/* What was timed before a failure, or before Ctrl-C, is kept. */
static enum status measure_and_print(const struct arguments *arguments, struct bench *bench)
{
    FREED_BY(bench_results_free) struct bench_results results = {0};
    enum status status = OK;
    if (!output_is_stdout(arguments->json))
        bench->table = bench_table_new();
    interrupts_catch("the call that is being timed");
    const enum status measured = bench_measure(bench, &results);
    interrupts_release();
    if (bench->table)
        bench_table_end(bench->table, &results);
    if (results.count > 0 && arguments->json)
        status = bench_write_json(bench, &results, arguments->globals->command_line, arguments->json);
    if (measured == INTERRUPTED)
        complain("interrupted%s", results.count > 0 ? "; the rows that are known are kept" : " before a row was known");
    return status == OK ? measured : status;
}

/* On the host what an addition costs, not how many cores there are. */
static enum status choose_jobs(const struct config *config, struct bench *bench)
{
    const char *source;
    TRY(command_read_jobs(config, &bench->jobs));
    if (!bench->device && !config_override(config, SETTING_JOBS, &source))
        bench->jobs = 1;
    return OK;
}

static enum status check_place(const struct arguments *arguments, const struct bench *bench, const char *why)
{
    const char *option = bench->rows > 1 ? "--rows" : arguments->check ? "--check" : NULL;
    if (bench->device || !option)
        return OK;
    return no_device("%s is for kernels and needs a GPU%s%s; leave it out", option, *why ? ": " : "", why);
}

static enum status bench_on_device(const struct arguments *arguments, struct bench *bench)
{
    const char *source;
    char why[REASON_SIZE];
    uint64_t *n = NULL;
    TRY(device_open(config_value(&arguments->globals->config, SETTING_DEVICE, &source), &bench->device, why));
    enum status status;
    TRY_DONE(check_place(arguments, bench, why));
    TRY_DONE(read_sizes(arguments->globals->n ? arguments->globals->n
                        : bench->device       ? "1Mi..1Gi*32"
                                              : "1Mi",
                        bench->rows, &n, &bench->n_count));
    bench->n = n;
    TRY_DONE(choose_jobs(&arguments->globals->config, bench));
    say_what_is_timed(bench, why);
    TRY_DONE(measure_and_print(arguments, bench));
done:
    free(n);
    device_close(bench->device);
    return status;
}

static enum status read_calls(const char *text, bool *idle)
{
    *idle = text && strcmp(text, "idle") == 0;
    if (!text || *idle || strcmp(text, "queued") == 0)
        return OK;
    return bad_input("--calls: expected queued or idle, found \"%s\"", text);
}

static enum status bench_with(const struct arguments *arguments, struct study *study)
{
    struct bench bench = {
        .study = study, .slow = arguments->slow, .compare_all = arguments->check, .quiet = arguments->globals->quiet};
    uint64_t rows = 1;
    TRY(choose_study(arguments, study, &bench.fill_device));
    TRY(command_read_count(arguments->rows, "--rows", 1, ROWS_MOST, &rows));
    bench.rows = (uint32_t)rows;
    TRY(command_read_jobs(&arguments->globals->config, &bench.jobs)); /* a wrong one is refused first */
    TRY(read_calls(arguments->calls, &bench.idle));
    TRY(output_check("--json", arguments->json));
    return bench_on_device(arguments, &bench);
}

enum status command_bench(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    FREED_BY(study_free) struct study study = {0};
    TRY(command_parse(&parser, argc, argv, &arguments));
    return bench_with(&arguments, &study);
}
