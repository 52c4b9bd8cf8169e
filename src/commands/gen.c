/* ulpscope gen: writes a data set to a file, and says what it is made for. */
#include "data_arguments.h"

#include "card.h"
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
    bool explain;
};

/* ---- the command line ---- */

static const struct argp_option options[] = {
    {"output", OUTPUT, "FILE", 0,
     "The file, by its ending .npy, .csv, .f32 (hex floats), .raw, or .c or .h (a C array), in the format of the data; "
     "- "
     "(default) for hex floats on stdout",
     0},
    {"explain", FLAG_KEY(explain), NULL, 0,
     "Say whom the data are meant to hurt, their exact sum and condition, on stdout (on stderr with -o -); without -o "
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
        return command_take_data(key, value, state);
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
           "  ulpscope gen kahan_killer:n=64 -o killer.h   static const float killer_data[64]\n"
           "  ulpscope gen uniform:n=8                     hex floats, one per line\n"
           "  ulpscope gen swamp:n=64Ki --explain          whom does it hurt?\n\n"
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
    if (chosen->spec->generator)
        text_append(&text, " --seed %" PRIu64 " --trial %" PRIu64, chosen->seed, chosen->trial);
    else if (arguments->data.nonfinite != NONFINITE_REFUSE)
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

static void explain_numbers(FILE *to, const struct exact_sum *exact, const char *hex, const char *decimal,
                            const char *sum_abs)
{
    char n[64], condition[NUMBER_TEXT];
    snprintf(n, sizeof n, "%" PRIu64, exact->n);
    write_rounded(exact->condition, condition);
    card_row(to, "n", n);
    card_row(to, "sum", hex);
    if (exact->kind == EXACT_FINITE)
        card_row(to, "", decimal);
    card_row(to, "sum |x|", sum_abs);
    card_row(to, "condition", exact->kind == EXACT_FINITE ? condition : "none: the sum is not finite");
}

/* What the family found out for these very data. */
static enum status explain_call(FILE *to, const struct chosen_data *chosen)
{
    struct generator_call call;
    const struct generator *generator = chosen->spec->generator;
    if (!generator || !generator->explain)
        return OK;
    TRY(dataset_call(chosen->spec, chosen->seed, chosen->trial, &call));
    fputc('\n', to);
    generator->explain(&call, to);
    return OK;
}

static enum status explain(FILE *to, const char *command, const struct chosen_data *chosen,
                           const struct exact_sum *exact)
{
    const struct generator *generator = chosen->spec->generator;
    char *hex = exact_hex(exact->sum), *decimal = exact_decimal(exact->sum, DIGITS),
         *sum_abs = exact_hex(exact->sum_abs);
    fprintf(to, "%s: %s\n\n", chosen->spec->text, generator ? generator->summary : "a file");
    if (generator)
        card_claims(to, generator);
    fprintf(to, "%sthese data: %s\n\n", generator ? "\n" : "", command);
    explain_numbers(to, exact, hex, decimal, sum_abs);
    const enum status status = explain_call(to, chosen);
    free(hex);
    free(decimal);
    free(sum_abs);
    return status;
}

/* ---- the whole ---- */

/* With -o -, stdout is the numbers'. */
static FILE *explanation_file(const struct arguments *arguments)
{
    return output_is_stdout(arguments->path) ? stderr : stdout;
}

static enum status gen(const struct arguments *arguments, struct chosen_data *chosen)
{
    const bool writes = arguments->path || !arguments->explain;
    struct exact_sum exact;
    if (writes)
        TRY(dataset_make(chosen->spec, chosen->seed, chosen->trial, &chosen->data));
    TRY(sum(chosen, &exact));
    char *command = command_of(arguments, chosen);
    enum status status = OK;
    if (writes)
        status = write_file(arguments->path ? arguments->path : "-", command, chosen, &exact);
    if (status == OK && arguments->explain)
        status = explain(explanation_file(arguments), command, chosen, &exact);
    free(command);
    exact_free(&exact);
    return status;
}

enum status command_gen(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data.globals = globals};
    struct chosen_data chosen;
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(data_argument_read(&arguments.data, "gen", &chosen));
    const enum status status = gen(&arguments, &chosen);
    chosen_data_free(&chosen);
    return status;
}
