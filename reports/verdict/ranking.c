#include "reports/speed_text.h"
#include "verdict_table.h"

/* A method as it is ranked. */
struct ranked {
    const struct verdict *verdict;
    size_t view, method;
    double share, looser_share; /* of the data of its view, on which it stays within the limit, and within 4 ulp */
};

/* The target, where there is one; else 1 ulp. */
static const struct target *main_limit(const struct verdict *verdict)
{
    return verdict->target.text ? &verdict->target : &verdict->limits[0];
}

static bool was_measured(const struct verdict *verdict, size_t row, size_t method)
{
    return verdict_cell(verdict, row, method)->outcome.count > 0;
}

static int by_rank(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->share != b->share)
        return a->share > b->share ? -1 : 1;
    if (a->looser_share != b->looser_share)
        return a->looser_share > b->looser_share ? -1 : 1;
    const int by_standing = verdict_compare(a->verdict, a->view, a->method, b->view, b->method);
    return by_standing ? by_standing : a->view < b->view ? -1 : 1;
}

static bool is_in_view(const struct verdict *verdict, size_t view, size_t method)
{
    for (size_t r = 0; r < verdict->row_count; r++)
        if (verdict->rows[r].view == view && was_measured(verdict, r, method))
            return true;
    return false;
}

/* Allocated. */
static struct ranked *rank(const struct verdict *verdict, size_t *count)
{
    struct ranked *list = memory_cleared(verdict->view_count * verdict->method_count + 1, sizeof *list);
    *count = 0;
    for (size_t v = 0; v < verdict->view_count; v++)
        for (size_t m = 0; m < verdict->method_count; m++) {
            const double rows = (double)verdict_rows_of(verdict, v);
            if (!is_in_view(verdict, v, m))
                continue;
            list[*count] = (struct ranked){
                verdict,
                v,
                m,
                (double)verdict_rows_within(verdict, v, m, main_limit(verdict)) / rows,
                (double)verdict_rows_within(verdict, v, m, &verdict->limits[1]) / rows,
            };
            ++*count;
        }
    qsort(list, *count, sizeof *list, by_rank);
    return list;
}

/* All its sums in its view. */
static struct outcome outcome_of_all(const struct ranked *ranked)
{
    const struct verdict *verdict = ranked->verdict;
    struct outcome all = outcome_of_nothing();
    for (size_t r = 0; r < verdict->row_count; r++)
        if (verdict->rows[r].view == ranked->view)
            outcome_join(&all, &verdict_cell(verdict, r, ranked->method)->outcome);
    return all;
}

static size_t methods_within(const struct verdict *verdict, size_t row)
{
    size_t count = 0;
    for (size_t m = 0; m < verdict->method_count; m++)
        count += verdict_stays_within(verdict, row, m, main_limit(verdict));
    return count;
}

/* More methods manage it, or as many and its condition is less; a condition of NaN is beyond all. */
static bool is_easier(const struct verdict *verdict, size_t row, size_t than)
{
    const size_t managed = methods_within(verdict, row), others = methods_within(verdict, than);
    const double condition = verdict->rows[row].condition, other = verdict->rows[than].condition;
    return managed > others || (managed == others && (condition < other || (isnan(other) && !isnan(condition))));
}

/* The easiest row on which it breaks, and how many break it. */
static size_t first_broken(const struct ranked *ranked, size_t *count)
{
    const struct verdict *verdict = ranked->verdict;
    size_t first = 0;
    *count = 0;
    for (size_t r = 0; r < verdict->row_count; r++)
        if (verdict->rows[r].view == ranked->view && was_measured(verdict, r, ranked->method) &&
            !verdict_stays_within(verdict, r, ranked->method, main_limit(verdict))) {
            if (*count == 0 || is_easier(verdict, r, first))
                first = r;
            ++*count;
        }
    return first;
}

static void set_broken(const struct ranked *ranked, char *const *labels, struct grid *grid, size_t column)
{
    size_t count;
    char word[32];
    const size_t row = first_broken(ranked, &count);
    if (count == 0) {
        grid_set(grid, column, TONE_GOOD, "nowhere here");
        return;
    }
    grid_set(grid, column, TONE_PLAIN, "%s", labels[row]);
    snprintf(word, sizeof word, "+ %zu more", count - 1);
    if (count > 1)
        grid_word(grid, column, word);
}

static void ranked_row(const struct ranked *ranked, char *const *labels, struct grid *grid)
{
    const struct verdict *verdict = ranked->verdict;
    const size_t rows = verdict_rows_of(verdict, ranked->view);
    char view[VIEW_TEXT];
    size_t column = 0;
    grid_row(grid);
    grid_set(grid, column++, TONE_PLAIN, "%s", verdict->methods[ranked->method]);
    if (verdict->view_count > 1) {
        verdict_view_name(verdict, ranked->view, view);
        grid_set(grid, column++, TONE_PLAIN, "%s", view);
    }
    for (size_t l = 0; l < verdict->limit_count; l++) {
        const size_t within = verdict_rows_within(verdict, ranked->view, ranked->method, &verdict->limits[l]);
        grid_set(grid, column++, within == rows ? TONE_GOOD : TONE_PLAIN, "%zu of %zu", within, rows);
    }
    const struct outcome all = outcome_of_all(ranked);
    verdict_set_level(verdict, &all, grid, column++);
    grid_additions(grid, column++, verdict->methods[ranked->method]);
    if (verdict_has_speeds(verdict))
        grid_speed(grid, column++, verdict_speed(verdict, ranked->view, ranked->method));
    set_broken(ranked, labels, grid, column);
}

/* "1 ulp", "a relative error of 1e-6" */
static const char *without_within(const struct target *limit, char text[LIMIT_TEXT])
{
    limit_text(limit, text);
    return text + sizeof "within";
}

static void ranking_head(const struct verdict *verdict, struct grid *grid)
{
    char limit[LIMIT_TEXT];
    size_t column = 0;
    grid_row(grid);
    grid_head(grid, column++, true, "method");
    if (verdict->view_count > 1)
        grid_head(grid, column++, true, "measured by");
    for (size_t l = 0; l < verdict->limit_count; l++) {
        limit_text(&verdict->limits[l], limit);
        grid_head(grid, column++, false, limit);
    }
    grid_head(grid, column++, false, "worst sum");
    grid_head(grid, column++, false, "additions");
    if (verdict_has_speeds(verdict))
        grid_head(grid, column++, false, verdict_has_gpu(verdict) ? "speed" : "host time");
    grid_head(grid, column, true, "breaks first on");
}

struct grid ranking_grid(const struct results *results, const struct verdict *verdict)
{
    const size_t labels = verdict->view_count > 1 ? 2 : 1;
    struct grid grid = grid_of(labels + verdict->limit_count + 3 + verdict_has_speeds(verdict), labels);
    size_t count;
    OWNED struct ranked *list = rank(verdict, &count);
    char **names = verdict_labels(results, verdict);
    ranking_head(verdict, &grid);
    for (size_t i = 0; i < count; i++)
        ranked_row(&list[i], names, &grid);
    verdict_labels_free(verdict, names);
    return grid;
}

void ranking_legend(const struct results *results, const struct verdict *verdict, char text[RANKING_LEGEND])
{
    char limit[LIMIT_TEXT];
    const char *what = without_within(main_limit(verdict), limit);
    const bool on_gpu = verdict_has_gpu(verdict), timed = verdict_has_speeds(verdict);
    snprintf(text, RANKING_LEGEND,
             "Within: on how many of the data the worst sum stays within the limit; worst sum: its error, or the "
             "correct digits; additions: per %s, those of merges aside%s%s; breaks first on: of the data on which "
             "its error exceeds %s, those that most methods manage.",
             verdict_term(verdict),
             !timed   ? ""
             : on_gpu ? "; speed: "
                      : "; host time: of the replay, which says nothing of a GPU: ",
             timed ? speed_legend(results) : "", what);
}
