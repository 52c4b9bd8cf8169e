#include "whole_command.h"
#include "src/store/store.h"

/* "--shard=3/16" has the value in the same word, "--shard 3/16" in the next. */
static bool has(const struct word_given *word, const char *value)
{
    return value && value >= word->at && value <= word->at + strlen(word->text);
}

static bool is_left_out(const struct globals *globals, size_t i, const char *value)
{
    return value &&
           (has(&globals->words[i], value) || (i + 1 < globals->word_count && globals->words[i + 1].at == value));
}

char *whole_command(const struct globals *globals, const char *const without[2], const char *folder)
{
    struct text command = {0};
    text_append(&command, "ulpscope");
    for (size_t i = 1; i < globals->word_count; i++) {
        const struct word_given *word = &globals->words[i];
        if (is_left_out(globals, i, without[0]) || is_left_out(globals, i, without[1]))
            continue;
        text_append(&command, " ");
        if (!has(word, folder)) {
            text_append_shell_word(&command, word->text);
            continue;
        }
        OWNED char *before = text_made("%.*s", (int)(folder - word->at), word->text);
        if (*before)
            text_append_shell_word(&command, before);
        text_append(&command, "%c", STORE_FOLDER);
    }
    return text_take(&command);
}
