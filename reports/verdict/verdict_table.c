#include "verdict_table.h"

#include "reports/overview.h"
#include "reports/spec_labels.h"
#include "reports/speed_text.h"

/* ---- the names of rows ---- */

/* "cond=1e8,n=1Ki" of a spec among those of its entry. */
static void append_labels(const struct entry_record *entry, const char *data, struct text *to)
{
    char label[LABEL_TEXT];
    OWNED const char **specs = memory_cleared(entry->spec_count, sizeof *specs);
    size_t at = 0;
    for (size_t s = 0; s < entry->spec_count; s++) {
        specs[s] = entry->specs[s].text;
        at = strcmp(specs[s], data) == 0 ? s : at;
    }
    const struct spec_labels labels = spec_labels_of(specs, entry->spec_count);
    for (size_t c = 0; c < labels.columns; c++) {
        spec_label(&labels, c, at, label);
        text_append(to, "%s%s=%s", c == 0 ? " " : ",", labels.names[c], label);
    }
}

static char *short_label(const struct results *results, const struct verdict_row *row)
{
    struct text label = {0};
    text_append(&label, "%s", row->family);
    if (row->data)
        append_labels(&results->study.entries[row->entry], row->data, &label);
    return text_take(&label);
}

/* As the user wrote it, or the whole spec. */
static char *full_label(const struct results *results, const struct verdict_row *row)
{
    return memory_copy(row->data ? row->data : results->study.entries[row->entry].text);
}

static bool same_data(const struct verdict_row *a, const struct verdict_row *b)
{
    return a->entry == b->entry && (a->data == b->data || (a->data && b->data && strcmp(a->data, b->data) == 0));
}

static bool is_ambiguous(const struct verdict *verdict, char *const *labels, size_t row)
{
    for (size_t r = 0; r < verdict->row_count; r++)
        if (!same_data(&verdict->rows[r], &verdict->rows[row]) && strcmp(labels[r], labels[row]) == 0)
            return true;
    return false;
}

void verdict_labels_free(const struct verdict *verdict, char **labels)
{
    for (size_t r = 0; r < verdict->row_count; r++)
        free(labels[r]);
    free(labels);
}

/* Which are ambiguous is known only when all are there. */
char **verdict_labels(const struct results *results, const struct verdict *verdict)
{
    char **list = memory_cleared(verdict->row_count, sizeof *list);
    OWNED bool *ambiguous = memory_cleared(verdict->row_count, sizeof *ambiguous);
    for (size_t r = 0; r < verdict->row_count; r++)
        list[r] = short_label(results, &verdict->rows[r]);
    for (size_t r = 0; r < verdict->row_count; r++)
        ambiguous[r] = is_ambiguous(verdict, list, r);
    for (size_t r = 0; r < verdict->row_count; r++)
        if (ambiguous[r]) {
            free(list[r]);
            list[r] = full_label(results, &verdict->rows[r]);
        }
    return list;
}

/* ---- the names of views ---- */

static bool same_formats(const struct verdict_view *a, const struct verdict_view *b)
{
    return strcmp(a->stored->name, b->stored->name) == 0 && strcmp(a->result->name, b->result->name) == 0;
}

static bool views_have_formats(const struct verdict *verdict)
{
    bool vary = false;
    for (size_t v = 1; v < verdict->view_count; v++)
        vary = vary || !same_formats(&verdict->views[v], &verdict->views[0]);
    return vary;
}

/* "bfloat16", "bfloat16 to binary32"; "" where all are the same. */
static void formats_text(const struct verdict *verdict, size_t view, char text[VIEW_TEXT])
{
    const struct verdict_view *this = &verdict->views[view];
    const bool is_one = strcmp(this->stored->name, this->result->name) == 0;
    *text = '\0';
    if (views_have_formats(verdict))
        snprintf(text, VIEW_TEXT, "%s%s%s", this->stored->name, is_one ? "" : " to ", is_one ? "" : this->result->name);
}

void verdict_view_name(const struct verdict *verdict, size_t view, char text[VIEW_TEXT])
{
    const struct verdict_view *this = &verdict->views[view], *first = &verdict->views[0];
    bool backends = false, devices = false, launches = false;
    char launch[LAUNCH_TEXT], formats[VIEW_TEXT];
    formats_text(verdict, view, formats);
    for (size_t v = 1; v < verdict->view_count; v++) {
        const struct verdict_view *other = &verdict->views[v];
        backends = backends || other->backend != first->backend;
        devices = devices || (other->backend == first->backend && strcmp(other->device, first->device) != 0);
        launches = launches || !same_launch(other->launch, first->launch);
    }
    snprintf(launch, sizeof launch, "%u x %u", this->launch.blocks, this->launch.threads);
    const bool more = backends || devices || launches;
    snprintf(text, VIEW_TEXT, "%.48s%s%s%s%.64s%s%s", formats, *formats && more ? ", " : "",
             backends ? this->backend->id : "", backends && devices ? " on " : "", devices ? this->device : "",
             (backends || devices) && launches ? ", " : "", launches ? launch : "");
}

/* ---- the columns that name a row: data, by whom when there are several, condition ---- */

static size_t label_columns(const struct verdict *verdict)
{
    return verdict->view_count > 1 ? 3 : 2;
}

static void label_heads(const struct verdict *verdict, struct grid *grid)
{
    size_t column = 0;
    grid_head(grid, column++, true, "data");
    if (verdict->view_count > 1)
        grid_head(grid, column++, true, "measured by");
    grid_head(grid, column, false, "condition");
}

static void label_cells(const struct verdict *verdict, char *const *labels, size_t row, struct grid *grid)
{
    char view[VIEW_TEXT];
    size_t column = 0;
    grid_set(grid, column++, TONE_PLAIN, "%s", labels[row]);
    if (verdict->view_count > 1) {
        verdict_view_name(verdict, verdict->rows[row].view, view);
        grid_set(grid, column++, TONE_PLAIN, "%s", view);
    }
    grid_number(grid, column, verdict->rows[row].condition);
}

/* ---- which method may I use ---- */

bool verdict_has_speeds(const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->view_count * verdict->method_count; i++)
        if (verdict->speeds[i])
            return true;
    return false;
}

/* The method, and under it what it costs and how many others are as good: "4.31 TB/s, + 3", "4 per number". */
static void set_choice(const struct verdict *verdict, size_t row, size_t limit, struct grid *grid, size_t column)
{
    const struct verdict_choice *choice = verdict_choice(verdict, row, limit);
    struct text word = {0};
    if (choice->cheapest == NO_METHOD) {
        grid_set(grid, column, TONE_BAD, "none");
        return;
    }
    const size_t view = verdict->rows[row].view;
    const double additions = additions_of(verdict->methods[choice->cheapest]);
    char speed[SPEED_TEXT];
    speed_text(verdict_speed(verdict, view, choice->cheapest), speed);
    if (verdict_is_on_gpu(verdict, view))
        text_append(&word, "%s", speed);
    else if (!isnan(additions))
        text_append(&word, "%.3g per %s", additions, verdict_term(verdict));
    if (choice->alike > 0)
        text_append(&word, "%s+ %zu", word.length > 0 ? ", " : "", choice->alike);
    grid_set(grid, column, TONE_PLAIN, "%s", verdict->methods[choice->cheapest]);
    if (word.length > 0)
        grid_word(grid, column, word.text);
    free(word.text);
}

static void set_proven(const struct verdict *verdict, size_t row, size_t limit, struct grid *grid, size_t column)
{
    const size_t method = verdict_proven(verdict, row, limit);
    grid_set(grid, column, TONE_PLAIN, "%s", method == NO_METHOD ? "none" : verdict->methods[method]);
}

/* Of matrix products nothing is proven in the unit of their limits. */
static bool has_proofs(const struct target *limit)
{
    return limit->metric != METRIC_backward_error;
}

struct grid which_method_grid(const struct results *results, const struct verdict *verdict)
{
    const size_t labels = label_columns(verdict);
    size_t columns = labels + 1;
    for (size_t l = 0; l < verdict->limit_count; l++)
        columns += 1 + has_proofs(&verdict->limits[l]);
    struct grid grid = grid_of(columns, labels);
    char limit[LIMIT_TEXT + 16], **names = verdict_labels(results, verdict);
    grid_row(&grid);
    label_heads(verdict, &grid);
    snprintf(limit, sizeof limit, "%ss", results_noun(results));
    grid_head(&grid, labels, false, limit);
    size_t column = labels + 1;
    for (size_t l = 0; l < verdict->limit_count; l++) {
        limit_text(&verdict->limits[l], limit);
        grid_head(&grid, column++, true, limit);
        strcat(limit, ", by proof");
        if (has_proofs(&verdict->limits[l]))
            grid_head(&grid, column++, true, limit);
    }
    for (size_t r = 0; r < verdict->row_count; r++) {
        grid_row(&grid);
        label_cells(verdict, names, r, &grid);
        grid_count(&grid, labels, verdict->rows[r].sums);
        column = labels + 1;
        for (size_t l = 0; l < verdict->limit_count; l++) {
            set_choice(verdict, r, l, &grid, column++);
            if (has_proofs(&verdict->limits[l]))
                set_proven(verdict, r, l, &grid, column++);
        }
    }
    grid_alike(&grid, labels - 1);
    verdict_labels_free(verdict, names);
    return grid;
}

bool verdict_has_gpu(const struct verdict *verdict)
{
    for (size_t v = 0; v < verdict->view_count; v++)
        if (verdict_is_on_gpu(verdict, v))
            return true;
    return false;
}

void which_method_legend(const struct results *results, const struct verdict *verdict, char text[LEGEND_TEXT])
{
    const bool on_gpu = verdict_has_gpu(verdict);
    snprintf(text, LEGEND_TEXT,
             "The method whose worst sum stays within the limit, %s%s; under it: %s; \"+ 3\": three others are %s.",
             verdict->unit == METRIC_backward_error ? "" : "as measured and by proof, ",
             on_gpu ? "and that is the fastest" : "with the fewest additions, then the least error",
             on_gpu ? speed_legend(results) : "the additions",
             on_gpu ? "equally fast, since the spreads overlap" : "equal in all that is counted");
}

/* ---- methods x data ---- */

void verdict_set_level(const struct verdict *verdict, const struct outcome *outcome, struct grid *grid, size_t column)
{
    const double error = outcome_error(outcome, verdict->unit);
    char word[OUTCOME_TEXT];
    const enum tone tone = level_of(outcome, &verdict->target, word);
    if (error > 0 && error <= 4)
        grid_set(grid, column, tone, "%s %s", error_text(error), limit_unit(&verdict->limits[0]));
    else
        grid_set(grid, column, tone, "%s", word);
    if (error > 0 && error <= 4)
        grid_value(grid, column, error);
}
