#include "src/plugins/exchange.h"

/* FILE.py:FUNCTION; a colon that no function follows belongs to the name. */
static size_t file_length(const char *text)
{
    const char *colon = strrchr(text, ':');
    return colon && colon > text && !strchr(colon, '/') && !strchr(colon, '.') ? (size_t)(colon - text) : strlen(text);
}

static enum status find(struct plugin *plugin, const char *where)
{
    OWNED char *file = text_made("%.*s", (int)file_length(plugin->text), plugin->text);
    return plugin_find_file(plugin, file, where);
}

static bool start(struct plugin *plugin, json_t **ready)
{
    const char *interpreter = getenv("ULPSCOPE_PYTHON"), *paths = getenv("PYTHONPATH");
    OWNED char *package = plugin_companion("python", "ULPSCOPE_PYTHON_PACKAGE");
    if (!package)
        return plugin_failed(plugin, "cannot be started: the package of ulpscope for Python is not beside it; install "
                                     "it there, or say in ULPSCOPE_PYTHON_PACKAGE where its folder is");
    OWNED char *path = text_made("PYTHONPATH=%s%s%s", package, paths && *paths ? ":" : "", paths ? paths : "");
    OWNED char *target = text_made("%s%s", plugin->path, plugin->text + file_length(plugin->text));
    OWNED char *worker =
        text_made("%s/ulpscope/worker.py", package); /* -m would import what lies in the current folder */
    char *const arguments[] = {(char *)(interpreter && *interpreter ? interpreter : "python3"), worker, target, NULL};
    char *const environment[] = {path, "PYTHONUNBUFFERED=1", NULL};
    const bool is_started = packets_start(plugin, arguments, environment, ready);
    return is_started;
}

const struct plugin_kind plugin_kind_python = {"python", find, start, packets_ask, packets_stop, false};
