/* markdown: a comment on a pull request. */
#include "src/files/output.h"
#include "src/gate/findings/check_markdown.h"

#include <stdlib.h>

static enum status markdown_write(const struct checked *checked, const char *path)
{
    struct findings findings;
    struct output out;
    char *text = NULL;
    enum status status;
    TRY_DONE(findings_make(checked, &findings));
    TRY_DONE(check_markdown(checked, &findings, &text));
    TRY_DONE(output_open(&out, path));
    fputs(text, out.file);
    status = output_close(&out);
done:
    free(text);
    findings_free(&findings);
    return status;
}

const struct check_output check_output_markdown = {
    .id = "markdown",
    .option = "markdown",
    .argument = "FILE",
    .summary = "a comment on a pull request, at most 60,000 bytes",
    .write = markdown_write,
};
