#include "chart.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copied(struct chart *chart, const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    chart->failed |= text && !copy;
    return copy;
}

/* An array of `count` with room for one more, 0 in it; NULL, and the array is as before, without memory. */
static void *grown(struct chart *chart, void *array, size_t count, size_t size)
{
    char *larger = reallocarray(array, count + 1, size);
    if (larger)
        memset(larger + count * size, 0, size);
    else
        chart->failed = true;
    return larger;
}

void chart_begin(struct chart *chart, const char *name)
{
    *chart = (struct chart){.columns = 1, .panel_height = 74};
    chart->name = copied(chart, name);
}

void chart_set(struct chart *chart, char **text, const char *format, ...)
{
    va_list arguments;
    char *made;
    if (chart->failed)
        return;
    va_start(arguments, format);
    if (vasprintf(&made, format, arguments) < 0) {
        chart->failed = true;
        made = NULL;
    }
    va_end(arguments);
    free(*text);
    *text = made;
}

enum status chart_words_open(struct chart_words *words)
{
    words->text = NULL;
    words->file = open_memstream(&words->text, &words->length);
    return words->file ? OK : out_of_memory("a picture");
}

enum status chart_words_close(struct chart_words *words, struct chart *chart)
{
    const bool failed = fclose(words->file) != 0;
    if (!failed)
        chart_set(chart, &chart->caption, "%s", words->text);
    free(words->text);
    return failed ? out_of_memory("a picture") : OK;
}

void chart_tick(struct chart *chart, struct chart_axis *axis, double at, bool apart, const char *text)
{
    struct chart_tick *ticks = grown(chart, axis->ticks, axis->tick_count, sizeof *ticks);
    if (!ticks)
        return;
    axis->ticks = ticks;
    ticks[axis->tick_count++] = (struct chart_tick){at, copied(chart, text), apart};
}

/* What is handed out when memory was short: calls on it are harmless, and nothing of it is drawn. */
static struct chart_panel *no_panel(struct chart *chart)
{
    static struct chart_panel none;
    chart->failed = true;
    return &none;
}

struct chart_panel *chart_panel(struct chart *chart, const char *title)
{
    struct chart_panel **panels = grown(chart, chart->panels, chart->panel_count, sizeof *panels);
    if (!panels)
        return no_panel(chart);
    chart->panels = panels;
    struct chart_panel *panel = calloc(1, sizeof *panel);
    if (!panel)
        return no_panel(chart);
    panels[chart->panel_count++] = panel;
    panel->title = copied(chart, title);
    return panel;
}

struct chart_mark *chart_mark(struct chart *chart, struct chart_panel *panel, enum chart_mark_kind kind,
                              const char *name, enum colour colour)
{
    static struct chart_mark none;
    struct chart_mark **marks = NULL, *mark = chart->failed ? NULL : calloc(1, sizeof *mark);
    if (mark)
        marks = grown(chart, panel->marks, panel->mark_count, sizeof *marks);
    if (!marks) {
        free(mark);
        chart->failed = true;
        return &none;
    }
    panel->marks = marks;
    marks[panel->mark_count++] = mark;
    *mark = (struct chart_mark){.kind = kind, .colour = colour, .name = copied(chart, name)};
    return mark;
}

void chart_point(struct chart *chart, struct chart_mark *mark, double x, double y, double other, const char *label)
{
    struct chart_point *points = chart->failed ? NULL : grown(chart, mark->points, mark->point_count, sizeof *points);
    if (!points)
        return;
    mark->points = points;
    points[mark->point_count++] = (struct chart_point){x, y, other, copied(chart, label)};
}

unsigned chart_ranks(const struct chart *chart)
{
    unsigned ranks = 1;
    for (size_t p = 0; p < chart->panel_count; p++)
        for (size_t m = 0; m < chart->panels[p]->mark_count; m++)
            if (chart->panels[p]->marks[m]->rank >= ranks)
                ranks = chart->panels[p]->marks[m]->rank + 1;
    return ranks;
}

bool chart_point_drawn(const struct chart_mark *mark, const struct chart_point *point)
{
    const bool x = isfinite(point->x), y = isfinite(point->y), other = isfinite(point->other);
    switch (mark->kind) {
    case MARK_RULE_X:
        return x;
    case MARK_RULE_Y:
        return y;
    case MARK_BAND:
    case MARK_RANGE:
        return x && y && other;
    default:
        return x && y;
    }
}

bool chart_is_apart(const struct chart_axis *axis, double at)
{
    for (size_t i = 0; i < axis->tick_count; i++)
        if (axis->ticks[i].apart && axis->ticks[i].at == at)
            return true;
    return false;
}

static void free_panel(struct chart_panel *panel)
{
    for (size_t m = 0; m < panel->mark_count; m++) {
        struct chart_mark *mark = panel->marks[m];
        for (size_t i = 0; i < mark->point_count; i++)
            free(mark->points[i].label);
        free(mark->points);
        free(mark->name);
        free(mark);
    }
    free(panel->marks);
    free(panel->title);
    free(panel->note);
    free(panel);
}

static void free_axis(struct chart_axis *axis)
{
    for (size_t i = 0; i < axis->tick_count; i++)
        free(axis->ticks[i].text);
    free(axis->ticks);
    free(axis->label);
    free(axis->name);
    free(axis->unit);
}

void chart_free(struct chart *chart)
{
    char *const texts[] = {chart->name, chart->title, chart->subtitle, chart->caption, chart->missing};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    free_axis(&chart->x);
    free_axis(&chart->y);
    for (size_t p = 0; p < chart->panel_count; p++)
        free_panel(chart->panels[p]);
    free(chart->panels);
    *chart = (struct chart){0};
}
