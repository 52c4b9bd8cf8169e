
#include "src/base/busy.h"
#include "src/base/interrupts.h"
#include "src/plugins/plugin.h"
#include "vary.h"

enum { ALIGNMENT = 128, ORDERS = 4 };

static void tell(struct vary *vary, const char *before, const char *why)
{
    if (!*vary->found->why)
        vary_leave_out(vary, "%s%.*s", before, (int)sizeof vary->found->why, why);
}

enum tried vary_try(struct vary *vary, const struct operands *of, const struct circumstances *under, uint64_t *bits,
                    const char *variant)
{
    const struct method *method = vary->of->method;
    char before[sizeof vary->found->first + sizeof ": "];
    const enum status status = vary_compute(vary, of, vary->of->launch, under, bits);
    if (status == OK)
        return COMPUTED;
    if (vary_replays(vary->of))
        return STOPPED;
    const bool is_unable = status == BAD_INPUT;
    vary->found->variants += !is_unable;
    snprintf(before, sizeof before, "%s%s", is_unable ? "it" : variant, is_unable ? " " : ": ");
    tell(vary, before, method->plugin ? plugin_failure() : "failed, as said above");
    return is_unable || device_is_lost(vary->of->device) ? HOPELESS : FAILED;
}

enum tried vary_try_base(struct vary *vary, const struct circumstances *under, const char *variant, const char *order)
{
    const enum tried tried = vary_try(vary, &vary->of->of, under, vary->bits, variant);
    if (tried == COMPUTED)
        variation_note(vary, vary->bits, "%s%s", variant, order);
    return tried;
}

static enum status vary_shuffled(struct vary *vary, struct varied *shuffled, uint64_t trial, in_one_order *variants)
{
    char order[32];
    FREED_BY(terms_free) struct terms terms = {0};
    const uint64_t n = shuffled->of.shape.terms, count = operation_results(shuffled->of.operation, shuffled->of.shape);
    OWNED uint64_t *base = calloc(count, sizeof *base);
    TRY(base ? OK : out_of_memory("the results of variants"));
    snprintf(order, sizeof order, ", shuffle %" PRIu64, trial);
    TRY(terms_lay(&shuffled->of, n, n, 0, &terms));
    TRY(terms_shuffle(&terms, shuffled->seed, trial));
    shuffled->of = terms.of;
    TRY(vary_compute(vary, &terms.of, shuffled->launch, NULL, base));
    TRY(vary_begin(vary, &terms.of, terms.of.shape, base, count, shuffled->ulp));
    return variants(vary, order) == STOPPED ? NOT_MEASURED : OK;
}

enum tried vary_calls(struct vary *vary, const struct circumstances *under, const char *where, const char *order)
{
    enum { CALLS = 3 };
    enum tried tried = COMPUTED;
    for (int call = 1; call <= CALLS && tried < HOPELESS; call++) {
        char variant[48];
        snprintf(variant, sizeof variant, "call %d %s", call, where);
        tried = vary_try_base(vary, under, variant, order);
    }
    return tried;
}

enum status vary_in_orders(struct vary *vary, in_one_order *variants)
{
    const struct varied *first = vary->of;
    struct variation *found = vary->found;
    const uint64_t base = found->base;
    enum status status = variants(vary, "") == STOPPED ? NOT_MEASURED : OK;
    for (uint64_t trial = 1; trial < ORDERS && status == OK && found->results == 1 && !*found->why && !interrupted();
         trial++) {
        struct varied shuffled = *first;
        vary->of = &shuffled;
        status = vary_shuffled(vary, &shuffled, trial, variants);
        vary->of = first;
    }
    if (!*found->first)
        found->base = found->bits = base;
    return status;
}

static uint64_t elements(const struct operands *of, int array)
{
    const bool is_second_matrix = of->shape.columns > 0 && array == 1;
    return of->shape.terms * (is_second_matrix ? of->shape.columns : of->shape.rows);
}

/* Copies the arrays, each `offset` bytes beyond an alignment; memory[] is freed by the caller. */
static enum status shift(struct operands *of, uint32_t offset, void *memory[ARRAYS_MOST])
{
    for (int array = 0; array < ARRAYS_MOST && of->arrays[array]; array++) {
        const size_t bytes = elements(of, array) * format_held(of->format)->bytes;
        memory[array] = aligned_alloc(ALIGNMENT, (bytes + offset + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
        TRY(memory[array] ? OK : out_of_memory("numbers at an offset"));
        of->arrays[array] = memcpy((char *)memory[array] + offset, of->arrays[array], bytes);
    }
    return OK;
}

enum status replay_under(const struct method *method, const struct operands *of, struct launch launch, unsigned workers,
                         const struct circumstances *under, uint64_t *bits)
{
    struct operands shifted = *of;
    void *memory[ARRAYS_MOST] = {NULL};
    enum status status = under->offset > 0 ? shift(&shifted, under->offset, memory) : OK;
    struct busy *busy = under->is_busy ? busy_begin() : NULL;
    if (status == OK)
        status = method_replay(method, &shifted, launch, workers, bits);
    busy_end(busy);
    for (int array = 0; array < ARRAYS_MOST; array++)
        free(memory[array]);
    return status;
}
