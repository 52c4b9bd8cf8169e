/* samples: every sum as a line of JSON, with the columns of results.csv.
 *
 *   {"method":"plain/serial","data":"uniform:n=1024","n":1024, ... "ulp_error":0.5,"ulp_error_hex":"0x1p-1", ...}
 *
 * Written by hand, number by number: a tree of objects for each line would take four times as long.  10^6 lines take 5
 * s.
 */
#include "../../src/number.h"
#include "../../src/output.h"
#include "../json_builder.h"
#include "../report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A text and what it is in JSON: from line to line most texts are the same. */
struct quoted {
    char *text, *json;
};

enum column { METHOD, DATA, FORMAT, OPERATION, BACKEND, DEVICE, EXACT, CLASS, RUN, TEXTS };

struct writer {
    FILE *file;
    const char *run; /* tells several runs apart; NULL: there is one */
    struct quoted texts[TEXTS];
    bool failed;
};

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
    fputs(key, writer->file);
    fputs(quoted->json ? quoted->json : "null", writer->file);
}

static void put_count(const struct writer *writer, const char *key, uint64_t count)
{
    fprintf(writer->file, "%s%" PRIu64, key, count);
}

static void put_bits(const struct writer *writer, const char *key, uint32_t bits)
{
    fprintf(writer->file, "%s\"0x%08" PRIx32 "\"", key, bits);
}

/* With 17 digits, as in run.json, and beside it exactly. */
static void put_number(const struct writer *writer, const char *name, double value)
{
    char hex[NUMBER_TEXT], decimal[NUMBER_TEXT];
    write_hex(value, hex);
    snprintf(decimal, sizeof decimal, "%.17g", value);
    const char *quote_mark = isfinite(value) ? "" : "\"";
    if (isfinite(value) && !strpbrk(decimal, ".e"))
        strcat(decimal, ".0"); /* a real, for readers that tell the two apart */
    fprintf(writer->file, ",\"%s\":%s%s%s,\"%s_hex\":\"%s\"", name, quote_mark, isfinite(value) ? decimal : hex,
            quote_mark, name, hex);
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
    fputs("}\n", writer->file);
    return writer->failed ? out_of_memory("a line of JSON") : OK;
}

/* ---- the file ---- */

static enum status samples_write(const struct report *report, const char *path)
{
    struct output out;
    enum status status = OK;
    TRY(output_open(&out, path));
    struct writer writer = {.file = out.file};
    for (size_t r = 0; r < report->run_count && status == OK; r++) {
        writer.run = report->run_count > 1 ? report->names[r] : NULL;
        status = results_each(&report->runs[r], write_row, &writer);
    }
    for (size_t i = 0; i < TEXTS; i++) {
        free(writer.texts[i].text);
        free(writer.texts[i].json);
    }
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
