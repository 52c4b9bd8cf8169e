#include "command.h"

#include "src/base/number.h"
#include "src/base/workers.h"

#include <inttypes.h>
#include <string.h>

bool command_set_setting(struct globals *globals, int key, const char *value)
{
    const int setting = key == JOBS_KEY ? SETTING_JOBS : key - SETTING_KEY;
    if (setting < 0 || setting >= SETTINGS)
        return false;
    globals->config.flags[setting] = value;
    return true;
}

error_t command_take(int key, char *value, struct argp_state *state)
{
    struct globals *const *globals = state->input;
    char *field = (char *)state->input + key % FIELDS_MOST;
    if (key == QUIET_KEY)
        (*globals)->quiet = true;
    else if (key >= FLAG_KEYS && key < TEXT_KEYS)
        *(bool *)field = true;
    else if (key >= TEXT_KEYS && key < WORD_KEYS)
        *(const char **)field = value;
    else if (key >= WORD_KEYS && key < WORD_KEYS + FIELDS_MOST)
        command_add_word((struct words *)field, value, state);
    else if (!command_set_setting(*globals, key, value))
        return ARGP_ERR_UNKNOWN;
    return 0;
}

void command_add_word(struct words *words, char *word, struct argp_state *state)
{
    if (words->count == WORDS_MOST)
        argp_error(state, "more than %d values for one option; give fewer", WORDS_MOST);
    words->word[words->count++] = word;
}

void command_add_words(struct words *words, char *list, struct argp_state *state)
{
    for (char *word; (word = strsep(&list, ","));)
        command_add_word(words, word, state);
}

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

enum status command_read_jobs(const struct config *config, unsigned *jobs)
{
    enum { JOBS_MOST = 1024 };
    const char *source;
    const char *text = config_override(config, SETTING_JOBS, &source);
    uint64_t count = workers_cores();
    if (text)
        TRY(command_read_count(text, source, 1, JOBS_MOST, &count));
    *jobs = (unsigned)count;
    return OK;
}
