/* ulpscope list: what there is to choose from. */
#include "names.h"
#include "plugin_arguments.h"
#include "src/base/suggest.h"
#include "src/device/device.h"

#include <fnmatch.h>

struct arguments {
    struct globals *globals;
    const char *subject;
    struct words globs; /* of what is listed; none: all of it */
};

static int wider(int width, const char *id)
{
    return (int)strlen(id) > width ? (int)strlen(id) : width;
}

/* ---- methods ---- */

/* The launch that a run would have, or the first of its sweep. */
static enum status read_launch(const struct config *config, struct launch *launch)
{
    const char *source;
    struct study study = {0};
    const char *blocks = config_value(config, SETTING_BLOCKS, &source);
    const char *threads = config_value(config, SETTING_THREADS, &source);
    TRY(study_set_launches(&study, blocks, threads, source));
    *launch = study.launches[0];
    return OK;
}

/* A black box can be had, or not; its launch is its own affair. */
static void print_black_box(const struct method *black_box, struct launch launch)
{
    char why[REASON_SIZE], version[REASON_SIZE] = "";
    if (!method_can_do(black_box, launch, why)) {
        printf("not here: %s\n", why);
        return;
    }
    if (black_box->version)
        black_box->version(black_box, version);
    if (!black_box->plugin && device_count(why) == 0)
        printf("not here: needs a GPU: %s\n", why);
    else
        printf("%s: %s%s\n", black_box->plugin ? "plug-in" : "kernel without replay", version,
               black_box->determinism == DETERMINISTIC ? "" : "; order of arrival: not deterministic");
}

static void print_method(const struct method *method, int width, struct launch launch)
{
    char why[REASON_SIZE];
    printf("%-*s ", width, method->id);
    if (!method_adds(method))
        puts("measures the tree, not a sum");
    else if (!method->replay)
        print_black_box(method, launch);
    else if (!method_can_do(method, launch, why))
        printf("refused at %u x %u: %s\n", launch.blocks, launch.threads, why);
    else
        printf("%s%s\n", method->device ? "kernel and replay" : "replay",
               method->determinism == DETERMINISTIC ? "" : "; order of arrival: not deterministic");
}

static void print_methods(const struct method *const *methods, size_t count, struct launch launch)
{
    int width = 0;
    for (size_t i = 0; i < count; i++)
        width = wider(width, methods[i]->id);
    for (size_t i = 0; i < count; i++)
        print_method(methods[i], width, launch);
}

static void print_all_methods(struct launch launch)
{
    size_t count, alias_count;
    const struct method *const *methods = method_table(&count);
    const struct method_alias *aliases = method_aliases(&alias_count);
    print_methods(methods, count, launch);
    puts("\nThese are sums of binary32; of another format with an @ behind them, as `ulpscope list formats` has it: "
         "kahan/serial@bfloat16; of another operation, as `ulpscope list operations` has it, with that before them: "
         "dot:kahan/serial, matmul:kahan/naive\n");
    for (size_t i = 0; i < alias_count; i++)
        printf("%-8s %s\n", aliases[i].alias, aliases[i].id);
}

/* With globs those that -m selects. */
static enum status list_methods(const struct arguments *arguments)
{
    struct study study = {0};
    struct launch launch;
    const struct words *globs = &arguments->globs;
    TRY(read_launch(&arguments->globals->config, &launch));
    if (globs->count == 0) {
        print_all_methods(launch);
        return OK;
    }
    TRY(study_select_methods(&study, globs->word, globs->count, "list methods"));
    print_methods(study.methods, study.method_count, launch);
    study_free(&study);
    return OK;
}

/* ---- generators ---- */

static void print_parameter(const struct parameter *parameter)
{
    char fallback[PARAMETER_TEXT], least[PARAMETER_TEXT], most[PARAMETER_TEXT], *row;
    struct text text = {0};
    parameter_write_briefly(parameter, parameter_fallback(parameter), fallback);
    text_append(&text, "%s (default %s", parameter->meaning, fallback);
    if (parameter_is_number(parameter)) {
        parameter_write_briefly(parameter, parameter->least, least);
        parameter_write_briefly(parameter, parameter->most, most);
        text_append(&text, ", %s to %s", least, most);
    }
    for (const char *const *word = parameter->words; parameter->kind == WORD && *word; word++)
        text_append(&text, "%s%s", word == parameter->words ? "; " : ", ", *word);
    text_append(&text, ")");
    row = text_take(&text);
    card_row(stdout, parameter->name, row);
    free(row);
}

static void print_card(const struct generator *generator)
{
    const struct parameter n = generator_n(generator),
                           order = {"order", WORD, 0, 0, 0, "of the elements", ordering_words};
    printf("%s: %s\n\n", generator->id, generator->summary);
    card_claims(stdout, generator);
    card_row(stdout, "trials", generator->random ? "differ" : "are all the same: one is run");
    card_row(stdout, "made",
             generator->elements ? "element by element, on the host or on the GPU" : "as a whole, on the host");
    for (const char *const *spec = generator->showcase; *spec; spec++)
        card_row(stdout, spec == generator->showcase ? "shown" : "", *spec);
    puts("");
    print_parameter(&n);
    for (const struct parameter *p = generator->parameters; p->name; p++)
        print_parameter(p);
    if (!generator->a)
        print_parameter(&order);
}

/* ---- names and what they mean ---- */

static bool is_wanted(const struct words *globs, const char *id)
{
    for (size_t i = 0; i < globs->count; i++)
        if (fnmatch(globs->word[i], id, 0) == 0)
            return true;
    return globs->count == 0;
}

static enum status none_is_wanted(const struct arguments *arguments, read_name *read)
{
    enum { NAMES_MOST = 1024 };
    const char *known[NAMES_MOST], *glob = arguments->globs.word[0];
    size_t count = 0;
    for (struct name name; count < NAMES_MOST && read(count, &name); count++)
        known[count] = name.id;
    const char *near = suggest(glob, known, count);
    return bad_input("list %s: none is named \"%s\"%s%s%s; see `ulpscope list %s`", arguments->subject, glob,
                     near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "", arguments->subject);
}

static enum status print_names(const struct arguments *arguments, read_name *read)
{
    struct name name;
    bool none = true;
    int width = 0;
    for (size_t i = 0; read(i, &name); i++)
        width = wider(width, name.id);
    for (size_t i = 0; read(i, &name); i++)
        if (is_wanted(&arguments->globs, name.id)) {
            printf("%-*s  %s%s\n", width, name.id, name.prefix, name.text);
            none = false;
        }
    return none ? none_is_wanted(arguments, read) : OK;
}

/* One family that is named in full shows its card. */
static enum status list_generators(const struct arguments *arguments)
{
    const struct generator *one = arguments->globs.count == 1 ? generator_find(arguments->globs.word[0]) : NULL;
    if (!one)
        return print_names(arguments, names_of("generators"));
    print_card(one);
    return OK;
}

/* ---- formats ---- */

/* Accumulators that have no methods in a format, those of one reason in a row. */
static void print_absences(const struct sum_format *format)
{
#define ACCUMULATOR(id, role, additions, of_merge, claim) #id,
    static const char *const accumulators[] = {
#include "kernels/accumulators.def"
    };
    enum { ACCUMULATORS = sizeof accumulators / sizeof *accumulators };
    bool is_told[ACCUMULATORS] = {false};
    for (int a = 0; a < ACCUMULATORS; a++) {
        const char *why = method_absent(OPERATION_sum, format, accumulators[a]);
        if (!why || is_told[a])
            continue;
        printf("  without %s", accumulators[a]);
        for (int b = a + 1; b < ACCUMULATORS; b++) {
            const char *same = method_absent(OPERATION_sum, format, accumulators[b]);
            if (same && strcmp(same, why) == 0) {
                printf(", %s", accumulators[b]);
                is_told[b] = true;
            }
        }
        printf(": %s\n", why);
    }
}

static enum status list_formats(const struct arguments *arguments)
{
    bool none = true;
    for (int f = 0; f < SUM_FORMATS; f++) {
        const struct sum_format *format = sum_formats[f];
        if (!is_wanted(&arguments->globs, format->id))
            continue;
        printf("%-21s stored in %s, added in %s, result in %s\n  %s\n", format->id, format->stored->name,
               format->added->name, format->result->name, format->claim);
        print_absences(format);
        none = false;
    }
    if (!none)
        return OK;
    return bad_input("list formats: none is named \"%s\"; see `ulpscope list formats`", arguments->globs.word[0]);
}

static enum status list_outputs(const struct arguments *arguments)
{
    size_t count;
    const struct report_format *const *formats = report_formats(&count);
    (void)arguments;
    for (size_t i = 0; i < count; i++)
        printf("%-9s %s%-10s %-13s %s\n", formats[i]->id, formats[i]->option ? "--" : "  ",
               formats[i]->option ? formats[i]->option : "", formats[i]->file_name ? formats[i]->file_name : "",
               formats[i]->summary);
    return OK;
}

static enum status list_devices(const struct arguments *arguments)
{
    char why[REASON_SIZE];
    const int count = device_count(why);
    (void)arguments;
    printf("host     replays\n");
    for (int i = 0; i < count; i++) {
        char name[32];
        struct device *device;
        snprintf(name, sizeof name, "cuda:%d", i);
        TRY(device_open(name, &device, why));
        const struct device_facts *facts = device_facts(device);
        printf("%-8s %s, compute capability %s, %u multiprocessors\n", name, facts->name, facts->capability,
               facts->multiprocessors);
        device_close(device);
    }
    if (count == 0)
        printf("cuda     none: %s\n", why);
    return OK;
}

static enum status list_config(const struct arguments *arguments)
{
    for (int s = 0; s < SETTINGS; s++) {
        const char *source;
        const char *value = config_value(&arguments->globals->config, (enum setting)s, &source);
        clean_line(stdout, "%-11s %-9s %-18s %s", setting_table[s].flag, value, source, setting_table[s].meaning);
    }
    return OK;
}

static const struct subject {
    const char *name;
    bool takes_globs;
    enum status (*list)(const struct arguments *arguments); /* NULL: prints its names (names.h) */
} subjects[] = {
    {"methods", true, list_methods},  {"accumulators", true, NULL},
    {"orders", true, NULL},           {"generators", true, list_generators},
    {"metrics", true, NULL},          {"formats", true, list_formats},
    {"outputs", false, list_outputs}, {"devices", false, list_devices},
    {"faults", true, NULL},           {"lessons", true, NULL},
    {"config", false, list_config},   {"operations", true, NULL},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static const struct argp parser = {
    .parser = command_take_with_plugins,
    .children = plugin_parsers,
    .args_doc = "methods|operations|formats|accumulators|orders|generators|metrics|faults|lessons "
                "[GLOB]...\noutputs|devices|config",
    .doc = "Lists what there is to choose from.\n\n"
           "Examples:\n"
           "  ulpscope list methods 'neumaier/*'     what -m 'neumaier/*' selects\n"
           "  ulpscope list methods 'dot:*/serial'   dot products, one thread each\n"
           "  ulpscope list methods 'matmul:*/naive' matrix products\n"
           "  ulpscope list formats                  what --format takes\n"
           "  ulpscope list generators '*killer*'\n"
           "  ulpscope list generators gensum        the card of a family",
};

static enum status find_subject(const char *word, const struct subject **subject)
{
    const char *known[SUBJECTS];
    for (size_t i = 0; i < SUBJECTS; i++) {
        known[i] = subjects[i].name;
        *subject = &subjects[i];
        if (strcmp(word, subjects[i].name) == 0)
            return OK;
    }
    const char *near = suggest(word, known, SUBJECTS);
    return bad_input("list: unknown subject \"%s\"%s%s%s; see `ulpscope help list`", word,
                     near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

enum status command_list(int argc, char **argv, struct globals *globals)
{
    struct arguments arguments = {.globals = globals};
    const struct subject *subject;
    globals->wanted.none = "no subject; expected methods, generators, metrics ...";
    TRY(command_parse(&parser, argc, argv, &arguments));
    arguments.subject = globals->bare.word[0];
    for (size_t i = 1; i < globals->bare.count; i++)
        command_add_words(&arguments.globs, globals->bare.word[i]);
    TRY(find_subject(arguments.subject, &subject));
    if (arguments.globs.count > 0 && !subject->takes_globs)
        return bad_input("list %s: expected nothing behind it, found \"%s\"; leave it out", subject->name,
                         arguments.globs.word[0]);
    return subject->list ? subject->list(&arguments) : print_names(&arguments, names_of(subject->name));
}
