#include "check_output.h"

#define CHECK_OUTPUT(id) extern const struct check_output check_output_##id;
#include "outputs.def"
#undef CHECK_OUTPUT

enum {
#define CHECK_OUTPUT(id) OUTPUT_##id,
#include "outputs.def"
#undef CHECK_OUTPUT
    OUTPUTS
};

/* The rows live in files of their own, and C has no constant that copies them; so the table is filled at first use. */
const struct check_output *check_outputs(size_t *count)
{
    static struct check_output table[OUTPUTS];
    if (!table[0].id) {
#define CHECK_OUTPUT(id) table[OUTPUT_##id] = check_output_##id;
#include "outputs.def"
#undef CHECK_OUTPUT
    }
    *count = OUTPUTS;
    return table;
}
