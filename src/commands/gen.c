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

struct arguments {
    struct data_argument data;
    const char *witness;
    bool matrix;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "The file, by its ending .npy, .csv, .f32 (hex floats) or .raw, in the format of the data; "
     "- (default) for hex floats on stdout; two vectors or matrices go to two files, x.npy::y.npy",
     0},
    {"matrix", FLAG_KEY(matrix), NULL, 0, "Two matrices, A of rows x n numbers and B of n x columns, row after row", 0},
    {"witness", TEXT_KEY(witness), "I,J", 0,
     "Row I of A and column J of B, from 0: two vectors whose dot product is element I, J of A B", 0},
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
           "  ulpscope gen uniform:n=8                     hex floats, one per line\n"
           "  ulpscope gen normal:n=64::normal -o x.npy::y.npy          two vectors\n"
           "  ulpscope gen normal:n=64,rows=8 --matrix -o a.npy::b.npy  8x64, 64x64\n"
           "  ulpscope gen normal:n=64,rows=8 --witness 3,5 -o x.npy::y.npy\n\n"
           "A text file, except .csv, says at its top how it was made, from where, and what its exact sum is.  "
           "`ulpscope list generators` shows the families, `ulpscope list generators NAME` one of them.",
};

/* ---- the exact sum ---- */

static enum status sum(const struct dataset *data, struct exact_sum *exact)
{
    return data->y ? exact_dot(data->format, (struct exact_how){0}, data->x, data->y, data->n, exact)
                   : exact_sum(data->format, data->x, data->n, exact);
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

static enum data_kind kind_of(const struct arguments *arguments, const struct data_spec *spec)
{
    if (arguments->matrix || arguments->witness)
        return TWO_MATRICES;
    return spec->second || gen_names_two(arguments->data.globals->output) ? TWO_VECTORS : ONE_VECTOR;
}

static enum status make(const struct arguments *arguments, struct chosen_data *chosen)
{
    TRY(data_spec_set_kind(chosen->spec, kind_of(arguments, chosen->spec), "gen"));
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
    FREED_BY(exact_free) struct exact_sum exact = {0};
    TRY(make(arguments, chosen));
    if (chosen->data.rows == 0)
        TRY(sum(&chosen->data, &exact));
    OWNED char *command = command_of(arguments, chosen);
    return write(arguments, command, chosen, &exact);
}

enum status command_gen(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.data = {.globals = globals, .takes_two_vectors = true}};
    FREED_BY(chosen_data_free) struct chosen_data chosen = {0};
    TRY(command_parse(&parser, argc, argv, &arguments));
    TRY(data_argument_read(&arguments.data, "gen", &chosen));
    return gen(&arguments, &chosen);
}
