#include "sheet.h"

#include "reports/canvas/canvas.h"
#include "reports/chart/chart.h"

#include <math.h>

enum { COLUMNS = 64, ROWS = 16, BAR = 48, BARS_MOST = 40, MARGIN = 9, INDENT = 2 };

/* Of names, in the order of the legend. */
static const char signs[] = "*o+x#@%&";
enum { SIGNS = sizeof signs - 1 };

/* ---- what a chart can be drawn as ---- */

static bool is_rule(const struct chart_mark *mark)
{
    return mark->kind == MARK_RULE_X || mark->kind == MARK_RULE_Y;
}

struct survey {
    size_t bars, others, bars_most; /* marks, without rules; the bars of the panel that has most */
    double most;                    /* of the bars */
    bool labelled, apart, negative;
    const char *names[SIGNS];
    size_t name_count; /* SIGNS + 1: too many */
};

static size_t sign_of(const struct survey *survey, const char *name)
{
    for (size_t i = 0; i < survey->name_count && i < SIGNS; i++)
        if (strcmp(survey->names[i], name) == 0)
            return i;
    return survey->name_count;
}

static void survey_name(struct survey *survey, const struct chart_mark *mark)
{
    if (!mark->name || is_rule(mark) || sign_of(survey, mark->name) < survey->name_count)
        return;
    if (survey->name_count < SIGNS)
        survey->names[survey->name_count++] = mark->name;
    else
        survey->name_count = SIGNS + 1;
}

static void survey_mark(struct survey *survey, const struct chart *chart, const struct chart_mark *mark)
{
    survey->bars += mark->kind == MARK_BARS;
    survey->others += mark->kind != MARK_BARS && !is_rule(mark);
    survey->labelled |= mark->labelled;
    for (size_t i = 0; i < mark->point_count; i++) {
        const struct chart_point *point = &mark->points[i];
        survey->apart |= chart_is_apart(&chart->x, point->x) || chart_is_apart(&chart->y, point->y);
        if (mark->kind == MARK_BARS && point->y > survey->most)
            survey->most = point->y;
        survey->negative |= mark->kind == MARK_BARS && point->y < 0;
    }
}

static struct survey survey_of(const struct chart *chart)
{
    struct survey survey = {0};
    const unsigned ranks = chart_ranks(chart);
    for (unsigned rank = 0; rank < ranks; rank++)
        for (size_t p = 0; p < chart->panel_count; p++)
            for (size_t m = 0; m < chart->panels[p]->mark_count; m++)
                if (chart->panels[p]->marks[m]->rank == rank)
                    survey_name(&survey, chart->panels[p]->marks[m]);
    for (size_t p = 0; p < chart->panel_count; p++) {
        size_t bars = 0;
        for (size_t m = 0; m < chart->panels[p]->mark_count; m++) {
            const struct chart_mark *mark = chart->panels[p]->marks[m];
            survey_mark(&survey, chart, mark);
            bars += mark->kind == MARK_BARS ? mark->point_count : 0;
        }
        survey.bars_most = bars > survey.bars_most ? bars : survey.bars_most;
    }
    return survey;
}

/* ---- bars, one below the other ---- */

static void bar_label(const struct chart_point *point, char text[NUMBER_TEXT])
{
    if (point->label)
        snprintf(text, NUMBER_TEXT, "%s", point->label);
    else
        write_rounded(point->x, text);
}

/* A count in full, another number rounded. */
static void bar_value(double value, char text[NUMBER_TEXT])
{
    if (value == floor(value) && fabs(value) < 1e9)
        snprintf(text, NUMBER_TEXT, "%.0f", value);
    else
        write_rounded(value, text);
}

/* On a logarithmic axis from its least on, elsewhere from 0. */
static int bar_length(const struct chart *chart, const struct survey *survey, double y)
{
    const bool linear = chart->y.scale == SCALE_LINEAR;
    const double share = linear ? y / survey->most : axis_place(&chart->y, y) / axis_place(&chart->y, survey->most);
    return isfinite(share) && share > 0 ? (int)(share * BAR + 0.5) : 0;
}

static size_t labels_width(const struct chart_panel *panel)
{
    size_t width = 0;
    char text[NUMBER_TEXT];
    for (size_t m = 0; m < panel->mark_count; m++)
        for (size_t i = 0; panel->marks[m]->kind == MARK_BARS && i < panel->marks[m]->point_count; i++) {
            bar_label(&panel->marks[m]->points[i], text);
            width = text_width(text) > width ? text_width(text) : width;
        }
    return width;
}

static void print_bar(const struct chart *chart, const struct survey *survey, const struct chart_point *point,
                      size_t width, FILE *file)
{
    char label[NUMBER_TEXT], value[NUMBER_TEXT];
    const int length = bar_length(chart, survey, point->y);
    bar_label(point, label);
    bar_value(point->y, value);
    fprintf(file, "%*s%s%*s |", INDENT, "", label, (int)(width - text_width(label)), "");
    for (int i = 0; i < length; i++)
        fputc('#', file);
    fprintf(file, "%s %s\n", length == 0 && point->y > 0 ? "." : "", value);
}

static void print_bars(const struct chart *chart, const struct survey *survey, const struct chart_panel *panel,
                       FILE *file)
{
    const size_t width = labels_width(panel);
    for (size_t m = 0; m < panel->mark_count; m++) {
        const struct chart_mark *mark = panel->marks[m];
        if (mark->kind == MARK_BARS && survey->name_count > 1 && mark->name)
            fprintf(file, "%*s%s\n", INDENT, "", mark->name);
        for (size_t i = 0; mark->kind == MARK_BARS && i < mark->point_count; i++)
            if (chart_point_drawn(mark, &mark->points[i]))
                print_bar(chart, survey, &mark->points[i], width, file);
    }
}

/* ---- a field of signs ---- */

struct field {
    const struct chart *chart;
    char sign[ROWS][COLUMNS]; /* row 0 is the highest; 0: nothing */
};

static int place(const struct chart_axis *axis, double value, int places)
{
    const double at = axis_place(axis, value);
    return at >= -0.001 && at <= 1.001 ? (int)fmin(at * places, places - 1) : -1;
}

static void put(struct field *field, double x, double y, char sign)
{
    const int column = place(&field->chart->x, x, COLUMNS), row = place(&field->chart->y, y, ROWS);
    if (column >= 0 && row >= 0)
        field->sign[ROWS - 1 - row][column] = sign;
}

static void put_rule(struct field *field, const struct chart_mark *mark, const struct chart_point *point)
{
    if (mark->kind == MARK_RULE_X) {
        const int column = place(&field->chart->x, point->x, COLUMNS);
        for (int row = 0; row < ROWS && column >= 0; row++)
            field->sign[row][column] = '|';
    } else {
        const int row = place(&field->chart->y, point->y, ROWS);
        for (int column = 0; column < COLUMNS && row >= 0; column++)
            field->sign[ROWS - 1 - row][column] = '-';
    }
}

/* Between two points of a line a sign in each column. */
static void put_line(struct field *field, const struct chart_point *from, const struct chart_point *to, char sign)
{
    const struct chart_axis *x = &field->chart->x, *y = &field->chart->y;
    const double x0 = axis_place(x, from->x), x1 = axis_place(x, to->x);
    const double y0 = axis_place(y, from->y), y1 = axis_place(y, to->y);
    const int first = place(x, from->x, COLUMNS), last = place(x, to->x, COLUMNS);
    for (int column = first + 1; first >= 0 && column < last; column++) {
        const double at = y0 + (y1 - y0) * (((column + 0.5) / COLUMNS - x0) / (x1 - x0));
        if (at >= 0 && at <= 1)
            field->sign[ROWS - 1 - (int)fmin(at * ROWS, ROWS - 1)][column] = sign;
    }
}

static void put_vertical(struct field *field, double x, double from, double to, char sign)
{
    const struct chart_axis *y = &field->chart->y;
    const int low = place(y, fmax(fmin(from, to), y->least), ROWS), high = place(y, fmax(from, to), ROWS);
    const int column = place(&field->chart->x, x, COLUMNS);
    for (int row = low; column >= 0 && low >= 0 && row <= high; row++)
        field->sign[ROWS - 1 - row][column] = sign;
}

static void put_range(struct field *field, const struct chart_point *point, char sign)
{
    const struct chart_axis *x = &field->chart->x;
    const int first = place(x, point->x, COLUMNS), last = place(x, point->other, COLUMNS);
    const int row = place(&field->chart->y, point->y, ROWS);
    for (int column = first; first >= 0 && row >= 0 && column <= last; column++)
        field->sign[ROWS - 1 - row][column] = sign;
}

static void put_mark(struct field *field, const struct chart_mark *mark, char sign)
{
    const struct chart_point *before = NULL;
    for (size_t i = 0; i < mark->point_count; i++) {
        const struct chart_point *point = &mark->points[i];
        if (!chart_point_drawn(mark, point)) {
            before = NULL;
            continue;
        }
        if (is_rule(mark))
            put_rule(field, mark, point);
        else if (mark->kind == MARK_BARS)
            put_vertical(field, point->x, 0, point->y, sign);
        else if (mark->kind == MARK_BAND)
            put_vertical(field, point->x, point->y, point->other, sign);
        else if (mark->kind == MARK_RANGE)
            put_range(field, point, sign);
        else
            put(field, point->x, point->y, sign);
        if (mark->kind == MARK_LINE && before)
            put_line(field, before, point, '.');
        before = point;
    }
}

/* Rules lie under all, then the marks in the order in which they are drawn; a line's dots never hide its points. */
static void fill(struct field *field, const struct survey *survey, const struct chart_panel *panel)
{
    for (int rules = 1; rules >= 0; rules--)
        for (size_t m = 0; m < panel->mark_count; m++) {
            const struct chart_mark *mark = panel->marks[m];
            const size_t sign = mark->name ? sign_of(survey, mark->name) : SIGNS;
            if (is_rule(mark) == (rules == 1))
                put_mark(field, mark, sign < SIGNS ? signs[sign] : '.');
        }
}

/* "2^{-24}" as "2^-24"; any other text as it is. */
static void plain_power(const char *text, char plain[NUMBER_TEXT])
{
    size_t length = 0;
    const bool power = letters_are_power(text);
    for (; *text && length + 1 < NUMBER_TEXT; text++)
        if (!power || (*text != '{' && *text != '}'))
            plain[length++] = *text;
    plain[length] = '\0';
}

static void print_row(const struct field *field, const struct axis_ticks *ticks, int row, FILE *file)
{
    char label[NUMBER_TEXT] = "";
    int end = COLUMNS;
    for (size_t i = 0; i < ticks->count; i++)
        if (place(&field->chart->y, ticks->list[i].at, ROWS) == ROWS - 1 - row)
            plain_power(ticks->list[i].text, label);
    while (end > 0 && !field->sign[row][end - 1])
        end--;
    fprintf(file, "%*s %c", MARGIN, label, *label ? '+' : '|');
    for (int column = 0; column < end; column++)
        fputc(field->sign[row][column] ? field->sign[row][column] : ' ', file);
    fputc('\n', file);
}

/* The axis below, and its numbers where they do not meet. */
static void print_foot(const struct field *field, const struct axis_ticks *ticks, FILE *file)
{
    char axis[COLUMNS + 1], labels[COLUMNS + NUMBER_TEXT] = "";
    size_t end = 0;
    memset(axis, '-', COLUMNS);
    axis[COLUMNS] = '\0';
    for (size_t i = 0; i < ticks->count; i++) {
        char label[NUMBER_TEXT];
        const int column = place(&field->chart->x, ticks->list[i].at, COLUMNS);
        plain_power(ticks->list[i].text, label);
        const size_t half = strlen(label) / 2, from = (size_t)column > half ? (size_t)column - half : 0;
        if (column < 0 || (end > 0 && from <= end) || from + strlen(label) >= sizeof labels)
            continue;
        axis[column] = '+';
        end += (size_t)sprintf(labels + end, "%*s%s", (int)(from - end), "", label);
    }
    fprintf(file, "%*s +%s\n%*s  %s\n", MARGIN, "", axis, MARGIN, "", labels);
}

static void see_signs(const struct field *field, bool seen[SIGNS])
{
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            for (size_t i = 0; i < SIGNS; i++)
                seen[i] |= field->sign[row][column] == signs[i];
}

/* Which sign is which name, whether others lie over all of it, and what the axes are. */
static void print_legend(const struct chart *chart, const struct survey *survey, const bool seen[SIGNS], FILE *file)
{
    fprintf(file, "%*s  across: %s; up: %s\n", MARGIN, "", chart->x.label ? chart->x.label : "",
            chart->y.label ? chart->y.label : "");
    for (size_t i = 0; i < survey->name_count; i++)
        fprintf(file, "%*s  %c  %s%s\n", MARGIN, "", signs[i], survey->names[i], seen[i] ? "" : " (behind others)");
    for (size_t p = 0; p < chart->panel_count && p < 1; p++)
        for (size_t m = 0; m < chart->panels[p]->mark_count; m++) {
            const struct chart_mark *mark = chart->panels[p]->marks[m];
            if (is_rule(mark) && mark->name)
                fprintf(file, "%*s  %c  %s\n", MARGIN, "", mark->kind == MARK_RULE_X ? '|' : '-', mark->name);
        }
}

static void print_field(const struct chart *chart, const struct survey *survey, const struct chart_panel *panel,
                        bool seen[SIGNS], FILE *file)
{
    struct field field = {.chart = chart};
    FREED_BY(axis_ticks_free)
    struct axis_ticks y = axis_ticks(&chart->y, ROWS, 3), x = axis_ticks(&chart->x, COLUMNS, 8);
    fill(&field, survey, panel);
    see_signs(&field, seen);
    for (int row = 0; row < ROWS; row++)
        print_row(&field, &y, row, file);
    print_foot(&field, &x, file);
}

/* ---- the chart ---- */

static void print_title(const struct chart_panel *panel, const struct chart *chart, FILE *file)
{
    if (panel->title && *panel->title)
        fprintf(file, "%*s%s%s%s\n", INDENT, "", panel->title, panel->note ? ", " : "", panel->note ? panel->note : "");
    else if (chart->panel_count > 1)
        fputc('\n', file);
}

void chart_lines(const struct chart *chart, const struct terminal *terminal)
{
    const struct survey survey = survey_of(chart);
    bool seen[SIGNS] = {false};
    terminal_bold(terminal, chart->title ? chart->title : "");
    const bool stacked = survey.others == 0 && survey.bars > 0 && survey.bars_most <= BARS_MOST;
    const bool no_field = survey.labelled || survey.name_count > SIGNS || !(chart->x.least < chart->x.most) ||
                          !(chart->y.least < chart->y.most);
    if (survey.apart || survey.negative || (!stacked && no_field)) {
        struct grid table = chart_grid(chart);
        terminal_grid_taken(terminal, &table);
        return;
    }
    for (size_t p = 0; p < chart->panel_count; p++) {
        print_title(chart->panels[p], chart, terminal->file);
        if (stacked)
            print_bars(chart, &survey, chart->panels[p], terminal->file);
        else
            print_field(chart, &survey, chart->panels[p], seen, terminal->file);
    }
    if (!stacked)
        print_legend(chart, &survey, seen, terminal->file);
}
