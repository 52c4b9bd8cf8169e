#include "data_arguments.h"
#include "src/base/suggest.h"

#include <unistd.h>

enum key { DATA = 'd', NONFINITE = 512 };

static const struct argp_option options[] = {
    {"data", DATA, "FILE|SPEC", 0, "The data; the flag may be left out", 0},
    {"nonfinite", NONFINITE, "refuse|ieee|skip", 0, "NaN, Inf and missing values in files (default refuse)", 0},
    {"format", TEXT_KEYS + (int)offsetof(struct data_argument, format), "FORMAT", 0,
     "Format of the numbers, like format= in a spec: binary64, binary32, binary16, ...", 0},
    {"convert", FLAG_KEYS + (int)offsetof(struct data_argument, converts), NULL, 0,
     "Round the numbers of a file to --format, like convert= in its spec", 0},
    {"seed", SETTING_KEY + SETTING_SEED, "N", 0, "Seed of generated data (default 1)", 0},
    {"trial", TEXT_KEYS + (int)offsetof(struct data_argument, trial), "K", 0, "Which trial of that seed (default 0)",
     0},
    {0},
};

static void take_data(struct data_argument *argument, const char *text, struct argp_state *state)
{
    if (argument->text && argument_expect_data(argument->text, strchr(state->name, ' ') + 1) != OK)
        exit(argp_err_exit_status);
    if (argument->text)
        command_usage("\"%s\": a second data set; expected one", text);
    argument->text = text;
}

/* Methods by what they are.  Where one is missing, and there is more than data, the first of the others is one: it was
 * mistyped, and the message says so. */
static void sort_words(struct data_argument *argument, struct argp_state *state)
{
    char *const *words = argument->globals->bare.word;
    const size_t count = argument->globals->bare.count, wanted = argument->method_count;
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
    if (found < (wanted))
        command_usage("%s; expected %s; see `ulpscope list methods`", found == 0 ? "no method" : "one method",
                      wanted == 1 ? "one, like plain/serial" : "two, like plain/serial plain/tree_two_pass");
    if (!argument->text && !argument->optional)
        command_usage("no data; expected a file or a spec like uniform:n=1024");
}

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    struct data_argument *argument = state->input;
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = state->input;
    else if (key == DATA)
        take_data(argument, value, state);
    else if (key == ARGP_KEY_END)
        sort_words(argument, state);
    else if (key != NONFINITE)
        return command_take(key, value, state);
    else if (nonfinite_read(value, "--nonfinite", &argument->nonfinite) != OK)
        exit(argp_err_exit_status);
    return 0;
}

static const struct argp data_parser = {.options = options, .parser = parse_key, .children = plugin_parsers};

const struct argp_child data_parsers[] = {{&data_parser, 0, NULL, 0}, {0}};

/* ---- --format and --convert ---- */

static enum status read_format(const struct data_argument *argument, const struct format **format)
{
    *format = argument->format ? format_named(argument->format) : NULL;
    if (*format || (!argument->format && !argument->converts))
        return OK;
    if (argument->format)
        return refuse_unknown_format("--format", "format", argument->format);
    return bad_input("--convert: no format is given; expected --format as well; say what to round to");
}

/* Of a family the spec is read again, which knows whether it has the format. */
static enum status read_family_in(const struct data_argument *argument, const char *where, const struct format *format,
                                  struct chosen_data *chosen)
{
    size_t count;
    if (argument->converts)
        return bad_input(
            "--convert: \"%s\" is a family, whose numbers are made in --format; expected a file; leave it out",
            argument->text);
    OWNED char *text = data_text_in_format(argument->text, format, false);
    data_specs_free(chosen->spec, 1);
    chosen->spec = NULL;
    return data_specs_read(text, where, argument->nonfinite, &chosen->spec, &count);
}

static enum status set_format(const struct data_argument *argument, const char *where, struct chosen_data *chosen)
{
    const struct format *format;
    TRY(read_format(argument, &format));
    if (format && chosen->spec->generator)
        return read_family_in(argument, where, format, chosen);
    if (format)
        data_spec_set_format(chosen->spec, format, argument->converts);
    return OK;
}

/* ---- the data ---- */

static enum status read_spec(const struct data_argument *argument, const char *where, struct data_spec **spec)
{
    size_t count;
    if (argument->takes_stdin && strcmp(argument->text, "-") == 0) {
        *spec = data_spec_of_standard_input(argument->nonfinite);
        return OK;
    }
    TRY(data_specs_read(argument->text, where, argument->nonfinite, spec, &count));
    if (count == 1)
        return OK;
    complain("%s: \"%s\" is a sweep of %zu data sets; expected one", where, argument->text, count);
    data_specs_free(*spec, count);
    *spec = NULL;
    return BAD_INPUT;
}

enum status data_argument_read(const struct data_argument *argument, const char *where, struct chosen_data *chosen)
{
    *chosen = (struct chosen_data){0};
    TRY(argument_expect_data(argument->text, where));
    TRY(command_read_setting(&argument->globals->config, SETTING_SEED, 0, INT64_MAX, &chosen->seed));
    TRY(command_read_count(argument->trial, "--trial", 0, TRIALS_MOST, &chosen->trial));
    TRY(read_spec(argument, where, &chosen->spec));
    TRY(set_format(argument, where, chosen));
    return argument->takes_two_vectors ? OK : data_spec_set_kind(chosen->spec, ONE_VECTOR, where);
}

enum status chosen_data_make(struct chosen_data *chosen)
{
    return dataset_make(chosen->spec, chosen->seed, chosen->trial, &chosen->data);
}

void chosen_data_free(struct chosen_data *chosen)
{
    dataset_free(&chosen->data);
    data_specs_free(chosen->spec, 1);
    *chosen = (struct chosen_data){0};
}

bool argument_ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

enum argument_kind argument_kind(const char *text)
{
    if (study_names_family(text))
        return ARGUMENT_DATA;
    if (study_names_methods(text))
        return ARGUMENT_METHOD;
    return argument_ends_in(text, ".yaml") || argument_ends_in(text, ".yml") ? ARGUMENT_STUDY : ARGUMENT_DATA;
}

/* Or some with commas. */
static bool is_number(const char *text)
{
    return strpbrk(text, "0123456789") && strspn(text, "0123456789.,+-e") == strlen(text) && access(text, F_OK) != 0;
}

enum status argument_expect_data(const char *text, const char *where)
{
    const enum argument_kind kind = argument_kind(text);
    if (kind == ARGUMENT_DATA && !is_number(text))
        return OK;
    if (kind == ARGUMENT_DATA)
        complain(
            "%s: expected data, a file or a spec like uniform:n=1024; found \"%s\", a number; `printf '%%s\\n' 0.1 "
            "0.2 >x.txt` makes a file of some",
            where, text);
    else if (kind == ARGUMENT_METHOD)
        complain("%s: expected data, a file or a spec like uniform:n=1024; found \"%s\", a name of methods; choose "
                 "methods with -m, as `ulpscope run -m '%s'` does",
                 where, text, text);
    else
        complain(
            "%s: expected data, a file or a spec like uniform:n=1024; found \"%s\", a study; `ulpscope run %s` runs it",
            where, text, text);
    return BAD_INPUT;
}

static const struct argp_option launch_options[] = {
    {"blocks", SETTING_KEY + SETTING_BLOCKS, "B", 0, "Blocks of the launch (default 120)", 0},
    {"threads", SETTING_KEY + SETTING_THREADS, "T", 0, "Threads in a block (default 256)", 0},
    {0},
};

static const struct argp launch_parser = {
    .options = launch_options, .parser = command_take_with_plugins, .children = data_parsers};

const struct argp_child data_and_launch_parsers[] = {{&launch_parser, 0, NULL, 0}, {0}};

static enum status read_dimension(const struct config *config, enum setting setting, uint64_t most, uint32_t *dimension)
{
    uint64_t value;
    TRY(command_read_setting(config, setting, 1, most, &value));
    *dimension = (uint32_t)value;
    return OK;
}

enum status command_read_launch(const struct config *config, struct launch *launch)
{
    TRY(read_dimension(config, SETTING_BLOCKS, LAUNCH_BLOCKS_MOST, &launch->blocks));
    return read_dimension(config, SETTING_THREADS, LAUNCH_THREADS_MOST, &launch->threads);
}

enum status command_read_method(const char *name, const char *where, struct launch launch, const struct method **method)
{
    char why[REASON_SIZE];
    TRY(study_method_named(name, where, method));
    TRY(command_expect_one_result((*method)->operation, (*method)->id, where));
    if (is_statistic((*method)->operation))
        return bad_input("%s: %s is a formula of sums; expected one sum or dot product; take the sum, %s", where,
                         (*method)->id, strchr((*method)->id, ':') + 1);
    if ((*method)->operation >= VECTOR_OPERATIONS)
        return bad_input("%s: %s makes a matrix; expected a sum or a dot product; `ulpscope gen --help` says how "
                         "--witness writes the two vectors of an element, for a method that begins with %s:",
                         where, (*method)->id, operation_table[operation_table[(*method)->operation].terms].id);
    if (!(*method)->replay || method_can_do((*method), launch, why))
        return OK;
    return bad_input("%s: %s refuses %u blocks of %u threads: %s; choose others with --blocks and --threads", where,
                     (*method)->id, launch.blocks, launch.threads, why);
}

enum status command_expect_sum(const struct method *method, const char *where)
{
    if (method->operation == OPERATION_sum)
        return OK;
    return bad_input("%s: %s is no sum; expected a sum here; `ulpscope blame` and `ulpscope tree` take dot products",
                     where, method->id);
}

enum status command_expect_one_result(enum operation operation, const char *word, const char *where)
{
    return !operation_is_per_number(operation)
               ? OK
               : bad_input(
                     "%s: %s gives a result for each number; expected one result; take its sums, %s, or measure it "
                     "with `ulpscope run -m %s`",
                     where, word, is_scan(operation) ? "plain/serial" : strchr(word, ':') + 1, word);
}

enum status command_expect_no_windows(enum operation operation, const char *word, const char *where)
{
    return operation_table[operation].of != WINDOW_SUMS
               ? OK
               : bad_input("%s: %s is of windows, which are not varied; expected a sum, a scan, a softmax or the like; "
                           "`ulpscope run` measures it",
                           where, word);
}

enum status command_read_vectors(struct data_argument *argument, const char *where, const struct method *method,
                                 struct chosen_data *chosen)
{
    argument->takes_two_vectors = operation_table[method->operation].vectors > 1;
    TRY(data_argument_read(argument, where, chosen));
    return argument->takes_two_vectors ? data_spec_set_kind(chosen->spec, TWO_VECTORS, where) : OK;
}

enum status command_fit_method(const struct chosen_data *chosen, const char *where, const struct method **method)
{
    const struct format *stored = chosen->data.format;
    const struct method *fit = study_method_for(*method, stored);
    if (fit) {
        *method = fit;
        return OK;
    }
    if ((*method)->sum_format == sum_formats[0])
        complain("%s: %s is not there in %s, the format of %s: %s; choose another method", where, (*method)->id,
                 stored->name, chosen->spec->text,
                 method_absent((*method)->operation, sum_format_of(stored, NULL), (*method)->accumulator));
    else
        complain("%s: %s adds numbers of %s, and %s holds %s; expected the same; see `ulpscope list methods`, or leave "
                 "the @ out",
                 where, (*method)->id, (*method)->sum_format->stored->name, chosen->spec->text, stored->name);
    return BAD_INPUT;
}
