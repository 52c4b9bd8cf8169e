/* ulpscope gen: writes a data set to a file, and says what it is made for. */
#include "data_arguments.h"

#include "card.h"
#include "gen_pair.h"
#include "src/base/number.h"
#include "src/base/text.h"
#include "src/files/output.h"
#include "src/study/study.h" /* nonfinite_words */

#include "datasets/files/file.h"
#include "reference/exact.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUT = 'o' };
enum { DIGITS = 17 }; /* as many as tell all of binary64 apart */

struct arguments {
    struct data_argument data;
    const char *path; /* NULL: no -o */
    const char *witness;
    bool explain, matrix;
};

/* ---- the command line ---- */

static const struct argp_option options[] = {
    {"output", OUTPUT, "FILE", 0,
     "The file, by its ending .npy, .csv, .f32 (hex floats), .raw, or .c or .h (a C array), in the format of the data; "
     "- "
     "(default) for hex floats on stdout; two vectors or matrices go to two files, x.npy::y.npy",
     0},
    {"matrix", FLAG_KEY(matrix), NULL, 0, "Two matrices, A of rows x n numbers and B of n x columns, row after row", 0},
    {"witness", TEXT_KEY(witness), "I,J", 0,
     "Row I of A and column J of B, from 0: two vectors whose dot product is element I, J of A B", 0},
    {"explain", FLAG_KEY(explain), NULL, 0,
     "Print which methods the data are meant to break, their exact sum and condition, on stdout (on stderr with -o -); "
     "without -o "
     "nothing else is printed",
     0},
    {0},
};

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case OUTPUT:
        arguments->path = value;
        return 0;
    default:
        return command_take_with_plugins(key, value, state);
    }
}

static const struct argp parser = {
    .options = options,
    .parser = parse_key,
    .children = data_parsers,
    .args_doc = "SPEC",
    .doc = "Writes a data set to a file.\v"
           "Examples:\n"
           "  ulpscope gen gensum:n=1e6,cond=1e12 -o x.npy\n"
           "  ulpscope gen kahan_killer:n=64 -o killer.h   a C array, killer_data\n"
           "  ulpscope gen uniform:n=8                     hex floats, one per line\n"
           "  ulpscope gen swamp:n=64Ki --explain          which methods it breaks\n"
           "  ulpscope gen normal:n=64::normal -o x.npy::y.npy          two vectors\n"
           "  ulpscope gen normal:n=64,rows=8 --matrix -o a.npy::b.npy  8x64, 64x64\n"
           "  ulpscope gen normal:n=64,rows=8 --witness 3,5 -o x.npy::y.npy\n\n"
           "A text file, except .csv, says at its top how it was made, from where, and what its exact sum is.  "
           "`ulpscope list generators` shows the families, `ulpscope list generators NAME` one of them.",
};

/* ---- the exact sum ---- */

static enum status start(void *context, const struct format *format, uint64_t most)
{
    (void)most;
    return exact_stream_new(format, (struct exact_how){0}, context);
}

static enum status take(void *context, const void *x, uint64_t n)
{
    return exact_stream_add(*(struct exact_stream **)context, x, n);
}

/* Of data that are made already, or else in pieces, so that they may be larger than memory. */
static enum status sum(const struct chosen_data *chosen, struct exact_sum *exact)
{
    struct exact_stream *stream = NULL;
    const struct consumer consumer = {start, take, &stream};
    struct dataset about;
    if (chosen->data.y)
        return exact_dot(chosen->data.format, (struct exact_how){0}, chosen->data.x, chosen->data.y, chosen->data.n,
                         exact);
    if (chosen->data.format)
        return exact_sum(chosen->data.format, chosen->data.x, chosen->data.n, exact);
    const enum status status = dataset_stream(chosen->spec, chosen->seed, chosen->trial, &consumer, &about);
    if (status == OK)
        return exact_stream_end(stream, exact);
    exact_stream_free(stream);
    return status;
}

/* ---- how they were made ---- */

/* The command that makes them again. */
static char *command_of(const struct arguments *arguments, const struct chosen_data *chosen)
{
    struct text text = {0};
    text_append(&text, "ulpscope gen ");
    text_append_shell_word(&text, chosen->spec->text);
    if (arguments->witness)
        text_append(&text, " --witness %s", arguments->witness);
    else if (arguments->matrix)
        text_append(&text, " --matrix");
    if (chosen->spec->generator || data_spec_is_random(chosen->spec) || chosen->trial > 0)
        text_append(&text, " --seed %" PRIu64 " --trial %" PRIu64, chosen->seed, chosen->trial);
    if (arguments->data.nonfinite != NONFINITE_REFUSE && (!chosen->spec->generator || chosen->spec->second))
        text_append(&text, " --nonfinite %s", nonfinite_words[arguments->data.nonfinite]);
    return text_take(&text);
}

/* What stands on top of a file of text. */
static enum status write_file(const char *path, const char *command, const struct chosen_data *chosen,
                              const struct exact_sum *exact)
{
    struct text text = {0};
    char *hex = exact_hex(exact->sum);
    text_append(&text, "%s\n", command);
    if (chosen->spec->generator)
        text_append(&text, "source %s\n", chosen->spec->generator->source);
    text_append(&text, "exact %s\n", hex);
    char *comment = text_take(&text);
    const enum status status = file_write(path, &chosen->data, comment);
    free(hex);
    free(comment);
    return status;
}

/* ---- --explain ---- */

/* Of one vector, or of the products of two. */
static void explain_sum(FILE *to, const struct exact_sum *exact, bool has_products)
{
    char n[64], condition[NUMBER_TEXT];
    char *hex = exact_hex(exact->sum), *decimal = exact_decimal(exact->sum, DIGITS),
         *sum_abs = exact_hex(exact->sum_abs);
    snprintf(n, sizeof n, "%" PRIu64, exact->n);
    write_rounded(exact->condition, condition);
    card_row(to, "n", n);
    card_row(to, has_products ? "x y" : "sum", hex);
    if (exact->kind == EXACT_FINITE)
        card_row(to, "", decimal);
    card_row(to, has_products ? "|x| |y|" : "sum |x|", sum_abs);
    card_row(to, "condition", exact->kind == EXACT_FINITE ? condition : "none: the sum is not finite");
    free(hex);
    free(decimal);
    free(sum_abs);
}

static void explain_shapes(FILE *to, const struct dataset *data)
{
    char shapes[96];
    snprintf(shapes, sizeof shapes, "%" PRIu64 " x %" PRIu64 ", %" PRIu64 " x %" PRIu64, data->rows, data->n, data->n,
             data->columns);
    card_row(to, "A, B", shapes);
}

/* What the family found out for these very data. */
static enum status explain_call(FILE *to, const struct chosen_data *chosen)
{
    struct generator_call call;
    const struct generator *generator = chosen->spec->generator;
    if (!generator || !generator->explain || chosen->spec->kind == TWO_MATRICES)
        return OK;
    TRY(dataset_call(chosen->spec, chosen->seed, chosen->trial, &call));
    fputc('\n', to);
    generator->explain(&call, to);
    return OK;
}

static enum status explain(FILE *to, const char *command, const struct chosen_data *chosen,
                           const struct exact_sum *exact)
{
    for (const struct data_spec *spec = chosen->spec; spec; spec = spec->second) {
        fprintf(to, "%s: %s\n\n", spec->text, spec->generator ? spec->generator->summary : "a file");
        if (spec->generator) {
            card_claims(to, spec->generator);
            fputc('\n', to);
        }
    }
    fprintf(to, "these data: %s\n\n", command);
    if (chosen->data.rows > 0)
        explain_shapes(to, &chosen->data);
    else
        explain_sum(to, exact, chosen->data.y);
    return explain_call(to, chosen);
}

/* ---- the whole ---- */

/* With -o -, stdout is the numbers'. */
static FILE *explanation_file(const struct arguments *arguments)
{
    return output_is_stdout(arguments->path) ? stderr : stdout;
}

static enum data_kind kind_of(const struct arguments *arguments, const struct data_spec *spec)
{
    if (arguments->matrix || arguments->witness)
        return TWO_MATRICES;
    return spec->second || gen_names_two(arguments->path) ? TWO_VECTORS : ONE_VECTOR;
}

/* One vector that is only explained is not made: it may be larger than memory. */
static enum status make(const struct arguments *arguments, bool writes, struct chosen_data *chosen)
{
    const enum data_kind kind = kind_of(arguments, chosen->spec);
    TRY(data_spec_set_kind(chosen->spec, kind, "gen"));
    if (kind == ONE_VECTOR && !writes)
        return OK;
    TRY(chosen_data_make(chosen));
    return arguments->witness ? gen_cut_witness(arguments->witness, &chosen->data) : OK;
}

static enum status write(const struct arguments *arguments, const char *command, const struct chosen_data *chosen,
                         const struct exact_sum *exact)
{
    return chosen->data.y ? gen_write_pair(arguments->path, command, chosen, exact)
                          : write_file(arguments->path ? arguments->path : "-", command, chosen, exact);
}

static enum status gen(const struct arguments *arguments, struct chosen_data *chosen)
{
    const bool writes = arguments->path || !arguments->explain;
    struct exact_sum exact = {0};
    TRY(make(arguments, writes, chosen));
    if (chosen->data.rows == 0)
        TRY(sum(chosen, &exact));
    char *command = command_of(arguments, chosen);
    enum status status = OK;
    if (writes)
        status = write(arguments, command, chosen, &exact);
    if (status == OK && arguments->explain)
        status = explain(explanation_file(arguments), command, chosen, &exact);
    free(command);
    exact_free(&exact);
    return status;
}

enum status command_gen(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data = {.globals = globals, .takes_two_vectors = true}};
    struct chosen_data chosen;
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(data_argument_read(&arguments.data, "gen", &chosen));
    const enum status status = gen(&arguments, &chosen);
    chosen_data_free(&chosen);
    return status;
}
