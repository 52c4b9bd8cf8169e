#include "attack.h"

#include "climb.h"
#include "datasets/probe/revealed.h"
#include "known.h"
#include "src/base/format.h"

#include <math.h>

enum { STARTS_MOST = 16 };

static bool has_bound(const struct attack_request *request)
{
    const struct magnitudes ones = {1, 1, 1, NULL};
    return is_statistic(request->method->operation) ||
           isfinite(method_bound(request->method, request->n, request->launch, &ones));
}

static enum status check(const struct attack_request *request)
{
    const struct method *method = request->method;
    char why[REASON_SIZE];
    const bool of_formula = request->exact && is_statistic(method->operation) && method->replay &&
                            operation_table[method->operation].vectors == 1 &&
                            !operation_is_per_number(method->operation);
    if (!of_formula && (method->operation != OPERATION_sum || method->role != SUMS ||
                        !(method_is_on_host(method) || request->elsewhere)))
        complain("attack: %s: expected a sum of floating-point numbers that is computed on the host, found none; "
                 "choose a method of `ulpscope list methods` with a replay, or a plug-in",
                 method->id);
    else if (!method_can_do(method, request->launch, why))
        complain("attack: %s refuses blocks=%u,threads=%u: %s; choose another launch, or another method", method->id,
                 request->launch.blocks, request->launch.threads, why);
    else if (request->n < 1 || request->n > ATTACK_MOST_N)
        complain("attack: n=%llu; expected 1 to %d; choose such an n", (unsigned long long)request->n, ATTACK_MOST_N);
    else if (request->calls < 1)
        complain("attack: a budget of 0 calls; expected at least 1; choose a larger budget");
    else if (request->climbs == ATTACK_BOUND && !has_bound(request))
        complain("attack: %s claims no bound for n=%llu; expected one to climb; climb ulp instead", method->id,
                 (unsigned long long)request->n);
    else
        return OK;
    return BAD_INPUT;
}

struct opening {
    const struct attack_request *request;
    struct attack_judge judge;
    struct attack_starts starts;
    struct attack_best *best;
    enum status status;
};

/* Keeps the best; of equal values the first. */
static void keep_start(struct opening *opening, const double *numbers, double value)
{
    const size_t n = opening->request->n;
    struct attack_starts *starts = &opening->starts;
    size_t place = starts->count;
    while (place > 0 && value > starts->values[place - 1])
        place--;
    if (place == STARTS_MOST || (place > 0 && value == starts->values[place - 1]))
        return;
    const size_t kept = starts->count < STARTS_MOST ? starts->count++ : STARTS_MOST - 1;
    memmove(starts->values + place + 1, starts->values + place, (kept - place) * sizeof *starts->values);
    memmove(starts->numbers + (place + 1) * n, starts->numbers + place * n, (kept - place) * n * sizeof *numbers);
    memcpy(starts->numbers + place * n, numbers, n * sizeof *numbers);
    starts->values[place] = value;
}

/* At most half of the calls, so that there is a search, too. */
static bool visit(void *to, const double *numbers, const char *by)
{
    struct opening *opening = to;
    struct attack_best *best = opening->best;
    const uint64_t half = opening->request->calls / 2, end = attack_end(opening->request);
    double value, computed;
    size_t failed;
    opening->status = attack_judge_all(&opening->judge, numbers, 1, &value, &computed, &failed);
    if (opening->status == INTERRUPTED)
        return false;
    best->calls++;
    if (opening->status != OK) {
        memcpy(best->numbers, numbers, opening->request->n * sizeof *numbers);
        best->has_failed = true;
        return false;
    }
    if (value > best->value)
        opening->status = attack_best_take(best, numbers, opening->request->n, value, computed, best->calls, by);
    keep_start(opening, numbers, value);
    return opening->status == OK && best->calls < half && best->calls < end && best->value < opening->request->until;
}

static enum status open_attack(const struct attack_request *request, const struct terrain *terrain,
                               struct opening *opening)
{
    opening->starts.numbers = malloc(STARTS_MOST * (request->n + 1) * sizeof(double));
    opening->starts.values = malloc(STARTS_MOST * sizeof(double));
    TRY(opening->starts.numbers && opening->starts.values ? OK : out_of_memory("what is known to be hard"));
    TRY(attack_judge_make(request, terrain, &opening->judge));
    TRY(attack_known(request, terrain, visit, opening));
    return opening->status; /* of a visit, which ends it */
}

static enum status store(const struct attack_request *request, const struct terrain *terrain,
                         const struct attack_best *best, struct attack_find *find)
{
    find->format = request->method->sum_format->stored;
    find->n = request->n;
    find->x = malloc(request->n * sizeof(double));
    TRY(find->x ? OK : out_of_memory("what an attack has found"));
    for (uint64_t r = 0; r < request->n; r++)
        held_set(find->format, find->x, terrain->element[r], best->numbers[r]);
    find->value = best->value;
    find->computed = format_bits(request->method->format, best->computed);
    find->calls = best->calls;
    return OK;
}

static enum status attack(const struct attack_request *request, const struct terrain *terrain, struct attack_find *find)
{
    struct attack_best best = {.numbers = calloc(request->n, sizeof(double))};
    struct opening opening = {.request = request, .best = &best};
    enum status status = best.numbers ? open_attack(request, terrain, &opening) : out_of_memory("an attack");
    if (status == INTERRUPTED && request->onlooker && best.calls > 0)
        status = OK;
    if (status == OK && best.calls < attack_end(request) && best.value < request->until)
        status = attack_climb(request, terrain, &opening.starts, &best);
    find->steps = best.steps;
    find->step_count = best.step_count;
    find->has_crashed = best.has_failed && request->method->ask;
    find->is_ended = status == OK && best.calls < attack_end(request) && best.value < request->until;
    if (status == OK || find->has_crashed)
        status = store(request, terrain, &best, find);
    attack_judge_free(&opening.judge);
    free_all(opening.starts.numbers, opening.starts.values, best.numbers);
    return status;
}

enum status attack_make(const struct attack_request *request, struct attack_find *find)
{
    struct terrain terrain;
    *find = (struct attack_find){0};
    TRY(check(request));
    const struct tree_request tree = {"attack", request->method, request->n, request->launch};
    if (request->onlooker)
        revealed_onlooker(request->onlooker);
    enum status status = terrain_make(&tree, &terrain);
    if (status == OK)
        status = attack(request, &terrain, find);
    if (request->onlooker)
        revealed_onlooker(NULL);
    terrain_free(&terrain);
    if (status != OK)
        attack_free(find);
    return status;
}

void attack_free(struct attack_find *find)
{
    for (size_t i = 0; i < find->step_count; i++)
        free(find->steps[i].by);
    free_all(find->steps, find->x);
    *find = (struct attack_find){0};
}
