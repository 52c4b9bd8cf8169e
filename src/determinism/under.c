#include "under.h"

#include "src/base/busy.h"
#include "src/base/format.h"
#include "src/plugins/plugin.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 128 };

/* ---- variants ---- */

static void tell(struct vary *vary, const char *before, const char *why)
{
    if (!*vary->found->why)
        vary_leave_out(vary, "%s%.*s", before, (int)sizeof vary->found->why, why);
}

enum tried vary_try(struct vary *vary, const struct operands *of, const struct circumstances *under, uint64_t *bits,
                    const char *variant)
{
    const struct method *method = vary->of->method;
    char before[sizeof vary->found->first + sizeof ": it "];
    const enum status status = vary_compute(vary, of, vary->of->launch, under, bits);
    if (status == OK)
        return COMPUTED;
    const bool is_unable = status == BAD_INPUT;
    snprintf(before, sizeof before, "%s%sit ", is_unable ? "" : variant, is_unable ? "" : ": ");
    tell(vary, before, method->plugin ? plugin_failure() : "failed, as said above");
    return is_unable || device_is_lost(vary->of->device) ? HOPELESS : FAILED;
}

enum tried vary_try_base(struct vary *vary, const struct circumstances *under, const char *variant)
{
    const enum tried tried = vary_try(vary, &vary->of->of, under, vary->bits, variant);
    if (tried == COMPUTED)
        variation_note(vary, vary->bits, "%s", variant);
    return tried;
}

/* ---- replays ---- */

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
        if (!memory[array])
            return out_of_memory("numbers at an offset");
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
