#include "attacked.h"

#include "reports/verdict/verdict.h"

static bool is_worse(const struct series *series, const struct series *than)
{
    return !than || error_order(series->worst_ulp_error, than->worst_ulp_error) > 0;
}

static struct attacked_line line_of(const struct results *results, const char *method, const struct backend *backend)
{
    struct attacked_line line = {method, backend, outcome_of_nothing(), outcome_of_nothing(), NULL};
    for (size_t i = 0; i < results->series_count; i++) {
        const struct series *series = &results->series[i];
        if (strcmp(series->method, method) != 0 || series->backend != backend)
            continue;
        if (series_is_random(results, series))
            outcome_add(&line.random, series);
        if (!series_is_attacked(results, series))
            continue;
        outcome_add(&line.attacked, series);
        line.worst = is_worse(series, line.worst) ? series : line.worst;
    }
    return line;
}

void attacked_make(const struct results *results, struct attacked *attacked)
{
    *attacked = (struct attacked){0};
    for (size_t m = 0; m < results->study.method_count; m++)
        for (size_t b = 0; b < BACKENDS; b++) {
            const struct attacked_line line = line_of(results, results->study.methods[m].id, &backend_table[b]);
            if (line.random.count == 0 || line.attacked.count == 0)
                continue;
            attacked->lines = memory_resized(attacked->lines, (attacked->count + 1) * sizeof *attacked->lines);
            attacked->lines[attacked->count++] = line;
        }
}

void attacked_free(struct attacked *attacked)
{
    free(attacked->lines);
    *attacked = (struct attacked){0};
}

static void set_times(struct grid *grid, size_t column, double random, double attacked)
{
    const double times = attacked / random;
    grid_number(grid, column, isfinite(times) ? times : (double)NAN);
}

static void append_line(struct grid *grid, const struct attacked_line *line)
{
    const struct outcome *const outcomes[] = {&line->random, &line->attacked};
    char text[OUTCOME_TEXT];
    grid_add(grid, cell_text("%s", line->method), cell_text("%s", line->backend->id));
    for (size_t i = 0; i < 2; i++) {
        const enum tone of_error = outcome_cell(outcomes[i], text);
        grid_set(grid, 2 + i, of_error, "%s", text);
        const enum tone of_share = outcome_share(outcomes[i], text);
        grid_set(grid, 5 + i, of_share, "%s", text);
    }
    set_times(grid, 4, outcome_error(&line->random, METRIC_ulp_error),
              outcome_error(&line->attacked, METRIC_ulp_error));
    set_times(grid, 7, line->random.bound_ratio, line->attacked.bound_ratio);
    grid_set(grid, 8, TONE_PLAIN, "%s", line->worst->data);
}

struct grid attacked_grid(const struct attacked *attacked)
{
    struct grid grid = grid_headed(1, "method | by | > max ulp, random | > attacked | > times | > of its bound, random "
                                      "| > attacked | > times | worst of the attacked");
    for (size_t i = 0; i < attacked->count; i++)
        append_line(&grid, &attacked->lines[i]);
    return grid;
}

enum { LIMITS = 3 };

/* From the least up; a target in another metric stands last. */
static size_t limits_of(const struct target *target, struct target limits[LIMITS])
{
    static const struct target usual[] = {{"1ulp", METRIC_ulp_error, 1, NULL}, {"4ulp", METRIC_ulp_error, 4, NULL}};
    const bool has_target = target->text && !(target->metric == METRIC_ulp_error &&
                                              (target->limit == usual[0].limit || target->limit == usual[1].limit));
    size_t count = 0;
    for (size_t i = 0; i < 2; i++) {
        if (has_target && count == i && target->metric == METRIC_ulp_error && target->limit < usual[i].limit)
            limits[count++] = *target;
        limits[count++] = usual[i];
    }
    if (has_target && count == 2)
        limits[count++] = *target;
    return count;
}

/* Whether it says something: the first limit that random data keep and attacked data break. */
static bool append_sentence(struct text *text, const struct attacked_line *line, const struct target *limits,
                            size_t count)
{
    char within[LIMIT_TEXT], error[OUTCOME_TEXT];
    for (size_t i = 0; i < count; i++) {
        if (!level_is_within(&line->random, limits[i].metric, limits[i].limit) ||
            level_is_within(&line->attacked, limits[i].metric, limits[i].limit))
            continue;
        limit_text(&limits[i], within);
        outcome_cell(&line->attacked, error);
        const bool is_number = strspn(error, "0123456789") > 0;
        text_append(text, "%s: %s on random data alone; %s%s on %s\n", line->method, within, error,
                    is_number ? " ulp" : "", line->worst->data);
        return true;
    }
    return false;
}

char *attacked_sentences(const struct attacked *attacked, const struct target *target)
{
    struct target limits[LIMITS];
    struct text text = {0};
    bool has_some = false;
    const size_t count = limits_of(target, limits);
    for (size_t i = 0; i < attacked->count; i++)
        has_some |= append_sentence(&text, &attacked->lines[i], limits, count);
    if (!has_some && attacked->count > 0)
        text_append(&text, "no limit of 1 ulp, 4 ulp or the target is kept on random data alone\n");
    return text_take(&text);
}
