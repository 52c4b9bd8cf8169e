#include "plugin_arguments.h"

#include "src/base/memory.h"
#include "src/base/number.h"
#include "src/base/text.h"
#include "src/plugins/plugin.h"

#include <stdlib.h>

enum { PLUGIN_KEY = 768, TIMEOUT = PLUGIN_KEY + PLUGIN_KINDS, MEMORY };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Plug-ins (each runs in its own process); repeatable:", 9},
#define PLUGIN_KIND(id, flag, argument, claim) {flag, PLUGIN_KEY + PLUGIN_##id, argument, 0, claim, 9},
#include "src/plugins/kinds.def"
    {0},
};

static const struct argp_option limit_options[] = {
    {"timeout", TIMEOUT, "SECONDS", 0,
     "Time limit per call (default 60); ten times as long, 10 to 120 s, until it is ready", 9},
    {"memory", MEMORY, "SIZE", 0, "Memory limit per plug-in, in bytes (default 16Gi)", 9},
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

/* Those of the command line, in its order. */
static struct named {
    int key;
    const char *text;
} * named;
static size_t named_count;

static void load_named(void)
{
    struct plugin *plugin;
    for (size_t i = 0; i < named_count; i++) {
        char *where = text_made("--%s", options[1 + named[i].key - PLUGIN_KEY].name);
        if (plugin_load((enum plugin_kind_id)(named[i].key - PLUGIN_KEY), named[i].text, where, &plugin) != OK)
            exit(argp_err_exit_status);
        free(where);
    }
    free(named);
    named = NULL;
    named_count = 0;
}

/* Loaded when all limits are known. */
static error_t take_plugin(int key, char *value, struct argp_state *state)
{
    (void)state;
    if (key == ARGP_KEY_END)
        load_named();
    if (key < PLUGIN_KEY || key >= TIMEOUT)
        return ARGP_ERR_UNKNOWN;
    named = memory_resized(named, (named_count + 1) * sizeof *named);
    named[named_count++] = (struct named){key, value};
    return 0;
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

static const struct argp limit_parser = {.options = limit_options, .parser = set_limit};

const struct argp_child plugin_limit_parsers[] = {{&limit_parser, 0, NULL, 0}, {0}};

static const struct argp plugin_parser = {.options = options, .parser = take_plugin, .children = plugin_limit_parsers};

const struct argp_child plugin_parsers[] = {{&plugin_parser, 0, NULL, 0}, {0}};

error_t command_take_with_plugins(int key, char *value, struct argp_state *state)
{
    if (key != ARGP_KEY_INIT)
        return command_take(key, value, state);
    state->child_inputs[0] = state->input;
    return 0;
}
