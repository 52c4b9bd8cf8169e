/* The table of tolerances, and the one for a test. */
#include "tolerance.h"

#include "datasets/attack/attack.h"

const char *const tolerance_kinds[] = {[TOLERANCE_THEOREM] = "theorem",
                                       [TOLERANCE_MODEL] = "probabilistic",
                                       [TOLERANCE_MEASURED] = "measured",
                                       [TOLERANCE_ATTACKED] = "attacked",
                                       [TOLERANCE_GIVEN] = "yours"};

enum { MARGIN = 4 }; /* what is measured and not proved is written so many times as large */

bool tolerance_passes(struct tolerance_pair pair, double computed, double expected)
{
    return fabs(computed - expected) <= pair.absolute + pair.relative * fabs(expected);
}

static const char *find_class(struct tolerance *tolerance)
{
    const struct tolerance_request *const request = tolerance->request;
    const struct tolerance_trials *const trials = &tolerance->trials;
    struct tolerance_class *const class = &tolerance->class;
    const double most = (double)request->n * pow(request->scale, request->operation == OPERATION_sum ? 1 : 2);
    if (request->n == 0 || trials->count == 0)
        return "there are no numbers";
    for (size_t i = 0; i < trials->count; i++) {
        if (!trials->items[i].is_finite)
            return is_statistic(request->operation) ? "a result is not defined, or the data are not finite"
                                                    : "the data are not finite";
        if (is_statistic(request->operation))
            class_add(class, &trials->items[i].moments, i == 0);
        class->sum_abs = fmax(class->sum_abs, trials->items[i].sum_abs);
        class->condition = fmax(class->condition, trials->items[i].condition);
    }
    if (!isnan(request->scale) && is_statistic(request->operation))
        class_of_scale(class, request->n, request->scale);
    else if (!isnan(request->scale))
        class->sum_abs = operation_table[request->operation].of == ROOT_OF_SQUARES ? sqrt(most) : most;
    class->sum_abs = two_digits_up(class->sum_abs); /* as it is printed: the class of the theorem */
    class->condition = two_digits_up(isnan(request->condition) ? class->condition : request->condition);
    return class->sum_abs == 0 ? "all numbers are 0" : NULL;
}

/* ---- theorems ---- */

/* Both are held of products: which of them a compiler makes of a loop nobody says. */
static struct theorem theorem_of(const struct tolerance_request *request, bool is_model)
{
    const enum operation terms = operation_table[request->operation].terms;
    const bool is_dot = terms == OPERATION_dot;
    return (struct theorem){
        .methods = {plain_in(request, terms, "serial"), is_dot ? plain_in(request, OPERATION_dot_fma, "serial") : NULL},
        .n = request->n,
        .launch = request->launch,
        .is_model = is_model};
}

/* That of the tree or method of --order; an order has its own height, and what its atomics lose. */
static struct theorem theorem_of_order(struct tolerance *tolerance, bool is_model, const char **why)
{
    const struct tolerance_request *const request = tolerance->request;
    struct theorem theorem = theorem_of(request, is_model);
    struct plain_tree tree = {0};
    *why = NULL;
    if (request->method) {
        theorem.methods[0] = request->method;
        theorem.methods[1] = NULL;
    } else if (!tree_word_tree(&request->tree, request->n, request->launch, request->formats->stored, &tree,
                               tolerance->refusal)) {
        *why = tolerance->refusal;
    } else if (request->tree.kind == TREE_OF_ORDER) {
        for (size_t m = 0; m < 2 && theorem.methods[m]; m++)
            theorem.methods[m] = plain_in(request, theorem.methods[m]->operation, request->tree.order);
    } else {
        theorem.height = tree.height;
    }
    tolerance->height = tree.height;
    return theorem;
}

struct tolerance_line *tolerance_add_line(struct tolerance *tolerance, enum tolerance_kind kind, char *name)
{
    tolerance->lines = memory_resized(tolerance->lines, (tolerance->line_count + 1) * sizeof *tolerance->lines);
    struct tolerance_line *const line = &tolerance->lines[tolerance->line_count++];
    *line = (struct tolerance_line){.kind = kind, .name = name};
    return line;
}

/* A model that says nothing has no line. */
static void add_theorem(struct tolerance *tolerance, const struct theorem *theorem, char *name, const char *why)
{
    struct tolerance_pair pair = {0};
    if (!why)
        theorem_pair(theorem, &tolerance->class, tolerance->is_relative, &pair, &why);
    if (theorem->is_model && why) {
        free(name);
        return;
    }
    struct tolerance_line *const line =
        tolerance_add_line(tolerance, theorem->is_model ? TOLERANCE_MODEL : TOLERANCE_THEOREM, name);
    line->pair = pair;
    line->no_claim = why;
    line->underflow = theorem_underflow(theorem);
}

static void add_theorems(struct tolerance *tolerance, bool is_model)
{
    const struct tolerance_request *const request = tolerance->request;
    const struct theorem any = theorem_of(request, is_model);
    const char *why;
    add_theorem(tolerance, &any, memory_copy("any order"), NULL);
    if (!request->order)
        return;
    const struct theorem own = theorem_of_order(tolerance, is_model, &why);
    const bool is_told = !why && tolerance->height > 0 && request->tree.kind != TREE_OF_HEIGHT;
    add_theorem(tolerance, &own,
                is_told ? text_made("%s, height %" PRIu64, request->order, tolerance->height)
                        : memory_copy(request->order),
                why);
}

/* ---- what was measured ---- */

/* The least that this form of tolerance may be where what was computed is to pass. */
static struct tolerance_pair pair_of(const struct tolerance *tolerance, const double *computed)
{
    struct tolerance_pair pair = {tolerance->is_relative ? 0 : tolerance->lines[0].pair.relative, 0};
    for (size_t i = 0; i < tolerance->trials.count; i++) {
        const double expected = fabs(tolerance->trials.items[i].expected);
        const double off = fabs(computed[i] - tolerance->trials.items[i].expected);
        const double least = off == 0                 ? 0
                             : tolerance->is_relative ? off / expected
                                                      : fmax(off - pair.relative * expected, 0);
        double *const part = tolerance->is_relative ? &pair.relative : &pair.absolute;
        *part = isnan(least) ? (double)INFINITY : fmax(*part, least);
    }
    return (struct tolerance_pair){two_digits_up(pair.relative), two_digits_up(pair.absolute)};
}

static void add_measured(struct tolerance *tolerance)
{
    const struct tolerance_trials *const trials = &tolerance->trials;
    for (size_t m = 0; m < trials->sum_count; m++) {
        struct tolerance_line *const line =
            tolerance_add_line(tolerance, TOLERANCE_MEASURED, memory_copy(trials->sums[m].method->id));
        line->pair = pair_of(tolerance, trials->sums[m].computed);
        line->no_claim = isfinite(line->pair.relative + line->pair.absolute) ? NULL : "some results are no numbers";
    }
}

static struct tolerance_pair times(struct tolerance_pair pair, double factor)
{
    return (struct tolerance_pair){two_digits_up(factor * pair.relative), two_digits_up(factor * pair.absolute)};
}

/* The share of its theorem that a search attains, of that theorem here. */
static enum status add_attacked(struct tolerance *tolerance)
{
    const struct tolerance_request *const request = tolerance->request;
    const bool is_own = request->method || request->tree.kind == TREE_OF_ORDER;
    const struct tolerance_line theorem = tolerance->lines[is_own ? 1 : 0];
    const struct method *const method =
        is_own ? tolerance->trials.sums[0].method : plain_in(request, OPERATION_sum, "serial");
    struct attack_find find;
    if (!request->has_attack)
        return OK;
    TRY(attack_make(&(struct attack_request){.method = method,
                                             .launch = request->launch,
                                             .n = request->n,
                                             .seed = request->seed,
                                             .calls = (uint64_t)fmin(1e5, 1 + 0x1p30 / (double)request->n),
                                             .until = INFINITY,
                                             .workers = request->workers},
                    &find));
    struct tolerance_line *const line =
        tolerance_add_line(tolerance, TOLERANCE_ATTACKED, text_made("%s, %.2f of its theorem", method->id, find.value));
    line->no_claim = theorem.no_claim;
    line->pair = times(theorem.pair, find.value);
    attack_free(&find);
    return OK;
}

/* ---- which one ---- */

/* Whether sums in the order asked for are among those of any order: neither of another accumulator, nor by atomics that
 * flush subnormals. */
static bool is_of_any_order(const struct tolerance *tolerance)
{
    const struct tolerance_line *const lines = tolerance->lines;
    return !tolerance->request->order || (strcmp(tolerance->trials.sums[0].method->accumulator, "plain") == 0 &&
                                          lines[1].underflow <= lines[0].underflow);
}

/* The place of the proof that is asked for, or of any order; without one of the largest of what was measured, and more;
 * SIZE_MAX: there is neither. */
static size_t place_of_best(struct tolerance *tolerance)
{
    const struct tolerance_line *largest = NULL, *proof = NULL;
    for (size_t i = is_of_any_order(tolerance) ? 0 : 1; i < tolerance->line_count; i++) {
        const struct tolerance_line *const line = &tolerance->lines[i];
        if (line->is_part)
            continue;
        if (!line->no_claim && line->kind == TOLERANCE_THEOREM)
            proof = line;
        if (!line->no_claim && line->kind == TOLERANCE_MEASURED &&
            (!largest || line->pair.relative + line->pair.absolute > largest->pair.relative + largest->pair.absolute))
            largest = line;
    }
    if (proof || !largest)
        return proof ? (size_t)(proof - tolerance->lines) : SIZE_MAX;
    const struct tolerance_pair pair = times(largest->pair, MARGIN);
    tolerance_add_line(tolerance, TOLERANCE_MEASURED, text_made("%d times the largest measured", MARGIN))->pair = pair;
    return tolerance->line_count - 1;
}

const char *tolerance_fate(const struct tolerance *tolerance, const struct tolerance_line *line, size_t fault)
{
    const struct tolerance_summed *const broken = &tolerance->trials.faults[fault];
    size_t same = 0;
    for (size_t i = 0; i < tolerance->trials.faulted; i++)
        same += broken->computed[i] == broken->sound->computed[i];
    return same == tolerance->trials.faulted                  ? "unseen"
           : line->passes[fault] == tolerance->trials.faulted ? "passes"
                                                              : "fails";
}

static void judge(const struct tolerance *tolerance, struct tolerance_line *line)
{
    const struct tolerance_trials *const trials = &tolerance->trials;
    line->passes = memory_cleared(trials->fault_count + 1, sizeof *line->passes);
    for (size_t i = 0; i < trials->count; i++) {
        line->zeros += tolerance_passes(line->pair, 0, trials->items[i].expected);
        line->refused += !tolerance_passes(line->pair, trials->sums[0].computed[i], trials->items[i].expected);
    }
    for (size_t f = 0; f < trials->fault_count; f++) {
        for (size_t i = 0; i < trials->faulted; i++)
            line->passes[f] += tolerance_passes(line->pair, trials->faults[f].computed[i], trials->items[i].expected);
        line->passing += strcmp(tolerance_fate(tolerance, line, f), "passes") == 0;
        line->seen += strcmp(tolerance_fate(tolerance, line, f), "unseen") != 0;
    }
}

/* Relative alone, unless what it then allows is more than twice what both parts do: of data whose condition varies the
 * worst condition makes it so.  Sums of integers cut off as much of small numbers as of large ones. */
static bool relative_is_fine(const struct tolerance *tolerance)
{
    const struct method *const method = tolerance->request->method;
    if (is_statistic(tolerance->request->operation)) /* whose classes have a size */
        return false;
    const struct theorem any = theorem_of(tolerance->request, false);
    struct tolerance_pair alone, both;
    const char *why;
    double mean = 0;
    for (size_t i = 0; i < tolerance->trials.count; i++)
        mean += fabs(tolerance->trials.items[i].expected) / (double)tolerance->trials.count;
    theorem_pair(&any, &tolerance->class, true, &alone, &why);
    theorem_pair(&any, &tolerance->class, false, &both, &why);
    return (!method || method->role != INTEGER_SUMS) && isfinite(tolerance->class.condition) &&
           alone.relative * mean <= 2 * (both.absolute + both.relative * mean);
}

enum status tolerance_make(struct tolerance_request *request, struct tolerance *tolerance)
{
    *tolerance = (struct tolerance){.request = request, .no_claim = request->absent};
    if (tolerance->no_claim)
        return OK;
    TRY(trials_make(request, &tolerance->trials));
    tolerance->no_claim = find_class(tolerance);
    if (tolerance->no_claim)
        return OK;
    tolerance->is_relative = relative_is_fine(tolerance);
    if (is_statistic(request->operation)) {
        add_statistic_theorems(tolerance);
    } else {
        add_theorems(tolerance, false);
        add_theorems(tolerance, true);
    }
    add_measured(tolerance);
    TRY(add_attacked(tolerance));
    const size_t place = place_of_best(tolerance);
    if (!isnan(request->given.relative))
        tolerance_add_line(tolerance, TOLERANCE_GIVEN, memory_copy("--rtol, --atol"))->pair = request->given;
    for (size_t i = 0; i < tolerance->line_count; i++)
        if (!tolerance->lines[i].no_claim)
            judge(tolerance, &tolerance->lines[i]);
    for (size_t i = 0; i < tolerance->trials.count; i++)
        tolerance->zeros += tolerance->trials.items[i].expected == 0;
    const struct tolerance_line *const best = place < SIZE_MAX ? &tolerance->lines[place] : NULL;
    const bool is_hollow = best && best->zeros == tolerance->trials.count && tolerance->zeros < tolerance->trials.count;
    tolerance->not_written = is_hollow && request->is_family
                                 ? "zeros pass on all of these data; name an algorithm or an --order, or take data "
                                   "that cancel less, fewer or larger ones"
                             : is_hollow ? "zeros pass on all of these data; name an --order, or take data that cancel "
                                           "less, fewer or larger ones"
                             : !best     ? "there is neither a proof nor a result that is a number"
                                         : NULL;
    tolerance->written = is_hollow ? NULL : best;
    return OK;
}

void tolerance_free(struct tolerance *tolerance)
{
    for (size_t i = 0; i < tolerance->line_count; i++) {
        free(tolerance->lines[i].name);
        free(tolerance->lines[i].passes);
    }
    free(tolerance->lines);
    trials_free(&tolerance->trials);
}

const char *const tolerance_paste_names[TOLERANCE_PASTES] = {"torch", "numpy", "googletest", "limits"};

/* The limits are relative to |s|, or to the sum of the magnitudes, of which a theorem is a share; but what products or
 * atomics lose to underflow is of neither, and no limit is written; nor of a statistic, whose class has a size. */
char *tolerance_paste(const struct tolerance *tolerance, size_t which)
{
    const struct tolerance_pair pair = tolerance->written->pair;
    const double share =
        tolerance->is_relative ? pair.relative : pair.relative + pair.absolute / tolerance->class.sum_abs;
    if (which < 2)
        return text_made("%s(actual, expected, rtol=%.1e, atol=%.1e)",
                         which == 0 ? "torch.testing.assert_close" : "numpy.testing.assert_allclose", pair.relative,
                         pair.absolute);
    if (which == 2)
        return text_made("EXPECT_NEAR(actual, expected, %.1e + %.1e * std::abs(expected));", pair.absolute,
                         pair.relative);
    if (tolerance->written->underflow > 0 || is_statistic(tolerance->request->operation))
        return NULL;
    return text_made("- {method: \"*\", data: \"*\", metric: %s_error, limit: %.1e%s}",
                     tolerance->is_relative ? "relative" : "backward", two_digits_up(share),
                     tolerance->is_relative ? "" : "abs");
}
