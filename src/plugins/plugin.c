#include "plugin.h"
#include "exchange.h"
#include "src/base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <sys/prctl.h>
#include <unistd.h>

static const struct plugin_kind *const kinds[PLUGIN_KINDS] = {
#define PLUGIN_KIND(id, flag, argument, claim) &plugin_kind_##id,
#include "kinds.def"
};

/* Those that are loaded. */
static struct plugin **loaded;
static size_t loaded_count;
static struct plugin_limits limits = PLUGIN_LIMITS;
static enum status (*may_start)(const struct plugin_start *start);

void plugins_ask_before(enum status (*wanted)(const struct plugin_start *start))
{
    may_start = wanted;
}

void plugins_limit(const struct plugin_limits *wanted)
{
    limits = *wanted;
    for (size_t i = 0; i < loaded_count; i++)
        loaded[i]->limits = loaded[i]->process.limits = limits;
}

bool plugin_failed(struct plugin *plugin, const char *format, ...)
{
    char why[WHY_SIZE]; /* what is said may quote what was said */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    memcpy(plugin->why, why, sizeof why);
    return false;
}

bool plugin_unable(struct plugin *plugin, const char *why)
{
    plugin->is_unable = true;
    return plugin_failed(plugin, "%s", why);
}

/* ---- for the kinds ---- */

enum status plugin_find_file(struct plugin *plugin, const char *file, const char *where)
{
    plugin->path = realpath(file, NULL);
    if (!plugin->path)
        return caused_by(errno, "%s: cannot open %s: %s", where, file, strerror(errno));
    return file_hash(plugin->path, plugin->hash);
}

char *plugin_companion(const char *name, const char *variable)
{
    static const char *const places[] = {"", "../libexec/ulpscope/", "../share/ulpscope/"};
    const char *given = getenv(variable);
    char own[PATH_MAX];
    if (given && *given)
        return memory_copy(given);
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length <= 0)
        return NULL;
    own[length] = '\0';
    strrchr(own, '/')[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = text_made("%s%s%s", own, places[i], name);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

char *plugin_name_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    char *cut = text_made("%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
    for (char *at = cut; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    return cut;
}

/* ---- its process ---- */

void plugin_stop(struct plugin *plugin)
{
    process_end(&plugin->process, NULL);
    if (plugin->kind->stop)
        plugin->kind->stop(plugin);
    plugin->is_running = false;
}

static bool start(struct plugin *plugin, json_t **ready)
{
    *ready = NULL;
    plugin->last = NULL;
    plugin->data = 0;
    plugin->is_running = plugin->kind->start(plugin, ready);
    plugin->process.is_ready = plugin->is_running;
    if (!plugin->is_running)
        plugin_stop(plugin);
    return plugin->is_running;
}

bool plugin_is_running(struct plugin *plugin)
{
    json_auto_t *ready = NULL;
    if (plugin->is_closed)
        return plugin_failed(plugin, "was asked when all was over");
    if (plugin->is_running)
        return true;
    return start(plugin, &ready);
}

/* ---- all of them ---- */

static void free_plugin(struct plugin *plugin)
{
    plugin_stop(plugin);
    plugin_methods_free(plugin);
    pthread_mutex_destroy(&plugin->mutex);
    free_all(plugin->text, plugin->path, plugin->name, plugin->version, plugin);
}

static enum status open_plugin(struct plugin *plugin, const char *where)
{
    json_auto_t *ready = NULL;
    TRY(plugin->kind->find(plugin, where));
    if (may_start)
        TRY(may_start(&(struct plugin_start){plugin->kind->flag, plugin->text, where}));
    plugin->name = plugin_name_of(plugin->path);
    if (!start(plugin, &ready))
        return bad_input("%s: %s: %s", where, plugin->text, plugin->why);
    return plugin_read_methods(plugin, ready, where);
}

enum status plugin_load(enum plugin_kind_id kind, const char *text, const char *where, struct plugin **loaded_plugin)
{
    for (size_t i = 0; i < loaded_count; i++)
        if (loaded[i]->kind == kinds[kind] && strcmp(loaded[i]->text, text) == 0) {
            *loaded_plugin = loaded[i];
            return OK;
        }
    struct plugin *plugin = memory_cleared(1, sizeof *plugin);
    plugin->kind = kinds[kind];
    plugin->text = memory_copy(text);
    plugin->limits = limits;
    pthread_mutex_init(&plugin->mutex, NULL);
    const enum status status = open_plugin(plugin, where);
    if (status != OK) {
        free_plugin(plugin);
        return status;
    }
    if (loaded_count == 0)
        atexit(plugins_close);
    loaded = memory_resized(loaded, (loaded_count + 1) * sizeof(struct plugin *));
    loaded[loaded_count++] = *loaded_plugin = plugin;
    return OK;
}

struct plugin *const *plugins_loaded(size_t *count)
{
    *count = loaded_count;
    return loaded;
}

/* A worker to which nobody talks any more ends by itself, and may tidy up before: a library's `close`. */
enum { PATIENCE = 1000 }; /* milliseconds */
static void let_end(struct plugin *plugin, int patience)
{
    if (!plugin->is_running || plugin->kind->stop != packets_stop)
        return;
    packets_stop(plugin);
    process_has_ended(&plugin->process, patience);
}

bool plugin_ends_with_errors(struct plugin *plugin)
{
    enum { OF_A_TOOL = 60000 };
    pthread_mutex_lock(&plugin->mutex);
    let_end(plugin, OF_A_TOOL);
    const bool has_errors = packets_found_errors(plugin);
    plugin_stop(plugin);
    pthread_mutex_unlock(&plugin->mutex);
    return has_errors;
}

void plugin_restart(const struct method *method)
{
    struct plugin *plugin = method->plugin;
    pthread_mutex_lock(&plugin->mutex);
    let_end(plugin, PATIENCE);
    plugin_stop(plugin);
    pthread_mutex_unlock(&plugin->mutex);
}

void plugins_close(void)
{
    for (size_t i = 0; i < loaded_count; i++) {
        pthread_mutex_lock(&loaded[i]->mutex);
        let_end(loaded[i], PATIENCE);
        plugin_stop(loaded[i]);
        loaded[i]->is_closed = true;
        pthread_mutex_unlock(&loaded[i]->mutex);
    }
    prctl(PR_SET_DUMPABLE, 1);
}

const struct method *const *plugin_methods(const struct plugin *plugin, size_t *count)
{
    *count = plugin->method_count;
    return plugin->list;
}

struct plugin_name plugin_name(const struct plugin *plugin)
{
    return plugin ? (struct plugin_name){plugin->kind->flag, plugin->text} : (struct plugin_name){"", ""};
}

bool plugin_is_flag(const char *flag)
{
    for (int k = 0; k < PLUGIN_KINDS; k++)
        if (strcmp(kinds[k]->flag, flag) == 0)
            return true;
    return false;
}

bool plugin_takes(const struct method *method, uint64_t n)
{
    const struct plugin_method *own = own_of(method);
    for (size_t i = 0; i < own->length_count; i++)
        if (own->lengths[i] == n)
            return true;
    return own->length_count == 0;
}

const uint64_t *plugin_lengths(const struct method *method, size_t *count)
{
    *count = own_of(method)->length_count;
    return own_of(method)->lengths;
}

bool plugin_is_variant(const struct method *method)
{
    return own_of(method)->is_variant;
}

uint64_t plugin_most_terms(const struct method *method)
{
    return own_of(method)->most_terms;
}

bool plugin_takes_rows(const struct method *method)
{
    return own_of(method)->takes_rows;
}

bool plugin_is_on_device(const struct method *method)
{
    return own_of(method)->is_on_device;
}

bool plugin_has_events(const struct method *method)
{
    return own_of(method)->is_on_device && method->plugin->kind->has_events;
}

unsigned plugin_breaks_claim(const struct method *method)
{
    return atomic_fetch_add(&own_of(method)->broken_claims, 1) + 1;
}

unsigned plugin_broken_claims(const struct method *method)
{
    return atomic_load(&own_of(method)->broken_claims);
}

unsigned plugin_failures(const struct method *method)
{
    return own_of(method)->failures;
}

bool plugin_is_left_out(const struct method *method)
{
    return atomic_load(&own_of(method)->is_left_out);
}
