#include "additions.h"

#include "datasets/probe/revealed.h"
#include "kernels/walk.h"
#include "src/plugins/plugin.h"

#include <math.h>

/* ---- exact differences, as sums of binary64 numbers that do not overlap ---- */

enum { MOST_TERMS = 3 * MOST_PARTS };

/* Smallest first.  Nothing is lost, as sums of subnormals are exact; only near the largest binary64 may it overflow,
 * and the error is then none. */
struct expansion {
    double term[MOST_TERMS];
    int count;
};

/* Shewchuk's Grow-Expansion, without the zeros. */
static void grow(struct expansion *sum, double added)
{
    int kept = 0;
    for (int i = 0; i < sum->count; i++) {
        const double a = sum->term[i], both = a + added;
        const double added_part = both - a, a_part = both - added_part;
        const double error = (a - a_part) + (added - added_part);
        if (error != 0)
            sum->term[kept++] = error;
        added = both;
    }
    if (added != 0)
        sum->term[kept++] = added;
    sum->count = kept;
}

static double rounded(const struct expansion *sum)
{
    double value = 0;
    for (int i = 0; i < sum->count; i++)
        value += sum->term[i];
    return value;
}

static bool all_finite(const double *parts, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(parts[i]))
            return false;
    return true;
}

/* Parts that an addition leaves as they are, as most of a long state, meet their like and cost nothing. */
static void take_off(struct expansion *sum, const double *made, const double *left, const double *right, int parts)
{
    for (int i = 0; i < parts; i++) {
        if (made[i] != left[i]) {
            grow(sum, made[i]);
            grow(sum, -left[i]);
        }
        grow(sum, -right[i]);
    }
}

/* Of the same number the same two, whatever the terms: |rest| is at most half an ulp of the value. */
static void split(struct expansion worth, double *value, double *rest)
{
    const double most = rounded(&worth);
    grow(&worth, -most);
    const double less = rounded(&worth);
    *value = most + less;
    *rest = (most - *value) + less;
}

/* ---- the additions, one after another ---- */

struct watch {
    struct additions *of;
    const struct operands *elements;
    struct exact_stream *errors; /* of binary64 */
    mpfr_t products, product;    /* the sum of their errors, and room for one */
    struct expansion root;       /* what the last state is worth */
    enum status status;
};

/* Errors are few numbers each; pieces of that size cost the stream nothing. */
static void add_up(struct watch *watch, const struct expansion *error)
{
    if (watch->status == OK && error->count > 0)
        watch->status = exact_stream_add(watch->errors, error->term, (uint64_t)error->count);
}

/* An error that is no number: the total is none either. */
static void add_nothing(struct watch *watch)
{
    const double nothing = NAN;
    if (watch->status == OK)
        watch->status = exact_stream_add(watch->errors, &nothing, 1);
}

static void spoil(struct watch *watch, uint32_t node)
{
    struct additions *of = watch->of;
    of->error[node] = NAN;
    if (of->first_not_finite == 0)
        of->first_not_finite = node;
    add_nothing(watch);
}

/* What a leaf puts into the sum less x y, beside what its state lost; all steps are exact: no product of two numbers of
 * binary64 has more than 106 bits, nor has what rounding takes from it. */
static double product_error(struct watch *watch, const struct step *step)
{
    const struct operands *of = watch->elements;
    const uint64_t i = (uint64_t)watch->of->tree.joined[step->node - 1].leaf;
    mpfr_set_d(watch->product, additions_factor(of, false, i), MPFR_RNDN);
    mpfr_mul_d(watch->product, watch->product, additions_factor(of, true, i), MPFR_RNDN);
    mpfr_d_sub(watch->product, step->right[0], watch->product, MPFR_RNDN);
    mpfr_add_d(watch->product, watch->product, step->right[1], MPFR_RNDN);
    mpfr_add(watch->products, watch->products, watch->product, MPFR_RNDN);
    return mpfr_get_d(watch->product, MPFR_RNDN);
}

static void see(void *to, const struct step *step)
{
    struct watch *watch = to;
    struct additions *of = watch->of;
    struct expansion error = {.count = 0}, value = {.count = 0};
    if (!all_finite(step->made, step->parts)) {
        of->value[step->node] = 0;
        for (int i = 0; i < step->parts; i++)
            of->value[step->node] += step->made[i];
        spoil(watch, step->node);
        return;
    }
    for (int i = 0; i < step->parts; i++)
        grow(&value, step->made[i]);
    of->value[step->node] = rounded(&value);
    if (of->rest && isfinite(of->value[step->node]))
        split(value, &of->value[step->node], &of->rest[step->node]);
    watch->root = value;
    if (!all_finite(step->left, step->parts) || !all_finite(step->right, step->parts)) {
        spoil(watch, step->node);
        return;
    }
    take_off(&error, step->made, step->left, step->right, step->parts);
    if (!isfinite(rounded(&error)) || !isfinite(rounded(&value))) {
        spoil(watch, step->node);
        return;
    }
    add_up(watch, &error);
    of->error[step->node] = rounded(&error);
    if (!sum_tree_is_leaf(&of->tree, step->node)) {
        of->inexact += error.count > 0;
        return;
    }
    of->error[step->node] += product_error(watch, step);
    of->inexact_products += error.count > 0 || !mpfr_zero_p(watch->product);
}

static enum status watch_all(struct watch *watch)
{
    struct additions *of = watch->of;
    const struct operands *elements = watch->elements;
    struct sum_tree *tree = &of->tree;
    double unrounded;
    for (uint64_t i = 0; i < tree->n && !additions_of_products(of); i++)
        of->value[tree->leaf[i]] = held_number(elements->format, elements->arrays[0], i);
    if (tree->n == 1 && !additions_of_products(of) && isfinite(of->value[1]))
        grow(&watch->root, of->value[1]);
    TRY(walk_watched(of->method, tree->joined, tree->count, elements, see, watch, &unrounded));
    of->computed = rounded_to(unrounded, of->method->format);
    struct expansion last = {.count = 0};
    for (int i = 0; i < watch->root.count; i++)
        grow(&last, -watch->root.term[i]);
    if (isfinite(of->computed)) {
        grow(&last, of->computed);
        of->last_rounding = rounded(&last);
        add_up(watch, &last);
    } else {
        of->last_rounding = NAN;
        add_nothing(watch);
    }
    return watch->status;
}

/* Of a square the only vector. */
static const void *second_of(const struct operands *elements)
{
    return elements->arrays[operation_table[elements->operation].vectors - 1];
}

double additions_factor(const struct operands *elements, bool second, uint64_t i)
{
    return held_number(elements->format, second ? second_of(elements) : elements->arrays[0], i);
}

bool additions_of_products(const struct additions *of)
{
    return of->method->operation != OPERATION_sum;
}

enum status additions_exact(const struct method *method, struct exact_how how, const struct operands *elements,
                            struct exact_sum *exact)
{
    const void *x = elements->arrays[0];
    if (elements->operation == OPERATION_sum)
        TRY(exact_sum_how(elements->format, how, x, elements->shape.terms, exact));
    else
        TRY(exact_dot(elements->format, how, x, second_of(elements), elements->shape.terms, exact));
    exact->nearest = exact_round(exact->sum, method->format);
    exact->ulp = exact_ulp(exact->sum, method->format);
    return OK;
}

enum status additions_possible(const struct tree_request *request)
{
    const struct method *method = request->method;
    if (!method_is_on_host(method))
        complain(
            "%s: %s is a black box, whose additions nobody sees; expected a method with a replay, or a plug-in; see "
            "`ulpscope list methods`, or what its order looks like from outside: ulpscope tree %s -n 64 --probe",
            request->family, method->id, method->id);
    else if (!method_adds(method))
        complain("%s: %s does not sum its data; expected a method that does; see `ulpscope list methods`",
                 request->family, method->id);
    else if (method->replay && !walk_is_watched(method))
        complain("%s: %s adds whole products in a state of its own, which is not watched; expected an accumulator of "
                 "two parts of a product; take dot_exact:binned/%s",
                 request->family, method->id, method->order);
    else if (operation_table[method->operation].of == ROOT_OF_SQUARES)
        complain("%s: %s is the root of a sum; expected a sum; take sumsq:%s/%s, which is what it roots",
                 request->family, method->id, method->accumulator, method->order);
    else if (method->plugin && request->n > 0 && !plugin_takes(method, request->n))
        complain("%s: %s does not take %llu elements; expected one of the lengths that it lists; choose other data",
                 request->family, method->id, (unsigned long long)request->n);
    else
        return sum_tree_possible(request);
    return BAD_INPUT;
}

/* The total of the stream, and the products' errors, of which some may be below the least binary64. */
static enum status add_totals(struct watch *watch)
{
    struct exact_sum *total = &watch->of->total;
    const enum status status = exact_stream_end(watch->errors, total);
    watch->errors = NULL;
    if (status == OK && additions_of_products(watch->of)) {
        mpfr_add(watch->products, watch->products, total->sum, MPFR_RNDN);
        mpfr_swap(watch->products, total->sum);
    }
    return status;
}

/* A plug-in is watched as plain additions in the tree that its sums show. */
static enum status find_watched(const struct tree_request *request, const struct method **watched)
{
    const struct revealed *revealed;
    *watched = request->method;
    if (request->method->replay)
        return OK;
    TRY(revealed_order(request, &revealed));
    *watched = &revealed->stand_in;
    return OK;
}

/* Of these very data; the probe had others. */
static enum status hold_to_plug_in(const struct tree_request *request, const struct operands *elements,
                                   const struct additions *of)
{
    uint64_t bits;
    const struct format *format = request->method->format;
    if (request->method->replay)
        return OK;
    TRY(method_compute(request->method, elements, request->launch, 1, &bits));
    const double sum = format_value(format, bits);
    if (sum == of->computed || (isnan(sum) && isnan(of->computed)))
        return OK;
    return bad_input("%s: %s gives %a for these data, and %s additions in the tree that its sums show, %a: the probe "
                     "does not prove how it adds these; expected the same bits; its order may depend on the data, or "
                     "`ulpscope run` them as a black box",
                     request->family, request->method->id, sum, of->method->accumulator, of->computed);
}

enum status additions_make(const struct tree_request *request, const struct operands *elements, struct additions *of)
{
    enum { PRODUCT_PRECISION = 256 };
    enum status status = OK;
    struct watch watch = {.of = of, .elements = elements};
    *of = (struct additions){.launch = request->launch};
    TRY(additions_possible(request));
    TRY(find_watched(request, &of->method));
    const bool adds_wide = of->method->sum_format->added->precision == FORMAT_BINARY64.precision;
    mpfr_init2(watch.product, PRODUCT_PRECISION);
    mpfr_init2(watch.products, exact_dot_precision(&FORMAT_BINARY64, request->n));
    mpfr_set_zero(watch.products, 1);
    TRY_DONE(sum_tree_make(request, &of->tree));
    of->value = calloc(of->tree.count + 1, sizeof *of->value);
    of->error = calloc(of->tree.count + 1, sizeof *of->error);
    if (adds_wide)
        of->rest = calloc(of->tree.count + 1, sizeof *of->rest);
    if (!of->value || !of->error || (adds_wide && !of->rest))
        TRY_DONE(out_of_memory("the errors of additions"));
    TRY_DONE(exact_stream_new(&FORMAT_BINARY64, (struct exact_how){0}, &watch.errors));
    TRY_DONE(watch_all(&watch));
    TRY_DONE(hold_to_plug_in(request, elements, of));
    status = add_totals(&watch);
done:
    mpfr_clears(watch.product, watch.products, (mpfr_ptr)NULL);
    exact_stream_free(watch.errors);
    if (status != OK)
        additions_free(of);
    return status;
}

void additions_free(struct additions *of)
{
    sum_tree_free(&of->tree);
    free_all(of->value, of->rest, of->error);
    exact_free(&of->total);
    *of = (struct additions){0};
}

double additions_largest_error(const struct additions *of)
{
    double largest = 0;
    for (uint32_t k = 1; k <= of->tree.count; k++)
        if (fabs(of->error[k]) > largest)
            largest = fabs(of->error[k]);
    return largest;
}

bool additions_is_beyond(const struct additions *of, uint32_t node)
{
    return isinf(of->value[node]) && isfinite(of->computed);
}

bool additions_add_up(const struct additions *of, const struct exact_sum *exact)
{
    if (exact->kind != EXACT_FINITE || of->total.kind != EXACT_FINITE || !isfinite(of->computed))
        return false;
    mpfr_t all; /* s + the total: as wide as the sum of both, and exact */
    mpfr_init2(all, mpfr_get_prec(exact->sum) + mpfr_get_prec(of->total.sum) + 64);
    const int ternary = mpfr_add(all, exact->sum, of->total.sum, MPFR_RNDN);
    const bool equal = ternary == 0 && mpfr_cmp_d(all, of->computed) == 0;
    mpfr_clear(all);
    return equal;
}
