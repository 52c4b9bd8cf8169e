/* Results that were computed elsewhere, of data that `ulpscope gen` wrote: src/plugins/recorded.h has the file.  There
 * is no process; a case is looked up by the name that was noted for it. */
#include "src/plugins/recorded.h"

#include <ctype.h>
#include <sys/param.h>

struct results {
    struct recorded recorded;
    uint64_t *given; /* by the first row of a case: how many of its results were */
};

static struct results *results_of(const struct plugin *plugin)
{
    return plugin->own;
}

static void stop(struct plugin *plugin)
{
    if (!plugin->own)
        return;
    recorded_free(&results_of(plugin)->recorded);
    free_all(results_of(plugin)->given, plugin->own);
    plugin->own = NULL;
}

static enum status find(struct plugin *plugin, const char *where)
{
    TRY(plugin_find_file(plugin, plugin->text, where));
    struct results *results = plugin->own = memory_cleared(1, sizeof *results);
    OWNED char *name = plugin_name_of(plugin->text);
    TRY(recorded_read(plugin->text, name, &results->recorded));
    results->given = calloc(results->recorded.row_count, sizeof *results->given);
    return results->given ? OK : out_of_memory("results of a file");
}

/* "mine" of "mine/loop", when all methods are of it, and none is in the list; NULL: they are of several. */
static char *common_name(const struct recorded *recorded)
{
    const char *first = recorded->methods[0].text;
    const size_t length = strcspn(first, "/");
    for (size_t m = 0; m < recorded->method_count; m++) {
        const char *text = recorded->methods[m].text;
        if (strncmp(text, first, length) != 0 || text[length] != '/' || method_find(text))
            return NULL;
    }
    return text_made("%.*s", (int)length, first);
}

/* What a method is called behind the name of the plug-in: of "plain/serial" plain_serial. */
static char *own_name(const char *text, const char *common)
{
    char *name = memory_copy(common ? text + strlen(common) + 1 : text);
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    return name;
}

static bool start(struct plugin *plugin, json_t **ready)
{
    const struct recorded *recorded = &results_of(plugin)->recorded;
    OWNED char *common = common_name(recorded);
    json_t *methods = json_array();
    for (size_t m = 0; m < recorded->method_count; m++) {
        const struct recorded_method *method = &recorded->methods[m];
        OWNED char *name = own_name(method->text, common);
        const char *operation = operation_table[method->operation].id; /* its algorithm nobody knows */
        json_array_append_new(methods, json_pack("{ss ss# ss ss}", "name", name, "operation", operation,
                                                 (int)strcspn(operation, "."), "format", method->format->id, "claim",
                                                 "computed elsewhere"));
    }
    *ready = json_pack("{ss so}", "name", common ? common : plugin->name, "methods", methods);
    return true;
}

static bool no_result(struct plugin *plugin, const struct noted_case *of)
{
    struct text command = {0};
    text_append(&command, "ulpscope gen ");
    text_append_shell_word(&command, of->data);
    OWNED char *text = text_take(&command);
    plugin_failed(plugin,
                  "has no result for %.200s, seed %" PRIu64 ", trial %" PRIu64 "; `%.200s --seed %" PRIu64
                  " --trial %" PRIu64 "` writes its data",
                  of->data, of->seed, of->trial, text, of->seed, of->trial);
    return false;
}

static bool ask(struct plugin *plugin, const struct question *question, uint64_t *bits, double *seconds, bool *refuses)
{
    struct results *results = results_of(plugin);
    const struct noted_case *of = plugin_noted_case();
    size_t count, i = 0;
    const struct circumstances *circumstances = &question->circumstances;
    *seconds = 0;
    *refuses = false;
    if (circumstances->offset > 0 || circumstances->other_stream || circumstances->is_busy)
        return plugin_unable(plugin, "has results that were computed elsewhere");
    if (!of)
        return plugin_failed(plugin, "has results for whole data sets of its file alone; expected a method that "
                                     "computes; give a --plugin, --python or --pipe");
    const struct recorded_row *rows = recorded_find(&results->recorded, question->of->index, of, &count);
    if (!rows)
        return no_result(plugin, of);
    uint64_t *given = &results->given[rows - results->recorded.rows], before = *given;
    while (i < count && before >= rows[i].weight)
        before -= rows[i++].weight;
    if (i == count)
        return plugin_failed(plugin,
                             "has %" PRIu64 " result%s for %.200s, seed %" PRIu64 ", trial %" PRIu64
                             ", and was asked for one more; --repeats says how many",
                             *given, *given == 1 ? "" : "s", of->data, of->seed, of->trial);
    ++*given;
    *bits = rows[i].bits;
    return true;
}

const struct plugin_kind plugin_kind_results = {"results", find, start, ask, stop, true, false};

static int by_line(const void *a, const void *b)
{
    const uint64_t x = ((const struct recorded_data *)a)->line, y = ((const struct recorded_data *)b)->line;
    return (x > y) - (x < y);
}

/* Rows of one data set stand together, and among them those of a case. */
struct recorded_data *plugin_recorded(const struct plugin *plugin, size_t *count)
{
    *count = 0;
    if (!plugin->kind->is_recorded)
        return NULL;
    const struct recorded *recorded = &results_of(plugin)->recorded;
    struct recorded_data *list = memory_cleared(recorded->row_count, sizeof *list);
    uint64_t repeats = 0;
    for (size_t i = 0; i < recorded->row_count; i++) {
        const struct recorded_row *row = &recorded->rows[i], *before = i > 0 ? row - 1 : NULL;
        const bool is_new = !before || strcmp(before->data, row->data) != 0;
        struct recorded_data *data = &list[is_new ? (*count)++ : *count - 1];
        if (is_new)
            *data = (struct recorded_data){row->data, {row->seed, row->seed}, {row->trial, row->trial}, 0, row->line};
        repeats = !is_new && recorded_same_case(before, row) ? repeats + row->weight : row->weight;
        data->seeds[0] = MIN(data->seeds[0], row->seed);
        data->seeds[1] = MAX(data->seeds[1], row->seed);
        data->trials[0] = MIN(data->trials[0], row->trial);
        data->trials[1] = MAX(data->trials[1], row->trial);
        data->repeats = MAX(data->repeats, repeats);
        data->line = MIN(data->line, row->line);
    }
    qsort(list, *count, sizeof *list, by_line);
    return list;
}
