/* At which offset a variance has lost all of its digits. */
#include "attack_result.h"

#include "src/base/quiet.h"
#include "src/measure/operation.h"
#include "src/study/study.h"

#include <math.h>

enum { TRIALS = 16, EXPONENT_MOST = 80 };

static char *spec_of(const struct attack_request *request, int exponent)
{
    return text_made("spread:n=%" PRIu64 ",kappa=0x1p%d,format=%s", request->n, exponent,
                     request->method->sum_format->stored->name);
}

static enum status judge_data(const struct attack_request *request, const struct dataset *data, struct measured *judged)
{
    const struct method *method = request->method;
    const struct operands of = operation_operands(method->operation, data);
    FREED_BY(exact_free) struct exact_sum exact = {0};
    uint64_t bits;
    TRY(operation_exact(method->operation, data, (struct exact_how){0}, &exact));
    TRY(method_compute(method, &of, request->launch, request->workers, &bits));
    const struct promise promise = promise_of(method, request->launch, &exact);
    judge_sum(&exact, method->format, &promise, bits, judged);
    return OK;
}

/* *exists: such data do. */
static enum status look_at(const struct attack_request *request, int exponent, struct attack_offset *offset,
                           bool *exists)
{
    OWNED char *text = spec_of(request, exponent);
    struct data_spec *specs = NULL;
    size_t count = 0;
    enum status status = data_specs_read(text, "attack", NONFINITE_REFUSE, &specs, &count);
    *exists = status == OK;
    for (uint64_t trial = 0; trial < TRIALS && status == OK; trial++) {
        FREED_BY(dataset_free) struct dataset data = {0};
        struct measured judged;
        status = dataset_make(specs, request->seed, trial, &data);
        *exists = status == OK;
        if (status == OK)
            status = judge_data(request, &data, &judged);
        if (status != OK)
            break;
        const bool is_negative = judged.computed < 0 || isnan(judged.computed);
        const double relative = judged.metrics[METRIC_relative_error], error = isnan(relative) ? INFINITY : relative;
        if (trial == 0 || is_negative > offset->is_negative ||
            (is_negative == offset->is_negative && error > offset->error))
            *offset = (struct attack_offset){exponent, error, trial, is_negative};
    }
    data_specs_free(specs, count);
    return *exists || status == NOT_MEASURED ? status : OK;
}

enum status attack_result_offsets(struct attack_result *attacked)
{
    static const struct attack_offset none = {.exponent = -1};
    struct attack_offsets *offsets = &attacked->offsets;
    const enum quantity of = operation_table[attacked->request.method->operation].of;
    *offsets = (struct attack_offsets){none, none, none, -1};
    if (of < VARIANCE || of > SAMPLE_STD)
        return OK;
    bool exists = true;
    enum status status = OK;
    const bool was_quiet = complaints_quiet(true); /* no format and no n has all of them */
    for (int k = 0; k <= EXPONENT_MOST && exists && status == OK; k++) {
        struct attack_offset at;
        status = look_at(&attacked->request, k, &at, &exists);
        if (status != OK || !exists)
            break;
        offsets->last = k;
        if (offsets->negative.exponent < 0 && at.is_negative)
            offsets->negative = at;
        if (offsets->lost.exponent < 0 && at.error >= 1)
            offsets->lost = at;
        if (offsets->lost.exponent < 0 && (offsets->worst.exponent < 0 || at.error > offsets->worst.error))
            offsets->worst = at;
    }
    complaints_quiet(was_quiet);
    return status == OK ? OK : out_of_memory("the offsets of an attack");
}

char *attack_offset_command(const struct attack_result *attacked, const struct attack_offset *offset)
{
    const struct attack_request *request = &attacked->request;
    OWNED char *spec = spec_of(request, offset->exponent), *data = text_made("-d %s", spec);
    return rerun_command(&(struct witness){.method = request->method->id,
                                           .data_arguments = data,
                                           .seed = request->seed,
                                           .trial = offset->trial,
                                           .launch = request->launch,
                                           .device = "host"});
}
