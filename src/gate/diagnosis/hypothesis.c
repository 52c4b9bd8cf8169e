#include "hypothesis.h"

#include "src/gate/fault_tools.h"

#include "src/base/list.h"
#include "src/base/wrapped.h"
#include "src/measure/operation.h"

/* ---- the list ---- */

enum status hypotheses_append(struct hypotheses *hypotheses, struct hypothesis hypothesis)
{
    struct hypothesis *list = list_with_room(hypotheses->list, hypotheses->count, &hypotheses->capacity, sizeof *list);
    TRY(list ? OK : out_of_memory("a diagnosis"));
    hypotheses->list = list;
    list[hypotheses->count++] = hypothesis;
    return OK;
}

void hypotheses_free(struct hypotheses *hypotheses)
{
    free(hypotheses->list);
    *hypotheses = (struct hypotheses){0};
}

static bool same_accumulator(const struct method *a, const struct method *b)
{
    return strcmp(a->accumulator, b->accumulator) == 0;
}

static bool same_order(const struct method *a, const struct method *b)
{
    return strcmp(a->order, b->order) == 0;
}

bool is_plain(const struct method *method)
{
    return method->accumulator_traits->advantage == NULL || strcmp(method->accumulator, "plain") == 0;
}

/* Whether it is another method that adds up, always alike, and here. */
static bool may_be(const struct method *method, struct claimed_method claimed)
{
    char why[REASON_SIZE];
    return method->role == SUMS && method->replay && method->determinism == DETERMINISTIC &&
           strcmp(method->id, claimed.method->id) != 0 && method_can_do(method, claimed.launch, why);
}

static bool is_plain_in_order(const struct method *method, const struct method *claimed)
{
    return same_order(method, claimed) && is_plain(method) && !fault_leaves_above(claimed);
}

static bool is_other_accumulator(const struct method *method, const struct method *claimed)
{
    return same_order(method, claimed) && !is_plain(method);
}

static bool is_far(const struct method *method, const struct method *claimed)
{
    return !same_order(method, claimed) && !same_accumulator(method, claimed);
}

bool computes_the_same(int operation, const struct method *method)
{
    return operation == (int)method->operation ||
           (is_statistic(method->operation) && operation_table[operation].of == operation_table[method->operation].of);
}

static enum status append_methods(struct claimed_method claimed, struct hypotheses *hypotheses,
                                  bool (*wanted)(const struct method *method, const struct method *claimed))
{
    for (int o = 0; o < OPERATIONS; o++) {
        size_t count = 0;
        const struct method *const *table =
            computes_the_same(o, claimed.method)
                ? method_table_for((enum operation)o, claimed.method->sum_format, &count)
                : NULL;
        for (size_t i = 0; i < count; i++)
            if (may_be(table[i], claimed) && wanted(table[i], claimed.method))
                TRY(hypotheses_append(
                    hypotheses,
                    (struct hypothesis){.kind = OTHER_METHOD, .method = table[i], .launch = claimed.launch}));
    }
    return OK;
}

static bool is_any(const struct fault *fault)
{
    (void)fault;
    return true;
}

bool fault_is_from_outside(const struct fault *fault)
{
    return !fault->broken && fault->applies != fault_is_compensated && fault->applies != fault_is_wider &&
           fault->applies != fault_adds_wider_than_stored;
}

static enum status append_faults(struct claimed_method claimed, struct hypotheses *hypotheses,
                                 bool (*wanted)(const struct fault *fault))
{
    size_t count;
    const struct fault *table = fault_table(&count);
    for (size_t i = 0; i < count; i++)
        if (table[i].applies(claimed.method) && wanted(&table[i]))
            TRY(hypotheses_append(hypotheses, (struct hypothesis){.kind = FAULT_OF_TABLE,
                                                                  .method = claimed.method,
                                                                  .launch = claimed.launch,
                                                                  .fault = &table[i]}));
    return OK;
}

/* A grid that is computed wrong is off by one, by a factor of 2, or of one block. */
static enum status append_launches(struct claimed_method claimed, struct hypotheses *hypotheses)
{
    const uint32_t blocks = claimed.launch.blocks, threads = claimed.launch.threads;
    const struct launch others[] = {
        {blocks + 1, threads}, {blocks - 1, threads}, {1, threads},          {2 * blocks, threads},
        {blocks / 2, threads}, {blocks, 2 * threads}, {blocks, threads / 2}, {threads, blocks},
    };
    char why[REASON_SIZE];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct launch launch = others[i];
        const bool is_same = launch.blocks == blocks && launch.threads == threads;
        if (launch.blocks > 0 && launch.threads > 0 && !is_same && method_can_do(claimed.method, launch, why))
            TRY(hypotheses_append(
                hypotheses, (struct hypothesis){.kind = OTHER_LAUNCH, .method = claimed.method, .launch = launch}));
    }
    return OK;
}

enum status hypotheses_of_faults(struct claimed_method claimed, struct hypotheses *hypotheses)
{
    TRY(append_methods(claimed, hypotheses, is_plain_in_order));
    return append_faults(claimed, hypotheses, is_any);
}

enum status hypotheses_from_outside(struct claimed_method claimed, struct hypotheses *hypotheses)
{
    return append_faults(claimed, hypotheses, fault_is_from_outside);
}

enum status hypotheses_in_order(struct claimed_method claimed, struct hypotheses *hypotheses)
{
    return append_methods(claimed, hypotheses, same_order);
}

enum status hypotheses_near(struct claimed_method claimed, struct hypotheses *hypotheses)
{
    TRY(hypotheses_of_faults(claimed, hypotheses));
    TRY(append_methods(claimed, hypotheses, is_other_accumulator));
    TRY(append_methods(claimed, hypotheses, same_accumulator));
    return append_launches(claimed, hypotheses);
}

enum status hypotheses_far(struct claimed_method claimed, struct hypotheses *hypotheses)
{
    TRY(append_methods(claimed, hypotheses, is_far));
    return hypotheses_in_integers(claimed, hypotheses);
}

enum status hypotheses_in_integers(struct claimed_method claimed, struct hypotheses *hypotheses)
{
    char why[REASON_SIZE];
    size_t count;
    const struct method *const *table = method_table_for(claimed.method->operation, claimed.method->sum_format, &count);
    for (size_t i = 0; i < count; i++)
        if (table[i]->role == INTEGER_SUMS && same_order(table[i], claimed.method) &&
            method_can_do(table[i], claimed.launch, why))
            TRY(hypotheses_append(
                hypotheses, (struct hypothesis){.kind = IN_INTEGERS, .method = table[i], .launch = claimed.launch}));
    return OK;
}

/* ---- its sum ---- */

/* x has room for n + 1; its new length. */
static uint64_t change_numbers(struct change change, double start, double *x, uint64_t n)
{
    const uint64_t at = change.at, behind = at + change.length;
    switch (change.kind) {
    case TWICE_IN_PLACE:
        x[at] *= 2;
        return n;
    case TWICE_BEHIND:
        memmove(x + at + 1, x + at, (n - at) * sizeof *x);
        return n + 1;
    case TWICE_AT_END:
        x[n] = x[at];
        return n + 1;
    case OUT_AS_ZERO:
        for (uint64_t i = at; i < behind; i++)
            x[i] = 0;
        return n;
    case OUT_BEYOND:
        return at;
    case FROM_ANOTHER:
        memmove(x + 1, x, n * sizeof *x);
        x[0] = start;
        return n + 1;
    default:
        memmove(x + at, x + behind, (n - behind) * sizeof *x);
        return n - change.length;
    }
}

/* x[0..n) becomes the part; its length. */
static uint64_t take_part(struct part part, double *x, uint64_t n)
{
    const uint64_t count = part.is_strided || n < part.one_in ? (n + part.one_in - 1) / part.one_in : n / part.one_in;
    for (uint64_t i = 0; i < count && part.is_strided; i++)
        x[i] = x[i * part.one_in];
    return count;
}

static enum status sum_of_part(const struct fault_call *call, struct part part, double *x, uint64_t *bits)
{
    const uint64_t n = call->of.shape.terms, count = take_part(part, x, n);
    const double scale = part.by_count ? (double)n / (double)count : (double)part.one_in;
    TRY(fault_replay_numbers(call, x, count, bits));
    *bits = fault_result(call, fault_value(call, *bits) * scale);
    return OK;
}

static enum status sum_in_tree(const struct fault_call *call, const struct probe *probe, double *x, uint64_t *bits)
{
    OWNED double *made = calloc(probe->tree.count + 1, sizeof *made);
    TRY(made ? OK : out_of_memory("a diagnosis"));
    *bits = fault_result(call, probe_add(&probe->tree, probe->added, x, made));
    return OK;
}

/* Of numbers that it may change, with room for one more. */
static enum status sum_of_own(const struct hypothesis *hypothesis, const struct fault_call *call, double *x,
                              uint64_t *bits)
{
    const uint64_t n = call->of.shape.terms;
    const struct integer_type type = hypothesis->type;
    if (hypothesis->kind == OTHER_DATA)
        return fault_replay_numbers(call, x, change_numbers(hypothesis->change, hypothesis->start, x, n), bits);
    if (hypothesis->kind == PART_OF_DATA)
        return sum_of_part(call, hypothesis->part, x, bits);
    if (hypothesis->kind == ITS_OWN_TREE)
        return sum_in_tree(call, hypothesis->tree, x, bits);
    *bits = fault_result(call, hypothesis->kind == IN_CHAINS ? chains_sum(&hypothesis->chains, x, n)
                                                             : wrapped_sum(x, n, type.width, type.has_sign));
    return OK;
}

bool hypothesis_fits(const struct hypothesis *hypothesis)
{
    return !hypothesis->dropped && hypothesis->compared > 0 && hypothesis->fitting == hypothesis->compared;
}

enum status hypothesis_unrounded_sum(struct hypothesis hypothesis, const struct dataset *data, uint64_t *bits)
{
    struct method method = *hypothesis.method;
    method.format = method.sum_format->added;
    hypothesis.method = &method;
    return hypothesis_sum(&hypothesis, data, bits);
}

static enum status sum_of_numbers(const struct hypothesis *hypothesis, const struct dataset *data, uint64_t *bits)
{
    const struct fault_call call = {hypothesis->method, operands_of_sum(data->format, data->x, data->n),
                                    hypothesis->launch};
    if (hypothesis->kind == FAULT_OF_TABLE)
        return hypothesis->fault->sum(hypothesis->fault, &call, bits);
    if (hypothesis->kind < OTHER_DATA || hypothesis->kind == TRIAL_BEFORE)
        return method_replay(hypothesis->method, &call.of, hypothesis->launch, 1, bits);
    OWNED double *x = fault_numbers(&call, data->n + 1);
    return x ? sum_of_own(hypothesis, &call, x, bits) : out_of_memory("a diagnosis");
}

enum status products_make(const struct dataset *data, const struct format *format, const struct fault *fault,
                          struct dataset *products)
{
    *products = (struct dataset){.format = format, .n = data->n};
    products->x = malloc(data->n * format_held(format)->bytes + 1);
    TRY(products->x ? OK : out_of_memory("a diagnosis"));
    for (uint64_t i = 0; i < data->n; i++) {
        double x = held_number(data->format, data->x, i), y = held_number(data->format, data->y, i);
        if (fault && fault->element) {
            x = fault->element(data->format, x);
            y = fault->element(data->format, y);
        }
        held_set(format, products->x, i, rounded_to(x * y, format));
    }
    return OK;
}

/* A dot product whose products are rounded is the sum of them; other terms are those of its own operation. */
static enum status sum_of_products(const struct hypothesis *hypothesis, const struct dataset *data, uint64_t *bits)
{
    const struct method *claimed = hypothesis->method, *sum = method_of_operation(claimed, OPERATION_sum);
    struct operands of = {data->format, claimed->operation, {data->x, data->y}, {data->n, 1, 0}};
    struct hypothesis of_terms = *hypothesis;
    FREED_BY(dataset_free) struct dataset terms = {0};
    if (claimed->operation != OPERATION_dot || !sum)
        return method_replay(claimed, &of, hypothesis->launch, 1, bits);
    const struct fault *fault = hypothesis->kind == FAULT_OF_TABLE ? hypothesis->fault : NULL;
    struct method method = *sum;
    method.format = claimed->format;
    of_terms.method = &method;
    of_terms.kind = fault && fault->element ? OTHER_METHOD : hypothesis->kind;
    const struct format *added = hypothesis->kind == IN_CHAINS      ? hypothesis->chains.added
                                 : hypothesis->kind == ITS_OWN_TREE ? hypothesis->tree->added
                                                                    : method.sum_format->added;
    TRY(products_make(data, added, fault, &terms));
    return sum_of_numbers(&of_terms, &terms, bits);
}

/* One is as this program has it: faults are known of sums. */
static enum status statistic_or_scan(const struct hypothesis *hypothesis, const struct dataset *data, uint64_t *bits)
{
    const struct method *method = hypothesis->method;
    const struct operands of = operation_operands(method->operation, data);
    const uint64_t results = operation_results(method->operation, shape_of_one(data->n));
    TRY(method_replay(method, &of, hypothesis->launch, 1, bits));
    for (uint64_t i = 0; i < results && hypothesis->result; i++)
        bits[i] =
            format_bits(hypothesis->result, rounded_to(format_value(method->format, bits[i]), hypothesis->result));
    return OK;
}

enum status hypothesis_sum(const struct hypothesis *hypothesis, const struct dataset *data, uint64_t *bits)
{
    if (is_statistic(hypothesis->method->operation) || is_scan(hypothesis->method->operation))
        return statistic_or_scan(hypothesis, data, bits);
    return (data->y ? sum_of_products : sum_of_numbers)(hypothesis, data, bits);
}

int hypothesis_complexity(const struct hypothesis *hypothesis)
{
    static const char ranks[] = "ranks_";
    const struct method *method = hypothesis->method;
    const bool is_method = hypothesis->kind == OTHER_METHOD || hypothesis->kind == OTHER_LAUNCH;
    if (hypothesis->kind == IN_CHAINS || !is_method)
        return hypothesis->kind == IN_CHAINS ? 0 : 3;
    return strncmp(method->order, ranks, sizeof ranks - 1) == 0 ? 2
                                                                : is_statistic(method->operation) && !is_plain(method);
}

/* ---- in words ---- */

static void say_change(struct change change, struct text *to)
{
    const uint64_t last = change.at + change.length - 1;
    if (change.kind <= TWICE_AT_END)
        text_append(to, "x_%" PRIu64 " is added twice", change.at);
    else if (change.kind == FROM_ANOTHER)
        text_append(to, "the sum starts from the result of another trial");
    else if (change.kind == OUT_BEYOND)
        text_append(to, "the elements beyond the first %" PRIu64 " are left out", change.at);
    else if (change.length == 1)
        text_append(to, "x_%" PRIu64 " is left out", change.at);
    else
        text_append(to, "x_%" PRIu64 " .. x_%" PRIu64 " are left out", change.at, last);
}

/* "additions in binary32 in 8 chains (x0 + x8 + ...), joined pairwise," */
static void say_chains(const struct chains *chains, struct text *to)
{
    static const char *const joins[] = {"one after another", "pairwise", "in halves"};
    text_append(to, "additions in %s", chains->added->name);
    if (chains->block > 0)
        text_append(to, " in blocks of up to %u, joined pairwise", chains->block);
    if (chains->count > 1)
        text_append(to, "%s in %u chains (x0 + x%u + ...), joined %s", chains->block > 0 ? ", and each" : "",
                    chains->count, chains->count, joins[chains->join]);
    if (chains->has_tail)
        text_append(to, ", then the rest");
}

/* ", all in binary64, then rounded to binary32" */
static void say_result(const struct hypothesis *hypothesis, struct text *to)
{
    if (hypothesis->result)
        text_append(to, ", all in %s, then rounded to %s", hypothesis->method->format->name, hypothesis->result->name);
}

bool hypothesis_has_fault(const struct hypothesis *hypothesis)
{
    return hypothesis->kind == FAULT_OF_TABLE || hypothesis->kind == OTHER_DATA;
}

void hypothesis_say_fault(const struct hypothesis *hypothesis, struct text *to)
{
    if (hypothesis->kind == FAULT_OF_TABLE)
        text_append(to, "%s", hypothesis->fault->meaning);
    if (hypothesis->kind == OTHER_DATA)
        say_change(hypothesis->change, to);
}

bool hypothesis_is_another(const struct hypothesis *hypothesis, const struct hypothesis *other)
{
    return hypothesis_has_fault(hypothesis) && hypothesis->kind == other->kind && hypothesis->method == other->method &&
           (hypothesis->fault != other->fault || hypothesis->change.at != other->change.at ||
            hypothesis->change.length != other->change.length);
}

void hypothesis_say(const struct hypothesis *hypothesis, struct text *to)
{
    const struct operation_row *row = &operation_table[hypothesis->method->operation];
    const bool is_of_sums = is_statistic(hypothesis->method->operation);
    if (hypothesis->kind == IN_CHAINS) {
        say_chains(&hypothesis->chains, to);
        text_append(to, ",");
        return;
    }
    if (hypothesis->kind == ITS_OWN_TREE) {
        text_append(to, "additions in %s in an order of its own, which `ulpscope tree --probe` draws,",
                    hypothesis->tree->added->name);
        return;
    }
    if (hypothesis->kind == WRAPPED_AROUND) {
        text_append(to, "integers %s a sign that wrap around modulo 2^%u,",
                    hypothesis->type.has_sign ? "with" : "without", hypothesis->type.width);
        return;
    }
    text_append(to, "%s", hypothesis->method->id);
    if (is_scan(hypothesis->method->operation))
        text_append(to, " (%s)", hypothesis->method->order_claim);
    if (hypothesis->kind == IN_INTEGERS)
        text_append(to, ", %s,", hypothesis->method->accumulator_claim);
    if (hypothesis->kind == OTHER_LAUNCH)
        text_append(to, " at %u x %u", hypothesis->launch.blocks, hypothesis->launch.threads);
    if (hypothesis_has_fault(hypothesis))
        text_append(to, " in which ");
    hypothesis_say_fault(hypothesis, to);
    if (hypothesis->kind == PART_OF_DATA)
        text_append(to,
                    hypothesis->part.is_strided ? " of one element in %" PRIu64 ", rescaled,"
                                                : " of the first 1/%" PRIu64 " of the data, rescaled,",
                    hypothesis->part.one_in);
    if (hypothesis->kind == TRIAL_BEFORE)
        text_append(to, " of the data of the trial before,");
    if (is_of_sums && hypothesis->kind <= OTHER_METHOD) {
        if (strncmp(row->claim, "likewise", 8) != 0) /* as the row before it in the list */
            text_append(to, ", computed as %s", row->claim);
        say_result(hypothesis, to);
        text_append(to, ",");
    }
}

void hypothesis_conclude(const struct hypothesis *hypothesis, struct claimed_method claimed, struct text *to)
{
    if (hypothesis->kind == OTHER_LAUNCH)
        text_append(to, ": it ran with another launch");
    if (hypothesis->kind != OTHER_METHOD || hypothesis->method->operation != claimed.method->operation)
        return;
    if (is_plain_in_order(hypothesis->method, claimed.method))
        text_append(to, ": %s has no effect", claimed.method->accumulator_traits->advantage);
    else if (same_accumulator(hypothesis->method, claimed.method))
        text_append(to, ": it adds in another order");
}
