#include "study.h"

static char *data_arguments(const char *spec, enum nonfinite nonfinite)
{
    struct text text = {0};
    text_append(&text, "-d ");
    text_append_shell_word(&text, spec);
    if (nonfinite != NONFINITE_REFUSE)
        text_append(&text, " --nonfinite %s", nonfinite_words[nonfinite]);
    return text_take(&text);
}

char *rerun_data(const struct data_spec *spec)
{
    return data_arguments(spec->text, spec->path ? spec->options.nonfinite : NONFINITE_REFUSE);
}

enum status rerun_check_data(const char *arguments, const char *spec)
{
    static const enum nonfinite all[] = {NONFINITE_REFUSE, NONFINITE_IEEE, NONFINITE_SKIP};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *expected = data_arguments(spec, all[i]);
        const bool same = strcmp(expected, arguments) == 0;
        free(expected);
        if (same)
            return OK;
    }
    return bad_input("the store would run \"%s\" again with %s, which is no command of ulpscope's; expected the run.db "
                     "of an ulpscope run; run the study again",
                     spec, arguments);
}

void rerun_append_plugin(struct text *to, struct plugin_name plugin)
{
    if (!plugin.flag || !*plugin.flag)
        return;
    text_append(to, " --%s ", plugin.flag);
    text_append_shell_word(to, plugin.text);
}

char *rerun_command(const struct witness *witness)
{
    struct text text = {0};
    text_append(&text, "ulpscope run -m ");
    text_append_shell_word(&text, witness->method);
    rerun_append_plugin(&text, witness->plugin);
    text_append(&text, " %s --seed %" PRIu64 " --trial %" PRIu64 " --blocks %u --threads %u --device ",
                witness->data_arguments, witness->seed, witness->trial, witness->launch.blocks,
                witness->launch.threads);
    text_append_shell_word(&text, witness->device);
    if (witness->slow)
        text_append(&text, " --slow");
    if (witness->replay_beside)
        text_append(&text, " --replay");
    if (witness->across)
        text_append(&text, " --across %s", witness->across);
    return text_take(&text);
}

char *rerun_vectors(const char *spec, uint64_t seed, uint64_t trial, uint64_t i, uint64_t j)
{
    struct text text = {0};
    text_append(&text, "ulpscope gen ");
    text_append_shell_word(&text, spec);
    text_append(&text, " --witness %" PRIu64 ",%" PRIu64 " --seed %" PRIu64 " --trial %" PRIu64 " -o x.npy::y.npy", i,
                j, seed, trial);
    return text_take(&text);
}
