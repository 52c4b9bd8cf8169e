#include "norms.h"

#include "fault_tools.h"

#include "kernels/statistic_formula.h"

_Static_assert(PASSES_MOST == 4, "as struct norm_kept has them");

/* What is otherwise. */
struct numbers {
    double eps;
    bool eps_outside, of_sample, keeps_mean, has_no_root, is_short;
    enum statistic_algorithm algorithm; /* BY_SUM_THEN_DIVIDE: the method's */
};

bool fault_is_norm(const struct method *method)
{
    const enum quantity of = operation_table[method->operation].of;
    return fault_any_sum(method) && (of == LAYER_NORM || of == RMS_NORM);
}

bool fault_is_layer_norm(const struct method *method)
{
    return fault_is_norm(method) && operation_table[method->operation].of == LAYER_NORM;
}

bool fault_is_norm_of_sums(const struct method *method)
{
    return fault_is_layer_norm(method) && !fault_adds_moments(method);
}

bool fault_is_rms_norm(const struct method *method)
{
    return fault_is_norm(method) && operation_table[method->operation].of == RMS_NORM;
}

static const struct {
    const char *id, *meaning;
    bool (*applies)(const struct method *method);
} faults[NORM_FAULTS] = {
    [NORM_SOUND] = {"", "", fault_is_norm},
#define NORM_FAULT(id, applies, field, value, meaning) [NORM_##id] = {#id, meaning, applies},
#include "norm_faults.def"
};

static struct numbers numbers_of(enum norm_fault fault)
{
    struct numbers numbers = {.eps = NORMALIZATION_EPS};
    switch (fault) {
#define NORM_FAULT(id, applies, field, value, meaning)                                                                 \
    case NORM_##id:                                                                                                    \
        numbers.field = value;                                                                                         \
        break;
#include "norm_faults.def"
    default:
        break;
    }
    return numbers;
}

bool norm_can_be(struct norm_way way, const struct method *method)
{
    const bool has_factor = way.ending != NORM_DIVIDES || way.fault != NORM_factor_short;
    const bool has_mean = way.ending != NORM_SPLITS || way.fault == NORM_as_layer_norm ||
                          (fault_is_layer_norm(method) && way.fault != NORM_as_rms_norm && way.fault != NORM_mean_kept);
    return faults[way.fault].applies(method) && has_factor && has_mean;
}

enum norm_fault norm_fault_named(const char *id)
{
    int fault = NORM_FAULTS - 1;
    while (fault > NORM_SOUND && strcmp(faults[fault].id, id) != 0)
        fault--;
    return (enum norm_fault)fault;
}

const char *norm_fault_meaning(enum norm_fault fault)
{
    return faults[fault].meaning;
}

static enum status make_sums(const struct fault_call *call, const struct formula *formula, double sums[PASSES_MOST])
{
    const enum pass_terms *passes = statistic_passes(&formula->of);
    const uint64_t n = call->of.shape.terms;
    OWNED double *made = malloc((n + 1) * sizeof *made);
    TRY(made ? OK : out_of_memory("the terms of a norm"));
    for (int p = 0; p < PASSES_MOST && passes[p]; p++) {
        const struct method pass = statistic_pass(call->method, passes[p]);
        const double mean = n > 0 ? formula_parameter(formula, sums[0], 0) : 0; /* none is shifted by x_0 */
        const struct operands of = statistic_operands(call->method, &call->of, passes[p], &mean, made);
        uint64_t bits = 0;
        TRY(method_replay(&pass, &of, call->launch, 1, &bits));
        sums[p] = double_from_bits(bits);
    }
    return OK;
}

/* As formula_normalizer() does, but for the fault. */
static double root_of(const struct formula *formula, const struct numbers *numbers, double variance)
{
    const double eps = formula_rounded(formula, numbers->eps);
    if (numbers->eps_outside)
        return formula_rounded(formula, formula_rounded(formula, sqrt(variance)) + eps);
    const double sum = formula_rounded(formula, variance + eps);
    return numbers->has_no_root ? sum : formula_rounded(formula, sqrt(sum));
}

static double ended(const struct formula *formula, enum norm_ending ending, double x, double mean, double root,
                    double factor)
{
    const double off = formula_rounded(formula, x - mean);
    switch (ending) {
    case NORM_DIVIDES:
        return formula_rounded(formula, off / root);
    case NORM_SPLITS:
        return formula_rounded(formula, formula_rounded(formula, x * factor) - formula_rounded(formula, mean * factor));
    default:
        return formula_rounded(formula, off * factor);
    }
}

enum status norm_by(const void *context, const struct fault_call *call, uint64_t *bits)
{
    const struct norm_way *way = context;
    const struct numbers numbers = numbers_of(way->fault);
    struct norm_kept own = {0}, *const kept = way->kept ? way->kept : &own;
    struct formula formula = statistic_formula(call->method, call->of.shape.terms);
    formula.of.of_sample = numbers.of_sample;
    formula.of.algorithm = numbers.algorithm ? numbers.algorithm : formula.of.algorithm;
    const enum norm_fault of_sums = numbers.algorithm ? way->fault : NORM_SOUND;
    double *const sums = kept->sums[of_sums];
    if (!kept->is_made[of_sums])
        TRY(make_sums(call, &formula, sums));
    kept->is_made[of_sums] = true;
    const double mean = numbers.keeps_mean ? 0 : formula_normalizer(&formula, sums).mean;
    const double root = root_of(&formula, &numbers, formula_unrooted(&formula, sums));
    struct format of_factor = formula.in;
    of_factor.precision -= numbers.is_short ? 2 : 0;
    const double factor = rounded_to(formula_rounded(&formula, 1 / root), &of_factor);
    for (uint64_t e = 0; e < (way->kept ? kept->count : formula.n); e++) {
        const uint64_t i = way->kept ? kept->elements[e] : e;
        const double x = held_number(call->of.format, call->of.arrays[0], i);
        bits[i] = fault_result(call, ended(&formula, way->ending, x, mean, root, factor));
    }
    return OK;
}

#define NORM_FAULT(id, applies, field, value, meaning)                                                                 \
    enum status fault_##id(const struct fault_call *call, uint64_t *bits)                                              \
    {                                                                                                                  \
        return norm_by(&(struct norm_way){NORM_##id, NORM_TIMES, NULL}, call, bits);                                   \
    }
#include "norm_faults.def"
