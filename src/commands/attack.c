/* ulpscope attack: the data on which a method is least accurate. */
#include "attack_plan.h"
#include "datasets/files/file.h"
#include "plugin_arguments.h"
#include "src/base/clock.h"
#include "src/base/interrupts.h"
#include "src/base/progress.h"
#include "src/files/output.h"
#include "src/teach/attack/attack_result.h"
#include "whole_command.h"

#include <pthread.h>
#include <stdatomic.h>

enum { N = 'n', OUTPUT = 'o' };

struct arguments {
    struct globals *globals;
    struct attack_wishes wishes;
    const char *output, *witness, *json, *svg, *markdown;
};

/* ---- the command line ---- */

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What to attack:", 1},
    {"n", N, "LIST", 0, "Numbers in a sum (default 64); several, as 4,16,256 or 4..4Ki*4, make a table", 1},
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
     "Where (default auto): a GPU adds many candidates at once where a method takes rows, and black boxes", 1},
    {"jobs", JOBS_KEY, "N", 0, "Threads (default: one per core); the result does not depend on them", 1},
    {NULL, 0, NULL, 0, "Where to:", 2},
    {"output", OUTPUT, "FILE", 0,
     "Write the numbers, as .f32 (hex floats, with a comment that says how they were found), .npy ...", 2},
    {"witness", TEXT_KEY(witness), "FILE", 0, "Write the fewest numbers whose error is as large, likewise", 2},
    {"json", TEXT_KEY(json), "FILE", 0, "Write one JSON object (schema ulpscope-attack/1) there; - for stdout", 2},
    {"svg", TEXT_KEY(svg), "FILE", 0, "Draw the error against the calls there", 2},
    {"markdown", TEXT_KEY(markdown), "FILE", 0, "For several methods, or n: write a page on which bounds are tight", 2},
    {0},
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case N:
        arguments->wishes.n = value;
        return 0;
    case OUTPUT:
        arguments->output = value;
        return 0;
    case ARGP_KEY_ARG:
        command_add_words(&arguments->wishes.methods, value, state);
        return 0;
    case ARGP_KEY_NO_ARGS:
        command_usage(state, "no method; expected one, like plain/serial; see `ulpscope list methods`");
        return 0;
    default:
        return command_take_with_plugins(key, value, state);
    }
}

static const struct argp parser = {
    .options = options,
    .parser = parse_key,
    .children = plugin_parsers,
    .args_doc = "METHOD...",
    .doc =
        "Searches for the data on which a method is least accurate.\n\n"
        "Examples:\n"
        "  ulpscope attack kahan/serial\n"
        "  ulpscope attack plain/tree_two_pass --n 1024 --blocks 2 -o worst.f32\n"
        "  ulpscope attack --plugin ./libmine.so mine/loop --until 4ulp\n"
        "  ulpscope attack 'kahan/*' --n 4,16,256 --budget 1e4\v"
        "First come the families of data that are made for the "
        "method's order, then changes of signs, exponents, order and mantissas, kept where the exact error grows; then "
        "numbers and bits are taken away while the error stays.  Several METHODs, which may be globs, and several n "
        "make a table.  The same seed gives the same numbers.  docs/attack.md says how to read the answer.\n\n"
        "Exit: 0 fine, however large the error is; 1 the limit of --until was broken, or a plug-in failed on numbers "
        "that were found; 2 usage; 3 not measured (out of memory, disk full); 4 no such device; 130 interrupted, with "
        "the best find so far.",
};

/* ---- how far it is ---- */

/* Searches, or the look for the witness of one. */
struct looking {
    struct progress progress;
    pthread_mutex_t mutex; /* of the progress */
    atomic_ullong sums;
    uint64_t first;     /* how many there were when it */
    double began;       /* was; 0: none is known */
    double ends, later; /* when this one does; what those behind it may take */
    const char *what;
};

static bool goes_on(void *context, uint64_t more)
{
    struct looking *looking = context;
    struct progress *progress = &looking->progress;
    const uint64_t done = atomic_fetch_add(&looking->sums, more);
    const double now = clock_of_wall();
    if (pthread_mutex_trylock(&looking->mutex) == 0) { /* while one says it, the others go on */
        if (looking->first == 0 && done > 0) {         /* behind those that show the tree */
            looking->first = done;
            looking->began = now;
        }
        const double each = done > looking->first ? (now - looking->began) / (double)(done - looking->first) : INFINITY;
        const double left = done < progress->total ? each * (double)(progress->total - done) : 0;
        progress_say(progress, done, looking->what, fmin(left, looking->ends - now + looking->later));
        pthread_mutex_unlock(&looking->mutex);
    }
    return !interrupted() && now < looking->ends;
}

/* Number `attack` of so many. */
static void look_for(struct looking *looking, const struct attack_plan *plan, size_t attack, size_t count)
{
    looking->sums = attack * attack_end(&plan->request);
    looking->ends = clock_of_wall() + plan->seconds;
    looking->later = attack + 1 < count ? (double)(count - attack - 1) * plan->seconds : 0;
}

/* It takes no more sums than the search, and so hardly more time. */
static void look_for_witness(struct looking *looking, const struct attack_result *attacked, bool quiet)
{
    progress_end(&looking->progress);
    progress_start(&looking->progress, attack_end(&attacked->request), 0, quiet);
    looking->what = "sums at most, for the fewest numbers";
    looking->sums = looking->first = 0;
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

/* ---- the answer ---- */

static bool is_one(const struct attack_plan *plan)
{
    return plan->study.method_count * plan->size_count == 1;
}

/* Files are of one attack, the page is of several. */
static enum status check_outputs(const struct arguments *arguments, const struct attack_plan *plan)
{
    const struct output_wish wishes[] = {{"--output", arguments->output},
                                         {"--witness", arguments->witness},
                                         {"--json", arguments->json},
                                         {"--svg", arguments->svg},
                                         {"--markdown", arguments->markdown}};
    for (size_t w = 0; w < sizeof wishes / sizeof *wishes; w++) {
        const bool of_one = wishes[w].path == arguments->output || wishes[w].path == arguments->witness ||
                            wishes[w].path == arguments->svg;
        if (wishes[w].path && wishes[w].path != arguments->json && of_one != is_one(plan))
            return bad_input("%s: expected %s, found %zu; choose others, or leave it out", wishes[w].flag,
                             of_one ? "one method and one n" : "several methods or several n",
                             plan->study.method_count * plan->size_count);
    }
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
        whole_command(arguments->globals, (const char *[2]){arguments->wishes.time, arguments->wishes.end}, NULL);
    return text_made("%s --end %" PRIu64, command, attacked->find.calls);
}

static enum status write_files(const struct arguments *arguments, const struct attack_result *attacked,
                               const struct attack_result_names *names)
{
    if (arguments->output)
        TRY(attack_result_write_data(attacked, names));
    if (arguments->witness && attacked->witness.n > 0)
        TRY(attack_result_write_witness(attacked, names));
    if (arguments->svg)
        TRY(attack_result_write_svg(attacked, arguments->svg));
    if (arguments->json)
        TRY(attack_result_write_json(attacked, 1, names, arguments->json));
    return OK;
}

static enum status write_one(const struct arguments *arguments, const struct attack_plan *plan,
                             const struct attack_result *attacked)
{
    OWNED char *again = command_again(arguments, attacked);
    const struct attack_result_names names = {.command = again,
                                              .device = plan->device ? device_facts(plan->device)->word : NULL,
                                              .data = arguments->output,
                                              .witness = arguments->witness,
                                              .limit = arguments->wishes.until,
                                              .is_broken = is_broken(plan, attacked)};
    TRY(write_files(arguments, attacked, &names));
    if (!output_is_stdout(arguments->json) && !output_is_stdout(arguments->output) &&
        !output_is_stdout(arguments->witness) && !output_is_stdout(arguments->svg))
        attack_result_print(attacked, &names, stdout, report_colour);
    return OK;
}

static enum status attack_one(const struct arguments *arguments, const struct attack_plan *plan,
                              struct looking *looking)
{
    const struct attack_request request = attack_plan_request(plan, 0, 0);
    FREED_BY(attack_result_free) struct attack_result attacked = {0};
    enum status status;
    look_for(looking, plan, 0, 1);
    TRY_DONE(attack_result_make(&request, &attacked));
    TRY_DONE(attack_result_compare(&attacked));
    look_for_witness(looking, &attacked, arguments->globals->quiet);
    TRY_DONE(attack_result_shrink(&attacked, plan->aim.limit));
    progress_end(&looking->progress);
    TRY_DONE(write_one(arguments, plan, &attacked));
    status = is_broken(plan, &attacked) ? LIMIT_BROKEN : OK;
done:
    progress_end(&looking->progress);
    return conclude(&attacked, status);
}

static enum status write_all(const struct arguments *arguments, const struct attack_table *table, bool is_whole)
{
    const struct attack_result_names names = {.command = arguments->globals->command_line};
    if (arguments->markdown && is_whole)
        TRY(attack_table_write_page(table, arguments->markdown));
    if (arguments->json)
        TRY(attack_result_write_json(table->attacks, table->methods * table->sizes, &names, arguments->json));
    if (!output_is_stdout(arguments->json) && !output_is_stdout(arguments->markdown))
        attack_table_print(table, stdout, report_colour);
    return OK;
}

/* One that found nothing in its time, or was not begun, is a gap. */
static enum status attack_all(const struct arguments *arguments, const struct attack_plan *plan,
                              struct looking *looking)
{
    const size_t count = plan->study.method_count * plan->size_count;
    struct attack_table table = {memory_cleared(count, sizeof *table.attacks), plan->study.method_count,
                                 plan->size_count, plan->aim.limit, arguments->globals->command_line};
    enum status status = OK, worst = OK;
    looking->progress.total *= count;
    for (size_t a = 0; a < count; a++)
        table.attacks[a].request = attack_plan_request(plan, a / plan->size_count, a % plan->size_count);
    for (size_t a = 0; a < count && worst != INTERRUPTED && status == OK; a++) {
        struct attack_result *attacked = &table.attacks[a];
        const struct attack_request request = attacked->request;
        look_for(looking, plan, a, count);
        status = attack_result_make(&request, attacked);
        if (status == OK && worst == OK && is_broken(plan, attacked))
            worst = LIMIT_BROKEN;
        if (status == INTERRUPTED || attacked->is_interrupted) {
            progress_end(&looking->progress);
            worst = conclude(attacked, status);
            status = OK;
        }
    }
    progress_end(&looking->progress);
    if (status == OK)
        status = write_all(arguments, &table, worst != INTERRUPTED);
    for (size_t a = 0; a < count; a++)
        attack_result_free(&table.attacks[a]);
    free(table.attacks);
    return status == OK ? worst : status;
}

enum status command_attack(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    FREED_BY(attack_plan_free) struct attack_plan plan = {0};
    struct looking looking = {.mutex = PTHREAD_MUTEX_INITIALIZER, .what = "sums"};
    const struct onlooker onlooker = {goes_on, &looking};
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(attack_plan_make(&arguments.wishes, globals, &plan));
    TRY(check_outputs(&arguments, &plan));
    plan.request.onlooker = &onlooker;
    progress_start(&looking.progress, attack_end(&plan.request), 0, globals->quiet);
    return is_one(&plan) ? attack_one(&arguments, &plan, &looking) : attack_all(&arguments, &plan, &looking);
}
