/* ulpscope gen: writes a data set to a file. */
#include "command_data.h"

#include "../datasets/file.h"

#include <inttypes.h>
#include <stdio.h>

enum key { OUTPUT = 'o' };

struct arguments {
    struct data_argument data;
    const char *path;
};

static const struct argp_option options[] = {
    {"output", OUTPUT, "FILE", 0,
     "The file, by its ending .npy, .csv, .f32 (hex floats) or .raw; - (default) for hex floats on stdout", 0},
    {0},
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->data;
        return 0;
    case OUTPUT:
        arguments->path = value;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&data_argument_parser, 0, NULL, 0}, {0}};

static const struct argp parser = {
    .options = options,
    .parser = parse_key,
    .children = children,
    .args_doc = "SPEC",
    .doc = "Writes a data set to a file.\v"
           "Examples:\n"
           "  ulpscope gen gensum:n=1e6,cond=1e12 -o x.npy\n"
           "  ulpscope gen uniform:n=8                        hex floats on stdout, one a line\n\n"
           "`ulpscope list generators` shows the families, `ulpscope list generators NAME` one of them.",
};

enum status command_gen(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data.globals = globals, .path = "-"};
    struct chosen_data chosen;
    char comment[512];
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    TRY(data_argument_make(&arguments.data, "gen", &chosen));
    snprintf(comment, sizeof comment, "ulpscope gen '%s' --seed %" PRIu64 " --trial %" PRIu64, chosen.spec->text,
             chosen.seed, chosen.trial);
    const enum status status = file_write(arguments.path, &chosen.data, comment);
    chosen_data_free(&chosen);
    return status;
}
