#include "revealed.h"

#include "product_box.h"

#include "src/base/base.h"

#include <pthread.h>

static const struct onlooker *onlooker;

void revealed_onlooker(const struct onlooker *of_search)
{
    onlooker = of_search;
}

enum { SIDE_OF_PLUG_IN = 16 };

struct host_box {
    const struct method *method;
    struct launch launch;
    void *ones; /* the second vector; NULL: there is none */
    struct product_box product;
};

static enum status element_on_host(void *context, const void *x, uint64_t n, double *result)
{
    const struct host_box *box = context;
    (void)n;
    TRY(onlooker_goes_on(onlooker, 0) ? OK : INTERRUPTED);
    product_box_set(&box->product, x);
    TRY(method_compute(box->method, &box->product.operands, box->launch, 1, box->product.bits));
    *result = format_value(box->method->format, box->product.bits[0]);
    return OK;
}

static enum status sum_on_host(void *context, const void *x, uint64_t n, double *result)
{
    const struct host_box *box = context;
    const struct method *method = box->method;
    const struct operands of = {method->sum_format->stored, method->operation, {x, box->ones}, shape_of_one(n)};
    uint64_t bits;
    TRY(onlooker_goes_on(onlooker, 0) ? OK : INTERRUPTED);
    TRY(method_compute(method, &of, box->launch, 1, &bits));
    *result = format_value(method->format, bits);
    return OK;
}

static enum status make_ones(uint64_t n, struct host_box *box)
{
    const struct format *stored = box->method->sum_format->stored;
    if (operation_table[box->method->operation].of == MATRICES)
        return product_box_start(box->method, n, box->method->ask ? SIDE_OF_PLUG_IN : 1, &box->product);
    if (operation_table[box->method->operation].vectors < 2)
        return OK;
    box->ones = malloc(n * format_held(stored)->bytes + 1);
    TRY(box->ones ? OK : out_of_memory("the second vector of a probe"));
    for (uint64_t i = 0; i < n; i++)
        held_set(stored, box->ones, i, 1);
    return OK;
}

enum status probe_method(const struct tree_request *request, struct probe *probe)
{
    const struct method *method = request->method;
    const uint64_t n = request->n;
    struct host_box context = {.method = method, .launch = request->launch};
    const int of = (int)operation_table[method->operation].of;
    *probe = (struct probe){0};
    if (of != NUMBERS_THEMSELVES && of != PRODUCTS && of != MATRICES) {
        if (request->family)
            complain("%s: expected a sum or a product, whose terms may be negative; found %s; probe another method",
                     method->id, operation_table[method->operation].claim);
        return BAD_INPUT;
    }
    if (n > PROBE_HOST_MOST_N) {
        if (request->family)
            complain("%s: n = %llu: any tree takes n - 1 sums of n elements or more; expected at most %d elements; "
                     "choose such an n",
                     method->id, (unsigned long long)n, PROBE_HOST_MOST_N);
        return BAD_INPUT;
    }
    enum status status = make_ones(n, &context);
    const struct black_box box = {.name = method->id,
                                  .sum = of == MATRICES ? element_on_host : sum_on_host,
                                  .context = &context,
                                  .most_sums = PROBE_MOST_ADDITIONS / (n + 1),
                                  .in = of == MATRICES ? &context.product.asked : method->sum_format,
                                  .is_quiet = !request->family,
                                  .is_hint = onlooker};
    if (status == OK)
        status = probe_reveal(&box, n, probe);
    free(context.ones);
    product_box_end(&context.product);
    return status;
}

/* Plain additions in a format: where it is not the one that the method's are usually added in, that of a method in
 * binary64 of the same numbers, or of the same numbers added elsewhere; NULL: there is none. */
static const struct method *plain_in(const struct method *method, const struct format *added)
{
    const struct sum_format *own = method->sum_format;
    const struct method *plain = method_of_operation(method_find("plain/serial"), method->operation);
    if (added->precision == own->added->precision)
        return method_in(plain, own);
    const struct sum_format *other = sum_format_of(own->stored, added);
    if (other && strcmp(other->added->name, added->name) == 0 && strcmp(other->result->name, own->result->name) == 0)
        return method_in(plain, other);
    const struct method *wide = method_of_operation(method_find("binary64/serial"), method->operation);
    return added->precision == FORMAT_BINARY64.precision && wide ? method_in(wide, own) : NULL;
}

static enum status stand_in_for(const struct tree_request *request, struct revealed *revealed)
{
    const struct method *method = request->method, *ours = NULL;
    if (revealed->probe.order == PROBE_ORDERED)
        ours = plain_in(method, revealed->probe.added);
    if (!ours) {
        if (request->family)
            complain("%s: the sums of %s are those of %s; expected additions of two, which a tree has, in a format of "
                     "`ulpscope list formats`; `ulpscope tree %s -n %llu --probe` says more",
                     request->family, method->id,
                     revealed->probe.order != PROBE_ORDERED ? "additions of more than two numbers at a time"
                                                            : revealed->probe.added->name,
                     method->id, (unsigned long long)request->n);
        return BAD_INPUT;
    }
    revealed->stand_in = *method;
    revealed->stand_in.accumulator = ours->accumulator;
    revealed->stand_in.accumulator_traits = ours->accumulator_traits;
    revealed->stand_in.sum_format = ours->sum_format;
    return OK;
}

struct known {
    const struct method *method;
    uint64_t n;
    struct launch launch;
    struct revealed revealed;
    bool is_refused; /* there is none, while a search asks */
    struct known *next;
};

static bool is_of(const struct known *known, const struct tree_request *request)
{
    return known->method == request->method && known->n == request->n && same_launch(known->launch, request->launch);
}

static enum status learn(const struct tree_request *request, struct known **learnt)
{
    struct known *known = calloc(1, sizeof *known);
    TRY(known ? OK : out_of_memory("a summation tree"));
    known->method = request->method;
    known->n = request->n;
    known->launch = request->launch;
    enum status status = probe_method(request, &known->revealed.probe);
    if (status == OK)
        status = stand_in_for(request, &known->revealed);
    known->is_refused = status == BAD_INPUT && onlooker; /* which each family would find out again */
    if (status != OK)
        probe_free(&known->revealed.probe);
    if (status == OK || known->is_refused)
        *learnt = known;
    else
        free(known);
    return status;
}

enum status revealed_order(const struct tree_request *request, const struct revealed **revealed)
{
    static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;
    static struct known *all;
    enum status status = OK;
    pthread_mutex_lock(&looking);
    struct known *known = all;
    while (known && !is_of(known, request))
        known = known->next;
    if (!known) {
        status = learn(request, &known);
        if (known) {
            known->next = all;
            all = known;
        }
    }
    pthread_mutex_unlock(&looking);
    status = status == OK && known->is_refused ? BAD_INPUT : status;
    if (status == OK)
        *revealed = &known->revealed;
    return status;
}
