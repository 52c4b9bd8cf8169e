/* samples: every sum as a line of JSON, with the columns of results.csv.
 *
 *   {"method":"plain/serial","data":"uniform:n=1024","n":1024, ... "ulp_error":0.5,"ulp_error_hex":"0x1p-1", ...}
 *
 * Written by hand, number by number, 7 us a line: a tree of objects for each would take 28.
 */
#include "reports/json_builder.h"
#include "reports/report.h"
#include "src/base/fp.h"
#include "src/base/number.h"
#include "src/base/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A text and what it is in JSON: from line to line most texts are the same. */
struct quoted {
    char *text, *json;
};

enum column { METHOD, DATA, FORMAT, OPERATION, BACKEND, DEVICE, EXACT, CLASS, RUN, TEXTS };

enum { BUFFER = 1 << 16 };

/* A number and its 17 digits: a condition comes back for each method, a relative error as a backward error. */
struct written {
    uint64_t bits;
    char decimal[NUMBER_TEXT]; /* "" until it is used */
};
enum { WRITTEN_BITS = 8 };

struct writer {
    FILE *file;
    const char *run; /* tells several runs apart; NULL: there is one */
    struct quoted texts[TEXTS];
    bool failed;
    size_t length; /* of what is in the buffer: FILE would take a lock for each of the 10^8 pieces */
    char buffer[BUFFER];
    struct written numbers[1 << WRITTEN_BITS];
};

static void flush(struct writer *writer)
{
    fwrite(writer->buffer, 1, writer->length, writer->file);
    writer->length = 0;
}

static void put_bytes(struct writer *writer, const char *bytes, size_t count)
{
    if (count > BUFFER - writer->length)
        flush(writer);
    if (count > BUFFER) {
        fwrite(bytes, 1, count, writer->file);
        return;
    }
    memcpy(writer->buffer + writer->length, bytes, count);
    writer->length += count;
}

static void put(struct writer *writer, const char *text)
{
    put_bytes(writer, text, strlen(text));
}

/* ---- values ---- */

static void quote(struct quoted *quoted, const char *text)
{
    json_t *value = json_text(text);
    free(quoted->text);
    free(quoted->json);
    quoted->text = strdup(text);
    quoted->json = json_dumps(value, JSON_ENCODE_ANY);
    json_decref(value);
}

static void put_text(struct writer *writer, const char *key, enum column column, const char *text)
{
    struct quoted *quoted = &writer->texts[column];
    if (!quoted->text || !quoted->json || strcmp(quoted->text, text) != 0)
        quote(quoted, text);
    writer->failed |= !quoted->text || !quoted->json;
    put(writer, key);
    put(writer, quoted->json ? quoted->json : "null");
}

static void put_count(struct writer *writer, const char *key, uint64_t count)
{
    char digits[NUMBER_TEXT];
    char *first = digits + sizeof digits;
    do
        *--first = (char)('0' + count % 10);
    while ((count /= 10) > 0);
    put(writer, key);
    put_bytes(writer, first, (size_t)(digits + sizeof digits - first));
}

static void put_bits(struct writer *writer, const char *key, uint32_t bits)
{
    char text[] = "\"0x00000000\"";
    for (char *digit = text + 10; bits; bits >>= 4)
        *digit-- = "0123456789abcdef"[bits & 15];
    put(writer, key);
    put(writer, text);
}

/* A real has a point or an exponent, for readers that tell the two apart. */
static const char *decimal_of(struct writer *writer, double value)
{
    const uint64_t bits = double_bits(value);
    struct written *written = &writer->numbers[bits * UINT64_C(0x9e3779b97f4a7c15) >> (64 - WRITTEN_BITS)];
    if (written->bits != bits || !*written->decimal) {
        written->bits = bits;
        snprintf(written->decimal, sizeof written->decimal, "%.17g", value);
        if (!strpbrk(written->decimal, ".e"))
            strcat(written->decimal, ".0");
    }
    return written->decimal;
}

/* With 17 digits, as in run.json, and beside it exactly. */
static void put_number(struct writer *writer, const char *name, double value)
{
    char hex[NUMBER_TEXT];
    const bool is_number = isfinite(value);
    write_hex(value, hex);
    put(writer, ",\"");
    put(writer, name);
    put(writer, is_number ? "\":" : "\":\"");
    put(writer, is_number ? decimal_of(writer, value) : hex);
    put(writer, is_number ? ",\"" : "\",\"");
    put(writer, name);
    put(writer, "_hex\":\"");
    put(writer, hex);
    put(writer, "\"");
}

/* ---- a line ---- */

static enum status write_row(void *context, const struct result *row)
{
    struct writer *writer = context;
    put_text(writer, "{\"method\":", METHOD, row->method);
    put_text(writer, ",\"data\":", DATA, row->data);
    put_count(writer, ",\"n\":", row->n);
    put_text(writer, ",\"format\":", FORMAT, row->format);
    put_text(writer, ",\"operation\":", OPERATION, row->operation);
    put_count(writer, ",\"seed\":", row->seed);
    put_count(writer, ",\"trial\":", row->trial);
    put_text(writer, ",\"backend\":", BACKEND, row->backend);
    put_text(writer, ",\"device\":", DEVICE, row->device);
    put_count(writer, ",\"blocks\":", row->launch.blocks);
    put_count(writer, ",\"threads\":", row->launch.threads);
    put_count(writer, ",\"repeat\":", row->repeat);
    put_number(writer, "computed", row->computed);
    put_bits(writer, ",\"computed_bits\":", row->computed_bits);
    put_text(writer, ",\"exact\":", EXACT, row->exact);
    put_bits(writer, ",\"nearest_bits\":", row->nearest_bits);
    for (enum metric m = 0; m < METRICS; m++)
        put_number(writer, metric_table[m].id, row->metrics[m]);
    put_number(writer, "condition", row->condition);
    put_number(writer, "bound", row->bound);
    put_text(writer, ",\"class\":", CLASS, class_names[row->class]);
    put_count(writer, ",\"height\":", row->height);
    put_number(writer, "probable_bound", row->probable_bound);
    if (writer->run)
        put_text(writer, ",\"run\":", RUN, writer->run);
    put(writer, "}\n");
    return writer->failed ? out_of_memory("a line of JSON") : OK;
}

/* ---- the file ---- */

static enum status write_all(struct writer *writer, const struct report *report)
{
    for (size_t r = 0; r < report->run_count; r++) {
        writer->run = report->run_count > 1 ? report->names[r] : NULL;
        TRY(results_each(&report->runs[r], write_row, writer));
    }
    flush(writer);
    return OK;
}

static enum status samples_write(const struct report *report, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    struct writer *writer = calloc(1, sizeof *writer);
    if (writer)
        writer->file = out.file;
    const enum status status = writer ? write_all(writer, report) : out_of_memory("the lines of JSON");
    for (size_t i = 0; writer && i < TEXTS; i++) {
        free(writer->texts[i].text);
        free(writer->texts[i].json);
    }
    free(writer);
    if (status == OK)
        return output_close(&out);
    output_discard(&out);
    return status;
}

const struct report_format report_samples = {
    .id = "samples",
    .option = "samples",
    .file_name = NULL,
    .summary = "every sum for scripts: one JSON object a line, with the columns of results.csv",
    .write = samples_write,
};
