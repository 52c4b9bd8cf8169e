#include "verdict_text.h"

#include "reports/speed_text.h"
#include "src/base/number.h"
#include "src/base/text.h"
#include "verdict_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* More views are left to the table, where each has its lines. */
enum { VIEWS_TOLD = 4 };

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* ", 0.24..0.26 ns per element", ", 4.31..4.37 TB/s" */
static void append_speed(struct text *to, const struct speed *speed, bool in_full)
{
    char text[SPEED_TEXT];
    speed_text(speed, text);
    if (speed)
        text_append(to, ", %s%s", text, in_full && !speed->backend->runs_kernels ? " per element" : "");
}

static void append_choice(const struct verdict *verdict, size_t view, const struct verdict_choice *choice,
                          const char *by, struct text *to)
{
    const struct speed *speed = verdict_speed(verdict, view, choice->cheapest);
    text_append(to, "%s%s", choice->count == 1 ? "only " : "", verdict->methods[choice->cheapest]);
    if (choice->count > 1 && !speed)
        text_append(to, " and %zu other%s; none of them was timed", choice->count - 1, plural(choice->count - 1));
    else if (choice->count > 1)
        text_append(to, " is the cheapest");
    append_speed(to, speed, true);
    if (*by)
        text_append(to, " (%s)", by);
    if (choice->count > 1 && speed) {
        text_append(to, "; %zu other%s", choice->count - 1, choice->count == 2 ? " qualifies" : "s qualify");
        if (choice->alike > 0)
            text_append(to, ", %zu of them equally fast", choice->alike);
        if (choice->next != NO_METHOD) {
            text_append(to, "; %s is next", verdict->methods[choice->next]);
            append_speed(to, verdict_speed(verdict, view, choice->next), false);
        }
    }
}

/* What was measured may be exceeded by the next sum, what is proven may not. */
static void append_evidence(const struct verdict *verdict, size_t view, size_t limit, size_t method, struct text *to)
{
    uint64_t sums = 0, least = UINT64_MAX, most = 0;
    double bound = -INFINITY;
    const char *data = NULL;
    const size_t rows = verdict_rows_of(verdict, view);
    for (size_t r = 0; r < verdict->row_count; r++) {
        const struct verdict_cell *cell = verdict_cell(verdict, r, method);
        if (verdict->rows[r].view != view)
            continue;
        const double of_row = verdict_bound(cell, &verdict->limits[limit]);
        sums += cell->outcome.count;
        least = cell->outcome.count < least ? cell->outcome.count : least;
        most = cell->outcome.count > most ? cell->outcome.count : most;
        if (!outcome_is_as_ieee(&cell->outcome)) /* where no error is defined */
            bound = isnan(bound) || isnan(of_row) ? NAN : fmax(bound, of_row);
        data = verdict->rows[r].family;
    }
    text_append(to, ". Measured on %" PRIu64 " %s%s of ", sums, results_noun(verdict->results), plural(sums));
    if (rows == 1)
        text_append(to, "%s%s", data, sums == 1 ? " alone" : "");
    else if (least == most)
        text_append(to, "%zu data sets, %" PRIu64 " each", rows, least);
    else
        text_append(to, "%zu data sets, %" PRIu64 " to %" PRIu64 " each", rows, least, most);
    if (verdict->views[view].repeats > 1)
        text_append(to, ", every trial run %" PRIu64 " times", verdict->views[view].repeats);
    char number[NUMBER_TEXT];
    write_error(bound, number);
    if (bound < 0)
        text_append(to, "; all are the NaN or infinity that IEEE 754 gives");
    else if (isnan(bound))
        text_append(to, "; nothing is proven for all of them");
    else if (isinf(bound)) /* an ulp of a sum that cancels is 2^-1074 */
        text_append(to, "; the proven bound is beyond the range of binary64");
    else if (verdict->limits[limit].metric == METRIC_ulp_error)
        text_append(to, "; proven: at most %s ulp", number);
    else
        text_append(to, "; proven: a relative error of at most %s", number);
}

static void append_none(const struct verdict *verdict, size_t view, const struct verdict_overall *overall,
                        const char *limit, const char *by, struct text *to)
{
    text_append(to, "No method stays %s on %s", limit,
                overall->closest == NO_METHOD ? "any of these data" : "everything measured here");
    if (*by)
        text_append(to, " (%s)", by);
    if (overall->closest != NO_METHOD)
        text_append(to, "; %s meets it for %zu of %zu data sets", verdict->methods[overall->closest],
                    overall->closest_rows, verdict_rows_of(verdict, view));
}

/* By whom is said in the first sentence of a view. */
static void append_sentence(const struct verdict *verdict, size_t view, size_t limit, struct text *to)
{
    const struct verdict_overall *overall = verdict_overall(verdict, view, limit);
    char text[LIMIT_TEXT], by[VIEW_TEXT] = "";
    limit_text(&verdict->limits[limit], text);
    if (limit == 0 || verdict->view_count > 1)
        verdict_view_text(verdict, view, by);
    if (overall->choice.cheapest == NO_METHOD) {
        append_none(verdict, view, overall, text, by, to);
    } else {
        text_append(to, "W%s on everything measured here: ", text + 1);
        append_choice(verdict, view, &overall->choice, by, to);
        append_evidence(verdict, view, limit, overall->choice.cheapest, to);
    }
    text_append(to, ".\n");
}

char *verdict_sentences(const struct verdict *verdict)
{
    struct text text = {0};
    if (verdict->row_count == 0)
        text_append(&text, "Nothing was measured.\n");
    for (size_t v = 0; v < verdict->view_count && v < VIEWS_TOLD; v++)
        for (size_t l = 0; l < verdict->limit_count; l++)
            append_sentence(verdict, v, l, &text);
    if (verdict->view_count > VIEWS_TOLD)
        text_append(&text, "%zu more launches, backends and formats are in the table.\n",
                    verdict->view_count - VIEWS_TOLD);
    const struct results *results = verdict->results;
    for (size_t i = 0; i < results->fact_count; i++)
        if (strcmp(results->facts[i].topic, "conversion") == 0)
            text_append(&text, "%s: %s.\n", results->facts[i].name, results->facts[i].value);
    return text_take(&text);
}

/* ---- the run ---- */

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
        if (!said_before(results, i))
            text_append(&text, "%s%s on %s", i == 0 ? ", by " : " and ", results->series[i].backend->id,
                        results->series[i].device);
    text_append(&text, ", seed %" PRIu64 ". Each is held against the exact sum s.", results->study.seed);
    return text_take(&text);
}
