#include "verdict.h"

#include "reports/group.h"
#include "reports/speed_text.h"

/* Conditions that differ by less are one: the medians of random data of one kind. */
static const double SAME_CONDITION = 1.01;

const struct verdict_cell *verdict_cell(const struct verdict *verdict, size_t row, size_t method)
{
    return &verdict->cells[row * verdict->method_count + method];
}

const struct speed *verdict_speed(const struct verdict *verdict, size_t view, size_t method)
{
    return verdict->speeds[view * verdict->method_count + method];
}

bool verdict_is_on_gpu(const struct verdict *verdict, size_t view)
{
    return verdict->views[view].backend == BACKEND_OF(cuda);
}

const char *verdict_term(const struct verdict *verdict)
{
    return operation_table[verdict->results->study.methods[0].operation].vectors > 1 ? "product" : "number";
}

const struct verdict_standing *verdict_standing(const struct verdict *verdict, size_t view, size_t method)
{
    return &verdict->standings[view * verdict->method_count + method];
}

const struct verdict_choice *verdict_choice(const struct verdict *verdict, size_t row, size_t limit)
{
    return &verdict->choices[row * verdict->limit_count + limit];
}

const struct verdict_overall *verdict_overall(const struct verdict *verdict, size_t view, size_t limit)
{
    return &verdict->overall[view * verdict->limit_count + limit];
}

size_t verdict_proven(const struct verdict *verdict, size_t row, size_t limit)
{
    return verdict->proven[row * verdict->limit_count + limit];
}

double verdict_bound(const struct verdict_cell *cell, const struct target *limit)
{
    return limit->metric == METRIC_ulp_error        ? cell->ulp_bound
           : limit->metric == METRIC_relative_error ? cell->relative_bound
                                                    : NAN;
}

size_t verdict_rows_of(const struct verdict *verdict, size_t view)
{
    size_t count = 0;
    for (size_t r = 0; r < verdict->row_count; r++)
        count += verdict->rows[r].view == view;
    return count;
}

/* ---- the methods, the limits ---- */

static bool is_measured(const struct results *results, const char *method)
{
    for (size_t i = 0; i < results->series_count; i++)
        if (strcmp(results->series[i].method, method) == 0)
            return true;
    return false;
}

static void find_methods(const struct results *results, struct verdict *verdict)
{
    const struct study_record *study = &results->study;
    verdict->methods = memory_cleared(study->method_count, sizeof *verdict->methods);
    for (size_t m = 0; m < study->method_count; m++)
        if (is_measured(results, study->methods[m].id))
            verdict->methods[verdict->method_count++] = study->methods[m].id;
}

static void set_limits(const struct target *target, struct verdict *verdict)
{
    const struct results *results = verdict->results;
    const char *of_elements = results->series_count > 0 ? series_unit(&results->series[0]) : NULL;
    verdict->unit = of_elements ? METRIC_backward_error : METRIC_ulp_error;
    verdict->target = *target;
    verdict->limits[verdict->limit_count++] = (struct target){"1", verdict->unit, 1, of_elements};
    verdict->limits[verdict->limit_count++] = (struct target){"4", verdict->unit, 4, of_elements};
    if (!target->text || (target->metric == verdict->unit && (target->limit == 1 || target->limit == 4)))
        return;
    verdict->limits[verdict->limit_count++] = *target;
}

/* ---- the rows and their cells ---- */

static size_t view_of(const struct results *results, struct verdict *verdict, const struct group *group)
{
    const struct sum_format *formats = sum_format_of_method(group->methods[0]);
    const struct format *stored = formats ? formats->stored : group->format;
    for (size_t v = 0; v < verdict->view_count; v++) {
        const struct verdict_view *view = &verdict->views[v];
        if (same_launch(view->launch, group->launch) && view->backend == group->backend &&
            strcmp(view->device, group->device) == 0 && strcmp(view->stored->name, stored->name) == 0 &&
            strcmp(view->result->name, group->format->name) == 0)
            return v;
    }
    verdict->views[verdict->view_count] =
        (struct verdict_view){group->backend, group->device, group->launch,
                              stored,         group->format, series_repeats(results, group_any_series(group, 0))};
    return verdict->view_count++;
}

/* NaN, the condition of data that hold one, is like any other. */
static bool conditions_vary(const struct group *group)
{
    double least = INFINITY, most = 0;
    for (size_t d = 0; d < group->data_count; d++) {
        const double condition = group_any_series(group, d)->median_condition;
        least = fmin(least, condition);
        most = fmax(most, condition);
    }
    return most > SAME_CONDITION * least;
}

/* Of the method that has most: a plug-in is repeated where a replay beside it is not, and the same sum again is no
 * further one.  Of a trial that lacks repeats, the sum is there. */
static uint64_t most_sums(const struct results *results, const struct group *group, size_t data)
{
    uint64_t most = 0;
    for (size_t m = 0; m < group->method_count; m++) {
        const struct series *series = group_series(group, data, m);
        const uint64_t repeats = series ? series_repeats(results, series) : 1;
        const uint64_t sums = series ? (series->count + repeats - 1) / repeats : 0;
        most = sums > most ? sums : most;
    }
    return most;
}

static struct verdict_cell cell_of_nothing(void)
{
    return (struct verdict_cell){.outcome = outcome_of_nothing(), .ulp_bound = NAN, .relative_bound = NAN};
}

/* One that is lacking lacks for all. */
static double larger_or_nan(double bound, double other)
{
    return isnan(bound) || isnan(other) ? NAN : fmax(bound, other);
}

static void add_bounds(struct verdict_cell *cell, const struct series *series)
{
    const bool first = cell->outcome.count == 0;
    const uint64_t finite = series->count - series->right_nonfinite;    /* a NaN that is right has no error */
    const bool broken = series->statistics[METRIC_bound_ratio].max > 1; /* what exceeds its bound proves nothing */
    const bool proven = !broken && series->defined[METRIC_bound_ratio] >= finite;
    const bool relative = !broken && series->relatively_bound >= finite;
    const double ulp_bound = proven ? series->ulp_bound : NAN, relative_bound = relative ? series->relative_bound : NAN;
    cell->ulp_bound = first ? ulp_bound : larger_or_nan(cell->ulp_bound, ulp_bound);
    cell->relative_bound = first ? relative_bound : larger_or_nan(cell->relative_bound, relative_bound);
}

/* `method` of the group on its data from `first` to before `end`. */
static struct verdict_cell cell_of(const struct verdict *verdict, const struct group *group, size_t method,
                                   size_t first, size_t end)
{
    struct verdict_cell cell = cell_of_nothing();
    cell.complete = true;
    for (size_t d = first; d < end; d++) {
        const struct series *series = group_series(group, d, method);
        cell.complete =
            cell.complete && series &&
            series->count == most_sums(verdict->results, group, d) * series_repeats(verdict->results, series);
        if (!series || series->count == 0)
            continue;
        add_bounds(&cell, series);
        outcome_add(&cell.outcome, series);
    }
    cell.complete = cell.complete && cell.outcome.count > 0;
    return cell;
}

/* Of a method that has series, as those of a group have. */
static size_t place_of(const struct verdict *verdict, const char *method)
{
    size_t m = 0;
    while (m + 1 < verdict->method_count && strcmp(verdict->methods[m], method) != 0)
        m++;
    return m;
}

static const char *family_of(const struct results *results, const struct group *group)
{
    const struct entry_record *entry = &results->study.entries[group->entry];
    return entry->spec_count > 0 ? entry->specs[0].family : group->data[0];
}

/* Appends the row of the data from `first` to before `end`. */
static void add_row(const struct results *results, struct verdict *verdict, const struct group *group, size_t first,
                    size_t end)
{
    const size_t row = verdict->row_count++;
    verdict->rows[row] = (struct verdict_row){
        .entry = group->entry,
        .view = view_of(results, verdict, group),
        .data = end - first < group->data_count ? group->data[first] : NULL,
        .family = family_of(results, group),
        .condition = group_any_series(group, first)->median_condition,
    };
    for (size_t m = 0; m < verdict->method_count; m++)
        verdict->cells[row * verdict->method_count + m] = cell_of_nothing();
    for (size_t m = 0; m < group->method_count; m++)
        verdict->cells[row * verdict->method_count + place_of(verdict, group->methods[m])] =
            cell_of(verdict, group, m, first, end);
    for (size_t d = first; d < end; d++)
        verdict->rows[row].sums += most_sums(results, group, d);
}

static void more_rows(struct verdict *verdict, size_t more)
{
    const size_t rows = verdict->row_count + more;
    verdict->rows = memory_resized(verdict->rows, rows * sizeof *verdict->rows);
    verdict->views = memory_resized(verdict->views, rows * sizeof *verdict->views);
    verdict->cells = memory_resized(verdict->cells, rows * verdict->method_count * sizeof *verdict->cells);
}

static void add_group(const struct results *results, struct verdict *verdict, size_t first)
{
    FREED_BY(group_free) struct group group = {0};
    group_make(results, first, &group);
    more_rows(verdict, group.data_count);
    const bool apart = conditions_vary(&group);
    for (size_t d = 0; d < (apart ? group.data_count : 1); d++)
        add_row(results, verdict, &group, d, apart ? d + 1 : group.data_count);
}

/* ---- who may be used ---- */

static void find_speeds(const struct results *results, struct verdict *verdict)
{
    verdict->speeds = memory_cleared(verdict->view_count * verdict->method_count, sizeof *verdict->speeds);
    for (size_t v = 0; v < verdict->view_count; v++)
        for (size_t m = 0; m < verdict->method_count; m++) {
            const struct verdict_view *view = &verdict->views[v];
            verdict->speeds[v * verdict->method_count + m] =
                results_speed(results, verdict->methods[m], view->backend, view->launch);
        }
}

bool verdict_stays_within(const struct verdict *verdict, size_t row, size_t method, const struct target *limit)
{
    const struct verdict_cell *cell = verdict_cell(verdict, row, method);
    return cell->complete && level_is_within(&cell->outcome, limit->metric, limit->limit);
}

/* NaN is larger than all. */
static int compare_numbers(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) - isnan(b) : (a > b) - (a < b);
}

static int compare_standings(const struct verdict_standing *a, const struct verdict_standing *b)
{
    const int of_costs = compare_numbers(a->cost, b->cost), of_errors = compare_numbers(a->worst, b->worst);
    return of_costs ? of_costs : of_errors ? of_errors : compare_numbers(a->bound, b->bound);
}

int verdict_compare(const struct verdict *verdict, size_t view, size_t method, size_t other_view, size_t other)
{
    const int by_standing =
        compare_standings(verdict_standing(verdict, view, method), verdict_standing(verdict, other_view, other));
    return by_standing ? by_standing : strcmp(verdict->methods[method], verdict->methods[other]);
}

static bool are_alike(const struct verdict *verdict, size_t view, size_t method, size_t other)
{
    if (verdict_is_on_gpu(verdict, view))
        return speeds_overlap(verdict_speed(verdict, view, method), verdict_speed(verdict, view, other));
    return compare_standings(verdict_standing(verdict, view, method), verdict_standing(verdict, view, other)) == 0;
}

static struct verdict_choice choose_among(const struct verdict *verdict, size_t view, const bool *among)
{
    struct verdict_choice choice = {.cheapest = NO_METHOD};
    for (size_t m = 0; m < verdict->method_count; m++) {
        choice.count += among[m];
        if (among[m] && (choice.cheapest == NO_METHOD || verdict_compare(verdict, view, m, view, choice.cheapest) < 0))
            choice.cheapest = m;
    }
    for (size_t m = 0; m < verdict->method_count; m++)
        choice.alike += among[m] && m != choice.cheapest && are_alike(verdict, view, m, choice.cheapest);
    return choice;
}

/* Those of a view that were measured; of the rows of others nothing is known. */
static void find_standings(struct verdict *verdict)
{
    const size_t methods = verdict->method_count;
    verdict->standings = memory_cleared(verdict->view_count * methods, sizeof *verdict->standings);
    for (size_t i = 0; i < verdict->view_count * methods; i++) {
        const size_t view = i / methods, method = i % methods;
        const struct speed *speed = verdict->speeds[i];
        const double timed = speed ? speed->nanoseconds : NAN;
        const double cost = verdict_is_on_gpu(verdict, view) ? timed : additions_of(verdict->methods[method]);
        verdict->standings[i] = (struct verdict_standing){cost, 0, 0};
    }
    for (size_t i = 0; i < verdict->row_count * methods; i++) {
        const struct verdict_cell *cell = &verdict->cells[i];
        struct verdict_standing *standing =
            &verdict->standings[verdict->rows[i / methods].view * methods + i % methods];
        const double worst = cell->complete ? outcome_error(&cell->outcome, verdict->unit) : NAN;
        standing->worst = larger_or_nan(standing->worst, worst);
        standing->bound = larger_or_nan(standing->bound, cell->ulp_bound);
    }
}

static struct verdict_choice choice_of_row(const struct verdict *verdict, size_t row, const struct target *limit,
                                           bool *among)
{
    for (size_t m = 0; m < verdict->method_count; m++)
        among[m] = verdict_stays_within(verdict, row, m, limit);
    return choose_among(verdict, verdict->rows[row].view, among);
}

/* Of a sum that is no number its bound proves nothing. */
static bool is_proven(const struct verdict *verdict, size_t row, size_t method, const struct target *limit)
{
    return verdict_stays_within(verdict, row, method, limit) &&
           verdict_bound(verdict_cell(verdict, row, method), limit) <= limit->limit;
}

static size_t proven_of_row(const struct verdict *verdict, size_t row, const struct target *limit, bool *among)
{
    for (size_t m = 0; m < verdict->method_count; m++)
        among[m] = is_proven(verdict, row, m, limit);
    return choose_among(verdict, verdict->rows[row].view, among).cheapest;
}

/* On all rows but those of which all is the NaN or infinity that IEEE 754 gives. */
static size_t proven_of_view(const struct verdict *verdict, size_t view, const struct target *limit, bool *among)
{
    for (size_t m = 0; m < verdict->method_count; m++) {
        among[m] = true;
        for (size_t r = 0; r < verdict->row_count && among[m]; r++)
            among[m] = verdict->rows[r].view != view || outcome_is_as_ieee(&verdict_cell(verdict, r, m)->outcome) ||
                       is_proven(verdict, r, m, limit);
    }
    return choose_among(verdict, view, among).cheapest;
}

size_t verdict_rows_within(const struct verdict *verdict, size_t view, size_t method, const struct target *limit)
{
    size_t count = 0;
    for (size_t r = 0; r < verdict->row_count; r++)
        count += verdict->rows[r].view == view && verdict_stays_within(verdict, r, method, limit);
    return count;
}

/* Those that stay within on the most rows, on how many. */
static size_t most_rows_within(const struct verdict *verdict, size_t view, const struct target *limit, bool *among)
{
    size_t most = 0;
    for (size_t m = 0; m < verdict->method_count; m++) {
        const size_t within = verdict_rows_within(verdict, view, m, limit);
        if (within > most)
            memset(among, 0, m * sizeof *among);
        most = within > most ? within : most;
        among[m] = within > 0 && within == most;
    }
    return most;
}

static struct verdict_overall overall_of(const struct verdict *verdict, size_t view, const struct target *limit,
                                         bool *among)
{
    const size_t proven = proven_of_view(verdict, view, limit, among);
    const size_t most = most_rows_within(verdict, view, limit, among);
    const struct verdict_choice choice = choose_among(verdict, view, among);
    if (most == verdict_rows_of(verdict, view))
        return (struct verdict_overall){choice, proven, choice.cheapest, most};
    return (struct verdict_overall){{.cheapest = NO_METHOD}, proven, choice.cheapest, most};
}

static void choose(struct verdict *verdict)
{
    OWNED bool *among = memory_cleared(verdict->method_count, sizeof *among);
    verdict->choices = memory_cleared(verdict->row_count * verdict->limit_count, sizeof *verdict->choices);
    verdict->overall = memory_cleared(verdict->view_count * verdict->limit_count, sizeof *verdict->overall);
    verdict->proven = memory_cleared(verdict->row_count * verdict->limit_count, sizeof *verdict->proven);
    for (size_t l = 0; l < verdict->limit_count; l++) {
        for (size_t r = 0; r < verdict->row_count; r++) {
            const size_t at = r * verdict->limit_count + l;
            verdict->choices[at] = choice_of_row(verdict, r, &verdict->limits[l], among);
            verdict->proven[at] = proven_of_row(verdict, r, &verdict->limits[l], among);
        }
        for (size_t v = 0; v < verdict->view_count; v++)
            verdict->overall[v * verdict->limit_count + l] = overall_of(verdict, v, &verdict->limits[l], among);
    }
}

/* ---- the whole ---- */

/* Replays beside kernels are there to compare bits: nobody chooses a method by them. */
static bool is_beside_kernels(const struct results *results, const struct series *series)
{
    bool kernels = false;
    for (size_t i = 0; i < results->series_count && !kernels; i++)
        kernels = results->series[i].backend == BACKEND_OF(cuda);
    return kernels && series->backend == BACKEND_OF(replay);
}

void verdict_make(const struct results *results, const struct target *target, struct verdict *verdict)
{
    *verdict = (struct verdict){.results = results};
    set_limits(target, verdict);
    find_methods(results, verdict);
    for (size_t i = 0; i < results->series_count; i++)
        if (!group_was_before(results, i) && !is_beside_kernels(results, &results->series[i]))
            add_group(results, verdict, i);
    find_speeds(results, verdict);
    find_standings(verdict);
    choose(verdict);
}

void verdict_free(struct verdict *verdict)
{
    free_all(verdict->methods, verdict->rows, verdict->views, verdict->cells, verdict->speeds, verdict->standings,
             verdict->choices, verdict->overall, verdict->proven);
    *verdict = (struct verdict){0};
}
