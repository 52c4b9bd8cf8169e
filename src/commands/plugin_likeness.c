#include "plugin_likeness.h"
#include "src/base/base.h"
#include "src/gate/fault.h"

#include <math.h>

/* Some with more numbers than the launch has threads, so that each adds several. */
static const uint64_t lengths[] = {101, 1001, 1003, 1024, 40000, 40013};
enum { SAMPLES = sizeof lengths / sizeof *lengths };
static const struct launch launch = {120, 256};

struct sample {
    uint64_t n, bits; /* of the plug-in's result */
    float *x, *y;
    float *terms; /* what is added up */
};

static double draw(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)((*state >> 33) % below);
}

/* Of many sizes, of which most cancel: what a compensation is for. */
static void fill(struct sample *sample, const struct method *method)
{
    const enum operation operation = method->operation;
    const struct format *stored = method->sum_format->stored;
    uint64_t state = sample->n;
    for (uint64_t i = 0; i < sample->n; i++) {
        const double x = double_scaled(1 + draw(&state, 1 << 23) * 0x1p-23, (int)draw(&state, 13) - 6);
        const bool cancels = i >= sample->n / 2 && draw(&state, 8) > 0;
        sample->x[i] = cancels ? -sample->x[i - sample->n / 2] : (float)rounded_to(i % 2 ? x : -x, stored);
        sample->y[i] = (float)rounded_to(1 - draw(&state, 1 << 23) * 0x1p-24, stored);
        sample->terms[i] = operation == OPERATION_sum   ? sample->x[i]
                           : operation == OPERATION_dot ? sample->x[i] * sample->y[i]
                                                        : sample->x[i] * sample->x[i];
    }
}

static enum status ask(const struct method *method, struct sample *sample)
{
    const bool has_two = operation_table[method->operation].vectors == 2;
    const struct operands of = {method->sum_format->stored,
                                method->operation,
                                {sample->x, has_two ? sample->y : NULL},
                                shape_of_one(sample->n)};
    return method->ask(method, &of, launch, &sample->bits, NULL);
}

/* Whether a sum of binary32, with a fault or without, gives the plug-in's bits of every sample. */
static bool is_like(const struct method *method, const struct method *sum, const struct fault *fault,
                    const struct sample *samples)
{
    for (int s = 0; s < SAMPLES; s++) {
        const struct fault_call call = {sum, operands_of_sum(&FORMAT_BINARY32, samples[s].terms, samples[s].n), launch};
        uint64_t bits;
        if ((fault ? fault->sum(fault, &call, &bits) : method_replay(sum, &call.of, launch, 1, &bits)) != OK)
            return false;
        const double value = format_value(sum->format, bits);
        const bool has_root = operation_table[method->operation].of == ROOT_OF_SQUARES;
        const double result = rounded_to(has_root ? sqrt(value) : value, method->format);
        if (!format_same(method->format, format_bits(method->format, result), samples[s].bits))
            return false;
    }
    return true;
}

static char *look(const struct method *method, const struct sample *samples)
{
    char why[REASON_SIZE], *like = NULL;
    size_t count, fault_count;
    const struct method *const *sums = method_table(&count);
    const struct fault *faults = fault_table(&fault_count);
    for (int with_fault = 0; with_fault < 2; with_fault++)
        for (size_t m = 0; m < count && !like; m++)
            for (size_t f = 0; f < (with_fault ? fault_count : 1) && !like; f++) {
                const struct fault *fault = with_fault ? &faults[f] : NULL;
                if (sums[m]->role != SUMS || !sums[m]->replay || !method_can_do(sums[m], launch, why) ||
                    (fault && (!fault->broken || !fault->applies(sums[m]))) ||
                    !is_like(method, sums[m], fault, samples))
                    continue;
                if (!fault)
                    return NULL;
                like =
                    text_made("bit for bit %s in which %s, on %d of %d", sums[m]->id, fault->meaning, SAMPLES, SAMPLES);
            }
    return like;
}

/* Results of fewer bits have too many explanations. */
static bool can_be_compared(const struct method *method)
{
    const enum operation of = method->operation;
    return strcmp(method->sum_format->added->name, FORMAT_BINARY32.name) == 0 &&
           strcmp(method->format->name, FORMAT_BINARY32.name) == 0 && method->determinism == DETERMINISTIC &&
           (of == OPERATION_sum || of == OPERATION_dot || of == OPERATION_sumsq || of == OPERATION_norm2);
}

enum status plugin_is_like_a_fault(const struct method *method, char **like)
{
    struct sample samples[SAMPLES] = {0};
    enum status status = OK;
    *like = NULL;
    for (int s = 0; s < SAMPLES && can_be_compared(method) && status == OK; s++) {
        const uint64_t n = lengths[s];
        float *numbers = malloc(3 * n * sizeof *numbers);
        if (!numbers)
            status = out_of_memory("numbers");
        if (status == OK) {
            samples[s] = (struct sample){n, 0, numbers, numbers + n, numbers + 2 * n};
            fill(&samples[s], method);
            status = ask(method, &samples[s]);
        }
    }
    if (status == OK && samples[0].x)
        *like = look(method, samples);
    for (int s = 0; s < SAMPLES; s++)
        free(samples[s].x);
    return status;
}
