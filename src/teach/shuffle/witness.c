#include "shuffle.h"

#include "src/study/study.h"

/* A canonical spec has its order at the end, behind a ',' or, of a file that has no other option, a ':'. */
static size_t length_without_order(const struct data_spec *spec)
{
    char ordering[ORDERING_TEXT];
    if (spec->ordering.kind == GIVEN)
        return strlen(spec->text);
    ordering_write(spec->ordering, ordering);
    return strlen(spec->text) - strlen(",order=") - strlen(ordering);
}

char *witness_spec(const struct data_spec *spec, uint64_t order)
{
    char ordering[ORDERING_TEXT];
    struct text text = {0};
    const size_t length = length_without_order(spec);
    const bool has_items = spec->generator || length > strlen(spec->path);
    ordering_write((struct ordering){.kind = SHUFFLED, .seed = order}, ordering);
    text_append(&text, "%.*s%corder=%s", (int)length, spec->text, has_items ? ',' : ':', ordering);
    return text_take(&text);
}

/* The spec, with that text: what the commands are made of. */
static bool spec_of(const struct shuffle_request *request, uint64_t order, struct data_spec *spec)
{
    *spec = *request->spec;
    spec->text = witness_spec(request->spec, order);
    return spec->text;
}

static char *shuffle_again(const struct shuffle_request *request, const struct method *method, uint64_t order)
{
    OWNED char *data = rerun_data(request->spec);
    struct text text = {0};
    text_append(&text, "ulpscope shuffle %s -m %s", data, method->id);
    rerun_append_plugin(&text, plugin_name(method->plugin));
    text_append(&text,
                " --first %" PRIu64 " --permutations 1 --seed %" PRIu64 " --trial %" PRIu64 " --blocks %u --threads %u",
                order, request->seed, request->trial, request->launch.blocks, request->launch.threads);
    return text_take(&text);
}

char *witness_run(const struct shuffle_request *request, const struct method *method, uint64_t order)
{
    struct data_spec spec;
    char *command = NULL;
    if (request->spec->kind == TWO_VECTORS)
        return shuffle_again(request, method, order);
    if (!spec_of(request, order, &spec))
        return NULL;
    OWNED char *data = rerun_data(&spec);
    if (data)
        command = rerun_command(&(struct witness){.method = method->id,
                                                  .data_arguments = data,
                                                  .seed = request->seed,
                                                  .trial = request->trial,
                                                  .launch = request->launch,
                                                  .device = "host",
                                                  .plugin = plugin_name(method->plugin)});
    free(spec.text);
    return command;
}

char *witness_gen(const struct shuffle_request *request, uint64_t order, const char *file)
{
    struct data_spec spec;
    struct text text = {0};
    if (request->spec->kind == TWO_VECTORS || !spec_of(request, order, &spec))
        return NULL;
    text_append(&text, "ulpscope gen ");
    text_append_shell_word(&text, spec.text);
    if (spec.generator)
        text_append(&text, " --seed %" PRIu64 " --trial %" PRIu64, request->seed, request->trial);
    else if (spec.options.nonfinite != NONFINITE_REFUSE)
        text_append(&text, " --nonfinite %s", nonfinite_words[spec.options.nonfinite]);
    text_append(&text, " -o ");
    text_append_shell_word(&text, file);
    free(spec.text);
    return text_take(&text);
}
