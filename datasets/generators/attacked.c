/* attacked: numbers on which one method errs most, as far as a search finds them (datasets/attack/attack.h).
 *
 * The search begins with what the method's tree tells, the longest path; then it changes signs, exponents, order and
 * mantissas, and keeps what makes the exact error larger: of its bound, or in ulp.
 *
 *   kahan/serial, n = 64    10,000 sums: half of its bound or more; half of 10,000 sums of uniform numbers stay below
 * 0.1
 */
#include "datasets/attack/attack.h"
#include "datasets/order_aware.h"

enum { CALLS_VALUE = BIG_VALUE, CLIMBS_VALUE };

static const char family[] = "attacked";

static enum status find_worst(const struct generator_call *call, struct attack_find *find)
{
    const struct tree_request tree = order_aware_request(call, family);
    const struct attack_request request = {
        .method = tree.method,
        .launch = tree.launch,
        .n = call->n,
        .seed = call->seed,
        .trial = call->trial,
        .calls = (uint64_t)call->values[CALLS_VALUE],
        .climbs = call->values[CLIMBS_VALUE] == 0 ? ATTACK_BOUND : ATTACK_ULP,
        .until = INFINITY,
        .workers = 1, /* families are made side by side already */
        .asks_no_family = true,
    };
    return attack_make(&request, find);
}

static enum status build(const struct generator_call *call, void *x)
{
    FREED_BY(attack_free) struct attack_find find = {0};
    TRY(find_worst(call, &find));
    memcpy(x, find.x, call->n * format_held(&call->format)->bytes);
    const bool has_crashed = find.has_crashed;
    return has_crashed ? NOT_MEASURED : OK;
}

const struct generator generator_attacked = {
    .id = "attacked",
    .summary = "numbers on which a method errs most, as far as a search finds them",
    .formula = "what a search has found that climbs the exact error",
    .source = "made for ulpscope",
    .effects = EFFECTS({"n=64,method=kahan/serial,calls=10000", "kahan/serial", AT_LEAST, 0.9},
                       {"n=64,method=plain/tree_two_pass", "plain/tree_two_pass,fabsum/serial", AT_LEAST, 3},
                       {"n=1Ki,method=fabsum/serial", "fabsum/serial", AT_LEAST, 60},
                       {"n=64,method=kahan/serial,climbs=ulp", "kahan/serial", AT_LEAST, 1e20},
                       {"n=64,method=neumaier/serial,climbs=ulp", "neumaier/serial", AT_LEAST, 1e8},
                       {"n=64,method=neumaier/serial,climbs=ulp", "superacc/*", AT_MOST, 0.5}),
    .exact = "any",
    .showcase = {"attacked:n=64,method=kahan/serial,calls=10000", "attacked:n=64,method=plain/tree_two_pass",
                 "attacked:n=1024,method=fabsum/serial"},
    .parameters =
        PARAMETERS(ORDER_AWARE_PARAMETERS(WORDS("kahan/serial")),
                   {"calls", WHOLE, 2000, 1, 0x1p40, "sums that the search may ask for", NULL},
                   {"climbs", WORD, 0, 0, 0, "what it makes large: the error in the method's bound, or in ulp",
                    WORDS("bound", "ulp")}),
    .least_n = 2,
    .most_n = ATTACK_MOST_N,
    .random = true,
    .attacked = true,
    .refuses = order_aware_refuses,
    .build = build,
};
