#include "matmul.h"

#include "src/base/format.h"

#include <stdlib.h>

static struct matmul_call call_of(const struct operands *of, void *c)
{
    const struct shape shape = of->shape;
    return (struct matmul_call){
        .a = matmul_row_major((void *)of->arrays[0], shape.rows, shape.terms, shape.terms), /* read only */
        .b = matmul_row_major((void *)of->arrays[1], shape.terms, shape.columns, shape.columns),
        .c = matmul_row_major(c, shape.rows, shape.columns, shape.columns),
        .alpha = 1,
    };
}

/* ---- on the host ---- */

static enum status replay(const struct method *self, const struct operands *of, struct launch launch, unsigned workers,
                          uint64_t *bits)
{
    const uint64_t count = shape_results(of->shape);
    void *c = calloc(count + 1, format_held(self->format)->bytes);
    (void)launch;
    if (!c)
        return out_of_memory("a product of matrices");
    const struct matmul_call call = call_of(of, c);
    const enum status status = matmul_replay(self->own, &call, workers);
    for (uint64_t i = 0; i < count && status == OK; i++)
        bits[i] = format_bits(self->format, held_number(self->format, c, i));
    free(c);
    return status;
}

static uint64_t height(const struct method *self, struct shape shape, struct launch launch)
{
    (void)launch;
    return matmul_height(self->own, shape.terms);
}

static double bound(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    const struct matmul_method *matmul = self->own;
    const struct matmul_magnitudes magnitudes = {.abs_s = of->abs_s, .sum_abs = of->sum_abs};
    (void)launch;
    return matmul->bound(matmul, shape.terms, 1, 0, &magnitudes);
}

static bool can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    (void)self, (void)launch, (void)why;
    return true;
}

/* ---- on the device ---- */

static size_t scratch_bytes(const struct method *self, struct shape shape, struct launch launch)
{
    const struct matmul_method *matmul = self->own;
    const struct operands of = {.shape = shape};
    const struct matmul_call call = call_of(&of, NULL);
    (void)launch;
    return matmul->device->scratch_bytes(matmul, &call);
}

static int run(const struct method *self, const struct kernel_call *call)
{
    const struct matmul_method *matmul = self->own;
    const struct matmul_call ours = call_of(&call->of, call->results);
    return matmul->device->run(matmul, &ours, call->scratch, call->stream);
}

static const struct device_method on_device = {.scratch_bytes = scratch_bytes, .run = run};

/* ---- the method ---- */

static const struct order_traits order_traits = {0};

struct method matmul_as_method(const struct matmul_method *method)
{
    return (struct method){
        .id = method->id,
        .accumulator = method->accumulator,
        .order = method->order,
        .sum_format = method->sum_format,
        .format = method->sum_format->result,
        .operation = method->operation,
        .order_claim = method->order_claim,
        .order_traits = &order_traits,
        .role = SUMS,
        .determinism = DETERMINISTIC,
        .slow_above = ANY_N,
        .can_do = can_do,
        .height = height,
        .bound = bound,
        .replay = replay,
        .own = method,
        .device = method->device ? &on_device : NULL,
    };
}
