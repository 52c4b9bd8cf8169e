/* Theorems of means, variances and their like, whose bounds take more than the sum of the magnitudes: of all numbers
 * whose moments are at most those of the data, or at least, where a bound falls with them. */
#include "tolerance.h"

#include <stddef.h>

/* ---- the class ---- */

#define FIELD(field) offsetof(struct moments, field)
const struct tolerance_moment tolerance_moments[TOLERANCE_MOMENTS] = {
    {"sum |x|", FIELD(sum_abs), false},
    {"|sum x|", FIELD(abs_sum), false},
    {"max |x|", FIELD(max_abs), false},
    {"sum x^2", FIELD(sum_squares), false},
    {"sum x^2", FIELD(sum_squares_below), true},
    {"max - min", FIELD(range), false},
    {"|x_0 - m|", FIELD(first_offset), false},
    {"sum (x - m)^2", FIELD(centred), false},
    {"sum (x - m)^2", FIELD(centred_below), true},
    {"sum |x y|", FIELD(sum_products_abs), false},
    {"|sum x y|", FIELD(abs_products), false},
    {"sum y^2", FIELD(sum_squares_2), false},
    {"sum y^2", FIELD(sum_squares_2_below), true},
    {"|sum y|", FIELD(weights_below), true},
    {"sum |y|", FIELD(sum_weights_abs), false},
};

double *tolerance_moment(struct moments *moments, size_t which)
{
    return (double *)(void *)((char *)moments + tolerance_moments[which].offset);
}

/* Of two digits, as it is printed. */
static double two_digits_down(double value)
{
    const double above = two_digits_up(value), step = value > 0 ? pow(10, floor(log10(value)) - 1) : 0;
    return above == value ? value : fmax(two_digits_up(value - step), 0);
}

void class_add(struct tolerance_class *class, const struct moments *moments, bool is_first)
{
    struct moments item = *moments;
    for (size_t m = 0; m < TOLERANCE_MOMENTS; m++) {
        const bool is_below = tolerance_moments[m].is_below;
        double *const all = tolerance_moment(&class->moments, m), one = *tolerance_moment(&item, m);
        const double rounded = isnan(one) ? one : is_below ? two_digits_down(one) : two_digits_up(one);
        *all = is_first ? rounded : is_below ? fmin(*all, rounded) : fmax(*all, rounded);
    }
    class->moments.n = moments->n;
}

void class_of_scale(struct tolerance_class *class, uint64_t n, double scale)
{
    const double all = two_digits_up((double)n * scale), squares = two_digits_up((double)n * scale * scale);
    struct moments *const of = &class->moments;
    const struct moments most = {.sum_abs = all,
                                 .abs_sum = all,
                                 .max_abs = scale,
                                 .sum_squares = squares,
                                 .range = 2 * scale,
                                 .first_offset = 2 * scale,
                                 .centred = squares,
                                 .sum_products_abs = squares,
                                 .abs_products = squares,
                                 .sum_squares_2 = squares,
                                 .sum_weights_abs = all};
    struct moments from = most;
    for (size_t m = 0; m < TOLERANCE_MOMENTS; m++)
        if (!isnan(*tolerance_moment(of, m)))
            *tolerance_moment(of, m) = *tolerance_moment(&from, m);
}

/* ---- the theorem ---- */

bool statistic_pair(const struct method *method, const struct tolerance_request *request,
                    const struct tolerance_class *class, struct tolerance_pair *pair, const char **why)
{
    const bool is_per_number = operation_is_per_number(method->operation);
    const double most = is_per_number ? sqrt((double)request->n) + 1 : class->sum_abs;
    const double u = ldexp(1, -method->format->precision), least = ldexp(1, method->format->least_exponent);
    const struct magnitudes none = {0, class->sum_abs, class->sum_abs, &class->moments},
                            all = {most, class->sum_abs, class->sum_abs, &class->moments};
    const double of_0 = method_bound(method, request->n, request->launch, &none),
                 of_all = method_bound(method, request->n, request->launch, &all),
                 growth = isfinite(of_all) ? (of_all - of_0) / most * (1 + 0x1p-40) : 0;
    pair->relative = tolerance_of_comparison((growth + u) * (1 + u), u);
    pair->absolute = tolerance_of_comparison(of_0 + ceil(1 + growth) * least, u);
    *why = isinf(of_all) ? "of such numbers something may overflow, a divisor vanish or what is under a root be "
                           "negative"
           : !(two_digits_up(of_0 / class->sum_abs) < 1) ? "the bound is as large as what it is relative to"
                                                         : NULL;
    return !*why;
}

static bool is_asked(const struct tolerance_request *request, enum operation operation)
{
    return request->is_family ? operation_table[operation].of == operation_table[request->operation].of
                              : operation == request->operation;
}

static const char *algorithm_of(enum operation operation)
{
    const char *const dot = strchr(operation_table[operation].id, '.');
    return dot ? dot + 1 : operation_table[operation].id;
}

const struct method *statistic_in(const struct tolerance_request *request, enum operation operation, bool has_order)
{
    const struct method *const method = request->method;
    return !has_order ? method_in_request(request, operation, "plain", "serial")
           : method   ? method_in_request(request, operation, method->accumulator, method->order)
                      : method_in_request(request, operation, "plain",
                                        request->tree.kind == TREE_OF_ORDER ? request->tree.order : request->order);
}

static void set_line(struct tolerance_line *line, struct tolerance_pair pair, const char *why, bool is_part)
{
    line->pair = pair;
    line->no_claim = why;
    line->is_part = is_part;
}

/* In any order, or that which is asked for: of all algorithms that have it, and of each. */
static void add_group(struct tolerance *tolerance, bool has_order)
{
    const struct tolerance_request *const request = tolerance->request;
    const char *const order = has_order ? request->order : "any order", *of_all = NULL;
    struct tolerance_pair pair, most = {0, 0};
    const char *why;
    size_t algorithms = 0;
    for (int o = FIRST_STATISTIC; o < VECTOR_OPERATIONS; o++) {
        const struct method *const method =
            is_asked(request, (enum operation)o) ? statistic_in(request, (enum operation)o, has_order) : NULL;
        if (!method)
            continue;
        algorithms++;
        if (!statistic_pair(method, request, &tolerance->class, &pair, &why))
            of_all = why;
        most = (struct tolerance_pair){fmax(most.relative, pair.relative), fmax(most.absolute, pair.absolute)};
    }
    of_all = algorithms > 0 ? of_all
             : has_order    ? "a bound is that of an order of `ulpscope list orders`, not of a height"
                            : "it has none of steps one after another; name an --order";
    set_line(tolerance_add_line(tolerance, TOLERANCE_THEOREM,
                                request->is_family && algorithms > 0 ? text_made("any of %zu, %s", algorithms, order)
                                                                     : memory_copy(order)),
             most, of_all, false);
    for (int o = FIRST_STATISTIC; o < VECTOR_OPERATIONS && request->is_family; o++) {
        const struct method *const method =
            is_asked(request, (enum operation)o) ? statistic_in(request, (enum operation)o, has_order) : NULL;
        if (!method)
            continue;
        statistic_pair(method, request, &tolerance->class, &pair, &why);
        set_line(tolerance_add_line(tolerance, TOLERANCE_THEOREM,
                                    text_made("%s, %s", algorithm_of((enum operation)o), order)),
                 pair, why, true);
    }
}

void add_statistic_theorems(struct tolerance *tolerance)
{
    add_group(tolerance, false);
    if (tolerance->request->order)
        add_group(tolerance, true);
}
