/* ulpscope tree: in which order a method adds n elements, and what that does to given data. */
#include "data_arguments.h"
#include "src/files/output.h"
#include "src/measure/operation.h"
#include "src/teach/tree/tree_answer.h"
#include "src/teach/tree/tree_drawing.h"
#include "src/teach/tree/tree_labels.h"
#include "tree_probe.h"

struct arguments {
    struct data_argument data; /* its text is NULL without --data */
    bool summary, probe;
    const char *svg, *json; /* files; NULL: not asked for */
};

static const struct argp_option options[] = {
    {NULL, 'n', "N", 0, "Number of elements: at most 16777216; in lines 128, in SVG 512, in JSON 65536", 0},
    {"summary", FLAG_KEY(summary), NULL, 0, "Describe the tree instead of drawing it, which is for any n", 0},
    {"probe", FLAG_KEY(probe), NULL, 0,
     "Find the order from sums alone: of the kernel on a GPU, of the replay, or of a plug-in", 0},
    {"device", SETTING_KEY + SETTING_DEVICE, "auto|host|cuda:N", 0,
     "With --probe: where (default auto: a GPU if there is one)", 0},
    {"svg", TEXT_KEY(svg), "FILE", 0, "Draw a picture there instead", 0},
    {"json", TEXT_KEY(json), "FILE", 0, "Write one JSON object (schema ulpscope-tree/1) there instead", 0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = command_take_with_plugins,
    .children = data_and_launch_parsers,
    .args_doc = "METHOD [FILE|SPEC]",
    .doc = "Draws the order in which a method adds: which elements meet, and after how many others.\n\n"
           "Examples:\n"
           "  ulpscope tree plain/serial -n 8\n"
           "  ulpscope tree plain/tree_two_pass -n 37 --blocks 2 --threads 4\n"
           "  ulpscope tree plain/serial --data uniform:n=16     where are bits lost?\n"
           "  ulpscope tree dot:plain/serial --data normal:n=16::normal\n"
           "  ulpscope tree plain/pairwise_1 -n 64 --svg tree.svg\n"
           "  ulpscope tree plain/pairwise -n 1M --summary\n"
           "How does a black box add, or a matrix product along k?\n"
           "  ulpscope tree cub/device_reduce -n 1000 --probe --summary\n"
           "  ulpscope tree matmul:hopper_wgmma/chain@e4m3 -n 96 --probe\v"
           "Lines: an element per line; a join stands at "
           "the end of its right operand, and a vertical line is a running sum, read downward.  With data, whose n is "
           "the tree's, each join shows what it makes, its local error (what it makes less the exact sum of its "
           "operands) and how many bits of that exact sum fell off.  - is stdout.\n\n"
           "--probe asks for sums of chosen numbers and builds the tree from them (docs/explain.md).\n\n"
           "Exit: 0 fine; 1 a kernel adds in another order than the declared one; 2 usage, a bad file, too many "
           "elements to draw, a black box without --probe, or sums that show no order; 3 not measured (out of memory, "
           "disk full); 4 no such device.",
};

/* ---- what is asked for ---- */

/* Lines are drawn where nothing else is asked for. */
static bool are_lines_drawn(const struct arguments *arguments)
{
    return !arguments->summary && !arguments->svg && !arguments->json;
}

/* Beside --json - the object is the summary. */
static bool is_summary_printed(const struct arguments *arguments)
{
    return arguments->summary && !output_is_stdout(arguments->json);
}

static enum status check_outputs(const struct arguments *arguments)
{
    const struct output_wish wishes[] = {{"--summary", is_summary_printed(arguments) ? "-" : NULL},
                                         {"--svg", arguments->svg},
                                         {"--json", arguments->json}};
    return output_check_all(wishes, sizeof wishes / sizeof *wishes);
}

/* Before a tree is made that nobody could draw. */
static enum status check_size(const struct arguments *arguments, uint64_t n)
{
    if (are_lines_drawn(arguments))
        TRY(tree_fits("lines", n, TREE_LINES_MOST_N));
    if (arguments->svg)
        TRY(tree_fits("SVG", n, TREE_SVG_MOST_N));
    return arguments->json && !arguments->summary ? tree_fits("JSON", n, TREE_JSON_MOST_N) : OK;
}

/* Likewise before data are made: what a spec says of its n. */
static enum status check_spec(const struct arguments *arguments, struct tree_request *request,
                              const struct data_spec *spec)
{
    request->n = spec->generator ? spec->n : 0;
    TRY(check_size(arguments, request->n));
    return additions_possible(request);
}

static enum status read_method(const struct arguments *arguments, struct tree_request *request)
{
    TRY(command_read_launch(&arguments->data.globals->config, &request->launch));
    TRY(command_read_method(arguments->data.methods[0], "tree", request->launch, &request->method));
    if (!method_is_on_host(request->method))
        return bad_input("tree: %s is a black box, which declares no order; `ulpscope tree %s -n %s --probe` finds it "
                         "out by adding numbers",
                         request->method->id, request->method->id,
                         arguments->data.globals->n ? arguments->data.globals->n : "64");
    return OK;
}

static enum status read_n(const struct arguments *arguments, const struct dataset *data, uint64_t *n)
{
    uint64_t given = data->n;
    if (arguments->data.globals->n)
        TRY(command_read_count(arguments->data.globals->n, "-n", 0, SUM_TREE_MOST_N, &given));
    *n = given;
    if (!arguments->data.globals->n && !arguments->data.text)
        complain("tree: how many elements? expected -n N, or --data; try `ulpscope tree %s -n 16`",
                 arguments->data.methods[0]);
    else if (arguments->data.text && given != data->n)
        complain("tree: -n %s, but %s has %" PRIu64 " elements; expected the same; leave -n out",
                 arguments->data.globals->n, arguments->data.text, data->n);
    else
        return OK;
    return BAD_INPUT;
}

static enum status draw(const struct arguments *arguments, const struct tree_answer *answer)
{
    FREED_BY(tree_labels_free) struct tree_labels labels = {0};
    OWNED char *title = tree_answer_title(answer);
    if (answer->additions)
        TRY(tree_labels_make(answer->additions, arguments->svg ? TREE_LABELS_STACKED : TREE_LABELS_IN_COLUMNS,
                             &labels));
    const struct tree_drawing drawing = tree_labels_drawing(&labels, answer->tree, title);
    if (arguments->svg)
        return tree_draw_file(&drawing, tree_draw_svg, arguments->svg);
    TRY(tree_draw_lines(&drawing, stdout));
    tree_write_notes(answer, stdout);
    return OK;
}

static enum status write_all(const struct arguments *arguments, struct tree_answer *answer)
{
    TRY(tree_summary_make(answer->tree, &answer->summary));
    answer->summary_only = arguments->summary;
    if (arguments->svg || are_lines_drawn(arguments))
        TRY(draw(arguments, answer));
    if (arguments->json)
        TRY(tree_write_json(answer, arguments->json));
    if (is_summary_printed(arguments))
        tree_write_summary(answer, stdout);
    return OK;
}

/* ---- the tree, with data and without ---- */

static enum status answer_order(const struct arguments *arguments, const struct tree_request *request)
{
    FREED_BY(sum_tree_free) struct sum_tree tree = {0};
    TRY(sum_tree_make(request, &tree));
    struct tree_answer answer = {.request = *request, .tree = &tree};
    return write_all(arguments, &answer);
}

static enum status answer_sum(const struct arguments *arguments, const struct tree_request *request,
                              const struct chosen_data *chosen)
{
    FREED_BY(additions_free) struct additions additions = {0};
    struct exact_sum exact;
    const struct operands elements = operation_operands(request->method->operation, &chosen->data);
    TRY(additions_make(request, &elements, &additions));
    enum status status = additions_exact(request->method, (struct exact_how){0}, &elements, &exact);
    if (status == OK) {
        struct tree_answer answer = {.request = *request,
                                     .tree = &additions.tree,
                                     .data = chosen->spec->text,
                                     .additions = &additions,
                                     .exact = &exact};
        status = write_all(arguments, &answer);
        exact_free(&exact);
    }
    return status;
}

/* ---- the tree that the sums show ---- */

static enum status answer_probe(const struct arguments *arguments)
{
    const struct config *config = &arguments->data.globals->config;
    const struct dataset no_data = {0};
    struct tree_probe_wish wish = {.summary = arguments->summary, .svg = arguments->svg};
    if (arguments->data.text || arguments->json)
        return bad_input("tree: --probe with --data or --json; expected neither of them: it chooses its own numbers, "
                         "and prints on standard output; leave them out");
    TRY(command_read_launch(config, &wish.launch));
    TRY(study_method_named(arguments->data.methods[0], "tree", &wish.method));
    if (operation_table[wish.method->operation].of != MATRICES) {
        TRY(command_read_method(arguments->data.methods[0], "tree", wish.launch, &wish.method));
        TRY(command_expect_sum(wish.method, "tree --probe"));
    }
    TRY(read_n(arguments, &no_data, &wish.n));
    return tree_probe(config, &wish);
}

enum status command_tree(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data = {.globals = globals, .method_count = 1, .optional = true}};
    FREED_BY(chosen_data_free) struct chosen_data chosen = {0};
    struct tree_request request = {.family = "tree"};
    TRY(command_parse(&parser, argc, argv, &arguments));
    if (arguments.probe)
        return answer_probe(&arguments);
    if (globals->config.flags[SETTING_DEVICE])
        return bad_input("tree: --device without --probe; expected neither or both, since the declared order is the "
                         "same everywhere; leave it out");
    TRY(check_outputs(&arguments));
    TRY(read_method(&arguments, &request));
    if (arguments.data.text) {
        TRY(command_read_vectors(&arguments.data, "tree", request.method, &chosen));
        TRY(check_spec(&arguments, &request, chosen.spec));
        TRY(chosen_data_make(&chosen));
        TRY(command_fit_method(&chosen, "tree", &request.method));
    }
    TRY(read_n(&arguments, &chosen.data, &request.n));
    TRY(check_size(&arguments, request.n));
    return arguments.data.text ? answer_sum(&arguments, &request, &chosen) : answer_order(&arguments, &request);
}
