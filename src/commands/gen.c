/* ulpscope gen: writes a data set to a file, and says what it is made for. */
#include "data_arguments.h"
#include "datasets/files/file.h"
#include "names.h"
#include "src/files/output.h"

/* ulpscope gen of two: vectors, matrices, or a row and a column of matrices; they go to two files, x.npy::y.npy. */

static const char between[] = "::";

/* Whether -o names two files, in quotes where a name has two colons (datasets/spec.h). */
static bool gen_names_two(const char *path)
{
    return path && path[data_text_first(path)] != '\0';
}

/* ---- a row and a column ---- */

static enum status read_witness(const char *witness, const struct dataset *data, uint64_t *row, uint64_t *column)
{
    OWNED char *copy = memory_copy(witness);
    char *comma = strchr(copy, ',');
    if (comma)
        *comma = '\0';
    enum status status = comma ? OK : BAD_INPUT;
    if (!comma)
        complain("--witness: found \"%s\"; expected a row of A and a column of B, from 0; write --witness 3,5",
                 witness);
    if (status == OK)
        status = command_read_count(copy, "--witness", 0, UINT64_MAX, row);
    if (status == OK)
        status = command_read_count(comma + 1, "--witness", 0, UINT64_MAX, column);
    if (status == OK && (*row >= data->rows || *column >= data->columns))
        status = bad_input(
            "--witness: found row %" PRIu64 " of A, column %" PRIu64 " of B, where A is %" PRIu64 " x %" PRIu64
            " and B %" PRIu64 " x %" PRIu64 "; expected 0 to %" PRIu64 " and 0 to %" PRIu64 "; choose others",
            *row, *column, data->rows, data->n, data->n, data->columns, data->rows - 1, data->columns - 1);
    return status;
}

/* Row I of A and column J of B in place of the matrices, from the text "I,J"; both from 0.  BAD_INPUT. */
static enum status gen_cut_witness(const char *witness, struct dataset *data)
{
    const size_t bytes = format_held(data->format)->bytes;
    uint64_t row, column;
    TRY(read_witness(witness, data, &row, &column));
    memmove(data->x, (char *)data->x + row * data->n * bytes, data->n * bytes);
    for (uint64_t k = 0; k < data->n; k++)
        memmove((char *)data->y + k * bytes, (char *)data->y + (k * data->columns + column) * bytes, bytes);
    data->rows = data->columns = 0;
    return OK;
}

/* ---- two files ---- */

static enum status read_paths(const char *path, char *paths[2])
{
    const size_t length = path ? data_text_first(path) : 0;
    const bool has_two = gen_names_two(path);
    for (int p = 0; p < 2 && has_two; p++) {
        char *rest;
        paths[p] = p == 0 ? text_made("%.*s", (int)length, path) : memory_copy(path + length + strlen(between));
        if (*paths[p] == '"')
            text_unquote(paths[p], &rest);
    }
    if (!has_two || output_is_stdout(paths[0]) || output_is_stdout(paths[1]))
        return bad_input("-o: found %s; expected two files, for two vectors or matrices; write -o x.npy::y.npy",
                         path ? path : "none");
    return output_check_all(
        (const struct output_wish[]){{"the first file of -o", paths[0]}, {"the second file of -o", paths[1]}}, 2);
}

/* What stands on top of a file of text: "A, 3 x 4, row after row"; name: NULL of one vector. */
static char *comment_of(const char *made, const struct generator *generator, const char *name,
                        const struct dataset *matrix, const struct exact_sum *exact)
{
    struct text text = {0};
    text_append(&text, "%s\n", made);
    if (generator)
        text_append(&text, "source %s\n", generator->source);
    if (name && matrix->rows > 0) {
        text_append(&text, "%s, %" PRIu64 " x %" PRIu64 ", row after row\n", name, matrix->rows, matrix->columns);
    } else {
        OWNED char *hex = exact_hex(exact->sum);
        text_append(&text, "%s%sexact %s\n", name ? name : "", name ? " of a dot product\n" : "", hex);
    }
    return text_take(&text);
}

static enum status write_one(const char *path, const char *made, const struct data_spec *spec, const char *name,
                             const struct dataset *one, const struct exact_sum *exact)
{
    OWNED char *comment = comment_of(made, spec->generator, name, one, exact);
    return file_write(path, one, comment);
}

/* Writes x and y; `made` are lines that say how, and exact is that of a dot product, empty of matrices.  BAD_INPUT
 * where the path does not name two files. */
static enum status gen_write_pair(const char *path, const char *made, const struct chosen_data *chosen,
                                  const struct exact_sum *exact)
{
    const struct data_spec *spec = chosen->spec, *second = spec->second ? spec->second : spec;
    const struct dataset *data = &chosen->data;
    const bool matrices = data->rows > 0;
    struct dataset x = {.format = data->format, .x = data->x, .n = data->n}, y = x;
    char *paths[2] = {NULL, NULL};
    y.x = data->y;
    if (matrices) {
        x.rows = data->rows;
        x.columns = y.rows = data->n;
        y.columns = data->columns;
        x.n *= data->rows;
        y.n *= data->columns;
    }
    enum status status = read_paths(path, paths);
    if (status == OK)
        status = write_one(paths[0], made, spec, matrices ? "A" : "x", &x, exact);
    if (status == OK)
        status = write_one(paths[1], made, second, matrices ? "B" : "y", &y, exact);
    free_all(paths[0], paths[1]);
    return status;
}

enum { DIGITS = 17 }; /* as many as tell all of binary64 apart */

struct arguments {
    struct data_argument data;
    const char *witness;
    bool explain, matrix;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "The file, by its ending .npy, .csv, .f32 (hex floats), .raw, or .c or .h (a C array), in the format of the data; "
     "- (default) for hex floats on stdout; two vectors or matrices go to two files, x.npy::y.npy",
     0},
    {"matrix", FLAG_KEY(matrix), NULL, 0, "Two matrices, A of rows x n numbers and B of n x columns, row after row", 0},
    {"witness", TEXT_KEY(witness), "I,J", 0,
     "Row I of A and column J of B, from 0: two vectors whose dot product is element I, J of A B", 0},
    {"explain", FLAG_KEY(explain), NULL, 0,
     "Print which methods the data are meant to break, their exact sum and condition, on stdout (on stderr with -o -); "
     "without -o nothing else is printed",
     0},
    {0},
};

static const struct argp parser = {
    .options = options,
    .parser = command_take_with_plugins,
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
    const struct consumer consumer = {start, take, &stream, NULL};
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

/* ---- --explain ---- */

/* Of one vector, or of the products of two. */
static void explain_sum(FILE *to, const struct exact_sum *exact, bool has_products)
{
    char n[64];
    OWNED char *hex = exact_hex(exact->sum), *decimal = exact_decimal(exact->sum, DIGITS),
               *sum_abs = exact_hex(exact->sum_abs);
    snprintf(n, sizeof n, "%" PRIu64, exact->n);
    card_row(to, "n", n);
    card_row(to, has_products ? "x y" : "sum", hex);
    if (exact->kind == EXACT_FINITE)
        card_row(to, "", decimal);
    card_row(to, has_products ? "|x| |y|" : "sum |x|", sum_abs);
    card_row(to, "condition",
             exact->kind == EXACT_FINITE ? rounded_text(exact->condition) : "none: the sum is not finite");
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

/* With -o -, stdout is the numbers'. */
static FILE *explanation_file(const struct arguments *arguments)
{
    return output_is_stdout(arguments->data.globals->output) ? stderr : stdout;
}

static enum data_kind kind_of(const struct arguments *arguments, const struct data_spec *spec)
{
    if (arguments->matrix || arguments->witness)
        return TWO_MATRICES;
    return spec->second || gen_names_two(arguments->data.globals->output) ? TWO_VECTORS : ONE_VECTOR;
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
    return chosen->data.y ? gen_write_pair(arguments->data.globals->output, command, chosen, exact)
                          : write_one(arguments->data.globals->output ? arguments->data.globals->output : "-", command,
                                      chosen->spec, NULL, &chosen->data, exact);
}

static enum status gen(const struct arguments *arguments, struct chosen_data *chosen)
{
    const bool writes = arguments->data.globals->output || !arguments->explain;
    FREED_BY(exact_free) struct exact_sum exact = {0};
    TRY(make(arguments, writes, chosen));
    if (chosen->data.rows == 0)
        TRY(sum(chosen, &exact));
    OWNED char *command = command_of(arguments, chosen);
    if (writes)
        TRY(write(arguments, command, chosen, &exact));
    if (arguments->explain)
        TRY(explain(explanation_file(arguments), command, chosen, &exact));
    return OK;
}

enum status command_gen(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data = {.globals = globals, .takes_two_vectors = true}};
    FREED_BY(chosen_data_free) struct chosen_data chosen = {0};
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(data_argument_read(&arguments.data, "gen", &chosen));
    return gen(&arguments, &chosen);
}
