#include "order_model.h"

#include "serial_model.h"

#include "datasets/ordering.h"
#include "datasets/sum_tree.h"
#include "kernels/walk.h"
#include "src/base/format.h"

#include <math.h>
#include <string.h>

enum { SAMPLES_MOST = 64, ADDITIONS_MOST = 1 << 22 };

static double ulp_of(double value)
{
    return format_spacing(&FORMAT_BINARY32, value);
}

/* The lowest bit that is set in any of them; INFINITY where all are 0. */
static double lowest_bit(const float *x, uint64_t n)
{
    double lowest = INFINITY;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t significand = (float_bits(x[i]) & 0x7fffff) | ((float_bits(x[i]) & 0x7f800000) ? 0x800000 : 0);
        if (significand != 0)
            lowest = fmin(lowest, ulp_of((double)x[i]) * (double)(significand & -significand));
    }
    return lowest;
}

struct scatter {
    double grain, variance;
    bool finite;
};

static void see(void *to, const struct step *step)
{
    struct scatter *scatter = to;
    const double left = step->left[0], right = step->right[0], made = step->made[0];
    scatter->finite &= isfinite(made) != 0;
    if (left == 0 || right == 0 || !isfinite(made))
        return;
    const double g = fmax(scatter->grain, fmin(ulp_of(left), ulp_of(right))), w = ulp_of(made);
    if (w > g)
        scatter->variance += (w * w + 2 * g * g) / 12;
}

uint64_t order_model_samples(const struct shuffle_request *request, uint64_t n)
{
    uint64_t samples = ADDITIONS_MOST / (n + 1);
    if (samples > SAMPLES_MOST)
        samples = SAMPLES_MOST;
    if (samples > request->permutations)
        samples = request->permutations;
    return samples > 0 ? samples : 1;
}

static enum status permute(const struct shuffle_request *request, uint64_t k, const float *base, uint64_t n, float *x)
{
    memcpy(x, base, n * sizeof *x);
    return ordering_apply((struct ordering){.kind = SHUFFLED, .seed = request->first + k}, &FORMAT_BINARY32, x, n);
}

static enum status model_serial(const struct shuffle_request *request, const float *base, uint64_t n, float *x,
                                struct order_model *model)
{
    struct serial_model serial = {0};
    const uint64_t samples = order_model_samples(request, n);
    for (uint64_t k = 0; k < samples; k++) {
        TRY(permute(request, k, base, n, x));
        if (!serial_model_see(&serial, x, n))
            return OK;
    }
    *model = (struct order_model){serial_model_mean(&serial), serial_model_deviation(&serial)};
    return OK;
}

static enum status model_tree(const struct shuffle_request *request, const struct method *method, const float *base,
                              uint64_t n, float *x, struct order_model *model)
{
    const uint64_t samples = order_model_samples(request, n);
    struct scatter scatter = {.grain = lowest_bit(base, n), .finite = true};
    FREED_BY(sum_tree_free) struct sum_tree tree = {0};
    const struct operands elements = operands_of_sum(&FORMAT_BINARY32, x, n);
    double computed;
    enum status status = OK;
    TRY(sum_tree_make(&(struct tree_request){"shuffle", method, n, request->launch}, &tree));
    for (uint64_t k = 0; k < samples && status == OK; k++) {
        status = permute(request, k, base, n, x);
        if (status == OK)
            status = walk_watched(method, tree.joined, tree.count, &elements, see, &scatter, &computed);
    }
    if (scatter.finite)
        *model = (struct order_model){0, sqrt(scatter.variance / (double)samples)};
    return status;
}

enum status order_model(const struct shuffle_request *request, const struct method *method, const void *base,
                        uint64_t n, void *x, struct order_model *model)
{
    *model = (struct order_model){NAN, NAN};
    if (method->operation != OPERATION_sum || method->accumulator_traits->advantage ||
        method->sum_format != sum_formats[0] || n < 2 || n > ORDER_MODEL_MOST_N)
        return OK;
    if (method->order_traits->joins == NEVER_MERGES)
        return model_serial(request, base, n, x, model);
    return model_tree(request, method, base, n, x, model);
}
