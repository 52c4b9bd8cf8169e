/* Zeros behind or before the numbers: each n at which the bits change, on a grid that grows to 4 n.
 *
 *   64 numbers and no zero, 1 zero, 32 zeros, 64 zeros ...    the bits differ between 96 and 128 terms
 *   bisection                                                 n = 113 | 114
 *
 * Below n it is the first numbers that are padded.  A change of order may leave the sum of some numbers as it is: each
 * step adds the same numbers in several orders at once. */
#include "src/base/interrupts.h"
#include "src/determinism/vary.h"
#include "src/plugins/plugin.h"

enum { ORDERS = 4, LEAST = 64, GROWTH = 4, TOLD = 2 };

/* The numbers of one step, which has zeros on one side. */
struct padded {
    struct vary *vary;
    bool is_before;
    struct terms orders[ORDERS];
    uint64_t elements; /* results of one order */
    uint64_t *bits;    /* of all */
};

static enum status take_numbers(struct padded *padded, uint64_t count)
{
    const struct varied *varied = padded->vary->of;
    for (uint64_t order = 0; order < ORDERS; order++) {
        TRY(terms_lay(&varied->of, count, count, 0, &padded->orders[order]));
        if (order > 0)
            TRY(terms_shuffle(&padded->orders[order], varied->seed, order));
    }
    return OK;
}

static void drop_numbers(struct padded *padded)
{
    for (int order = 0; order < ORDERS; order++)
        terms_free(&padded->orders[order]);
}

static enum status add_one(struct padded *padded, int order, uint64_t n)
{
    const struct operands *of = &padded->orders[order].of;
    const uint64_t count = of->shape.terms;
    FREED_BY(terms_free) struct terms terms = {0};
    TRY(terms_lay(of, count, n, padded->is_before ? n - count : 0, &terms));
    return vary_compute(padded->vary, &terms.of, padded->vary->of->launch, NULL,
                        padded->bits + (uint64_t)order * padded->elements);
}

static enum status add_all(struct padded *padded, uint64_t n, uint64_t *word)
{
    for (int order = 0; order < ORDERS; order++)
        TRY(add_one(padded, order, n));
    *word = results_word(padded->vary->of->method->format, padded->bits, ORDERS * padded->elements);
    return OK;
}

/* Narrows a step that changes the bits to n | n + 1, and leaves the results at n + 1. */
static enum status bisect(struct padded *padded, uint64_t base, uint64_t *same, uint64_t other)
{
    uint64_t word;
    while (other - *same > 1) {
        const uint64_t middle = *same + (other - *same) / 2;
        TRY(add_all(padded, middle, &word));
        *(word == base ? same : &other) = middle;
    }
    return add_all(padded, other, &word);
}

/* The first is the first variant; of the others a few stand behind it, where there is room. */
static void note_boundary(struct padded *padded, uint64_t n, uint64_t *told)
{
    struct variation *found = padded->vary->found;
    const char *side = padded->is_before ? "before" : "behind";
    const size_t length = strlen(found->first), room = sizeof found->first - length;
    char more[sizeof found->first];
    variation_note(padded->vary, padded->bits, "zeros %s: n = %" PRIu64 " | %" PRIu64, side, n, n + 1);
    if (*told == 0)
        snprintf(more, sizeof more, "; %s: %" PRIu64 " | %" PRIu64, side, n, n + 1);
    else if (*told < TOLD)
        snprintf(more, sizeof more, ", %" PRIu64 " | %" PRIu64, n, n + 1);
    else
        snprintf(more, sizeof more, "%s", *told == TOLD ? ", ..." : "");
    if (length > 0 && strlen(more) < room)
        memcpy(found->first + length, more, strlen(more) + 1);
    ++*told;
}

static enum status step(struct padded *padded, uint64_t from, uint64_t to, uint64_t *told)
{
    struct shape shape = padded->orders[0].of.shape;
    double ulp;
    uint64_t base, word;
    TRY(terms_ulp(&padded->orders[0].of, padded->vary->of->method->format, &ulp));
    TRY(add_all(padded, from, &base));
    shape.terms = to;
    TRY(vary_begin(padded->vary, &padded->orders[0].of, shape, padded->bits, ORDERS * padded->elements, ulp));
    TRY(add_all(padded, to, &word));
    if (word == base) {
        variation_note(padded->vary, padded->bits, "none");
        return OK;
    }
    TRY(bisect(padded, base, &from, to));
    note_boundary(padded, from, told);
    return OK;
}

static uint64_t after(uint64_t n)
{
    const uint64_t power = UINT64_C(1) << (63 - __builtin_clzll(n));
    return n == power ? n + 1 : n < power + power / 2 ? power + power / 2 : 2 * power;
}

static enum status pad(struct padded *padded, uint64_t most)
{
    const uint64_t n = padded->vary->of->of.shape.terms;
    uint64_t told = 0;
    for (uint64_t from = n < LEAST ? n : LEAST; from < most && !interrupted(); from = after(from)) {
        const uint64_t to = after(from) < most ? after(from) : most;
        enum status status = take_numbers(padded, from < n ? from : n);
        if (status == OK)
            status = step(padded, from, to, &told);
        drop_numbers(padded);
        TRY(status);
    }
    return OK;
}

static bool takes_some_n(const struct method *method)
{
    size_t count = 0;
    if (method->plugin)
        plugin_lengths(method, &count);
    return count > 0;
}

/* Whether zeros change what is computed: a mean, a softmax. */
static bool counts_zeros(enum operation operation)
{
    const enum quantity of = operation_table[operation].of;
    return operation_is_per_number(operation) || (is_statistic(operation) && of != MEAN_WEIGHTED && of != COSINE);
}

enum status padding_vary(struct vary *vary)
{
    const struct varied *varied = vary->of;
    const uint64_t slow = varied->device ? varied->method->slow_above : ANY_N, n = varied->of.shape.terms;
    struct padded padded = {.vary = vary, .elements = vary->count};
    enum status status = OK;
    if (counts_zeros(varied->of.operation)) {
        vary_leave_out(vary, "a zero is one more number to it");
        return OK;
    }
    if (n == 0 || takes_some_n(varied->method)) {
        vary_leave_out(vary, "%s", n == 0 ? "there is no number" : "it takes numbers of some lengths alone");
        return OK;
    }
    padded.bits = calloc(ORDERS * padded.elements, sizeof *padded.bits);
    TRY(padded.bits ? OK : out_of_memory("the results of variants"));
    for (int before = 0; before < 2 && status == OK; before++) {
        padded.is_before = before;
        status = pad(&padded, GROWTH * n < slow ? GROWTH * n : slow);
    }
    free(padded.bits);
    return status;
}
