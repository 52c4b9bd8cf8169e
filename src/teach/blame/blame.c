#include "blame.h"

#include <math.h>

static void judge(struct blame *blame)
{
    const struct tree_request *request = &blame->request.additions;
    const struct promise promise = promise_of(request->method, request->launch, &blame->exact);
    const double computed = blame->additions.computed;
    judge_sum(&blame->exact, request->method->format, &promise, format_bits(request->method->format, computed),
              &blame->judged);
    blame->finite =
        blame->exact.kind == EXACT_FINITE && isfinite(computed) && blame->additions.total.kind == EXACT_FINITE;
}

/* ---- the proof ---- */

static enum status prove(struct blame *blame)
{
    if (additions_add_up(&blame->additions, &blame->exact) &&
        mpfr_equal_p(blame->difference, blame->additions.total.sum))
        return OK;
    return not_measured("%s: the local errors of %s do not add up to computed - s; they always should; this is a bug "
                        "in ulpscope: please report the command",
                        blame->request.additions.family, blame->request.additions.method->id);
}

/* The errors of leaves that are elements are 0. */
static enum status add_losses(struct blame *blame)
{
    FREED_BY(exact_free) struct exact_sum errors = {0};
    TRY(exact_sum(&FORMAT_BINARY64, blame->additions.error + 1, blame->additions.tree.count, &errors));
    blame->lost = mpfr_get_d(errors.sum_abs, MPFR_RNDN);
    return OK;
}

bool blame_is_product(const struct blame *blame, uint32_t node)
{
    return additions_of_products(&blame->additions) && sum_tree_is_leaf(&blame->additions.tree, node);
}

double blame_operand(const struct blame *blame, const struct blame_addition *addition, bool right)
{
    const struct additions *of = &blame->additions;
    if (!blame_is_product(blame, addition->node))
        return of->value[right ? addition->right : addition->left];
    return additions_factor(&blame->request.elements, right, (uint64_t)of->tree.joined[addition->node - 1].leaf);
}

double blame_all_lost(const struct blame *blame)
{
    return blame->lost + fabs(blame->additions.last_rounding);
}

double blame_cancelled(const struct blame *blame)
{
    const double all = blame_all_lost(blame), left = fabs(mpfr_get_d(blame->difference, MPFR_RNDN));
    return all > left ? 1 - left / all : 0;
}

/* ---- a list of the largest ---- */

void top_list_start(size_t most, struct top_list *list)
{
    *list = (struct top_list){.entries = memory_resized(NULL, (most + 1) * sizeof *list->entries), .most = most};
}

/* Most are no larger than the last, and go no further. */
void top_list_offer(struct top_list *list, double size, uint64_t index)
{
    size_t at = list->count;
    if (!(size > 0) || list->most == 0 || (at == list->most && !(size > list->entries[at - 1].size)))
        return;
    at = at == list->most ? at - 1 : list->count++;
    for (; at > 0 && size > list->entries[at - 1].size; at--)
        list->entries[at] = list->entries[at - 1];
    list->entries[at] = (struct top_entry){size, index};
}

void top_list_free(struct top_list *list)
{
    free(list->entries);
    *list = (struct top_list){0};
}

/* ---- who lost most ---- */

struct blame_addition blame_addition_at(const struct additions *of, uint32_t node)
{
    const struct tape_node *joined = &of->tree.joined[node - 1];
    const bool leaf = joined->left == 0;
    return (struct blame_addition){.node = node,
                                   .left = leaf ? node : joined->left,
                                   .right = leaf ? node : joined->right,
                                   .lost = fabs(of->error[node])};
}

/* Both operands of each addition. */
static void find_spans(const struct sum_tree *tree, struct blame_addition *additions, size_t count)
{
    OWNED uint32_t *nodes = memory_cleared(2 * count + 1, sizeof *nodes);
    OWNED struct span *spans = memory_cleared(2 * count + 1, sizeof *spans);
    for (size_t i = 0; i < count; i++) {
        nodes[2 * i] = additions[i].left;
        nodes[2 * i + 1] = additions[i].right;
    }
    spans_find(tree, nodes, 2 * count, spans);
    for (size_t i = 0; i < count; i++) {
        additions[i].left_span = spans[2 * i];
        additions[i].right_span = spans[2 * i + 1];
    }
}

static void find_additions(struct blame *blame)
{
    const struct additions *of = &blame->additions;
    FREED_BY(top_list_free) struct top_list list = {0};
    top_list_start(blame->request.top, &list);
    for (uint32_t k = 1; k <= of->tree.count; k++)
        top_list_offer(&list, fabs(of->error[k]), k);
    blame->top_additions = memory_cleared(list.count + 1, sizeof *blame->top_additions);
    for (size_t i = 0; i < list.count; i++)
        blame->top_additions[i] = blame_addition_at(of, (uint32_t)list.entries[i].index);
    blame->top_addition_count = list.count;
    find_spans(&of->tree, blame->top_additions, list.count);
}

static void find_elements(struct blame *blame)
{
    struct top_list *list = &blame->top_elements;
    top_list_start(blame->request.top, list);
    for (uint64_t i = 0; i < blame->additions.tree.n; i++)
        top_list_offer(list, charges_of(&blame->charges, &blame->additions, i), i);
}

/* ---- all ---- */

static enum status blame_finite(struct blame *blame)
{
    TRY(prove(blame));
    TRY(add_losses(blame));
    TRY(charges_make(&blame->additions, &blame->charges));
    find_additions(blame);
    find_elements(blame);
    return OK;
}

static void name_the_first(struct blame *blame)
{
    const uint32_t node = blame->additions.first_not_finite;
    if (node == 0)
        return;
    blame->first_not_finite = blame_addition_at(&blame->additions, node);
    find_spans(&blame->additions.tree, &blame->first_not_finite, 1);
}

static enum status make_sums(struct blame *blame)
{
    const struct blame_request *request = &blame->request;
    TRY(additions_exact(request->additions.method, (struct exact_how){0}, &request->elements, &blame->exact));
    return additions_make(&request->additions, &request->elements, &blame->additions);
}

enum status blame_make(const struct blame_request *request, struct blame *blame)
{
    enum status status = OK;
    *blame = (struct blame){.request = *request};
    mpfr_init2(blame->difference, MPFR_PREC_MIN);
    TRY_DONE(additions_possible(&request->additions));
    TRY_DONE(make_sums(blame));
    judge(blame);
    mpfr_set_prec(blame->difference, mpfr_get_prec(blame->exact.sum) + 64); /* computed has a bit among those of s */
    mpfr_d_sub(blame->difference, blame->additions.computed, blame->exact.sum, MPFR_RNDN);
    if (blame->finite)
        status = blame_finite(blame);
    else
        name_the_first(blame);
done:
    if (status != OK)
        blame_free(blame);
    return status;
}

void blame_free(struct blame *blame)
{
    if (blame->request.additions.method) /* what was cleared and never made has no difference */
        mpfr_clear(blame->difference);
    additions_free(&blame->additions);
    exact_free(&blame->exact);
    charges_free(&blame->charges);
    free(blame->top_additions);
    top_list_free(&blame->top_elements);
    *blame = (struct blame){0};
}
