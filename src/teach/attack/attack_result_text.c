/* The card: what was found, how the search came there, the fewest numbers, and how to run it again.
 */
#include "attack_result.h"

#include "reports/terminal.h"
#include "src/measure/operation.h"

#include <math.h>

enum { DIGITS = 17, BAR_WIDTH = 32 };

/* Takes the text. */
static void row(const struct terminal *terminal, const char *label, char *text)
{
    fprintf(terminal->file, "  %-10s %s\n", label, text);
    free(text);
}

/* ---- what was found ---- */

static void print_heading(const struct terminal *terminal, const struct attack_result *attacked)
{
    const struct attack_request *request = &attacked->request;
    OWNED char *value = attacked->find.has_crashed
                            ? text_made("it fails%s", attacked->repeats ? "" : ", but not each time")
                            : attack_words_value(request->climbs, attack_result_value(attacked));
    OWNED char *heading = text_made("%s: %s", request->method->id, value);
    terminal_bold(terminal, heading);
    fprintf(terminal->file, "%" PRIu64 " number%s of %s, %u x %u, %" PRIu64 " call%s, seed %" PRIu64 "\n", request->n,
            request->n == 1 ? "" : "s", attacked->find.format->name, request->launch.blocks, request->launch.threads,
            attacked->find.calls, attacked->find.calls == 1 ? "" : "s", request->seed);
}

static char *exact_words(const struct exact_sum *exact)
{
    OWNED char *hex = exact_hex(exact->sum),
               *decimal = exact->kind == EXACT_FINITE ? exact_decimal(exact->sum, DIGITS) : NULL;
    return decimal ? text_made("%s = %s", decimal, hex) : text_made("%s", hex);
}

static char *computed_words(const struct attack_result *attacked)
{
    const double computed = attacked->sum.judged.computed;
    return text_made("%s = %s%s", format_text(attacked->request.method->format, computed), hex_text(computed),
                     attacked->repeats ? "" : "; another sum than in the search");
}

static char *error_words(const struct method *method, const struct measured *judged)
{
    if (isnan(judged->metrics[METRIC_ulp_error]))
        return text_made("undefined, as the sum is not a number");
    OWNED char *ulps = attack_words_value(ATTACK_ULP, judged->metrics[METRIC_ulp_error]);
    const double relative = judged->metrics[METRIC_relative_error];
    return isnan(relative)
               ? text_made("%s", ulps)
               : text_made("%s, %s of the %s", ulps, error_text(relative), operation_noun(method->operation));
}

static char *bound_words(const struct attack_result_sum *sum)
{
    if (isnan(sum->judged.metrics[METRIC_bound_ratio]))
        return text_made(isinf(sum->judged.bound) ? "none claimed" : "no claim: it is above the sum of the magnitudes");
    OWNED char *bound = attack_words_value(ATTACK_ULP, sum->judged.bound / sum->exact.ulp);
    return text_made("%s, of which %s %% is attained", bound,
                     error_text(100 * sum->judged.metrics[METRIC_bound_ratio]));
}

static void print_sum(const struct terminal *terminal, const struct attack_result *attacked,
                      const struct attack_result_names *names)
{
    const struct attack_result_sum *sum = &attacked->sum;
    row(terminal, "numbers", attack_words_numbers(attacked->find.format, attacked->find.x, &sum->exact));
    row(terminal, "exact", exact_words(&sum->exact));
    if (!attacked->find.has_crashed) {
        row(terminal, "computed", computed_words(attacked));
        row(terminal, "error", error_words(attacked->request.method, &sum->judged));
        row(terminal, "bound", bound_words(sum));
    }
    row(terminal, "condition", text_made("%s", rounded_text(sum->exact.condition)));
    if (names->limit)
        row(terminal, "limit", text_made("%s, %s", names->limit, names->is_broken ? "broken" : "kept"));
}

/* ---- how the search came there ---- */

/* As long as the share; of errors in ulp, which have no end, as long as the logarithm. */
static double length_of(double value, double most, bool is_share)
{
    if (!(value > 0) || isinf(most))
        return isinf(value);
    return is_share ? value / most : log1p(value) / log1p(most);
}

static void print_bar(FILE *file, double share)
{
    const int length = (int)(BAR_WIDTH * share);
    for (int i = 0; i < BAR_WIDTH; i++)
        fputc(i < length ? '#' : ' ', file);
}

static void print_curve(const struct terminal *terminal, const struct attack_result *attacked)
{
    const struct attack_find *find = &attacked->find;
    const bool is_share = attacked->request.climbs == ATTACK_BOUND;
    if (find->step_count == 0 && !find->has_crashed) {
        fputs("\nNo numbers were found on which it errs.\n", terminal->file);
        return;
    }
    fprintf(terminal->file, "\n  %12s %10s\n", "calls", is_share ? "% of bound" : "ulp");
    for (size_t s = SIZE_MAX; attack_result_next_told(find, &s);) {
        const struct attack_step *step = &find->steps[s];
        fprintf(terminal->file, "  %12" PRIu64 " %10s  ", step->calls,
                rounded_text(is_share ? 100 * step->value : step->value));
        print_bar(terminal->file, length_of(step->value, is_share ? fmax(1, find->value) : find->value, is_share));
        fprintf(terminal->file, "  %s\n", step->by);
    }
}

/* ---- the fewest numbers, and the commands ---- */

static void print_witness(const struct terminal *terminal, const struct attack_result *attacked)
{
    const struct shrunken *witness = &attacked->witness;
    OWNED void *x = NULL;
    if (witness->n == 0 || shrunken_held(witness, attacked->find.format, 0, &x) != OK)
        return;
    OWNED char *sentence = attack_words_witness(attacked);
    fputc('\n', terminal->file);
    terminal_sentence(terminal, sentence);
    row(terminal, "numbers", attack_words_numbers(attacked->find.format, x, &attacked->core.exact));
}

static void print_commands(const struct terminal *terminal, const struct attack_result *attacked,
                           const struct attack_result_names *names)
{
    fputc('\n', terminal->file);
    row(terminal, "again", text_made("%s", names->command));
    if (names->data)
        row(terminal, "the sum", attack_result_rerun(attacked, names, names->data));
    if (names->witness && attacked->witness.n > 0)
        row(terminal, "witness", attack_result_rerun(attacked, names, names->witness));
}

void attack_result_print(const struct attack_result *attacked, const struct attack_result_names *names, FILE *to,
                         bool colour)
{
    const struct terminal terminal = terminal_of(to, colour);
    print_heading(&terminal, attacked);
    print_sum(&terminal, attacked, names);
    print_curve(&terminal, attacked);
    print_witness(&terminal, attacked);
    print_commands(&terminal, attacked, names);
}
