/* Shared libraries: what they say through include/ulpscope/plugin.h, or one function of theirs, by its prototype.
 *
 *   ./libmine.so                                                     its methods
 *   ./libx.so:total                                                  float total(const float *, size_t)
 *   ./libx.so:float dot(const float *, const float *, int)           likewise as it says */
#include "src/plugins/exchange.h"
#include "src/plugins/prototype.h"

#include <ctype.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* The colon behind the file; NULL: a file alone is named. */
static const char *colon_of(const char *text)
{
    const char *ending = strstr(text, ".so:"), *colon = access(text, F_OK) == 0 ? NULL : strchr(text, ':');
    for (; colon; colon = strchr(colon + 1, ':')) {
        OWNED char *file = text_made("%.*s", (int)(colon - text), text);
        const bool is_there = access(file, F_OK) == 0;
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

static const struct {
    const char *ending, *compiler;
} sources[] = {
    {".c", "cc -O2"}, {".cc", "c++ -O2"}, {".cpp", "c++ -O2"}, {".cxx", "c++ -O2"}, {".cu", "nvcc -O2 -Xcompiler"}};
enum { SOURCES = sizeof sources / sizeof *sources };

static enum status find_library(struct plugin *plugin, const char *file, const char *where)
{
    const char *ending = strrchr(file, '.');
    if (ending && strcmp(ending, ".py") == 0)
        return bad_input("%s: expected a shared library, found Python, %s; give it as --python, or python: of a study",
                         where, file);
    for (size_t i = 0; i < SOURCES && ending; i++)
        if (strcmp(ending, sources[i].ending) == 0)
            return bad_input(
                "%s: expected a shared library, found the source %s; build one, `%s -fPIC -shared -o libmine.so %s`, "
                "and name that",
                where, file, sources[i].compiler, file);
    if (access(file, F_OK) == 0 || errno != ENOENT)
        return plugin_find_file(plugin, file, where);
    return bad_input("%s: cannot open %s: %s; build it: a study's line \"# build:\" says how", where, file,
                     strerror(ENOENT));
}

static bool is_older(const char *path, const char *than)
{
    struct stat one, other;
    return stat(path, &one) == 0 && stat(than, &other) == 0 && one.st_mtime < other.st_mtime;
}

/* A source, and what it includes from its own folder. */
static void compare_with_source(const struct plugin *plugin, const char *source, const char *where)
{
    const int folder = (int)(strrchr(source, '/') + 1 - source);
    char *line = NULL, *newer = memory_copy(source);
    size_t room = 0;
    FILE *file = fopen(source, "re");
    bool is_stale = is_older(plugin->path, newer);
    while (file && !is_stale && getline(&line, &room, file) >= 0)
        if (strncmp(line, "#include \"", 10) == 0) {
            free(newer);
            newer = text_made("%.*s%.*s", folder, source, (int)strcspn(line + 10, "\""), line + 10);
            is_stale = is_older(plugin->path, newer);
        }
    if (is_stale)
        complain("%s: %s is older than %s, and measured as it was; build it again", where, plugin->text,
                 newer + folder);
    if (file)
        fclose(file);
    free(line);
    free(newer);
}

/* Of libx.so the sources x.c and its like beside it. */
static void compare_with_sources(const struct plugin *plugin, const char *where)
{
    const char *name = strrchr(plugin->path, '/') + 1, *dot = strrchr(name, '.');
    const char *stem = strncmp(name, "lib", 3) == 0 ? name + 3 : name;
    for (size_t i = 0; i < SOURCES && dot > stem; i++) {
        OWNED char *source = text_made("%.*s%.*s%s", (int)(name - plugin->path), plugin->path, (int)(dot - stem), stem,
                                       sources[i].ending);
        compare_with_source(plugin, source, where);
    }
}

static enum status find(struct plugin *plugin, const char *where)
{
    const char *colon = colon_of(plugin->text), *wrong = NULL;
    struct prototype of = {0};
    OWNED char *file =
        text_made("%.*s", (int)(colon ? (size_t)(colon - plugin->text) : strlen(plugin->text)), plugin->text);
    if (colon) {
        OWNED char *text = prototype_of(colon + 1);
        wrong = prototype_read(text, &of);
    }
    if (!wrong && of.is_kernel)
        wrong = "a kernel";
    if (wrong)
        complain(
            "%s: %s: expected \"float %s(const float *, size_t)\" or its like, of float or double, with two arrays "
            "of a dot product, or with the result as last pointer; found %s; `ulpscope plugin new mine` begins a "
            "wrapper that calls any other",
            where, plugin->text, *of.name ? of.name : "f", wrong);
    const enum status status = wrong ? BAD_INPUT : find_library(plugin, file, where);
    if (status == OK)
        compare_with_sources(plugin, where);
    return status;
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

const struct plugin_kind plugin_kind_library = {"plugin", find, start, packets_ask, packets_stop, true};
