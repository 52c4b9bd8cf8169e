#include "explain.h"

#include "join_text.h"
#include "src/study/study.h"

#include <math.h>

static const char *id_of(const struct explanation *explanation, int m)
{
    return explanation->request.method[m]->id;
}

/* ---- the verdict ---- */

static void say_difference(const struct explanation *explanation, struct text *to)
{
    const struct two_sums *data = &explanation->data;
    if (!data->differ)
        text_append(to, "Both give the same bits.");
    else if (isfinite(data->difference_ulp) && data->difference_ulp != 0)
        text_append(to, "They differ by %s ulp of the exact sum.", error_text(fabs(data->difference_ulp)));
    else if (isfinite(data->sums[0]) && isfinite(data->sums[1]) && data->sums[0] != data->sums[1])
        text_append(to, "They differ by more than 1e308 ulp of the exact sum."); /* of 0 2^-1074 */
    else
        text_append(to, "Their bits differ%s.", data->sums[0] == data->sums[1] ? ", in the sign of zero" : "");
    if (data->differ && data->nearer >= 0)
        text_append(to, " %s is nearer to it.", id_of(explanation, data->nearer));
    else if (data->differ && isfinite(data->difference_ulp))
        text_append(to, " Neither is nearer to it.");
}

/* Nearer to the exact sum is not near it. */
static bool has_no_digit(const struct two_sums *data, int m)
{
    return data->judged[m].metrics[METRIC_relative_error] > 0.1;
}

static void say_digits(const struct explanation *explanation, struct text *to)
{
    const struct two_sums *data = &explanation->data;
    const bool none[2] = {has_no_digit(data, 0), has_no_digit(data, 1)};
    if (none[0] && none[1])
        text_append(to, data->differ ? " Neither has a correct digit." : " It has no correct digit.");
    else if (none[0] || none[1])
        text_append(to, " %s has no correct digit.", id_of(explanation, none[0] ? 0 : 1));
}

/* Written so that a NaN is no promise kept. */
static void say_bounds(const struct explanation *explanation, struct text *to)
{
    bool kept[2], promised[2];
    for (int m = 0; m < 2; m++) {
        const struct measured *judged = &explanation->data.judged[m];
        kept[m] = judged->metrics[METRIC_bound_ratio] <= 1;
        promised[m] = kept[m] || judged->metrics[METRIC_bound_ratio] > 1;
    }
    const bool no_digit = has_no_digit(&explanation->data, 0) && has_no_digit(&explanation->data, 1);
    if (kept[0] && kept[1]) {
        text_append(to, " %s%s%s.",
                    explanation->data.differ ? "Both are within their bounds" : "It is within the bounds of both",
                    no_digit ? ", which promise none on such data" : "",
                    explanation->data.differ ? ": neither is a bug" : "");
        return;
    }
    for (int m = 0; m < 2; m++)
        text_append(to, " %s %s.", id_of(explanation, m),
                    kept[m]       ? "is within its bound"
                    : promised[m] ? "breaks its bound: a bug in the code or in the theorem"
                    : isinf(explanation->data.judged[m].bound)
                        ? "has no bound for such a sum"
                        : "has no claim: its bound is above the sum of the magnitudes");
}

char *explain_verdict(const struct explanation *explanation)
{
    struct text text = {0};
    say_difference(explanation, &text);
    say_digits(explanation, &text);
    say_bounds(explanation, &text);
    return text_take(&text);
}

/* ---- the cause ---- */

const char *explain_class(const struct parting *parting)
{
    if (parting->same_tree)
        return !parting->same_accumulator ? "accumulator"
               : !parting->same_format    ? "format"
               : !parting->same_operation ? "products"
                                          : "merges";
    return parting->same_accumulator ? "order" : "both";
}

static void say_class(const struct explanation *explanation, struct text *to)
{
    const struct parting *parting = &explanation->data.parting;
    if (!parting->same_tree)
        text_append(to,
                    "They add in different trees: of the %" PRIu64 " sets of elements that %s joins, %s joins %" PRIu64
                    ", too. The accumulator is %s.",
                    parting->side[0].joins, id_of(explanation, 0), id_of(explanation, 1),
                    parting->side[0].same_elements, parting->same_accumulator ? "the same" : "another one as well");
    else if (!parting->same_accumulator)
        text_append(to, "They add in the same tree, with different accumulators.");
    else
        text_append(to, "They add in the same tree, with the same accumulator%s.",
                    explanation->data.differ && parting->same_format && parting->same_operation
                        ? ": where one adds an element, the other merges two states"
                        : "");
    for (int m = 0; m < 2 && !parting->same_format; m++) {
        const struct method *method = explanation->request.method[m];
        text_append(to, " %s adds in %s and returns %s.", method->id, method->sum_format->added->name,
                    method->format->name);
    }
    for (int m = 0; m < 2 && !parting->same_operation; m++)
        text_append(to, " %s adds %s.", id_of(explanation, m),
                    operation_table[explanation->request.method[m]->operation].claim);
}

/* All additions are worth the same to both, and what they return is not. */
static void say_last_rounding(const struct explanation *explanation, struct text *to)
{
    const struct additions *of = explanation->data.additions;
    char lost[2][NUMBER_TEXT];
    for (int m = 0; m < 2; m++)
        write_hex(of[m].last_rounding, lost[m]);
    text_append(to,
                " Every addition is worth the same to both, as far as %sbinary64 tells: they part in what they return "
                "of it, which is %s more for %s, %s more for %s.",
                of[0].rest && of[1].rest ? "two numbers of " : "", lost[0], id_of(explanation, 0), lost[1],
                id_of(explanation, 1));
}

char *explain_cause(const struct explanation *explanation)
{
    const struct two_sums *data = &explanation->data;
    struct text text = {0};
    say_class(explanation, &text);
    if (data->differ && data->parting.side[0].parted == 0 && data->parting.side[1].parted == 0)
        say_last_rounding(explanation, &text);
    for (int m = 0; m < 2; m++)
        if (explanation->request.method[m]->replay && explanation->request.method[m]->determinism == ORDER_OF_ARRIVAL)
            text_append(&text,
                        " %s has one of many orders here, in which its blocks arrive one after another; on a GPU it "
                        "may have another one each time.",
                        id_of(explanation, m));
    return text_take(&text);
}

char *explain_parted(const struct two_sums *two, int side, const struct parted_join *join)
{
    const struct additions *of = &two->additions[side], *other = &two->additions[1 - side];
    struct text text = {0};
    if (join->same != 0) {
        text_append(&text, "makes ");
        join_worth(other, join->same, &text);
        text_append(&text, " of the same elements");
    } else {
        text_append(&text, "adds ");
        join_elements(&of->tree, of->tree.joined[join->node - 1].left, &text);
        text_append(&text, " to ");
        join_elements(&other->tree, join->instead, &text);
        text_append(&text, " first");
    }
    return text_take(&text);
}

/* ---- the witness ---- */

/* Of plug-ins that list their lengths n - 1 may be none. */
static bool can_be_shorter(const struct explanation *explanation, const struct shrunken *witness)
{
    const struct method *const *methods = explanation->request.method;
    for (int m = 0; m < 2; m++)
        if (methods[m]->plugin && !plugin_takes(methods[m], witness->n - 1))
            return false;
    return true;
}

static void say_minimal(const struct explanation *explanation, const struct shrunken *witness, const char *what,
                        struct text *to)
{
    if (!can_be_shorter(explanation, witness)) {
        text_append(to, "; one less is none of the lengths that both methods take.");
        return;
    }
    text_append(to,
                witness->minimal ? "; without any one of %s both give the same bits."
                                 : "; whether each of %s is needed was not shown.",
                what);
}

static bool same_numbers(const struct shrunken *a, const struct shrunken *b)
{
    return a->n == b->n && memcmp(a->x, b->x, a->n * a->width * sizeof *a->x) == 0;
}

char *explain_shrinking(const struct explanation *explanation)
{
    const struct shrunken *subset = &explanation->subset, *witness = &explanation->witness;
    struct text text = {0};
    text_append(&text, "%" PRIu64 " of the %" PRIu64 " elements, added alone, still differ", subset->n,
                explanation->request.n);
    say_minimal(explanation, subset, "them", &text);
    if (witness->n < subset->n)
        text_append(&text, " With simpler numbers %" PRIu64 " are enough", witness->n);
    else
        text_append(&text, same_numbers(subset, witness) ? " Their numbers are as simple as they get"
                                                         : " So do simpler numbers in their places");
    say_minimal(explanation, witness, "these", &text);
    text_append(&text, " It took %" PRIu64 " pairs of sums.", explanation->evaluations);
    if (explanation->spent)
        text_append(&text, " That was all that --most-additions allows: more may find a shorter one.");
    return text_take(&text);
}

/* Where the method comes from; of two of one plug-in once. */
static void append_plugin(const struct explanation *explanation, int m, struct text *to)
{
    const struct method *const *methods = explanation->request.method;
    if (m == 0 || methods[0]->plugin != methods[1]->plugin)
        rerun_append_plugin(to, plugin_name(methods[m]->plugin));
}

char *explain_command(const struct explanation *explanation, const char *file)
{
    struct text text = {0}, spec = {0};
    data_spec_append_file(&spec, file);
    char *data = text_take(&spec);
    text_append(&text, "ulpscope explain %s %s", id_of(explanation, 0), id_of(explanation, 1));
    for (int m = 0; m < 2; m++)
        append_plugin(explanation, m, &text);
    text_append(&text, " --data ");
    text_append_shell_word(&text, data);
    free(data);
    if (explanation->request.format->precision != FORMAT_BINARY32.precision)
        text_append(&text, " --format %s", explanation->request.format->name);
    text_append(&text, " --blocks %u --threads %u", explanation->request.launch.blocks,
                explanation->request.launch.threads);
    return text_take(&text);
}
