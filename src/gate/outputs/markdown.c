/* markdown: a comment on a pull request. */
#include "src/files/output.h"
#include "src/gate/findings/check_markdown.h"

#include <stdlib.h>

static enum status markdown_write(const struct checked *checked, const char *path)
{
    struct findings findings;
    struct output out;
    findings_make(checked, &findings);
    char *text = check_markdown(checked, &findings);
    enum status status = output_open(&out, path);
    if (status == OK) {
        fputs(text, out.file);
        status = output_close(&out);
    }
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
