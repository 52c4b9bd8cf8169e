/* ulpscope gen: writes a data set to a file. */
#include "command.h"
#include "output.h"

#include "../datasets/file.h"
#include "../datasets/file_formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum key { OUTPUT = 'o', SEED = 256, TRIAL };

struct arguments {
    struct globals *globals;
    const char *spec, *path, *trial;
};

static const struct argp_option options[] = {
    {"output", OUTPUT, "FILE", 0,
     "The file, by its ending .npy, .csv, .f32 (hex floats) or .raw; - (default) for hex floats on stdout", 0},
    {"seed", SEED, "N", 0, "Seed (default 1)", 0},
    {"trial", TRIAL, "K", 0, "Which trial of that seed (default 0)", 0},
    {0},
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case OUTPUT:
        arguments->path = value;
        return 0;
    case SEED:
        arguments->globals->config.flags[SETTING_SEED] = value;
        return 0;
    case TRIAL:
        arguments->trial = value;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->spec)
            argp_error(state, "\"%s\": a second spec; expected one", value);
        arguments->spec = value;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no data spec; expected one like uniform:n=1024");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    .options = options,
    .parser = parse_key,
    .args_doc = "SPEC",
    .doc = "Writes a data set to a file.\v"
           "Examples:\n"
           "  ulpscope gen gensum:n=1e6,cond=1e12 -o x.npy\n"
           "  ulpscope gen uniform:n=8                        hex floats on stdout, one a line\n\n"
           "`ulpscope list generators` shows the families, `ulpscope list generators NAME` one of them.",
};

static enum status write_stdout(const struct dataset *data, const char *comment)
{
    struct output out;
    TRY(output_open(&out, "-"));
    write_hexfloat(out.file, data->x, data->n, comment);
    return output_close(&out);
}

static enum status write_data(const struct arguments *arguments, const struct data_spec *spec)
{
    uint64_t seed, trial = 0;
    char comment[512];
    struct dataset data;
    TRY(command_seed(arguments->globals, &seed));
    if (arguments->trial)
        TRY(command_read_count(arguments->trial, "--trial", 0, 1000000000, &trial));
    TRY(dataset_make(spec, seed, trial, &data));
    snprintf(comment, sizeof comment, "ulpscope gen '%s' --seed %" PRIu64 " --trial %" PRIu64, spec->text, seed, trial);
    const bool to_stdout = strcmp(arguments->path, "-") == 0;
    const enum status status = to_stdout ? write_stdout(&data, comment) : file_write(arguments->path, &data, comment);
    dataset_free(&data);
    return status;
}

enum status command_gen(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals, .path = "-"};
    struct data_spec *spec;
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    TRY(command_read_one_spec(arguments.spec, "gen", NONFINITE_REFUSE, &spec));
    const enum status status = write_data(&arguments, spec);
    data_specs_free(spec, 1);
    return status;
}
