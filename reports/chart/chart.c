#include "chart.h"

static char *copied(const char *text)
{
    return text ? memory_copy(text) : NULL;
}

/* An array of `count` with room for one more, 0 in it. */
static void *grown(void *array, size_t count, size_t size)
{
    char *larger = memory_resized(array, (count + 1) * size);
    memset(larger + count * size, 0, size);
    return larger;
}

void chart_begin(struct chart *chart, const char *name)
{
    *chart = (struct chart){.columns = 1, .panel_height = 74};
    chart->name = copied(name);
}

void chart_set(char **text, const char *format, ...)
{
    va_list arguments;
    struct text made = {0};
    va_start(arguments, format);
    text_append_of(&made, format, arguments);
    va_end(arguments);
    free(*text);
    *text = made.text;
}

FILE *chart_words(struct chart *chart)
{
    return text_stream(&chart->caption, &chart->caption_length);
}

void chart_tick(struct chart_axis *axis, double at, bool apart, const char *text)
{
    axis->ticks = grown(axis->ticks, axis->tick_count, sizeof *axis->ticks);
    axis->ticks[axis->tick_count++] = (struct chart_tick){at, copied(text), apart};
}

struct chart_panel *chart_panel(struct chart *chart, const char *title)
{
    struct chart_panel *panel = memory_cleared(1, sizeof *panel);
    chart->panels = grown(chart->panels, chart->panel_count, sizeof(struct chart_panel *));
    chart->panels[chart->panel_count++] = panel;
    panel->title = copied(title);
    return panel;
}

struct chart_mark *chart_mark(struct chart_panel *panel, enum chart_mark_kind kind, const char *name,
                              enum colour colour)
{
    struct chart_mark *mark = memory_cleared(1, sizeof *mark);
    panel->marks = grown(panel->marks, panel->mark_count, sizeof(struct chart_mark *));
    panel->marks[panel->mark_count++] = mark;
    *mark = (struct chart_mark){.kind = kind, .colour = colour, .name = copied(name)};
    return mark;
}

void chart_point(struct chart_mark *mark, double x, double y, double other, const char *label)
{
    mark->points = grown(mark->points, mark->point_count, sizeof *mark->points);
    mark->points[mark->point_count++] = (struct chart_point){x, y, other, copied(label)};
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
        OWNED struct chart_mark *mark = panel->marks[m];
        for (size_t i = 0; i < mark->point_count; i++)
            free(mark->points[i].label);
        free_all(mark->points, mark->name, mark->of);
    }
    free_all(panel->marks, panel->title, panel->note, panel);
}

static void free_axis(struct chart_axis *axis)
{
    for (size_t i = 0; i < axis->tick_count; i++)
        free(axis->ticks[i].text);
    free_all(axis->ticks, axis->label, axis->name, axis->unit);
}

void chart_free(struct chart *chart)
{
    free_all(chart->name, chart->title, chart->subtitle, chart->caption, chart->missing);
    free_axis(&chart->x);
    free_axis(&chart->y);
    for (size_t p = 0; p < chart->panel_count; p++)
        free_panel(chart->panels[p]);
    free(chart->panels);
    *chart = (struct chart){0};
}
