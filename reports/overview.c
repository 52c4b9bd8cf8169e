#include "overview.h"

#include "kernels/tree_bound.h"
#include "spec_labels.h"
#include "speed_text.h"

#include <ctype.h>

/* A group while its table is made. */
struct table {
    const struct results *results;
    const struct group *group;
    struct spec_labels labels;
    bool conditions;      /* the condition varies and has a column */
    bool distinct;        /* equal data gave different bits */
    const char *elements; /* as in struct outcome */
};

static double condition_of(const struct group *group, size_t data)
{
    return group_any_series(group, data)->median_condition;
}

static bool conditions_vary(const struct group *group)
{
    for (size_t d = 1; d < group->data_count; d++)
        if (strcmp(rounded_text(condition_of(group, 0)), rounded_text(condition_of(group, d))) != 0)
            return true;
    return false;
}

static struct table table_of(const struct results *results, const struct group *group)
{
    return (struct table){
        .results = results,
        .group = group,
        .labels = spec_labels_of(group->data, group->data_count),
        .conditions = conditions_vary(group),
        .distinct = group_bits_differ(group),
        .elements = series_unit(group_any_series(group, 0)),
    };
}

static size_t label_heads(const struct table *table, struct grid *grid)
{
    size_t column = 0;
    for (; column < table->labels.columns; column++)
        grid_head(grid, column, !table->labels.numbers[column], table->labels.names[column]);
    return column;
}

static size_t label_cells(const struct table *table, struct grid *grid, size_t data)
{
    char text[LABEL_TEXT];
    size_t column = 0;
    for (; column < table->labels.columns; column++) {
        spec_label(&table->labels, column, data, text);
        grid_set(grid, column, TONE_PLAIN, "%s", text);
    }
    return column;
}

/* ---- a sweep: a line per spec, a column per method ---- */

static struct outcome outcome_of_method(const struct group *group, size_t method)
{
    struct outcome outcome = outcome_of_nothing();
    for (size_t d = 0; d < group->data_count; d++)
        if (group_series(group, d, method))
            outcome_add(&outcome, group_series(group, d, method));
    return outcome;
}

static void outcome_footer(const struct table *table, struct grid *grid, const char *name,
                           enum tone (*say)(const struct outcome *outcome, char text[OUTCOME_TEXT]))
{
    char text[OUTCOME_TEXT];
    grid_footer(grid);
    grid_set(grid, 0, TONE_PLAIN, "%s", name);
    for (size_t m = 0; m < table->group->method_count; m++) {
        const struct outcome outcome = outcome_of_method(table->group, m);
        const enum tone tone = say(&outcome, text);
        grid_set(grid, grid->labels + m, tone, "%s", text);
    }
}

/* "overflow   3 of 350   0   0", for each trouble that some method has. */
static void trouble_footers(const struct table *table, struct grid *grid)
{
    const struct group *group = table->group;
    const struct outcome nothing = outcome_of_nothing();
    const char *name;
    uint64_t count;
    for (size_t kind = 0; (name = outcome_trouble(&nothing, kind, &count)); kind++) {
        uint64_t total = 0;
        for (size_t m = 0; m < group->method_count; m++) {
            const struct outcome outcome = outcome_of_method(group, m);
            outcome_trouble(&outcome, kind, &count);
            total += count;
        }
        if (total == 0)
            continue;
        grid_footer(grid);
        grid_set(grid, 0, TONE_PLAIN, "%s", name);
        for (size_t m = 0; m < group->method_count; m++) {
            const struct outcome outcome = outcome_of_method(group, m);
            outcome_trouble(&outcome, kind, &count);
            grid_set(grid, grid->labels + m, count > 0 ? TONE_BAD : TONE_PLAIN, "%" PRIu64 " of %" PRIu64, count,
                     outcome.count);
        }
    }
}

static enum tone distinct_text(const struct outcome *outcome, char text[OUTCOME_TEXT])
{
    snprintf(text, OUTCOME_TEXT, "%s%" PRIu64, outcome->distinct_bits > 1 ? "up to " : "", outcome->distinct_bits);
    return TONE_PLAIN;
}

static void sweep_head(const struct table *table, struct grid *grid)
{
    grid_row(grid);
    const size_t column = label_heads(table, grid);
    if (table->conditions)
        grid_head(grid, column, false, "condition");
    for (size_t m = 0; m < table->group->method_count; m++)
        grid_head(grid, grid->labels + m, false, table->group->methods[m]);
}

/* The largest error in ulp, or the word that says more. */
static void set_error(struct grid *grid, size_t column, const struct outcome *outcome)
{
    char text[OUTCOME_TEXT];
    const enum tone tone = outcome_cell(outcome, text);
    grid_set(grid, column, tone, "%s", text);
    if (isdigit((unsigned char)*text))
        grid_value(grid, column, outcome->ulp_error);
}

/* In the unit of elements, where their errors have no such word. */
static void set_error_of_sweep(struct grid *grid, size_t column, const struct outcome *outcome)
{
    if (outcome->elements && !outcome_trouble_word(outcome) && !outcome_is_exact(outcome))
        grid_error(grid, column, outcome->in_u);
    else
        set_error(grid, column, outcome);
}

static void sweep_row(const struct table *table, struct grid *grid, size_t data)
{
    grid_row(grid);
    const size_t column = label_cells(table, grid, data);
    if (table->conditions) {
        grid_set(grid, column, TONE_PLAIN, "%s", rounded_text(condition_of(table->group, data)));
        grid_value(grid, column, condition_of(table->group, data));
    }
    for (size_t m = 0; m < table->group->method_count; m++) {
        struct outcome outcome = outcome_of_nothing();
        if (group_series(table->group, data, m))
            outcome_add(&outcome, group_series(table->group, data, m));
        set_error_of_sweep(grid, grid->labels + m, &outcome);
    }
}

static struct grid sweep_grid(const struct table *table)
{
    const size_t labels = table->labels.columns + table->conditions;
    struct grid grid = grid_of(labels + table->group->method_count, labels);
    sweep_head(table, &grid);
    for (size_t d = 0; d < table->group->data_count; d++)
        sweep_row(table, &grid, d);
    if (table->conditions)
        grid_alike(&grid, labels - 1);
    trouble_footers(table, &grid);
    if (table->distinct)
        outcome_footer(table, &grid, "distinct bits", distinct_text);
    if (table->elements)
        outcome_footer(table, &grid, "max ulp", outcome_cell);
    outcome_footer(table, &grid, "of bound", outcome_share);
    outcome_footer(table, &grid, "worst result", outcome_verdict);
    return grid;
}

/* ---- the same for many methods: a line per method, a column per spec, the footer's lines at the end ---- */

/* "cond=1e2", or the name of a footer's line. */
static char *turned_head(const struct table *table, const struct grid *sweep, size_t row)
{
    const struct spec_labels *labels = &table->labels;
    struct text head = {0};
    if (row >= sweep->footer)
        text_append(&head, "%s", grid_text(sweep, row, 0));
    for (size_t c = 0; row < sweep->footer && c < labels->columns; c++) {
        const bool is_spec = strcmp(labels->names[c], "data") == 0;
        text_append(&head, "%s%s%s%s", c > 0 ? "," : "", is_spec ? "" : labels->names[c], is_spec ? "" : "=",
                    grid_text(sweep, row, c));
    }
    return text_take(&head);
}

/* The condition, where it varies, is the first line. */
static struct grid turned_grid(const struct table *table)
{
    FREED_BY(grid_free) struct grid sweep = sweep_grid(table);
    OWNED struct cell *heads = memory_cleared(sweep.rows, sizeof *heads);
    for (size_t r = 0; r < sweep.rows; r++) {
        heads[r].text = r == 0 ? memory_copy("method") : turned_head(table, &sweep, r);
        heads[r].left = r == 0 || r + 1 == sweep.rows;
    }
    struct grid grid = grid_turned(&sweep, table->labels.columns, heads);
    for (size_t r = 0; r < sweep.rows; r++)
        free(heads[r].text);
    return grid;
}

/* ---- otherwise: a line per series ---- */

/* "no digit: 3 of 100" */
static void set_verdict(struct grid *grid, size_t column, const struct outcome *outcome)
{
    char text[OUTCOME_TEXT];
    const enum tone tone = outcome_verdict(outcome, text);
    const char *name;
    uint64_t count;
    for (size_t kind = 0; (name = outcome_trouble(outcome, kind, &count)); kind++)
        if (count > 0 && outcome->count > 1 && strcmp(name, text) == 0) {
            grid_set(grid, column, tone, "%s: %" PRIu64 " of %" PRIu64, text, count, outcome->count);
            return;
        }
    grid_set(grid, column, tone, "%s", text);
}

/* What a method costs: its speed on a GPU, else additions per number. */
static void set_cost(struct grid *grid, size_t column, const struct table *table, const char *method)
{
    const struct group *group = table->group;
    if (group->backend == BACKEND_OF(cuda))
        grid_speed(grid, column, results_speed(table->results, method, group->backend, group->launch));
    else
        grid_additions(grid, column, method);
}

static void series_row(const struct table *table, struct grid *grid, size_t data, const struct series *series)
{
    char text[OUTCOME_TEXT];
    struct outcome outcome = outcome_of_nothing();
    outcome_add(&outcome, series);
    grid_row(grid);
    size_t column = label_cells(table, grid, data);
    grid_set(grid, column++, TONE_PLAIN, "%s", series->method);
    if (table->conditions)
        grid_number(grid, column++, series->median_condition);
    if (table->elements)
        grid_number(grid, column++, series->statistics[METRIC_relative_error].mean);
    else
        grid_error(grid, column++, series->statistics[METRIC_ulp_error].p50);
    set_error(grid, column++, &outcome);
    grid_error(grid, column++, series->statistics[METRIC_relative_error].max);
    if (table->elements)
        grid_error(grid, column++, outcome.in_u);
    const enum tone tone = outcome_share(&outcome, text);
    grid_set(grid, column++, tone, "%s", text);
    set_cost(grid, column++, table, series->method);
    if (table->distinct)
        grid_count(grid, column++, series->distinct_bits);
    set_verdict(grid, column, &outcome);
}

static struct grid series_grid(const struct table *table)
{
    struct number {
        const char *head;
        int spare;
    };
    static const struct number of_sums[] = {
        {"median ulp", 2}, {"max ulp", 0}, {"max relative", 1}, {"of bound", 3}, {NULL, 0}};
    const struct number of_elements[] = {{"mean relative", 3}, {"max ulp", 0},  {"max relative", 2},
                                         {table->elements, 0}, {"of bound", 4}, {NULL, 0}};
    const struct number *numbers = table->elements ? of_elements : of_sums;
    const struct group *group = table->group;
    const size_t labels = table->labels.columns + 1;
    struct grid grid = grid_of(labels + table->conditions + table->distinct + (table->elements != NULL) + 6, labels);
    grid_row(&grid);
    size_t column = label_heads(table, &grid);
    grid_head(&grid, column++, true, "method");
    if (table->conditions)
        grid_head(&grid, column++, false, "condition");
    for (; numbers->head; numbers++) {
        grid_head(&grid, column, false, numbers->head);
        grid_spare(&grid, column++, numbers->spare);
    }
    grid_head(&grid, column, false, group->backend == BACKEND_OF(cuda) ? "speed" : "adds");
    grid_spare(&grid, column++, table->elements ? 1 : 4);
    if (table->distinct)
        grid_head(&grid, column++, false, "distinct bits");
    grid_head(&grid, column, true, "worst result");
    for (size_t d = 0; d < group->data_count; d++)
        for (size_t m = 0; m < group->method_count; m++)
            if (group_series(group, d, m))
                series_row(table, &grid, d, group_series(group, d, m));
    if (table->conditions)
        grid_alike(&grid, labels);
    return grid;
}

/* ---- around the tables ---- */

/* "largest error in ulp of 50 sums; condition 1.00; replay 120 x 256, seed 1" */
static char *context_of(const struct results *results, const struct table *table, bool sweep)
{
    const struct group *group = table->group;
    const char *text = results->study.entries[group->entry].text;
    char *context = NULL, sums[2 * NUMBER_TEXT], launch[LAUNCH_TEXT];
    const bool is_replay = group->backend == BACKEND_OF(replay);
    size_t length;
    uint64_t least, most;
    group_count_range(group, &least, &most);
    snprintf(sums, sizeof sums, least == most ? "%" PRIu64 : "%" PRIu64 " to %" PRIu64, least, most);
    snprintf(launch, sizeof launch, "%u x %u", group->launch.blocks, group->launch.threads);
    FILE *file = text_stream(&context, &length);
    if (sweep)
        fprintf(file, "largest error in %s of ", table->elements ? table->elements : "ulp");
    fprintf(file, "%s %s%s%s", sums, results_noun(results), most == 1 ? "" : "s",
            most > 1 && results->study.entries[group->entry].permuted ? ", permuted" : "");
    if (group->data_count == 1 && !strstr(text, ":n=") && !strstr(text, ",n="))
        fprintf(file, "; n %" PRIu64, group_any_series(group, 0)->n);
    if (!table->conditions)
        fprintf(file, "; condition %s", rounded_text(condition_of(group, 0)));
    if (group->backend == BACKEND_OF(plugin)) /* a launch is one of kernels */
        fprintf(file, "; plug-ins, seed %" PRIu64, results->study.seed);
    else
        fprintf(file, "; %s%s%s %s, seed %" PRIu64, group->backend->id, is_replay ? "" : " on ",
                is_replay ? "" : group->device, launch, results->study.seed);
    fclose(file);
    return context;
}

static void overview_make(const struct results *results, size_t first, struct overview *overview)
{
    struct group *group = &overview->group;
    group_make(results, first, group);
    const struct table table = table_of(results, group);
    const bool sweep = group->data_count > 1 && group->method_count > 1;
    overview->grid = !sweep                                 ? series_grid(&table)
                     : group->method_count > METHODS_ACROSS ? turned_grid(&table)
                                                            : sweep_grid(&table);
    overview->context = context_of(results, &table, sweep);
}

/* How many zeros would be within their bounds, and the first method whose bound claims nothing. */
static void make_legend(const struct results *results, struct overviews *overviews)
{
    uint64_t within = 0, bounded = 0;
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        char text[NO_CLAIM_SIZE];
        within += series->zeros_within;
        bounded += series->defined[METRIC_bound_ratio];
        if (series->no_claim > 0 && !overviews->no_claim)
            overviews->no_claim =
                text_made("no claim: %s",
                          tree_no_claim(series->operation, sum_format_of_method(series->method), series->n, text));
    }
    overviews->of_bound = within == 0 ? memory_copy("of bound: share of the proven bound")
                                      : text_made("of bound: share of the proven bound, which a result of 0 keeps on "
                                                  "%" PRIu64 " of %" PRIu64 " %ss",
                                                  within, bounded, results_noun(results));
}

void overviews_make(const struct results *results, struct overviews *overviews)
{
    *overviews = (struct overviews){.list = memory_cleared(results->series_count, sizeof *overviews->list)};
    make_legend(results, overviews);
    for (size_t i = 0; i < results->series_count; i++) {
        overviews->no_digit =
            overviews->no_digit || (results->series[i].histogram.no_digit > 0 && !results->series[i].map);
        overviews->elements = overviews->elements ? overviews->elements : series_unit(&results->series[i]);
        if (group_was_before(results, i))
            continue;
        overview_make(results, i, &overviews->list[overviews->count++]);
    }
}

void overviews_free(struct overviews *overviews)
{
    for (size_t i = 0; i < overviews->count; i++) {
        group_free(&overviews->list[i].group);
        free(overviews->list[i].context);
        grid_free(&overviews->list[i].grid);
    }
    free_all(overviews->list, overviews->of_bound, overviews->no_claim);
    *overviews = (struct overviews){0};
}

size_t overviews_legend(const struct overviews *overviews, const char *lines[LEGEND_MOST])
{
    size_t count = 0;
    if (overviews->count == 0)
        return 0;
    lines[count++] = "ulp: spacing at the exact sum, 0.50 is best";
    lines[count++] = overviews->of_bound;
    if (overviews->no_claim)
        lines[count++] = overviews->no_claim;
    if (overviews->elements)
        lines[count++] =
            strstr(overviews->elements, "|A|")
                ? "u |A||B|: error over the sum of the |a b| of its element, in u of the format"
            : strstr(overviews->elements, "S_j") ? "u S_j: error over the sum of the |x| up to it, in u of the format"
            : strstr(overviews->elements, "S_window")
                ? "u S_window: error over the sum of the |x| in it, in u; where numbers are taken off again, "
                  "no bound is in that"
            : strstr(overviews->elements, "|m|")
                ? "u (|x|+|m|): error over that of x and the mean of |x|, divided by root(v + eps), in u"
                : "u |y|: error over the exact element, in u of the format";
    if (overviews->no_digit)
        lines[count++] = "no digit: a relative error of 1 or more";
    return count;
}
