#include "axis_matrix.h"

/* In pixels. */
enum {
    WIDTH = 960,
    MARGIN = 12,
    NAMES = 216,
    HEAD = 28,
    LINE = 28,
    GAP = 3,
    CELL_MOST = 110,
    LEGEND = 36,
    SWATCH = 16
};

/* Paper shows through, so that ink on it is as legible as on paper. */
static const double TINT = 0.3;

static const struct state_look {
    enum colour colour;
    double tint;
    const char *kind, *meaning;
} looks[] = {
    [AXIS_NOT_ASKED] = {COLOUR_PAPER, 0, "none", NULL},
    [AXIS_NOT_VARIED] = {COLOUR_GRID, 1, "not-varied", "not varied"},
    [AXIS_SAME] = {COLOUR_GOOD, TINT, "same", "same bits"},
    [AXIS_FAILED] = {COLOUR_SECOND, TINT, "failed", "a variant failed"},
    [AXIS_DIFFERS] = {COLOUR_BAD, TINT, "differs", "other bits, and how far apart results were"},
    [AXIS_RESTLESS] = {COLOUR_BAD, TINT, "restless", NULL}, /* its words are in its cell */
};
enum { STATES = sizeof looks / sizeof *looks };

/* The axes that have a place, from left to right. */
struct places {
    enum axis axes[AXES];
    int count;
    double width; /* of one */
};

static struct places places_of(const struct axis_matrix *matrix)
{
    struct places places = {.count = 0};
    for (int axis = 0; axis < AXES; axis++)
        if (axis_is_in(matrix, (enum axis)axis))
            places.axes[places.count++] = (enum axis)axis;
    const double room = (double)(WIDTH - 2 * MARGIN - NAMES) / places.count;
    places.width = room < CELL_MOST ? room : CELL_MOST;
    return places;
}

/* "1.5 ulp", or a word. */
static void write_cell(const struct axis_cell *cell, char text[AXIS_TEXT])
{
    static const char *const words[STATES] = {"", "", "same", "failed", "", "each call"};
    if (cell->state != AXIS_DIFFERS)
        snprintf(text, AXIS_TEXT, "%s", words[cell->state]);
    else if (isnan(cell->spread))
        snprintf(text, AXIS_TEXT, "no number");
    else
        snprintf(text, AXIS_TEXT, "%s ulp", error_text(cell->spread));
}

static void draw_cell(struct canvas *canvas, const struct axis_column *column, enum axis axis, struct box box)
{
    const struct axis_cell *cell = &column->cells[axis];
    const struct state_look *look = &looks[cell->state];
    char text[AXIS_TEXT], whole[AXIS_TEXT], title[256];
    if (cell->state == AXIS_NOT_ASKED)
        return;
    write_cell(cell, text);
    axis_cell_text(cell, whole);
    snprintf(title, sizeof title, "%.120s, %s: %s", column->name, axis_table[axis].id, whole);
    canvas_box(canvas, box);
    canvas_fill(canvas, (struct brush){look->colour, look->kind, title}, look->tint);
    canvas_text(canvas, (box.left + box.right) / 2, (box.top + box.bottom) / 2,
                (struct lettering){.size = 10, .anchor = ANCHOR_MIDDLE, .room = box.right - box.left}, text);
}

static void draw_line(struct canvas *canvas, const struct axis_column *column, const struct places *places, double top)
{
    canvas_text(canvas, MARGIN, top + LINE / 2.0, (struct lettering){.room = NAMES - MARGIN}, column->name);
    for (int i = 0; i < places->count; i++) {
        const double left = MARGIN + NAMES + i * places->width;
        draw_cell(canvas, column, places->axes[i],
                  (struct box){left, top, left + places->width - GAP, top + LINE - GAP});
    }
}

static void draw_legend(struct canvas *canvas, double top)
{
    double x = MARGIN + NAMES;
    for (int state = AXIS_NOT_VARIED; state <= AXIS_DIFFERS; state++) {
        canvas_box(canvas, (struct box){x, top, x + SWATCH, top + SWATCH});
        canvas_fill(canvas, (struct brush){looks[state].colour, looks[state].kind, NULL}, looks[state].tint);
        canvas_text(canvas, x + SWATCH + 6, top + SWATCH / 2.0, (struct lettering){.size = 11}, looks[state].meaning);
        x += SWATCH + 6 + 8 + letters_width(looks[state].meaning, 11) + 12;
    }
}

void axis_picture(const struct axis_matrix *matrix, const char *title, struct picture *picture)
{
    struct canvas canvas;
    const struct places places = places_of(matrix);
    const size_t lines = matrix->count < AXIS_LINES_MOST ? matrix->count : AXIS_LINES_MOST;
    canvas_begin(&canvas, WIDTH, HEAD + (double)lines * LINE + LEGEND, title, "which change changed the bits");
    for (int i = 0; i < places.count; i++)
        canvas_text(&canvas, MARGIN + NAMES + (i + 0.5) * places.width - GAP / 2.0, HEAD / 2.0,
                    (struct lettering){.anchor = ANCHOR_MIDDLE, .room = places.width, .bold = true, .size = 10},
                    axis_table[places.axes[i]].id);
    for (size_t c = 0; c < lines; c++)
        draw_line(&canvas, &matrix->columns[c], &places, HEAD + (double)c * LINE);
    draw_legend(&canvas, HEAD + (double)lines * LINE + 8);
    canvas_take(&canvas, picture);
}
