/* What a process is asked, and what becomes of it when it does not answer. */
#include "plugin_kind.h"
#include "src/base/busy.h"
#include "src/base/clock.h"
#include "src/base/interrupts.h"

enum { FAILURES_MOST = 3 };

static _Thread_local char last_failure[WHY_SIZE];

/* After the third failure nobody asks it any more. */
void plugin_count_failure(struct plugin_method *method, uint64_t n)
{
    struct text again = {0};
    text_append_shell_word(&again, method->method.plugin->text);
    OWNED char *text = text_take(&again);
    if (method->is_tried)
        complain("%s on %" PRIu64 " integer%s: %s; rerun: ulpscope plugin check %s", method->id, n, n == 1 ? "" : "s",
                 last_failure, text);
    else
        complain("%s: %s", method->id, last_failure);
    if (++method->failures < FAILURES_MOST || atomic_exchange(&method->is_left_out, true))
        return;
    complain("%s: failed %u times; it is left out of all that follows", method->id, method->failures);
}

const char *plugin_failure(void)
{
    return last_failure;
}

/* NULL, or why it cannot be asked.  An array may begin so far from where its memory does. */
static const char *unfit(const struct plugin_method *method, const struct operands *of,
                         const struct circumstances *circumstances)
{
    enum { OFFSET_MOST = 64 };
    if (operation_table[of->operation].of != MATRICES && of->shape.rows != 1 && !method->takes_rows)
        return "takes no rows; ask for one, or declare it with them";
    if (circumstances->offset > OFFSET_MOST || circumstances->offset % of->format->bytes != 0)
        return "takes an offset of whole elements, of 64 bytes at most";
    return NULL;
}

/* As a run asks: what fails then is counted. */
static bool is_as_ever(const struct question *question)
{
    const struct circumstances *circumstances = &question->circumstances;
    const struct operands *of = question->operands;
    return !question->of->is_tried && !question->timing && circumstances->offset == 0 && !circumstances->other_stream &&
           !circumstances->is_busy && (operation_table[of->operation].of == MATRICES || of->shape.rows == 1);
}

static bool is_answered(struct plugin *plugin, const struct question *question, uint64_t *bits, double *seconds,
                        bool *refuses)
{
    const char *why_not = unfit(question->of, question->operands, &question->circumstances);
    *refuses = plugin->is_unable = false;
    if (why_not)
        return plugin_unable(plugin, why_not);
    if (!plugin_is_running(plugin))
        return false;
    plugin->last = question->of;
    const bool is_host_busy = question->circumstances.is_busy && !question->of->is_on_device;
    struct busy *busy = is_host_busy ? busy_begin() : NULL;
    const bool succeeded = plugin->kind->ask(plugin, question, bits, seconds, refuses);
    busy_end(busy);
    if (!succeeded && !plugin->is_unable)
        plugin_stop(plugin); /* an error that stays would be another's */
    return succeeded;
}

/* What fails where another method ran before is asked again in a process of its own: that one may have left an error,
 * or memory that is spoiled.  Not what was waited for in vain. */
static bool is_answered_alone(struct plugin *plugin, const struct question *question, uint64_t *bits, double *seconds,
                              bool *refuses)
{
    const struct plugin_method *before = plugin->is_running ? plugin->last : NULL;
    const double begin = clock_of_wall();
    if (is_answered(plugin, question, bits, seconds, refuses))
        return true;
    if (!before || before == question->of || plugin->is_unable || clock_of_wall() - begin > plugin->limits.seconds)
        return false;
    char why[WHY_SIZE];
    memcpy(why, plugin->why, sizeof why);
    if (!is_answered(plugin, question, bits, seconds, refuses))
        return false;
    complain("%s: behind %s, in its process: %s; not in a process of its own", question->of->id, before->id, why);
    return true;
}

/* That it has been asked for this shape, and answered. */
static void note_shape(struct plugin_method *method, struct shape shape)
{
    enum { SHAPES_MOST = 10000 };
    method->most_terms = shape.terms > method->most_terms ? shape.terms : method->most_terms;
    for (size_t i = 0; i < method->shape_count; i++)
        if (memcmp(&method->shapes[i], &shape, sizeof shape) == 0)
            return;
    if (method->shape_count == SHAPES_MOST)
        return;
    method->shapes = memory_resized(method->shapes, (method->shape_count + 1) * sizeof shape);
    method->shapes[method->shape_count++] = shape;
}

/* Its mutex is held. */
static enum status ask(struct plugin *plugin, struct plugin_method *method, const struct question *question,
                       uint64_t *bits, double *seconds)
{
    last_failure[0] = '\0';
    if (is_as_ever(question) && plugin_is_left_out(&method->method))
        return NOT_MEASURED;
    if (is_answered_alone(plugin, question, bits, seconds, &method->has_refused)) {
        if (is_as_ever(question))
            note_shape(method, question->operands->shape);
        return OK;
    }
    memcpy(last_failure, plugin->why, sizeof last_failure);
    if (is_as_ever(question) && plugin->is_unable)
        complain("%s: %s", method->id, plugin->why);
    else if (is_as_ever(question))
        plugin_count_failure(method, 0);
    return plugin->is_unable ? BAD_INPUT : NOT_MEASURED;
}

static enum status ask_under(const struct method *method, const struct operands *of, struct launch launch,
                             const struct circumstances *circumstances, const struct plugin_timing *timing,
                             uint64_t *bits, double *seconds)
{
    struct plugin *plugin = method->plugin;
    double took = 0;
    pthread_mutex_lock(&plugin->mutex);
    const struct question question = {own_of(method), of, launch, *circumstances, ++plugin->asked, timing, 0};
    const enum status status = ask(plugin, own_of(method), &question, bits, &took);
    plugin->data = timing && status == OK ? timing->data : 0;
    own_of(method)->took = status == OK ? took : own_of(method)->took;
    pthread_mutex_unlock(&plugin->mutex);
    if (seconds)
        *seconds = took;
    return status;
}

enum status plugin_ask_as_ever(const struct method *self, const struct operands *of, struct launch launch,
                               uint64_t *bits, double *seconds)
{
    return interrupted() ? INTERRUPTED : ask_under(self, of, launch, &(struct circumstances){0}, NULL, bits, seconds);
}

enum status plugin_time(const struct method *method, const struct operands *of, struct launch launch,
                        const struct plugin_timing *timing, uint64_t *bits, double *seconds)
{
    return interrupted() ? INTERRUPTED
                         : ask_under(method, of, launch, &(struct circumstances){0}, timing, bits, seconds);
}

enum status plugin_ask(const struct method *method, const struct operands *of, struct launch launch,
                       const struct circumstances *circumstances, uint64_t *bits)
{
    return ask_under(method, of, launch, circumstances, NULL, bits, NULL);
}

/* What takes longer is no quicker together: the way to the process and back takes 60 us. */
static bool is_worth_asking_together(const struct plugin_method *method, size_t count)
{
    const double seconds_most = 1;
    return !method->is_asked_singly && method->took > 0 && (double)count * method->took < seconds_most &&
           !plugin_is_left_out(&method->method);
}

/* Its mutex is held. */
static bool is_answered_together(struct plugin *plugin, struct plugin_method *method, struct question *question,
                                 uint64_t *bits)
{
    double seconds;
    bool refuses;
    question->number = ++plugin->asked;
    method->is_asked_singly = !is_answered(plugin, question, bits, &seconds, &refuses);
    plugin->data = 0;
    if (!method->is_asked_singly)
        method->took = seconds / (double)question->sets;
    return !method->is_asked_singly;
}

enum status plugin_ask_many(const struct method *method, const struct operands *of, size_t count, struct launch launch,
                            uint64_t times, uint64_t *bits)
{
    struct plugin *plugin = method->plugin;
    struct question question = {own_of(method), of, launch, {0}, 0, NULL, count};
    if (!plugin_has_events(method) || interrupted())
        return BAD_INPUT;
    pthread_mutex_lock(&plugin->mutex);
    bool is_answered = is_worth_asking_together(own_of(method), count);
    for (uint64_t time = 0; time < times && is_answered; time++)
        is_answered = is_answered_together(plugin, own_of(method), &question, bits + time * count);
    if (is_answered)
        note_shape(own_of(method), of->shape);
    pthread_mutex_unlock(&plugin->mutex);
    return is_answered ? OK : NOT_MEASURED;
}
