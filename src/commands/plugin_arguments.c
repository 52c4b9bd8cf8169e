#include "plugin_arguments.h"

#include "src/base/number.h"
#include "src/base/text.h"
#include "src/plugins/plugin.h"

#include <stdlib.h>

enum { PLUGIN_KEY = 768, TIMEOUT = PLUGIN_KEY + PLUGIN_KINDS, MEMORY };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Methods of others, each in a process of its own; repeatable:", 9},
#define PLUGIN_KIND(id, flag, argument, claim) {flag, PLUGIN_KEY + PLUGIN_##id, argument, 0, claim, 9},
#include "src/plugins/kinds.def"
    {0},
};

static const struct argp_option limit_options[] = {
    {"timeout", TIMEOUT, "SECONDS", 0, "That one call of them may take (default 60)", 9},
    {"memory", MEMORY, "SIZE", 0, "That one of them may take, in bytes (default 16Gi)", 9},
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

static error_t load(int key, char *value, struct argp_state *state)
{
    struct plugin *plugin;
    (void)state;
    if (key < PLUGIN_KEY || key >= TIMEOUT)
        return ARGP_ERR_UNKNOWN;
    char *where = text_made("--%s", options[1 + key - PLUGIN_KEY].name);
    const enum status status = plugin_load((enum plugin_kind_id)(key - PLUGIN_KEY), value, where, &plugin);
    free(where);
    if (status != OK)
        exit(argp_err_exit_status);
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

static const struct argp plugin_parser = {.options = options, .parser = load, .children = plugin_limit_parsers};

const struct argp_child plugin_parsers[] = {{&plugin_parser, 0, NULL, 0}, {0}};

error_t command_take_with_plugins(int key, char *value, struct argp_state *state)
{
    if (key != ARGP_KEY_INIT)
        return command_take(key, value, state);
    state->child_inputs[0] = state->input;
    return 0;
}
