/* ulpscope list: what there is to choose from. */
#include "card.h"
#include "command.h"
#include "src/base/suggest.h"
#include "src/base/text.h"
#include "src/device/device.h"
#include "src/measure/metric.h"
#include "src/study/study.h"

#include "datasets/ordering.h"
#include "reports/report.h"
#include "src/gate/fault.h"
#include "src/teach/lesson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *name; /* the second word; NULL when there is none */
    const struct config *config;
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
    if (device_count(why) == 0)
        printf("not here: needs a GPU: %s\n", why);
    else
        printf("kernel without replay: %s%s\n", version,
               black_box->determinism == DETERMINISTIC ? "" : "; order of arrival: not deterministic");
}

static void print_method(const struct method *method, int width, struct launch launch)
{
    char why[REASON_SIZE];
    printf("%-*s ", width, method->id);
    if (method->role != SUMS)
        puts("measures the tree, not a sum");
    else if (!method->replay)
        print_black_box(method, launch);
    else if (!method_can_do(method, launch, why))
        printf("refused at %u x %u: %s\n", launch.blocks, launch.threads, why);
    else
        printf("%s%s\n", method->device ? "kernel and replay" : "replay",
               method->determinism == DETERMINISTIC ? "" : "; order of arrival: not deterministic");
}

static enum status list_methods(const struct request *request)
{
    size_t count, alias_count;
    struct launch launch;
    int width = 0;
    const struct method *const *methods = method_table(&count);
    const struct method_alias *aliases = method_aliases(&alias_count);
    TRY(read_launch(request->config, &launch));
    for (size_t i = 0; i < count; i++)
        width = wider(width, methods[i]->id);
    for (size_t i = 0; i < count; i++)
        print_method(methods[i], width, launch);
    puts("");
    for (size_t i = 0; i < alias_count; i++)
        printf("%-*s %s\n", width, aliases[i].alias, aliases[i].id);
    return OK;
}

static enum status list_accumulators(const struct request *request)
{
    (void)request;
    int width = 0;
#define ACCUMULATOR(id, role, claim) width = wider(width, #id);
#include "kernels/accumulators.def"
#define ACCUMULATOR(id, role, claim) printf("%-*s  %s\n", width, #id, claim);
#include "kernels/accumulators.def"
    return OK;
}

static enum status list_orders(const struct request *request)
{
    (void)request;
    int width = 0;
#define ORDER(id, determinism, slow_above, rows, claim) width = wider(width, #id);
#include "kernels/orders.def"
#define ORDER(id, determinism, slow_above, rows, claim) printf("%-*s  %s\n", width, #id, claim);
#include "kernels/orders.def"
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
    card_row(stdout, parameter->name, row ? row : "");
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
    print_parameter(&order);
}

static const char *nearest_generator(const char *word)
{
    size_t count;
    const struct generator *const *generators = generator_table(&count);
    const char **known = malloc(count * sizeof *known);
    for (size_t i = 0; known && i < count; i++)
        known[i] = generators[i]->id;
    const char *near = known ? suggest(word, known, count) : NULL;
    free(known);
    return near;
}

static enum status no_generator(const char *name)
{
    size_t count;
    const struct waiting_family *waiting = waiting_families(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(waiting[i].id, name) == 0) {
            complain("%s is not built: it waits for %s", name, waiting[i].waits_for);
            return BAD_INPUT;
        }
    const char *near = nearest_generator(name);
    complain("\"%s\" is no generator%s%s%s; see `ulpscope list generators`", name, near ? "; did you mean \"" : "",
             near ? near : "", near ? "\"?" : "");
    return BAD_INPUT;
}

static void list_waiting_families(int width)
{
    size_t count;
    const struct waiting_family *waiting = waiting_families(&count);
    puts("\nnot built yet:");
    for (size_t i = 0; i < count; i++)
        printf("%-*s waits for %s\n", width, waiting[i].id, waiting[i].waits_for);
}

static enum status list_generators(const struct request *request)
{
    size_t count, waiting_count;
    const struct generator *const *generators = generator_table(&count);
    const struct waiting_family *waiting = waiting_families(&waiting_count);
    int width = 0;
    for (size_t i = 0; i < count; i++)
        width = wider(width, generators[i]->id);
    for (size_t i = 0; i < waiting_count; i++)
        width = wider(width, waiting[i].id);
    for (size_t i = 0; !request->name && i < count; i++)
        printf("%-*s %s\n", width, generators[i]->id, generators[i]->summary);
    if (!request->name) {
        list_waiting_families(width);
        return OK;
    }
    const struct generator *generator = generator_find(request->name);
    if (!generator)
        return no_generator(request->name);
    print_card(generator);
    return OK;
}

/* ---- the rest ---- */

static enum status list_metrics(const struct request *request)
{
    (void)request;
    for (int m = 0; m < METRICS; m++)
        printf("%-15s %s\n", metric_table[m].id, metric_table[m].meaning);
    return OK;
}

/* The sums are those in which ... */
static enum status list_faults(const struct request *request)
{
    size_t count;
    int width = 0;
    const struct fault *faults = fault_table(&count);
    (void)request;
    for (size_t i = 0; i < count; i++)
        width = wider(width, faults[i].id);
    for (size_t i = 0; i < count; i++)
        printf("%-*s %s\n", width, faults[i].id, faults[i].meaning);
    return OK;
}

static enum status list_lessons(const struct request *request)
{
    size_t count;
    int width = 0;
    const struct lesson *lessons = lesson_table(&count);
    (void)request;
    for (size_t i = 0; i < count; i++)
        width = wider(width, lessons[i].id);
    for (size_t i = 0; i < count; i++)
        printf("%-*s %s\n", width, lessons[i].id, lessons[i].title);
    return OK;
}

static enum status list_formats(const struct request *request)
{
    size_t count;
    const struct report_format *const *formats = report_formats(&count);
    (void)request;
    for (size_t i = 0; i < count; i++)
        printf("%-9s %s%-10s %-13s %s\n", formats[i]->id, formats[i]->option ? "--" : "  ",
               formats[i]->option ? formats[i]->option : "", formats[i]->file_name ? formats[i]->file_name : "",
               formats[i]->summary);
    return OK;
}

static enum status list_devices(const struct request *request)
{
    char why[REASON_SIZE];
    const int count = device_count(why);
    (void)request;
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

static enum status list_config(const struct request *request)
{
    for (int s = 0; s < SETTINGS; s++) {
        const char *source;
        const char *value = config_value(request->config, (enum setting)s, &source);
        printf("%-11s %-9s %-18s %s\n", setting_table[s].flag, value, source, setting_table[s].meaning);
    }
    return OK;
}

static const struct {
    const char *name;
    enum status (*list)(const struct request *request);
    bool takes_name;
} subjects[] = {
    {"methods", list_methods, false}, {"accumulators", list_accumulators, false},
    {"orders", list_orders, false},   {"generators", list_generators, true},
    {"metrics", list_metrics, false}, {"formats", list_formats, false},
    {"devices", list_devices, false}, {"faults", list_faults, false},
    {"lessons", list_lessons, false}, {"config", list_config, false},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static error_t parse_key(int key, char *value, struct argp_state *state)
{
    const char **words = state->input;
    if (key == ARGP_KEY_NO_ARGS)
        argp_error(state, "no subject; expected methods, generators, metrics ...");
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    if (state->arg_num > 1)
        argp_error(state, "\"%s\": too many words", value);
    words[state->arg_num] = value;
    return 0;
}

static const struct argp parser = {
    .parser = parse_key,
    .args_doc = "methods|accumulators|orders|generators [NAME]|metrics|formats|devices|faults|lessons|config",
    .doc = "Lists what there is to choose from.",
};

enum status command_list(int argc, char **argv, struct globals *globals)
{
    const char *words[2] = {NULL, NULL}, *known[SUBJECTS];
    argp_parse(&parser, argc, argv, 0, NULL, words);
    const struct request request = {.name = words[1], .config = &globals->config};
    for (size_t i = 0; i < SUBJECTS; i++) {
        known[i] = subjects[i].name;
        if (strcmp(subjects[i].name, words[0]) != 0)
            continue;
        if (words[1] && !subjects[i].takes_name) {
            complain("list %s: \"%s\" is one word too many", words[0], words[1]);
            return BAD_INPUT;
        }
        return subjects[i].list(&request);
    }
    const char *near = suggest(words[0], known, SUBJECTS);
    complain("list: \"%s\" is no subject%s%s%s; see `ulpscope list --help`", words[0], near ? "; did you mean \"" : "",
             near ? near : "", near ? "\"?" : "");
    return BAD_INPUT;
}
