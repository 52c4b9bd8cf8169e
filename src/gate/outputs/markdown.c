/* markdown: a comment on a pull request. */
#include "src/files/output.h"
#include "src/gate/findings/findings.h"

static enum status markdown_write(const struct checked *checked, const char *path)
{
    FREED_BY(findings_free) struct findings findings = {0};
    struct output out;
    findings_make(checked, &findings);
    OWNED char *text = check_markdown(checked, &findings);
    TRY(output_open(&out, path));
    fputs(text, out.file);
    return output_close(&out);
}

const struct check_output check_output_markdown = {
    .id = "markdown",
    .option = "markdown",
    .argument = "FILE",
    .summary = "a comment on a pull request, at most 60,000 bytes",
    .write = markdown_write,
};
