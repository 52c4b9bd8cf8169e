#include "check_output.h"

#define CHECK_OUTPUT(id) extern const struct check_output check_output_##id;
#include "outputs.def"

static const struct check_output *const table[] = {
#define CHECK_OUTPUT(id) &check_output_##id,
#include "outputs.def"
};

const struct check_output *const *check_outputs(size_t *count)
{
    *count = sizeof table / sizeof *table;
    return table;
}
