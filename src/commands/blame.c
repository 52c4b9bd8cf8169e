/* ulpscope blame: which additions of a method lost the bits of a sum, and which elements. */
#include "src/teach/blame/blame.h"
#include "data_arguments.h"
#include "src/files/output.h"
#include "src/measure/operation.h"
#include "src/teach/tree/tree_drawing.h"

enum { JSON, SVG, OUTPUTS };

struct arguments {
    struct data_argument data;
    const char *top;
    const char *outputs[OUTPUTS]; /* in the order of the keys; NULL: not asked for */
};

static const struct argp_option options[] = {
    {"top", TEXT_KEY(top), "K", 0, "List this many additions and elements (default 10)", 0},
    {"json", TEXT_KEY(outputs[JSON]), "FILE", 0, "Write one JSON object (schema ulpscope-blame/1) there; - for stdout",
     0},
    {"svg", TEXT_KEY(outputs[SVG]), "FILE", 0,
     "Draw the tree there, with what each addition lost, of up to 512 elements; - for stdout", 0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = command_take_with_plugins,
    .children = data_and_launch_parsers,
    .args_doc = "METHOD FILE|SPEC",
    .doc = "Says which additions of a method lost the bits of a sum, or of a dot product, and which elements.\n\n"
           "Examples:\n"
           "  ulpscope blame plain/serial x.npy --top 20\n"
           "  ulpscope blame kahan/tree_two_pass swamp:n=64 --blocks 2 --threads 8\n"
           "  ulpscope blame plain/pairwise uniform:n=1e6 --json -\n"
           "  ulpscope blame plain/pairwise uniform:n=24 --svg tree.svg\n"
           "  ulpscope blame dot:plain/serial x.npy::y.npy\v"
           "The local error of every addition is exact, and all of them "
           "with those of products and the last rounding are the error of the sum, as exact numbers: every lost bit is "
           "found.  Up to 16,777,216 elements.  docs/explain.md explains every line, and how elements are charged.\n\n"
           "Exit: 0 fine, whatever was lost; 2 usage or bad file; 3 not measured (out of memory, disk full).",
};

static enum status check_outputs(const char *const *outputs)
{
    const struct output_wish wishes[OUTPUTS] = {{"--json", outputs[JSON]}, {"--svg", outputs[SVG]}};
    return output_check_all(wishes, OUTPUTS);
}

static bool is_silent(const char *const *outputs)
{
    for (size_t i = 0; i < OUTPUTS; i++)
        if (output_is_stdout(outputs[i]))
            return true;
    return false;
}

static enum status write_all(const struct arguments *arguments, const struct blame *blame)
{
    static enum status (*const writers[OUTPUTS])(const struct blame *, const char *) = {blame_write_json,
                                                                                        blame_write_svg};
    for (size_t i = 0; i < OUTPUTS; i++)
        if (arguments->outputs[i])
            TRY(writers[i](blame, arguments->outputs[i]));
    return is_silent(arguments->outputs) ? OK : blame_print(blame, stdout, report_colour);
}

/* What a spec says of its n is refused before it is made. */
static enum status check_request(const struct arguments *arguments, struct tree_request *request, uint64_t n)
{
    request->n = n;
    TRY(additions_possible(request));
    return arguments->outputs[SVG] ? tree_fits("SVG", n, TREE_SVG_MOST_N) : OK; /* before minutes are spent */
}

static enum status answer(const struct arguments *arguments, struct chosen_data *chosen, struct tree_request *request,
                          size_t top)
{
    FREED_BY(blame_free) struct blame blame = {0};
    TRY(check_request(arguments, request, chosen->spec->generator ? chosen->spec->n : 0));
    TRY(chosen_data_make(chosen));
    TRY(command_fit_method(chosen, "blame", &request->method));
    TRY(check_request(arguments, request, chosen->data.n));
    TRY(blame_make(&(struct blame_request){.additions = *request,
                                           .elements = operation_operands(request->method->operation, &chosen->data),
                                           .data = chosen->spec->text,
                                           .seed = chosen->seed,
                                           .trial = chosen->trial,
                                           .top = top},
                   &blame));
    return write_all(arguments, &blame);
}

enum status command_blame(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data = {.globals = globals, .method_count = 1}};
    struct tree_request request = {.family = "blame"};
    FREED_BY(chosen_data_free) struct chosen_data chosen = {0};
    uint64_t top = 10;
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(command_read_count(arguments.top, "--top", 0, BLAME_TOP_MOST, &top));
    TRY(check_outputs(arguments.outputs));
    TRY(command_read_launch(&globals->config, &request.launch));
    TRY(command_read_method(arguments.data.methods[0], "blame", request.launch, &request.method));
    TRY(command_read_vectors(&arguments.data, "blame", request.method, &chosen));
    return answer(&arguments, &chosen, &request, (size_t)top);
}
