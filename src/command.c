#include "command.h"

#include "number.h"
#include "study.h"

#include <inttypes.h>
#include <string.h>

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

enum status command_read_nonfinite(const char *text, enum nonfinite *nonfinite)
{
    for (size_t i = 0; i < sizeof nonfinite_words / sizeof *nonfinite_words; i++)
        if (strcmp(text, nonfinite_words[i]) == 0) {
            *nonfinite = (enum nonfinite)i;
            return OK;
        }
    complain("--nonfinite: \"%s\" is no choice; expected refuse, ieee or skip", text);
    return BAD_INPUT;
}
