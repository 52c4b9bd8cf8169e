/* ulpscope shuffle: the same numbers in many orders. */
#include "src/teach/shuffle/shuffle.h"
#include "data_arguments.h"
#include "src/files/output.h"
#include "src/measure/measure.h"
#include "src/measure/refusals.h"

enum { DEFAULT_PERMUTATIONS = 1000 };

struct arguments {
    struct data_argument data;
    const char *permutations, *first, *json;
};

static const struct argp_option options[] = {
    {"method", 'm', "GLOB", 0,
     "Methods, e.g. kahan/*; !GLOB excludes; repeatable (default: every accumulator in the order serial, and plain in "
     "every order)",
     0},
    {"permutations", TEXT_KEY(permutations), "P", 0,
     "How many orders (default 1000, at most 1M) of at most 16777216 numbers", 0},
    {"first", TEXT_KEY(first), "K", 0, "The orders are shuffled:K, shuffled:K+1, ... (default 1)", 0},
    {"json", TEXT_KEY(json), "FILE", 0, "Write one JSON object (schema ulpscope-shuffle/1) there; - for stdout", 0},
    {"jobs", JOBS_KEY, "N", 0, "Threads (default: one per core); the answer does not depend on them", 0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = command_take_with_plugins,
    .children = data_and_launch_parsers,
    .args_doc = "FILE|SPEC",
    .doc = "Adds the same numbers in many random orders, and counts the different sums.\n\n"
           "Examples:\n"
           "  ulpscope shuffle uniform:n=10000 --permutations 10000\n"
           "  ulpscope shuffle x.npy -m plain/serial -m kahan/serial\n"
           "  ulpscope shuffle gensum:n=1000,cond=1e8 --json -\n"
           "  ulpscope shuffle x.npy::y.npy -m 'dot:plain/*'\v"
           "The default methods answer two questions: what an "
           "accumulator does against the order (all of them in the naive loop), and what a tree does (plain in every "
           "order, where nothing else hides it).  All are replays on the host, or plug-ins; that of an atomic order "
           "lets the blocks arrive in turn.  Order K is order=shuffled:K of a data spec, so that each can be run again "
           "alone; the best and the worst are printed as commands.  docs/explain.md explains every column.\n\n"
           "Exit: 0 fine, however far the sums are apart; 2 usage, bad data or nothing selected; 3 not measured (out "
           "of memory, disk full).",
};

/* ---- what is looked at ---- */

/* Black boxes have no replay, some orders refuse some launches, and not all methods take all formats. */
static enum status leave_out_refusals(struct study *study, struct launch launch, const struct format *stored,
                                      bool quiet)
{
    struct refusals refusals = {0};
    char why[REASON_SIZE], place[64];
    size_t left = 0;
    for (size_t m = 0; m < study->method_count; m++) {
        const struct method *method = study_method_for(study->methods[m], stored);
        if (!method)
            snprintf(why, sizeof why, "not for numbers of %s", stored->name);
        if (method && measure_can_do(method, launch, NULL, why))
            study->methods[left++] = method;
        else
            refusals_add(&refusals, study->methods[m]->id, why);
    }
    snprintf(place, sizeof place, " at %u x %u", launch.blocks, launch.threads);
    refusals_tell(&refusals, "skipping", place, quiet && left > 0);
    study->method_count = left;
    if (left > 0)
        return OK;
    return bad_input("shuffle: no selected method can be replayed with this launch and these data; expected one; "
                     "choose others; see `ulpscope list methods`");
}

/* One exact result is that of all methods. */
static enum status check_operations(const struct study *study)
{
    const struct method *first = study->methods[0];
    for (size_t m = 0; m < study->method_count; m++) {
        const struct method *other = study->methods[m];
        if (other->operation >= VECTOR_OPERATIONS)
            complain("--method: %s makes a matrix; expected a sum or a dot product; choose another", other->id);
        else if (operation_is_per_number(other->operation))
            return command_expect_one_result(other->operation, other->id, "--method");
        else if (operation_table[other->operation].of != operation_table[first->operation].of)
            complain(
                "--method: expected methods that compute one thing, found %s and %s; shuffle for one after the other",
                first->id, other->id);
        else
            continue;
        return BAD_INPUT;
    }
    return OK;
}

static enum status choose_methods(struct arguments *arguments, struct launch launch, const struct format *stored,
                                  struct study *study)
{
    static char serial[] = "*/serial", plain[] = "plain/*";
    char *const usual[] = {serial, plain};
    const struct words *words = &arguments->data.globals->methods;
    TRY(study_select_methods(study, words->count ? words->word : usual, words->count ? words->count : 2, "--method"));
    TRY(check_operations(study));
    return leave_out_refusals(study, launch, stored, arguments->data.globals->quiet);
}

/* ---- warnings: nothing is wrong, but there is little to see ---- */

static void warn(const struct shuffled *shuffled)
{
    const uint64_t n = shuffled->exact.n, permutations = shuffled->request->permutations;
    uint64_t orders;
    if (n < 2)
        fprintf(stderr, "warning: %" PRIu64 " number%s, which ha%s one order; take more\n", n, n == 1 ? "" : "s",
                n == 1 ? "s" : "ve");
    else if (shuffled->all_equal)
        fprintf(stderr, "warning: all %" PRIu64 " numbers are equal, so that every order is the same; take others\n",
                n);
    else if (shuffle_exhausts(n, permutations - 1, &orders))
        fprintf(stderr,
                "warning: %" PRIu64 " numbers have %" PRIu64 " orders, fewer than the %" PRIu64
                " that were asked for; some come several times\n",
                n, orders, permutations);
}

static enum status write_answer(const struct arguments *arguments, const struct shuffled *shuffled)
{
    if (!arguments->data.globals->quiet)
        warn(shuffled);
    if (arguments->json)
        TRY(shuffled_write_json(shuffled, arguments->json));
    if (!output_is_stdout(arguments->json))
        shuffled_print(shuffled, report_colour);
    return OK;
}

static enum status shuffle_with(struct arguments *arguments, struct chosen_data *chosen, struct study *study)
{
    const struct config *config = &arguments->data.globals->config;
    struct shuffle_request request = {.spec = chosen->spec,
                                      .seed = chosen->seed,
                                      .trial = chosen->trial,
                                      .first = 1,
                                      .permutations = DEFAULT_PERMUTATIONS,
                                      .quiet = arguments->data.globals->quiet};
    FREED_BY(shuffled_free) struct shuffled shuffled = {0};
    const struct format *stored;
    TRY(command_read_launch(config, &request.launch));
    TRY(command_read_jobs(config, &request.workers));
    TRY(command_read_count(arguments->permutations, "--permutations", 1, PERMUTATIONS_MOST, &request.permutations));
    TRY(command_read_count(arguments->first, "--first", 0, INT64_MAX - PERMUTATIONS_MOST, &request.first));
    TRY(data_spec_stored_format(chosen->spec, &stored));
    TRY(choose_methods(arguments, request.launch, stored, study));
    const bool two = operation_table[study_operation(study)].vectors > 1;
    TRY(data_spec_set_kind(chosen->spec, two ? TWO_VECTORS : ONE_VECTOR, "shuffle"));
    request.methods = study->methods;
    request.method_count = study->method_count;
    TRY(shuffle_data(&request, &shuffled));
    return write_answer(arguments, &shuffled);
}

/* What a spec says of its n is refused before it is made. */
static enum status check_size(const struct data_spec *spec)
{
    if (!spec->generator || spec->n <= SHUFFLE_MOST_N)
        return OK;
    return bad_input("shuffle: n = %" PRIu64
                     "; expected at most %d, as each order of so many takes seconds; choose such an n",
                     spec->n, SHUFFLE_MOST_N);
}

enum status command_shuffle(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data = {.globals = globals, .takes_two_vectors = true}};
    FREED_BY(chosen_data_free) struct chosen_data chosen = {0};
    FREED_BY(study_free) struct study study = {0};
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(output_check("--json", arguments.json));
    TRY(data_argument_read(&arguments.data, "shuffle", &chosen));
    TRY(check_size(chosen.spec));
    return shuffle_with(&arguments, &chosen, &study);
}
