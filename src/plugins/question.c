/* What a process is asked, and what becomes of it when it does not answer. */
#include "plugin_kind.h"
#include "src/base/busy.h"
#include "src/base/interrupts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FAILURES_MOST = 3 };

static struct plugin_method *own_of(const struct method *method)
{
    return (struct plugin_method *)method->own;
}

/* After the third failure nobody asks it any more. */
static void count_failure(struct plugin_method *method, uint64_t n)
{
    const struct plugin *plugin = method->method.plugin;
    struct text again = {0};
    text_append_shell_word(&again, plugin->text);
    char *text = text_take(&again);
    if (method->is_tried)
        complain("%s on %" PRIu64 " integers: %s; rerun: ulpscope plugin check %s", method->id, n, plugin->why, text);
    else
        complain("%s: %s", method->id, plugin->why);
    free(text);
    if (!plugin_computes(&method->method) || ++method->failures < FAILURES_MOST ||
        atomic_exchange(&method->is_left_out, true))
        return;
    complain("%s: failed %u times; it is left out of all that follows", method->id, method->failures);
}

static _Thread_local char last_failure[WHY_SIZE];

const char *plugin_failure(void)
{
    return last_failure;
}

/* NULL, or why it cannot be asked.  An array may begin so far from where its memory does. */
static const char *unfit(const struct plugin_method *method, const struct operands *of,
                         const struct circumstances *circumstances)
{
    enum { OFFSET_MOST = 64 };
    if (of->shape.columns == 0 && of->shape.rows != 1 && !method->takes_rows)
        return "takes no rows; ask for one, or declare it with them";
    if (circumstances->offset > OFFSET_MOST || circumstances->offset % of->format->bytes != 0)
        return "takes an offset of whole elements, of 64 bytes at most";
    return NULL;
}

/* As a run asks: what fails then is counted. */
static bool is_as_ever(const struct question *question)
{
    const struct circumstances *circumstances = &question->circumstances;
    const struct shape shape = question->operands->shape;
    return question->of->is_tried || (circumstances->offset == 0 && !circumstances->other_stream &&
                                      !circumstances->is_busy && (shape.columns > 0 || shape.rows == 1));
}

static bool is_answered(struct plugin *plugin, const struct question *question, uint64_t *bits, double *seconds,
                        bool *lives)
{
    const char *why_not = unfit(question->of, question->operands, &question->circumstances);
    *lives = true;
    plugin->is_unable = false;
    if (why_not)
        return plugin_unable(plugin, why_not);
    if (!plugin_is_running(plugin))
        return false;
    *lives = false;
    const bool is_host_busy = question->circumstances.is_busy && !question->of->is_on_device;
    struct busy *busy = is_host_busy ? busy_begin() : NULL;
    const bool succeeded = plugin->kind->ask(plugin, question, bits, seconds, lives);
    busy_end(busy);
    return succeeded;
}

/* Its mutex is held. */
static enum status ask(struct plugin *plugin, struct plugin_method *method, const struct question *question,
                       uint64_t *bits, double *seconds)
{
    bool lives;
    last_failure[0] = '\0';
    if (is_answered(plugin, question, bits, seconds, &lives))
        return OK;
    memcpy(last_failure, plugin->why, sizeof last_failure);
    if (!lives && plugin->is_running)
        plugin_stop(plugin);
    if (is_as_ever(question) && plugin->is_unable)
        complain("%s: %s", method->id, plugin->why);
    else if (is_as_ever(question) && !(method->is_tried && lives))
        count_failure(method, question->operands->shape.terms);
    return plugin->is_unable ? BAD_INPUT : NOT_MEASURED;
}

static enum status ask_under(const struct method *method, const struct operands *of, struct launch launch,
                             const struct circumstances *circumstances, uint64_t *bits, double *seconds)
{
    struct plugin *plugin = method->plugin;
    double took = 0;
    pthread_mutex_lock(&plugin->mutex);
    const struct question question = {own_of(method), of, launch, *circumstances, ++plugin->asked};
    const enum status status = ask(plugin, own_of(method), &question, bits, &took);
    pthread_mutex_unlock(&plugin->mutex);
    if (seconds)
        *seconds = took;
    return status;
}

enum status plugin_ask_as_ever(const struct method *self, const struct operands *of, struct launch launch,
                               uint64_t *bits, double *seconds)
{
    return interrupted() ? INTERRUPTED : ask_under(self, of, launch, &(struct circumstances){0}, bits, seconds);
}

enum status plugin_ask(const struct method *method, const struct operands *of, struct launch launch,
                       const struct circumstances *circumstances, uint64_t *bits)
{
    return ask_under(method, of, launch, circumstances, bits, NULL);
}
