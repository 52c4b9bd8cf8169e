/* logits: what a softmax is of, by how its largest stand to the others.
 *
 *   dominant   x_0 = scale, the others uniform in [-1, 1)
 *   close      x_0 = scale, x_(n-1) the number below it, the others uniform in [-1, 1)
 *   equal      all scale: each probability is 1/n, and the denominator stops where n is beyond the format's bits
 *   masked     x_0 = scale; of the others half, at random, are -infinity, half uniform in scale [-1, 1)
 *   uniform    all uniform in scale [-1, 1)
 */
#include "datasets/random.h"

#define FAMILY logits

enum { LOGITS_SHAPE, LOGITS_SCALE };                                                     /* values */
enum { LOGITS_DOMINANT, LOGITS_CLOSE, LOGITS_EQUAL, LOGITS_MASKED, LOGITS_UNIFORM_ALL }; /* shapes */

PORTABLE double logits_element(const struct generator_call *call, uint64_t i, uint64_t random)
{
    const unsigned shape = (unsigned)call->values[LOGITS_SHAPE];
    const double scale = call->values[LOGITS_SCALE], unit = 2 * random_unit(&call->format, random) - 1;
    if (shape == LOGITS_EQUAL || (i == 0 && shape != LOGITS_UNIFORM_ALL))
        return scale;
    if (shape == LOGITS_MASKED)
        return random & 1 ? (double)float_from_bits(0xff800000) : scale * unit;
    return shape == LOGITS_CLOSE && i == call->n - 1 ? call->real[0]
           : shape == LOGITS_UNIFORM_ALL             ? scale * unit
                                                     : unit;
}

#include "datasets/element_loop.h"

#ifndef __CUDACC__
#include "src/base/format.h"

#include <math.h>

static enum status prepare(struct generator_call *call)
{
    const double scale = rounded_to(call->values[LOGITS_SCALE], &call->format);
    int exponent;
    const bool is_power = frexp(scale, &exponent) == 0.5;
    call->real[0] = scale - ldexp(1, exponent - call->format.precision - (is_power ? 1 : 0));
    return OK;
}

static const char *refuses(const struct format *format)
{
    return format->finite_only ? "it has no infinity" : NULL;
}

static void adapt(const struct format *format, struct parameter *row)
{
    adapt_row(row, "scale", row->fallback, 1, format->precision > 11 ? 0x1p20 : 0x1p10);
}

static const char *const shapes[] = {"dominant", "close", "equal", "masked", "uniform", NULL};

const struct generator generator_logits = {
    .id = "logits",
    .summary = "what a softmax is of: one dominant, two close, all equal, masked",
    .formula = "x_0 = scale, the others uniform in [-1, 1); other shapes",
    .source = "issues of PyTorch, JAX and vLLM: rows of a softmax that do not sum to 1",
    .effects = EFFECTS({"n=4Ki,shape=equal", "compensated/*,wider/*,exact/*", AT_MOST, 0},
                       {"n=4Ki,shape=masked", ALL_KINDS, AT_MOST, 0}),
    .exact = "condition 1 of equal ones; -infinity of masked ones",
    .showcase = {"logits:n=4096", "logits:n=4096,shape=masked"},
    .parameters = PARAMETERS({"shape", WORD, 0, 0, 0, "how they lie", shapes},
                             {"scale", REAL, 16, 1, 0x1p20, "the largest", NULL}),
    .least_n = 1,
    .random = true,
    .refuses = refuses,
    .adapt = adapt,
    .prepare = prepare,
    .elements = logits_elements,
};
#endif
