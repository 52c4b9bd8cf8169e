#include "compare.h"

#include "reports/json_builder.h"
#include "src/base/list.h"
#include "src/files/output.h"

#include <errno.h>
#include <math.h>

static const char SCHEMA[] = "ulpscope-speeds/1";

/* ---- rows ---- */

static bool is_same(const struct share_row *a, const struct share_row *b)
{
    return strcmp(a->method, b->method) == 0 && a->n == b->n && a->rows == b->rows &&
           same_launch(a->launch, b->launch) && strcmp(a->data, b->data) == 0;
}

const struct share_row *shares_find(const struct shares *shares, const struct share_row *wanted)
{
    for (size_t i = 0; i < shares->count; i++)
        if (is_same(&shares->rows[i], wanted))
            return &shares->rows[i];
    return NULL;
}

static void row_free(struct share_row *row)
{
    free_all(row->data, row->method, row->of, row->shares);
}

static void add_row(struct shares *shares, const struct share_row *row)
{
    shares->rows = list_short(shares->rows, shares->count, &shares->capacity, sizeof *row);
    shares->rows[shares->count++] = *row;
}

void shares_free(struct shares *shares)
{
    for (size_t i = 0; i < shares->count; i++)
        row_free(&shares->rows[i]);
    free_all(shares->rows, shares->device, shares->calls);
    json_decref(shares->facts);
    *shares = (struct shares){0};
}

/* ---- fields ---- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static uint64_t count_of(const json_t *object, const char *key)
{
    const json_int_t count = json_integer_value(json_object_get(object, key));
    return count > 0 ? (uint64_t)count : 0;
}

/* What a line of a bench and a row of a file have in common: `shares` and `of` are still to come. */
static struct share_row row_of(const json_t *line, const char *data)
{
    const json_t *launch = json_object_get(line, "launch");
    return (struct share_row){
        .data = memory_copy(data),
        .method = memory_copy(text_of(line, "method")),
        .n = count_of(line, "n"),
        .rows = count_of(line, "rows"),
        .launch = {.blocks = (uint32_t)count_of(launch, "blocks"), .threads = (uint32_t)count_of(launch, "threads")}};
}

/* ---- visits ---- */

/* Takes the row.  A share counts once a visit; the first visit has made the rows. */
static enum status add_share(struct shares *shares, struct share_row *row, double share)
{
    struct share_row *known = (struct share_row *)(uintptr_t)shares_find(shares, row);
    const bool has_time = share > 0 && isfinite(share);
    if (!has_time || (!known && shares->visits > 0)) {
        complain(has_time ? "%s at n=%" PRIu64 " was not timed before; expected the same rows in each visit"
                          : "%s at n=%" PRIu64 " has no time; expected one",
                 row->method, row->n);
        row_free(row);
        return NOT_MEASURED;
    }
    if (!known) {
        add_row(shares, row);
        known = &shares->rows[shares->count - 1];
        known->shares = memory_cleared(VISITS_MOST, sizeof *known->shares);
    } else {
        row_free(row);
    }
    known->shares[shares->visits] = share;
    return OK;
}

enum status shares_add_whole(struct shares *shares, const char *command, double share)
{
    struct share_row row = {.data = memory_copy(""),
                            .method = memory_copy(command),
                            .of = memory_copy("2^20 numbers of plain/serial on the host")};
    return add_share(shares, &row, share);
}

/* Bytes per microsecond of the median round. */
static double speed_of(const json_t *line)
{
    return number_of(line, "bytes") / number_of(json_object_get(line, "microseconds"), "median");
}

static bool is_baseline(const json_t *line)
{
    return strcmp(text_of(line, "method"), text_of(line, "baseline")) == 0;
}

/* The line of the same n and launch that this one is measured against: of a baseline itself the first of them, of which
 * the copy is, which stands before all. */
static const json_t *other_of(const json_t *lines, size_t copy, size_t index)
{
    const json_t *line = json_array_get(lines, index);
    const char *baseline = text_of(line, "baseline");
    for (size_t i = copy + 1; i < index; i++) {
        const json_t *other = json_array_get(lines, i);
        if (is_baseline(line) ? is_baseline(other) : strcmp(text_of(other, "method"), baseline) == 0)
            return other;
    }
    return json_array_get(lines, copy);
}

static enum status add_lines(struct shares *shares, const json_t *lines, const char *data)
{
    size_t copy = 0;
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *line = json_array_get(lines, i);
        if (strcmp(text_of(line, "method"), "copy") == 0)
            copy = i;
        else if (json_is_true(json_object_get(line, "selected"))) {
            const json_t *other = other_of(lines, copy, i);
            struct share_row row = row_of(line, data);
            row.of = memory_copy(text_of(other, "method"));
            TRY(add_share(shares, &row, speed_of(line) / speed_of(other)));
        }
    }
    return OK;
}

enum status shares_add_visit(struct shares *shares, const json_t *bench, const char *who)
{
    const char *schema = text_of(bench, "schema");
    if (strcmp(schema, "ulpscope-bench/1") != 0 && strcmp(schema, "ulpscope-bench/2") != 0)
        return not_measured("%s: its bench writes the schema \"%s\"; expected ulpscope-bench/1 or ulpscope-bench/2",
                            who, schema);
    if (json_is_false(json_object_get(bench, "complete")))
        return not_measured("%s: its bench ended before all rows were timed; expected all", who);
    if (!shares->device) {
        shares->device = memory_copy(text_of(bench, "device"));
        shares->calls = memory_copy(strcmp(shares->device, "host") == 0 ? ""
                                    : json_object_get(bench, "calls")   ? text_of(bench, "calls")
                                                                        : "idle");
        shares->facts = json_incref(json_object_get(bench, "provenance"));
    }
    return add_lines(shares, json_object_get(bench, "lines"), text_of(json_object_get(bench, "data"), "spec"));
}

enum status shares_end_visit(struct shares *shares, const char *who)
{
    for (size_t i = 0; i < shares->count; i++)
        if (!(shares->rows[i].shares[shares->visits] > 0))
            return not_measured("%s: %s at n=%" PRIu64
                                " was timed before and was not timed again; expected the same rows in each visit",
                                who, shares->rows[i].method, shares->rows[i].n);
    shares->visits++;
    return OK;
}

/* "NVIDIA H200, calls queued" */
static char *kind_of(const struct shares *shares)
{
    if (*shares->calls)
        return text_made("%s, calls %s", shares->device, shares->calls);
    return text_made("%s, %s", shares->device, text_of(json_object_get(shares->facts, "host"), "processor"));
}

enum status shares_check_alike(const struct shares *now, const struct shares *then, const char *with)
{
    OWNED char *found = kind_of(then), *expected = kind_of(now);
    const bool alike = strcmp(found, expected) == 0;
    if (!alike)
        complain("%s: expected speeds of this machine (%s), found %s; shares of another are not comparable: save those "
                 "of this one first",
                 with, expected, found);
    return alike ? OK : BAD_INPUT;
}

/* ---- files ---- */

/* Without its shares. */
static json_t *share_row_json(const struct share_row *row)
{
    json_t *object = json_of({"data", json_text(row->data)}, {"method", json_text(row->method)},
                             {"n", json_count(row->n)}, {"rows", json_count(row->rows)}, {"of", json_text(row->of)});
    if (row->launch.threads > 0)
        json_put(object, "launch", json_launch(row->launch));
    return object;
}

static void write_row(FILE *file, const struct share_row *row, size_t visits)
{
    json_t *object = share_row_json(row), *shares = json_array();
    for (size_t v = 0; v < visits; v++)
        json_append(shares, json_number(row->shares[v]));
    json_put(object, "shares", shares);
    json_dumpf(object, file, JSON_SORT_KEYS | JSON_REAL_PRECISION(5));
    json_decref(object);
}

static void write_all(FILE *file, const struct shares *shares)
{
    json_auto_t *head = json_of({"schema", json_text(SCHEMA)}, {"device", json_text(shares->device)},
                                {"calls", json_text(shares->calls)}, {"facts", json_incref(shares->facts)},
                                {"visits", json_count(shares->visits)});
    fputs("{\"head\": ", file);
    json_dumpf(head, file, JSON_SORT_KEYS);
    fputs(",\n\"rows\": [", file);
    for (size_t i = 0; i < shares->count; i++) {
        fputs(i == 0 ? "\n" : ",\n", file);
        write_row(file, &shares->rows[i], shares->visits);
    }
    fputs("\n]}\n", file);
}

enum status shares_write(const struct shares *shares, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    write_all(out.file, shares);
    return output_close(&out);
}

static enum status refuse(const char *path, const char *found)
{
    return bad_input("%s: %s; expected a file that `ulpscope bench --save` wrote, schema %s", path, found, SCHEMA);
}

static enum status read_row(struct shares *shares, const json_t *object, const char *path)
{
    const json_t *numbers = json_object_get(object, "shares");
    struct share_row row = row_of(object, text_of(object, "data"));
    row.of = memory_copy(text_of(object, "of"));
    row.shares = memory_cleared(VISITS_MOST, sizeof *row.shares);
    bool is_whole = *row.method && *row.of && json_array_size(numbers) == shares->visits && !shares_find(shares, &row);
    for (size_t v = 0; v < shares->visits && is_whole; v++) {
        row.shares[v] = json_number_value(json_array_get(numbers, v));
        is_whole = row.shares[v] > 0;
    }
    add_row(shares, &row);
    return is_whole ? OK
                    : refuse(path, "a row lacks a field, has a share that is no number above 0, or is there twice");
}

static enum status read_all(struct shares *shares, const json_t *root, const char *path)
{
    const json_t *head = json_object_get(root, "head"), *rows = json_object_get(root, "rows");
    if (strcmp(text_of(head, "schema"), SCHEMA) != 0)
        return refuse(path, "another kind of file, or another version");
    shares->device = memory_copy(text_of(head, "device"));
    shares->calls = memory_copy(text_of(head, "calls"));
    shares->facts = json_incref(json_object_get(head, "facts"));
    shares->visits = count_of(head, "visits");
    if (shares->visits < 1 || shares->visits > VISITS_MOST || json_array_size(rows) == 0)
        return refuse(path, "no rows, or a number of visits that cannot be");
    for (size_t i = 0; i < json_array_size(rows); i++)
        TRY(read_row(shares, json_array_get(rows, i), path));
    return OK;
}

enum status shares_read(struct shares *shares, const char *path)
{
    json_error_t error;
    FILE *file = fopen(path, "re");
    *shares = (struct shares){0};
    if (!file)
        return caused_by(errno, "%s: %s; expected a file that `ulpscope bench --save` wrote", path, strerror(errno));
    json_auto_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    return root ? read_all(shares, root, path) : refuse(path, "no JSON");
}

void shares_keep(struct shares *shares, struct shares *old)
{
    for (size_t i = 0; i < old->count; i++)
        if (!shares_find(shares, &old->rows[i])) {
            add_row(shares, &old->rows[i]);
            old->rows[i] = (struct share_row){0};
        }
}
