/* A subcommand: one file of its name and one row of the table in main.c. */
#pragma once

#include "datasets/spec.h"

#include <argp.h>

/* Settings and where they come from: flag > ULPSCOPE_* variable > study file > built in. */

enum setting {
#define SETTING(id, flag, variable, built_in, meaning) SETTING_##id,
#include "settings.def"
    SETTINGS
};

struct setting_row {
    const char *flag, *variable, *built_in, *meaning;
};

extern const struct setting_row setting_table[SETTINGS];

struct config {
    const char *flags[SETTINGS]; /* as given on the command line; NULL: not given */
};

/* The value from a flag or a variable, and in *source which ("--seed", "ULPSCOPE_SEED"); NULL when neither is set, so
 * that a study file may decide. */
const char *config_override(const struct config *config, enum setting setting, const char **source);

/* The same, or what is built in. */
const char *config_value(const struct config *config, enum setting setting, const char **source);

struct word_given {
    const char *at; /* where it was found; options and their values point into it */
    char *text;     /* as it was given */
};

/* The words of a repeatable flag. */
enum { WORDS_MOST = 256 };
struct words {
    char *word[WORDS_MOST];
    size_t count;
};

/* The words without a flag that a command takes. */
struct bare_wanted {
    size_t most;          /* none where too_many is NULL */
    const char *too_many; /* of one word more, "a second run; expected one" */
    const char *none;     /* where there is none: what was expected; NULL: it may do without */
};

/* What all commands have.  The arguments of each begin with a pointer to it. */
struct globals {
    struct config config;
    bool quiet;
    char *command_line; /* the whole, as a shell would read it back */
    struct word_given *words;
    size_t word_count;
    struct bare_wanted wanted;
    struct words bare;      /* words without a flag */
    struct words methods;   /* of -m, with commas between them */
    const char *n, *output; /* of -n and -o, where a command has no own meaning for it */
};

#define COMMAND(name, summary) enum status command_##name(int argc, char **argv, struct globals *globals);
#include "commands.def"

/* Keys of the options that only set a setting, SETTING_KEY + SETTING_SEED for --seed; -j is short for --jobs. */
enum { SETTING_KEY = 1024, JOBS_KEY = 'j' };

/* Keys of the options that only fill a field of the command's `struct arguments`: with true, with the value; or that
 * add the value to its words. */
enum { FLAG_KEYS = 1 << 16, TEXT_KEYS = 2 << 16, WORD_KEYS = 3 << 16, FIELDS_MOST = 1 << 16 };
#define FLAG_KEY(field) (FLAG_KEYS + (int)offsetof(struct arguments, field))
#define TEXT_KEY(field) (TEXT_KEYS + (int)offsetof(struct arguments, field))
#define WORD_KEY(field) (WORD_KEYS + (int)offsetof(struct arguments, field))

/* Parses the arguments of a command, which has --help, --quiet and --color beside its own options.  Ends the program
 * after --help, and on wrong usage. */
enum status command_parse(const struct argp *own, int argc, char **argv, void *arguments);

/* Where it is set, command_parse hands it the options of the command, and it ends the program (complete.h). */
extern void (*command_shows)(const struct argp *all);

/* Does what the key says, if it is one of those above, -m, -n or -o, or takes a word without a flag: the whole argp
 * parser of a command, or what its own ends with. */
error_t command_take(int key, char *value, struct argp_state *state);

/* Ends the program: what is wrong, in which what is quoted is made visible, and where help is. */
void command_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

void command_add_word(struct words *words, char *word);

/* The words of a list, "a,!b,c"; the commas are cut in place. */
void command_add_words(struct words *words, char *list);

/* A count given with a flag or variable; NULL leaves it as it is. */
enum status command_read_count(const char *text, const char *source, uint64_t least, uint64_t most, uint64_t *value);

/* That of a setting, or what is built in. */
enum status command_read_setting(const struct config *config, enum setting setting, uint64_t least, uint64_t most,
                                 uint64_t *value);

/* The seconds of --time; NULL leaves them as they are. */
enum status command_read_time(const char *text, double *seconds);

/* The threads to work with: --jobs, ULPSCOPE_JOBS, or one per core, of which ranks have a share each. */
enum status command_read_jobs(const struct config *config, unsigned *jobs);

/* Libraries that have their memory from functions of ours, which end the program when there is none
 * (src/base/memory.h). */

/* GMP, and so MPFR; libxml2; jansson.  Before anything else is done with them. */
void library_memory_guard(void);

/* The command line without two options, as of an attack that the clock does not end.  `without`: their values, in the
 * words of the command line; or NULL.  Allocated. */
char *whole_command(const struct globals *globals, const char *const without[2]);
