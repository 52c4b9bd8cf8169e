#include "reports/speed_text.h"
#include "verdict_table.h"

/* More views are left to the table, where each has its lines. */
enum { VIEWS_TOLD = 4 };

/* ", 4.31..4.37 TB/s", ", 4 additions per number": what a method costs, if that is known. */
static void append_cost(const struct verdict *verdict, size_t view, size_t method, struct text *to)
{
    char text[SPEED_TEXT];
    const double additions = additions_of(verdict->methods[method]);
    speed_text(verdict_speed(verdict, view, method), text);
    if (verdict_is_on_gpu(verdict, view))
        text_append(to, ", %s", strcmp(text, "-") == 0 ? "not timed" : text);
    else if (!isnan(additions))
        text_append(to, ", %.3g addition%s per %s", additions, additions == 1 ? "" : "s", verdict_term(verdict));
}

static void append_choice(const struct verdict *verdict, size_t view, const struct verdict_choice *choice,
                          struct text *to)
{
    const size_t others = choice->count - 1;
    text_append(to, "%s%s", others == 0 ? "only " : "", verdict->methods[choice->cheapest]);
    append_cost(verdict, view, choice->cheapest, to);
    if (others > 0)
        text_append(to, "; %zu other%s", others, others == 1 ? " qualifies" : "s qualify");
    if (choice->alike > 0)
        text_append(to, ", %zu of them %s", choice->alike,
                    verdict_is_on_gpu(verdict, view) ? "equally fast" : "equal in all that is counted");
}

/* "all 101 sums", "all 350 sums of 5 data sets, each run 5 times", "1 sum alone" */
static void append_evidence(const struct verdict *verdict, struct text *to)
{
    uint64_t sums = 0, repeats = 1;
    for (size_t r = 0; r < verdict->row_count; r++)
        sums += verdict->rows[r].sums;
    for (size_t v = 0; v < verdict->view_count; v++)
        repeats = verdict->views[v].repeats > repeats ? verdict->views[v].repeats : repeats;
    text_append(to, "%s%" PRIu64 " %s%s%s", sums == 1 ? "" : "all ", sums, results_noun(verdict->results), plural(sums),
                sums == 1 ? " alone" : "");
    if (verdict->view_count == 1 && verdict->row_count > 1)
        text_append(to, " of %zu data sets", verdict->row_count);
    if (repeats > 1)
        text_append(to, ", each run %" PRIu64 " times", repeats);
}

/* "kahan/serial@binary64 (binary64), no method (bfloat16)" of several views, or the one method that all of them have.
 */
static void append_views(const struct verdict *verdict, size_t limit, bool proven, struct text *to)
{
    char name[VIEW_TEXT];
    size_t methods[VIEWS_TOLD] = {0}, same = 0;
    for (size_t v = 0; v < verdict->view_count; v++) {
        const struct verdict_overall *overall = verdict_overall(verdict, v, limit);
        const size_t method = proven ? overall->proven : overall->choice.cheapest;
        if (v < VIEWS_TOLD)
            methods[v] = method;
        same += method == methods[0];
    }
    if (same == verdict->view_count) {
        text_append(to, "%s", methods[0] == NO_METHOD ? "no method" : verdict->methods[methods[0]]);
        return;
    }
    for (size_t v = 0; v < verdict->view_count && v < VIEWS_TOLD; v++) {
        verdict_view_name(verdict, v, name);
        text_append(to, "%s%s (%s)", v > 0 ? ", " : "",
                    methods[v] == NO_METHOD ? "no method" : verdict->methods[methods[v]], name);
    }
    if (verdict->view_count > VIEWS_TOLD)
        text_append(to, "; %zu more are in the report", verdict->view_count - VIEWS_TOLD);
}

/* What was measured may be exceeded by the next sum, what is proven may not: a sentence of its own. */
static void append_proof(const struct verdict *verdict, size_t limit, const char *within, struct text *to)
{
    const struct verdict_overall *overall = verdict_overall(verdict, 0, limit);
    const struct target *of = &verdict->limits[limit];
    const size_t method = overall->choice.cheapest;
    double bound = -INFINITY;
    if (of->metric == METRIC_backward_error)
        return;
    if (verdict->view_count > 1) {
        text_append(to, "Proven %s: ", within);
        append_views(verdict, limit, true, to);
        text_append(to, ".\n");
        return;
    }
    for (size_t r = 0; r < verdict->row_count; r++) {
        const struct verdict_cell *cell = verdict_cell(verdict, r, method);
        if (!outcome_is_as_ieee(&cell->outcome)) /* where no error is defined */
            bound = isnan(bound) || isnan(verdict_bound(cell, of)) ? NAN : fmax(bound, verdict_bound(cell, of));
    }
    if (bound == -INFINITY) {
        text_append(to, "All are the NaN or infinity that IEEE 754 gives.\n");
        return;
    }
    if (isnan(bound))
        text_append(to, "Proven for it: nothing that holds for all of them");
    else if (isinf(bound)) /* an ulp of a sum that cancels is 2^-1074 */
        text_append(to, "Proven for it: a bound beyond the range of binary64");
    else
        text_append(to, "Proven for it: at most %s%s", error_text(bound),
                    of->metric == METRIC_ulp_error ? " ulp" : " as a relative error");
    if (overall->proven != method)
        text_append(to, "; %s by proof: %s", within,
                    overall->proven == NO_METHOD ? "no method" : verdict->methods[overall->proven]);
    text_append(to, ".\n");
}

/* The method whose largest error, as the limit counts it, is the least; NO_METHOD: none has one. */
static size_t least_wrong(const struct verdict *verdict, enum metric metric, double *error)
{
    size_t least = NO_METHOD;
    *error = INFINITY;
    for (size_t m = 0; m < verdict->method_count; m++) {
        double worst = 0;
        for (size_t r = 0; r < verdict->row_count; r++) {
            const struct verdict_cell *cell = verdict_cell(verdict, r, m);
            const double one = cell->complete ? outcome_error(&cell->outcome, metric) : NAN;
            worst = isnan(worst) || one <= worst ? worst : one;
        }
        if (worst < *error ||
            (worst == *error && (least == NO_METHOD || verdict_compare(verdict, 0, m, 0, least) < 0))) {
            least = m;
            *error = worst;
        }
    }
    return least;
}

static void append_closest(const struct verdict *verdict, size_t limit, struct text *to)
{
    const struct verdict_overall *overall = verdict_overall(verdict, 0, limit);
    const bool relative = verdict->limits[limit].metric == METRIC_relative_error;
    double error;
    const size_t least = least_wrong(verdict, verdict->limits[limit].metric, &error);
    if (overall->closest != NO_METHOD) {
        text_append(to, "; %s meets it for %zu of %zu data sets", verdict->methods[overall->closest],
                    overall->closest_rows, verdict->row_count);
    } else if (least != NO_METHOD) {
        text_append(to, "; closest is %s, with %sup to %s%s%s", verdict->methods[least],
                    relative ? "a relative error of " : "", error_text(error), relative ? "" : " ",
                    relative ? "" : limit_unit(&verdict->limits[0]));
    }
}

/* Where a variance may have no digit although it errs by no more than a rounded mean of squares. */
static bool is_ill_conditioned(const struct verdict *verdict, size_t row)
{
    return verdict->rows[row].condition >= ldexp(1, verdict->views[verdict->rows[row].view].result->precision);
}

/* The largest of a method on such data of a view, in u; NaN: there are none, or sums that are no numbers. */
static double backward_error_in(const struct verdict *verdict, size_t view, size_t method)
{
    double worst = -INFINITY;
    for (size_t r = 0; r < verdict->row_count; r++)
        if (verdict->rows[r].view == view && is_ill_conditioned(verdict, r)) {
            const double one = outcome_error(&verdict_cell(verdict, r, method)->outcome, METRIC_backward_error);
            worst = isnan(one) || one > worst ? one : worst;
        }
    return isinf(worst) ? NAN : worst;
}

/* The least and the largest errors of variances, or standard deviations, in the unit that says something there. */
static void append_backward(const struct verdict *verdict, size_t view, struct text *to)
{
    const bool is_root = strcmp(results_condition(verdict->results), "kappa") == 0;
    char name[VIEW_TEXT], error[NUMBER_TEXT];
    size_t least = NO_METHOD, most = NO_METHOD;
    for (size_t m = 0; m < verdict->method_count; m++) {
        const double one = backward_error_in(verdict, view, m);
        if (isnan(one))
            continue;
        least = least == NO_METHOD || one < backward_error_in(verdict, view, least) ? m : least;
        most = most == NO_METHOD || one > backward_error_in(verdict, view, most) ? m : most;
    }
    if (least == NO_METHOD)
        return;
    verdict_view_name(verdict, view, name);
    write_error(backward_error_in(verdict, view, least), error);
    text_append(
        to,
        "Where the condition is 1/u or more%s%s%s, relative to the %smean of squares: least wrong %s, by up to %s u",
        *name ? " (" : "", name, *name ? ")" : "", is_root ? "root of the " : "", verdict->methods[least], error);
    write_error(backward_error_in(verdict, view, most), error);
    if (most != least)
        text_append(to, "; most wrong %s, by up to %s u", verdict->methods[most], error);
    text_append(to, ".\n");
}

static bool is_met(const struct verdict *verdict, size_t limit)
{
    for (size_t v = 0; v < verdict->view_count; v++)
        if (verdict_overall(verdict, v, limit)->choice.cheapest != NO_METHOD)
            return true;
    return false;
}

/* The target, if there is one, else the tightest limit that some method meets, else the loosest. */
static size_t limit_of_verdict(const struct verdict *verdict)
{
    if (!verdict->target.text)
        return is_met(verdict, 0) ? 0 : 1;
    return verdict->limit_count == LIMITS_MOST ? LIMITS_MOST - 1 : verdict->target.limit == 1 ? 0 : 1;
}

char *verdict_sentences(const struct verdict *verdict)
{
    struct text text = {0};
    char within[LIMIT_TEXT];
    const size_t limit = limit_of_verdict(verdict);
    const bool met = is_met(verdict, limit);
    limit_text(&verdict->limits[limit], within);
    if (verdict->row_count == 0)
        return memory_copy("Nothing was measured.\n");
    text_append(&text, "%s%s on ", met ? "W" : "No method stays w", within + 1);
    append_evidence(verdict, &text);
    text_append(&text, met ? ": " : "");
    if (met && verdict->view_count > 1)
        append_views(verdict, limit, false, &text);
    else if (met)
        append_choice(verdict, 0, &verdict_overall(verdict, 0, limit)->choice, &text);
    else if (verdict->view_count == 1)
        append_closest(verdict, limit, &text);
    text_append(&text, ".\n");
    if (met)
        append_proof(verdict, limit, within, &text);
    for (size_t v = 0; v < verdict->view_count && results_condition(verdict->results); v++)
        append_backward(verdict, v, &text);
    const struct results *results = verdict->results;
    for (size_t i = 0; i < results->fact_count; i++)
        if (strcmp(results->facts[i].topic, "conversion") == 0)
            text_append(&text, "%s: %s.\n", results->facts[i].name, results->facts[i].value);
    return text_take(&text);
}

/* Those of the study that could be run. */
static size_t measured_methods(const struct results *results)
{
    size_t count = 0;
    for (size_t m = 0; m < results->study.method_count; m++)
        for (size_t i = 0; i < results->series_count; i++)
            if (strcmp(results->series[i].method, results->study.methods[m].id) == 0) {
                count++;
                break;
            }
    return count;
}

static bool said_before(const struct results *results, size_t index)
{
    const struct series *series = &results->series[index];
    for (size_t i = 0; i < index; i++)
        if (series->backend == results->series[i].backend && strcmp(series->device, results->series[i].device) == 0)
            return true;
    return false;
}

static void append_counts(const struct results *results, struct text *to)
{
    const struct study_record *study = &results->study;
    const size_t measured = measured_methods(results);
    uint64_t sums = 0;
    size_t specs = 0;
    for (size_t i = 0; i < results->series_count; i++)
        sums += results->series[i].count;
    for (size_t i = 0; i < study->entry_count; i++)
        specs += study->entries[i].spec_count;
    if (measured < study->method_count)
        text_append(to, "%zu of ", measured);
    text_append(to, "%zu method%s on %zu kind%s of data", study->method_count, plural(study->method_count),
                study->entry_count, plural(study->entry_count));
    if (specs != study->entry_count)
        text_append(to, ", %zu specs in all", specs);
    text_append(to, ": %" PRIu64 " %s%s", sums, results_noun(results), plural(sums));
}

char *run_sentence(const struct results *results)
{
    struct text text = {0};
    append_counts(results, &text);
    for (size_t i = 0; i < results->series_count; i++)
        if (!said_before(results, i)) {
            const bool plugin = results->series[i].backend == BACKEND_OF(plugin);
            text_append(&text, "%s%s%s%s", i == 0 ? ", by " : " and ",
                        plugin ? "plug-ins" : results->series[i].backend->id, plugin ? "" : " on ",
                        plugin ? "" : results->series[i].device);
        }
    text_append(&text, ", seed %" PRIu64 ". Each is compared with the exact sum s.", results->study.seed);
    return text_take(&text);
}
