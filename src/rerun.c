#include "rerun.h"

#include "text.h"

#include <inttypes.h>

char *rerun_command(const struct witness *witness)
{
    const struct study *study = witness->study;
    const struct data_spec *spec = &study->entries[witness->entry].specs[witness->spec];
    struct text text = {0};
    text_append(&text, "ulpscope run -m %s -d ", witness->method);
    text_append_shell_word(&text, spec->text);
    text_append(&text, " --seed %" PRIu64 " --trial %" PRIu64 " --blocks %u --threads %u --device %s", study->seed,
                witness->trial, witness->launch.blocks, witness->launch.threads, witness->device);
    if (spec->path && spec->options.nonfinite != NONFINITE_REFUSE)
        text_append(&text, " --nonfinite %s", nonfinite_words[spec->options.nonfinite]);
    if (witness->slow)
        text_append(&text, " --slow");
    if (witness->replay_beside)
        text_append(&text, " --replay");
    return text_take(&text);
}
