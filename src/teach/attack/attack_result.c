#include "attack_result.h"

#include "src/base/interrupts.h"
#include "src/base/list.h"
#include "src/measure/operation.h"
#include "src/plugins/plugin.h"

#include <math.h>

enum metric attack_result_metric(enum attack_climbs climbs)
{
    static const enum metric metrics[] = {[ATTACK_BOUND] = METRIC_bound_ratio, [ATTACK_ULP] = METRIC_ulp_error};
    return metrics[climbs];
}

double attack_result_value(const struct attack_result *attacked)
{
    return attacked->find.has_crashed || !attacked->find.x
               ? (double)NAN
               : attacked->sum.judged.metrics[attack_result_metric(attacked->request.climbs)];
}

static bool ends_a_doubling(const struct attack_find *find, size_t step)
{
    const uint64_t calls = find->steps[step].calls;
    return (calls ^ find->steps[step + 1].calls) > calls;
}

bool attack_result_next_told(const struct attack_find *find, size_t *step)
{
    const size_t before = *step;
    while (++*step < find->step_count) {
        const bool is_last = *step + 1 == find->step_count;
        if (is_last || (ends_a_doubling(find, *step) &&
                        (before == SIZE_MAX || find->steps[*step].value > 1.001 * find->steps[before].value)))
            return true;
    }
    return false;
}

/* ---- the find, judged ---- */

static struct operands operands_of_find(const struct attack_result *attacked)
{
    return (struct operands){attacked->find.format,
                             attacked->request.method->operation,
                             {attacked->find.x, NULL},
                             shape_of_one(attacked->find.n)};
}

static void judge(const struct attack_request *request, const struct method *method, const struct exact_sum *exact,
                  uint64_t bits, struct measured *judged)
{
    const struct promise promise = promise_of(method, request->launch, exact);
    judge_sum(exact, method->format, &promise, bits, judged);
}

static enum status compute(const struct attack_request *request, const struct method *method, const struct operands *of,
                           uint64_t *bits)
{
    return method_is_on_host(method)
               ? method_compute(method, of, request->launch, request->workers, bits)
               : request->elsewhere->sum(request->elsewhere->context, method, of, request->launch, bits);
}

/* The same numbers, computed by a method once more. */
static enum status judge_again(const struct attack_request *request, const struct method *method,
                               const struct operands *of, const struct exact_sum *exact, struct measured *judged)
{
    uint64_t bits;
    TRY(compute(request, method, of, &bits));
    judge(request, method, exact, bits, judged);
    return OK;
}

/* What others made may give other bits each time, and a plug-in may fail, then or now: that is complained about here,
 * the search is silent.  A replay that does shows a fault of this program. */
static enum status judge_find(struct attack_result *attacked, const struct operands *of)
{
    const struct method *method = attacked->request.method;
    struct measured *judged = &attacked->sum.judged;
    char found[FORMAT_BITS_TEXT], again[FORMAT_BITS_TEXT];
    const enum status status = judge_again(&attacked->request, method, of, &attacked->sum.exact, judged);
    const bool failed_before = attacked->find.has_crashed;
    attacked->find.has_crashed |= status != OK && method->plugin;
    attacked->repeats = attacked->find.has_crashed
                            ? failed_before && status != OK
                            : format_same(method->format, judged->computed_bits, attacked->find.computed);
    if (attacked->find.has_crashed || attacked->repeats || !method->replay)
        return OK;
    TRY(status);
    format_write_bits(method->format, attacked->find.computed, found);
    format_write_bits(method->format, judged->computed_bits, again);
    return not_measured("attack: expected %s to compute %s again, found %s; report this as a fault of ulpscope",
                        method->id, found, again);
}

/* While a search has an onlooker. */
static void catch_interrupts(const struct attack_result *attacked)
{
    if (attacked->request.onlooker)
        interrupts_catch("the sum in hand");
}

/* What is judged then is no more interrupted. */
static void release_interrupts(struct attack_result *attacked)
{
    attacked->is_interrupted |= attacked->request.onlooker && interrupted();
    if (attacked->request.onlooker)
        interrupts_release();
}

enum status attack_result_make(const struct attack_request *request, struct attack_result *attacked)
{
    enum status status = OK;
    *attacked = (struct attack_result){.request = *request};
    catch_interrupts(attacked);
    status = attack_make(request, &attacked->find);
    release_interrupts(attacked);
    TRY(status);
    if (attacked->find.is_ended)
        attacked->request.ends_after = attacked->find.calls; /* as where it is repeated */
    const struct operands of = operands_of_find(attacked);
    const struct dataset data = {.format = of.format, .x = attacked->find.x, .n = attacked->find.n};
    TRY_DONE(
        operation_exact(of.operation, &data, (struct exact_how){.workers = request->workers}, &attacked->sum.exact));
    attacked->sum.exact.ulp = exact_ulp(attacked->sum.exact.sum, request->method->format);
    TRY_DONE(judge_find(attacked, &of));
done:
    if (status != OK)
        attack_result_free(attacked);
    return status;
}

void attack_result_free(struct attack_result *attacked)
{
    attack_free(&attacked->find);
    exact_free(&attacked->sum.exact);
    exact_free(&attacked->core.exact);
    shrunken_free(&attacked->witness);
    *attacked = (struct attack_result){0};
}

/* ---- the fewest numbers ---- */

/* Is the error as large still, and of the same class?  Else a finite error ends as an overflow, which has two numbers.
 * A share is one of the bound of all numbers: fewer have a smaller bound, which would make any two of them a witness.
 */
static enum status ask(const struct question *question, const void *const vectors[], uint64_t n, bool *yes)
{
    const struct attack_result *attacked = question->about;
    const struct operands of = operands_of_sum(question->format, vectors[0], n);
    struct attack_request request = attacked->request;
    FREED_BY(exact_free) struct exact_sum exact = {0};
    struct measured judged;
    request.workers = question->workers;
    *yes = false;
    if (n == 0)
        return OK;
    TRY(exact_sum(question->format, vectors[0], n, &exact));
    exact.n = request.n;
    const enum status status = judge_again(&request, request.method, &of, &exact, &judged);
    *yes = status == OK && judged.class == attacked->sum.judged.class &&
           judged.metrics[attack_result_metric(request.climbs)] >= attacked->kept;
    return status == INTERRUPTED ? OK : status; /* the onlooker ends it */
}

/* So many additions as the search may have spent, or has. */
static uint64_t most_additions(const struct attack_request *request)
{
    const uint64_t each = request->n + (uint64_t)request->launch.blocks * request->launch.threads;
    return attack_end(request) > UINT64_MAX / each ? UINT64_MAX : attack_end(request) * each;
}

static enum status judge_core(struct attack_result *attacked)
{
    const struct shrunken *witness = &attacked->witness;
    const struct format *format = attacked->find.format;
    OWNED void *x = NULL;
    TRY(shrunken_held(witness, format, 0, &x));
    const struct operands of = operands_of_sum(format, x, witness->n);
    enum status status = exact_sum(format, x, witness->n, &attacked->core.exact);
    attacked->core.exact.n = attacked->request.n; /* as ask() has it */
    if (status == OK)
        status = judge_again(&attacked->request, attacked->request.method, &of, &attacked->core.exact,
                             &attacked->core.judged);
    attacked->core.exact.n = witness->n;
    return status;
}

enum status attack_result_shrink(struct attack_result *attacked, double limit)
{
    const double value = attack_result_value(attacked);
    const struct operands of = operands_of_find(attacked);
    struct question question = {
        .methods = {attacked->request.method},
        .method_count = 1,
        .format = of.format,
        .launch = attacked->request.launch,
        .workers = attacked->request.workers,
        .ask = ask,
        .about = attacked,
        .onlooker = attacked->request.onlooker,
        .most_additions = most_additions(&attacked->request),
    };
    if (!(value > 0) || attacked->is_interrupted || is_statistic(attacked->request.method->operation))
        return OK; /* any two numbers have the share of a bound that many have */
    attacked->kept = value > limit ? nextafter(limit, INFINITY) : isinf(value) ? value : ATTACK_RESULT_KEEPS * value;
    TRY(shrunken_of(&of, &attacked->witness));
    catch_interrupts(attacked);
    enum status status = shrink(&question, &attacked->witness);
    if (status == OK)
        status = simplify(&question, &attacked->witness);
    if (status == OK)
        status = shrink_verify(&question, &attacked->witness);
    release_interrupts(attacked);
    TRY_DONE(status);
    TRY_DONE(judge_core(attacked));
done:
    attacked->evaluations = question.evaluations;
    if (status == OK || !attacked->request.method->plugin)
        return status;
    shrunken_free(&attacked->witness); /* a plug-in failed, which it was told */
    return OK;
}
