#include "statistic.h"

#include "softmax_bound.h"
#include "src/base/format.h"
#include "statistic_formula.h"

#include <stdio.h>
#include <stdlib.h>

static const struct statistic statistics[] = {
#define STATISTIC(id, name, vectors, of, algorithm, claim)                                                             \
    {OPERATION_##id,                                                                                                   \
     algorithm,                                                                                                        \
     of == SAMPLE_VARIANCE || of == SAMPLE_STD,                                                                        \
     of == RMS || of == STD || of == SAMPLE_STD,                                                                       \
     of == LAYER_NORM || of == RMS_NORM || of == SOFTMAX || of == LOG_SOFTMAX,                                         \
     of},
#include "statistics.def"
};

const struct statistic *statistic_of(enum operation operation)
{
    return &statistics[operation - FIRST_STATISTIC];
}

static const struct {
    enum pass_terms passes[PASSES_MOST];
    const char *moments;
} algorithms[STATISTIC_ALGORITHMS] = {
    [BY_SUM_THEN_DIVIDE] = {{OF_X}, NULL},
    [BY_TIMES_RECIPROCAL] = {{OF_X}, NULL},
    [BY_SCALED_FIRST] = {{SCALED}, NULL},
    [BY_RUNNING] = {{OF_X}, "running"},
    [BY_SQUARES] = {{OF_XX}, NULL},
    [BY_TEXTBOOK] = {{OF_X, OF_XX}, NULL},
    [BY_TEXTBOOK_SUMS] = {{OF_X, OF_XX}, NULL},
    [BY_TWO_PASS] = {{OF_X, OFFSETS_SQUARED}, NULL},
    [BY_TWO_PASS_CORRECTED] = {{OF_X, OFFSETS_SQUARED, OFFSETS}, NULL},
    [BY_SHIFTED] = {{OFFSETS_SQUARED, OFFSETS}, NULL},
    [BY_WELFORD] = {{OF_X}, "welford"},
    [BY_CHAN] = {{OF_X}, "welford"},
    [BY_WEIGHTS] = {{OF_Y, OF_XY}, NULL},
    [BY_COSINE] = {{OF_XY, OF_XX, OF_YY}, NULL},
    [BY_EXP] = {{EXPONENTIALS}, NULL},
    [BY_SHIFTED_EXP] = {{MAXIMA, EXPONENTIALS}, NULL},
    [BY_ONLINE] = {{MAXIMA, OF_X}, "online"},
    [BY_FAST_EXP] = {{MAXIMA, FAST_EXPONENTIALS}, NULL},
    [BY_LOGSUMEXP] = {{MAXIMA, EXPONENTIALS}, NULL},
    [BY_CROSS_ENTROPY] = {{MAXIMA, EXPONENTIALS, OF_Y, OF_XY}, NULL},
};

const enum pass_terms *statistic_passes(const struct statistic *statistic)
{
    static const enum pass_terms with_means[PASSES_MOST] = {OF_X, MEANS};
    const bool keeps_means =
        statistic->normalizes && statistic->algorithm < BY_EXP && statistic_moments(statistic->algorithm);
    return keeps_means ? with_means : algorithms[statistic->algorithm].passes;
}

const char *statistic_moments(enum statistic_algorithm algorithm)
{
    return algorithms[algorithm].moments;
}

double statistic_additions(const struct statistic *statistic, double of_sum)
{
    const enum pass_terms *passes = statistic_passes(statistic);
    double additions = 0;
    for (int p = 0; p < PASSES_MOST && passes[p]; p++)
        additions += passes[p] == MAXIMA ? 1 : of_sum + (passes[p] >= OFFSETS);
    return additions;
}

/* ---- passes ---- */

static const struct statistic_method *own_of(const struct method *self)
{
    return self->own;
}

struct method statistic_pass(const struct method *self, enum pass_terms terms)
{
    static const enum operation operations[] = {[OF_X] = OPERATION_sum,
                                                [OF_Y] = OPERATION_sum,
                                                [OF_XX] = OPERATION_sumsq,
                                                [OF_YY] = OPERATION_sumsq,
                                                [OF_XY] = OPERATION_dot};
    const struct format *added = self->sum_format->added;
    struct method pass = terms == MEANS ? own_of(self)->means : own_of(self)->sums;
    pass.operation = terms <= OF_XY ? operations[terms] : OPERATION_sum;
    pass.sum_format = terms >= SCALED ? sum_format_of(added, added) : self->sum_format;
    pass.format = &FORMAT_BINARY64;
    return pass;
}

/* Rounds as the format that is added does, whose numbers these are. */
static double made_term(const struct format *added, enum pass_terms terms, double x, double parameter)
{
    const double term = rounded_to(terms == SCALED ? x / parameter : x - parameter, added);
    return terms == OFFSETS_SQUARED ? rounded_to(term * term, added)
           : terms >= EXPONENTIALS  ? rounded_to(terms == EXPONENTIALS ? exp_any(term) : exp_fast(term), added)
                                    : term;
}

struct making {
    const struct operands *of;
    const struct format *added;
    enum pass_terms terms;
    const double *parameters; /* of each row */
    void *made;
};

static void make_terms(const struct making *making)
{
    const uint64_t n = making->of->shape.terms;
    const bool is_binary32 = making->added->precision == FORMAT_BINARY32.precision;
    for (uint64_t i = 0; i < making->of->shape.rows * n; i++) {
        const double x = held_number(making->of->format, making->of->arrays[0], i), c = making->parameters[i / n];
        if (is_binary32 && making->terms < EXPONENTIALS) { /* as made_term() does, five times as fast */
            const float term = making->terms == SCALED ? (float)x / (float)c : (float)x - (float)c;
            ((float *)making->made)[i] = making->terms == OFFSETS_SQUARED ? term * term : term;
        } else {
            held_set(making->added, making->made, i, made_term(making->added, making->terms, x, c));
        }
    }
}

/* ---- the replay ---- */

/* Whether the accumulator's result has more bits than what is added, so that the formula is in binary64. */
struct formula statistic_formula(const struct method *self, uint64_t n)
{
    const struct format *added = self->sum_format->added;
    const bool is_wide = own_of(self)->cell.verbs->rounded_once; /* the sums may have another replay */
    return (struct formula){*own_of(self)->statistic, is_wide ? FORMAT_BINARY64 : *added, *added, n};
}

struct operands statistic_operands(const struct method *self, const struct operands *of, enum pass_terms terms,
                                   const double *parameters, void *made)
{
    const void *x = terms == OF_Y || terms == OF_YY ? of->arrays[1] : of->arrays[0];
    if (terms < SCALED)
        return (struct operands){
            of->format, statistic_pass(self, terms).operation, {x, terms == OF_XY ? of->arrays[1] : x}, of->shape};
    make_terms(&(struct making){of, self->sum_format->added, terms, parameters, made});
    return (struct operands){self->sum_format->added, OPERATION_sum, {made, NULL}, of->shape};
}

static double maximum(const struct operands *of, uint64_t row)
{
    const uint64_t first = row * of->shape.terms;
    double most = -(double)INFINITY;
    for (uint64_t i = first; i < first + of->shape.terms; i++) {
        const double x = held_number(of->format, of->arrays[0], i);
        most = most >= x || isnan(most) ? most : x;
    }
    return most;
}

static enum status replay_pass(const struct method *self, const struct operands *of, enum pass_terms terms,
                               const double *parameters, void *made, struct launch launch, unsigned workers,
                               uint64_t *bits)
{
    for (uint64_t row = 0; row < of->shape.rows && terms == MAXIMA; row++)
        bits[row] = double_bits(maximum(of, row));
    if (terms == MAXIMA)
        return OK;
    const struct method pass = statistic_pass(self, terms);
    const struct operands ours = statistic_operands(self, of, terms, parameters, made);
    return method_replay(&pass, &ours, launch, workers, bits);
}

/* The results of a row. */
static void normalize(const struct method *self, const struct operands *of, const struct formula *formula,
                      struct normalizer by, uint64_t row, uint64_t *bits)
{
    const uint64_t first = row * of->shape.terms;
    const bool is_binary32 = formula->in.precision == FORMAT_BINARY32.precision && formula->of.algorithm < BY_EXP;
    for (uint64_t i = first; i < first + of->shape.terms; i++) {
        const double x = held_number(of->format, of->arrays[0], i);
        const double value = is_binary32 ? ((float)x - (float)by.mean) * (float)by.factor /* as below, faster */
                                         : formula_normalized(formula, x, by);
        bits[i] = format_bits(self->format, rounded_to(value, self->format));
    }
}

static enum status replay(const struct method *self, const struct operands *of, struct launch launch, unsigned workers,
                          uint64_t *bits)
{
    char why[REASON_SIZE];
    if (!statistic_can_count(self, of->shape.terms, why))
        return not_measured("%s: %s", self->id, why);
    const struct formula formula = statistic_formula(self, of->shape.terms);
    const enum pass_terms *passes = statistic_passes(&formula.of);
    const uint64_t rows = of->shape.rows, n = of->shape.terms;
    const bool makes = passes[0] >= SCALED || passes[1] >= SCALED;
    OWNED uint64_t *sums = calloc((PASSES_MOST + 1) * rows + 1, sizeof *sums);
    OWNED void *made = malloc((makes ? rows * n : 0) * format_held(self->sum_format->added)->bytes + 1);
    if (!sums || !made)
        return out_of_memory("the terms of a replay");
    double *parameters = (double *)(sums + PASSES_MOST * rows);
    for (int p = 0; p < PASSES_MOST && passes[p]; p++) {
        for (uint64_t row = 0; row < rows && passes[p] >= SCALED && n > 0; row++)
            parameters[row] = formula_parameter(&formula, double_from_bits(sums[row]),
                                                held_number(of->format, of->arrays[0], row * n));
        TRY(replay_pass(self, of, passes[p], parameters, made, launch, workers, sums + (uint64_t)p * rows));
    }
    for (uint64_t row = 0; row < rows; row++) {
        double of_row[PASSES_MOST];
        for (int p = 0; p < PASSES_MOST; p++)
            of_row[p] = double_from_bits(sums[(uint64_t)p * rows + row]);
        if (formula.of.normalizes)
            normalize(self, of, &formula, formula_normalizer(&formula, of_row), row, bits);
        else
            bits[row] = format_bits(self->format, rounded_to(formula_value(&formula, of_row), self->format));
    }
    return OK;
}

/* ---- what is promised ---- */

static bool can_do(const struct method *self, struct launch launch, char why[REASON_SIZE])
{
    const enum pass_terms *passes = statistic_passes(own_of(self)->statistic);
    for (int p = 0; p < PASSES_MOST && passes[p]; p++) {
        const struct method pass = statistic_pass(self, passes[p]);
        if (!method_can_do(&pass, launch, why))
            return false;
    }
    return true;
}

static uint64_t height(const struct method *self, struct shape shape, struct launch launch)
{
    const struct method pass = statistic_pass(self, statistic_passes(own_of(self)->statistic)[0]);
    return pass.height(&pass, shape, launch);
}

/* Of numbers as they are stored, and of terms that are made; products, which lie as the numbers do, may be either. */
struct sums_in_launch {
    const struct method *self;
    struct launch launch;
};

static double bound_of_pass(const struct sums_in_launch *sums, enum pass_terms terms, uint64_t n,
                            const struct magnitudes *of)
{
    const struct method pass = statistic_pass(sums->self, terms);
    return pass.bound(&pass, shape_of_one(n), sums->launch, of);
}

static double bound_of_data(const void *context, uint64_t n, const struct magnitudes *of)
{
    return bound_of_pass(context, OF_X, n, of);
}

static double bound_of_terms(const void *context, uint64_t n, const struct magnitudes *of)
{
    const double made = bound_of_pass(context, OFFSETS, n, of), lying = bound_of_pass(context, OF_X, n, of);
    return made > lying ? made : lying;
}

static double bound(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    const struct formula formula = statistic_formula(self, shape.terms);
    const struct sums_in_launch sums = {self, launch};
    const bool is_plain = !own_of(self)->cell.verbs->traits->advantage && self->determinism == DETERMINISTIC;
    const struct statistic_claim claim = {
        .of = formula.of.of,
        .sums_are_plain = is_plain,
        .algorithm = formula.of.algorithm,
        .of_sample = formula.of.of_sample,
        .is_root = formula.of.is_root,
        .normalizes = formula.of.normalizes,
        .eps = NORMALIZATION_EPS,
        .abs_result = of->abs_s,
        .added = self->sum_format->added,
        .formula = &formula.in,
        .result = self->format,
        .of_data = {bound_of_data, &sums},
        .of_terms = {bound_of_terms, &sums},
        .n = shape.terms,
        .height = height(self, shape, launch),
        .merges = self->order_traits->joins != NEVER_MERGES,
        .most_right = self->order_traits->has_threads ? 1 : 0,
    };
    char why[REASON_SIZE];
    if (!of->moments || !statistic_can_count(self, shape.terms, why))
        return INFINITY;
    return claim.algorithm >= BY_EXP ? softmax_bound(&claim, of->moments) : statistic_bound(&claim, of->moments);
}

static double no_model(const struct method *self, struct shape shape, struct launch launch, const struct magnitudes *of)
{
    (void)self, (void)shape, (void)launch, (void)of;
    return NAN;
}

/* ---- methods ---- */

const struct statistic_method *statistic_method_of(const struct method *method)
{
    return method->replay == replay ? method->own : NULL;
}

bool statistic_can_count(const struct method *method, uint64_t n, char why[REASON_SIZE])
{
    const struct statistic_method *own = statistic_method_of(method);
    if (!own || !statistic_moments(own->statistic->algorithm) || own->statistic->algorithm == BY_ONLINE ||
        n <= UINT32_MAX)
        return true;
    snprintf(why, REASON_SIZE, "%llu numbers, and it counts them in 32 bits; take fewer, or an algorithm of sums",
             (unsigned long long)n);
    return false;
}

bool statistic_method_make(struct statistic_method *of, const struct statistic *statistic, const struct verbs *verbs,
                           const struct verbs *running, int order, const struct sum_format *sum_format,
                           struct method *method)
{
    of->statistic = statistic;
    of->sums = replay_method(&of->cell, verbs, order);
    of->means = replay_method(&of->cell_of_means, running, order);
    const bool merges = of->sums.order_traits->joins != NEVER_MERGES;
    if ((statistic->algorithm == BY_WELFORD && merges) || (statistic->algorithm == BY_CHAN && !merges))
        return false;
    *method = of->sums;
    if (statistic_moments(statistic->algorithm)) { /* which add as plain does */
        snprintf(of->cell.id, sizeof of->cell.id, "plain/%s", method->order);
        method->accumulator = "plain";
    }
    method->operation = statistic->operation;
    method->sum_format = sum_format;
    method->format = sum_format->result;
    method->can_do = can_do;
    method->height = height;
    method->bound = bound;
    method->probabilistic_bound = no_model;
    method->replay = replay;
    method->own = of;
#ifdef ULPSCOPE_CUDA
    method->device = of->sums.device ? statistic_device(of->sums.device) : NULL;
#endif
    return true;
}
