#include "chart_svg.h"

static const double BAND = 0.18; /* opacity */
static const double RULE = 1.2;
static const double NUMBER_SIZE = 9.5, APART = 5;     /* APART: "3 2" is no 32 */
static const double DOT = 4, RIM = 3.6, POINT = 2.57; /* DOT is kept free */

static double within(double least, double value, double most)
{
    return isnan(value) ? value : fmin(fmax(value, least), most);
}

double frame_x(const struct chart *chart, const struct frame *frame, double x)
{
    return within(frame->left, frame->left + axis_place(&chart->x, x) * (frame->right - frame->left), frame->right);
}

double frame_y(const struct chart *chart, const struct frame *frame, double y)
{
    return within(frame->top, frame->bottom - axis_place(&chart->y, y) * (frame->bottom - frame->top), frame->bottom);
}

/* ---- a point in pixels ---- */

struct place {
    double x, y, other;
    bool drawn;
};

static struct place place_of(const struct chart *chart, const struct frame *frame, const struct chart_mark *mark,
                             size_t index)
{
    const struct chart_point *point = &mark->points[index];
    struct place place = {frame_x(chart, frame, point->x), frame_y(chart, frame, point->y), NAN,
                          chart_point_drawn(mark, point)};
    if (mark->kind == MARK_RULE_X)
        place.y = frame->top;
    if (mark->kind == MARK_RULE_Y)
        place.x = frame->right;
    if (mark->kind == MARK_BARS && !isfinite(place.y) && point->y == 0)
        place.y = frame->bottom;
    if (mark->kind == MARK_BAND)
        place.other = frame_y(chart, frame, point->other);
    place.drawn &= isfinite(place.x) && isfinite(place.y) &&
                   (isfinite(place.other) || isnan(point->other) || mark->kind != MARK_BAND);
    return place;
}

/* What the marks of a panel are drawn with. */
struct panel_drawing {
    struct canvas *canvas;
    const struct chart *chart;
    const struct chart_panel *panel;
    const struct frame *frame;
    struct boxes taken;
};

static struct place place_in(const struct panel_drawing *here, const struct chart_mark *mark, size_t index)
{
    return place_of(here->chart, here->frame, mark, index);
}

/* ---- each kind ---- */

static struct brush brush_of(const struct chart_mark *mark, const char *kind)
{
    return (struct brush){mark->colour, kind, mark->name};
}

/* Upper edge forth, lower edge back.  A band of one point is as wide as a dot. */
static void draw_band(struct panel_drawing *here, const struct chart_mark *mark)
{
    const double side = mark->point_count == 1 ? DOT : 0;
    size_t drawn = 0;
    for (size_t i = 0; i < 2 * mark->point_count; i++) {
        const bool forth = i < mark->point_count;
        const struct place place = place_in(here, mark, forth ? i : 2 * mark->point_count - 1 - i);
        const double y = forth ? place.y : place.other, way = forth ? side : -side;
        if (!place.drawn)
            continue;
        (drawn++ == 0 ? canvas_move : canvas_draw)(here->canvas, place.x - way, y);
        if (side > 0)
            canvas_draw(here->canvas, place.x + way, y);
    }
    canvas_fill(here->canvas, brush_of(mark, "band"), BAND);
}

static struct box bar_box(const struct panel_drawing *here, const struct chart_mark *mark, size_t index)
{
    const struct chart_axis *axis = &here->chart->x;
    const double x = mark->points[index].x, half = mark->width / 2;
    return (struct box){frame_x(here->chart, here->frame, axis_shifted(axis, x, -half)), place_in(here, mark, index).y,
                        frame_x(here->chart, here->frame, axis_shifted(axis, x, half)), here->frame->bottom};
}

static void draw_bars(struct panel_drawing *here, const struct chart_mark *mark)
{
    for (size_t i = 0; i < mark->point_count; i++)
        if (place_in(here, mark, i).drawn && mark->points[i].y > 0)
            canvas_box(here->canvas, bar_box(here, mark, i));
    canvas_fill(here->canvas, brush_of(mark, "bars"), 1);
}

static void draw_rules(struct panel_drawing *here, const struct chart_mark *mark)
{
    const struct frame *frame = here->frame;
    for (size_t i = 0; i < mark->point_count; i++) {
        const struct place place = place_in(here, mark, i);
        if (place.drawn && mark->kind == MARK_RULE_X)
            canvas_line(here->canvas, place.x, frame->top, place.x, frame->bottom);
        else if (place.drawn)
            canvas_line(here->canvas, frame->left, place.y, frame->right, place.y);
    }
    canvas_stroke(here->canvas, brush_of(mark, "rule"), RULE, mark->dashed);
}

static void draw_dots(struct panel_drawing *here, const struct chart_mark *mark, struct brush brush, double radius)
{
    canvas_open(here->canvas, brush);
    for (size_t i = 0; i < mark->point_count; i++) {
        const struct place place = place_in(here, mark, i);
        if (place.drawn)
            canvas_dot(here->canvas, place.x, place.y, radius);
    }
    canvas_close(here->canvas);
}

/* Dots have a rim of paper, which sets them off from what is below. */
static void draw_points(struct panel_drawing *here, const struct chart_mark *mark)
{
    draw_dots(here, mark, (struct brush){COLOUR_PAPER, "rim", NULL}, RIM);
    draw_dots(here, mark, brush_of(mark, "points"), POINT);
}

static double line_width(const struct chart_mark *mark)
{
    return mark->colour == COLOUR_QUIET ? 1 : 1.8;
}

/* A line of one point would not be seen: it is a dot. */
static void draw_line(struct panel_drawing *here, const struct chart_mark *mark)
{
    size_t drawn = 0;
    for (size_t i = 0; i < mark->point_count; i++)
        drawn += place_in(here, mark, i).drawn;
    if (drawn == 1) {
        draw_points(here, mark);
        return;
    }
    for (size_t i = 0, before = 0; i < mark->point_count; i++) {
        const struct place place = place_in(here, mark, i);
        if (place.drawn)
            (before++ == 0 ? canvas_move : canvas_draw)(here->canvas, place.x, place.y);
    }
    canvas_stroke(here->canvas, brush_of(mark, "line"), line_width(mark), mark->dashed);
}

/* ---- numbers on bars, where they can be read; the table has all of them in any case ---- */

struct number {
    const struct chart_mark *mark;
    size_t index;
};

/* The highest first: it is the last that one would miss. */
static int by_height(const void *one, const void *other)
{
    const struct number *a = one, *b = other;
    const struct chart_point *p = &a->mark->points[a->index], *q = &b->mark->points[b->index];
    if (p->y != q->y)
        return p->y < q->y ? 1 : -1;
    return (p->x > q->x) - (p->x < q->x);
}

/* Whether a rule of the panel goes through the box. */
static bool crossed(const struct panel_drawing *here, struct box box)
{
    for (size_t m = 0; m < here->panel->mark_count; m++) {
        const struct chart_mark *mark = here->panel->marks[m];
        for (size_t i = 0; mark->kind == MARK_RULE_X && i < mark->point_count; i++) {
            const double x = frame_x(here->chart, here->frame, mark->points[i].x);
            if (x > box.left - 2 && x < box.right + 2)
                return true;
        }
    }
    return false;
}

/* What is below a text. */
static void cover(struct panel_drawing *here, struct box box)
{
    canvas_box(here->canvas, box);
    canvas_fill(here->canvas, (struct brush){COLOUR_PAPER, "cover", NULL}, 1);
}

/* A bar of 0 bears its number where it has a place of its own beside the scale. */
static void draw_number(struct panel_drawing *here, const struct number *number)
{
    const struct chart_point *point = &number->mark->points[number->index];
    const struct box bar = bar_box(here, number->mark, number->index);
    const double middle = (bar.left + bar.right) / 2;
    char text[32];
    snprintf(text, sizeof text, "%.10g", point->y);
    const double half = letters_width(text, NUMBER_SIZE) / 2;
    const struct box box = {middle - half, bar.top - 13, middle + half, bar.top - 1};
    const struct box room = {box.left - APART / 2, box.top, box.right + APART / 2, box.bottom};
    if (!(isfinite(middle) && isfinite(bar.top)) || (point->y == 0 && !chart_is_apart(&here->chart->x, point->x)) ||
        !boxes_clear(&here->taken, room))
        return;
    boxes_add(&here->taken, room);
    if (crossed(here, box))
        cover(here, room);
    canvas_text(here->canvas, middle, bar.top - 7,
                (struct lettering){
                    .size = NUMBER_SIZE, .colour = point->y == 0 ? COLOUR_SOFT : COLOUR_INK, .anchor = ANCHOR_MIDDLE},
                text);
}

static void draw_numbers(struct panel_drawing *here)
{
    size_t count = 0, most = 0;
    for (size_t m = 0; m < here->panel->mark_count; m++)
        most += here->panel->marks[m]->numbered ? here->panel->marks[m]->point_count : 0;
    if (most == 0)
        return;
    OWNED struct number *numbers = memory_cleared(most, sizeof *numbers);
    for (size_t m = 0; m < here->panel->mark_count; m++) {
        const struct chart_mark *mark = here->panel->marks[m];
        for (size_t i = 0; mark->kind == MARK_BARS && i < mark->point_count; i++) {
            if (!place_in(here, mark, i).drawn)
                continue;
            if (mark->points[i].y > 0)
                boxes_add(&here->taken, bar_box(here, mark, i));
            if (mark->numbered)
                numbers[count++] = (struct number){mark, i};
        }
    }
    qsort(numbers, count, sizeof *numbers, by_height);
    for (size_t i = 0; i < count; i++)
        draw_number(here, &numbers[i]);
}

/* ---- together ---- */

static void draw_mark(struct panel_drawing *here, const struct chart_mark *mark)
{
    static void (*const draw[])(struct panel_drawing *, const struct chart_mark *) = {
        [MARK_BARS] = draw_bars,     [MARK_BAND] = draw_band,    [MARK_LINE] = draw_line,
        [MARK_POINTS] = draw_points, [MARK_RULE_X] = draw_rules, [MARK_RULE_Y] = draw_rules,
    };
    if (mark->point_count > 0)
        draw[mark->kind](here, mark);
}

void draw_marks(struct canvas *canvas, const struct chart *chart, const struct chart_panel *panel,
                const struct frame *frame)
{
    static const enum chart_mark_kind upwards[] = {MARK_BAND,   MARK_BARS, MARK_RULE_X,
                                                   MARK_RULE_Y, MARK_LINE, MARK_POINTS};
    struct panel_drawing here = {.canvas = canvas, .chart = chart, .panel = panel, .frame = frame};
    for (size_t k = 0; k < sizeof upwards / sizeof *upwards; k++)
        for (size_t m = 0; m < panel->mark_count; m++)
            if (panel->marks[m]->kind == upwards[k])
                draw_mark(&here, panel->marks[m]);
    draw_numbers(&here);
    boxes_free(&here.taken);
}

double sample_width(const struct chart_mark *mark)
{
    static const double widths[] = {
        [MARK_BARS] = 10, [MARK_BAND] = 22, [MARK_LINE] = 22, [MARK_POINTS] = 8, [MARK_RULE_X] = 2, [MARK_RULE_Y] = 22};
    return widths[mark->kind];
}

void draw_sample(struct canvas *canvas, const struct chart_mark *mark, double x, double y)
{
    const double right = x + sample_width(mark), middle = (x + right) / 2;
    const bool upright = mark->kind == MARK_RULE_X;
    const double width = upright || mark->kind == MARK_RULE_Y ? RULE : line_width(mark);
    const struct brush brush = brush_of(mark, "sample");
    if (mark->kind == MARK_POINTS) {
        canvas_open(canvas, brush);
        canvas_dot(canvas, middle, y, POINT);
        canvas_close(canvas);
    } else if (mark->kind == MARK_BARS || mark->kind == MARK_BAND) {
        canvas_box(canvas, (struct box){x, y - 5, right, y + 5});
        canvas_fill(canvas, brush, mark->kind == MARK_BAND ? BAND : 1);
    } else {
        canvas_line(canvas, upright ? middle : x, upright ? y - 8 : y, upright ? middle : right, upright ? y + 8 : y);
        canvas_stroke(canvas, brush, width, mark->dashed);
    }
}
