/* csv: results.csv, one line a trial and method. */
#include "../../src/output.h"
#include "../csv_row.h"
#include "../report.h"

static enum status write_row(void *context, const struct result *row)
{
    csv_write_row(context, row);
    return OK; /* output_close finds what went wrong */
}

static enum status csv_write(const struct results *results, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    csv_write_header(out.file);
    const enum status status = results_each(results, write_row, out.file);
    if (status != OK) {
        output_discard(&out);
        return status;
    }
    return output_close(&out);
}

const struct report_format report_csv = {
    .id = "csv",
    .option = "csv",
    .file_name = "results.csv",
    .summary = "every sum: one line a trial and method",
    .write = csv_write,
};
