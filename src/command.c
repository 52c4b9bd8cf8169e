#include "command.h"

#include "number.h"

#include <inttypes.h>

enum status command_read_count(const char *text, const char *source, uint64_t least, uint64_t most, uint64_t *value)
{
    const char *wrong = read_size(text, value);
    if (!wrong && (*value < least || *value > most))
        wrong = "is out of range";
    if (!wrong)
        return OK;
    complain("%s: \"%s\" %s; expected a whole number from %" PRIu64 " to %" PRIu64, source, text, wrong, least, most);
    return BAD_INPUT;
}
