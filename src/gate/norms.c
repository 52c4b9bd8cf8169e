#include "norms.h"

#include "fault_tools.h"

#include "kernels/statistic_formula.h"

_Static_assert(PASSES_MOST == 4, "as struct norm_kept has them");

/* What is taken off before exponentials. */
enum maximum { MAXIMUM_OF_ALL, NO_MAXIMUM, MAXIMUM_OF_BLOCK, MAXIMA_OF_HALVES };

/* What is otherwise. */
struct numbers {
    enum maximum maximum;
    bool log_lacks_maximum, ignores_mask, of_fp8;
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

static enum statistic_algorithm algorithm_of(const struct method *method)
{
    return statistic_of(method->operation)->algorithm;
}

bool fault_has_exponentials(const struct method *method)
{
    return fault_any_sum(method) && is_of_exponentials(method->operation);
}

bool fault_takes_off_maximum(const struct method *method)
{
    return fault_has_exponentials(method) && algorithm_of(method) != BY_EXP;
}

bool fault_ends_in_log(const struct method *method)
{
    return fault_takes_off_maximum(method) &&
           (operation_table[method->operation].of != SOFTMAX || algorithm_of(method) == BY_LOGSUMEXP);
}

bool fault_divides_exponentials(const struct method *method)
{
    return fault_has_exponentials(method) && operation_table[method->operation].of == SOFTMAX &&
           algorithm_of(method) != BY_LOGSUMEXP;
}

static const struct {
    const char *id, *meaning;
    bool (*applies)(const struct method *method);
} faults[NORM_FAULTS] = {
    [NORM_SOUND] = {"", "", fault_any_sum},
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
    if (!is_statistic(method->operation) || !(fault_is_norm(method) || fault_has_exponentials(method)))
        return false;
    if (fault_has_exponentials(method)) /* online with another maximum is shifted with it */
        return faults[way.fault].applies(method) && !(fault_adds_moments(method) && numbers_of(way.fault).maximum) &&
               (way.ending == NORM_TIMES || (way.ending == NORM_INVERTS && fault_divides_exponentials(method)));
    const bool has_factor = way.ending != NORM_DIVIDES || way.fault != NORM_factor_short;
    const bool has_mean = way.ending != NORM_SPLITS || way.fault == NORM_as_layer_norm ||
                          (fault_is_layer_norm(method) && way.fault != NORM_as_rms_norm && way.fault != NORM_mean_kept);
    return faults[way.fault].applies(method) && way.ending != NORM_INVERTS && has_factor && has_mean;
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

/* As statistic.c has it, of the first of them. */
static double maximum_of(const struct operands *of, uint64_t count)
{
    double most = -(double)INFINITY;
    for (uint64_t i = 0; i < count; i++) {
        const double x = held_number(of->format, of->arrays[0], i);
        most = most >= x || isnan(most) ? most : x;
    }
    return most;
}

static struct operands numbers_from(const struct operands *of, uint64_t first)
{
    struct operands rest = *of;
    rest.arrays[0] = (const char *)of->arrays[0] + first * format_held(of->format)->bytes;
    rest.shape.terms = of->shape.terms - first;
    return rest;
}

static double maximum_for(const struct fault_call *call, enum maximum maximum)
{
    const uint64_t n = call->of.shape.terms, threads = call->launch.threads;
    return maximum == NO_MAXIMUM         ? 0
           : maximum == MAXIMUM_OF_BLOCK ? maximum_of(&call->of, threads < n ? threads : n / 2)
                                         : maximum_of(&call->of, n);
}

/* Exponentials of each half less its own maximum. */
static struct operands terms_of_halves(const struct fault_call *call, enum pass_terms terms, void *made)
{
    const struct operands rest = numbers_from(&call->of, call->of.shape.terms / 2);
    struct operands half = call->of;
    half.shape.terms -= rest.shape.terms;
    const double of_half = maximum_of(&half, half.shape.terms), of_rest = maximum_of(&rest, rest.shape.terms);
    const size_t bytes = format_held(call->method->sum_format->added)->bytes;
    struct operands all = statistic_operands(call->method, &half, terms, &of_half, made);
    statistic_operands(call->method, &rest, terms, &of_rest, (char *)made + half.shape.terms * bytes);
    all.shape.terms = call->of.shape.terms;
    return all;
}

static enum status make_sums(const struct fault_call *call, const struct formula *formula, enum maximum maximum,
                             double sums[PASSES_MOST])
{
    const enum pass_terms *passes = statistic_passes(&formula->of);
    const uint64_t n = call->of.shape.terms;
    OWNED double *made = malloc((n + 1) * sizeof *made);
    TRY(made ? OK : out_of_memory("the terms of a norm"));
    for (int p = 0; p < PASSES_MOST && passes[p]; p++) {
        if (passes[p] == MAXIMA) {
            sums[p] = maximum_for(call, maximum);
            continue;
        }
        const struct method pass = statistic_pass(call->method, passes[p]);
        const double mean = n > 0 ? formula_parameter(formula, sums[0], 0) : 0; /* none is shifted by x_0 */
        const struct operands of = passes[p] >= EXPONENTIALS && maximum == MAXIMA_OF_HALVES
                                       ? terms_of_halves(call, passes[p], made)
                                       : statistic_operands(call->method, &call->of, passes[p], &mean, made);
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

/* What is less the maximum, then divided. */
static double ended_exponential(const struct formula *formula, const struct numbers *numbers, enum norm_ending ending,
                                double x, struct normalizer by)
{
    const double z = formula_rounded(formula, x - by.mean);
    const double e = formula_rounded(formula, formula->of.algorithm == BY_FAST_EXP ? exp_fast(z) : exp_any(z));
    const double p = numbers->of_fp8 ? rounded_to(e, &FORMAT_E4M3) : e;
    return formula_rounded(formula,
                           ending == NORM_INVERTS ? p * formula_rounded(formula, 1 / by.factor) : p / by.factor);
}

/* Of sums that are there, what becomes of x. */
struct end {
    const struct formula *formula;
    const struct numbers *numbers;
    enum norm_ending ending;
    struct normalizer by;
    double root;
    bool divides_exponentials;
};

static struct end end_of(const struct formula *formula, const struct numbers *numbers, enum norm_ending ending,
                         const double sums[PASSES_MOST])
{
    struct end end = {formula, numbers, ending, formula_normalizer(formula, sums), 0, false};
    if (formula->of.algorithm >= BY_EXP) {
        end.divides_exponentials = formula->of.of == SOFTMAX && formula->of.algorithm != BY_LOGSUMEXP;
        return end;
    }
    struct format of_factor = formula->in;
    of_factor.precision -= numbers->is_short ? 2 : 0;
    end.by.mean = numbers->keeps_mean ? 0 : end.by.mean;
    end.root = root_of(formula, numbers, formula_unrooted(formula, sums));
    end.by.factor = rounded_to(formula_rounded(formula, 1 / end.root), &of_factor);
    return end;
}

static double end_at(const struct end *end, double x)
{
    return end->divides_exponentials ? ended_exponential(end->formula, end->numbers, end->ending, x, end->by)
           : end->formula->of.algorithm >= BY_EXP
               ? formula_normalized(end->formula, x, end->by)
               : ended(end->formula, end->ending, x, end->by.mean, end->root, end->by.factor);
}

static enum status end_all(const struct norm_way *way, const struct numbers *numbers, const struct fault_call *call,
                           const struct formula *formula, struct norm_kept *kept, uint64_t *bits)
{
    const enum norm_fault of_sums =
        numbers->algorithm || numbers->maximum || numbers->ignores_mask ? way->fault : NORM_SOUND;
    double sums[PASSES_MOST];
    if (!kept->is_made[of_sums])
        TRY(make_sums(call, formula, numbers->maximum, kept->sums[of_sums]));
    kept->is_made[of_sums] = true;
    memcpy(sums, kept->sums[of_sums], sizeof sums);
    sums[0] = numbers->log_lacks_maximum ? 0 : sums[0];
    if (!formula->of.normalizes) {
        *bits = fault_result(call, formula_value(formula, sums));
        return OK;
    }
    const struct end end = end_of(formula, numbers, way->ending, sums);
    for (uint64_t e = 0; e < (way->kept ? kept->count : formula->n); e++) {
        const uint64_t i = way->kept ? kept->elements[e] : e;
        bits[i] = fault_result(call, end_at(&end, held_number(call->of.format, call->of.arrays[0], i)));
    }
    return OK;
}

enum status norm_by(const void *context, const struct fault_call *call, uint64_t *bits)
{
    const struct norm_way *way = context;
    const struct numbers numbers = numbers_of(way->fault);
    struct norm_kept own = {0}, *const kept = way->kept ? way->kept : &own;
    struct fault_call of = *call;
    if (numbers.maximum && algorithm_of(of.method) == BY_ONLINE)
        of.method = fault_method_by(of.method, operation_table[of.method->operation].of, BY_SHIFTED_EXP);
    struct formula formula = statistic_formula(of.method, of.of.shape.terms);
    formula.of.of_sample = numbers.of_sample;
    formula.of.algorithm = numbers.algorithm ? numbers.algorithm : formula.of.algorithm;
    OWNED void *unmasked = NULL;
    if (numbers.ignores_mask) {
        unmasked = malloc(formula.n * format_held(of.of.format)->bytes + 1);
        TRY(unmasked ? OK : out_of_memory("the data of a fault"));
        for (uint64_t i = 0; i < formula.n; i++) {
            const double x = held_number(of.of.format, of.of.arrays[0], i);
            held_set(of.of.format, unmasked, i, x == -(double)INFINITY ? 0 : x);
        }
        of.of.arrays[0] = unmasked;
    }
    return end_all(way, &numbers, &of, &formula, kept, bits);
}

#define NORM_FAULT(id, applies, field, value, meaning)                                                                 \
    enum status fault_##id(const struct fault_call *call, uint64_t *bits)                                              \
    {                                                                                                                  \
        return norm_by(&(struct norm_way){NORM_##id, NORM_TIMES, NULL}, call, bits);                                   \
    }
#include "norm_faults.def"
