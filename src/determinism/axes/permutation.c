/* The same numbers in other orders: shuffles that the seed draws. */
#include "src/determinism/vary.h"

enum { ORDERS = 20 };

static enum status add_in_order(struct vary *vary, uint64_t order)
{
    const struct operands *of = &vary->of->of;
    FREED_BY(terms_free) struct terms terms = {0};
    TRY(terms_lay(of, of->shape.terms, of->shape.terms, 0, &terms));
    TRY(terms_shuffle(&terms, vary->of->seed, order));
    TRY(vary_compute(vary, &terms.of, vary->of->launch, NULL, vary->bits));
    variation_note(vary, vary->bits, "shuffle %" PRIu64, order);
    return OK;
}

enum status permutation_vary(struct vary *vary)
{
    const bool has_many = operation_is_per_number(vary->of->of.operation);
    if (has_many || vary->of->of.shape.terms < 2) {
        vary_leave_out(vary, has_many ? "each number has a result" : "there is one order alone");
        return OK;
    }
    for (uint64_t order = 1; order <= ORDERS; order++)
        TRY(add_in_order(vary, order));
    return OK;
}
