#include "command.h"
#include "reports/report.h" /* report_colour */
#include "src/base/note.h"
#include "src/base/workers.h"
#include "src/ranks/ranks.h"
#include "src/store/store.h"

#include <errno.h>
#include <gmp.h>
#include <jansson.h>
#include <libxml/xmlmemory.h>
#include <signal.h>
#include <unistd.h>

/* ---- options that all commands have ---- */

enum { HELP_KEY = 'h', QUIET_KEY = 'q' };

static const struct argp_option common_options[] = {
    {"color", SETTING_KEY + SETTING_COLOR, "auto|always|never", 0, "When (default auto)", -1},
    {"quiet", QUIET_KEY, NULL, 0, "Only results and errors", -1},
    {"help", HELP_KEY, NULL, 0, "This text", -1},
    {0},
};

static void end_by_signal(int signal)
{
    (void)signal;
    memory_ran_out();
}

/* Where memory is short argp leaves out words, aborts, or follows a null pointer. */
static void help(const struct argp_state *state)
{
    char *text;
    size_t length;
    FILE *to = text_stream(&text, &length);
    signal(SIGABRT, end_by_signal);
    signal(SIGSEGV, end_by_signal);
    errno = 0;
    argp_state_help(state, to, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK);
    if (errno == ENOMEM)
        memory_ran_out();
    fclose(to);
    fputs(text, stdout);
    free(text);
    exit(0);
}

/* What a page has beside its options, but for the note that a short option takes what its long one does. */
static char *without_note(int key, const char *text, void *input)
{
    (void)input;
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)text;
}

static error_t parse_common_key(int key, char *value, struct argp_state *state)
{
    struct globals *const *globals = state->input;
    if (key == ARGP_KEY_INIT) {
        state->child_inputs[0] = state->input;
        state->err_stream = NULL; /* argp would name --usage */
    } else if (key == QUIET_KEY)
        (*globals)->quiet = true;
    else if (key == HELP_KEY)
        help(state);
    else
        return key == ARGP_KEY_ARG || key == ARGP_KEY_NO_ARGS ? ARGP_ERR_UNKNOWN : command_take(key, value, state);
    return 0;
}

static enum status choose_colour(const struct config *config)
{
    const char *source;
    const char *when = config_value(config, SETTING_COLOR, &source);
    const char *no_color = getenv("NO_COLOR");
    if (strcmp(when, "always") == 0)
        report_colour = true;
    else if (strcmp(when, "auto") == 0)
        report_colour = isatty(STDOUT_FILENO) && !(no_color && *no_color);
    else if (strcmp(when, "never") != 0) {
        return bad_input("%s: \"%s\" is unknown; expected auto, always or never", source, when);
    }
    return OK;
}

/* Of an option that it does not know, getopt prints the name as it stands.  -q and -h take no value: behind them stand
 * more options. */
static enum status check_option_names(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] != '-')
            continue;
        const bool is_long = argv[i][1] == '-';
        const char *letter = argv[i] + 1 + strspn(argv[i] + 1, "qh");
        OWNED char *name = is_long ? text_made("%.*s", (int)strcspn(argv[i], "="), argv[i]) : text_made("%.1s", letter);
        const bool is_clean = is_clean_text(name);
        if (!is_clean)
            return bad_input("unrecognized option '%s'; see `%s --help`", argv[i], argv[0]);
    }
    return OK;
}

static const char *command_name; /* "ulpscope run" */

static void end_with_hint(void)
{
    fprintf(stderr, "Try `%s --help' for more information.\n", command_name);
    exit(argp_err_exit_status);
}

void (*command_shows)(const struct argp *all);

enum status command_parse(const struct argp *own, int argc, char **argv, void *arguments)
{
    const struct globals *const *globals = arguments;
    const struct argp_child children[] = {{own, 0, NULL, 0}, {0}};
    const struct argp all = {common_options, parse_common_key, NULL, NULL, children, without_note, NULL};
    if (command_shows)
        command_shows(&all);
    command_name = argv[0];
    TRY(check_option_names(argc, argv));
    const error_t error = argp_parse(&all, argc, argv, ARGP_NO_HELP, NULL, arguments);
    if (error == ENOMEM)
        return out_of_memory("the command line");
    if (error) /* getopt has said why */
        end_with_hint();
    if (!(*globals)->quiet && !ranks_follows())
        notes_begin();
    return choose_colour(&(*globals)->config);
}

/* ---- options by their keys ---- */

/* Sets the setting and returns true, if the key is one of those. */
static bool set_setting(struct globals *globals, int key, const char *value)
{
    const int setting = key == JOBS_KEY ? SETTING_JOBS : key - SETTING_KEY;
    if (setting < 0 || setting >= SETTINGS)
        return false;
    globals->config.flags[setting] = value;
    return true;
}

static void take_bare(struct globals *globals, char *word)
{
    if (globals->wanted.too_many && globals->bare.count == globals->wanted.most)
        command_usage("\"%s\": %s", word, globals->wanted.too_many);
    command_add_word(&globals->bare, word);
}

error_t command_take(int key, char *value, struct argp_state *state)
{
    struct globals *const *of = state->input, *globals = *of;
    char *field = (char *)state->input + key % FIELDS_MOST;
    if (key >= FLAG_KEYS && key < TEXT_KEYS)
        *(bool *)field = true;
    else if (key >= TEXT_KEYS && key < WORD_KEYS)
        *(const char **)field = value;
    else if (key >= WORD_KEYS && key < WORD_KEYS + FIELDS_MOST)
        command_add_word((struct words *)field, value);
    else if (key == 'm')
        command_add_words(&globals->methods, value);
    else if (key == 'n')
        globals->n = value;
    else if (key == 'o')
        globals->output = value;
    else if (key == ARGP_KEY_ARG)
        take_bare(globals, value);
    else if (key == ARGP_KEY_NO_ARGS && globals->wanted.none)
        command_usage("%s", globals->wanted.none);
    else if (!set_setting(globals, key, value))
        return ARGP_ERR_UNKNOWN;
    return 0;
}

void command_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *clean = clean_text_of(format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", command_name, clean);
    free(clean);
    end_with_hint();
}

void command_add_word(struct words *words, char *word)
{
    if (words->count == WORDS_MOST)
        command_usage("more than %d values for one option; give fewer", WORDS_MOST);
    words->word[words->count++] = word;
}

void command_add_words(struct words *words, char *list)
{
    for (char *word; (word = strsep(&list, ","));)
        command_add_word(words, word);
}

/* ---- numbers ---- */

enum status command_read_count(const char *text, const char *source, uint64_t least, uint64_t most, uint64_t *value)
{
    const char *wrong = text ? read_size(text, value) : NULL;
    if (!wrong && text && (*value < least || *value > most))
        wrong = "is out of range";
    if (!wrong)
        return OK;
    return bad_input("%s: \"%s\" %s; expected a whole number from %" PRIu64 " to %" PRIu64, source, text, wrong, least,
                     most);
}

enum status command_read_setting(const struct config *config, enum setting setting, uint64_t least, uint64_t most,
                                 uint64_t *value)
{
    const char *source, *text = config_value(config, setting, &source);
    return command_read_count(text, source, least, most, value);
}

enum status command_read_time(const char *text, double *seconds)
{
    const char *wrong = text ? read_real(text, seconds) : NULL;
    if (!wrong && (!text || (*seconds > 0 && *seconds < 1e9)))
        return OK;
    return bad_input("--time: \"%s\" %s; expected seconds above 0, like 20 or 0.5", text,
                     wrong ? wrong : "is out of range");
}

enum status command_read_jobs(const struct config *config, unsigned *jobs)
{
    enum { JOBS_MOST = 1024 };
    const char *source;
    const char *text = config_override(config, SETTING_JOBS, &source);
    uint64_t count = ranks_share(workers_cores());
    if (text)
        TRY(command_read_count(text, source, 1, JOBS_MOST, &count));
    *jobs = (unsigned)count;
    return OK;
}

/* ---- settings ---- */

const struct setting_row setting_table[SETTINGS] = {
#define SETTING(id, flag, variable, built_in, meaning) {flag, variable, built_in, meaning},
#include "settings.def"
};

const char *config_override(const struct config *config, enum setting setting, const char **source)
{
    const struct setting_row *row = &setting_table[setting];
    if (config->flags[setting]) {
        *source = row->flag;
        return config->flags[setting];
    }
    const char *value = getenv(row->variable);
    if (!value || *value == '\0')
        return NULL;
    *source = row->variable;
    return value;
}

const char *config_value(const struct config *config, enum setting setting, const char **source)
{
    const char *value = config_override(config, setting, source);
    if (value)
        return value;
    *source = "built in";
    return setting_table[setting].built_in;
}

static void *library_takes(size_t size)
{
    return memory_resized(NULL, size);
}

static void *library_resizes(void *old, size_t old_size, size_t size)
{
    (void)old_size;
    return memory_resized(old, size);
}

static void library_gives_back(void *taken, size_t size)
{
    (void)size;
    free(taken);
}

void library_memory_guard(void)
{
    mp_set_memory_functions(library_takes, library_resizes, library_gives_back);
    json_set_alloc_funcs(library_takes, free);
    xmlMemSetup(free, library_takes, memory_resized, memory_copy);
}

/* "--time=3" has the value in the same word, "--time 3" in the next. */
static bool word_has(const struct word_given *word, const char *value)
{
    return value && value >= word->at && value <= word->at + strlen(word->text);
}

static bool is_left_out(const struct globals *globals, size_t i, const char *value)
{
    return value &&
           (word_has(&globals->words[i], value) || (i + 1 < globals->word_count && globals->words[i + 1].at == value));
}

char *whole_command(const struct globals *globals, const char *const without[2])
{
    struct text command = {0};
    text_append(&command, "ulpscope");
    for (size_t i = 1; i < globals->word_count; i++) {
        const struct word_given *word = &globals->words[i];
        if (is_left_out(globals, i, without[0]) || is_left_out(globals, i, without[1]))
            continue;
        text_append(&command, " ");
        text_append_shell_word(&command, word->text);
    }
    return text_take(&command);
}
