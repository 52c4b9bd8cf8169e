/* csv: results.csv, one line per trial and method. */
#include "reports/csv_field.h"
#include "reports/incomplete.h"

#include <stdio_ext.h>

struct writer {
    FILE *file;
    struct more_columns more;
};

static enum status write_row(void *context, const struct result *row)
{
    const struct writer *writer = context;
    csv_write_row(writer->file, row, writer->more.list);
    return OK; /* output_close finds what went wrong */
}

static enum status csv_write(const struct report *report, const char *path)
{
    struct writer writer;
    struct output out;
    enum status status = OK;
    TRY(output_open(&out, path));
    __fsetlocking(out.file, FSETLOCKING_BYCALLER); /* one thread writes; 50 locks a row take a tenth of the time */
    writer.file = out.file;
    more_heads(report, &writer.more);
    csv_write_header(out.file, writer.more.list);
    for (size_t r = 0; r < report->run_count && status == OK; r++) {
        more_cells(report, r, &writer.more);
        status = results_each(&report->runs[r], write_row, &writer);
    }
    return output_end(&out, status);
}

const struct report_format report_csv = {
    .id = "csv",
    .option = "csv",
    .file_name = "results.csv",
    .summary = "every sum: one line per trial and method",
    .write = csv_write,
};
