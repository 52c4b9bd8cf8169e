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

/* Letters of 12 pixels: 240 hold a panel with its axis, 4000 are wider than a poster's. */
static const double LETTER = 12, LEAST = 240, MOST = 4000, POINT = 25.4 / 72;

/* In millimetres; NaN: it is no number with a unit behind it. */
static double length_of(const char *text)
{
    static const struct {
        const char *name;
        double millimetres;
    } units[] = {{"mm", 1}, {"cm", 10}, {"in", 25.4}, {"pt", 25.4 / 72}, {"px", 25.4 / 96}};
    double value, length = NAN;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t size = strlen(text), unit = strlen(units[i].name);
        if (size <= unit || strcmp(text + size - unit, units[i].name) != 0)
            continue;
        OWNED char *number = text_made("%.*s", (int)(size - unit), text);
        if (!read_real(number, &value))
            length = value * units[i].millimetres;
    }
    return length;
}

enum status paper_read(const char *width, const char *font_size, struct chart_paper *paper)
{
    const double font = length_of(font_size ? font_size : "9pt"), wide = length_of(width ? width : "254mm");
    if (!width && !font_size)
        return OK;
    if (!(font >= 4 * POINT && font <= 72 * POINT))
        return bad_input("--font-size \"%s\": is no size of letters; expected 4pt to 72pt, like 8pt", font_size);
    *paper = (struct chart_paper){round(wide / font * LETTER), wide};
    if (paper->pixels >= LEAST && paper->pixels <= MOST)
        return OK;
    return bad_input("%s \"%s\": is no width that holds a picture; expected one from %.0fmm to %.0fmm with letters of "
                     "%.3gpt, as in --width 86mm --font-size 8pt",
                     width ? "--width" : "--font-size", width ? width : font_size, ceil(LEAST / LETTER * font),
                     floor(MOST / LETTER * font), font / POINT);
}
