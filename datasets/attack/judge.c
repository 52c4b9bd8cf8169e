#include "judge.h"

#include "datasets/dataset.h"
#include "reference/exact.h"
#include "reference/short_sum.h"
#include "src/base/format.h"

#include <float.h>
#include <math.h>

static const struct format *stored(const struct attack_judge *judge)
{
    return judge->request->method->sum_format->stored;
}

static enum status take_room(struct attack_judge *judge)
{
    const size_t n = judge->request->n + 1;
    judge->numbers = malloc(n * sizeof(double));
    if (judge->verbs) {
        judge->beside = malloc(n * WALK_LANES * judge->verbs->term_bytes);
        judge->states = malloc((judge->walk.places + (size_t)1) * WALK_LANES * judge->verbs->state_bytes);
    }
    const bool has_room = judge->numbers && (!judge->verbs || (judge->beside && judge->states));
    return has_room ? OK : out_of_memory("an attack");
}

enum status attack_judge_make(const struct attack_request *request, const struct terrain *terrain,
                              struct attack_judge *judge)
{
    *judge = (struct attack_judge){.request = request, .terrain = terrain};
    judge->verbs = terrain->tape ? walk_verbs(request->method) : NULL;
    enum status status = judge->verbs ? walk_make(terrain->tape, terrain->tape_count, &judge->walk) : OK;
    if (status == OK)
        status = take_room(judge);
    if (status == OK && judge->verbs)
        memset(judge->beside, 0, (request->n + 1) * WALK_LANES * judge->verbs->term_bytes);
    if (status != OK)
        attack_judge_free(judge);
    return status;
}

void attack_judge_free(struct attack_judge *judge)
{
    walk_free(&judge->walk);
    free_all(judge->beside, judge->states, judge->numbers);
    *judge = (struct attack_judge){0};
}

/* Without a bound to ask, half of the range is what no sum may leave. */
static bool may_overflow(const struct attack_request *request, const struct short_sum *exact, double bound)
{
    return request->climbs == ATTACK_BOUND ? isinf(bound)
                                           : exact->sum_abs_above > format_largest(request->method->format) / 2;
}

double attack_value(const struct attack_request *request, const struct short_sum *exact, const struct moments *moments,
                    double computed)
{
    const bool is_number = isfinite(computed);
    const struct magnitudes of = {exact->abs_above, exact->sum_abs_above, exact->max_abs, moments};
    const double bound = method_bound(request->method, request->n, request->launch, &of);
    if (may_overflow(request, exact, bound) || (is_number && exact->error == 0))
        return 0;
    return !is_number ? INFINITY : exact->error / (request->climbs == ATTACK_BOUND ? bound : exact->ulp);
}

static double value_of(const struct attack_judge *judge, double computed)
{
    const struct attack_request *request = judge->request;
    const struct short_sum exact = exact_short_sum(format_held(stored(judge)), judge->numbers, request->n,
                                                   request->method->format, isfinite(computed) ? computed : 0);
    return attack_value(request, &exact, NULL, computed);
}

/* Squares, whose sum may overflow where the statistic does not, count as its magnitudes. */
static enum status value_of_statistic(const struct attack_judge *judge, double computed, double *value)
{
    const struct attack_request *request = judge->request;
    const struct dataset data = {.format = stored(judge), .x = judge->numbers, .n = request->n};
    FREED_BY(exact_free) struct exact_sum exact = {0};
    mpfr_t error;
    TRY(request->exact(request->method->operation, &data, (struct exact_how){0}, &exact));
    mpfr_init2(error, mpfr_get_prec(exact.sum) + DBL_MANT_DIG);
    mpfr_sub_d(error, exact.sum, isfinite(computed) ? computed : 0, MPFR_RNDA);
    const struct short_sum sum = {exact.abs_above, exact.max_abs * exact.max_abs * (double)request->n, exact.max_abs,
                                  exact_ulp(exact.sum, request->method->format), fabs(mpfr_get_d(error, MPFR_RNDA))};
    mpfr_clear(error);
    *value = exact.kind == EXACT_FINITE ? attack_value(request, &sum, &exact.moments, computed) : 0;
    return OK;
}

static void hold(const struct attack_judge *judge, const double *candidate, const uint32_t *element)
{
    const uint64_t n = judge->request->n;
    if (format_held(stored(judge))->bytes == sizeof(double)) {
        for (uint64_t r = 0; r < n; r++)
            ((double *)judge->numbers)[element ? element[r] : r] = candidate[r];
        return;
    }
    for (uint64_t r = 0; r < n; r++)
        ((float *)judge->numbers)[element ? element[r] : r] = (float)candidate[r];
}

static void put_beside(struct attack_judge *judge, const double *candidates, size_t count)
{
    const uint64_t n = judge->request->n;
    for (size_t k = 0; k < count; k++)
        for (uint64_t r = 0; r < n; r++)
            if (judge->verbs->term_bytes == sizeof(double))
                ((double *)judge->beside)[r * WALK_LANES + k] = candidates[k * n + r];
            else
                ((float *)judge->beside)[r * WALK_LANES + k] = (float)candidates[k * n + r];
}

static void walk_all(struct attack_judge *judge, const double *candidates, size_t count, double *values,
                     double *computed)
{
    double results[WALK_LANES];
    put_beside(judge, candidates, count);
    walk_sums(judge->verbs, &judge->walk, judge->beside, judge->states, results);
    for (size_t k = 0; k < count; k++) {
        computed[k] = rounded_to(results[k], judge->request->method->format);
        hold(judge, candidates + k * judge->request->n, NULL);
        values[k] = value_of(judge, computed[k]);
    }
}

static enum status ask(struct attack_judge *judge, const double *candidate, double *value, double *computed)
{
    const struct attack_request *request = judge->request;
    const struct operands of = {
        stored(judge), request->method->operation, {judge->numbers, NULL}, shape_of_one(request->n)};
    uint64_t bits;
    hold(judge, candidate, judge->terrain->element);
    if (request->elsewhere)
        TRY(request->elsewhere->sum(request->elsewhere->context, request->method, &of, request->launch, &bits));
    else
        TRY(method_compute(request->method, &of, request->launch, 1, &bits));
    *computed = format_value(request->method->format, bits);
    if (is_statistic(request->method->operation))
        return value_of_statistic(judge, *computed, value);
    *value = value_of(judge, *computed);
    return OK;
}

enum status attack_judge_all(struct attack_judge *judge, const double *candidates, size_t count, double *values,
                             double *computed, size_t *failed)
{
    const struct onlooker *onlooker = judge->request->onlooker;
    *failed = 0;
    if (judge->verbs && !onlooker_goes_on(onlooker, count))
        return INTERRUPTED;
    if (judge->verbs)
        walk_all(judge, candidates, count, values, computed);
    for (size_t k = 0; k < count && !judge->verbs; k++) {
        *failed = k;
        if (!onlooker_goes_on(onlooker, 1))
            return INTERRUPTED;
        TRY(ask(judge, candidates + k * judge->request->n, &values[k], &computed[k]));
    }
    return OK;
}
