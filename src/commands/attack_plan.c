#include "attack_plan.h"
#include "method_argument.h"
#include "src/base/limit_text.h"
#include "src/measure/measure.h"
#include "src/measure/refusals.h"

enum { DEFAULT_N = 64, DEFAULT_CALLS = 1000000 };

/* Numbers that all sums of an attack may have together: some hours. */
#define NUMBERS_MOST (UINT64_C(1) << 42)

/* ---- what to climb, and how far ---- */

static enum status read_climb(const char *text, struct aim *aim)
{
    static const char *const words[] = {[ATTACK_BOUND] = "bound", [ATTACK_ULP] = "ulp"};
    for (int c = 0; text && c < 2; c++)
        if (strcmp(text, words[c]) == 0) {
            *aim = (struct aim){true, (enum attack_climbs)c, INFINITY};
            return OK;
        }
    return bad_input("--climb: \"%s\" is unknown; expected bound or ulp; choose one", text);
}

static enum status read_until(const char *text, struct aim *aim)
{
    struct limit_text limit;
    const bool is_limit = limit_text_read(text, &limit) == LIMIT_FINE;
    if (!is_limit || (limit.form != FORM_ULP && limit.form != FORM_BOUND && limit.form != FORM_AUTO) ||
        (limit.form == FORM_BOUND && limit.number > 1) || limit.tree)
        return bad_input("--until: \"%s\" is no limit%s; expected 4ulp, or bound*0.5 for half the bound", text,
                         !is_limit                  ? ""
                         : limit.form == FORM_BOUND ? " that a sum can be beyond"
                                                    : " of what an attack climbs");
    const enum attack_climbs climbs = limit.form == FORM_ULP ? ATTACK_ULP : ATTACK_BOUND;
    if (aim->is_given && aim->climbs != climbs)
        return bad_input(
            "--until %s: expected a limit on what --climb climbs, found one on the other; leave --climb out", text);
    *aim = (struct aim){true, climbs, limit.number};
    return OK;
}

/* ---- how many numbers ---- */

/* "4,16,256..4Ki*4". */
static enum status read_sizes(const char *text, uint64_t sizes[ATTACK_SIZES_MOST], size_t *count)
{
    OWNED char *list = memory_copy(text);
    enum status status = OK;
    *count = 0;
    for (char *rest = list, *word; status == OK && (word = strsep(&rest, ","));) {
        OWNED uint64_t *values = NULL;
        size_t more = 0;
        const char *wrong = read_size_sweep(word, &values, &more);
        if (!wrong && (values[0] == 0 || more > ATTACK_SIZES_MOST - *count))
            wrong = values[0] == 0 ? "has no numbers" : "is too many";
        if (wrong)
            status = bad_input("--n: \"%s\" %s; expected up to %d counts above 0, like 64 or 4,16,256", word, wrong,
                               ATTACK_SIZES_MOST);
        for (size_t i = 0; i < more && status == OK; i++)
            sizes[(*count)++] = values[i];
    }
    return status;
}

/* ---- the methods ---- */

/* Why it is not attacked; false: it is. */
static bool is_refused(const struct attack_plan *plan, const struct method *method, const struct format *format,
                       const struct method **fit, char why[REASON_SIZE])
{
    *fit = format ? study_method_for(method, format) : method;
    if (method->operation != OPERATION_sum)
        snprintf(why, REASON_SIZE, "it is no sum");
    else if (!*fit)
        snprintf(why, REASON_SIZE, "not for numbers of %s", format->name);
    else if ((*fit)->plugin && !plugin_computes(*fit))
        snprintf(why, REASON_SIZE, "its results were computed elsewhere");
    else
        return !measure_can_do(*fit, plan->request.launch, method_is_on_host(*fit) ? NULL : plan->device, why);
    return true;
}

static enum status choose_methods(const struct attack_wishes *wishes, bool quiet, struct attack_plan *plan)
{
    struct study *study = &plan->study;
    const struct format *format = wishes->format ? format_named(wishes->format) : NULL;
    struct refusals refusals = {0};
    size_t left = 0;
    if (wishes->format && !format)
        return bad_input("--format: \"%s\" is unknown; expected one of `ulpscope list formats`; choose one",
                         wishes->format);
    TRY(study_select_methods(study, wishes->methods.word, wishes->methods.count, "attack"));
    for (size_t m = 0; m < study->method_count; m++) {
        const struct method *fit;
        char why[REASON_SIZE];
        if (is_refused(plan, study->methods[m], format, &fit, why))
            refusals_add(&refusals, study->methods[m]->id, why);
        else
            study->methods[left++] = fit;
    }
    refusals_tell(&refusals, "skipping", "", quiet && left > 0);
    study->method_count = left;
    if (left > 0)
        return OK;
    return bad_input("attack: no selected method can be attacked here; expected a sum that is computed on the host, or "
                     "on a GPU that is there; choose others; see `ulpscope list methods`");
}

/* ---- a GPU: many candidates at once, and black boxes ---- */

static enum status sum_on_device(void *context, const struct method *method, const struct operands *of,
                                 struct launch launch, uint64_t *bits)
{
    struct device *device = context;
    device_lock(device);
    enum status status = device_upload(device, of->format, of->arrays[0], of->shape.terms);
    if (status == OK)
        status = device_run(device, method, of->shape, launch, bits);
    device_unlock(device);
    return status;
}

static enum status open_device(const struct config *config, struct attack_plan *plan)
{
    const char *source;
    char why[REASON_SIZE];
    TRY(device_open(config_value(config, SETTING_DEVICE, &source), &plan->device, why));
    if (!plan->device)
        return OK;
    plan->machine = device_attack_machine(plan->device);
    plan->elsewhere = (struct attack_elsewhere){sum_on_device, plan->device};
    plan->request.machine = plan->machine;
    return OK;
}

/* ---- the whole ---- */

static enum status check_patience(const struct attack_plan *plan)
{
    for (size_t k = 0; k < plan->size_count; k++)
        if (plan->request.calls > NUMBERS_MOST / plan->sizes[k])
            return bad_input("attack: found %" PRIu64 " sums of %" PRIu64 " numbers; expected at most %" PRIu64
                             " numbers in all, which take hours; choose a smaller --budget or --n",
                             plan->request.calls, plan->sizes[k], NUMBERS_MOST);
    return OK;
}

enum status attack_plan_make(const struct attack_wishes *wishes, const struct globals *globals,
                             struct attack_plan *plan)
{
    const struct config *config = &globals->config;
    struct attack_request *request = &plan->request;
    const char *source;
    *plan = (struct attack_plan){.request.calls = DEFAULT_CALLS, .aim.limit = INFINITY, .seconds = INFINITY};
    TRY(command_read_launch(config, &request->launch));
    TRY(command_read_jobs(config, &request->workers));
    TRY(command_read_count(config_value(config, SETTING_SEED, &source), source, 0, UINT64_MAX, &request->seed));
    if (wishes->budget)
        TRY(command_read_count(wishes->budget, "--budget", 1, INT64_MAX, &request->calls));
    if (wishes->end)
        TRY(command_read_count(wishes->end, "--end", 1, INT64_MAX, &request->ends_after));
    TRY(command_read_time(wishes->time, &plan->seconds));
    if (wishes->climb)
        TRY(read_climb(wishes->climb, &plan->aim));
    if (wishes->until)
        TRY(read_until(wishes->until, &plan->aim));
    if (wishes->n)
        TRY(read_sizes(wishes->n, plan->sizes, &plan->size_count));
    else
        plan->sizes[plan->size_count++] = DEFAULT_N;
    TRY(check_patience(plan));
    TRY(open_device(config, plan));
    return choose_methods(wishes, globals->quiet, plan);
}

void attack_plan_free(struct attack_plan *plan)
{
    study_free(&plan->study);
    device_attack_free(plan->machine);
    device_close(plan->device);
}

/* Of some data at least. */
static bool has_bound(const struct attack_request *request)
{
    static const struct magnitudes ones = {1, 1, 1, NULL};
    return method_bound(request->method, request->n, request->launch, &ones) <= 1; /* above that it claims nothing */
}

struct attack_request attack_plan_request(const struct attack_plan *plan, size_t method, size_t size)
{
    struct attack_request request = plan->request;
    request.method = plan->study.methods[method];
    request.n = plan->sizes[size];
    request.elsewhere = method_is_on_host(request.method) ? NULL : &plan->elsewhere;
    request.climbs = plan->aim.is_given ? plan->aim.climbs : has_bound(&request) ? ATTACK_BOUND : ATTACK_ULP;
    request.until = nextafter(plan->aim.limit, INFINITY);
    return request;
}
