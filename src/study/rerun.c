#include "rerun.h"

#include "src/base/text.h"

#include <inttypes.h>

char *rerun_data(const struct data_spec *spec)
{
    struct text text = {0};
    text_append(&text, "-d ");
    text_append_shell_word(&text, spec->text);
    if (spec->path && spec->options.nonfinite != NONFINITE_REFUSE)
        text_append(&text, " --nonfinite %s", nonfinite_words[spec->options.nonfinite]);
    return text_take(&text);
}

char *rerun_command(const struct witness *witness)
{
    struct text text = {0};
    text_append(&text,
                "ulpscope run -m %s %s --seed %" PRIu64 " --trial %" PRIu64 " --blocks %u --threads %u --device %s",
                witness->method, witness->data_arguments, witness->seed, witness->trial, witness->launch.blocks,
                witness->launch.threads, witness->device);
    if (witness->slow)
        text_append(&text, " --slow");
    if (witness->replay_beside)
        text_append(&text, " --replay");
    return text_take(&text);
}
