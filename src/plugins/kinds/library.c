#include "src/plugins/packets.h"

#include <stdlib.h>

static enum status find(struct plugin *plugin, const char *where)
{
    return plugin_find_file(plugin, plugin->text, where);
}

static bool start(struct plugin *plugin, json_t **ready)
{
    char *worker = plugin_companion("ulpscope-worker", "ULPSCOPE_WORKER");
    if (!worker)
        return plugin_failed(plugin,
                             "cannot be started: ulpscope-worker is not beside ulpscope; install it there, or say "
                             "in ULPSCOPE_WORKER where it is");
    char *const arguments[] = {worker, plugin->path, NULL};
    const bool is_started = packets_start(plugin, arguments, NULL, ready);
    free(worker);
    return is_started;
}

const struct plugin_kind plugin_kind_library = {"plugin", find, start, packets_ask, packets_stop, false, true};
