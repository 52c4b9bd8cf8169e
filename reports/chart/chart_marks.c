#include "chart_marks.h"

#include "boxes.h"
#include "chart_axis.h"
#include "script_text.h"

#include <math.h>
#include <stdlib.h>

static const char INK[] = "#333333", FAINT[] = "#767676";
static const double NUMBER_SIZE = 9.5, LABEL_SIZE = 10.5, DOT = 4, APART = 5; /* APART: "3 2" is no 32 */

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
    if (mark->kind == MARK_BAND || mark->kind == MARK_RANGE)
        place.other =
            mark->kind == MARK_BAND ? frame_y(chart, frame, point->other) : frame_x(chart, frame, point->other);
    place.drawn &=
        isfinite(place.x) && isfinite(place.y) &&
        (isfinite(place.other) || isnan(point->other) || (mark->kind != MARK_BAND && mark->kind != MARK_RANGE));
    return place;
}

/* What the marks of a panel are drawn with. */
struct panel_drawing {
    struct drawing *drawing;
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

static const char *colour_of(const struct chart_mark *mark)
{
    return chart_colour_hex(mark->colour);
}

static const char *dashes_of(const struct chart_mark *mark)
{
    return mark->dashed ? "dt (5,3)" : "";
}

/* Upper edge forth, lower edge back.  A band of one point is as wide as a dot. */
static void draw_band(struct panel_drawing *here, const struct chart_mark *mark)
{
    struct drawing *drawing = here->drawing;
    const double side = mark->point_count == 1 ? DOT : 0;
    shape_open(drawing);
    for (size_t i = 0; i < 2 * mark->point_count; i++) {
        const bool forth = i < mark->point_count;
        const struct place place = place_in(here, mark, forth ? i : 2 * mark->point_count - 1 - i);
        const double y = forth ? place.y : place.other;
        if (!place.drawn)
            continue;
        shape_row(drawing, 2, (double[]){place.x - (forth ? side : -side), y});
        if (side > 0)
            shape_row(drawing, 2, (double[]){place.x + (forth ? side : -side), y});
    }
    shape_close(drawing, "using 1:2 with filledcurves closed fs transparent solid 0.18 noborder fc rgb '%s'",
                colour_of(mark));
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
    shape_open(here->drawing);
    for (size_t i = 0; i < mark->point_count; i++) {
        const struct box box = bar_box(here, mark, i);
        if (place_in(here, mark, i).drawn && mark->points[i].y > 0)
            shape_row(here->drawing, 4, (double[]){box.left, box.right, box.top, box.bottom});
    }
    shape_close(here->drawing, "using 1:3:1:2:3:4 with boxxyerror fs solid noborder fc rgb '%s'", colour_of(mark));
}

/* Each is a line of its own. */
static void draw_rules(struct panel_drawing *here, const struct chart_mark *mark)
{
    const struct frame *frame = here->frame;
    for (size_t i = 0; i < mark->point_count; i++) {
        const struct place place = place_in(here, mark, i);
        const double across[] = {place.x, frame->top, place.x, frame->bottom},
                     along[] = {frame->left, place.y, frame->right, place.y};
        if (place.drawn)
            draw_stroke(here->drawing, mark->kind == MARK_RULE_X ? across : along, 1.2, dashes_of(mark),
                        colour_of(mark));
    }
}

static void draw_ranges(struct panel_drawing *here, const struct chart_mark *mark)
{
    shape_open(here->drawing);
    for (size_t i = 0; i < mark->point_count; i++) {
        const struct place place = place_in(here, mark, i);
        if (!place.drawn)
            continue;
        shape_row(here->drawing, 2, (double[]){place.x, place.y});
        shape_row(here->drawing, 2, (double[]){place.other, place.y});
        shape_gap(here->drawing);
    }
    shape_close(here->drawing, "using 1:2 with lines lw 4 %s lc rgb '%s'", dashes_of(mark), colour_of(mark));
}

/* A line of one point would not be seen: it is a dot.  Dots have a white rim, which sets them off from what is below.
 */
static void draw_points(struct panel_drawing *here, const struct chart_mark *mark)
{
    size_t drawn = 0;
    shape_open(here->drawing);
    for (size_t i = 0; i < mark->point_count; i++) {
        const struct place place = place_in(here, mark, i);
        if (!place.drawn)
            continue;
        shape_row(here->drawing, 2, (double[]){place.x, place.y});
        drawn++;
    }
    if (mark->kind == MARK_LINE && drawn > 1)
        shape_close(here->drawing, "using 1:2 with lines lw %g %s lc rgb '%s'", mark->colour == COLOUR_QUIET ? 1 : 1.8,
                    dashes_of(mark), colour_of(mark));
    else
        shape_close(
            here->drawing,
            "using 1:2 with points pt 7 ps %g lc rgb 'white' title 'rim', $s%zu using 1:2 with points pt 7 ps %g "
            "lc rgb '%s'",
            DOT / 5, here->drawing->shapes, DOT / 7, colour_of(mark));
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

/* A bar of 0 bears its number where it has a place of its own beside the scale. */
static void draw_number(struct panel_drawing *here, const struct number *number)
{
    const struct chart_point *point = &number->mark->points[number->index];
    const struct box bar = bar_box(here, number->mark, number->index);
    const double middle = (bar.left + bar.right) / 2;
    char text[32];
    snprintf(text, sizeof text, "%.10g", point->y);
    const double half = script_width(text, NUMBER_SIZE) / 2;
    const struct box box = {middle - half, bar.top - 13, middle + half, bar.top - 1};
    const struct box room = {box.left - APART / 2, box.top, box.right + APART / 2, box.bottom};
    if (!(isfinite(middle) && isfinite(bar.top)) || (point->y == 0 && !chart_is_apart(&here->chart->x, point->x)) ||
        !boxes_clear(&here->taken, room))
        return;
    boxes_add(&here->taken, room);
    if (crossed(here, box))
        draw_box(here->drawing, room.left, room.top, room.right, room.bottom, "white");
    draw_text(here->drawing, middle, bar.top - 7,
              (struct text_look){NUMBER_SIZE, point->y == 0 ? FAINT : INK, TEXT_CENTRE, 0, 0}, text);
}

static enum status draw_numbers(struct panel_drawing *here)
{
    struct number *numbers = NULL;
    size_t count = 0, most = 0;
    for (size_t m = 0; m < here->panel->mark_count; m++)
        most += here->panel->marks[m]->numbered ? here->panel->marks[m]->point_count : 0;
    if (most == 0)
        return OK;
    numbers = calloc(most, sizeof *numbers);
    if (!numbers)
        return out_of_memory("a picture");
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
    free(numbers);
    return OK;
}

/* ---- labels of points: to the right, else where there is room, else none or, with a line to it, apart ---- */

static void take_points(struct panel_drawing *here)
{
    for (size_t m = 0; m < here->panel->mark_count; m++) {
        const struct chart_mark *mark = here->panel->marks[m];
        for (size_t i = 0; mark->kind == MARK_POINTS && i < mark->point_count; i++) {
            const struct place place = place_in(here, mark, i);
            if (place.drawn)
                boxes_add(&here->taken, (struct box){place.x - DOT, place.y - DOT, place.x + DOT, place.y + DOT});
        }
    }
}

/* Lines are kept free as long as there is another place; they are taken as dots along them. */
static struct boxes lines_of(const struct panel_drawing *here)
{
    struct boxes lines = {0};
    for (size_t m = 0; m < here->panel->mark_count; m++) {
        const struct chart_mark *mark = here->panel->marks[m];
        struct place before = {.drawn = false};
        for (size_t i = 0; mark->kind == MARK_LINE && i < mark->point_count; i++) {
            const struct place place = place_in(here, mark, i);
            if (!place.drawn)
                continue;
            const double length = before.drawn ? hypot(place.x - before.x, place.y - before.y) : 0;
            for (double step = 0; step < length; step += 4) {
                const double x = before.x + (place.x - before.x) * step / length,
                             y = before.y + (place.y - before.y) * step / length;
                boxes_add(&lines, (struct box){x - 1, y - 1, x + 1, y + 1});
            }
            before = place;
        }
    }
    return lines;
}

static bool inside(const struct frame *frame, struct box box)
{
    return box.left >= frame->left && box.right <= frame->right && box.top >= frame->top && box.bottom <= frame->bottom;
}

/* In the order in which they are tried: the side of the dot, -1 0 or 1 across and up or down. */
static const struct side {
    int x, y;
} sides[] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
enum { SIDES = sizeof sides / sizeof *sides };

static struct box label_box(struct place place, struct side side, double width)
{
    const double height = 13, gap = DOT + 2, diagonal = side.x && side.y ? 0.6 : 1;
    const double middle = place.y + side.y * (gap * diagonal + height / 2 - (side.x ? 2 : 0));
    const double left = side.x > 0   ? place.x + gap * diagonal
                        : side.x < 0 ? place.x - gap * diagonal - width
                                     : place.x - width / 2;
    return (struct box){left, middle - height / 2, left + width, middle + height / 2};
}

/* Whether the label may stand there; `lines`: what it must not cross, either, or NULL. */
static bool is_free(const struct panel_drawing *here, const struct boxes *lines, struct box box)
{
    return inside(here->frame, box) && boxes_clear(&here->taken, box) && (!lines || boxes_clear(lines, box));
}

static void write_label(struct panel_drawing *here, struct place place, struct box box, int side, const char *label)
{
    const double x = side > 0 ? box.left : side < 0 ? box.right : place.x; /* the end at the dot, whatever the font */
    const enum text_anchor anchor = side > 0 ? TEXT_LEFT : side < 0 ? TEXT_RIGHT : TEXT_CENTRE;
    boxes_add(&here->taken, box);
    if (crossed(here, box))
        draw_box(here->drawing, box.left - 1, box.top, box.right + 1, box.bottom, "white");
    draw_text(here->drawing, x, (box.top + box.bottom) / 2, (struct text_look){LABEL_SIZE, INK, anchor, 0, 0}, label);
}

static bool label_at_point(struct panel_drawing *here, const struct boxes *lines, struct place place, const char *label)
{
    const double width = script_width(label, LABEL_SIZE);
    for (int i = 0; i < SIDES; i++) {
        const struct box box = label_box(place, sides[i], width);
        if (!is_free(here, lines, box))
            continue;
        write_label(here, place, box, sides[i].x, label);
        return true;
    }
    return false;
}

/* To the left or the right, and half a line farther up or down with each try. */
static bool label_apart(struct panel_drawing *here, const struct boxes *lines, struct place place, const char *label)
{
    enum { TRIES = 64, WAY = 22, HALF_LINE = 7 };
    const double width = script_width(label, LABEL_SIZE);
    for (int i = 0; i < TRIES; i++) {
        const int side = i % 2 ? 1 : -1, down = (i / 2) % 2 ? 1 : -1;
        struct place away = place;
        away.x += side * WAY;
        away.y += down * HALF_LINE * (i / 4 + 1);
        const struct box box = label_box(away, (struct side){side, 0}, width);
        if (!is_free(here, lines, box))
            continue;
        draw_stroke(here->drawing, (double[]){place.x, place.y, away.x + side * (DOT - 1), away.y}, 0.8, "", FAINT);
        write_label(here, place, box, side, label);
        return true;
    }
    return false;
}

static void draw_label(struct panel_drawing *here, const struct boxes *lines, struct place place,
                       const struct chart_mark *mark, const char *label)
{
    const bool apart = mark->pointed_at;
    if (!label_at_point(here, lines, place, label) && !(apart && label_apart(here, lines, place, label)) &&
        !label_at_point(here, NULL, place, label) && apart)
        label_apart(here, NULL, place, label);
}

static void draw_labels_of(struct panel_drawing *here, const struct boxes *lines, const struct chart_mark *mark)
{
    for (size_t i = 0; i < mark->point_count; i++) {
        const struct place place = place_in(here, mark, i);
        if (place.drawn && mark->points[i].label)
            draw_label(here, lines, place, mark, mark->points[i].label);
    }
}

static void draw_labels(struct panel_drawing *here)
{
    const unsigned ranks = chart_ranks(here->chart);
    struct boxes lines = lines_of(here);
    take_points(here);
    for (unsigned rank = 0; rank < ranks; rank++)
        for (size_t m = 0; m < here->panel->mark_count; m++)
            if (here->panel->marks[m]->labelled && here->panel->marks[m]->rank == rank)
                draw_labels_of(here, &lines, here->panel->marks[m]);
    here->taken.failed |= lines.failed;
    boxes_free(&lines);
}

/* ---- together ---- */

static void draw_mark(struct panel_drawing *here, const struct chart_mark *mark)
{
    static void (*const draw[])(struct panel_drawing *, const struct chart_mark *) = {
        [MARK_BARS] = draw_bars,    [MARK_BAND] = draw_band,    [MARK_LINE] = draw_points,  [MARK_POINTS] = draw_points,
        [MARK_RANGE] = draw_ranges, [MARK_RULE_X] = draw_rules, [MARK_RULE_Y] = draw_rules,
    };
    const char *before = here->drawing->what;
    here->drawing->what = mark->name ? mark->name : before;
    draw[mark->kind](here, mark);
    here->drawing->what = before;
}

enum status draw_marks(struct drawing *drawing, const struct chart *chart, const struct chart_panel *panel,
                       const struct frame *frame)
{
    static const enum chart_mark_kind upwards[] = {MARK_BAND,  MARK_BARS, MARK_RULE_X, MARK_RULE_Y,
                                                   MARK_RANGE, MARK_LINE, MARK_POINTS};
    struct panel_drawing here = {.drawing = drawing, .chart = chart, .panel = panel, .frame = frame};
    for (size_t k = 0; k < sizeof upwards / sizeof *upwards; k++)
        for (size_t m = 0; m < panel->mark_count; m++)
            if (panel->marks[m]->kind == upwards[k])
                draw_mark(&here, panel->marks[m]);
    enum status status = draw_numbers(&here);
    if (status == OK)
        draw_labels(&here);
    if (status == OK && here.taken.failed)
        status = out_of_memory("a picture");
    boxes_free(&here.taken);
    return status;
}

double sample_width(const struct chart_mark *mark)
{
    static const double widths[] = {[MARK_BARS] = 10,  [MARK_BAND] = 22,  [MARK_LINE] = 22,  [MARK_POINTS] = 8,
                                    [MARK_RANGE] = 22, [MARK_RULE_X] = 2, [MARK_RULE_Y] = 22};
    return widths[mark->kind];
}

void draw_sample(struct drawing *drawing, const struct chart_mark *mark, double x, double y)
{
    const char *colour = colour_of(mark), *dashes = dashes_of(mark);
    const double right = x + sample_width(mark), middle = (x + right) / 2;
    drawing->what = mark->name;
    if (mark->kind == MARK_BARS)
        draw_box(drawing, middle - 5, y - 5, middle + 5, y + 5, colour);
    else if (mark->kind == MARK_RULE_X)
        draw_stroke(drawing, (double[]){middle, y - 8, middle, y + 8}, 1.2, dashes, colour);
    else if (mark->kind == MARK_BAND) {
        shape_open(drawing);
        shape_row(drawing, 4, (double[]){x, right, y - 5, y + 5});
        shape_close(drawing, "using 1:3:1:2:3:4 with boxxyerror fs transparent solid 0.18 noborder fc rgb '%s'",
                    colour);
    } else if (mark->kind == MARK_POINTS) {
        shape_open(drawing);
        shape_row(drawing, 2, (double[]){middle, y});
        shape_close(drawing, "using 1:2 with points pt 7 ps %g lc rgb '%s'", DOT / 7, colour);
    } else
        draw_stroke(drawing, (double[]){x, y, right, y},
                    mark->kind == MARK_RANGE    ? 3
                    : mark->kind == MARK_RULE_Y ? 1.2
                                                : 1.8,
                    dashes, colour);
    drawing->what = "axes";
}
