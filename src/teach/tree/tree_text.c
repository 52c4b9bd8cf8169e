/* A tree in words, for people. */
#include "tree_answer.h"

#include "src/base/clean_text.h"
#include "src/base/number.h"
#include "src/base/text.h"
#include "src/measure/metric.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

char *tree_answer_title(const struct tree_answer *answer)
{
    const struct tree_request *request = &answer->request;
    OWNED char *data = answer->data ? clean_text(answer->data) : NULL;
    OWNED char *words = tree_request_words(request);
    return text_made("%s%s%s", words, data ? ", on " : "", data ? data : "");
}

/* ---- the tree ---- */

static void write_height(const struct tree_answer *answer, FILE *to)
{
    const struct tree_summary *summary = &answer->summary;
    const char letter = answer->tree->letter;
    fprintf(to, "height      %" PRIu64, summary->height);
    if (summary->n > 1)
        fprintf(to, ": on the longest path, that of %c%" PRIu64 ", with 0 + %c%" PRIu64, letter, summary->deepest,
                letter, summary->deepest);
    fputc('\n', to);
}

static void write_joins(const struct tree_answer *answer, FILE *to)
{
    const struct tree_summary *summary = &answer->summary;
    fprintf(to, "joins       %" PRIu64 ": %" PRIu64 " add%s an element to a sum, %" PRIu64 " merge%s two sums\n",
            summary->additions + summary->merges, summary->additions, summary->additions == 1 ? "s" : "",
            summary->merges, summary->merges == 1 ? "s" : "");
}

static void write_determinism(const struct tree_answer *answer, FILE *to)
{
    if (sum_tree_is_one_of_many(&answer->request))
        fputs("one of many on a GPU, whose blocks arrive as they come; here they arrive in order\n", to);
}

/* ---- the sum ---- */

static void write_number(const char *name, double value, FILE *to)
{
    char hex[NUMBER_TEXT];
    write_hex(value, hex);
    if (isfinite(value))
        fprintf(to, "%-11s %-16s %s\n", name, hex, plainly_text(value));
    else
        fprintf(to, "%-11s %s\n", name, hex);
}

static void write_ulp_error(const struct tree_answer *answer, FILE *to)
{
    const struct judged judged = {.exact = answer->exact,
                                  .format = answer->additions->method->format,
                                  .computed = answer->additions->computed,
                                  .bound = INFINITY};
    const double error = metric_table[METRIC_ulp_error].measure(&judged);
    if (isnan(error))
        fprintf(to, "ulp_error   -\n");
    else
        fprintf(to, "ulp_error   %s ulp\n",
                isinf(error) && isfinite(judged.computed) ? "more than 1e308" : error_text(error));
}

static void write_errors(const struct tree_answer *answer, FILE *to)
{
    const struct additions *of = answer->additions;
    if (of->total.kind != EXACT_FINITE) {
        fprintf(to, "errors      do not add up: not all sums are finite\n");
        return;
    }
    char *all = exact_hex(of->total.sum);
    fprintf(to, "errors      %s in all%s; %" PRIu64 " join%s not exact", all,
            additions_add_up(of, answer->exact) ? ", which is computed - s" : "", of->inexact,
            of->inexact == 1 ? " is" : "s are");
    free(all);
    if (additions_of_products(of))
        fprintf(to, ", nor %s %" PRIu64 " product%s", of->inexact_products == 1 ? "is" : "are", of->inexact_products,
                of->inexact_products == 1 ? "" : "s");
    if (of->last_rounding != 0)
        fprintf(to, ", the last rounding is %s", hex_text(of->last_rounding));
    fputc('\n', to);
}

static void write_sum(const struct tree_answer *answer, FILE *to)
{
    write_number("computed", answer->additions->computed, to);
    write_number("nearest", answer->exact->nearest, to);
    char *s = exact_hex(answer->exact->sum);
    fprintf(to, "s           %s\n", s);
    free(s);
    write_ulp_error(answer, to);
    write_errors(answer, to);
}

void tree_write_notes(const struct tree_answer *answer, FILE *to)
{
    fputc('\n', to);
    write_height(answer, to);
    write_joins(answer, to);
    write_determinism(answer, to);
    if (answer->additions)
        write_sum(answer, to);
}

/* ---- the summary ---- */

static void write_pairs(const struct tree_answer *answer, FILE *to)
{
    const struct tree_summary *summary = &answer->summary;
    const char letter = answer->tree->letter;
    fprintf(to, "first       ");
    for (uint64_t i = 0; i < summary->pairs && i < TREE_PAIRS_NAMED; i++)
        fprintf(to, "%s%c%" PRIu64 " + %c%" PRIu64, i ? ", " : "", letter, summary->pair[i][0], letter,
                summary->pair[i][1]);
    if (summary->pairs > TREE_PAIRS_NAMED)
        fprintf(to, ", ...: %" PRIu64 " pairs", summary->pairs);
    fputc('\n', to);
}

/* u is of what is added: where the result is narrower, its rounding comes on top. */
static void write_bound(const struct tree_answer *answer, FILE *to)
{
    const uint64_t rounded = answer->summary.height - 1;
    const struct method *method = answer->request.method;
    const int precision = method->sum_format->added->precision;
    fprintf(to,
            "bound       (height - 1) u = %" PRIu64
            " x 2^-%d = %s of sum |%c|, to first order, for plain additions%s%s\n",
            rounded, precision, rounded_text(ldexp((double)rounded, -precision)), answer->tree->letter,
            method->format->precision < precision ? ", before rounding to " : "",
            method->format->precision < precision ? method->format->name : "");
}

void tree_write_summary(const struct tree_answer *answer, FILE *to)
{
    const struct tree_summary *summary = &answer->summary;
    char mean[NUMBER_TEXT];
    char *title = tree_answer_title(answer);
    fprintf(to, "%s\n\n", title);
    free(title);
    write_height(answer, to);
    if (summary->n > 1) {
        write_rounded(summary->mean_path, mean);
        fprintf(to, "paths       %" PRIu64 " to %" PRIu64 " additions long, %s in the mean\n", summary->shortest_path,
                summary->height, mean);
        write_joins(answer, to);
        write_pairs(answer, to);
        write_bound(answer, to);
    }
    write_determinism(answer, to);
    if (answer->additions)
        write_sum(answer, to);
}
