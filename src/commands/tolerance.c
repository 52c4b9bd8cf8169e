/* ulpscope tolerance: which tolerance may a test have? */
#include "src/tolerance/tolerance.h"
#include "data_arguments.h"
#include "src/base/suggest.h"
#include "src/files/output.h"

enum { DATA = 'd', DIMENSIONS = 3 };

struct arguments {
    struct globals *globals;
    char *shape;
    const char *data, *scale, *condition, *order, *rtol, *atol, *trials, *json;
    bool attack;
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "What is tested:", 1},
    {"n", 'n', "N", 0, "Terms of a result (default: those of the data, or 4096)", 1},
    {"shape", TEXT_KEY(shape), "RxN|RxNxC", 0, "Of rows: rows x numbers; of matmul: A is R x N, B is N x C", 1},
    {"data", DATA, "FILE|SPEC", 0, "The data; the flag may be left out", 1},
    {"scale", TEXT_KEY(scale), "X", 0, "Instead of data: numbers of both signs up to X", 1},
    {"condition", TEXT_KEY(condition), "C", 0,
     "Instead of data: numbers of a condition up to C, not of fp8 (default 1)", 1},
    {"order", TEXT_KEY(order), "height=H|pairwise|blocked=B|chains=C|METHOD", 0,
     "What is known of the order: one of these, an order, or a method like kahan/serial or its alias", 1},
    {"rtol", TEXT_KEY(rtol), "R", 0, "A tolerance that a test has already: what passes it, and does a correct sum?", 1},
    {"atol", TEXT_KEY(atol), "A", 0, "Its absolute part; 0 where one of both is left out", 1},
    {NULL, 0, NULL, 0, "What is tried:", 2},
    {"trials", TEXT_KEY(trials), "T", 0, "Data sets to draw (default: up to 100, of some 2^23 numbers)", 2},
    {"attack", FLAG_KEY(attack), NULL, 0, "Of sums: search for the worst numbers, too, which takes a minute", 2},
    {"seed", SETTING_KEY + SETTING_SEED, "S", 0, "Seed of the data (default 1)", 2},
    {"jobs", JOBS_KEY, "N", 0, "Threads (default: one per core); the answer does not depend on them", 2},
    {"json", TEXT_KEY(json), "FILE", 0, "Write one JSON object (schema ulpscope-tolerance/1) there; - for stdout", 2},
    {0},
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (key != DATA)
        return command_take_with_plugins(key, value, state);
    arguments->data = value;
    return 0;
}

static const struct argp parser = {
    .options = options,
    .parser = parse_key,
    .children = plugin_parsers,
    .args_doc = "OPERATION[@FORMAT]|rows [FILE|SPEC]",
    .doc = "Prints the tolerance that a test of a sum may have: what is proven, what was measured, and which faults "
           "would still pass.\n\n"
           "Examples:\n"
           "  ulpscope tolerance sum -n 1e6                          numbers of one sign\n"
           "  ulpscope tolerance sum normal:n=1000 --order pairwise  in a known tree\n"
           "  ulpscope tolerance dot@bfloat16 -n 4096 --scale 3\n"
           "  ulpscope tolerance matmul@binary16 --shape 64x256x64\n"
           "  ulpscope tolerance variance normal:n=1000              by any algorithm\n"
           "  ulpscope tolerance sum x.npy --order kahan/serial      a file, a method\n"
           "  ulpscope tolerance sum -n 1e4 --rtol 1e-3              a test's own\n"
           "  ulpscope tolerance sum -n 1e4 --plugin ./libmine.so    what mine did\v"
           "OPERATION is sum, rows, dot, norm2, matmul, or another of `ulpscope list operations`; FORMAT is one of "
           "`ulpscope list formats`, default binary32 or that of a file.  A number is proven where the table says "
           "theorem; where no theorem claims anything, it is several times what was measured, and the answer says so.  "
           "docs/tolerance.md has the proof.  Of a file, rows are those of x.npy:axis=-1; without an axis it is one "
           "row.\n\n"
           "Exit: 0 fine, also where there is no claim; 2 usage or bad file; 3 not measured (out of memory, disk "
           "full); 4 no such device.",
};

static enum status read_number(const char *text, const char *flag, double least, double *value)
{
    const char *const wrong = text ? read_real(text, value) : NULL;
    if (!wrong && (!text || *value >= least))
        return OK;
    return bad_input("%s: \"%s\" %s; expected a number from %g to 1e308", flag, text, wrong ? wrong : "is too small",
                     least);
}

/* "64x256x64", which is cut in place. */
static enum status read_shape(char *text, size_t wanted, uint64_t shape[DIMENSIONS])
{
    size_t count = 0;
    for (char *word; (word = strsep(&text, "x")); count++)
        if (count < wanted)
            TRY(command_read_count(word, "--shape", 1, UINT64_C(1) << 28, &shape[count]));
    if (count == wanted)
        return OK;
    return bad_input("--shape: found %zu numbers; expected %s", count,
                     wanted == 2 ? "rows x numbers, like 32x1000" : "rows x terms x columns, like 64x256x64");
}

/* "dot@bfloat16": *format stays NULL where none is said. */
static enum status read_operation(char *text, struct tolerance_request *request)
{
    const char *known[OPERATIONS + 1] = {"rows"};
    char *const at = strchr(text, '@');
    for (int o = 0; o < OPERATIONS; o++)
        known[o + 1] = operation_table[o].id;
    request->formats = at ? sum_format_find(at + 1) : NULL;
    if (at && !request->formats)
        return bad_input("tolerance: \"%s\" has no format; expected one of `ulpscope list formats`; choose one", text);
    if (at)
        *at = '\0';
    request->word = text;
    request->operation = strcmp(text, "rows") == 0 ? OPERATION_sum : operation_named(text);
    if (request->operation == OPERATIONS)
        return refuse_unknown("tolerance", "operation", text, known, OPERATIONS + 1);
    request->is_family = is_statistic(request->operation) && strcmp(operation_table[request->operation].id, text) != 0;
    for (int o = FIRST_STATISTIC; o < VECTOR_OPERATIONS && request->is_family; o++) {
        const char *const dot = strchr(operation_table[o].id, '.');
        if (operation_table[o].of == operation_table[request->operation].of && dot && strcmp(dot, ".two_pass") == 0)
            request->operation = (enum operation)o; /* the one that others are beside */
    }
    return OK;
}

/* Numbers of one sign, or of the scale or condition that is given. */
static char *usual_data(const struct arguments *arguments, const struct tolerance_request *request,
                        const uint64_t shape[DIMENSIONS])
{
    const bool is_matrix = request->operation >= VECTOR_OPERATIONS;
    const bool is_pair = operation_table[request->operation].vectors > 1 && !is_matrix;
    struct text text = {0};
    if (request->condition > 1)
        return text_made("gensum:n=%" PRIu64 ",cond=%s%s", request->n, arguments->condition,
                         is_pair ? "::const:value=1" : "");
    text_append(&text, "uniform:n=%" PRIu64, request->n);
    if (is_matrix)
        text_append(&text, ",rows=%" PRIu64 ",columns=%" PRIu64, shape[0], shape[2]);
    if (arguments->scale)
        text_append(&text, ",low=-%s,high=%s", arguments->scale, arguments->scale);
    if (is_pair)
        text_append(&text, "::uniform");
    if (is_pair && arguments->scale)
        text_append(&text, ":low=-%s,high=%s", arguments->scale, arguments->scale);
    return text_take(&text);
}

/* In the format that is asked for, or that a file has. */
static enum status read_data(struct globals *globals, const char *text, struct tolerance_request *request,
                             struct chosen_data *chosen)
{
    const struct format *stored = request->formats ? request->formats->stored : NULL;
    const struct data_argument argument = {.globals = globals,
                                           .text = text,
                                           .format = stored && !strstr(text, "convert=") ? stored->name : NULL,
                                           .nonfinite = NONFINITE_IEEE,
                                           .takes_two_vectors = true};
    const enum data_kind kind = request->operation >= VECTOR_OPERATIONS           ? TWO_MATRICES
                                : operation_table[request->operation].vectors > 1 ? TWO_VECTORS
                                                                                  : ONE_VECTOR;
    TRY(data_argument_read(&argument, "tolerance", chosen));
    TRY(data_spec_set_kind(chosen->spec, kind, "tolerance"));
    TRY(data_spec_stored_format(chosen->spec, &stored));
    request->formats = request->formats ? request->formats : sum_format_of(stored, NULL);
    request->spec = chosen->spec;
    request->seed = chosen->seed;
    if (strcmp(request->formats->stored->name, stored->name) == 0)
        return OK;
    return bad_input("tolerance: %s holds %s, and %s@%s adds %s; expected the same; name another format", text,
                     stored->name, request->word, request->formats->id, request->formats->stored->name);
}

static enum status read_order(const struct arguments *arguments, struct tolerance_request *request)
{
    char why[TREE_WHY_SIZE];
    const struct method *method;
    request->order = arguments->order;
    if (!arguments->order)
        return OK;
    const bool is_word = tree_word_read(arguments->order, &request->tree, why);
    if (is_word) {
        request->launch = request->tree.launch.blocks > 0 ? request->tree.launch : request->launch;
        return OK;
    }
    if (!strchr(arguments->order, '/') && !method_find(arguments->order))
        return bad_input("--order: %s; or a method or its alias, like kahan/serial or kahan", why);
    TRY(command_read_method(arguments->order, "--order", request->launch, &method));
    method = method_in(method, request->formats);
    request->method = method ? method_of_operation(method, operation_table[request->operation].terms) : NULL;
    if (request->method && request->method->replay)
        return OK;
    return bad_input("--order: %s is not there for %s@%s; expected one of `ulpscope list methods`; choose another",
                     arguments->order, request->word, request->formats->id);
}

/* The plug-ins' methods that do what is asked. */
static enum status take_plugins(struct tolerance_request *request)
{
    size_t plugins, count;
    struct plugin *const *const all = plugins_loaded(&plugins);
    for (size_t p = 0; p < plugins; p++) {
        const struct method *const *const methods = plugin_methods(all[p], &count);
        request->methods =
            memory_resized(request->methods, (request->method_count + count + 1) * sizeof *request->methods);
        for (size_t m = 0; m < count; m++)
            if (methods[m]->operation == request->operation && methods[m]->sum_format == request->formats)
                request->methods[request->method_count++] = methods[m];
    }
    if (plugins == 0 || request->method_count > 0)
        return OK;
    return bad_input("tolerance: no plug-in does %s@%s; expected one that does; name another operation or format",
                     request->word, request->formats->id);
}

static enum status read_counts(const struct arguments *arguments, struct tolerance_request *request,
                               uint64_t shape[DIMENSIONS])
{
    const struct config *const config = &arguments->globals->config;
    const bool is_matrix = request->operation >= VECTOR_OPERATIONS;
    request->n = is_matrix ? 256 : 4096;
    TRY(command_read_count(arguments->globals->n, "--n", 0, UINT64_C(1) << 28, &request->n));
    shape[0] = shape[1] = shape[2] = request->n;
    if (arguments->shape)
        TRY(read_shape(arguments->shape, is_matrix ? DIMENSIONS : 2, shape));
    request->n = shape[1];
    if (arguments->shape && !is_matrix)
        request->trials = shape[0];
    TRY(command_read_count(arguments->trials, "--trials", 1, 1000000, &request->trials));
    TRY(read_number(arguments->scale, "--scale", 0, &request->scale));
    TRY(read_number(arguments->condition, "--condition", 1, &request->condition));
    if (arguments->rtol || arguments->atol)
        request->given = (struct tolerance_pair){0, 0};
    TRY(read_number(arguments->rtol, "--rtol", 0, &request->given.relative));
    TRY(read_number(arguments->atol, "--atol", 0, &request->given.absolute));
    TRY(command_read_launch(config, &request->launch));
    return command_read_jobs(config, &request->workers);
}

static enum status check_wishes(const struct arguments *arguments, const char *data,
                                const struct tolerance_request *request)
{
    const bool is_rows = strcmp(request->word, "rows") == 0, is_matrix = request->operation >= VECTOR_OPERATIONS;
    const char *const wrong =
        data && (arguments->globals->n || arguments->shape || arguments->scale || arguments->condition)
            ? "-n, --shape, --scale and --condition stand for data; found data as well"
        : arguments->shape && !is_rows && !is_matrix ? "--shape is of rows and of matrix products"
        : arguments->globals->n && arguments->shape  ? "-n is the second number of --shape"
        : arguments->scale && arguments->condition
            ? "--scale is of numbers of no known condition, and --condition is given"
        : request->condition > 1 && is_matrix
            ? "--condition is of one result, and each element of a product has its own; ask for "
              "that of dot, which holds for each"
        : request->condition > 1 && operation_table[request->operation].of > PRODUCTS
            ? "--condition is of sums and dot products; sums of squares, and norms, have 1"
        : request->condition > 1 && request->n == 1 ? "--condition is of two numbers and more"
        : request->condition > 1 && request->formats && request->formats->stored->bytes == 1
            ? "--condition is of formats of 16 bits and more"
        : arguments->attack && request->operation != OPERATION_sum ? "--attack is of sums"
                                                                   : NULL;
    if (!wrong)
        return OK;
    return bad_input("tolerance: %s; leave it out", wrong);
}

/* Of what nothing is known, and of no numbers, nothing is tried. */
static enum status answer(const struct arguments *arguments, const char *data, struct tolerance_request *request)
{
    uint64_t shape[DIMENSIONS];
    FREED_BY(chosen_data_free) struct chosen_data chosen = {0};
    FREED_BY(tolerance_free) struct tolerance tolerance = {0};
    TRY(read_counts(arguments, request, shape));
    TRY(check_wishes(arguments, data, request));
    OWNED char *usual = data ? NULL : usual_data(arguments, request, shape);
    if (data || request->n > 0)
        TRY(read_data(arguments->globals, data ? data : usual, request, &chosen));
    request->formats = request->formats ? request->formats : sum_formats[0];
    request->absent = !request->spec
                          ? "there are no numbers"
                          : method_absent(operation_table[request->operation].terms, request->formats, "plain");
    if (!request->absent)
        TRY(read_order(arguments, request));
    TRY(take_plugins(request));
    request->has_attack = arguments->attack;
    TRY(tolerance_make(request, &tolerance));
    if (arguments->json)
        TRY(tolerance_write_json(&tolerance, arguments->json));
    if (!output_is_stdout(arguments->json))
        tolerance_print(&tolerance, stdout, report_colour);
    return OK;
}

enum status command_tolerance(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    struct tolerance_request request = {.scale = NAN, .condition = NAN, .given = {NAN, NAN}};
    TRY(command_parse(&parser, argc, argv, &arguments));
    if (globals->bare.count == 0)
        command_usage("no operation; expected one, like sum or dot@bfloat16");
    if (globals->bare.count > (arguments.data ? 1 : 2))
        command_usage("\"%s\": a second data set; expected one", globals->bare.word[globals->bare.count - 1]);
    TRY(output_check("--json", arguments.json));
    TRY(read_operation(globals->bare.word[0], &request));
    const enum status status =
        answer(&arguments, globals->bare.count > 1 ? globals->bare.word[1] : arguments.data, &request);
    free(request.methods);
    return status;
}
