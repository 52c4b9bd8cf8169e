/* matrices: of matrix products the errors of their elements, and where in the matrix they are. */
#include "reports/canvas/canvas.h"
#include "reports/page/page.h"

/* Where in a matrix product the errors are: a map for each method, side by side, in the colours of one scale. */

/* In pixels: a map is a square, whatever its matrix is. */
enum { WIDTH = 960, MAP = 208, GAP = 32, HEAD = 40, LEGEND = 40, ACROSS = 4, SWATCH = 18, ONE_TO_TWO_U = 'n' };

/* The least and the largest letter of any error. */
struct scale {
    char least, most;
};

static struct scale scale_of(const struct series *const *series, size_t count)
{
    struct scale scale = {'z', 'a'};
    for (size_t s = 0; s < count; s++)
        for (const char *letter = series[s]->map; *letter; letter++)
            if (*letter >= 'a') {
                scale.least = *letter < scale.least ? *letter : scale.least;
                scale.most = *letter > scale.most ? *letter : scale.most;
            }
    return scale;
}

/* Of a letter from the least to the most one. */
static int heat_of(struct scale scale, char letter)
{
    const int letters = scale.most - scale.least + 1;
    return letters <= HEATS ? letter - scale.least : (letter - scale.least) * HEATS / letters;
}

static enum colour colour_of(struct scale scale, char letter)
{
    if (letter < 'a')
        return letter == '!' ? COLOUR_BAD : COLOUR_PAPER;
    return (enum colour)(COLOUR_HEAT + heat_of(scale, letter));
}

/* Cells of one colour are one path. */
static void draw_cells(struct canvas *canvas, const char *map, struct scale scale, double left, double top)
{
    const size_t across = strcspn(map, " "), down = (strlen(map) + 1) / (across + 1);
    const double width = (double)MAP / (double)across, height = (double)MAP / (double)down;
    for (int colour = 0; colour < COLOURS; colour++) {
        for (size_t i = 0; i < down; i++)
            for (size_t j = 0; j < across; j++)
                if ((int)colour_of(scale, map[i * (across + 1) + j]) == colour)
                    canvas_box(canvas, (struct box){left + (double)j * width, top + (double)i * height,
                                                    left + (double)(j + 1) * width, top + (double)(i + 1) * height});
        canvas_fill(canvas, (struct brush){(enum colour)colour, "cells", NULL}, 1);
    }
    canvas_box(canvas, (struct box){left, top, left + MAP, top + MAP});
    canvas_stroke(canvas, (struct brush){COLOUR_LINE, "frame", NULL}, 1, false);
}

static void draw_map(struct canvas *canvas, const struct series *series, struct scale scale, double left, double top)
{
    canvas_text(canvas, left, top + 12, (struct lettering){.room = MAP, .bold = true}, series->method);
    draw_cells(canvas, series->map, scale, left, top + 24);
}

/* "2^-5 u": what the error of a cell of that letter is below. */
static void write_edge(char letter, char text[16])
{
    if (letter == 'z')
        snprintf(text, 16, "any");
    else
        snprintf(text, 16, "2^%d u", letter - ONE_TO_TWO_U + 1);
}

static void draw_legend(struct canvas *canvas, struct scale scale, double top)
{
    double x = GAP;
    if (scale.least > scale.most)
        return;
    canvas_text(canvas, x, top + 9, (struct lettering){.size = 0}, "largest error of a cell: below");
    x += 190;
    for (char letter = scale.least; letter <= scale.most; letter++) {
        char edge[16];
        if (letter < scale.most && heat_of(scale, letter) == heat_of(scale, (char)(letter + 1)))
            continue;
        write_edge(letter, edge);
        canvas_box(canvas, (struct box){x, top, x + SWATCH, top + SWATCH});
        canvas_fill(canvas, (struct brush){colour_of(scale, letter), "cells", NULL}, 1);
        canvas_text(canvas, x + SWATCH + 6, top + 9, (struct lettering){.size = 0}, edge);
        x += SWATCH + 70;
    }
}

/* Of series of the same data, each with a map; `title` is theirs. */
static void error_map(const struct series *const *series, size_t count, const char *title, struct picture *picture)
{
    struct canvas canvas;
    const struct scale scale = scale_of(series, count);
    const size_t rows = (count + ACROSS - 1) / ACROSS;
    const double height = (double)rows * (MAP + HEAD) + LEGEND;
    canvas_begin(&canvas, WIDTH, height, title, "where in C = A B the errors are");
    for (size_t s = 0; s < count; s++)
        draw_map(&canvas, series[s], scale, GAP / 2.0 + (double)(s % ACROSS) * (MAP + GAP),
                 (double)(s / ACROSS) * (MAP + HEAD));
    draw_legend(&canvas, scale, (double)rows * (MAP + HEAD) + 8);
    canvas_take(&canvas, picture);
}

/* Maps in a picture: more than these a reader does not compare. */
enum { MAPS_MOST = 12 };

static bool applies(const struct results *results)
{
    for (size_t s = 0; s < results->series_count; s++)
        if (results->series[s].map && !is_scan(results->series[s].operation)) /* which has a picture of its own */
            return true;
    return false;
}

static const char reading[] = "A map is C, from its first row at the top to its last one, in at most 32 by 32 cells. A "
                              "cell has the colour of its largest error relative to (|A| |B|) of the element, in u of "
                              "the format of C, over all trials; a white one has none.";

static void series_row(const struct series *series, struct grid *grid)
{
    const struct statistics *relative = &series->statistics[METRIC_relative_error],
                            *backward = &series->statistics[METRIC_backward_error];
    const double u = ldexp(1, -series->format->precision);
    grid_add(grid, cell_text("%s", series->method), cell_text("%s", series->backend->id), cell_error(relative->max),
             cell_number(relative->mean), cell_error(series->statistics[METRIC_ulp_error].max),
             cell_error(backward->max / u), cell_number(backward->mean / u),
             cell_number(100 * (double)series->not_nearest / (double)series->count),
             cell_text("C[%" PRIu64 "][%" PRIu64 "], trial %" PRIu64, series->worst_i, series->worst_j,
                       series->worst_trial));
}

static void write_table(struct page *page, const struct series *const *series, size_t count)
{
    FREED_BY(grid_free)
    struct grid grid =
        grid_headed(1, "method | by | > max |error|/|c| | > mean |error|/|c| | > max ulp | > max |error|/(|A||B|), u | "
                       "> mean |error|/(|A||B|), u | > not nearest, % | worst by ulp");
    OWNED char *name = text_made("Errors of the elements of products of %s", series[0]->data);
    for (size_t s = 0; s < count; s++)
        series_row(series[s], &grid);
    grid_alike(&grid, 3);
    grid_alike(&grid, 6);
    page_named_grid(page, &grid, name);
}

static void write_map(struct page *page, const struct series *const *series, size_t count)
{
    FREED_BY(picture_free) struct picture picture = {0};
    const size_t shown = count < MAPS_MOST ? count : MAPS_MOST;
    OWNED char *name = text_made("%sWhere the errors of products of %s are", page->picture_prefix, series[0]->data);
    error_map(series, shown, name, &picture);
    if (page_takes_picture(page, picture.length)) {
        page_open(page, "figure");
        page_boxed_svg(page, "panel", name, picture.svg, name);
        if (page_says_first(&page->readings, reading))
            page_element(page, "figcaption", "%s", reading);
        if (shown < count)
            page_element(page, "figcaption", "The first %zu of %zu methods.", shown, count);
        page_close(page);
    } else {
        page_element(page, "p", "%s: the page has no room for the picture; run.json has it as `map`.", name);
    }
}

static void write_witness(struct page *page, const struct series *const *series, size_t count)
{
    const struct series *worst = series[0];
    for (size_t s = 1; s < count; s++)
        if (error_order(series[s]->worst_ulp_error, worst->worst_ulp_error) > 0)
            worst = series[s];
    page_open(page, "p");
    page_text(page, "The row and the column of the worst element, C[%" PRIu64 "][%" PRIu64 "] by %s, as vectors: ",
              worst->worst_i, worst->worst_j, worst->method);
    page_element(page, "code", "%s", worst->witness_command ? worst->witness_command : "");
    page_close(page);
}

/* Series of the same data stand together. */
static void write(struct page *page, const struct report *report, const struct results *results)
{
    OWNED const struct series **group = memory_cleared(results->series_count, sizeof(const struct series *));
    (void)report;
    for (size_t first = 0, count; first < results->series_count; first += count) {
        for (count = 0; first + count < results->series_count &&
                        strcmp(results->series[first + count].data, results->series[first].data) == 0;
             count++)
            group[count] = &results->series[first + count];
        page_heading(page, 3, "%s", group[0]->data);
        write_table(page, group, count);
        write_map(page, group, count);
        write_witness(page, group, count);
    }
}

const struct section section_matrices = {.id = "matrices",
                                         .title = "Elements of the products",
                                         .open = true,
                                         .applies = applies,
                                         .share = 200,
                                         .write = write};
