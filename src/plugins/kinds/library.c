/* Shared libraries: what they say through include/ulpscope/plugin.h, or one function of theirs, by its prototype.
 *
 *   ./libmine.so                                                     its methods
 *   ./libx.so:total                                                  float total(const float *, size_t)
 *   ./libx.so:float dot(const float *, const float *, int)           likewise as it says */
#include "src/plugins/packets.h"
#include "src/plugins/prototype.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The colon behind the file; NULL: a file alone is named. */
static const char *colon_of(const char *text)
{
    const char *ending = strstr(text, ".so:"), *colon = access(text, F_OK) == 0 ? NULL : strchr(text, ':');
    for (; colon; colon = strchr(colon + 1, ':')) {
        char *file = text_made("%.*s", (int)(colon - text), text);
        const bool is_there = access(file, F_OK) == 0;
        free(file);
        if (is_there)
            return colon;
    }
    return ending && access(text, F_OK) != 0 ? ending + strlen(".so") : NULL;
}

bool plugin_names_function(const char *text)
{
    return colon_of(text) != NULL;
}

/* Of a name alone the usual one; allocated. */
static char *prototype_of(const char *function)
{
    const bool is_name =
        strspn(function, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:") == strlen(function);
    return is_name ? text_made("float %s(const float *, size_t)", function) : text_made("%s", function);
}

static enum status find(struct plugin *plugin, const char *where)
{
    const char *colon = colon_of(plugin->text);
    if (!colon)
        return plugin_find_file(plugin, plugin->text, where);
    struct prototype of;
    OWNED char *file = text_made("%.*s", (int)(colon - plugin->text), plugin->text), *text = prototype_of(colon + 1);
    const char *wrong = prototype_read(text, &of);
    if (!wrong && of.is_kernel)
        wrong = "a kernel";
    if (wrong)
        complain("%s: %s: expected \"float %s(const float *, size_t)\" or its like, of float or double, with two "
                 "arrays of a dot product, or with the result as last pointer; found %s; `ulpscope plugin new mine` "
                 "begins a wrapper that calls any other",
                 where, plugin->text, *of.name ? of.name : "f", wrong);
    return wrong ? BAD_INPUT : plugin_find_file(plugin, file, where);
}

static bool start(struct plugin *plugin, json_t **ready)
{
    OWNED char *worker = plugin_companion("ulpscope-worker", "ULPSCOPE_WORKER");
    const char *colon = colon_of(plugin->text);
    struct prototype of = {0};
    if (!worker)
        return plugin_failed(plugin, "cannot be started: ulpscope-worker is not beside ulpscope; install it there, or "
                                     "say in ULPSCOPE_WORKER where it is");
    OWNED char *text = colon ? prototype_of(colon + 1) : NULL, *name = plugin_name_of(plugin->path);
    if (text)
        (void)prototype_read(text, &of); /* which find() saw that it can be read */
    char *const words[BARE_WORDS] = {[BARE_PLUGIN] = strncmp(name, "lib", 3) == 0 && name[3] ? name + 3 : name,
                                     [BARE_METHOD] = of.name,
                                     [BARE_FORMAT] = (char *)prototype_format(&of),
                                     [BARE_SIGNATURE] = of.signature,
                                     [BARE_MANGLED] = of.mangled,
                                     [BARE_PROTOTYPE] = text};
    char *arguments[3 + BARE_WORDS] = {worker, plugin->path};
    if (text)
        memcpy(arguments + 2, words, sizeof words);
    return packets_start(plugin, arguments, NULL, ready);
}

const struct plugin_kind plugin_kind_library = {"plugin", find, start, packets_ask, packets_stop, false, true};
