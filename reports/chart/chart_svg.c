#include "chart_svg.h"

/* All in pixels. */
enum {
    WIDTH = 960, /* of a screen */
    PANEL_LEAST = 110,
    BARS_LEAST = 240, /* so wide is one beside another; bars bear numbers */
    MARGIN = 16,
    PANEL_TITLE = 32, /* above each panel */
    NO_TITLE = 10,    /* above panels without titles: half of a number at the upper end of the axis */
    TITLE_RISE = 17,  /* of its middle: clear of a power of ten at the upper end of the axis */
    COLUMN_GAP = 28,
    ROW_GAP = 14, /* below a panel with an axis at its side */
    LEGEND_ROW = 20,
    TEXT_LINE = 18, /* of the subtitle */
    TICK_LINE = 13, /* of a tick that is broken */
    APART_GAP = 8,  /* in an axis, before what stands apart */
    X_SPACING = 44, /* between ticks, at least */
    Y_SPACING = 26,
};
static const double TEXT_SIZE = 12, TITLE_SIZE = 15, TICK_SIZE = 12, APART_SIZE = 11;

struct layout {
    const struct chart *chart;
    struct canvas canvas;
    size_t columns, rows;
    double head, foot, left, panel_title, panel_width, row_height, height;
    size_t foot_lines;               /* of the ticks */
    struct axis_ticks x, y;          /* of every panel */
    struct axis_span x_span, y_span; /* in places */
};

/* ---- the legend: the marks' names, by rank and then in the order in which they appear ---- */

struct legend {
    const struct chart_mark **marks; /* the first of each name */
    size_t count;
};

static bool legend_has(const struct legend *legend, const char *name)
{
    for (size_t i = 0; i < legend->count; i++)
        if (strcmp(legend->marks[i]->name, name) == 0)
            return true;
    return false;
}

static void add_to_legend(struct legend *legend, const struct chart_mark *mark)
{
    if (!mark->name || mark->point_count == 0 || legend_has(legend, mark->name))
        return;
    legend->marks = memory_resized(legend->marks, (legend->count + 1) * sizeof *legend->marks);
    legend->marks[legend->count++] = mark;
}

static struct legend legend_of(const struct chart *chart)
{
    struct legend legend = {0};
    const unsigned ranks = chart_ranks(chart);
    for (unsigned rank = 0; rank < ranks; rank++)
        for (size_t p = 0; p < chart->panel_count; p++)
            for (size_t m = 0; m < chart->panels[p]->mark_count; m++)
                if (chart->panels[p]->marks[m]->rank == rank)
                    add_to_legend(&legend, chart->panels[p]->marks[m]);
    return legend;
}

/* Draws it from the line at y on, or only counts its rows when there is no canvas. */
static size_t draw_legend(struct canvas *canvas, const struct legend *legend, double whole, double y)
{
    double x = MARGIN;
    size_t rows = legend->count > 1;
    for (size_t i = 0; legend->count > 1 && i < legend->count; i++) {
        const struct chart_mark *mark = legend->marks[i];
        const double sample = sample_width(mark) + 7, width = sample + letters_width(mark->name, TEXT_SIZE);
        if (x > MARGIN && x + width > whole - MARGIN) {
            x = MARGIN;
            y += LEGEND_ROW;
            rows++;
        }
        if (canvas) {
            draw_sample(canvas, mark, x, y);
            canvas_text(canvas, x + sample, y,
                        (struct lettering){.colour = COLOUR_SOFT, .room = whole - 2 * MARGIN - sample}, mark->name);
        }
        x += width + 22;
    }
    return rows;
}

/* ---- the head ---- */

/* Lines of at most the picture's width; how many there are.  Draws nothing when there is no canvas. */
static size_t draw_wrapped(struct canvas *canvas, double width, double y, enum colour colour, const char *text)
{
    const double room = width - 2 * MARGIN;
    OWNED char *lines = memory_copy(text);
    char *rest = lines, *line;
    const size_t count = letters_wrap(lines, TEXT_SIZE, room);
    for (double at = y; canvas && (line = strsep(&rest, "\n")); at += TEXT_LINE)
        canvas_text(canvas, MARGIN, at, (struct lettering){.colour = colour, .room = room}, line);
    return count;
}

static double width_of(const struct chart *chart)
{
    return chart->pixels > 0 ? chart->pixels : WIDTH;
}

/* Returns where it ends; draws nothing when there is no canvas. */
static double draw_head(struct canvas *canvas, const struct chart *chart, const struct legend *legend)
{
    const double width = width_of(chart);
    double y = 38;
    if (canvas)
        canvas_text(canvas, MARGIN, 18, (struct lettering){.size = TITLE_SIZE, .room = width - 2 * MARGIN},
                    chart->title ? chart->title : "");
    if (chart->subtitle && *chart->subtitle)
        y += TEXT_LINE * (double)draw_wrapped(canvas, width, y, COLOUR_SOFT, chart->subtitle);
    y += LEGEND_ROW * (double)draw_legend(canvas, legend, width, y + 5);
    return y + 2;
}

/* ---- the layout ---- */

/* A tick apart has twice its way to the end of the axis, or its way to the next one apart.  A number of the scale that
 * is in its way is not written. */
static double apart_room(const struct layout *layout, size_t tick)
{
    const struct chart_axis *axis = &layout->chart->x;
    const struct axis_ticks *ticks = &layout->x;
    const double place = axis_place(axis, ticks->list[tick].at);
    double room = 2 * fmax(fmin(place, 1 - place), 0.05);
    for (size_t i = 0; i < ticks->count; i++)
        if (i != tick && ticks->list[i].apart)
            room = fmin(room, fabs(axis_place(axis, ticks->list[i].at) - place));
    return room * layout->panel_width - 4;
}

/* Breaks the texts of ticks apart at blanks where they are too wide for their place. */
static size_t break_ticks(struct layout *layout)
{
    size_t lines = 1;
    for (size_t i = 0; i < layout->x.count; i++)
        if (layout->x.list[i].apart) {
            const size_t here = letters_wrap(layout->x.list[i].text, APART_SIZE, apart_room(layout, i));
            lines = here > lines ? here : lines;
        }
    return lines;
}

static double widest_tick(const struct axis_ticks *ticks)
{
    double widest = 0;
    for (size_t i = 0; i < ticks->count; i++)
        widest = fmax(widest, letters_width(ticks->list[i].text, TICK_SIZE));
    return widest;
}

static bool has_titles(const struct chart *chart)
{
    bool has = false;
    for (size_t p = 0; p < chart->panel_count; p++) {
        const char *title = chart->panels[p]->title, *note = chart->panels[p]->note;
        has |= (title && *title) || (note && *note);
    }
    return has;
}

/* The numbers of the axis at the left need their room before it is known how wide the panels are. */
static void lay_out(struct layout *layout, const struct legend *legend)
{
    const struct chart *chart = layout->chart;
    const double width = width_of(chart);
    layout->columns = chart->columns < chart->panel_count ? chart->columns : chart->panel_count;
    layout->columns = layout->columns > 0 ? layout->columns : 1;
    layout->left = MARGIN;
    if (!chart->y.hidden) {
        layout->y = axis_ticks(&chart->y, chart->panel_height, Y_SPACING);
        layout->left +=
            ceil(fmin(widest_tick(&layout->y), width < WIDTH ? 0.45 * width : 260)) + 8 + (chart->y.label ? 20 : 0);
    }
    do
        layout->panel_width = (width - MARGIN - (chart->x.hidden ? 0 : 6 * !chart->y.hidden) - layout->left -
                               (double)(layout->columns - 1) * COLUMN_GAP) /
                              (double)layout->columns;
    while (layout->panel_width < (chart->y.hidden ? BARS_LEAST : PANEL_LEAST) && layout->columns-- > 1);
    layout->columns = layout->columns > 0 ? layout->columns : 1;
    layout->rows = (chart->panel_count + layout->columns - 1) / layout->columns;
    if (!chart->x.hidden)
        layout->x = axis_ticks(&chart->x, layout->panel_width, X_SPACING);
    layout->x_span = axis_span(&chart->x, layout->panel_width);
    layout->y_span = axis_span(&chart->y, chart->panel_height);
    layout->foot_lines = break_ticks(layout);
    layout->foot =
        chart->x.hidden ? MARGIN : 10.0 + TICK_LINE * (double)layout->foot_lines + (chart->x.label ? 36 : 14);
    layout->panel_title = has_titles(chart) ? PANEL_TITLE : NO_TITLE;
    layout->row_height = layout->panel_title + chart->panel_height + (chart->y.hidden ? 0 : ROW_GAP);
    layout->head = draw_head(NULL, chart, legend);
    layout->height = ceil(layout->head + (double)layout->rows * layout->row_height + layout->foot);
}

static struct frame frame_of(const struct layout *layout, size_t panel)
{
    const size_t column = panel % layout->columns, row = panel / layout->columns;
    const double left = layout->left + (double)column * (layout->panel_width + COLUMN_GAP),
                 top = layout->head + (double)row * layout->row_height + layout->panel_title;
    return (struct frame){left, top, left + layout->panel_width, top + layout->chart->panel_height};
}

/* ---- a panel ---- */

static void draw_titles(struct layout *layout, const struct chart_panel *panel, const struct frame *frame)
{
    const char *title = panel->title ? panel->title : "", *note = panel->note ? panel->note : "";
    const double before =
        layout->columns == 1 ? fmin(frame->left, frame->right - letters_width(title, TEXT_SIZE)) : frame->left;
    const double left = fmax(before, MARGIN), y = frame->top - TITLE_RISE;
    const double room = frame->right - left - (*note ? letters_width(note, TEXT_SIZE) + 12 : 0);
    if (*title)
        canvas_text(&layout->canvas, left, y, (struct lettering){.room = room}, title);
    if (*note)
        canvas_text(&layout->canvas, frame->right, y, (struct lettering){.colour = COLOUR_SOFT, .anchor = ANCHOR_END},
                    note);
}

/* Lines under everything, at the ticks of the scale. */
static void draw_grid(struct layout *layout, const struct frame *frame)
{
    const struct chart *chart = layout->chart;
    if (chart->y.hidden)
        return;
    for (size_t i = 0; i < layout->y.count; i++) {
        const double y = frame_y(chart, frame, layout->y.list[i].at);
        canvas_line(&layout->canvas, frame->left, y, frame->right, y);
    }
    for (size_t i = 0; i < layout->x.count; i++) {
        const double x = frame_x(chart, frame, layout->x.list[i].at);
        canvas_line(&layout->canvas, x, frame->top, x, frame->bottom);
    }
    canvas_stroke(&layout->canvas, (struct brush){COLOUR_GRID, "grid", NULL}, 1, false);
}

/* From 0 to 1 in up to three pieces, `gap` being half of what is left out between them. */
static size_t pieces_of(const struct axis_span *span, double gap, double pieces[3][2])
{
    size_t count = 0;
    double from = 0;
    const double ends[] = {span->from, span->to};
    for (int i = 0; i < 2; i++)
        if (ends[i] > 0 && ends[i] < 1) {
            pieces[count][0] = from;
            pieces[count++][1] = ends[i] - gap;
            from = ends[i] + gap;
        }
    pieces[count][0] = from;
    pieces[count++][1] = 1;
    return count;
}

static void draw_axes(struct layout *layout, const struct frame *frame)
{
    const double width = frame->right - frame->left, height = frame->bottom - frame->top;
    double pieces[3][2];
    const size_t below = layout->chart->x.hidden ? 0 : pieces_of(&layout->x_span, APART_GAP / 2.0 / width, pieces);
    for (size_t i = 0; i < below; i++)
        canvas_line(&layout->canvas, frame->left + pieces[i][0] * width, frame->bottom,
                    frame->left + pieces[i][1] * width, frame->bottom);
    const size_t beside = layout->chart->y.hidden ? 0 : pieces_of(&layout->y_span, APART_GAP / 2.0 / height, pieces);
    for (size_t i = 0; i < beside; i++)
        canvas_line(&layout->canvas, frame->left, frame->bottom - pieces[i][0] * height, frame->left,
                    frame->bottom - pieces[i][1] * height);
}

/* Draws nothing where an earlier text is in the way. */
static void draw_foot_tick(struct layout *layout, const struct frame *frame, const struct chart_tick *tick,
                           struct boxes *taken)
{
    const double x = frame_x(layout->chart, frame, tick->at), size = tick->apart ? APART_SIZE : TICK_SIZE;
    OWNED char *lines = memory_copy(tick->text);
    char *rest = lines, *line;
    double half = 0, y = frame->bottom + 16;
    for (const char *part = tick->text; part; part = strchr(part, '\n') ? strchr(part, '\n') + 1 : NULL) {
        OWNED char *end = text_made("%.*s", (int)strcspn(part, "\n"), part);
        half = fmax(half, letters_width(end, size) / 2);
    }
    const struct box box = {x - half - 2, y - 8, x + half + 2, y + 8};
    if (!boxes_clear(taken, box))
        return;
    boxes_add(taken, box);
    if (!tick->apart)
        canvas_line(&layout->canvas, x, frame->bottom, x, frame->bottom + 5);
    for (; (line = strsep(&rest, "\n")); y += TICK_LINE)
        canvas_text(&layout->canvas, x, y,
                    (struct lettering){.size = tick->apart ? APART_SIZE : 0, .anchor = ANCHOR_MIDDLE}, line);
}

static void draw_foot(struct layout *layout, const struct frame *frame)
{
    FREED_BY(boxes_free) struct boxes taken = {0};
    for (int apart = 1; apart >= 0; apart--)
        for (size_t i = 0; i < layout->x.count; i++)
            if (layout->x.list[i].apart == apart)
                draw_foot_tick(layout, frame, &layout->x.list[i], &taken);
}

static void draw_side(struct layout *layout, const struct frame *frame)
{
    double above = INFINITY; /* of the text below */
    for (size_t i = 0; i < layout->y.count; i++) {
        const struct chart_tick *tick = &layout->y.list[i];
        const double y = frame_y(layout->chart, frame, tick->at), room = layout->left - MARGIN - 8;
        if (above - y < TICK_LINE)
            continue;
        above = y;
        if (!tick->apart)
            canvas_line(&layout->canvas, frame->left - 4, y, frame->left, y);
        canvas_text(&layout->canvas, frame->left - 8, y, (struct lettering){.anchor = ANCHOR_END, .room = room},
                    tick->text);
    }
}

static void draw_panel(struct layout *layout, size_t index)
{
    const struct chart *chart = layout->chart;
    const struct frame frame = frame_of(layout, index);
    draw_grid(layout, &frame);
    draw_marks(&layout->canvas, chart, chart->panels[index], &frame);
    draw_titles(layout, chart->panels[index], &frame);
    draw_axes(layout, &frame);
    if (index % layout->columns == 0)
        draw_side(layout, &frame);
    if (index + layout->columns >= chart->panel_count)
        draw_foot(layout, &frame);
    canvas_stroke(&layout->canvas, (struct brush){COLOUR_LINE, "axes", NULL}, 1, false); /* with their ticks */
}

/* At the side once for each row where it fits, else in the middle of all. */
static void draw_axis_labels(struct layout *layout)
{
    const struct chart *chart = layout->chart;
    const struct frame first = frame_of(layout, 0), last = frame_of(layout, layout->columns - 1);
    const struct lettering below = {.anchor = ANCHOR_MIDDLE}, beside = {.anchor = ANCHOR_MIDDLE, .upwards = true};
    const double bottom = layout->height - layout->foot - (chart->y.hidden ? 0 : ROW_GAP);
    double x = (first.left + last.right) / 2;
    if (layout->columns == 1)
        x = first.left + (layout->x_span.from + layout->x_span.to) / 2 * layout->panel_width;
    if (chart->x.label)
        x = fmin(x, width_of(chart) - 2 - letters_width(chart->x.label, TEXT_SIZE) / 2);
    if (chart->x.label && !chart->x.hidden)
        canvas_text(&layout->canvas, x, bottom + 16 + TICK_LINE * (double)layout->foot_lines + 10, below,
                    chart->x.label);
    if (!chart->y.label || chart->y.hidden)
        return;
    if (letters_width(chart->y.label, TEXT_SIZE) > chart->panel_height) {
        canvas_text(&layout->canvas, MARGIN + 6, (first.top + bottom) / 2, beside, chart->y.label);
        return;
    }
    for (size_t row = 0; row < layout->rows; row++)
        canvas_text(&layout->canvas, MARGIN + 6, first.top + (double)row * layout->row_height + chart->panel_height / 2,
                    beside, chart->y.label);
}

/* ---- the whole ---- */

static void begin(struct layout *layout, double height)
{
    const struct chart *chart = layout->chart;
    canvas_begin(&layout->canvas, width_of(chart), height, chart->title ? chart->title : "",
                 chart->subtitle ? chart->subtitle : "");
}

static void draw_missing(struct layout *layout)
{
    const struct legend none = {0};
    const char *missing = layout->chart->missing ? layout->chart->missing : "there is nothing to draw";
    const double top = draw_head(NULL, layout->chart, &none) + 12;
    begin(layout,
          top + (double)draw_wrapped(NULL, width_of(layout->chart), 0, COLOUR_INK, missing) * TEXT_LINE + MARGIN);
    draw_head(&layout->canvas, layout->chart, &none);
    draw_wrapped(&layout->canvas, width_of(layout->chart), top + 6, COLOUR_INK, missing);
}

static void draw_panels(struct layout *layout)
{
    struct legend legend = legend_of(layout->chart);
    lay_out(layout, &legend);
    begin(layout, layout->height);
    draw_head(&layout->canvas, layout->chart, &legend);
    for (size_t p = 0; p < layout->chart->panel_count; p++)
        draw_panel(layout, p);
    draw_axis_labels(layout);
    axis_ticks_free(&layout->x);
    axis_ticks_free(&layout->y);
    free(legend.marks);
}

static struct canvas drawn(const struct chart *chart)
{
    struct layout layout = {.chart = chart};
    if (chart->missing || chart->panel_count == 0)
        draw_missing(&layout);
    else
        draw_panels(&layout);
    return layout.canvas;
}

void chart_svg(const struct chart *chart, struct picture *picture)
{
    struct canvas canvas = drawn(chart);
    canvas_take(&canvas, picture);
}

enum status chart_svg_write(const struct chart *chart, const char *path)
{
    struct canvas canvas = drawn(chart);
    return canvas_write(&canvas, path);
}
