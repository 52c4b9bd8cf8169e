#include "plugin_arguments.h"
#include "src/base/list.h"
#include "src/ranks/ranks.h"

enum { PLUGIN_KEY = 768, TIMEOUT = PLUGIN_KEY + PLUGIN_KINDS, MEMORY, NO_PLUGINS };

#define REFUSAL "Refuse plug-ins that start a program, a study's too"
#define SECONDS_CLAIM "Time limit per call (default 60); ten times as long, 10 to 120 s, until it is ready"
#define MEMORY_CLAIM "Memory limit per plug-in, in bytes (default 16Gi)"

/* Found by all, on no page but that of `plugin`. */
static const struct argp_option options[] = {
#define PLUGIN_KIND(id, flag, argument, claim) {flag, PLUGIN_KEY + PLUGIN_##id, argument, OPTION_HIDDEN, claim, 9},
#include "src/plugins/kinds.def"
    {"no-plugins", NO_PLUGINS, NULL, OPTION_HIDDEN, REFUSAL, 9},
    {"timeout", TIMEOUT, "SECONDS", OPTION_HIDDEN, SECONDS_CLAIM, 9},
    {"memory", MEMORY, "SIZE", OPTION_HIDDEN, MEMORY_CLAIM, 9},
    {"--plugin=FILE, ...", 0, NULL, OPTION_DOC, "Sums of your own: see `ulpscope help plugin`", 9},
    {0},
};

static const struct argp_option page[] = {
    {NULL, 0, NULL, 0, "For commands with methods, like run; plug-ins run in processes of their own; repeatable:", 9},
#define PLUGIN_KIND(id, flag, argument, claim) {"--" flag "=" argument, 0, NULL, OPTION_DOC, claim, 9},
#include "src/plugins/kinds.def"
    {"--no-plugins", 0, NULL, OPTION_DOC, REFUSAL, 9},
    {NULL, 0, NULL, 0, "Their limits, also of `check`:", 10},
    {"timeout", TIMEOUT, "SECONDS", 0, SECONDS_CLAIM, 10},
    {"memory", MEMORY, "SIZE", 0, MEMORY_CLAIM, 10},
    {0},
};

static struct plugin_limits limits = PLUGIN_LIMITS;

static void set_timeout(const char *text)
{
    const char *wrong = read_real(text, &limits.seconds);
    if (!wrong && limits.seconds > 0 && limits.seconds <= 1e6)
        return;
    complain("--timeout: \"%s\" %s; expected seconds, above 0 and up to 1e6", text, wrong ? wrong : "is out of range");
    exit(argp_err_exit_status);
}

static bool none_may_start;

/* What the command line names needs no word; a study, whose line stands behind a colon, may come from elsewhere. */
static enum status may_start(const struct plugin_start *start)
{
    if (none_may_start)
        return bad_input("%s: expected no program to start, by --no-plugins; found %s \"%s\"; leave one of them out",
                         start->where, start->flag, start->text);
    if (strchr(start->where, ':') && !ranks_follows())
        clean_line(stderr, "%s: starts %s \"%s\"; --no-plugins refuses it", start->where, start->flag, start->text);
    return OK;
}

/* Those that the command line names, until all of it is read. */
static struct named {
    int key;
    const char *text;
} * named;
static size_t named_count, named_room;

static void load_named(void)
{
    plugins_ask_before(may_start);
    for (size_t i = 0; i < named_count; i++) {
        struct plugin *plugin;
        char *where = text_made("--%s", options[named[i].key - PLUGIN_KEY].name);
        const enum status status =
            plugin_load((enum plugin_kind_id)(named[i].key - PLUGIN_KEY), named[i].text, where, &plugin);
        free(where);
        if (status != OK)
            exit(argp_err_exit_status);
    }
    free(named);
    named = NULL;
    named_count = named_room = 0;
}

void plugins_tell_idle(const struct study *study, const char *flag, bool quiet)
{
    size_t plugin_count, count;
    struct plugin *const *plugins = plugins_loaded(&plugin_count);
    for (size_t p = 0; p < plugin_count && !quiet; p++) {
        bool is_idle = true;
        const struct method *const *methods = plugin_methods(plugins[p], &count);
        for (size_t m = 0; m < study->method_count; m++)
            is_idle &= study->methods[m]->plugin != plugins[p];
        if (is_idle)
            complain("--%s %s: none of its methods is measured, since no method that was named is one; add %s'%s/*'",
                     plugin_name(plugins[p]).flag, plugin_name(plugins[p]).text, flag, methods[0]->accumulator);
    }
}

static error_t set_limit(int key, char *value, struct argp_state *state)
{
    (void)state;
    if (key == TIMEOUT)
        set_timeout(value);
    else if (key != MEMORY)
        return ARGP_ERR_UNKNOWN;
    else if (command_read_count(value, "--memory", UINT64_C(1) << 20, UINT64_C(1) << 50, &limits.bytes) != OK)
        exit(argp_err_exit_status);
    plugins_limit(&limits);
    return 0;
}

static error_t take(int key, char *value, struct argp_state *state)
{
    if (key == ARGP_KEY_END) {
        load_named();
    } else if (key == NO_PLUGINS) {
        none_may_start = true;
    } else if (key >= PLUGIN_KEY && key < TIMEOUT) {
        named = list_short(named, named_count, &named_room, sizeof *named);
        named[named_count++] = (struct named){key, value};
    } else {
        return set_limit(key, value, state);
    }
    return 0;
}

static const struct argp page_parser = {.options = page, .parser = set_limit};

const struct argp_child plugin_page_parsers[] = {{&page_parser, 0, NULL, 0}, {0}};

static const struct argp plugin_parser = {.options = options, .parser = take};

const struct argp_child plugin_parsers[] = {{&plugin_parser, 0, NULL, 0}, {0}};

error_t command_take_with_plugins(int key, char *value, struct argp_state *state)
{
    if (key != ARGP_KEY_INIT)
        return command_take(key, value, state);
    state->child_inputs[0] = state->input;
    return 0;
}
