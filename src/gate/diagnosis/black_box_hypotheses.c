/* What a black box may be, of which nothing is known but its format: any method, plain additions with any fault, and
 * what somebody does who cheats. */
#include "hypothesis.h"

#include "datasets/probe/revealed.h"
#include "src/gate/fault_tools.h"

/* Whose bits are always the same, here; and are not what merges alone, which is in the table. */
static bool may_be(const struct method *method, struct launch launch)
{
    char why[REASON_SIZE];
    return method->role == SUMS && !fault_leaves_above(method) && method->replay &&
           method->determinism == DETERMINISTIC && method_can_do(method, launch, why);
}

static const struct method *const *table_of(const struct method *method, size_t *count)
{
    return method_table_for(method->operation, method->sum_format, count);
}

static const struct method *const *table_by(int operation, const struct method *method, size_t *count)
{
    *count = 0;
    return computes_the_same(operation, method) ? method_table_for((enum operation)operation, method->sum_format, count)
                                                : NULL;
}

static bool is_one_loop(const struct method *method)
{
    return method->order_traits->joins == NEVER_MERGES;
}

/* Simple ones first: plain additions in one loop, in other orders, the others in one loop, and in other orders. */
static int complexity(const struct method *method)
{
    return 2 * !is_plain(method) + !is_one_loop(method);
}
enum { COMPLEXITIES = 4 };

static bool has_formats_of(const struct sum_format *in, const struct method *method)
{
    return strcmp(in->stored->name, method->sum_format->stored->name) == 0 &&
           strcmp(in->result->name, method->format->name) == 0;
}

/* Calls append(method) for each that may be it, and that adds as its formats are usually added: the simple ones first.
 */
typedef enum status append_function(const struct method *method, struct claimed_method claimed, uint64_t n,
                                    struct hypotheses *hypotheses);

static enum status for_each_method(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses,
                                   bool plain_alone, append_function *append)
{
    for (int degree = 0; degree < COMPLEXITIES; degree++)
        for (int o = 0; o < OPERATIONS; o++) {
            size_t count;
            const struct method *const *table = table_by(o, claimed.method, &count);
            for (size_t i = 0; i < count; i++)
                if (may_be(table[i], claimed.launch) && complexity(table[i]) == degree &&
                    (is_plain(table[i]) || !plain_alone))
                    TRY(append(table[i], claimed, n, hypotheses));
        }
    return OK;
}

static enum status append_itself(const struct method *method, struct claimed_method claimed, uint64_t n,
                                 struct hypotheses *hypotheses)
{
    (void)n;
    return hypotheses_append(hypotheses,
                             (struct hypothesis){.kind = OTHER_METHOD, .method = method, .launch = claimed.launch});
}

static enum status append_launches(const struct method *method, struct claimed_method claimed, uint64_t n,
                                   struct hypotheses *hypotheses)
{
    static const struct launch launches[] = {{1, 1},   {1, 32},  {1, 64},   {1, 128},
                                             {1, 256}, {1, 512}, {1, 1024}, {120, 256}};
    (void)n;
    for (size_t l = !is_scan(method->operation); l < sizeof launches / sizeof *launches; l++) /* windows in one loop */
        if (may_be(method, launches[l]))
            TRY(hypotheses_append(hypotheses,
                                  (struct hypothesis){.kind = OTHER_LAUNCH, .method = method, .launch = launches[l]}));
    (void)claimed;
    return OK;
}

/* Each fault of plain additions; of the other accumulators those in which their own verbs are broken. */
static bool may_have(const struct method *method, const struct fault *fault)
{
    const struct method *broken = fault->broken ? broken_find(fault->broken, method->order) : NULL;
    return fault->applies(method) &&
           (is_plain(method) || (broken && strcmp(broken->accumulator, method->accumulator) == 0));
}

static enum status append_fault(const struct method *method, struct claimed_method claimed, const struct fault *fault,
                                struct hypotheses *hypotheses)
{
    return hypotheses_append(
        hypotheses,
        (struct hypothesis){.kind = FAULT_OF_TABLE, .method = method, .launch = claimed.launch, .fault = fault});
}

static enum status append_faults(const struct method *method, struct claimed_method claimed, uint64_t n,
                                 struct hypotheses *hypotheses)
{
    size_t count;
    const struct fault *table = fault_table(&count);
    (void)n;
    for (size_t i = 0; i < count; i++)
        if (may_have(method, &table[i]))
            TRY(append_fault(method, claimed, &table[i], hypotheses));
    return OK;
}

static enum status append_faults_in_loops(const struct method *method, struct claimed_method claimed, uint64_t n,
                                          struct hypotheses *hypotheses)
{
    return is_one_loop(method) ? append_faults(method, claimed, n, hypotheses) : OK;
}

static enum status append_faults_in_trees(const struct method *method, struct claimed_method claimed, uint64_t n,
                                          struct hypotheses *hypotheses)
{
    return is_one_loop(method) ? OK : append_faults(method, claimed, n, hypotheses);
}

static enum status append_faults_of_others(const struct method *method, struct claimed_method claimed, uint64_t n,
                                           struct hypotheses *hypotheses)
{
    size_t count;
    const struct fault *table = fault_table(&count);
    (void)n;
    for (size_t i = 0; i < count; i++)
        if (!is_plain(method) && table[i].applies(method) && fault_is_from_outside(&table[i]))
            TRY(append_fault(method, claimed, &table[i], hypotheses));
    return OK;
}

static enum status append_parts(const struct method *method, struct claimed_method claimed, uint64_t n,
                                struct hypotheses *hypotheses)
{
    static const uint64_t in[] = {2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256, 1000, 1024};
    if (!is_plain(method) && !is_one_loop(method))
        return OK;
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        for (int way = 0; way < 4; way++) {
            const struct part part = {in[i], way / 2, way % 2};
            if (in[i] <= n && !(part.by_count && n % in[i] == 0))
                TRY(hypotheses_append(
                    hypotheses, (struct hypothesis){
                                    .kind = PART_OF_DATA, .method = method, .launch = claimed.launch, .part = part}));
        }
    return OK;
}

/* Sums of as many elements as people make limits of, a warp or more; those that start from another trial's result. */
static enum status append_limits_and_starts(const struct method *method, struct claimed_method claimed, uint64_t n,
                                            struct hypotheses *hypotheses)
{
    static const uint64_t limits[] = {32,    64,    100,   128,   256,    512,    1000,   1024,   2048,    4096,   8192,
                                      10000, 16384, 32768, 65536, 100000, 131072, 262144, 524288, 1000000, 1048576};
    struct hypothesis hypothesis = {.kind = OTHER_DATA, .method = method, .launch = claimed.launch};
    if (!is_one_loop(method))
        return OK;
    for (size_t i = 0; i < sizeof limits / sizeof *limits && limits[i] < n; i++) {
        hypothesis.change = (struct change){OUT_BEYOND, limits[i], n - limits[i]};
        TRY(hypotheses_append(hypotheses, hypothesis));
    }
    hypothesis.change = (struct change){.kind = FROM_ANOTHER};
    return hypotheses_append(hypotheses, hypothesis);
}

static enum status append_trial_before(const struct method *method, struct claimed_method claimed, uint64_t n,
                                       struct hypotheses *hypotheses)
{
    (void)n;
    return hypotheses_append(hypotheses,
                             (struct hypothesis){.kind = TRIAL_BEFORE, .method = method, .launch = claimed.launch});
}

static enum status append_other_additions(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses)
{
    for (int f = 0; f < SUM_FORMATS; f++) {
        struct claimed_method other = claimed;
        other.method = sum_formats[f] == claimed.method->sum_format ? NULL : method_in(claimed.method, sum_formats[f]);
        if (other.method && has_formats_of(sum_formats[f], claimed.method))
            TRY(for_each_method(other, n, hypotheses, false, append_itself));
    }
    return OK;
}

/* Added as the method is said to add, in binary64, and in the format of its numbers, where that has 16 bits. */
static enum status append_chains(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses)
{
    const struct method *method = claimed.method;
    const struct format *const added[] = {method->sum_format->added, method->sum_format->stored, &FORMAT_BINARY64};
    const bool is_wide = added[0]->precision == FORMAT_BINARY64.precision;
    for (int f = 0; f < 3 - is_wide; f++)
        for (struct chains chains = {0};
             (f != 1 || added[1]->precision < FORMAT_BINARY32.precision) && chains_next(added[f], n, &chains);)
            TRY(hypotheses_append(
                hypotheses,
                (struct hypothesis){.kind = IN_CHAINS, .method = method, .launch = claimed.launch, .chains = chains}));
    return OK;
}

/* Of a dot product: those whose products are not rounded before they are added. */
static enum status append_other_terms(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses)
{
    static const char *const ids[] = {"dot_fma:plain/serial", "dot_exact:plain/serial"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids && claimed.method->operation == OPERATION_dot; i++) {
        struct claimed_method other = claimed;
        other.method = method_in(method_find(ids[i]), claimed.method->sum_format);
        if (other.method)
            TRY(for_each_method(other, n, hypotheses, false, append_itself));
    }
    return OK;
}

static enum status append_integers(struct claimed_method claimed, struct hypotheses *hypotheses)
{
    TRY(hypotheses_in_integers(claimed, hypotheses)); /* 32 bits with a sign among them */
    for (unsigned width = 8; width <= 32; width *= 2)
        for (int has_sign = 0; has_sign < 2 - (width == 32); has_sign++)
            TRY(hypotheses_append(hypotheses, (struct hypothesis){.kind = WRAPPED_AROUND,
                                                                  .method = claimed.method,
                                                                  .launch = claimed.launch,
                                                                  .type = {width, has_sign}}));
    return OK;
}

/* Likewise of a statistic of binary32: all in binary64, terms and formula too, and rounded once. */
static enum status append_wide(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses)
{
    const struct sum_format *in = claimed.method->sum_format;
    const bool may_be_wide = is_statistic(claimed.method->operation) && in == &sum_format_binary32;
    struct claimed_method wide = claimed;
    const size_t first = hypotheses->count;
    wide.method = may_be_wide ? method_in(claimed.method, &sum_format_binary32_to_binary64) : NULL;
    if (wide.method)
        TRY(for_each_method(wide, n, hypotheses, true, append_itself));
    for (size_t i = first; i < hypotheses->count; i++)
        hypotheses->list[i].result = claimed.method->format;
    return OK;
}

enum status hypotheses_of_black_box(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses)
{
    hypotheses->are_of_black_box = true;
    TRY(for_each_method(claimed, n, hypotheses, false, append_itself));
    TRY(append_wide(claimed, n, hypotheses));
    TRY(append_other_additions(claimed, n, hypotheses));
    TRY(append_other_terms(claimed, n, hypotheses));
    TRY(for_each_method(claimed, n, hypotheses, true, append_launches));
    if (is_statistic(claimed.method->operation) || is_scan(claimed.method->operation))
        return OK;
    TRY(append_chains(claimed, n, hypotheses));
    TRY(for_each_method(claimed, n, hypotheses, false, append_faults_in_loops));
    TRY(for_each_method(claimed, n, hypotheses, true, append_limits_and_starts));
    TRY(append_integers(claimed, hypotheses)); /* after those that cut the elements, where nothing wraps */
    TRY(for_each_method(claimed, n, hypotheses, false, append_faults_in_trees));
    TRY(for_each_method(claimed, n, hypotheses, false, append_parts));
    return for_each_method(claimed, n, hypotheses, false, append_trial_before);
}

enum status hypotheses_of_its_tree(struct claimed_method claimed, uint64_t n, struct hypotheses *hypotheses)
{
    const struct revealed *revealed;
    const struct tree_request request = {NULL, method_find(claimed.black_box), n, claimed.launch};
    if (!claimed.is_there || revealed_order(&request, &revealed) != OK)
        return OK; /* it has no tree, or failed, which it told */
    return hypotheses_append(hypotheses, (struct hypothesis){.kind = ITS_OWN_TREE,
                                                             .method = claimed.method,
                                                             .launch = claimed.launch,
                                                             .tree = &revealed->probe});
}

enum status hypotheses_far_from_black_box(struct claimed_method claimed, struct hypotheses *hypotheses)
{
    size_t count;
    const struct method *const *table = table_of(claimed.method, &count);
    const size_t changes = hypotheses->count;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < changes; c++) {
            struct hypothesis change = hypotheses->list[c];
            change.method = table[i];
            if (table[i] != claimed.method && may_be(table[i], claimed.launch) && is_plain(table[i]))
                TRY(hypotheses_append(hypotheses, change));
        }
    return for_each_method(claimed, 0, hypotheses, false, append_faults_of_others);
}
