/* paragraph: how this was measured, for a paper; of several runs one each. */
#include "reports/paragraph.h"
#include "reports/report.h"
#include "src/files/output.h"

static enum status paragraph_write(const struct report *report, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    for (size_t r = 0; r < report->run_count; r++) {
        OWNED char *paragraph = measured_paragraph(&report->runs[r]);
        fputs(r > 0 ? "\n" : "", out.file);
        clean_line(out.file, "%s", paragraph);
    }
    return output_close(&out);
}

const struct report_format report_paragraph = {
    .id = "paragraph",
    .option = "paragraph",
    .summary = "how this was measured, to paste into a paper",
    .write = paragraph_write,
};
