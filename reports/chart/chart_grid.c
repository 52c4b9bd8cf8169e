#include "chart.h"

#include "reports/canvas/canvas.h"
#include "reports/csv_field.h"
#include "src/files/output.h"

#include <ctype.h>

enum { CELL_TEXT = 512 };

/* What a row is about: a number on the axis of x, and a point that has it. */
struct key {
    double at;
    const struct chart_point *point;
};

struct table {
    const struct chart *chart;
    const char **names; /* of the marks that are in it */
    size_t name_count;
    struct key *keys; /* of the panels that share rows */
    size_t key_count;
    bool no_total, counts; /* the numbers are counts, which add up */
};

static bool is_tabulated(const struct chart_mark *mark)
{
    return !mark->off_the_table && mark->name && mark->kind != MARK_RULE_X && mark->kind != MARK_RULE_Y;
}

static void add_name(struct table *table, const char *name)
{
    for (size_t i = 0; i < table->name_count; i++)
        if (strcmp(table->names[i], name) == 0)
            return;
    table->names = memory_resized(table->names, (table->name_count + 1) * sizeof *table->names);
    table->names[table->name_count++] = name;
}

static void take_mark(struct table *table, const struct chart_mark *mark)
{
    if (!is_tabulated(mark))
        return;
    add_name(table, mark->name);
    table->counts &= mark->kind == MARK_BARS && mark->numbered;
    table->no_total |= mark->no_total;
}

static struct table table_of(const struct chart *chart)
{
    struct table table = {.chart = chart, .counts = true};
    const unsigned ranks = chart_ranks(chart);
    for (unsigned rank = 0; rank < ranks; rank++)
        for (size_t p = 0; p < chart->panel_count; p++)
            for (size_t m = 0; m < chart->panels[p]->mark_count; m++)
                if (chart->panels[p]->marks[m]->rank == rank)
                    take_mark(&table, chart->panels[p]->marks[m]);
    return table;
}

/* ---- keys ---- */

static int by_key(const void *one, const void *other)
{
    const double a = ((const struct key *)one)->at, b = ((const struct key *)other)->at;
    return (a > b) - (a < b);
}

static size_t points_of(const struct chart_panel *panel)
{
    size_t count = 0;
    for (size_t m = 0; m < panel->mark_count; m++)
        count += is_tabulated(panel->marks[m]) ? panel->marks[m]->point_count : 0;
    return count;
}

static void gather(struct table *table, const struct chart_panel *panel)
{
    for (size_t m = 0; m < panel->mark_count; m++) {
        const struct chart_mark *mark = panel->marks[m];
        for (size_t i = 0; is_tabulated(mark) && i < mark->point_count; i++)
            if (isfinite(mark->points[i].x))
                table->keys[table->key_count++] = (struct key){mark->points[i].x, &mark->points[i]};
    }
}

/* The different keys of some panels, from left to right; of equal ones, one with a label. */
static void find_keys(struct table *table, size_t first, size_t panels)
{
    size_t most = 0, kept = 0;
    for (size_t p = first; p < first + panels; p++)
        most += points_of(table->chart->panels[p]);
    free(table->keys);
    table->key_count = 0;
    table->keys = memory_cleared(most, sizeof *table->keys);
    for (size_t p = first; p < first + panels; p++)
        gather(table, table->chart->panels[p]);
    qsort(table->keys, table->key_count, sizeof *table->keys, by_key);
    for (size_t i = 0; i < table->key_count; i++)
        if (kept == 0 || table->keys[kept - 1].at != table->keys[i].at)
            table->keys[kept++] = table->keys[i];
        else if (!table->keys[kept - 1].point->label)
            table->keys[kept - 1] = table->keys[i];
    table->key_count = kept;
}

/* ---- texts ---- */

static bool is_number(const char *text)
{
    double value;
    return letters_are_power(text) || !read_real(text, &value);
}

/* The words of an axis for a place; NULL: it is a number, and stands as the others of its column, not as on the axis.
 */
static const char *words_of(const struct chart_axis *axis, double at)
{
    for (size_t i = 0; i < axis->tick_count; i++)
        if (axis->ticks[i].at == at && axis->ticks[i].text && !is_number(axis->ticks[i].text))
            return axis->ticks[i].text;
    return NULL;
}

/* Sizes in full, other numbers rounded: errors up. */
static const char *number_of(const struct chart_axis *axis, double value, bool in_full, char text[NUMBER_TEXT])
{
    const char *words = words_of(axis, value);
    if (words || isnan(value))
        return words ? words : "-";
    if (in_full && fabs(value) < 0x1p53 && value == trunc(value))
        snprintf(text, NUMBER_TEXT, "%.0f", value);
    else
        (axis->errors ? write_error : write_rounded)(value, text);
    return text;
}

static struct cell key_cell(const struct table *table, const struct key *key)
{
    char text[NUMBER_TEXT];
    return cell_text("%s", key->point->label ? key->point->label : number_of(&table->chart->x, key->at, true, text));
}

static void write_value(const struct table *table, const struct chart_mark *mark, const struct chart_point *point,
                        char text[CELL_TEXT])
{
    const struct chart_axis *axis = &table->chart->y;
    char low[NUMBER_TEXT], high[NUMBER_TEXT];
    const char *first = number_of(axis, point->y, table->counts, low);
    if (mark->kind == MARK_BAND)
        snprintf(text, CELL_TEXT, "%.240s to %.240s", first, number_of(axis, point->other, false, high));
    else
        snprintf(text, CELL_TEXT, "%s", first);
}

/* "max (ulp)" */
static void set_head(struct grid *grid, size_t column, bool left, const char *name, const struct chart_axis *axis)
{
    char text[CELL_TEXT];
    snprintf(text, CELL_TEXT, axis->unit ? "%.400s (%.80s)" : "%.480s", name ? name : "", axis->unit);
    grid_head(grid, column, left, text);
}

static void set_axis_head(struct grid *grid, size_t column, bool left, const struct chart_axis *axis)
{
    set_head(grid, column, left, axis->name ? axis->name : axis->label, axis);
}

/* ---- rows ---- */

/* The points of a name that have the key, one after the other; "-" when there are none. */
static void set_cell(struct grid *grid, size_t column, const struct table *table, const struct chart_panel *panel,
                     const char *name, double key)
{
    char text[CELL_TEXT] = "", value[CELL_TEXT];
    const struct chart_point *first = NULL;
    for (size_t m = 0; m < panel->mark_count; m++) {
        const struct chart_mark *mark = panel->marks[m];
        if (!is_tabulated(mark) || strcmp(mark->name, name) != 0)
            continue;
        for (size_t i = 0; i < mark->point_count; i++)
            if (mark->points[i].x == key) {
                write_value(table, mark, &mark->points[i], value);
                first = first ? first : &mark->points[i];
                if (strlen(text) + strlen(value) + 3 > sizeof text)
                    continue;
                strcat(text, *text ? ", " : "");
                strcat(text, value);
            }
    }
    grid_set(grid, column, TONE_PLAIN, "%s", *text ? text : "-");
    if (first && isdigit((unsigned char)*text))
        grid_value(grid, column, first->y);
}

static double sum_of(const struct chart_panel *panel)
{
    double sum = 0;
    for (size_t m = 0; m < panel->mark_count; m++)
        for (size_t i = 0; is_tabulated(panel->marks[m]) && i < panel->marks[m]->point_count; i++)
            sum += panel->marks[m]->points[i].y;
    return sum;
}

static struct grid grid_by_panel(struct table *table)
{
    const struct chart *chart = table->chart;
    struct grid grid = grid_of(1 + chart->panel_count, 1);
    find_keys(table, 0, chart->panel_count);
    grid_row(&grid);
    set_axis_head(&grid, 0, true, &chart->x);
    for (size_t p = 0; p < chart->panel_count; p++) {
        const char *title = chart->panels[p]->title;
        set_head(&grid, 1 + p, false, title && *title ? title : table->names[0], &chart->y);
    }
    for (size_t k = 0; k < table->key_count; k++) {
        grid_add(&grid, key_cell(table, &table->keys[k]));
        for (size_t p = 0; p < chart->panel_count; p++)
            set_cell(&grid, 1 + p, table, chart->panels[p], table->names[0], table->keys[k].at);
    }
    if (!table->counts || table->no_total)
        return grid;
    grid_footer(&grid);
    grid_set(&grid, 0, TONE_PLAIN, "all");
    for (size_t p = 0; p < chart->panel_count; p++)
        grid_set(&grid, 1 + p, TONE_PLAIN, "%.0f", sum_of(chart->panels[p]));
    return grid;
}

/* A chart of one panel needs no column for it. */
static struct grid grid_by_name(struct table *table)
{
    const struct chart *chart = table->chart;
    const size_t labels = chart->panel_count > 1 ? 2 : 1;
    struct grid grid = grid_of(labels + table->name_count, labels);
    grid_row(&grid);
    if (labels > 1)
        grid_head(&grid, 0, true, "");
    set_axis_head(&grid, labels - 1, labels == 1, &chart->x);
    for (size_t i = 0; i < table->name_count; i++)
        set_head(&grid, labels + i, false, table->names[i], &chart->y);
    for (size_t p = 0; p < chart->panel_count; p++) {
        find_keys(table, p, 1);
        for (size_t k = 0; k < table->key_count; k++) {
            grid_row(&grid);
            if (labels > 1)
                grid_set(&grid, 0, TONE_PLAIN, "%s", chart->panels[p]->title ? chart->panels[p]->title : "");
            grid_put(&grid, labels - 1, key_cell(table, &table->keys[k]));
            for (size_t i = 0; i < table->name_count; i++)
                set_cell(&grid, labels + i, table, chart->panels[p], table->names[i], table->keys[k].at);
        }
    }
    return grid;
}

struct grid chart_grid(const struct chart *chart)
{
    struct table table = table_of(chart);
    struct grid grid;
    if (table.name_count == 0)
        grid = grid_of(1, 1);
    else
        grid = table.name_count == 1 ? grid_by_panel(&table) : grid_by_name(&table);
    free_all(table.names, table.keys);
    return grid;
}

/* ---- the numbers as CSV ---- */

static const char *word_of(const struct chart_axis *axis, double at)
{
    for (size_t i = 0; i < axis->tick_count; i++)
        if (axis->ticks[i].apart && axis->ticks[i].at == at)
            return axis->ticks[i].text;
    return "";
}

/* Two columns. */
static void write_place(FILE *file, const struct chart_axis *axis, double at)
{
    const char *word = word_of(axis, at);
    if (*word || isnan(at))
        fputc(',', file);
    else
        csv_double(file, ",", at);
    csv_text(file, ",", word);
}

static void write_point(FILE *file, const struct chart *chart, const struct chart_panel *panel,
                        const struct chart_mark *mark, const struct chart_point *point)
{
    csv_text(file, "", panel->title ? panel->title : "");
    csv_text(file, ",", mark->of ? mark->of : "");
    csv_text(file, ",", mark->name ? mark->name : "");
    write_place(file, &chart->x, point->x);
    write_place(file, &chart->y, point->y);
    write_place(file, &chart->y, point->other);
    csv_text(file, ",", point->label ? point->label : "");
    fputc('\n', file);
}

enum status chart_csv_write(const struct chart *chart, const char *path)
{
    struct output out;
    TRY(output_open(&out, path));
    fputs("panel,series,mark,x,x_word,y,y_word,to,to_word,label\n", out.file);
    for (size_t p = 0; p < chart->panel_count; p++)
        for (size_t m = 0; m < chart->panels[p]->mark_count; m++)
            for (size_t i = 0; i < chart->panels[p]->marks[m]->point_count; i++)
                write_point(out.file, chart, chart->panels[p], chart->panels[p]->marks[m],
                            &chart->panels[p]->marks[m]->points[i]);
    return output_end(&out, OK);
}
