/* Faults of means, variances and their like: another of their formulas in the place of the method's, by the same
 * accumulator in the same order; of moments, which merge in their own way, by plain additions. */
#include "fault_tools.h"

#include "kernels/statistic_formula.h"

static const struct statistic *of(const struct method *method)
{
    return is_statistic(method->operation) && fault_any_sum(method) ? statistic_of(method->operation) : NULL;
}

static enum quantity quantity_of(const struct method *method)
{
    return operation_table[method->operation].of;
}

static bool is_variance(const struct method *method)
{
    const enum quantity quantity = quantity_of(method);
    return of(method) && ((quantity >= VARIANCE && quantity <= SAMPLE_STD) || quantity == LAYER_NORM);
}

const struct method *fault_method_by(const struct method *method, enum quantity quantity,
                                     enum statistic_algorithm algorithm)
{
    for (int o = FIRST_STATISTIC; o < VECTOR_OPERATIONS; o++)
        if (operation_table[o].of == quantity && statistic_of((enum operation)o)->algorithm == algorithm)
            return method_of_operation(method, (enum operation)o);
    return NULL;
}

/* What the fault leaves of the method; the formats are the call's. */
static enum status replay_by(const struct fault_call *call, enum quantity quantity, enum statistic_algorithm algorithm,
                             uint64_t *bits)
{
    const struct method *other = fault_method_by(call->method, quantity, algorithm);
    return method_replay(other, &call->of, call->launch, 1, bits);
}

bool fault_is_centred(const struct method *method)
{
    return is_variance(method) && of(method)->algorithm != BY_TEXTBOOK &&
           fault_method_by(method, quantity_of(method), BY_TEXTBOOK) != NULL;
}

enum status fault_textbook(const struct fault_call *call, uint64_t *bits)
{
    return replay_by(call, quantity_of(call->method), BY_TEXTBOOK, bits);
}

/* As it is stored, where additions are wider; else half as wide. */
static const struct format *narrower(const struct method *method)
{
    const struct format *stored = method->sum_format->stored, *added = method->sum_format->added;
    return format_is_narrower(stored, added)               ? stored
           : format_is_narrower(&FORMAT_BINARY32, added)   ? &FORMAT_BINARY32
           : added->precision == FORMAT_BINARY32.precision ? &FORMAT_BINARY16
                                                           : NULL;
}

/* A statistic of one vector with squares that are added as they are. */
static const struct method *of_squares(const struct method *method)
{
    const enum quantity quantity = quantity_of(method);
    return quantity == MEAN_SQUARE || quantity == RMS || quantity == RMS_NORM
               ? method
               : fault_method_by(method, quantity, BY_TEXTBOOK);
}

bool fault_has_squares(const struct method *method)
{
    const bool has_them = of(method) && (is_variance(method) || of(method)->algorithm == BY_SQUARES);
    return has_them && narrower(method) && of_squares(method);
}

/* A(t) of terms that are made, which may change; in the format that is added they are stored. */
static enum status add_terms(const struct fault_call *call, const struct method *method, const double *terms,
                             double *sum)
{
    struct method pass = statistic_pass(method, OFFSETS);
    const struct fault_call added = {&pass, operands_of_sum(pass.sum_format->stored, NULL, call->of.shape.terms),
                                     call->launch};
    uint64_t bits = 0;
    TRY(fault_replay_numbers(&added, terms, call->of.shape.terms, &bits));
    *sum = double_from_bits(bits);
    return OK;
}

/* off: in place of what is normalized; NULL: that. */
static enum status finish(const struct fault_call *call, const struct method *method, const double sums[PASSES_MOST],
                          const double *off, uint64_t *bits)
{
    const struct formula formula = statistic_formula(method, call->of.shape.terms);
    if (!formula.of.normalizes) {
        *bits = fault_result(call, formula_value(&formula, sums));
        return OK;
    }
    const struct normalizer by = formula_normalizer(&formula, sums);
    for (uint64_t i = 0; i < formula.n; i++) {
        const double x = off ? off[i] : held_number(call->of.format, call->of.arrays[0], i);
        bits[i] = fault_result(call, formula_normalized(&formula, x, by));
    }
    return OK;
}

enum status fault_squares_narrow(const struct fault_call *call, uint64_t *bits)
{
    const struct method *method = of_squares(call->method);
    const struct format *narrow = narrower(method);
    const bool has_mean = of(method)->algorithm == BY_TEXTBOOK;
    const uint64_t n = call->of.shape.terms;
    const struct method pass = statistic_pass(method, OF_X);
    double sums[PASSES_MOST] = {0};
    uint64_t of_x = 0;
    OWNED double *x = fault_numbers(call, n);
    TRY(x ? OK : out_of_memory("the data of a fault"));
    struct operands numbers = call->of;
    numbers.operation = OPERATION_sum;
    if (has_mean)
        TRY(method_replay(&pass, &numbers, call->launch, 1, &of_x));
    for (uint64_t i = 0; i < n; i++)
        x[i] = rounded_to(x[i] * x[i], narrow);
    sums[0] = double_from_bits(of_x);
    TRY(add_terms(call, method, x, &sums[has_mean]));
    return finish(call, method, sums, NULL, bits);
}

/* (x_0 + x_1)/2 of x_0 and x_1, and so on: the array has two columns, and the mean is along the other axis. */
enum status fault_mean_of_neighbours(const struct fault_call *call, uint64_t *bits)
{
    const struct method *method = fault_method_by(call->method, quantity_of(call->method), BY_TWO_PASS);
    const struct format *added = method->sum_format->added;
    const uint64_t n = call->of.shape.terms;
    double sums[PASSES_MOST] = {0};
    OWNED double *x = fault_numbers(call, n), *squares = calloc(n + 1, sizeof *squares);
    TRY(x && squares ? OK : out_of_memory("the data of a fault"));
    for (uint64_t i = 0; i < n; i += 2) {
        const uint64_t last = i + 1 < n ? i + 1 : i;
        const double mean = rounded_to(rounded_to(x[i] + x[last], added) / 2, added);
        for (uint64_t k = i; k <= last; k++) {
            x[k] = rounded_to(x[k] - mean, added);
            squares[k] = rounded_to(x[k] * x[k], added);
        }
    }
    TRY(add_terms(call, method, squares, &sums[1]));
    return finish(call, method, sums, x, bits);
}

bool fault_is_of_sample(const struct method *method)
{
    return of(method) && of(method)->of_sample;
}

bool fault_is_of_population(const struct method *method)
{
    return is_variance(method) && !of(method)->normalizes && !of(method)->of_sample;
}

bool fault_has_root(const struct method *method)
{
    return of(method) && of(method)->is_root;
}

bool fault_is_weighted(const struct method *method)
{
    return of(method) && of(method)->algorithm == BY_WEIGHTS;
}

enum status fault_by_n(const struct fault_call *call, uint64_t *bits)
{
    return replay_by(call, quantity_of(call->method) == SAMPLE_STD ? STD : VARIANCE, of(call->method)->algorithm, bits);
}

enum status fault_by_n_less_1(const struct fault_call *call, uint64_t *bits)
{
    return replay_by(call, quantity_of(call->method) == STD ? SAMPLE_STD : SAMPLE_VARIANCE, of(call->method)->algorithm,
                     bits);
}

enum status fault_no_root(const struct fault_call *call, uint64_t *bits)
{
    static const enum quantity squared[QUANTITIES] = {
        [RMS] = MEAN_SQUARE, [STD] = VARIANCE, [SAMPLE_STD] = SAMPLE_VARIANCE};
    return replay_by(call, squared[quantity_of(call->method)], of(call->method)->algorithm, bits);
}

enum status fault_weights_unnormalised(const struct fault_call *call, uint64_t *bits)
{
    struct operands products = call->of;
    products.operation = OPERATION_dot;
    return method_replay(method_of_operation(call->method, OPERATION_dot), &products, call->launch, 1, bits);
}

enum status fault_weights_by_n(const struct fault_call *call, uint64_t *bits)
{
    double sums[PASSES_MOST] = {(double)call->of.shape.terms};
    struct fault_call products = *call;
    const struct method pass = statistic_pass(call->method, OF_XY);
    products.of.operation = OPERATION_dot;
    TRY(method_replay(&pass, &products.of, call->launch, 1, bits));
    sums[1] = double_from_bits(*bits);
    return finish(call, call->method, sums, NULL, bits);
}
