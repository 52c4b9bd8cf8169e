/* count: the number of findings, for scripts that need no more. */
#include "src/files/output.h"
#include "src/gate/check_output.h"

static enum status count_write(const struct checked *checked, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    fprintf(out.file, "%zu\n", checked->check->count);
    return output_close(&out);
}

const struct check_output check_output_count = {
    .id = "count",
    .option = "count",
    .argument = "FILE",
    .summary = "the number of findings",
    .write = count_write,
};
