#include "fingerprints.h"

#include "src/base/list.h"
#include "src/files/claim.h"
#include "src/files/output.h"

#include <errno.h>

#define SCHEMA "ulpscope-fingerprints/1"

static void put(FILE *file, const struct fingerprints *fingerprints)
{
    fputs(SCHEMA "\n", file);
    for (size_t i = 0; i < fingerprints->fact_count; i++)
        clean_line(file, "fact %s = %s", fingerprints->facts[i].name, fingerprints->facts[i].value);
    fprintf(file, "launch %u x %u\nseed %" PRIu64 "\n", fingerprints->launch.blocks, fingerprints->launch.threads,
            fingerprints->seed);
    for (size_t i = 0; i < fingerprints->cell_count; i++) {
        const struct fingerprint *cell = &fingerprints->cells[i];
        char bits[sizeof "0123456789abcdef"] = "none";
        if (cell->is_computed)
            snprintf(bits, sizeof bits, "%016" PRIx64, cell->bits);
        clean_line(file, "%s %s %" PRIu64 " %s %s", cell->method, cell->data, cell->n, bits,
                   cell->is_deterministic ? "deterministic" : "arrival");
    }
}

enum status fingerprints_write(const struct fingerprints *fingerprints, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    put(out.file, fingerprints);
    return output_close(&out);
}

static bool read_fact(struct fingerprints *to, const char *line)
{
    const char *equals = strstr(line, " = ");
    if (strncmp(line, "fact ", 5) != 0 || !equals)
        return false;
    to->facts = list_short(to->facts, to->fact_count, &to->fact_capacity, sizeof *to->facts);
    to->facts[to->fact_count++] = (struct fingerprint_fact){
        text_made("%.*s", (int)(equals - line - 5), line + 5),
        memory_copy(equals + 3),
    };
    return true;
}

/* A word up to the next space, or the rest; it is cut in place.  NULL: there is none, nor any behind it. */
static char *next_word(char **rest)
{
    char *word = strsep(rest, " ");
    if (word && *word)
        return word;
    *rest = NULL;
    return NULL;
}

static bool read_launch(struct fingerprints *to, char *rest)
{
    uint64_t blocks, threads;
    const char *first = next_word(&rest), *times = next_word(&rest), *second = next_word(&rest);
    if (!second || rest || strcmp(times, "x") != 0 || read_size(first, &blocks) || read_size(second, &threads) ||
        blocks < 1 || blocks > LAUNCH_BLOCKS_MOST || threads < 1 || threads > LAUNCH_THREADS_MOST)
        return false;
    to->launch = (struct launch){(uint32_t)blocks, (uint32_t)threads};
    return true;
}

static bool read_bits(const char *word, struct fingerprint *cell)
{
    cell->is_computed = strcmp(word, "none") != 0;
    if (!cell->is_computed)
        return true;
    cell->bits = strtoull(word, NULL, 16);
    return strlen(word) == 16 && strspn(word, "0123456789abcdef") == 16;
}

static bool read_cell(struct fingerprints *to, char *line)
{
    struct fingerprint cell = {0};
    char *const method = next_word(&line), *const data = next_word(&line);
    const char *n = next_word(&line), *bits = next_word(&line), *claim = next_word(&line);
    if (!claim || line || read_size(n, &cell.n) || !read_bits(bits, &cell))
        return false;
    cell.is_deterministic = strcmp(claim, "deterministic") == 0;
    if (!cell.is_deterministic && strcmp(claim, "arrival") != 0)
        return false;
    cell.method = memory_copy(method);
    cell.data = memory_copy(data);
    to->cells = list_short(to->cells, to->cell_count, &to->cell_capacity, sizeof *to->cells);
    to->cells[to->cell_count++] = cell;
    return true;
}

static bool read_line(struct fingerprints *to, char *line, uint64_t number)
{
    char *rest = strchr(line, ' ');
    if (number == 1)
        return strcmp(line, SCHEMA) == 0;
    if (!rest)
        return false;
    if (strncmp(line, "fact ", 5) == 0)
        return read_fact(to, line);
    if (strncmp(line, "launch ", 7) == 0)
        return read_launch(to, rest + 1);
    return strncmp(line, "seed ", 5) == 0 ? !read_size(rest + 1, &to->seed) : read_cell(to, line);
}

/* The first line that is not as it would be written; 0: none.  So nothing is missing, twice or in other places. */
static uint64_t first_other(const struct fingerprints *read, const struct text *lines)
{
    OWNED char *again = NULL;
    size_t length = 0, same = 0;
    uint64_t line = 1;
    FILE *file = text_stream(&again, &length);
    put(file, read);
    fclose(file);
    for (; same < length && same < lines->length && again[same] == lines->text[same]; same++)
        line += again[same] == '\n';
    const bool is_all = same == length && same == lines->length;
    return is_all ? 0 : line;
}

static void refuse_line(const char *path, uint64_t number)
{
    complain("%s:%" PRIu64 ": expected %s; write the file again with `ulpscope determinism --fingerprints`", path,
             number,
             number == 1 ? SCHEMA
                         : "fact NAME = VALUE, launch B x T, seed S or METHOD DATA N BITS CLAIM, in this order, launch "
                           "and seed once");
}

static enum status read_lines(FILE *file, struct fingerprints *to)
{
    struct text lines = {0};
    char *line = NULL;
    size_t room = 0;
    uint64_t number = 0;
    bool is_read = true;
    for (ssize_t length; is_read && (length = getline(&line, &room, file)) > 0;) {
        const bool is_ended = line[length - 1] == '\n';
        line[length - is_ended] = '\0';
        number++;
        text_append(&lines, "%s\n", line);
        is_read = is_ended && strlen(line) + 1 == (size_t)length && read_line(to, line, number);
        if (!is_read)
            refuse_line(to->path, number);
    }
    free(line);
    const uint64_t other = is_read && to->cell_count > 0 ? first_other(to, &lines) : 0;
    if (other > 0)
        refuse_line(to->path, other);
    is_read = is_read && other == 0;
    free(lines.text);
    if (is_read && !feof(file))
        return caused_by(errno, "cannot read %s: %s", to->path, strerror(errno));
    if (is_read && to->cell_count == 0)
        complain(
            "%s: expected fingerprints, found none; write the file again with `ulpscope determinism --fingerprints`",
            to->path);
    return is_read && to->cell_count > 0 ? OK : BAD_INPUT;
}

enum status fingerprints_read(const char *path, struct fingerprints *fingerprints)
{
    *fingerprints = (struct fingerprints){.path = memory_copy(path)};
    TRY(claim_to_read("fingerprints", path));
    FILE *file = fopen(path, "re");
    if (!file)
        return caused_by(errno, "cannot open %s: %s", path, strerror(errno));
    const enum status status = read_lines(file, fingerprints);
    fclose(file);
    return status;
}
