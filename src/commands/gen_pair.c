#include "gen_pair.h"

#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/files/output.h"

#include "datasets/files/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char between[] = "::";

bool gen_names_two(const char *path)
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

enum status gen_cut_witness(const char *witness, struct dataset *data)
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

/* "A, 3 x 4, row after row" */
static char *comment_of(const char *made, const struct generator *generator, const char *name,
                        const struct dataset *matrix, const struct exact_sum *exact)
{
    struct text text = {0};
    text_append(&text, "%s\n", made);
    if (generator)
        text_append(&text, "source %s\n", generator->source);
    if (matrix->rows > 0) {
        text_append(&text, "%s, %" PRIu64 " x %" PRIu64 ", row after row\n", name, matrix->rows, matrix->columns);
    } else {
        OWNED char *hex = exact_hex(exact->sum);
        text_append(&text, "%s of a dot product\nexact %s\n", name, hex);
    }
    return text_take(&text);
}

static enum status write_one(const char *path, const char *made, const struct data_spec *spec, const char *name,
                             const struct dataset *one, const struct exact_sum *exact)
{
    OWNED char *comment = comment_of(made, spec->generator, name, one, exact);
    return file_write(path, one, comment);
}

enum status gen_write_pair(const char *path, const char *made, const struct chosen_data *chosen,
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
