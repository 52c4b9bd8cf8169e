/* Reads a baseline.  People edit and merge these files: whatever is odd is refused, with its line. */
#include "baseline_field.h"

#include "src/files/claim.h"

#include <errno.h>

static const char schema[] = "ulpscope-baseline/2";

enum { BYTES_MOST = 64 << 20 };

static enum status cannot_be_read(const char *path)
{
    const int cause = errno;
    if (cause == ENOENT)
        complain("%s: there is no such baseline; expected a file that `ulpscope baseline save NAME RUN` wrote; run "
                 "that",
                 path);
    else
        complain("%s: cannot be read: %s; expected a baseline", path, strerror(cause));
    return status_of_cause(cause);
}

/* The whole file with a 0 behind it. */
static enum status read_stream(const char *path, FILE *file, char **bytes, size_t *size)
{
    size_t room = 0;
    for (size_t got = 1; got > 0; *size += got) {
        if (*size == room) {
            room = room > 0 ? 2 * room : 1 << 16;
            *bytes = memory_resized(*bytes, room + 1);
        }
        got = fread(*bytes + *size, 1, room - *size, file);
        if (*size + got > BYTES_MOST)
            return bad_input("%s: is larger than %d MiB; expected a baseline; have it of a smaller study", path,
                             BYTES_MOST >> 20);
    }
    (*bytes)[*size] = '\0';
    return ferror(file) ? cannot_be_read(path) : OK;
}

static enum status read_bytes(const char *path, char **bytes, size_t *size)
{
    TRY(claim_to_read("baseline", path));
    FILE *file = fopen(path, "r");
    if (!file)
        return cannot_be_read(path);
    const enum status status = read_stream(path, file, bytes, size);
    fclose(file);
    return status;
}

static size_t lines_before(const char *bytes, const char *end)
{
    size_t lines = 0;
    for (const char *p = bytes; p < end; p++)
        lines += *p == '\n';
    return lines;
}

static enum status refuse_nul(const char *path, const char *bytes, size_t size)
{
    const char *nul = memchr(bytes, '\0', size);
    if (!nul)
        return OK;
    return bad_input("%s:%zu: holds a NUL; expected text; take the file from the version control again", path,
                     1 + lines_before(bytes, nul));
}

/* No line of ours begins like those that git leaves of a conflict. */
static enum status refuse_merge(const char *path, const char *bytes)
{
    static const char *const markers[] = {"<<<<<<<", "|||||||", "=======", ">>>>>>>"};
    size_t number = 1;
    for (const char *line = bytes, *end; line; line = end ? end + 1 : NULL, number++) {
        end = strchr(line, '\n');
        for (size_t i = 0; i < sizeof markers / sizeof *markers; i++)
            if (strncmp(line, markers[i], strlen(markers[i])) == 0)
                return bad_input("%s:%zu: \"%s\": an unfinished merge; expected a line per series, from one side each; "
                                 "keep one of the sides, or save the baseline of a run of the merged code",
                                 path, number, markers[i]);
    }
    return OK;
}

static enum status parse(const char *path, const char *bytes, size_t size, json_t **json)
{
    json_error_t error;
    *json = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &error);
    if (*json)
        return OK;
    OWNED char *clean = clean_text(error.text); /* it quotes the file */
    return bad_input(
        "%s:%d: %s; expected JSON as `ulpscope baseline save` writes it; take the line as the version control has "
        "it, or remove the file and save it anew",
        path, error.line > 0 ? error.line : 1, clean);
}

static enum status read_schema(struct place place, const json_t *json)
{
    const char *found = json_string_value(json_object_get(json, "schema"));
    place.key = "schema";
    if (!found)
        return refuse_place(&place, "no baseline: expected the key \"schema\" with the value \"%s\"", schema);
    if (strcmp(found, schema) != 0)
        return refuse_place(&place, "\"%s\" is another kind of file, or another version; expected \"%s\"", found,
                            schema);
    return OK;
}

static enum status read_head(struct place place, const json_t *json, struct baseline *baseline)
{
    static const char *const keys[] = {"schema", "seed", "series", "title"};
    TRY(read_schema(place, json));
    TRY(check_keys(&place, json, keys, sizeof keys / sizeof *keys));
    place.key = "seed";
    TRY(read_whole_number(&place, json_object_get(json, "seed"), &baseline->seed));
    place.key = "title";
    return read_json_text(&place, json_object_get(json, "title"), &baseline->title);
}

static enum status read_series(struct place place, const char *name, const json_t *value, struct baseline_series *line)
{
    place.series = name;
    if (!baseline_name_read(name, line))
        return refuse_place(&place, "is not a series name; expected one like \"kahan/serial uniform:n=1024 120x256 "
                                    "replay\", and \" #2\" behind the second of that name");
    line->device = memory_copy("");
    line->toolkit = memory_copy("");
    if (!json_is_object(value))
        return refuse_place(&place, "expected an object");
    return read_fields(&place, value, line);
}

/* " #3" needs " #2". */
static enum status check_numbers(struct place place, const struct baseline *baseline)
{
    for (size_t i = 0; i < baseline->count; i++) {
        const struct baseline_series *line = &baseline->series[i];
        struct baseline_series before = *line;
        before.which--;
        if (line->which == 0 || (i > 0 && baseline_name_order(&baseline->series[i - 1], &before) == 0))
            continue;
        OWNED char *name = baseline_name(line);
        place.series = name;
        const enum status status = refuse_place(&place,
                                                "number %" PRIu64 " of a name, and no number %" PRIu64
                                                "; expected series of one name without a gap",
                                                line->which + 1, line->which);
        return status;
    }
    return OK;
}

static enum status read_all_series(struct place place, const json_t *json, struct baseline *baseline)
{
    const char *name;
    json_t *value, *series = json_object_get(json, "series");
    place.key = "series";
    if (!json_is_object(series) || json_object_size(series) == 0)
        return refuse_place(&place, "expected an object with a line for each series, at least one");
    place.key = NULL;
    baseline->series = memory_cleared(json_object_size(series), sizeof *baseline->series);
    json_object_foreach(series, name, value) TRY(read_series(place, name, value, &baseline->series[baseline->count++]));
    qsort(baseline->series, baseline->count, sizeof *baseline->series, baseline_name_order);
    return check_numbers(place, baseline);
}

enum status baseline_read(const char *path, struct baseline *baseline)
{
    OWNED char *bytes = NULL;
    size_t size = 0;
    json_auto_t *json = NULL;
    *baseline = (struct baseline){.path = memory_copy(path)};
    TRY(read_bytes(path, &bytes, &size));
    TRY(refuse_nul(path, bytes, size));
    TRY(refuse_merge(path, bytes));
    TRY(parse(path, bytes, size, &json));
    TRY(read_head((struct place){.path = path, .text = bytes}, json, baseline));
    return read_all_series((struct place){.path = path, .text = bytes}, json, baseline);
}
