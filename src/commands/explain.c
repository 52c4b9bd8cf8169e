/* ulpscope explain: why two methods give different sums of the same data. */
#include "src/teach/explain/explain.h"
#include "data_arguments.h"
#include "src/files/output.h"

enum { TOP_MOST = 1000 };

struct arguments {
    struct data_argument data;
    const char *top, *witness, *most_additions, *json;
};

static const struct argp_option options[] = {
    {"top", TEXT_KEY(top), "K", 0, "List this many additions per method in which they part (default 3)", 0},
    {"witness", TEXT_KEY(witness), "FILE", 0,
     "Write the fewest numbers on which they differ there, as .f32 (hex floats, with a comment that says what they "
     "are), .npy ...",
     0},
    {"most-additions", TEXT_KEY(most_additions), "N", 0,
     "Give up looking for fewer numbers, or simpler ones, after this many additions (default 2e9: some 5 s)", 0},
    {"json", TEXT_KEY(json), "FILE", 0, "Write one JSON object (schema ulpscope-explain/1) there; - for stdout", 0},
    {"jobs", JOBS_KEY, "N", 0, "Threads (default: one per core); the result does not depend on them", 0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = command_take_with_plugins,
    .children = data_and_launch_parsers,
    .args_doc = "METHOD METHOD FILE|SPEC",
    .doc = "Says why two methods give different sums, or dot products, of the same data: which one is nearer to the "
           "exact sum, where their additions part, and the fewest numbers on which they still differ.\n\n"
           "Examples:\n"
           "  ulpscope explain plain/serial plain/tree_two_pass --data uniform:n=1e4\n"
           "  ulpscope explain naive kahan --data x.npy --witness w.f32\n"
           "  ulpscope explain plain/serial plain/pairwise --data x.npy --json -\n"
           "  ulpscope explain dot:plain/serial dot_fma:plain/serial x.npy::y.npy\v"
           "Elements are removed while the "
           "methods still differ, until each that is left is needed; then their bits, signs and exponents are "
           "simplified.  docs/explain.md says how.  The order of a plug-in is found from its sums; black boxes that "
           "only a GPU runs are refused.\n\n"
           "Exit: 0 fine, whether they differ or not; 2 usage, a bad file or a black box; 3 not measured (out of "
           "memory, disk full).",
};

/* However they make their products. */
static enum status check_operations(const struct arguments *arguments, const struct explain_request *request)
{
    const struct operation_row *const rows[] = {&operation_table[request->method[0]->operation],
                                                &operation_table[request->method[1]->operation]};
    if (rows[0]->of != rows[1]->of)
        complain("explain: %s and %s do not compute the same; expected two sums, or two dot products; choose others",
                 request->method[0]->id, request->method[1]->id);
    else if (arguments->witness && rows[0]->vectors > 1)
        complain("--witness: found %s, which takes pairs; expected a sum, whose numbers one file holds; write --json, "
                 "which has the pairs",
                 request->method[0]->id);
    else
        return OK;
    return BAD_INPUT;
}

static enum status read_request(const struct arguments *arguments, struct explain_request *request)
{
    const struct config *config = &arguments->data.globals->config;
    *request = (struct explain_request){.top = EXPLAIN_TOP, .most_additions = EXPLAIN_MOST_ADDITIONS};
    TRY(command_read_launch(config, &request->launch));
    TRY(command_read_jobs(config, &request->workers));
    for (int m = 0; m < 2; m++)
        TRY(command_read_method(arguments->data.methods[m], "explain", request->launch, &request->method[m]));
    TRY(check_operations(arguments, request));
    TRY(command_read_count(arguments->top, "--top", 0, TOP_MOST, &request->top));
    TRY(command_read_count(arguments->most_additions, "--most-additions", 1, INT64_MAX, &request->most_additions));
    return OK;
}

/* What a spec says of its n is refused before it is made. */
static enum status check_size(const struct explain_request *request, const struct data_spec *spec)
{
    const uint64_t n = spec->generator ? spec->n : 0;
    for (int m = 0; m < 2; m++)
        TRY(additions_possible(&(struct tree_request){"explain", request->method[m], n, request->launch}));
    return OK;
}

/* Before minutes of work. */
static enum status check_outputs(const struct arguments *arguments)
{
    const struct output_wish wishes[] = {{"--json", arguments->json}, {"--witness", arguments->witness}};
    return output_check_all(wishes, sizeof wishes / sizeof *wishes);
}

/* ---- the answer ---- */

static enum status answer(const struct arguments *arguments, const struct chosen_data *chosen,
                          struct explain_request *request)
{
    const struct explain_names names = {
        .data = chosen->spec->text, .command = arguments->data.globals->command_line, .witness = arguments->witness};
    FREED_BY(explain_free) struct explanation explanation = {0};
    for (int m = 0; m < 2; m++)
        TRY(command_fit_method(chosen, "explain", &request->method[m]));
    request->format = chosen->data.format;
    request->x = chosen->data.x;
    request->y = chosen->data.y;
    request->n = chosen->data.n;
    TRY(explain_make(request, &explanation));
    if (arguments->witness && explanation.data.differ)
        TRY(explain_write_witness(&explanation, &names));
    else if (arguments->witness && !arguments->data.globals->quiet)
        clean_line(stderr, "warning: both give the same bits, so that there is no witness; %s is not written",
                   arguments->witness);
    if (arguments->json)
        TRY(explain_write_json(&explanation, &names, arguments->json));
    if (!output_is_stdout(arguments->json) && !output_is_stdout(arguments->witness))
        explain_print(&explanation, &names, stdout);
    return OK;
}

enum status command_explain(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data = {.globals = globals, .method_count = 2}};
    struct explain_request request;
    FREED_BY(chosen_data_free) struct chosen_data chosen = {0};
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(read_request(&arguments, &request));
    TRY(check_outputs(&arguments));
    TRY(command_read_vectors(&arguments.data, "explain", request.method[0], &chosen));
    TRY(check_size(&request, chosen.spec));
    TRY(chosen_data_make(&chosen));
    return answer(&arguments, &chosen, &request);
}
