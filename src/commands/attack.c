/* ulpscope attack: the data on which a method is least accurate. */
#include "data_arguments.h"
#include "datasets/files/file.h"
#include "src/base/clock.h"
#include "src/base/interrupts.h"
#include "src/base/limit_text.h"
#include "src/base/progress.h"
#include "src/files/output.h"
#include "src/measure/measure.h"
#include "src/measure/operation.h"
#include "src/teach/attack/attack_result.h"

/* The words of the command line; each may be NULL. */
struct attack_wishes {
    const char *budget, *end, *time, *climb, *until, *format;
};

/* What to climb, and beyond which error it is enough. */
struct aim {
    bool is_given; /* else the bound, where the method has one */
    enum attack_climbs climbs;
    double limit; /* INFINITY: none */
};

struct attack_plan {
    struct study study; /* of which it has the method */
    struct aim aim;
    struct attack_request request;
    struct device *device;             /* NULL: the host */
    struct attack_elsewhere elsewhere; /* black boxes, on the device */
    double seconds;                    /* that a search may take; INFINITY: as long as it takes */
};

struct arguments {
    struct globals *globals;
    struct attack_wishes wishes;
    const char *witness, *json;
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What to attack:", 1},
    {"n", 'n', "N", 0, "Numbers in a sum (default 64)", 1},
    {"budget", TEXT_KEY(wishes.budget), "CALLS", 0, "Sums that the search may ask for (default 1e6)", 1},
    {"time", TEXT_KEY(wishes.time), "SECONDS", 0,
     "End the search after that long, with the best find so far, and the search for the fewest numbers after as long "
     "again",
     1},
    {"end", TEXT_KEY(wishes.end), "CALLS", 0,
     "End after so many sums: repeats a search that --time or Ctrl-C ended there", 1},
    {"climb", TEXT_KEY(wishes.climb), "bound|ulp", 0,
     "bound: the share of the method's proven bound (default, where it has one); ulp: the error in ulp of the exact "
     "sum",
     1},
    {"until", TEXT_KEY(wishes.until), "LIMIT", 0,
     "Stop at the first sum whose error is beyond 4ulp or, half its bound, bound*0.5 (exit 1)", 1},
    {"format", TEXT_KEY(wishes.format), "FORMAT", 0,
     "Format of the numbers: binary64, binary32 (default), binary16, ...", 1},
    {"seed", SETTING_KEY + SETTING_SEED, "N", 0, "Seed of the search (default 1)", 1},
    {"blocks", SETTING_KEY + SETTING_BLOCKS, "B", 0, "Blocks of the launch (default 120)", 1},
    {"threads", SETTING_KEY + SETTING_THREADS, "T", 0, "Threads in a block (default 256)", 1},
    {"device", SETTING_KEY + SETTING_DEVICE, "auto|host|cuda:N", 0,
     "Where (default auto): a GPU runs black boxes; all others are attacked on the host", 1},
    {"jobs", JOBS_KEY, "N", 0, "Threads (default: one per core); the result does not depend on them", 1},
    {NULL, 0, NULL, 0, "Where to:", 2},
    {"output", 'o', "FILE", 0,
     "Write the numbers, as .f32 (hex floats, with a comment that says how they were found), .npy ...", 2},
    {"witness", TEXT_KEY(witness), "FILE", 0, "Write the fewest numbers whose error is as large, likewise", 2},
    {"json", TEXT_KEY(json), "FILE", 0, "Write one JSON object (schema ulpscope-attack/1) there; - for stdout", 2},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = command_take_with_plugins,
    .children = plugin_parsers,
    .args_doc = "METHOD",
    .doc =
        "Searches for the data on which a method is least accurate.\n\n"
        "Examples:\n"
        "  ulpscope attack kahan/serial\n"
        "  ulpscope attack plain/tree_two_pass --n 1024 --blocks 2 -o worst.f32\n"
        "  ulpscope attack --plugin ./libmine.so mine/loop --until 4ulp\v"
        "First come the families of data that are made for the "
        "method's order, then changes of signs, exponents, order and mantissas, kept where the exact error grows; then "
        "numbers and bits are taken away while the error stays.  The same seed gives the same numbers.  docs/attack.md "
        "says how to read the answer.\n\n"
        "Exit: 0 fine, however large the error is; 1 the limit of --until was broken, or a plug-in failed on numbers "
        "that were found; 2 usage; 3 not measured (out of memory, disk full); 4 no such device; 130 interrupted, with "
        "the best find so far.",
};

enum { DEFAULT_N = 64, DEFAULT_CALLS = 1000000 };

/* Numbers that all sums of an attack may have together: some hours. */
#define NUMBERS_MOST (UINT64_C(1) << 42)

/* ---- what to climb, and how far ---- */

static enum status read_climb(const char *text, struct aim *aim)
{
    static const char *const words[] = {[ATTACK_BOUND] = "bound", [ATTACK_ULP] = "ulp"};
    for (int c = 0; text && c < 2; c++)
        if (strcmp(text, words[c]) == 0) {
            *aim = (struct aim){true, (enum attack_climbs)c, INFINITY};
            return OK;
        }
    return bad_input("--climb: \"%s\" is unknown; expected bound or ulp; choose one", text);
}

static enum status read_until(const char *text, struct aim *aim)
{
    struct limit_text limit;
    const bool is_limit = limit_text_read(text, &limit) == LIMIT_FINE;
    if (!is_limit || (limit.form != FORM_ULP && limit.form != FORM_BOUND && limit.form != FORM_AUTO) ||
        (limit.form == FORM_BOUND && limit.number > 1) || limit.tree)
        return bad_input("--until: \"%s\" is no limit%s; expected 4ulp, or bound*0.5 for half the bound", text,
                         !is_limit                  ? ""
                         : limit.form == FORM_BOUND ? " that a sum can be beyond"
                                                    : " of what an attack climbs");
    const enum attack_climbs climbs = limit.form == FORM_ULP ? ATTACK_ULP : ATTACK_BOUND;
    if (aim->is_given && aim->climbs != climbs)
        return bad_input(
            "--until %s: expected a limit on what --climb climbs, found one on the other; leave --climb out", text);
    *aim = (struct aim){true, climbs, limit.number};
    return OK;
}

/* ---- the method ---- */

/* Why it is not attacked; false: it is. */
static bool is_refused(const struct attack_plan *plan, const struct method *method, const struct format *format,
                       const struct method **fit, char why[REASON_SIZE])
{
    *fit = format ? study_method_for(method, format) : method;
    if (method->operation != OPERATION_sum &&
        !(is_statistic(method->operation) && operation_table[method->operation].vectors == 1 &&
          !operation_is_per_number(method->operation)))
        snprintf(why, REASON_SIZE,
                 operation_is_per_number(method->operation)
                     ? "it is no sum but a result for each number; attack a sum, such as plain/serial"
                     : "it is no sum");
    else if (!*fit)
        snprintf(why, REASON_SIZE, "not for numbers of %s", format->name);
    else
        return !measure_can_do(*fit, plan->request.launch, method_is_on_host(*fit) ? NULL : plan->device, why);
    return true;
}

static enum status choose_method(const struct attack_wishes *wishes, const struct globals *globals,
                                 struct attack_plan *plan)
{
    struct study *study = &plan->study;
    const struct format *format = wishes->format ? format_named(wishes->format) : NULL;
    char why[REASON_SIZE];
    if (wishes->format && !format)
        return bad_input("--format: \"%s\" is unknown; expected one of `ulpscope list formats`; choose one",
                         wishes->format);
    TRY(study_select_methods(study, globals->methods.word, globals->methods.count, "attack"));
    if (study->method_count != 1)
        return bad_input("attack: found %zu methods; expected one; choose one of `ulpscope list methods`",
                         study->method_count);
    if (is_refused(plan, study->methods[0], format, &plan->request.method, why))
        return bad_input("attack: %s: %s; expected a sum that is computed on the host, or on a GPU that is there; "
                         "choose another; see `ulpscope list methods`",
                         study->methods[0]->id, why);
    return OK;
}

/* ---- a GPU, for black boxes ---- */

static enum status sum_on_device(void *context, const struct method *method, const struct operands *of,
                                 struct launch launch, uint64_t *bits)
{
    struct device *device = context;
    device_lock(device);
    enum status status = device_upload(device, of->format, of->arrays[0], of->shape.terms);
    if (status == OK)
        status = device_run(device, method, of->shape, launch, bits);
    device_unlock(device);
    return status;
}

static enum status open_device(const struct config *config, struct attack_plan *plan)
{
    const char *source;
    char why[REASON_SIZE];
    TRY(device_open(config_value(config, SETTING_DEVICE, &source), &plan->device, why));
    if (!plan->device)
        return OK;
    plan->elsewhere = (struct attack_elsewhere){sum_on_device, plan->device};
    return OK;
}

static enum status check_patience(const struct attack_plan *plan)
{
    if (plan->request.calls <= NUMBERS_MOST / plan->request.n)
        return OK;
    return bad_input("attack: found %" PRIu64 " sums of %" PRIu64 " numbers; expected at most %" PRIu64
                     " numbers in all, which take hours; choose a smaller --budget or --n",
                     plan->request.calls, plan->request.n, NUMBERS_MOST);
}

/* Of some data at least. */
static bool has_bound(const struct attack_request *request)
{
    static const struct magnitudes ones = {1, 1, 1, NULL};
    return is_statistic(request->method->operation) ||
           method_bound(request->method, request->n, request->launch, &ones) <= 1; /* above that it claims nothing */
}

/* What follows from the method. */
static void complete_request(struct attack_plan *plan)
{
    struct attack_request *request = &plan->request;
    if (is_statistic(request->method->operation))
        request->exact = operation_exact;
    request->elsewhere = method_is_on_host(request->method) ? NULL : &plan->elsewhere;
    request->climbs = plan->aim.is_given ? plan->aim.climbs : has_bound(request) ? ATTACK_BOUND : ATTACK_ULP;
    request->until = nextafter(plan->aim.limit, INFINITY);
}

/* Complains and returns BAD_INPUT for what makes no attack.  NO_DEVICE for a GPU that is not there.  The caller calls
 * attack_plan_free, also then; the plan stays where it is made. */
static enum status attack_plan_make(const struct attack_wishes *wishes, const struct globals *globals,
                                    struct attack_plan *plan)
{
    const struct config *config = &globals->config;
    struct attack_request *request = &plan->request;
    *plan = (struct attack_plan){
        .request.calls = DEFAULT_CALLS, .request.n = DEFAULT_N, .aim.limit = INFINITY, .seconds = INFINITY};
    TRY(command_read_launch(config, &request->launch));
    TRY(command_read_jobs(config, &request->workers));
    TRY(command_read_setting(config, SETTING_SEED, 0, UINT64_MAX, &request->seed));
    TRY(command_read_count(wishes->budget, "--budget", 1, INT64_MAX, &request->calls));
    TRY(command_read_count(wishes->end, "--end", 1, INT64_MAX, &request->ends_after));
    TRY(command_read_time(wishes->time, &plan->seconds));
    if (wishes->climb)
        TRY(read_climb(wishes->climb, &plan->aim));
    if (wishes->until)
        TRY(read_until(wishes->until, &plan->aim));
    TRY(command_read_count(globals->n, "--n", 1, NUMBERS_MOST, &request->n));
    TRY(check_patience(plan));
    TRY(open_device(config, plan));
    TRY(choose_method(wishes, globals, plan));
    complete_request(plan);
    return OK;
}

static void attack_plan_free(struct attack_plan *plan)
{
    study_free(&plan->study);
    device_close(plan->device);
}

/* ---- how far it is ---- */

/* Searches, or the look for the witness of one. */
struct looking {
    struct progress progress;
    pthread_mutex_t mutex; /* of the progress */
    atomic_ullong sums;
    double ends;
    const char *what;
};

static bool goes_on(void *context, uint64_t more)
{
    struct looking *looking = context;
    struct progress *progress = &looking->progress;
    const uint64_t done = atomic_fetch_add(&looking->sums, more);
    if (pthread_mutex_trylock(&looking->mutex) == 0) { /* while one says it, the others go on */
        progress_update(progress, done, looking->what);
        pthread_mutex_unlock(&looking->mutex);
    }
    return !interrupted() && clock_of_wall() < looking->ends;
}

/* It takes no more sums than the search, and so hardly more time. */
static void look_for_witness(struct looking *looking, const struct attack_result *attacked, bool quiet)
{
    progress_end(&looking->progress);
    progress_start(&looking->progress, attack_end(&attacked->request), 0, quiet);
    looking->what = "sums at most, for the fewest numbers";
    looking->sums = 0;
    looking->ends = INFINITY;
}

/* Two causes have one status until here. */
static enum status conclude(const struct attack_result *attacked, enum status status)
{
    if (attacked->is_interrupted) {
        complain("interrupted%s",
                 status == INTERRUPTED ? " before a sum was judged" : "; the best find so far is kept");
        return status == NOT_MEASURED || status == BAD_INPUT ? status : INTERRUPTED;
    }
    if (status == INTERRUPTED)
        return not_measured("attack: the time was over before a sum was judged; expected one at least; give a longer "
                            "--time, or a smaller --n");
    return status;
}

static enum status check_outputs(const struct arguments *arguments)
{
    const struct output_wish wishes[] = {
        {"--output", arguments->globals->output}, {"--witness", arguments->witness}, {"--json", arguments->json}};
    for (size_t f = 0; f < 2; f++)
        if (wishes[f].path)
            TRY(file_check_ending(wishes[f].path));
    return output_check_all(wishes, sizeof wishes / sizeof *wishes);
}

/* An error that is no number is beyond every limit. */
static bool is_broken(const struct attack_plan *plan, const struct attack_result *attacked)
{
    return attacked->find.has_crashed ||
           (isfinite(plan->aim.limit) && !(attack_result_value(attacked) <= plan->aim.limit));
}

/* Of a search that came to its end the command itself.  Allocated. */
static char *command_again(const struct arguments *arguments, const struct attack_result *attacked)
{
    if (!attacked->find.is_ended)
        return memory_copy(arguments->globals->command_line);
    OWNED char *command =
        whole_command(arguments->globals, (const char *[2]){arguments->wishes.time, arguments->wishes.end});
    return text_made("%s --end %" PRIu64, command, attacked->find.calls);
}

static enum status write_files(const struct arguments *arguments, const struct attack_result *attacked,
                               const struct attack_result_names *names)
{
    if (arguments->globals->output)
        TRY(attack_result_write_data(attacked, names));
    if (arguments->witness && attacked->witness.n > 0)
        TRY(attack_result_write_witness(attacked, names));
    if (arguments->json)
        TRY(attack_result_write_json(attacked, names, arguments->json));
    return OK;
}

static enum status write_answer(const struct arguments *arguments, const struct attack_plan *plan,
                                const struct attack_result *attacked)
{
    OWNED char *again = command_again(arguments, attacked);
    const struct attack_result_names names = {.command = again,
                                              .device = plan->device ? device_facts(plan->device)->word : NULL,
                                              .data = arguments->globals->output,
                                              .witness = arguments->witness,
                                              .limit = arguments->wishes.until,
                                              .is_broken = is_broken(plan, attacked)};
    TRY(write_files(arguments, attacked, &names));
    if (!output_is_stdout(arguments->json) && !output_is_stdout(arguments->globals->output) &&
        !output_is_stdout(arguments->witness))
        attack_result_print(attacked, &names, stdout, report_colour);
    return OK;
}

static enum status attack(const struct arguments *arguments, const struct attack_plan *plan, struct looking *looking)
{
    FREED_BY(attack_result_free) struct attack_result attacked = {0};
    enum status status;
    looking->ends = clock_of_wall() + plan->seconds;
    TRY_DONE(attack_result_make(&plan->request, &attacked));
    look_for_witness(looking, &attacked, arguments->globals->quiet);
    TRY_DONE(attack_result_shrink(&attacked, plan->aim.limit));
    progress_end(&looking->progress);
    TRY_DONE(write_answer(arguments, plan, &attacked));
    status = is_broken(plan, &attacked) ? LIMIT_BROKEN : OK;
done:
    progress_end(&looking->progress);
    return conclude(&attacked, status);
}

enum status command_attack(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    FREED_BY(attack_plan_free) struct attack_plan plan = {0};
    struct looking looking = {.mutex = PTHREAD_MUTEX_INITIALIZER, .what = "sums"};
    const struct onlooker onlooker = {goes_on, &looking};
    globals->wanted.none = "no method; expected one, like plain/serial; see `ulpscope list methods`";
    TRY(command_parse(&parser, argc, argv, &arguments));
    for (size_t i = 0; i < globals->bare.count; i++)
        command_add_words(&globals->methods, globals->bare.word[i]);
    TRY(attack_plan_make(&arguments.wishes, globals, &plan));
    TRY(check_outputs(&arguments));
    plan.request.onlooker = &onlooker;
    progress_start(&looking.progress, attack_end(&plan.request), 0, globals->quiet);
    return attack(&arguments, &plan, &looking);
}
