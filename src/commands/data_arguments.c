#include "data_arguments.h"

#include "argument.h"
#include "src/study/study.h" /* TRIALS_MOST */

#include <stdlib.h>
#include <string.h>

enum key { DATA = 'd', SEED = 512, TRIAL, NONFINITE };

static const struct argp_option options[] = {
    {"data", DATA, "FILE|SPEC", 0, "The data; the flag may be left out", 0},
    {"nonfinite", NONFINITE, "WHAT", 0, "NaN, Inf and missing values in files: refuse (default), ieee, skip", 0},
    {"seed", SEED, "N", 0, "Seed of generated data (default 1)", 0},
    {"trial", TRIAL, "K", 0, "Which trial of that seed (default 0)", 0},
    {0},
};

static error_t take_data(struct data_argument *argument, const char *text, struct argp_state *state)
{
    if (argument->text)
        command_usage(state, "\"%s\": a second data set; expected one", text);
    argument->text = text;
    return 0;
}

/* Methods by what they are.  Where one is missing, and there is more than data, the first of the others is one: it was
 * mistyped, and is told so. */
static error_t sort_words(struct data_argument *argument, struct argp_state *state)
{
    char *const *words = argument->words.word;
    const size_t count = argument->words.count, wanted = argument->method_count;
    const size_t data = argument->text || argument->optional ? 0 : 1;
    size_t known = 0, found = 0;
    for (size_t i = 0; i < count; i++)
        known += argument_kind(words[i]) == ARGUMENT_METHOD;
    size_t mistyped = known < wanted && count > known + data ? wanted - known : 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_method = argument_kind(words[i]) == ARGUMENT_METHOD;
        if (found < wanted && (is_method || mistyped > 0)) {
            mistyped -= is_method ? 0 : 1;
            argument->methods[found++] = words[i];
        } else if (is_method) { /* one too many */
            (void)argument_expect_data(words[i], strchr(state->name, ' ') + 1);
            exit(argp_err_exit_status);
        } else {
            take_data(argument, words[i], state);
        }
    }
    if (found < wanted)
        command_usage(state, "%s; expected %s; see `ulpscope list methods`", found == 0 ? "no method" : "one method",
                      wanted == 1 ? "one, like plain/serial" : "two, like plain/serial plain/tree_two_pass");
    if (!argument->text && !argument->optional)
        command_usage(state, "no data; expected a file or a spec like uniform:n=1024");
    return 0;
}

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct data_argument *argument = state->input;
    switch (key) {
    case SEED:
        argument->globals->config.flags[SETTING_SEED] = value;
        return 0;
    case TRIAL:
        argument->trial = value;
        return 0;
    case NONFINITE:
        if (nonfinite_read(value, "--nonfinite", &argument->nonfinite) != OK)
            exit(argp_err_exit_status);
        return 0;
    case DATA:
        return take_data(argument, value, state);
    case ARGP_KEY_ARG:
        command_add_word(&argument->words, value, state);
        return 0;
    case ARGP_KEY_END:
        return sort_words(argument, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp data_parser = {.options = options, .parser = parse_key};

const struct argp_child data_parsers[] = {{&data_parser, 0, NULL, 0}, {0}};

error_t command_take_data(int key, char *value, struct argp_state *state)
{
    if (key != ARGP_KEY_INIT)
        return command_take(key, value, state);
    state->child_inputs[0] = state->input;
    return 0;
}

enum status data_argument_read(const struct data_argument *argument, const char *where, struct chosen_data *chosen)
{
    *chosen = (struct chosen_data){0};
    TRY(argument_expect_data(argument->text, where));
    const char *source;
    const char *seed = config_value(&argument->globals->config, SETTING_SEED, &source);
    TRY(command_read_count(seed, source, 0, INT64_MAX, &chosen->seed));
    if (argument->trial)
        TRY(command_read_count(argument->trial, "--trial", 0, TRIALS_MOST, &chosen->trial));
    if (argument->takes_stdin && strcmp(argument->text, "-") == 0) {
        chosen->spec = data_spec_of_standard_input(argument->nonfinite);
        return OK;
    }
    size_t count;
    TRY(data_specs_read(argument->text, where, argument->nonfinite, &chosen->spec, &count));
    if (count == 1)
        return OK;
    complain("%s: \"%s\" is a sweep of %zu data sets; expected one", where, argument->text, count);
    data_specs_free(chosen->spec, count);
    return BAD_INPUT;
}

void chosen_data_free(struct chosen_data *chosen)
{
    dataset_free(&chosen->data);
    data_specs_free(chosen->spec, 1);
}
