#include "method_argument.h"

static const struct argp_option options[] = {
    {"blocks", SETTING_KEY + SETTING_BLOCKS, "B", 0, "Blocks of the launch (default 120)", 0},
    {"threads", SETTING_KEY + SETTING_THREADS, "T", 0, "Threads in a block (default 256)", 0},
    {0},
};

static const struct argp launch_parser = {
    .options = options, .parser = command_take_with_plugins, .children = data_parsers};

const struct argp_child data_and_launch_parsers[] = {{&launch_parser, 0, NULL, 0}, {0}};

static enum status read_dimension(const struct config *config, enum setting setting, uint64_t most, uint32_t *dimension)
{
    const char *source;
    const char *text = config_value(config, setting, &source);
    uint64_t value;
    TRY(command_read_count(text, source, 1, most, &value));
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
    if ((*method)->operation >= VECTOR_OPERATIONS)
        return bad_input("%s: %s makes a matrix; expected a sum or a dot product; `ulpscope gen --help` says how "
                         "--witness writes the two vectors of an element, for a method that begins with %s:",
                         where, (*method)->id, operation_table[operation_table[(*method)->operation].terms].id);
    if (is_statistic((*method)->operation))
        return bad_input("%s: %s is a formula of sums; expected one sum or dot product; take the sum, %s", where,
                         (*method)->id, strchr((*method)->id, ':') + 1);
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

enum status command_read_vectors(struct data_argument *argument, const char *where, const struct method *method,
                                 struct chosen_data *chosen)
{
    argument->takes_two_vectors = operation_table[method->operation].vectors > 1;
    TRY(data_argument_read(argument, where, chosen));
    const enum status status = argument->takes_two_vectors ? data_spec_set_kind(chosen->spec, TWO_VECTORS, where) : OK;
    if (status != OK)
        chosen_data_free(chosen);
    return status;
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
