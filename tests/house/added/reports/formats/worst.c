/* worst: the command that runs the worst sum of each series again, one a line. */
#include "reports/report.h"
#include "src/files/output.h"

static enum status worst_write(const struct report *report, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    for (size_t r = 0; r < report->run_count; r++)
        for (size_t s = 0; s < report->runs[r].series_count; s++)
            fprintf(out.file, "%s\n", report->runs[r].series[s].worst_command);
    return output_close(&out);
}

const struct report_format report_worst = {
    .id = "worst",
    .option = "worst",
    .file_name = NULL,
    .summary = "the command that runs the worst sum of each series again",
    .write = worst_write,
};
